"""Set and remove one member in the text of a JSON file, without changing anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.clients import json_edit

PATH = ("mcpServers", "webrag")
ENTRY: dict[str, Any] = {"command": "/opt/webrag", "args": ["mcp", "--data-dir", "/daten/größe"]}

names = st.text(max_size=8) | st.sampled_from(["mcpServers", "webrag", "a", "théâtre"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)
servers = st.dictionaries(st.text(max_size=8).filter(lambda name: name != "webrag"), values, max_size=3)
documents = st.builds(
    lambda rest, own, first: {"mcpServers": own, **rest} if first else {**rest, "mcpServers": own},
    st.dictionaries(st.text(max_size=6).filter(lambda name: name != "mcpServers"), values, max_size=3),
    servers.filter(bool),
    st.booleans(),
)
layouts = st.sampled_from([None, 2, 4, "\t"])
newlines = st.sampled_from(["\n", "\r\n"])


def written(document: Any, indent: int | str | None, newline: str, *, ascii_only: bool) -> str:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    return text.replace("\n", newline) + newline


@given(documents, layouts, newlines, st.booleans())
def test_setting_adds_the_entry_and_removing_it_restores_every_byte(
    document: dict[str, Any], indent: int | str | None, newline: str, ascii_only: bool
) -> None:
    text = written(document, indent, newline, ascii_only=ascii_only)
    changed = json_edit.set_member(text, PATH, ENTRY)
    expected = {**document, "mcpServers": {**document["mcpServers"], "webrag": ENTRY}}
    assert json.loads(changed) == expected
    assert list(json.loads(changed)) == list(document)
    assert newline == "\n" or "\n" not in changed.replace("\r\n", "")
    assert json_edit.remove_member(changed, PATH) == text


@given(
    st.dictionaries(names, values, max_size=4).filter(lambda d: isinstance(d.get("mcpServers", {}), dict)),
    layouts,
)
def test_setting_and_removing_agree_with_the_parsed_document(
    document: dict[str, Any], indent: int | str | None
) -> None:
    text = written(document, indent, "\n", ascii_only=False)
    changed = json_edit.set_member(text, PATH, ENTRY)
    own = {**document.get("mcpServers", {}), "webrag": ENTRY}
    assert json.loads(changed) == {**document, "mcpServers": own}
    assert json_edit.set_member(changed, PATH, ENTRY) == changed
    own.pop("webrag")
    assert json.loads(json_edit.remove_member(changed, PATH)) == {**document, "mcpServers": own}


@given(values)
def test_the_parser_agrees_with_the_standard_library(value: Any) -> None:
    text = json.dumps(value, indent=1)
    node = json_edit.parse(f" {text}\n")
    assert node.value == value
    assert (node.start, node.end) == (1, 1 + len(text))


COMMENTED = """\
// my servers
{
    "theme": "dark", // not "light"
    "mcpServers": {
        /* the first */
        "files": {"command": "npx", "args": ["-y", "files"],}, // trailing comma inside
        "other": {"command": "x"} // the last one
        // nothing below
    },
}
"""


def test_comments_and_trailing_commas_stay_where_they_are() -> None:
    changed = json_edit.set_member(COMMENTED, PATH, ENTRY)
    for comment in (
        "// my servers",
        '// not "light"',
        "/* the first */",
        "// trailing comma",
        "// nothing below",
    ):
        assert changed.count(comment) == 1
    assert '"other": {"command": "x"}, // the last one\n        "webrag": {\n            "command"' in changed
    assert json_edit.parse(changed).value["mcpServers"]["webrag"] == ENTRY
    assert json_edit.remove_member(changed, PATH) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers":{"a":{}}}',
        '{ "mcpServers": { "a": {} } }',
        '{"mcpServers": {"a": {},}}',
        '{\n  "mcpServers": {"a": {}}\n}',
        '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n',
        '{\n  "mcpServers": {\n    "a": {} }\n}',
        '{\n  "mcpServers": {\n    "a": {} // here\n    // there\n  }\n}',
        '{\n  "mcpServers": {\n    "a": {} /* here */ , // and\n  }\n}',
        '{\n  "mcpServers": {\n    // none yet\n  }\n}',
        '{\n  "mcpServers": { /* none yet */ }\n}',
        '{\n  "mcpServers": {}\n}',
        '{\n  "mcpServers": { "a": 1,\n    "b": 2\n  }\n}',
        '{\n  "mcpServers":\n  {\n    "a": 1   \n  }\n}',
        '{\n\n  "mcpServers": {\n\n    "a": 1\n\n  }\n\n}\n\n',
    ],
)
def test_removing_undoes_setting_in_every_style(text: str) -> None:
    changed = json_edit.set_member(text, PATH, ENTRY)
    assert json_edit.parse(changed).value["mcpServers"]["webrag"] == ENTRY
    assert json_edit.remove_member(changed, PATH) == text


def test_a_new_object_uses_the_indentation_of_the_file() -> None:
    assert json_edit.set_member('{\n\t"theme": "dark"\n}\n', PATH, {"command": "x"}) == (
        '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"webrag": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n'
    )


def test_a_comment_before_the_first_member_does_not_change_the_indentation() -> None:
    text = '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n'
    assert json_edit.set_member(text, PATH, {"command": "x"}) == (
        '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": {},\n\t\t"webrag": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n'
    )


def test_an_entry_between_others_is_replaced_and_removed_without_changing_them() -> None:
    text = '{\n "mcpServers": {\n  "a": 1, // one\n  "webrag": {"command": "old"},\n  "b": 2\n }\n}'
    changed = json_edit.set_member(text, PATH, {"command": "new"})
    assert changed.replace('{\n   "command": "new"\n  }', '{"command": "old"}') == text
    assert json_edit.remove_member(text, PATH) == '{\n "mcpServers": {\n  "a": 1, // one\n  "b": 2\n }\n}'


def test_duplicates_of_our_entry_are_all_removed() -> None:
    text = '{"mcpServers": {"webrag": 1, "a": 2, "webrag": 3}}'
    assert json_edit.find(text, PATH)[1].value.value == 3  # type: ignore[index]
    assert json_edit.remove_member(text, PATH) == '{"mcpServers": {"a": 2}}'


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("{", 1, 2),
        ('{"a": 1 "b": 2}', 1, 9),
        ('{"a": 1,\n  b: 2}', 2, 3),
        ('{\n "a": [1, 2\n}', 3, 1),
        ('{"a": nul}', 1, 7),
        ('{"a": 01}', 1, 8),
        ('{"a": "x\ny"}', 1, 9),
        ('{"a": 1} x', 1, 10),
        ("{,}", 1, 2),
        ("[1,,2]", 1, 4),
        ('{"a" 1}', 1, 6),
        ("[" * 1000, 1, 202),
        ("/* never closed", 1, 1),
        ("NaN", 1, 1),
    ],
)
def test_invalid_json_is_refused_with_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(json_edit.JsoncError) as caught:
        json_edit.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ['{"mcpServers": []}', '{"mcpServers": null}', "[]", '"text"'])
def test_a_value_on_the_path_is_not_replaced(text: str) -> None:
    with pytest.raises(json_edit.NotAnObjectError):
        json_edit.set_member(text, PATH, ENTRY)


@pytest.mark.parametrize("text", ["", "\n", " \r\n"])
def test_an_empty_file_becomes_a_whole_document(text: str) -> None:
    assert json.loads(json_edit.set_member(text, PATH, ENTRY)) == {"mcpServers": {"webrag": ENTRY}}
