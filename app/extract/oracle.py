"""What two text extractors take for the content: the yardstick for the guided selection."""

from __future__ import annotations

import logging
from typing import Final

log = logging.getLogger(__name__)

BELIEVED_SHARE: Final = 0.55
"""Trafilatura is believed unless it keeps fewer than this share of the words that resiliparse keeps."""


def oracle_text(markup: str, *, is_thread: bool) -> str:
    """The main text without structure; empty when neither extractor finds any."""
    precise = _trafilatura(markup, is_thread)
    wide = _resiliparse(markup, is_thread)
    return precise if len(precise.split()) >= BELIEVED_SHARE * len(wide.split()) else wide


def _trafilatura(markup: str, is_thread: bool) -> str:
    import trafilatura

    try:
        return trafilatura.extract(markup, include_comments=is_thread, include_tables=True, deduplicate=False) or ""
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        log.warning("trafilatura failed on a page", exc_info=True)
        return ""


def _resiliparse(markup: str, is_thread: bool) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(markup, main_content=True, alt_texts=False, list_bullets=False, comments=is_thread))
