"""What a text extractor takes for the content: the yardstick for the guided selection."""

from __future__ import annotations

import copy
import logging

from lxml import etree
from lxml.html import HtmlElement

log = logging.getLogger(__name__)


def oracle_text(tree: HtmlElement, *, with_comments: bool) -> str:
    """The main text of a cleaned tree without structure: Trafilatura's, without its slow second opinions, else
    resiliparse's; empty when neither finds any.
    """
    return _trafilatura(tree, with_comments) or _resiliparse(tree, with_comments)


def _trafilatura(tree: HtmlElement, with_comments: bool) -> str:
    import trafilatura

    try:
        found = trafilatura.extract(
            copy.deepcopy(tree), include_comments=with_comments, include_tables=True, deduplicate=False, fast=True
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
