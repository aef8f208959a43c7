"""The pages about shared libraries: their commands exist, the program reads their variables, and their figures are correct."""

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
TEAM: Final = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in (*(ROOT / "docs" / "team").glob("*.md"), ROOT / "docs" / "internals" / "team.md")
}
PAGES: Final = "\n".join(TEAM.values())
TEXTS: Final = {
    **TEAM,
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
"""For the start of the program, and for an assistant."""


def commands(text: str) -> Iterator[list[str]]:
    """Yield the arguments of each `webrag` command in a code block, also after other words on its line."""
    for line in "\n".join(FENCED.findall(text)).replace("\\\n", " ").splitlines():
        if "webrag " in line:
            lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
            lexer.wordchars += ":@,"
            words = list(lexer)
            while "webrag" in words:
                words = words[words.index("webrag") + 1 :]
                end = next((number for number, word in enumerate(words) if set(word) <= set("&|;<>()")), len(words))
                yield words[:end]


def test_every_command_of_the_pages_exists() -> None:
    found = list(commands(PAGES))
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


def test_every_variable_of_a_node_is_documented() -> None:
    own = {value for name, value in vars(node).items() if name.endswith("_VARIABLE")}
    assert own <= set(VARIABLE.findall(PAGES))


def test_documented_limits_match_the_program() -> None:
    words = " ".join(PAGES.split())
    for said, value, promised in (
        ("does not respond within 3 seconds", QUESTION_SECONDS, 3),
        ("tries again after 30 seconds", AWAY_SECONDS, 30),
        ("works for five more seconds", node.GRANT_SECONDS, 5),
        ("Calls that run at the same time, at most 256;", (node.DEFAULT_CALLS, node.MAX_CALLS), (32, 256)),
        ("0 keeps it forever. | 365 |", node.DEFAULT_AUDIT_DAYS, 365),
        ("at most 32 MB", MAX_REQUEST_BYTES, 32 * 2**20),
        ("twice as many idle connections as it has processors, at least 4", connections.SEARCHES_AT_ONCE >= 4, True),
    ):
        assert said in words, said
        assert value == promised, said
