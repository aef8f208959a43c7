"""From a fetched body to a Page: clean Markdown text with sections, links and images beside it."""

from __future__ import annotations

from app.extract.page import Image, Link, Page, Section

__all__ = ["Image", "Link", "Page", "Section", "extract", "page_markdown"]


def extract(body: bytes, *, url: str, content_type: str, charset: str | None) -> Page:
    """The readable content of a body (HTML, XHTML, Markdown, MDX, plain text, PDF, MHTML, RSS, Atom) found at `url`.

    `content_type` may be empty and carry parameters, `charset` is what the server said. Raises
    UnsupportedContentError (images, binary data, damaged files, sitemaps), EmptyPageError (no text; SkeletonPageError
    where scripts make it) and ContentProtectedError (a sign-in wall, a password).
    """
    from app.extract.formats import extract_body

    return extract_body(body, url=url, content_type=content_type, charset=charset)


def page_markdown(page: Page) -> str:
    """The page as full Markdown, link targets put back in, for export and preview."""
    from app.extract.export import to_markdown

    return to_markdown(page)
