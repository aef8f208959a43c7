"""The Markdown parser, ready for use from several threads.

The tables of its link encoder are filled on first use, and another thread would read a half-filled one. So they are filled
while this module is imported, which Python does once; import it inside functions, because the parser is slow to load.
"""

from __future__ import annotations

from typing import Final

from markdown_it import MarkdownIt

_ANY_LINK: Final = "https://docs.example/"


def markdown_parser(*, html: bool) -> MarkdownIt:
    """A CommonMark parser; `html` tells whether it lets tags through."""
    return MarkdownIt("commonmark", {"html": html})


def _fill_tables() -> None:
    parser = markdown_parser(html=False)
    parser.normalizeLink(_ANY_LINK)
    parser.normalizeLinkText(_ANY_LINK)


_fill_tables()
