"""The prose of a file: paragraphs of Markdown, docstrings, comments and strings of Python, source texts of a catalogue."""

from __future__ import annotations

import ast
import html
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

Kind = Literal["md", "head", "table", "doc", "comment", "str", "ts", "subject"]
OK_MARK: Final = "language: ok"
"""A comment with these words exempts its line."""
MIN_WORDS: Final = {"table": 4, "comment": 3, "str": 4}
MAX_STRING_CHARS: Final = 4_000
"""Longer strings are data."""
MAX_BARE_WORDS: Final = 30
"""A longer string without the end of a sentence is a list of words."""
MIN_WORD_SHARE: Final = 0.6
"""Share of a string's words that must be letters only; otherwise it is a pattern, a path or a format."""

_NOISE: Final = (
    (re.compile(r"<!--.*?-->"), " "),
    (re.compile(r"``[^`]*``|`[^`]*`"), "X"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r":\w+:`"), " "),
    (re.compile(r"https?://\S+|\bwebrag://\S+"), "X"),
    (re.compile(r"<[^>]{1,80}>"), " "),
    (re.compile(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}"), ""),
    (re.compile(r"\s+"), " "),
)
_MARKUP: Final = re.compile(r"[`\[<*_]|://|  ")
"""Without any of these, a text is prose as it is."""
_LIST_ITEM: Final = re.compile(r"(?:[-*+]|\d+[.)]|>)\s+")
_DOC_BREAK: Final = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*>]|\d+[.)]|:\w|@\w|\w+(?: \([^)]*\))?:\s|\w+:$))", re.MULTILINE)
"""Before paragraphs, list items and `Raises:` lines of a docstring."""
_COMMENTED: Final = re.compile(r"(?:^|\s)#", re.MULTILINE)
_PUNCTUATION: Final = re.compile(r"[.!?:](?:\s|$)")
_DIRECTIVE: Final = re.compile(r"type:|noqa|pragma|pylint|fmt:|ruff|mypy")
_NOT_PROSE: Final = re.compile(
    r"[{}]|</|=>|\\b|\b(?:SELECT|INSERT|UPDATE \w+ SET|DELETE FROM|CREATE (?:TABLE|INDEX|ROLE)|PRAGMA|ALTER)\b"
)


@dataclass(frozen=True, slots=True)
class Text:
    """A unit of prose and the line it begins on."""

    line: int
    kind: Kind
    text: str


def read_texts(path: Path) -> Iterator[Text]:
    """Yield the prose of a `.md`, `.py` or `.ts` file, without code, addresses and markup."""
    source = path.read_text("utf-8", errors="replace")
    found = {".md": _markdown, ".py": _python, ".ts": _catalogue}[path.suffix](source)
    for each in found:
        if OK_MARK not in each.text:
            yield Text(each.line, each.kind, _plain(each.text))


def _plain(text: str) -> str:
    for pattern, replacement in _NOISE if _MARKUP.search(text) else ():
        text = pattern.sub(replacement, text)
    return text.strip()


def _markdown(source: str) -> Iterator[Text]:
    fence, start, paragraph = "", 0, list[str]()

    def flush() -> Iterator[Text]:
        if paragraph:
            yield Text(start, "md", " ".join(paragraph))
            paragraph.clear()

    for number, line in enumerate(source.splitlines(), 1):
        stripped = line.strip()
        mark = stripped[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
            yield from flush()
        elif fence or (line.startswith(("    ", "\t")) and not paragraph):
            continue
        elif not stripped or OK_MARK in stripped or stripped.startswith(("<", "[![", "![")):
            yield from flush()
        elif stripped.startswith("#"):
            yield from flush()
            yield Text(number, "head", stripped.lstrip("# "))
        elif stripped.startswith("|"):
            yield from flush()
            cells = (cell.strip() for cell in stripped.strip("|").split("|"))
            yield from (Text(number, "table", cell) for cell in cells if len(cell.split()) >= MIN_WORDS["table"])
        else:
            if item := _LIST_ITEM.match(stripped):
                yield from flush()
                stripped = stripped[item.end() :]
            start = start if paragraph else number
            paragraph.append(stripped)
    yield from flush()


def _python(source: str) -> Iterator[Text]:
    lines = source.splitlines()
    nodes, documentation = list(ast.walk(ast.parse(source))), set[int]()
    parts_of_others = set[int]()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documentation.add(id(node.value))
            for part in _DOC_BREAK.split(node.value.value):
                yield Text(node.lineno, "doc", " ".join(part.split()))
        elif isinstance(node, ast.JoinedStr):
            parts_of_others.update(id(part) for part in ast.walk(node) if part is not node)
    for node in nodes:
        if id(node) in documentation or id(node) in parts_of_others:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        else:
            continue
        if _is_prose(text) and OK_MARK not in lines[node.lineno - 1]:
            yield Text(node.lineno, "str", " ".join(text.split()))
    for token in tokenize.generate_tokens(io.StringIO(source).readline) if _COMMENTED.search(source) else ():
        text = token.string.lstrip("#!: ")
        if token.type == tokenize.COMMENT and len(text.split()) >= MIN_WORDS["comment"] and not _DIRECTIVE.match(text):
            yield Text(token.start[0], "comment", text)


def _is_prose(text: str) -> bool:
    words = text.split()
    if len(words) < MIN_WORDS["str"] or len(text) > MAX_STRING_CHARS or _NOT_PROSE.search(text):
        return False
    if len(words) > MAX_BARE_WORDS and not _PUNCTUATION.search(text):
        return False
    return sum(word.strip(".,;:!?'\"()").isalpha() for word in words) >= MIN_WORD_SHARE * len(words)


def _catalogue(source: str) -> Iterator[Text]:
    for match in re.finditer(r"<source>(.*?)</source>", source, re.DOTALL):
        text = " ".join(html.unescape(match[1]).split())
        yield Text(source.count("\n", 0, match.start()) + 1, "ts", text)
