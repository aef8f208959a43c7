"""Provide the Markdown parser for several threads.

The tables of its link encoder are filled on first use, and another thread could read them half-filled. Importing this module fills them
once. Import it inside functions, because the parser is slow to load.
"""

from __future__ import annotations

from markdown_it import MarkdownIt

from app.extract.markdown_source import MAX_NESTING


def markdown_parser(*, html: bool) -> MarkdownIt:
    """Return a CommonMark parser; `html` allows tags."""
    return MarkdownIt("commonmark", {"html": html, "maxNesting": MAX_NESTING})


_FILLING = markdown_parser(html=False)
_FILLING.normalizeLink("https://docs.example/")
_FILLING.normalizeLinkText("https://docs.example/")
