"""Which names code, headings and links hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.text.entities import EntityKind, folded_symbol, folded_term, inside_heading, of_heading, of_link, symbol, term


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
def test_values_expressions_and_keywords_are_no_names(code: str) -> None:
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
def test_a_heading_is_about_an_api_a_term_or_nothing(heading: str, anchor: str | None, names: list[str]) -> None:
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
