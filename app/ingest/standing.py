"""Whether a page that was read again may take the place of the copy that is stored."""

from __future__ import annotations

from typing import Final

from app.corpus.records import Document
from app.extract import Page

_MUCH_SHORTER: Final = 0.2
_WORTH_MENTION_CHARS: Final = 2_000


def is_skeleton(page: Page) -> bool:
    """Whether the page says that JavaScript builds most of it."""
    from app.extract.soft_errors import SKELETON_NOTE

    return SKELETON_NOTE in page.note


def why_kept(page: Page, stored: Document) -> str:
    """Why a stored copy is better than the page that was read now; empty when it is not.

    A soft 404 or a skeleton does not replace what was read when the page was whole.
    """
    from app.extract.soft_errors import NOT_FOUND_NOTE, SKELETON_NOTE

    for note, reason in ((NOT_FOUND_NOTE, "now says that it was not found"), (SKELETON_NOTE, "now needs JavaScript")):
        if note in page.note and note not in stored.note and len(page.text) < len(stored.text):
            return reason
    return ""


def absorbed_note(stored: Document, url: str) -> str:
    """What to say when a page stored under another address now leads to `url` and becomes one with it."""
    return f"{stored.url}, which was stored before, now leads here." if stored.url != url else ""


def shorter_note(page: Page, stored: Document) -> str:
    """What to say when a page lost most of its text."""
    if len(stored.text) < _WORTH_MENTION_CHARS or len(page.text) >= _MUCH_SHORTER * len(stored.text):
        return ""
    return f"The page is much shorter than before ({len(page.text):,} in place of {len(stored.text):,} characters)."
