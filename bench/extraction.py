"""Main-content extraction on a pack of pages with their true text, with trafilatura in the same run.

    python bench/extraction.py --pack FILE [--json] [--intervals] [--folds N]

The pack is a tar archive with `truth.json` ({id: {set, type, url, truth}}) and `pages/<id with __ for />.html`. Each set has its own
metrics: `aeb` F1 of word quadruples, macro precision and recall; `wcxb-*` and `moz` multiset F1 of words, mean per page. For wcxb, also the
share of required and forbidden snippets in the text.

Each row is a set and a kind of page, with both extractors on all of its pages and, in brackets, on each fold. Folds divide the pages by
site, so that rules chosen on one fold are judged on other sites. `--intervals` adds the significance of the difference to trafilatura for
each kind of page: its mean, the 5th to 95th percentile over resampled pages, and the worst of random halves of the pages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import random
import re
import statistics
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from app.errors import WebRAGError
from app.extract import Page, extract

WORD = re.compile(r"\w+")
FENCE_LINE = re.compile(r"^[ \t>]*(?:[-*+] |\d+\. )*(?:`{3,}|~{3,})[^`\n]*$", re.MULTILINE)
TABLE_RULE = re.compile(r"^[ \t>]*\|(?:-+\|)+$", re.MULTILINE)
LINE_MARK = re.compile(r"^(?:[ \t]*(?:>|[-*+](?= )|\d+\.(?= )))*(?:[ \t]*#{1,6}(?= ))?[ \t]*", re.MULTILINE)
NO_SITE = "fakehost"
"""Host of pages whose address was removed. Each of them is its own site."""
DRAWS = 1000
DRAW_SEED = 7
INLINE_MARK = re.compile(r"\*\*|~~|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|`+|\$\$|(?<!\\)\|")


@dataclass(slots=True)
class Truth:
    """A page of the pack: its set, its type and its reference texts."""

    set: str
    kind: str
    url: str
    text: str
    wanted: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Run:
    """Texts of an extractor, and its CPU seconds."""

    texts: dict[str, str]
    seconds: float


def reader_text(page: Page) -> str:
    """Return the text of a page as a reader sees it, without Markdown marks and escapes."""
    text = TABLE_RULE.sub("", FENCE_LINE.sub("", page.text))
    text = INLINE_MARK.sub(" ", LINE_MARK.sub("", text))
    return text.replace("\\|", "|")


def quadruple_counts(truth: str, found: str) -> tuple[float, float, float]:
    """Return the shares of hits, surplus and misses among the word quadruples of both texts."""
    want, got = quadruples(truth), quadruples(found)
    hits = sum((want & got).values())
    surplus, missed = sum((got - want).values()), sum((want - got).values())
    total = hits + surplus + missed
    return (hits / total, surplus / total, missed / total) if total else (0.0, 0.0, 0.0)


def quadruples(text: str) -> Counter[tuple[str, ...]]:
    """Return the multiset of all runs of four words, or one shorter run if there are fewer words."""
    words = WORD.findall(text)
    return Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3))) if words else Counter()


def word_f1(truth: str, found: str) -> float:
    """Return the F1 of the word multisets."""
    want, got = WORD.findall(truth.lower()), WORD.findall(found.lower())
    if not want or not got:
        return float(not want and not got)
    overlap = sum((Counter(want) & Counter(got)).values())
    if not overlap:
        return 0.0
    precision, recall = overlap / len(got), overlap / len(want)
    return 2 * precision * recall / (precision + recall)


def snippet_share(text: str, snippets: list[str]) -> float | None:
    """Return the share of the snippets in the text, or None without snippets."""
    lowered = text.lower()
    return sum(snippet.lower() in lowered for snippet in snippets) / len(snippets) if snippets else None


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the existing values, with four decimals."""
    known = [value for value in values if value is not None]
    return round(statistics.mean(known), 4) if known else None


