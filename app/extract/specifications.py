"""Tables and lists of terms that give the properties of a product: names beside short values."""

from __future__ import annotations

from typing import Final

from lxml.html import HtmlElement

from app.extract.measure import link_share, text_size
from app.extract.xpath import elements

_CANDIDATES: Final = elements("//*[(self::table and not(.//table)) or (self::dl and dt and dd)]")
_ROWS: Final = elements(".//tr")
_MIN_PAIRS: Final = 2
_MAX_VALUE_CHARS: Final = 120
_MAX_LINK_SHARE: Final = 0.3


def specifications(tree: HtmlElement) -> list[HtmlElement]:
    """Tables of two columns and lists of terms, with short values and few links."""
    return [part for part in _CANDIDATES(tree) if _is_specification(part)]


def _is_specification(part: HtmlElement) -> bool:
    pairs = _table_pairs(part) if part.tag == "table" else len(part.findall("dt"))
    if pairs < _MIN_PAIRS:
        return False
    return text_size(part) <= pairs * _MAX_VALUE_CHARS and link_share(part) <= _MAX_LINK_SHARE


def _table_pairs(table: HtmlElement) -> int:
    """Number of rows when every row with text has a name and a value, else 0."""
    rows = [row for row in _ROWS(table) if text_size(row)]
    return len(rows) if all(len(row) == _MIN_PAIRS for row in rows) else 0
