"""What people who run or join a shared library are told: commands exist, variables are read, figures are those of the program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from app.cli import library
from app.cli.parser import build_parser
from app.engine import node
from app.library.exchange import MAX_REQUEST_BYTES
from app.pg import connections
from app.remote.client import AWAY_SECONDS, QUESTION_SECONDS
from tests.installer.test_team import LINES, OTHER_VARIABLES, settings_of_a_node

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "team.md").read_text("utf-8")
TEXTS: Final = {
    "docs/team.md": PAGE,
    **{f"docs/{name}.md": (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("connect", "privacy")},
    "README.md": (ROOT / "README.md").read_text("utf-8"),
    **{f"assets/guide/{path.name}": path.read_text("utf-8") for path in (ROOT / "assets" / "guide").glob("*.md")},
    **{f"installer/team/{name}": text for name, text in LINES.items()},
}
FENCED: Final = re.compile(r"^ *```sh\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
QUOTED: Final = re.compile(r"`(webrag (?:admin|shared|librar(?:y|ies))[^`\n]*)`")
VARIABLE: Final = re.compile(r"\b(?:WEBRAG|MCP)_[A-Z_]+\b")
OF_THE_PROXY: Final = {"WEBRAG_SITE", "WEBRAG_NODES", "WEBRAG_TLS", "WEBRAG_OPTIONS", "WEBRAG_DOMAIN"}
OF_OTHERS: Final = {"WEBRAG_CONFIG", "WEBRAG_DATA_DIR", "WEBRAG_TOKEN"}
"""Of the start of the program, and of an assistant."""


def commands(text: str) -> Iterator[list[str]]:
    """The arguments of each `webrag` of the blocks, whatever stands before it on the line."""
    for line in "\n".join(FENCED.findall(text)).replace("\\\n", " ").splitlines():
        if "webrag " in line:
            lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
            lexer.wordchars += ":@,"
            words = list(lexer)
            while "webrag" in words:
                words = words[words.index("webrag") + 1 :]
                end = next((number for number, word in enumerate(words) if set(word) <= set("&|;<>()")), len(words))
                yield words[:end]


@pytest.mark.parametrize("name", ["docs/team.md"])
def test_every_command_of_the_page_is_one_of_the_program(name: str) -> None:
    found = list(commands(TEXTS[name]))
    assert len(found) > 20
    parser = build_parser()
    for words in found:
        options, rest = parser.parse_known_args(words)
        assert not [each for each in rest if each.startswith("-")], words
        assert options.command, words


@pytest.mark.parametrize("name", TEXTS)
def test_every_action_that_is_named_exists(name: str) -> None:
    actions = {"init", "migrate", "status", *library.COPIES, *library.RIGHTS}
    joining = set(library.ACTIONS)
    known = {"admin": actions, "library": actions, "shared": joining, "libraries": joining}
    for quoted in QUOTED.findall(TEXTS[name]):
        _, command, *words = quoted.split()
        if words and words[0] not in ("|", "…"):
            assert words[0] in known[command], quoted


@pytest.mark.parametrize("name", TEXTS)
def test_every_variable_that_is_named_is_read(name: str) -> None:
    read = settings_of_a_node() | OTHER_VARIABLES | OF_THE_PROXY | OF_OTHERS
    assert not set(VARIABLE.findall(TEXTS[name])) - read


def test_every_variable_of_a_node_is_told() -> None:
    own = {value for name, value in vars(node).items() if name.endswith("_VARIABLE")}
    assert own <= set(VARIABLE.findall(PAGE))


def test_places_that_the_page_points_to_are_on_it() -> None:
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^ *```.*?^ *```", "", PAGE, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    places = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    others = [
        found
        for text in TEXTS.values()
        for found in re.findall(r"\(team\.md#([^)]+)\)|\(docs/team\.md#([^)]+)\)", text)
    ]
    pointed = {*re.findall(r"\(#([^)]+)\)", PAGE), *("".join(each) for each in others)}
    assert pointed and not pointed - places


def test_what_is_promised_is_what_the_program_keeps() -> None:
    words = " ".join(PAGE.split())
    for said, value, promised in (
        ("your library answers, within 3 seconds", QUESTION_SECONDS, 3),
        ("is asked again after 30 seconds", AWAY_SECONDS, 30),
        ("works for five seconds more", node.GRANT_SECONDS, 5),
        ("32 unless given (at most 256)", (node.DEFAULT_CALLS, node.MAX_CALLS), (32, 256)),
        ("365 unless given", node.DEFAULT_AUDIT_DAYS, 365),
        ("at most 32 MB", MAX_REQUEST_BYTES, 32 * 2**20),
        ("twice as many open as it has processors, at least 4", connections.SEARCHES_AT_ONCE >= 4, True),
    ):
        assert said in words, said
        assert value == promised, said
