"""Set and remove one member in the text of a YAML file, without changing anything else."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from app.clients import yaml_edit
from app.clients.syntax import NotAnObjectError, SyntaxProblem
from app.clients.yaml_edit import flow

PATH = ("extensions", "webrag")
ENTRY: dict[str, Any] = {
    "type": "stdio",
    "cmd": "C:\\Programs\\WebRAG: new\\webrag.exe",
    "args": ["mcp", "--data-dir", "/daten/größe # 1"],
    "enabled": True,
    "envs": {},
    "timeout": 300,
}
OTHERS = st.sampled_from(
    [
        "  files:\n    cmd: npx # x\n    args:\n    - -y\n    - files\n",
        "  # before\n  a: {cmd: x, args: [1, 2]}\n",
        "  b:\n      deep:\n          - {x: 1}\n          -   y\n  # behind\n",
        "  text:\n    words: |\n      extensions:\n        webrag: no\n\n    more: >-\n      folded\n      text\n",
        '  "quoted key": "a: b # c"\n\n',
        "  anchor: &x\n    k: 1\n  alias: *x\n",
        "  empty:\n",
    ]
)
REST = st.sampled_from(
    ["", "# top\n", "MODEL: x # mine\n", "list:\n- 1\n- 2\n", "\n", "multi: |\n  a\n  b\n", "flow: {a: [1,\n  2]}\n"]
)


def load(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


@given(
    st.lists(REST, max_size=3, unique=True),
    st.lists(OTHERS, min_size=1, max_size=3, unique=True),
    st.lists(REST.filter(lambda text: text[:1] not in {"M", "l", "m", "f"}), max_size=2, unique=True),
    st.sampled_from(["\n", "\r\n"]),
)
def test_setting_and_removing_restores_every_byte(
    before: list[str], others: list[str], after: list[str], newline: str
) -> None:
    text = ("".join([*before, "extensions: # mine\n", *others, *after])).replace("\n", newline)
    changed = yaml_edit.set_member(text, PATH, ENTRY)
    document = load(text)
    assert load(changed) == {**document, "extensions": {**document["extensions"], "webrag": ENTRY}}
    assert newline == "\n" or "\n" not in changed.replace("\r\n", "")
    assert yaml_edit.set_member(changed, PATH, ENTRY) == changed
    assert yaml_edit.remove_member(changed, PATH) == text


@pytest.mark.parametrize(
    ("text", "removed"),
    [
        ("", "extensions: {}\n"),
        ("# mine\n", "# mine\nextensions: {}\n"),
        ("a: 1\n", "a: 1\nextensions: {}\n"),
        ("a: 1", "a: 1\nextensions: {}\n"),
        ("extensions: {} # none yet\nz: 1\n", None),
        ("extensions:\nz: 1\n", "extensions: {}\nz: 1\n"),
        ("extensions: # none yet\n\nz: 1\n", "extensions: {} # none yet\n\nz: 1\n"),
        ("extensions: null\n", "extensions: {}\n"),
        ("extensions: {a: {cmd: x}}\n", None),
        ("extensions: {\n  a: {cmd: x}\n}\n", None),
        ("{extensions: {a: 1}, z: 1}\n", None),
        ("{extensions: {}}\n", None),
        ("extensions:\n  a:\n    cmd: x", "extensions:\n  a:\n    cmd: x\n"),
        ("---\nextensions:\n    a:\n        cmd: x\n", None),
        ("'extensions':\n  a: 1\n", None),
        ("extensions:\n  a:\n# end\nz: 1\n", None),
        ("{extensions: {a: {}, b: }}\n", None),
    ],
)
def test_the_entry_is_added_and_removed_in_every_layout(text: str, removed: str | None) -> None:
    changed = yaml_edit.set_member(text, PATH, ENTRY)
    assert load(changed)["extensions"]["webrag"] == ENTRY
    assert yaml_edit.remove_member(changed, PATH) == (text if removed is None else removed)


OWN = """\
extensions:
  a: 1
  webrag: # ours
    cmd: /old # moved
    args:
    - mcp
    - --tools
    env_keys: [A] # mine
    # note
    enabled: false
  # behind
  z: 2
