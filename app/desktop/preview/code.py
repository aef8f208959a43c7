"""Light syntax highlighting of code blocks. One small tokenizer for all languages works line by line in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

MAX_LINE_CHARS: Final = 2_000  # A longer line is not highlighted.
MAX_CODE_CHARS: Final = 200_000  # Code of a page after this many characters is not highlighted.


class Token(StrEnum):
    """Kind of a highlighted range. The values are fields of Colours."""

    KEYWORD = "series_4"
    STRING = "success"
    NUMBER = "warning"
    COMMENT = "muted"


_FAMILIES: Final = {
    "python": "python py python3 ipython starlark",
    "hash": "bash sh shell zsh ruby rb perl pl r powershell ps1 dockerfile makefile elixir julia",
    "keys": "yaml yml toml ini cfg conf properties json jsonc",
    "slashes": "javascript js jsx mjs cjs typescript ts tsx java kotlin kt kts swift c h cpp c++ cc cxx hpp hh hxx csharp cs c# go php "
    "scala dart css scss less groovy proto zig",
    "rust": "rust rs",
    "dashes": "sql postgresql mysql plsql sqlite lua",
}  # Names of languages after a fence, grouped by their comments and strings.
_FAMILY_OF: Final = {name: family for family, names in _FAMILIES.items() for name in names.split()}
_BLOCK_ENDS: Final = {"/*": "*/", '"""': '"""', "'''": "'''", "`": "`"}
_COMMENTS: Final = {"python": "#", "slashes": "//", "rust": "//", "dashes": "--"}
_HASH: Final = r"(?<!\S)#"
_DOUBLE: Final = r'"(?:[^"\\]|\\.?)*+"?+'
_SINGLE: Final = r"'(?:[^'\\]|\\.?)*+'?+"
# A single apostrophe begins a lifetime in Rust.
_CHARACTER: Final = r"'(?:\\[^']{1,10}+|[^'\\])'"
_FIRST: Final = {
    "python": r"(?P<block>\"\"\"|''')",
    "slashes": r"(?P<block>/\*|`)",
    "rust": r"(?P<block>/\*)",
    "dashes": r"(?P<block>/\*)",
    "keys": r"(?P<key>^[ \t]*+(?:-[ \t]++)?+(?:\[[^\]]*+\]++|\"[^\"\\]*+\"(?=:)|[\w.-]++(?=[ \t]*+[:=])))",
}
_NUMBER: Final = r"(?<![\w.])(?:0[xXbBoO][\da-fA-F_]++|\d[\d_']*+(?:\.\d++)?+(?:[eE][+-]?\d++)?+)\w*+"

_COMMON: Final = """
None True False abstract and as assert async await bool break case catch char class const continue def default defer del delete do
double elif else enum except export extends extern false final finally float fn for foreach from func function global go if impl
implements import in include inline instanceof int interface is lambda let local long loop match mod mut namespace new nil nonlocal none
not null operator or override package private protected pub public raise readonly record require return self short signed sizeof static
struct super switch template this throw throws trait true try type typedef typeof union unless unsafe unsigned until use using val var
virtual void volatile when where while with yield
"""
_OF_QUERIES: Final = """
add all alter and as asc begin between by cascade case check column commit constraint create cross default delete desc distinct drop
else elseif end exists false for foreign from full function group having if in index inner insert into is join key left like limit local
nil not null offset on or order outer over partition primary references return returning right rollback select set table then true union
unique update using values view when where while with
"""
_OF_SHELLS: Final = "begin done elsif end esac fi module then"
_OF_SETTINGS: Final = "true false null yes no on off none"
_WORDS: Final = {
    family: frozenset(
        {"keys": _OF_SETTINGS, "dashes": _OF_QUERIES, "hash": f"{_COMMON} {_OF_SHELLS}"}.get(family, _COMMON).split()
    )
    for family in _FAMILIES
}


def _pattern(family: str) -> re.Pattern[str]:
    string = f"{_DOUBLE}|{_CHARACTER if family == 'rust' else _SINGLE}"
    parts = {
        "comment": f"{_COMMENTS.get(family, _HASH)}.*+",
        "string": string,
        "number": _NUMBER,
        "word": r"[^\W\d]\w*+",
    }
    return re.compile(
        "|".join((*filter(None, [_FIRST.get(family)]), *(f"(?P<{name}>{part})" for name, part in parts.items())))
    )


_PATTERNS: Final = {family: _pattern(family) for family in _FAMILIES}


class Highlighter:
    """Tokenizer of one code block. It remembers a comment or string that continues on the next line."""

    def __init__(self, language: str) -> None:
        """Accept the name after the fence. Code in an unknown language is not highlighted."""
        self._family = _FAMILY_OF.get(language.lower(), "")
        self._words = _WORDS.get(self._family, frozenset())
        self._end, self._inside = "", Token.STRING

    def tokens(self, line: str) -> Iterator[tuple[int, int, Token]]:
        """Yield the ranges of the next line to highlight, in order."""
        if not self._family or len(line) > MAX_LINE_CHARS:
            return
        place = 0
        if self._end:
            place = self._after_end(line, 0)
            yield 0, place, self._inside
        while found := _PATTERNS[self._family].search(line, place):
            kind, (start, place) = str(found.lastgroup), found.span()
            if kind == "block":
                self._end = _BLOCK_ENDS[found.group()]
                self._inside = Token.COMMENT if self._end == "*/" else Token.STRING
                place = self._after_end(line, place)
                yield start, place, self._inside
            elif kind == "key":
                yield start, place, Token.KEYWORD
            elif kind != "word":
                yield start, place, Token[kind.upper()]
            elif (found.group().lower() if self._family == "dashes" else found.group()) in self._words:
                yield start, place, Token.KEYWORD

    def _after_end(self, line: str, place: int) -> int:
        """Return where the open comment or string ends in a line, or the end of the line."""
        end = line.find(self._end, place)
        if end < 0:
            return len(line)
        end += len(self._end)
        self._end = ""
        return end
