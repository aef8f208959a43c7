"""From a fetched body to a Page: clean Markdown text with sections, links and images beside it."""

from __future__ import annotations

from app.extract.formats import extract
from app.extract.page import Image, Link, Page, Section, page_markdown

__all__ = ["Image", "Link", "Page", "Section", "extract", "page_markdown"]
