"""Fit the constants that depend on the embedding model. Run it after a change of the model and enter the printed values.

    python bench/calibration.py [--docqa train] [--cache FOLDER] [--embeddings FILE] [--records FOLDER] [--json]
    python bench/calibration.py --sites FOLDER --questions FILE... ...

Asks the questions of the parts train and development of bench/docqa (or one of them, or the given files) once in this process. It stores
the rankings in the folder of --records (default: a temporary one) and reads them from there the next time. --embeddings caches vectors.
Delete the records after a change of the model or the ranking. The records then give:

1. FLOOR and CEILING of app/retrieval/rerank.py, so that ordinary and best passages keep their relevance. The bonuses of that module are
   also cosines and grow with the difference. All further steps use the fitted values.
2. The weights of `likelihood` and ANSWERED (app/retrieval/evidence.py), with at most LOST of the answerable questions below it. Questions
   without an answer are those about the site ("near") and some about other sites ("foreign").
3. CONFIDENCE_* (the same module), from the shown passages.
4. The amount of evidence (app/orchestration/assembly.py): hits and tokens of fixed budgets and of the rule.

Figures marked "other sites" are for sites outside the fit, with one site left out at a time.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from app.embed.onnx import OnnxEmbedder
from app.orchestration import assembly
from app.paths import model_dir
from app.retrieval import evidence, rerank
from app.retrieval.analysis import specifics
from app.retrieval.passages import build_passages
from app.retrieval.records import RetrievedChunk
from app.server.calls.limits import effective_budget
from app.server.render.text import Budget, CountTokens
from app.settings import load_settings
from docqa.sites import SPLITS
from support.judging import Outcome, share
from support.pairs import compared, marks_of
from support.questions import Question, add_arguments, data_is_missing, read_questions
from support.recording import FOREIGN, Record, record, rendered
from support.report import Row, print_report
from support.spans import holds_any

Table = NDArray[np.float64]
Truth = NDArray[np.bool_]
LEARNED_FROM: Final = tuple(part for part in SPLITS if part != "test")
ORDINARY_PLACE: Final = 60
ORDINARY: Final = 0.34
BEST: Final = 0.68
"""Median relevance of the passage at ORDINARY_PLACE and of the best passage, on which the thresholds are based."""
LOST: Final = 0.02
"""Share of answerable questions that can be reported as not found."""
LOST_SHOWN: Final = (0.01, 0.02, 0.03, 0.05)
PENALTY: Final = 1.0
"""Penalty on squared weights of standardized signals: one question in so many sites."""
STEPS: Final = 30
"""Newton steps. About ten are enough."""
BUDGETS: Final = (900, 1_400, 1_850, 2_320, 2_800, 3_400)
LEADS: Final = tuple(step / 100 for step in range(12, 25, 2))
MOST_MEAN_TOKENS: Final = 2_700
"""Maximum mean tokens of all results."""
LIKELY: Final = 0.5
"""Confidence from which a passage is likely to contain the answer."""
MIN_SITES: Final = 2
"""Minimum for results on other sites."""


# Scale


def fitted_scale(records: Sequence[Record]) -> tuple[float, float]:
    """Return FLOOR and CEILING with the relevance ORDINARY and BEST for the median ordinary and best passages."""
    ordered = [np.sort(each.cosines)[::-1] for each in records]
    best = float(np.median([cosines[0] for cosines in ordered]))
    ordinary = float(np.median([cosines[min(ORDINARY_PLACE, len(cosines)) - 1] for cosines in ordered]))
    if best <= ordinary:
        return rerank.FLOOR, rerank.CEILING
    width = (best - ordinary) / (BEST - ORDINARY)
    floor = ordinary - ORDINARY * width
    return floor, floor + width


@contextmanager
def scale(floor: float, ceiling: float) -> Iterator[None]:
    """Rank with these bounds."""
    with patch.object(rerank, "FLOOR", floor), patch.object(rerank, "CEILING", ceiling):
        yield


def rescaled(each: Record) -> Record:
    """Return the record with relevance under the current bounds."""
    relevance = rerank._scaled(np.sort(each.cosines)[::-1])
    # Candidates without their own place in the ranking share one cosine, so their order does not change.
    by_id = {item.chunk.id: float(value) for item, value in zip(each.ranking.chunks, relevance, strict=False)}

    def anew(items: Sequence[RetrievedChunk]) -> tuple[RetrievedChunk, ...]:
        known = (replace(item, reranked_score=by_id.get(item.chunk.id, item.reranked_score)) for item in items)
        return tuple(sorted(known, key=lambda item: (-item.reranked_score, item.chunk.id)))

    ranking = replace(each.ranking, chunks=anew(each.ranking.chunks))
    found = replace(each.evidence, ranked=anew(each.evidence.ranked))
    return replace(each, ranking=ranking, evidence=found)


def scale_rows(floor: float, ceiling: float) -> list[Row]:
    factor = (ceiling - floor) / (rerank.CEILING - rerank.FLOOR)
    names = ("NAMED_BONUS", "ELSEWHERE_BONUS", "FUSED_BONUS", "FORM_SHARE", "MEAN_FORM_BONUS", "USUAL_GAIN")
    rows = [_constant("rerank", "FLOOR", rerank.FLOOR, floor), _constant("rerank", "CEILING", rerank.CEILING, ceiling)]
    return rows + [_constant("rerank", name, getattr(rerank, name), factor * getattr(rerank, name)) for name in names]


# Logistic regression


def logistic(signals: Table, truth: Truth) -> NDArray[np.float64]:
    """Return intercept and weights by Newton's method, with a penalty on the weights of standardized signals."""
    mean, spread = signals.mean(axis=0), signals.std(axis=0) + 1e-9
    table = np.column_stack([np.ones(len(signals)), (signals - mean) / spread])
    penalty = np.diag([1e-6] + [PENALTY] * signals.shape[1])
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (likely - truth) + penalty @ weights
        curve = (table * (likely * (1 - likely))[:, None]).T @ table + penalty
        weights -= np.linalg.solve(curve, slope)
    own = weights[1:] / spread
    return np.concatenate([[weights[0] - own @ mean], own])


