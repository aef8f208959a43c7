"""Share of harmless text that the shield flags, with a keyword list in the same run.

    python bench/shield.py --sites FOLDER [--passages FILE.jsonl.xz] [--pages N] [--json] [--show]

FOLDER contains one folder per site with HTML pages in it. The bench checks their chunks, as stored in the corpus, and the addresses of
their links. FILE contains a JSON object with the field `text` on each line. `--show` prints every flagged passage. The tests check that
injected passages are found.
"""

from __future__ import annotations

import argparse
import json
import logging
import lzma
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from app.errors import WebRAGError
from app.extract import extract
from app.ingest.chunking import chunk_page
from app.orchestration.assembly import CHUNK_TOKENS
from app.text.shield import address_flags, instruction_flags
from app.text.terms import estimate_tokens
from support.report import Row, print_report

MAX_PAGE_BYTES = 1_000_000
HOST = "https://site.invalid/"

Flagger = Callable[[str], tuple[str, ...]]

KEYWORDS = re.compile(
    r"ignore|disregard|instructions?|system prompt|system:|assistant|you are now|do not tell|tool|[A-Za-z0-9+/=]{60,}",
    re.IGNORECASE,
)


def keyword_flags(text: str) -> tuple[str, ...]:
    """Keyword baseline: any of the words that are common in injected passages."""
    return ("keyword",) if KEYWORDS.search(text) else ()


def long_address(url: str) -> tuple[str, ...]:
    """Address baseline: any escape or a query of a hundred characters."""
    query = url.partition("?")[2]
    return ("keyword",) if "%" in query or len(query) > 100 else ()


def pages_of(site: Path, limit: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield address, chunk texts and link addresses of the pages of a site."""
    for file in sorted(site.rglob("*.htm*"))[: limit or None]:
        url = HOST + file.relative_to(site).as_posix()
        body = file.read_bytes()
        if len(body) > MAX_PAGE_BYTES:
            continue
        try:
            page = extract(body, url=url, content_type="text/html", charset=None)
        except WebRAGError:
            continue
        chunks = chunk_page(
            page, url=url, count_tokens=lambda texts: [*map(estimate_tokens, texts)], max_tokens=CHUNK_TOKENS
        )
        yield url, [chunk.text for chunk in chunks], [link.url for link in page.links]


def passages_in(file: Path) -> Iterator[str]:
    """Yield the texts of a compressed JSON lines file."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def counted(what: str, flagger: str, flags: Flagger, texts: Iterable[str], show: bool = False) -> Row:
    """Count the flagged texts and measure the time for each."""
    total = flagged = 0
    started = time.process_time()
    for text in texts:
        total += 1
        found = flags(text)
        flagged += bool(found)
        if show and found:
            print(f"--- {what}: {', '.join(found)}\n{text}")
    seconds = time.process_time() - started
    share, cost = 100 * flagged / max(total, 1), 1e6 * seconds / max(total, 1)
    return {
        "what": what,
        "flagger": flagger,
        "texts": total,
        "flagged": flagged,
        "%": f"{share:.3f}",
        "µs/text": round(cost, 1),
    }


def main() -> None:
    """Count and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=Path, required=True)
    parser.add_argument("--passages", type=Path)
    parser.add_argument("--pages", type=int, default=0, help="pages per site, 0 for all")
    parser.add_argument("--show", action="store_true", help="print flagged passages")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    rows: list[Row] = []

    def add(what: str, texts: list[str], ours: Flagger = instruction_flags, theirs: Flagger = keyword_flags) -> None:
        rows.append(counted(what, "shield", ours, texts, options.show))
        rows.append(counted(what, "keywords", theirs, texts))

    everything: list[str] = []
    links: dict[str, None] = {}
    for site in sorted(folder for folder in options.sites.iterdir() if folder.is_dir()):
        pages = list(pages_of(site, options.pages))
        chunks = [text for _, texts, _ in pages for text in texts]
        links |= dict.fromkeys(url for _, _, urls in pages for url in urls)
        add(f"chunks of {site.name}", chunks)
        everything += ["\n".join(texts) for _, texts, _ in pages]
    add("whole pages", everything)
    add("links", list(links), address_flags, long_address)
    if options.passages:
        add(options.passages.name, list(passages_in(options.passages)))
    print_report(rows, as_json=options.json, title="Harmless text that is flagged")


if __name__ == "__main__":
    main()
