"""Effect of each stage of an answer: the same questions with all stages, and with one left out at a time.

    python bench/ablation.py --sites FOLDER --questions FILE... [--embeddings FILE] [--jobs N] [--variants full,no-rerank] [--json]
                             [--write docs/internals/results/answers.md]
    python bench/ablation.py --docqa development [--cache FOLDER] ...

Questions and sites are the same as in bench/answers.py. Everything runs in this process or in N child processes, with a corpus for each
site and variant. FILE caches vectors, so that only the first run over a site computes them; times do not include that. Two variants omit a
retriever (keyword-only, meaning-only), another one the linked pages (no-expansion).
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES, Stages
from support.in_process import ask_engine, engine_with
from support.judging import Outcome, share
from support.questions import Question, add_arguments, by_site, data_is_missing, read_questions
from support.remembering import CachingEmbedder
from support.report import Row, percentile, print_report, write_table
from support.sites import serve_folder

TABLE: Final = "ablation"
NEW_SHARE: Final = 0.05
"""Repeat a run if more than this share of the passages had to be embedded, so that times are comparable."""
ONE_RETRIEVER: Final = {"meaning": "keyword-only", "keyword": "meaning-only"}


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant. With an `expansion_budget` of None, the engine chooses it."""

    name: str
    stages: Stages = ALL_STAGES
    expansion_budget: int | None = None


def variants() -> list[Variant]:
    """Return all stages, then each variant without one stage (or with one that is off), then no expansion."""
    found = [Variant("full")]
    for stage in fields(Stages):
        is_on = bool(stage.default)
        name = f"{'no' if is_on else 'with'}-{stage.name.replace('_', '-')}"
        found.append(Variant(ONE_RETRIEVER.get(stage.name, name), Stages(**{stage.name: not is_on})))
    return [*found, Variant("no-expansion", expansion_budget=0)]


def run_site(
    questions: Sequence[Question], chosen: Sequence[Variant], base: str, cache: Path
) -> list[tuple[str, list[Outcome]]]:
    """Ask the questions of one site in every variant in turn. The first variant computes the vectors for the others."""
    return asyncio.run(_run_site(questions, chosen, base, cache))


async def _run_site(
    questions: Sequence[Question], chosen: Sequence[Variant], base: str, cache: Path
) -> list[tuple[str, list[Outcome]]]:
    found = []
    for variant in chosen:
        outcomes, embedder = await _run_variant(questions, variant, base, cache)
        if embedder.made > NEW_SHARE * embedder.remembered:
            outcomes, embedder = await _run_variant(questions, variant, base, cache)
        found.append((variant.name, outcomes))
        print(f"{questions[0].site}: {variant.name} ({embedder.made} passages embedded)", file=sys.stderr)
    return found


async def _run_variant(
    questions: Sequence[Question], variant: Variant, base: str, cache: Path
) -> tuple[list[Outcome], CachingEmbedder]:
    embedder = CachingEmbedder(OnnxEmbedder(assets_dir() / "model"), cache)
    async with engine_with(embedder, variant.stages) as engine:
        return await ask_engine(engine, questions, base, expansion_budget=variant.expansion_budget), embedder


def run_all(
    questions: Sequence[Question], chosen: Sequence[Variant], sites: Path, cache: Path, jobs: int
) -> dict[str, list[Outcome]]:
    """Return the outcomes of every variant over all sites."""
    found: dict[str, list[Outcome]] = {variant.name: [] for variant in chosen}
    context = multiprocessing.get_context("spawn")
    with serve_folder(sites) as served, ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting = [pool.submit(run_site, each, chosen, served.base, cache) for each in by_site(questions).values()]
        for future in waiting:
            for name, outcomes in future.result():
                found[name] += outcomes
    return found


def row_of(name: str, outcomes: Sequence[Outcome]) -> Row:
    """Return one row, with shares in percent of the questions that they apply to."""
    answerable = [o for o in outcomes if o.question.gold]
    linked = [o for o in answerable if o.question.hops > 0]
    unanswerable = [o for o in outcomes if not o.question.gold]
    return {
        "variant": name,
        "n": len(outcomes),
        "hit %": share(answerable, lambda o: o.hit),
        "top 1 %": share(answerable, lambda o: o.place == 1),
        "top 5 %": share(answerable, lambda o: 0 < o.place <= 5),
        "hit on the page %": share([o for o in answerable if o.question.hops == 0], lambda o: o.hit),
        "hit one link away %": share(linked, lambda o: o.hit),
        "said none %": share(unanswerable, lambda o: o.said_none),
        "false none %": share(answerable, lambda o: o.said_none),
        "errors": sum(o.error for o in outcomes),
        "tokens": round(sum(o.tokens for o in outcomes) / len(outcomes)),
        "p50 ms": percentile([o.ms for o in outcomes], 0.5),
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--variants", default="", help="names separated by commas; default: all")
    parser.add_argument("--embeddings", type=Path, metavar="FILE", help="cache of vectors; default: a temporary file")
    parser.add_argument("--jobs", type=int, default=1, help="processes, each with its own sites")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE", help="insert the table into this Markdown file")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if data_is_missing(options):
        return 2
    wanted = [name for name in options.variants.split(",") if name]
    unknown = set(wanted) - {variant.name for variant in variants()}
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    if unknown or not questions:
        names = ", ".join(variant.name for variant in variants())
        print(
            f"Unknown variant: {', '.join(sorted(unknown))}. Variants: {names}."
            if unknown
            else "No questions are left."
        )
        return 2
    chosen = [variant for variant in variants() if not wanted or variant.name in wanted]
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        cache = options.embeddings or Path(folder) / "vectors.db"
        outcomes = run_all(questions, chosen, options.sites, cache, options.jobs)
    rows = [row_of(name, found) for name, found in outcomes.items()]
    title = f"{len(questions)} questions on {len({q.site for q in questions})} sites, one stage left out at a time"
    print_report(rows, as_json=options.json, title=title)
    if options.write:
        write_table(options.write, TABLE, rows, title=title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
