"""Twenty files of different formats with known facts, and two questions about each, asked through the real application.

Every place has the same chapters with other figures. A question names the place, and its answer is in one chapter of one file.
"""

from __future__ import annotations

import asyncio
import csv
import random
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from support.application import Client, connected, running_application
from support.format_files import SHEET_FORMS, UTF8_CSV, run_quietly, save_with_office
from support.report import Row, median
from support.sites import serve_folder
from support.spans import evidence_blocks, holds

PLACES: Final = (
    "Aldbury", "Brackwell", "Corsham", "Dunmere", "Elsworth", "Farleigh", "Grimsby", "Hathern", "Ilmington", "Kelsall",
    "Lydford", "Marden", "Norwell", "Oakham", "Pelton", "Quorndon", "Ripley", "Selby", "Tarvin", "Ulverston",
)  # fmt: skip
FORMS: Final = (
    "docx", "docx", "office.docx", "office.docx", "odt", "office.odt", "pptx", "pptx", "office.pptx", "office.odp", "epub", "epub", "rst",
    "rst", "ipynb", "ipynb", "html", "csv", "xlsx", "ods",
)  # fmt: skip
TOP: Final = 5
_ROWS: Final = 120
_CITED: Final = re.compile(r"^\[\d+\] \"(.*?)\"\n\s+— (.*)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its answer, and the chapter or row in which the answer is."""

    file: str
    question: str
    answer: str
    place: str


def make_places(folder: Path, *, number: int = len(PLACES)) -> list[Asked]:
    """Make the files, and return two questions about each. Files of programs that are not installed are left out."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chance = random.Random(7)
    asked: list[Asked] = []
    for place, form in list(zip(PLACES, FORMS, strict=True))[:number]:
        kind = form.removeprefix("office.")
        file = folder / f"{place.lower()}.{kind}"
        if not shutil.which("pandoc" if kind not in ("csv", *SHEET_FORMS) else "soffice"):
            continue
        if kind in ("csv", *SHEET_FORMS):
            asked += _sheet(place, file, chance)
            continue
        text, questions = _chapters(place, file.name, chance)
        source = folder.with_name(f"{folder.name}-sources") / f"{place.lower()}.md"
        source.parent.mkdir(exist_ok=True)
        source.write_text(text, encoding="utf-8")
        first = {"odp": "pptx"}.get(kind, kind) if form != kind else kind
        made = source.with_suffix(f".{first}")
        level = {"pptx": ["--slide-level=2"]}.get(first, [])
        run_quietly(["pandoc", "-s", "--metadata", f"title={place}", *level, str(source), "-o", str(made)])
        if form != kind:
            (made,) = save_with_office([made], kind, source.parent / f"office-{place}")
        shutil.copy(made, file)
        asked += questions
    return asked


def _chapters(place: str, file: str, chance: random.Random) -> tuple[str, list[Asked]]:
    pump, well, alarm = (chance.randint(100, 999) for _ in range(3))
    bar, chlorine, volume = (
        f"{chance.randint(11, 69) / 10}",
        f"0.{chance.randint(11, 89)}",
        f"{chance.randint(1100, 9800):,}",
    )
    minutes, tank = chance.randint(12, 58), chance.randint(210, 590)
    text = f"""## Wells of {place}

The wells of {place} are inspected every spring.

| Well of {place} | Depth | Pump |
|------|-------|------|
| North well | {well} m | P-{pump} |
| Mill Lane well | {well + 31} m | P-{pump + 7} |

## Starting the pump in {place}

1. Close the drain valve.
2. Wait until the gauge of the {place} works shows {bar} bar.
3. Press the green button.

If the pump in {place} hums, switch it off and wait {minutes} minutes.

## Treatment in {place}

Chlorine is added to the water of {place} at {chlorine} milligrams per litre.

## Alarms of {place}

- Alarm A{alarm}: the tank of {place} is above {tank} cm.
- Alarm B{alarm}: the logger of {place} gave no reading.

## Delivery in {place}

The works of {place} deliver {volume} cubic metres on a weekday.
"""
    known = (
        Asked(file, f"Which pump does the North well of {place} have?", f"P-{pump}", f"Wells of {place}"),
        Asked(file, f"What must the gauge show before starting the pump in {place}?", f"{bar} bar", f"Starting the pump in {place}"),
        Asked(file, f"How much chlorine is added to the water of {place}?", f"{chlorine} milligrams", f"Treatment in {place}"),
        Asked(file, f"When is the tank alarm of {place} raised?", f"above {tank} cm", f"Alarms of {place}"),
        Asked(file, f"How much water do the works of {place} deliver on a weekday?", f"{volume} cubic", f"Delivery in {place}"),
        Asked(file, f"How long to wait if the pump in {place} hums?", f"{minutes} minutes", f"Starting the pump in {place}"),
    )  # fmt: skip
    return text, chance.sample(known, 2)


def _sheet(place: str, file: Path, chance: random.Random) -> list[Asked]:
    rows = [["Meter", "Customer", "Works", "Reading in cubic metres"]]
    customers = ("dairy", "school", "town hall", "bakery", "station", "church", "laundry", "brewery")
    for number in range(1, _ROWS + 1):
        rows.append(
            [
                f"M-{place[:2].upper()}{number:03}",
                f"{chance.choice(customers)} {number}",
                place,
                str(chance.randint(10_000, 99_999)),
            ]
        )
    plain = file.with_suffix(".csv")
    with plain.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(rows)
    if file.suffix != ".csv":
        (made,) = save_with_office([plain], file.suffix[1:], file.parent.with_name("places-sheets"), UTF8_CSV)
        plain.unlink()
        shutil.copy(made, file)
    chosen = chance.sample(rows[1:], 2)
    return [
        Asked(file.name, f"What is the reading of meter {row[0]} in {place}?", row[3], f"rows {rows.index(row) + 1}")
        for row in chosen
    ]


def asked_rows(folder: Path, questions: Sequence[Asked], *, is_shown: bool = False) -> list[Row]:
    """Ask every question with `answer` about its file, then with `kb_retrieve_evidence` about all files."""
    return asyncio.run(_ask(folder, questions, is_shown))


async def _ask(folder: Path, questions: Sequence[Asked], is_shown: bool) -> list[Row]:
    outcomes: dict[str, list[tuple[bool, bool, float]]] = {"answer": [], "kb_retrieve_evidence": []}
    with serve_folder(folder) as served, running_application() as application:
        async with connected(application) as client:
            for each in questions:
                reply = await client.call("answer", url=f"{served.base}/{each.file}", query=each.question)
                blocks = evidence_blocks(reply.text)[:TOP]
                is_there = not reply.is_error and any(holds(block, each.answer) for block in blocks)
                outcomes["answer"].append((is_there, is_there and _cites(reply.text, each), reply.ms))
                if is_shown and not is_there:
                    print(f"  MISS answer {each}\n{reply.text[:600]}")
            for each in questions:
                outcomes["kb_retrieve_evidence"].append(await _evidence(client, each, is_shown))
    return [_row(name, found) for name, found in outcomes.items()]


def _cites(text: str, asked: Asked) -> bool:
    """Whether the sources or citations of an answer name the place."""
    return any(is_in_place(line, asked) for line in text.splitlines() if "§" in line)


def is_in_place(said: str, asked: Asked) -> bool:
    """Whether a heading, or the range of rows in it, is the place of the answer."""
    if not asked.place.startswith("rows "):
        return asked.place in said
    row = int(asked.place.removeprefix("rows "))
    ranges = re.findall(r"ows (\d+)–(\d+)", said)
    return any(int(first) <= row <= int(last) for first, last in ranges)


async def _evidence(client: Client, asked: Asked, is_shown: bool) -> tuple[bool, bool, float]:
    reply = await client.call("kb_retrieve_evidence", question=asked.question)
    quotes: list[dict[str, Any]] = list(reply.data.get("quotes", ()))[:TOP]
    names = {each["n"]: str(each["uri"]) for each in reply.data.get("sources", ())}
    found = [
        each
        for each in quotes
        if holds(f"{each.get('before', '')} {each['quote']} {each.get('after', '')}", asked.answer)
    ]
    is_placed = any(asked.file in names.get(each["n"], "") for each in found)
    if is_shown and not is_placed:
        print(f"  MISS kb {asked} {names}\n{reply.text[:600]}")
    return bool(found), is_placed, reply.ms


def _row(name: str, found: Sequence[tuple[bool, bool, float]]) -> Row:
    hits = sum(hit for hit, _, _ in found)
    placed = sum(is_placed for _, is_placed, _ in found)
    shares = {"top 5 %": 100.0 * hits / max(len(found), 1), "place right %": 100.0 * placed / max(hits, 1)}
    return {"tool": name, "questions": len(found), **shares, "p50 ms": median([ms for _, _, ms in found])}
