"""One small site per client. Every paragraph contains the client's own place, every page a unique code."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support.made_sites import MACHINES

PLACES: Final = (
    *(
        "Aldervale",
        "Birchholm",
        "Cedarwick",
        "Dunmoor",
        "Elmscar",
        "Fennwater",
        "Gorsedale",
        "Hazelby",
        "Ivyhurst",
        "Juniperford",
    ),
    *(
        "Kestrelbank",
        "Larchfield",
        "Mapleton",
        "Nettlecombe",
        "Oakmere",
        "Pinecroft",
        "Quillbrook",
        "Rowanstead",
        "Sallowby",
        "Thornwick",
    ),
    *("Umberleigh", "Vinegarth", "Willowdene", "Yewbarrow"),
)
"""Place names, none of which is part of another."""
PARAGRAPHS: Final = 8


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page of a place: its path in the site, its question, and the code in the answer."""

    path: str
    place: str
    question: str
    code: str


def write_marked_site(folder: Path, place: str, pages: int) -> list[MarkedPage]:
    """Write the pages of one place, each with a link to the next."""
    (folder / place.lower()).mkdir()
    return [_write(folder, place, number, pages) for number in range(pages)]


def write_marked_notes(folder: Path, places: tuple[str, ...]) -> None:
    """Write a folder of Markdown notes, one per place."""
    for place in places:
        parts = (f"# Notes of {place}", "## Deliveries", f"Deliveries to {place} arrive at the north gate.")
        text = "\n\n".join((*parts, "## Keys", f"{place} keeps two keys.\n"))
        (folder / f"{place.lower()}.md").write_text(text, encoding="utf-8")


def _write(folder: Path, place: str, number: int, pages: int) -> MarkedPage:
    source = random.Random(f"{place} {number}")
    machine = MACHINES[number % len(MACHINES)]
    code = f"{place[:3].upper()}-{source.randrange(10_000, 100_000)}"
    path = f"{place.lower()}/{number}.html"
    parts = [_paragraph(source, place, machine, part) for part in range(PARAGRAPHS)]
    parts.insert(
        PARAGRAPHS // 2, f"<p>The access code of the {machine} in {place} is {code}, and the crew knows it.</p>"
    )
    link = f'<p>In {place} the <a href="{(number + 1) % pages}.html">next machine of {place}</a> stands beside it.</p>'
    title = f"The {machine} of {place}"
    body = f"<h1>{title}</h1>{''.join(parts)}{link}"
    page = f"<html><head><title>{title}</title></head><body><main>{body}</main></body></html>"
    (folder / path).write_text(page, encoding="utf-8")
    return MarkedPage(path, place, f"What is the access code of the {machine} in {place}?", code)


def _paragraph(source: random.Random, place: str, machine: str, part: int) -> str:
    sentences = [
        f"In {place} the {machine} {source.choice(('needs', 'shows', 'keeps', 'takes'))} "
        f"{source.choice(('oil', 'pressure', 'water', 'a new filter', 'a second crew'))} "
        f"{source.choice(('every morning', 'in winter', 'after a storm', 'before the start', 'at night'))}."
        for _ in range(6)
    ]
    return f"<h2>Part {part} of the {machine} in {place}</h2><p>{' '.join(sentences)}</p>"
