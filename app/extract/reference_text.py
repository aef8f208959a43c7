"""Independent evidence of what the content of a page is, for the guided selection.

The text that an extractor finds, the texts that a page declares in JSON-LD (descriptions of products, questions and
answers), and tables or lists of terms that give the properties of a product.
"""

from __future__ import annotations

import copy
import html
import json
import logging
import re
from collections.abc import Iterator
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.tree import elements, link_share, text_size

log = logging.getLogger(__name__)
_SCRIPT: Final = re.compile(r"<script[^<>]{0,400}application/ld\+json[^<>]{0,400}>", re.IGNORECASE)
_END: Final = "</script"
_TAG: Final = re.compile(r"<[^<>]*>")
_TEXTS: Final = {
    "Product": ("description", "disambiguatingDescription"),
    "ProductGroup": ("description", "disambiguatingDescription"),
    "ProductModel": ("description", "disambiguatingDescription"),
    "PropertyValue": ("value",),
    "Question": ("name",),
    "Answer": ("text",),
}
_MAX_SCRIPT_CHARS: Final = 500_000
_MAX_NODES: Final = 20_000
_CANDIDATES: Final = elements("//*[(self::table and not(.//table)) or (self::dl and dt and dd)]")
_ROWS: Final = elements(".//tr")
_MIN_PAIRS: Final = 2
_MAX_VALUE_CHARS: Final = 120
_MAX_LINK_SHARE: Final = 0.3


def reference_text(tree: HtmlElement, *, with_comments: bool, thorough: bool = False) -> str:
    """The main text of a cleaned tree without structure: Trafilatura's, if not `thorough` without its slow second opinions,
    else resiliparse's; empty when neither finds any.
    """
    return _trafilatura(tree, with_comments, thorough) or _resiliparse(tree, with_comments)


def _trafilatura(tree: HtmlElement, with_comments: bool, thorough: bool) -> str:
    import trafilatura

    try:
        found = trafilatura.extract(
            copy.deepcopy(tree),
            include_comments=with_comments,
            include_tables=True,
            deduplicate=False,
            fast=not thorough,
        )
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        log.warning("trafilatura failed on a page", exc_info=True)
        return ""
    return found or ""


def _resiliparse(tree: HtmlElement, with_comments: bool) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    markup = etree.tostring(tree, encoding="unicode", method="html")
    return str(
        extract_plain_text(markup, main_content=True, alt_texts=False, list_bullets=False, comments=with_comments)
    )


def declared_texts(markup: str) -> list[str]:
    """The texts, without markup; none of a script that is no JSON."""
    return [text for script in _scripts(markup) for text in _texts(_parsed(script))]


def _scripts(markup: str) -> Iterator[str]:
    position = 0
    while (start := _SCRIPT.search(markup, position)) is not None:
        position = markup.find(_END, start.end())
        if position < 0:
            return
        yield markup[start.end() : position]


def _parsed(script: str) -> object:
    """The value of a script, whatever wraps it; None when it is broken."""
    if len(script) > _MAX_SCRIPT_CHARS:
        return None
    script = script.replace("<![CDATA[", "").replace("]]>", "")
    start = next((position for position, sign in enumerate(script) if sign in "{["), 0)
    end = max(script.rfind("}"), script.rfind("]"))
    try:
        value: object = json.loads(script[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def _texts(value: object) -> Iterator[str]:
    pending = [value]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            pending.extend(node.values())
            for name in _names(node.get("@type")):
                yield from (_plain(node[key]) for key in _TEXTS.get(name, ()) if isinstance(node.get(key), str))


def _names(kind: object) -> list[str]:
    return [name for name in (kind if isinstance(kind, list) else [kind]) if isinstance(name, str)]


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", html.unescape(text)))


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
