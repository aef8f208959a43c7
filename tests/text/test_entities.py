"""Names in code, headings and links, and the sections that mention them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.text.entities import (
    BEFORE_SECTIONS,
    EntityKind,
    folded_symbol,
    folded_term,
    inside_heading,
    mentions_of,
    of_heading,
    of_link,
    symbol,
    term,
)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("json.dumps", "json.dumps"),
        ("json.dumps()", "json.dumps"),
        ("json.dumps(obj, *, indent=None)", "json.dumps"),
        ("class json.JSONDecoder(*, strict=True)", "json.JSONDecoder"),
        ("async def fetch(url)", "fetch"),
        ("std::vector<int>", "std::vector"),
        ("--max-depth", "--max-depth"),
        ("Content-Type", "Content-Type"),
        ("@property", "@property"),
        ("CREATE TABLE", "CREATE TABLE"),
        ("max_connections", "max_connections"),
    ],
)
def test_code_that_is_a_name_gives_it(code: str, name: str) -> None:
    found = symbol(code)
    assert found is not None and (found.kind, found.name) == (EntityKind.SYMBOL, name)


@pytest.mark.parametrize(
    "code", ["None", "x", "1.5", "a + b", "x = 1", "'a'", "and", "", "pip install thing", "self", "(1, 2)", "a" * 200]
)
def test_values_expressions_and_keywords_are_not_names(code: str) -> None:
    assert symbol(code) is None


@pytest.mark.parametrize(
    ("heading", "anchor", "names"),
    [
        ("json.dump()", "json.dump", ["json.dump"]),
        ("decode()", "json.JSONDecoder.decode", ["json.JSONDecoder.decode"]),
        ("class json.JSONDecoder()", "json.JSONDecoder", ["json.JSONDecoder"]),
        ("json — JSON encoder and decoder", "module-json", ["json", "JSON encoder and decoder"]),
        ("7.1. Fancier Output Formatting", None, ["Fancier Output Formatting"]),
        ("A good start", None, ["A good start"]),
        ("-h, --help", "cmdoption-h", ["-h", "--help"]),
        ("lineno", "json.JSONDecodeError.lineno", ["json.JSONDecodeError.lineno"]),
        ("Overview", "overview", []),
        ("See also", None, []),
        ("Choosing a hive", "choosing-a-hive", ["Choosing a hive"]),
    ],
)
def test_a_heading_names_an_api_a_term_or_nothing(heading: str, anchor: str | None, names: list[str]) -> None:
    assert [entity.name for entity in of_heading(heading, anchor)] == names


def test_names_among_the_words_of_a_heading_are_found() -> None:
    assert [entity.name for entity in inside_heading("Using json.loads with max_depth")] == ["json.loads", "max_depth"]


@pytest.mark.parametrize(
    ("text", "fragment", "names"),
    [
        ("`JSONEncoder`", "json.JSONEncoder", ["json.JSONEncoder"]),
        ("`str`", "str", ["str"]),
        ("path-like object", "term-path-like-object", ["path-like object"]),
        ("**RFC 7159**", "", ["RFC 7159"]),
        ("`grp` — The group database", "module-grp", ["grp", "The group database"]),
        ("here", "", []),
        ("[1]", "", []),
        ("https://example.org/x", "", []),
        ("Lib/json/__init__.py", "", []),
    ],
)
def test_the_words_of_a_link_name_its_target(text: str, fragment: str, names: list[str]) -> None:
    assert [entity.name for entity in of_link(text, fragment)] == names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Context managers", "context manager"),
        ("Crème brûlée", "creme brulee"),
        ("Key-value stores", "key value store"),
        ("Queries", "query"),
    ],
)
def test_spellings_of_a_term_fold_alike(one: str, other: str) -> None:
    assert folded_term(one) == folded_term(other)


def test_spellings_of_a_name_fold_alike_and_a_module_is_not_its_class() -> None:
    assert folded_symbol("maxConnections") == folded_symbol("MAX_CONNECTIONS") == folded_symbol("max_connections")
    assert folded_symbol("json.decoder") != folded_symbol("JSONDecoder")


@given(st.text(max_size=300), st.none() | st.text(max_size=120))
def test_any_text_gives_short_names_or_none(text: str, anchor: str | None) -> None:
    found = [*of_heading(text, anchor), *of_link(text, anchor or ""), *inside_heading(text)]
    found += [entity for entity in (symbol(text), term(text)) if entity is not None]
    for entity in found:
        assert 0 < len(entity.name) <= caps.MAX_ENTITY_NAME_CHARS
        assert entity.folded and "\n" not in entity.name


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


def test_code_belongs_to_its_section() -> None:
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


def test_a_bare_name_matches_a_function_but_not_a_class_member() -> None:
    text = "# json.dump()\n\nAs `dump` with `path`.\n\n# Entry.path\n"
    sections = (Heading("json.dump()", "json.dump", 0), Heading("Entry.path", "Entry.path", 40))
    assert found(text, sections)[0, "json.dump"] == (3, True)
    assert (0, "path") in found(text, sections)


def test_a_definition_in_the_text_is_one() -> None:
    text = "# Words\n\n**Brood box**: Where the queen lives.\n"
    assert found(text, (Heading("Words of beekeepers", None, 0),))[0, "Brood box"] == (2, True)


def test_a_document_without_headings_is_about_its_title() -> None:
    assert found("Nothing here.", title="Choosing a hive") == {(BEFORE_SECTIONS, "Choosing a hive"): (2, True)}


def test_mentions_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_ENTITIES_PER_SECTION", 5)
    monkeypatch.setattr("app.text.entities.MAX_MENTIONS_PER_DOCUMENT", 7)
    names = " ".join(f"`name_{number}`" for number in range(40))
    text = f"# One\n{names}\n# Two\n{names}\n"
    sections = (Heading("Part one", None, 0), Heading("Part two", None, text.index("# Two")))
    made = mentions_of("", text, sections, ())
    assert len(made) == 7
    assert max(sum(m.section == section for m in made) for section in (0, 1)) <= 5
    assert {m.entity.name for m in made if m.defines} == {"Part one", "Part two"}
