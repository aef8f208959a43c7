"""What two text extractors take for the content: the yardstick for the guided selection."""

from __future__ import annotations

import logging

log = logging.getLogger(__name__)


def oracle_text(markup: str, *, with_comments: bool) -> str:
    """The main text without structure: Trafilatura's, else resiliparse's; empty when neither finds any."""
    return _trafilatura(markup, with_comments) or _resiliparse(markup, with_comments)


def _trafilatura(markup: str, with_comments: bool) -> str:
    import trafilatura

    try:
        return trafilatura.extract(markup, include_comments=with_comments, include_tables=True, deduplicate=False) or ""
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        log.warning("trafilatura failed on a page", exc_info=True)
        return ""


def _resiliparse(markup: str, with_comments: bool) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(
        extract_plain_text(markup, main_content=True, alt_texts=False, list_bullets=False, comments=with_comments)
    )
