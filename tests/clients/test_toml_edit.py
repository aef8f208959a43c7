"""Set and remove one table in the text of a TOML file, without changing anything else."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.clients import toml_edit
from app.clients.syntax import SyntaxProblem

PATH = ("mcp_servers", "webrag")
ENTRY: dict[str, Any] = {
    "command": 'C:\\Programs\\"WebRAG"\\webrag.exe',
    "args": ["mcp", "--data-dir", "/daten/größe\t"],
}

VALUES = st.sampled_from(
    [
        "1",
        '"x # no comment"',
        "'[no header]'",
        '"""\n[mcp_servers.webrag]\ncommand = "no"\n"""',
        "'''a''b'''",
        '"""she said ""\\"hi\\""""""',
        "[1, # one\n  2,\n]",
        '{ a = "}", b = [{ c = 1 }] }',
        "1979-05-27T07:32:00Z",
        "nan",
        "0x1F",
    ]
)
LINES = st.sampled_from(["", "# note", "  # [mcp_servers.webrag]", "\t"])
HEADERS = st.sampled_from(
    [
        "[a]",
        "[ a . b ]",
        '["a.b"]',
        "[[list]]",
        "[mcp_servers]",
        "[mcp_servers.files]",
        "[mcp_servers.files.env]  # env",
    ]
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Generate valid texts of every layout."""
    lines: list[str] = []
    number = 0
    for header in ["", *draw(st.lists(HEADERS, max_size=4, unique=True))]:
        lines += [header] if header else []
        for value in draw(st.lists(VALUES, max_size=3)):
            number += 1
            lines += [*draw(st.lists(LINES, max_size=1)), f"key{number} = {value}  # {number}"]
    text = "\n".join([*lines, *draw(st.lists(LINES, max_size=2))])
    text = (text + draw(st.sampled_from(["", "\n", "\n\n"]))).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        text = ""
    return text


def with_entry(text: str, entry: dict[str, Any]) -> dict[str, Any]:
    document = tomllib.loads(text)
    return {**document, "mcp_servers": {**document.get("mcp_servers", {}), "webrag": entry}}


@given(documents())
def test_setting_and_removing_restores_every_byte(text: str) -> None:
    changed = toml_edit.set_member(text, PATH, ENTRY)
    assert repr(tomllib.loads(changed)) == repr(with_entry(text, ENTRY))
    assert changed.startswith(text)
    assert toml_edit.set_member(changed, PATH, ENTRY) == changed
    newline = "\r\n" if "\r\n" in text else "\n"
    assert toml_edit.remove_member(changed, PATH) == (text if not text or text.endswith("\n") else text + newline)


@given(documents(), documents())
def test_an_entry_at_any_position_is_updated_and_removed_without_changing_others(before: str, after: str) -> None:
    newline = "\n"
    before, after = before.replace("\r\n", newline), after.replace("\r\n", newline)
    before += "" if not before or before.endswith(newline) else newline
    own = '[mcp_servers.webrag] # ours\ncommand = "/old" # moved\nargs = [\n  "mcp",\n]\n\n[mcp_servers.webrag.env]\nA = "1"\n'
    text = before + own + after.replace("[", "[after.", 1) if after.lstrip().startswith("[a]") else before + own
    try:
        standing = tomllib.loads(text)["mcp_servers"]["webrag"]
    except tomllib.TOMLDecodeError:
        return
    changed = toml_edit.set_member(text, PATH, {**standing, **ENTRY})
    assert tomllib.loads(changed)["mcp_servers"]["webrag"] == {**ENTRY, "env": {"A": "1"}}
    assert "# moved" in changed and "# ours" in changed
    removed = toml_edit.remove_member(changed, PATH)
    assert "webrag" not in tomllib.loads(removed).get("mcp_servers", {})
    assert removed.startswith(before.removesuffix(newline))


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers.webrag = { command = "/old", args = ["mcp"] }\n',
        '[mcp_servers]\nwebrag = { command = "/old" } # mine\n[x]\n',
        '[mcp_servers]\nwebrag.command = "/old"\n\n[x]\n',
        '[mcp_servers."webrag"]\n"command" = "/old"\n',
        "[mcp_servers.webrag]",
    ],
)
def test_entries_of_every_layout_are_found_and_removed(text: str) -> None:
    removed = toml_edit.remove_member(text, PATH)
    assert "webrag" not in tomllib.loads(removed).get("mcp_servers", {})
    changed = toml_edit.set_member(text, PATH, {"command": "/new", "args": ["mcp"]})
    assert tomllib.loads(changed)["mcp_servers"]["webrag"] == {"command": "/new", "args": ["mcp"]}


def test_a_foreign_entry_is_replaced_completely() -> None:
    text = '[mcp_servers.webrag]\nurl = "https://example.org"\n[x]\ny = 1\n'
    changed = toml_edit.set_member(text, PATH, {"command": "c", "args": []})
    assert tomllib.loads(changed) == {"x": {"y": 1}, "mcp_servers": {"webrag": {"command": "c", "args": []}}}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a = 1\nb = \n", 2, 5), ("a = 1\na = 2\n", 2, 6), ("[x\n", 1, 3), ('a = "', 1, 6), ("a = 1\n[b]\n= 2\n", 3, 1)],
)
def test_invalid_toml_is_refused_with_line_and_column(text: str, line: int, column: int) -> None:
    for change in (lambda: toml_edit.set_member(text, PATH, ENTRY), lambda: toml_edit.remove_member(text, PATH)):
        with pytest.raises(SyntaxProblem) as caught:
            change()
        assert (caught.value.line, caught.value.column) == (line, column)


def test_endless_brackets_are_refused() -> None:
    with pytest.raises(SyntaxProblem):
        toml_edit.load(f"a = {'[' * 5_000}")
