"""Small documents with headings, code and links, as on a manual site."""

from __future__ import annotations

import re
from collections.abc import Mapping

from app.library.protocol import LibraryWriter
from app.library.records import ChunkIn, DocumentIn, LinkRecord, SectionRecord

SITE = "https://docs.example.org/3/"

_HEADING = re.compile(r"^(#+) ([^\n{]+?)(?: \{#([^}]+)\})?$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")

PAGES: Mapping[str, str] = {
    "hives.html": """# Choosing a hive {#choosing}

A `Hive` holds frames. See [varroa mites](mites.html#varroa) and [`Frame`](frames.html#bees.Frame).

## class bees.Hive {#bees.Hive}

Takes `bees.Frame` objects; `winter_weight` says how heavy it is.

### bees.Hive.open() {#bees.Hive.open}

Opens the hive.

## Smoker {#smoker}

Calms `bees.Hive` before it is opened.
""",
    "frames.html": """# Frames {#frames-of-a-hive}

Frames hang in a hive; [choosing a hive](hives.html) comes first.

## class bees.Frame {#bees.Frame}

Fits `bees.Hive`. The `winter_weight` of a frame is small.

## Varroa mite {#mite-on-frames}

Look for `drone_comb`.
""",
    "mites.html": """# Mites {#mites}

## Varroa mites {#varroa}

They live in `drone_comb`; `Bees.hive` is another spelling. Go [back](hives.html#smoker) or to [another site](https://other.example/x).
""",
}


def manual(url: str, markdown: str) -> DocumentIn:
    """Return a document from Markdown with a chunk for each section. Headings can have an anchor `{#like-this}`."""
    sections: list[tuple[int, str, str | None, int]] = []
    links: list[LinkRecord] = []
    text = ""
    for line in markdown.splitlines(keepends=True):
        heading = _HEADING.match(line.rstrip("\n"))
        if heading is not None:
            sections.append((len(heading[1]), heading[2], heading[3], len(text)))
            text += f"{heading[1]} {heading[2]}\n"
            continue
        position = 0
        for link in _LINK.finditer(line):
            text += line[position : link.start()]
            target = link[2] if "://" in link[2] else url.rpartition("/")[0] + "/" + link[2]
            links.append(LinkRecord(target, link[1], len(text), len(text) + len(link[1])))
            text += link[1]
            position = link.end()
        text += line[position:]
    ends = [start for *_, start in sections[1:]] + [len(text)]
    records = tuple(SectionRecord(*section, end) for section, end in zip(sections, ends, strict=True))
    pieces: list[tuple[int, int, tuple[str, ...], str | None]] = [(0, len(text), (), None)]
    if records:
        pieces = [(record.start, record.end, (record.heading,), record.anchor) for record in records]
    chunks = tuple(
        ChunkIn(f"{url}#{start}", path, anchor, text[start:end], start, end, 0, 0, (end - start) // 4 + 1)
        for start, end, path, anchor in pieces
    )
    title = records[0].heading if records else url
    return DocumentIn(url, title, text, str(hash(text)), "web", chunks, records, tuple(links), last_crawled=1.0)


def store_manuals(corpus: LibraryWriter, pages: Mapping[str, str] = PAGES, site: str = SITE) -> dict[str, int]:
    """Store the pages and their mentions. Returns the IDs by name."""
    ids = {name: corpus.documents.store(manual(site + name, text)).document_id for name, text in pages.items()}
    while corpus.upkeep.fill(8):
        pass
    return ids
