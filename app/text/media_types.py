"""Media types and file names that several packages take for the same."""

from __future__ import annotations

from typing import Final

NOT_TEXT_TYPES: Final = frozenset(
    {"text/css", "text/javascript", "text/ecmascript", "text/calendar", "text/vcard", "text/event-stream"}
)
"""Types that are called text and hold no text to read; all others are taken where plain text is."""

MARKDOWN_TYPES: Final = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})
MARKDOWN_NAMES: Final = (".md", ".markdown", ".mdx", ".mkd", ".mdown")

ARCHIVE_TYPES: Final = frozenset({"multipart/related", "message/rfc822", "application/x-mimearchive"})
ARCHIVE_NAMES: Final = (".mht", ".mhtml", ".eml")
"""Pages saved as one message of several parts, and messages themselves."""