def score(truth: dict[str, Truth], texts: dict[str, str]) -> dict[str, dict[str, object]]:
    """Return the report with one row per set."""
    report: dict[str, dict[str, object]] = {}
    for name in sorted({page.set for page in truth.values()}):
        pages = {key: page for key, page in truth.items() if page.set == name}
        if name == "aeb":
            report[name] = {"pages": len(pages), "f1": macro_f1(pages, texts)}
            continue
        f1 = {key: word_f1(page.text, texts.get(key, "")) for key, page in pages.items()}
        report[name] = {"pages": len(pages), "f1": mean(f1.values())}
        if name.startswith("wcxb"):
            kinds = sorted({page.kind for page in pages.values()})
            report[name] |= {
                "with": mean(snippet_share(texts.get(key, ""), page.wanted) for key, page in pages.items()),
                "without": mean(snippet_share(texts.get(key, ""), page.unwanted) for key, page in pages.items()),
                "types": {kind: mean(f1[key] for key, page in pages.items() if page.kind == kind) for kind in kinds},
            }
    return report


def intervals(truth: dict[str, Truth], ours: dict[str, str], theirs: dict[str, str]) -> dict[str, list[float]]:
    """For each kind of page, return the mean difference of the word F1, its 5th and 95th percentile, and the worst half."""
    gains: dict[str, list[float]] = {}
    for key, page in truth.items():
        kind = page.kind if page.set.startswith("wcxb") else page.set
        gain = word_f1(page.text, ours.get(key, "")) - word_f1(page.text, theirs.get(key, ""))
        gains.setdefault(kind, []).append(gain)
    return {kind: _spread(values) for kind, values in sorted(gains.items())}