def likely(weights: NDArray[np.float64], signals: Table) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-(weights[0] + signals @ weights[1:]))))


def on_other_sites(signals: Table, truth: Truth, sites: Sequence[str]) -> NDArray[np.float64]:
    """Return the likelihood of each row with weights fitted without its site."""
    found = np.zeros(len(truth))
    names = np.array(sites)
    for site in sorted(set(sites)):
        own = names == site
        found[own] = likely(logistic(signals[~own], truth[~own]), signals[own])
    return found


def area(values: NDArray[np.float64], truth: Truth) -> float:
    """Return the area under the curve: how often a true item has a larger value than a false one."""
    true, false = values[truth][:, None], values[~truth][None]
    return float(np.mean(true > false) + np.mean(true == false) / 2)


# Answer or no answer


def none_rows(records: Sequence[Record]) -> tuple[list[Row], list[Row]]:
    """Return the constants of `likelihood`, and how well it detects questions without an answer."""
    known = [(each, found) for each in records if (found := evidence.signals(each.question.text, each.ranking))]
    truth = np.array([bool(each.question.gold) for each, _ in known])
    if not known or truth.all() or not truth.any():
        return [], []
    signals = np.array([found for _, found in known])
    weights = logistic(signals, truth)
    sites = [each.question.site for each, _ in known]
    held_out = on_other_sites(signals, truth, sites) if len(set(sites)) >= MIN_SITES else likely(weights, signals)
    as_it_is = likely(np.array([evidence.INTERCEPT, *evidence.WEIGHTS]), signals)
    foreign = np.array([each.question.form == FOREIGN for each, _ in known])
    least = float(np.quantile(held_out[truth], LOST))
    rows = [_constant("evidence", "INTERCEPT", evidence.INTERCEPT, weights[0])]
    rows += [
        _constant("evidence", f"WEIGHTS.{name}", getattr(evidence.WEIGHTS, name), weight)
        for name, weight in zip(evidence.Signals._fields, weights[1:], strict=True)
    ]
    rows.append(_constant("evidence", "ANSWERED", evidence.ANSWERED, least))
    quality = [
        _told("as it is", as_it_is, truth, foreign, evidence.ANSWERED),
        _told("fitted, same sites", likely(weights, signals), truth, foreign, least),
        _told("fitted, other sites", held_out, truth, foreign, least),
    ]
    for place, name in enumerate(evidence.Signals._fields):
        rest = np.delete(signals, place, axis=1)
        quality.append(_told(f"without {name}, other sites", on_other_sites(rest, truth, sites), truth, foreign, None))
    return rows, quality


