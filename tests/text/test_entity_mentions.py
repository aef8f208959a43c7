"""What a document names, section by section."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from app import caps
from app.text.entities import BEFORE_SECTIONS, mentions_of


@dataclass(frozen=True)
class Heading:
    heading: str
    anchor: str | None
    start: int


@dataclass(frozen=True)
class Anchor:
    url: str
    text: str
    start: int


def found(
    text: str, sections: tuple[Heading, ...] = (), links: tuple[Anchor, ...] = (), title: str = ""
) -> dict[tuple[int, str], tuple[int, bool]]:
    return {(m.section, m.entity.name): (m.count, m.defines) for m in mentions_of(title, text, sections, links)}


def test_code_belongs_to_the_section_that_it_stands_in() -> None:
    text = "Read `os.stat`.\n\n# Files\n\nCall `os.open()` and `os.open(path)`.\n"
    assert found(text, (Heading("Files on disk", None, 17),)) == {
        (BEFORE_SECTIONS, "os.stat"): (1, False),
        (0, "Files on disk"): (2, True),
        (0, "os.open"): (2, False),
    }


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_code_blocks_name_nothing(fence: str) -> None:
    text = f"Before `one_name`.\n\n{fence}sh\necho `two_names`\n{fence}\n\nAfter `three_names`.\n"
    assert {name for _, name in found(text)} == {"one_name", "three_names"}


def test_a_linked_name_is_the_one_of_its_target_and_counts_once() -> None:
    text = "See `dump`."
    assert found(text, links=(Anchor("https://example.org/json.html#json.dump", "`dump`", 4),)) == {
        (BEFORE_SECTIONS, "json.dump"): (1, False)
    }


def test_a_bare_name_is_the_function_that_the_page_defines_but_never_a_member_of_a_class() -> None:
    text = "# json.dump()\n\nAs `dump` with `path`.\n\n# Entry.path\n"
    sections = (Heading("json.dump()", "json.dump", 0), Heading("Entry.path", "Entry.path", 40))
    assert found(text, sections)[0, "json.dump"] == (3, True)
    assert (0, "path") in found(text, sections)


def test_a_definition_in_the_text_is_one() -> None:
    text = "# Words\n\n**Brood box**: Where the queen lives.\n"
    assert found(text, (Heading("Words of beekeepers", None, 0),))[0, "Brood box"] == (2, True)


def test_a_document_without_headings_is_about_its_title() -> None:
    assert found("Nothing here.", title="Choosing a hive") == {(BEFORE_SECTIONS, "Choosing a hive"): (2, True)}


def test_what_is_found_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_ENTITIES_PER_SECTION", 5)
    monkeypatch.setattr(caps, "MAX_MENTIONS_PER_DOCUMENT", 7)
    names = " ".join(f"`name_{number}`" for number in range(40))
    text = f"# One\n{names}\n# Two\n{names}\n"
    sections = (Heading("Part one", None, 0), Heading("Part two", None, text.index("# Two")))
    made = mentions_of("", text, sections, ())
    assert len(made) == 7
    assert max(sum(m.section == section for m in made) for section in (0, 1)) <= 5
    assert {m.entity.name for m in made if m.defines} == {"Part one", "Part two"}