def _spread(gains: list[float]) -> list[float]:
    draw = random.Random(DRAW_SEED)
    resampled = sorted(statistics.mean(draw.choices(gains, k=len(gains))) for _ in range(DRAWS))
    halves = [statistics.mean(draw.sample(gains, max(1, len(gains) // 2))) for _ in range(DRAWS)]
    figures = (statistics.mean(gains), resampled[DRAWS // 20], resampled[-DRAWS // 20], min(halves))
    return [round(figure, 4) for figure in figures]


def fold_of(key: str, page: Truth, folds: int) -> int:
    """Return the fold of a page. All pages of a site have the same fold."""
    site = urlsplit(page.url).hostname or NO_SITE
    return int.from_bytes(hashlib.sha256((key if site == NO_SITE else site).encode()).digest()[:4], "big") % folds


def set_f1(pages: dict[str, Truth], texts: dict[str, str]) -> float | None:
    """Return the F1 of the pages of one set by its own metric, or None without pages."""
    if not pages:
        return None
    if next(iter(pages.values())).set == "aeb":
        return macro_f1(pages, texts)
    return mean(word_f1(page.text, texts.get(key, "")) for key, page in pages.items())


def comparison(truth: dict[str, Truth], runs: dict[str, Run], folds: int) -> Iterator[dict[str, object]]:
    """Yield a row per set and kind: its pages and, for each extractor, the F1 of all of them and of each fold."""
    for set_name, kind in sorted({(page.set, page.kind) for page in truth.values()}):
        pages = {key: page for key, page in truth.items() if (page.set, page.kind) == (set_name, kind)}
        parts = [{key: page for key, page in pages.items() if fold_of(key, page, folds) == n} for n in range(folds)]
        row: dict[str, object] = {"set": set_name, "kind": kind, "pages": len(pages)}
        for name, run in runs.items():
            row[name] = set_f1(pages, run.texts)
            row[f"{name} by fold"] = [set_f1(part, run.texts) for part in parts]
        yield row


def macro_f1(pages: dict[str, Truth], texts: dict[str, str]) -> float:
    """Return the F1 of mean precision and mean recall over quadruples."""
    counts = [quadruple_counts(page.text, texts.get(key, "")) for key, page in pages.items()]
    precision = statistics.mean(
        [hits / (hits + surplus) if hits else 0.0 for hits, surplus, _ in counts if hits + surplus] or [0.0]
    )
    recall = statistics.mean(
        [hits / (hits + missed) if hits else 0.0 for hits, _, missed in counts if hits + missed] or [0.0]
    )
    return round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0


def read_pack(path: Path) -> tuple[dict[str, Truth], dict[str, bytes]]:
    """Return truth and page bytes by ID."""
    with tarfile.open(path) as pack:
        raw = json.loads(_member(pack, "truth.json"))
        truth = {key: _truth(value) for key, value in raw.items()}
        pages = {key: _member(pack, f"pages/{key.replace('/', '__')}.html") for key in truth}
    return truth, pages


def _member(pack: tarfile.TarFile, name: str) -> bytes:
    for candidate in (name, f"./{name}"):
        try:
            file = pack.extractfile(candidate)
        except KeyError:
            continue
        if file is not None:
            return file.read()
    raise SystemExit(f"The pack does not contain {name}.")


def _truth(value: dict[str, object]) -> Truth:
    truth = value["truth"]
    text, wanted, unwanted = truth if isinstance(truth, list) else (truth, [], [])
    return Truth(
        str(value["set"]),
        str(value["type"]),
        str(value["url"]),
        str(text or ""),
        list(wanted),
        list(unwanted),
    )


def ours(body: bytes, url: str) -> str:
    """Return the reader's text from WebRAG, or an empty string."""
    try:
        return reader_text(extract(body, url=url, content_type="text/html", charset=None))
    except WebRAGError:
        return ""


def baseline(body: bytes, url: str) -> str:
    """Return the text from trafilatura with default settings."""
    import trafilatura

    return trafilatura.extract(body) or ""


def timed(extractor: Callable[[bytes, str], str], pages: dict[str, bytes], truth: dict[str, Truth]) -> Run:
    """Run an extractor over all pages, after one warm-up page."""
    first = next(iter(pages))
    extractor(pages[first], _url(truth[first]))
    started = time.process_time()
    texts = {key: extractor(body, _url(truth[key])) for key, body in pages.items()}
    return Run(texts, time.process_time() - started)


def _url(page: Truth) -> str:
    return page.url if page.url.startswith("http") else "https://example.invalid/page"


def main() -> None:
    """Print the report of both extractors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pack", type=Path, required=True, help="tar archive with pages and their true text")
    parser.add_argument("--json", action="store_true", help="print one JSON object; our report is at its top level")
    parser.add_argument(
        "--intervals", action="store_true", help="show the significance of the difference to trafilatura"
    )
    parser.add_argument(
        "--folds", type=int, default=2, choices=range(1, 11), metavar="N", help="folds by site (default 2)"
    )
    options = parser.parse_args()
    if not options.pack.is_file():
        raise SystemExit(f"No pack at {options.pack}. Evaluation pages are not part of the project; pass their path.")
    logging.disable(logging.ERROR)
    truth, pages = read_pack(options.pack)
    runs = {"webrag": timed(ours, pages, truth), "trafilatura": timed(baseline, pages, truth)}
    reports = {name: score(truth, run.texts) for name, run in runs.items()}
    speeds = {name: round(len(pages) / run.seconds, 1) for name, run in runs.items()}
    if options.json:
        print(
            json.dumps(
                {
                    **reports["webrag"],
                    "baseline": {"trafilatura": reports["trafilatura"]},
                    "pages_per_second": speeds,
                    "comparison": list(comparison(truth, runs, options.folds)),
                }
            )
        )
        return
    if options.intervals:
        for kind, gain in intervals(truth, runs["webrag"].texts, runs["trafilatura"].texts).items():
            print(f"{kind:14} {gain[0]:+.3f}  [{gain[1]:+.3f}, {gain[2]:+.3f}]  worst half {gain[3]:+.3f}")
    for row in comparison(truth, runs, options.folds):
        print(f"{row['set']:9} {row['kind']:14} {row['pages']:4} pages", *(_figures(row, name) for name in runs))
    for name, report in reports.items():
        print(f"{name}: {speeds[name]} pages/s of one core")
        for set_name, figures in report.items():
            print(f"  {set_name:12}", "  ".join(f"{key} {value}" for key, value in figures.items() if key != "types"))


def _figures(row: dict[str, object], name: str) -> str:
    folds = row[f"{name} by fold"]
    assert isinstance(folds, list)
    shown = " ".join("   –  " if value is None else f"{value:.4f}" for value in folds)
    return f"  {name} {row[name]:.4f} ({shown})"


if __name__ == "__main__":
    main()
