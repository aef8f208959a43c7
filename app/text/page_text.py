"""Text of pages as it stands in a result: marked by its place, so that nothing a page says can be taken for a line of ours.

A result tells page text from its own by structure alone, whatever the page spells: lines of a page begin with `PAGE_MARK`, which no
line of ours begins with; a few words of one within a line stand in double quotes, which the words themselves cannot hold, or are the
rest of a line behind `§`; an address has no space. `instruction_flags` says what looks like a forgery; nothing depends on it.
"""

from __future__ import annotations

import re
from typing import Final

PAGE_MARK: Final = "> "

_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters of both sets but line feed and tab: a terminal obeys what follows some of them. Then embeddings,
overrides and isolates, which show letters in another order than they stand."""
_DOUBLE_QUOTES: Final = re.compile('["\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]')
_GUILLEMETS: Final = re.compile("[«»]+")
_MARKS: Final = re.compile(rf"(?m)^{PAGE_MARK.rstrip()} ?")


def marked(text: str) -> str:
    """Each line of page text behind the mark. Every character that any reader takes for the end of a line ends one; empty lines stay
    empty."""
    return "\n".join(PAGE_MARK + line if line.strip() else "" for line in map(tame, text.splitlines()))


def marked_quote(text: str) -> str:
    """The same for an exact quote in double quotes, whose first line stands behind the opening one."""
    first, *rest = f'"{text}"'.splitlines()
    return "\n".join([tame(first), *(marked(line) for line in rest)])


def marked_passage(before: str, quote: str, after: str) -> str:
    """Page text around a quote in «», which are repeated until the page has no run that is as long."""
    longest = max((len(run) for run in _GUILLEMETS.findall(f"{before}{quote}{after}")), default=0)
    return marked(f"{before}{'«' * (longest + 1)}{quote}{'»' * (longest + 1)}{after}")


def unmarked(text: str) -> str:
    """What somebody copied out of a result, without the marks of its lines."""
    return _MARKS.sub("", text)


def quoted(text: str, limit: int | None = None) -> str:
    """Words of a page on one line in double quotes; those that they hold themselves become single ones."""
    return f'"{_DOUBLE_QUOTES.sub(chr(39), one_line(text, limit))}"'


def address(url: str, limit: int | None = None) -> str:
    """An address without spaces, quotes and what cannot be seen, which are escaped; cut at `limit` characters."""
    line = "".join(c if c.isprintable() and c not in ' "' else _escaped(c) for c in url)
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "…"


def one_line(text: str, limit: int | None = None) -> str:
    """The text on one line, without what would steer a terminal or turn letters round, cut at `limit` characters."""
    line = " ".join(tame(" ".join(text.split())).split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def tame(text: str) -> str:
    """Text whose lines and tabs stay, without what would steer a terminal or turn letters round."""
    return _STEERING.sub("", text)


def tame_json(text: str) -> str:
    """JSON with the same characters written as escapes, so that reading it gives them back."""
    return _STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