def _told(name: str, values: NDArray[np.float64], truth: Truth, foreign: Truth, threshold: float | None) -> Row:
    """Return the detected shares of near and foreign questions at several losses, and at one threshold."""
    near = ~truth & ~foreign
    row: dict[str, object] = {"weights": name, "answerable": int(truth.sum()), "near": int(near.sum())}
    row |= {"foreign": int(foreign.sum()), "area": f"{area(values, truth):.3f}"}
    limits = {f"{100 * lost:.0f} % lost": float(np.quantile(values[truth], lost)) for lost in LOST_SHOWN}
    limits["below"] = threshold if threshold is not None else limits[f"{100 * LOST:.0f} % lost"]
    for title, limit in limits.items():
        told = [100 * float(np.mean(values[group] < limit)) if group.any() else 0.0 for group in (near, foreign)]
        row[f"near, foreign told % at {title}"] = f"{told[0]:.0f}, {told[1]:.0f}"
    return row | {
        "limit": f"{limits['below']:.2f}",
        "lost %": 100 * float(np.mean(values[truth] < limits["below"])),
    }


# Confidence of a single passage


def confidence_rows(records: Sequence[Record]) -> tuple[list[Row], list[Row]]:
    """Return the constants of `confidence` and its accuracy."""
    signals, truth, sites = [], [], []
    is_best, answerable = [], []
    for each in records:
        if each.evidence.is_none or each.result.mode != "chunk":
            continue
        for place, item in enumerate(_by_relevance(passages(each, assembly.EVIDENCE_TOKENS)), start=1):
            signals.append((item.reranked_score, math.log(place)))
            truth.append(holds_any(item.chunk.text, each.question.gold))
            sites.append(each.question.site)
            is_best.append(place == 1)
            answerable.append(bool(each.question.gold))
    table, right = np.array(signals), np.array(truth)
    if not len(right) or right.all() or not right.any():
        return [], []
    weights = logistic(table, right)
    names = ("CONFIDENCE_INTERCEPT", "CONFIDENCE_RELEVANCE", "CONFIDENCE_PLACE")
    rows = [_constant("evidence", n, getattr(evidence, n), w) for n, w in zip(names, weights, strict=True)]
    now = likely(np.array([getattr(evidence, name) for name in names]), table)
    held_out = on_other_sites(table, right, sites) if len(set(sites)) >= MIN_SITES else likely(weights, table)
    best = np.array(is_best)
    groups = best & np.array(answerable), best & ~np.array(answerable)
    return rows, [
        _calibrated("as it is", now, right, *groups),
        _calibrated("fitted, other sites", held_out, right, *groups),
    ]


def _calibrated(name: str, said: NDArray[np.float64], right: Truth, best: Truth, best_in_vain: Truth) -> Row:
    """Compare the mean confidence with the share of correct passages, in four groups by confidence.

    Also counts the best passages with a confidence of at least LIKELY, for questions with and without an answer.
    """
    row: dict[str, object] = {"weights": name, "passages": len(right), "area": f"{area(said, right):.3f}"}
    for low, high in ((0.0, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 1.01)):
        among = (said >= low) & (said < high)
        shown = (
            f"{100 * said[among].mean():.0f} / {100 * right[among].mean():.0f} of {among.sum()}" if among.any() else ""
        )
        row[f"said / right %, {low:.2f} to {min(high, 1):.2f}"] = shown
    for title, group in (("answerable", best), ("without an answer", best_in_vain)):
        row[f"best likely %, {title}"] = (
            f"{100 * np.mean(said[group] >= LIKELY):.0f} of {group.sum()}" if group.any() else ""
        )
    return row


def passages(each: Record, tokens: int) -> list[RetrievedChunk]:
    """Return the shown evidence within this number of tokens."""
    names = specifics(each.result.analysis)
    return build_passages(each.evidence.ranked, each.pages.get, token_budget=tokens, names=names)


