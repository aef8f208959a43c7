"""Front matter: the few fields at the head of a Markdown file that describe the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app import caps
from app.extract.characters import collapse
from app.extract.metadata import iso_date

_BLOCK: Final = re.compile(
    r"\A\ufeff?(?:---[ \t]*\n(.*?)\n(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?)\n\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL
)
_FIELD: Final = re.compile(r"^([A-Za-z][\w-]*)[ \t]*[:=][ \t]*(.*?)[ \t]*$", re.MULTILINE)

_MAX_BLOCK_CHARS: Final = 50_000
_BLOCK_SCALAR: Final = re.compile(r"[>|][+-]?\d?")
_INDENTED: Final = re.compile(r"(?:\n(?:[ \t]+.*|[ \t]*$))*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the fields say; empty or None where nothing."""

    title: str = ""
    description: str = ""
    language: str = ""
    published: str | None = None


def read_front_matter(source: str) -> tuple[FrontMatter, str]:
    """The fields of a YAML or TOML block at the start, and the source without it."""
    match = _BLOCK.match(source, 0, _MAX_BLOCK_CHARS)
    if match is None or not _FIELD.match(match.group(1) or match.group(2) or ""):
        return FrontMatter(), source
    block = match.group(1) or match.group(2) or ""
    fields: dict[str, str] = {}
    for field in _FIELD.finditer(block):
        value = field.group(2)
        if _BLOCK_SCALAR.fullmatch(value):
            value = " ".join(_INDENTED.match(block, field.end()).group().split())  # type: ignore[union-attr]
        fields.setdefault(field.group(1).lower(), _unquote(value))
    front = FrontMatter(
        title=collapse(fields.get("title", ""))[: caps.MAX_TITLE_CHARS],
        description=collapse(fields.get("description", ""))[: caps.MAX_DESCRIPTION_CHARS].rstrip(),
        language=fields.get("lang", "") or fields.get("language", ""),
        published=iso_date(fields.get("date", "")) or iso_date(fields.get("published", "")),
    )
    return front, source[match.end() :]


def _unquote(value: str) -> str:
    if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
        return value[1:-1]
    return value
