"""Generated sites, the same for the same seed: machine manuals with one fact per page."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


MACHINES: Final = _listed(
    "valve, glacier drill, ledger press, harbour crane, compiler rack, orchard sprayer, satellite dish, archive "
    "shelf, furnace, lantern, turbine, conveyor, boiler, elevator, loom, printer, pump, mixer"
)
_SUBJECTS: Final = _listed(
    "operator, crew, manual, sensor, gauge, panel, cable, filter, gasket, bearing, motor, record, tank, hose, switch"
)
_VERBS: Final = _listed("checks, holds, needs, moves, shows, reads, records, limits, reports, stores, measures")
_OBJECTS: Final = _listed("pressure, temperature, voltage, oil, speed, signal, value, limit, schedule, load, level")
_TAILS: Final = _listed(
    "before the start, after every shift, under full load, in cold weather, when the alarm sounds, at night, "
    "during the test, as the table shows, if the supply fails, for at least an hour, without a warning"
)
_NUMBERS: Final = _listed("five, six, seven, eight, nine, ten, eleven, twelve")


@dataclass(frozen=True, slots=True)
class MadePage:
    """A file name and the question that only this page answers."""

    path: str
    question: str


def write_manuals(folder: Path, seed: int, paragraphs: list[int]) -> list[MadePage]:
    """Write one manual per entry, with about 75 tokens per paragraph and without links."""
    return [_write_manual(folder, seed + number, number, size) for number, size in enumerate(paragraphs)]


def write_linked_site(folder: Path, seed: int, paragraphs: list[int]) -> MadePage:
    """Write a start page without an answer and its linked manuals, one per entry. One of them answers the question."""
    manuals = write_manuals(folder, seed, paragraphs)
    source = random.Random(seed)
    links = [
        f'<p>{_sentence(source)} See <a href="{page.path}">the manual of the {_machine(number)}</a>. {_sentence(source)}</p>'
        for number, page in enumerate(manuals)
    ]
    body = "".join(f"<h2>Group {number}</h2>{_text(source)}{link}" for number, link in enumerate(links))
    (folder / "index.html").write_text(_html("Machines of the works", body), encoding="utf-8")
    return MadePage("index.html", source.choice(manuals).question)


def _write_manual(folder: Path, seed: int, number: int, paragraphs: int) -> MadePage:
    source, machine = random.Random(seed), _machine(number)
    fact = f"<p>The {machine} is inspected every {source.choice(_NUMBERS)} weeks by the night crew.</p>"
    parts = [f"<h2>Part {part} of the {machine}</h2>{_text(source)}" for part in range(paragraphs)]
    parts.insert(source.randrange(paragraphs), fact)
    path = f"manual{number}.html"
    (folder / path).write_text(_html(f"Manual of the {machine}", "".join(parts)), encoding="utf-8")
    return MadePage(path, f"How often does somebody look after the {machine}, and who?")


def _machine(number: int) -> str:
    name = MACHINES[number % len(MACHINES)]
    return name if number < len(MACHINES) else f"{name} {number // len(MACHINES) + 1}"


def _text(source: random.Random) -> str:
    return f"<p>{' '.join(_sentence(source) for _ in range(6))}</p>"


def _sentence(source: random.Random) -> str:
    words = (source.choice(_SUBJECTS), source.choice(_VERBS), source.choice(_OBJECTS), source.choice(_TAILS))
    return "The {} {} the {} {}.".format(*words)


def _html(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
