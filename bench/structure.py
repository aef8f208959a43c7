"""Structure of documentation pages after extraction, with trafilatura's Markdown in the same run.

    python bench/structure.py --sites FOLDER [--pages N] [--json] [--misses KIND] [--no-baseline]

FOLDER contains one folder per site with HTML pages in it. The bench uses the same N pages of each site in every run. It counts the
structure in the markup by rules for each generator, and the result in the Markdown with a CommonMark parser and in the links, images and
section anchors of the Page. Figures are percentages. `surplus` is the share of words outside the content.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.errors import WebRAGError
from app.extract import extract
from support.kept import Kept, losses, read_markdown, read_page
from support.markup import Held, held_by
from support.report import Row, print_report

MAX_PAGE_BYTES = 1_000_000
MIN_WORDS = 20
HOST = "https://site.invalid/"

Reader = Callable[[bytes, str], Kept]


@dataclass(slots=True)
class Tally:
    """Losses of one extractor by kind, the totals, and its CPU seconds."""

    lost: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    seconds: float = 0.0
    misses: list[str] = field(default_factory=list)

    def add(self, page: str, held: Held, kept: Kept) -> None:
        """Count one page."""
        self.pages += 1
        for kind, (missing, total) in losses(held, kept).items():
            self.lost[kind] += len(missing)
            self.total[kind] += total
            self.misses += [f"{kind}\t{page}\t{item!r}" for item in missing]

    def row(self, site: str, extractor: str) -> Row:
        """Return a row of the report."""
        shares: dict[str, object] = {"site": site, "extractor": extractor, "pages": self.pages}
        for kind, total in self.total.items():
            lost = self.lost[kind]
            share = 100 * lost / max(total, 1) if kind == "surplus" else 100 * (1 - lost / max(total, 1))
            shares[kind] = round(share, 1) if total else ""
        return shares | {"pages/s": round(self.pages / max(self.seconds, 1e-9), 1)}


def ours(body: bytes, url: str) -> Kept:
    """Return the page from WebRAG, or an empty one."""
    try:
        return read_page(extract(body, url=url, content_type="text/html", charset=None))
    except WebRAGError:
        return Kept()


def baseline(body: bytes, url: str) -> Kept:
    """Return trafilatura's Markdown with all its options. Relative links are resolved with the page's address."""
    import trafilatura

    text = trafilatura.extract(
        body,
        output_format="markdown",
        include_links=True,
        include_images=True,
        include_formatting=True,
        include_tables=True,
    )
    return read_markdown(text or "", url)


EXTRACTORS: dict[str, Reader] = {"webrag": ours, "trafilatura": baseline}


def sample(site: Path, count: int) -> list[Path]:
    """Return the pages of a site with the lowest path hashes: the same in every run, from all folders."""
    pages = [page for page in site.rglob("*.htm*") if page.suffix in (".html", ".htm") and page.is_file()]
    pages = [page for page in pages if 0 < page.stat().st_size <= MAX_PAGE_BYTES and not page.is_symlink()]
    pages.sort(key=lambda page: hashlib.sha256(page.relative_to(site).as_posix().encode()).digest())
    return pages[:count]


def measure(site: Path, count: int, names: list[str]) -> dict[str, Tally]:
    """Run all extractors over one site."""
    tallies = {name: Tally() for name in names}
    for page in sample(site, count):
        path = page.relative_to(site).as_posix()
        body, url = page.read_bytes(), HOST + path
        try:
            held = held_by(body, url)
        except ValueError:
            continue
        if len(held.words) < MIN_WORDS:
            continue
        for name in names:
            started = time.process_time()
            kept = EXTRACTORS[name](body, url)
            tallies[name].seconds += time.process_time() - started
            tallies[name].add(f"{site.name}/{path}", held, kept)
    return tallies


def together(tallies: Iterator[Tally]) -> Tally:
    """Return the sum over all sites."""
    whole = Tally()
    for tally in tallies:
        whole.lost.update(tally.lost)
        whole.total.update(tally.total)
        whole.pages += tally.pages
        whole.seconds += tally.seconds
    return whole


def main() -> None:
    """Print one row for each site and extractor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sites", type=Path, required=True, help="folder with one folder of HTML pages for each site")
    parser.add_argument("--only", action="append", help="names of the sites (default: all)")
    parser.add_argument("--pages", type=int, default=60, help="maximum pages per site (default 60)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--misses", metavar="KIND", help="list the losses of one kind ('all': of every kind)")
    parser.add_argument("--no-baseline", action="store_true", help="skip trafilatura")
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    names = ["webrag"] if options.no_baseline else list(EXTRACTORS)
    sites = [
        site for site in sorted(options.sites.iterdir()) if site.is_dir() and site.name in (options.only or site.name)
    ]
    measured = {site.name: measure(site, options.pages, names) for site in sites}
    measured = {site: tallies for site, tallies in measured.items() if tallies["webrag"].pages}
    if not measured:
        raise SystemExit(f"No HTML pages in {options.sites}. Use a folder with one folder per site.")
    if options.misses:
        for tallies in measured.values():
            for miss in tallies["webrag"].misses:
                if options.misses in ("all", miss.partition("\t")[0]):
                    print(miss)
        return
    rows = [tally.row(site, name) for site, tallies in measured.items() for name, tally in tallies.items()]
    rows += [together(tallies[name] for tallies in measured.values()).row("all", name) for name in names]
    print_report(rows, as_json=options.json, title="Structure kept (%)")


if __name__ == "__main__":
    main()
