"""Mark page text in results, so that text from a page cannot be mistaken for WebRAG's own lines.

The structure alone separates page text from WebRAG's text, regardless of its content. Lines of a page begin with `PAGE_MARK`, which none
of our lines begins with. A few page words within a line are in double quotes, which they cannot contain, or follow `§` to the end of the
line. An address has no spaces. `instruction_flags` marks apparent forgeries, but nothing depends on it.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

PAGE_MARK: Final = "> "
_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except line feed and tab, because a terminal obeys some sequences, and embeddings, overrides and isolates, because
they change the order of displayed letters.
"""
_DOUBLE_QUOTES: Final = re.compile('["\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]')
_GUILLEMETS: Final = re.compile("[«»]+")
_MARKS: Final = re.compile(rf"(?m)^{PAGE_MARK.rstrip()} ?")


def marked(text: str) -> str:
    """Put the mark before each line of page text, at all signs that a reader takes for a line end. Empty lines stay empty."""
    return "\n".join(PAGE_MARK + line if line.strip() else "" for line in map(tame, text.splitlines()))


def marked_quote(text: str) -> str:
    """Mark an exact quote in double quotes; its first line follows the opening one."""
    first, *rest = f'"{text}"'.splitlines()
    return "\n".join([tame(first), *(marked(line) for line in rest)])


def marked_passage(before: str, quote: str, after: str) -> str:
    """Mark page text around a quote in «». The signs are repeated until the page contains no run of that length."""
    longest = max((len(run) for run in _GUILLEMETS.findall(f"{before}{quote}{after}")), default=0)
    return marked(f"{before}{'«' * (longest + 1)}{quote}{'»' * (longest + 1)}{after}")


def unmarked(text: str) -> str:
    """Remove the line marks from text that was copied out of a result."""
    return _MARKS.sub("", text)


def quoted(text: str, limit: int | None = None) -> str:
    """Return page words on one line in double quotes; double quotes inside become single ones."""
    return f'"{_DOUBLE_QUOTES.sub(chr(39), one_line(text, limit))}"'


def address(url: str, limit: int | None = None) -> str:
    """Escape spaces, quotes and invisible characters of an address, and cut it at `limit` characters."""
    line = "".join(c if c.isprintable() and c not in ' "' else quote(c, safe="", errors="replace") for c in url)
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "…"


def one_line(text: str, limit: int | None = None) -> str:
    """Return the text on one line without characters that control a terminal or reverse letters, cut at `limit` characters."""
    line = " ".join(tame(" ".join(text.split())).split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def tame(text: str) -> str:
    """Remove characters that control a terminal or reverse letters; lines and tabs remain."""
    return _STEERING.sub("", text)


def tame_json(text: str) -> str:
    """Escape the same characters in JSON, so that parsing restores them."""
    return _STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