def _by_relevance(items: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
    return sorted(items, key=lambda item: (-item.reranked_score, item.chunk.id))


# Amount of evidence


def spend_rows(records: Sequence[Record], budget: Budget, count: CountTokens) -> tuple[list[Row], list[Row]]:
    """Return hits and tokens of fixed budgets and of the rule at several leads, and the rule against the usual budget in pairs."""
    asked: dict[tuple[str, int], Outcome] = {}

    def at(each: Record, tokens: int) -> Outcome:
        if each.evidence.is_none or each.result.mode != "chunk":
            tokens = 0
        key = each.question.id, tokens
        if key not in asked:
            asked[key] = rendered(each, passages(each, tokens), budget, count) if tokens else each.outcome
        return asked[key]

    rows = [_spent(f"{tokens} for each", [at(each, tokens) for each in records]) for tokens in BUDGETS]
    fitting = 0.0
    for lead in LEADS:
        row = _spent(f"lead {lead}", [at(each, _by_lead(each, lead)) for each in records])
        fitting = lead if float(str(row["tokens"])) <= MOST_MEAN_TOKENS else fitting
        rows.append(row)
    rule = [at(each, _by_lead(each, assembly.LEAD)) for each in records]
    rows += [_spent("as it is", rule), _constant("assembly", "LEAD", assembly.LEAD, fitting)]
    fixed = [at(each, assembly.EVIDENCE_TOKENS) for each in records]
    return rows, compared(f"{assembly.EVIDENCE_TOKENS} for each", marks_of(rule), marks_of(fixed))


def _by_lead(each: Record, lead: float) -> int:
    with patch.object(assembly, "LEAD", lead):
        return assembly.evidence_tokens(each.evidence.ranked)


def _spent(name: str, outcomes: Sequence[Outcome]) -> Row:
    answerable = [o for o in outcomes if o.question.gold]
    return {
        "evidence tokens": name,
        "hit %": share(answerable, lambda o: o.hit),
        "on the page %": share([o for o in answerable if o.question.hops == 0], lambda o: o.hit),
        "1 link away %": share([o for o in answerable if o.question.hops == 1], lambda o: o.hit),
        "top 5 %": share(answerable, lambda o: 0 < o.place <= 5),
        "tokens": round(sum(o.tokens for o in outcomes) / max(1, len(outcomes))),
        "most tokens": max((o.tokens for o in outcomes), default=0),
    }


def _constant(module: str, name: str, now: float, fitted: float) -> Row:
    return {"module": module, "constant": name, "now": f"{now:.4g}", "fitted": f"{fitted:.4g}"}


# Command


def reports(records: Sequence[Record], budget: Budget, count: CountTokens) -> Iterator[tuple[str, list[Row]]]:
    """Yield titles and rows in the order of their dependencies."""
    own = [each for each in records if each.question.form != FOREIGN]
    floor, ceiling = fitted_scale(own)
    constants = scale_rows(floor, ceiling)
    with scale(floor, ceiling):
        found, quality = none_rows([rescaled(each) for each in records])
        constants += found
        yield "Whether there is an answer", quality
        own = [rescaled(each) for each in own]
        found, quality = confidence_rows(own)
        constants += found
        yield "How likely a passage answers", quality
        rows, pairs = spend_rows(own, budget, count)
        constants += [row for row in rows if "constant" in row]
        yield "How much evidence is shown", [row for row in rows if "constant" not in row]
        yield "The rule (this) against the same for each (that)", pairs
    yield "Constants", constants


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument(
        "--model", type=Path, default=model_dir(), metavar="FOLDER", help="prepared folder of another model"
    )
    parser.add_argument("--embeddings", type=Path, metavar="FILE", help="cache of vectors")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="folder of the recorded rankings")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def questions_of(options: argparse.Namespace) -> list[Question]:
    """Return the questions of the given files, one part of the public set, or both training parts. Empty if data are missing."""
    files: list[Path] = list(options.questions)
    parts = [options.docqa] if options.docqa else [] if files else list(LEARNED_FROM)
    for part in parts or [None]:
        options.docqa = part
        if data_is_missing(options):
            return []
        files += options.questions if part else []
    return read_questions(files, sites=options.only_site, limit=options.limit)


def main() -> int:
    options = arguments()
    if options.docqa == "test":
        print("The part test cannot be used for fitting.", file=sys.stderr)
        return 2
    questions = questions_of(options)
    if not questions:
        return 2
    embedder = OnnxEmbedder(options.model)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        vectors = options.embeddings or Path(folder) / "vectors.db"
        records = record(questions, options.sites, vectors, options.records or Path(folder) / "records", options.model)
    budget = effective_budget(load_settings(), "")
    for title, rows in reports(records, budget, lambda text: embedder.count_tokens_batch([text])[0]):
        if rows:
            print_report(rows, as_json=options.json, title=f"{title}: {len(records)} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