"""


def test_an_entry_is_updated_and_removed_without_changing_others() -> None:
    standing = load(OWN)["extensions"]["webrag"]
    changed = yaml_edit.set_member(
        OWN, PATH, {**standing, "cmd": "/new", "args": ["mcp", "--tools", "a b"], "timeout": 9}
    )
    assert changed == OWN.replace("/old", "/new").replace("    - --tools\n", '    - "--tools"\n    - a b\n').replace(
        "enabled: false\n", "enabled: false\n    timeout: 9\n"
    )
    assert yaml_edit.remove_member(OWN, PATH) == "extensions:\n  a: 1\n  # behind\n  z: 2\n"


@pytest.mark.parametrize(
    "text",
    ["extensions:\n  webrag: x\n", "extensions:\n  webrag:\n# end\n", "extensions: {webrag: {url: x}, a: 1}\n"],
)
def test_a_foreign_entry_is_replaced_completely(text: str) -> None:
    changed = yaml_edit.set_member(text, PATH, {"cmd": "c", "args": ["x, y"]})
    assert load(changed)["extensions"]["webrag"] == {"cmd": "c", "args": ["x, y"]}


@given(st.recursive(st.booleans() | st.integers() | st.text(st.characters(codec="utf-8", exclude_categories=["C"]))
    | st.sampled_from(["", "- x", "a: b", "yes", "1.5", "#", "{", "null", "~", "0x1", "é ", "1e3", "2001-01-01", "&a", "=", "<<"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b c", "yes"]), inner, max_size=2),
    max_leaves=6))  # fmt: skip
def test_written_values_are_read_back(value: Any) -> None:
    assert load(f"k: {flow(value)}\n")["k"] == value


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: [1\n", 2, 1),
        ("a: 1\n b: 2\n", 2, 3),
        ("a: 1\na: 2\n", 2, 1),
        ("---\na: 1\n---\nb: 2\n", 3, 1),
        ("\tb: 1\n", 1, 1),
        ("a: !foo 1\n", 1, 4),
        ('a: "x\n', 2, 1),
    ],
)
def test_invalid_yaml_is_refused_with_line_and_column(text: str, line: int, column: int) -> None:
    for change in (lambda: yaml_edit.set_member(text, PATH, ENTRY), lambda: yaml_edit.remove_member(text, PATH)):
        with pytest.raises(SyntaxProblem) as caught:
            change()
        assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ["- a\n", "text\n", "extensions: [a]\n", "extensions: x\n"])
def test_a_value_on_the_path_is_not_replaced(text: str) -> None:
    with pytest.raises(NotAnObjectError):
        yaml_edit.set_member(text, PATH, ENTRY)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a\n  b: *a\n",
        "extensions: &a [*a]\n",
        "".join(
            f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}' if name > 'a' else '1'] * 9)}]\n"
            for name in "abcdefghij"
        ),
    ],
)
def test_endless_aliases_are_refused(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        yaml_edit.set_member(text, PATH, ENTRY)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "base: &b\n  a: 1\nextensions:\n  one: *b\n",
            "base: &b\n  a: 1\nextensions:\n  one: *b\n  webrag:\n    c: d\n",
        ),
        (
            "base: &b\n  a: 1\nextensions:\n  one: *b # note\nlast: 1\n",
            "base: &b\n  a: 1\nextensions:\n  one: *b # note\n  webrag:\n    c: d\nlast: 1\n",
        ),
        (
            "base: &b\n  a: 1\nextensions:\n  one:\n  - *b\nlast: 1\n",
            "base: &b\n  a: 1\nextensions:\n  one:\n  - *b\n  webrag:\n    c: d\nlast: 1\n",
        ),
        (
            "base: &b {a: 1}\nextensions:\n  webrag: *b\nx: 1\n",
            "base: &b {a: 1}\nextensions:\n  webrag:\n    c: d\nx: 1\n",
        ),
    ],
)
def test_the_position_of_an_alias_as_last_value(before: str, after: str) -> None:
    assert yaml_edit.set_member(before, PATH, {"c": "d"}) == after


@pytest.mark.parametrize(
    "text", ["%YAML 1.11\n", "%YAML 1.1.1\n---\n", "a: !!binary x\n", "!!set {a: 1}\n", "a: !!timestamp x\n"]
)
def test_texts_that_break_the_parser_are_refused_or_read(text: str) -> None:
    with contextlib.suppress(SyntaxProblem, NotAnObjectError):
        yaml_edit.set_member(text, PATH, ENTRY)
