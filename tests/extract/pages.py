"""Helpers that create pages in tests."""

from __future__ import annotations

from pathlib import Path

from app.extract import Page, extract

FIXTURES = Path(__file__).parent / "fixtures"
URL = "https://docs.example/guide/page.html"


def html_page(body: str, *, head: str = "", url: str = URL) -> Page:
    """Return the page of an HTML document with this body."""
    markup = f"<!doctype html><html><head><title>Test</title>{head}</head><body>{body}</body></html>"
    return extract(markup.encode(), url=url, content_type="text/html", charset="utf-8")


def text_of(body: str) -> str:
    """Return the Markdown of a body."""
    return html_page(body).text


def fixture_page(name: str, *, url: str = URL) -> Page:
    """Return the page of a file in the fixtures folder."""
    return extract((FIXTURES / name).read_bytes(), url=url, content_type="text/html", charset=None)


def markdown_page(source: str, *, url: str = "https://docs.example/guide/page.md") -> Page:
    """Return the page of a Markdown source."""
    return extract(source.encode(), url=url, content_type="text/markdown", charset="utf-8")


def check_offsets(page: Page) -> None:
    """Check that every offset of a page points at its text."""
    for link in page.links:
        assert page.text[link.start : link.end] == link.text
        assert link.text == link.text.strip() != ""
        assert link.url.startswith(("http://", "https://"))
    last = 0
    for section in page.sections:
        assert last <= section.start < section.end <= len(page.text)
        last = section.end
        assert section.start == 0 or page.text[section.start - 1] == "\n"
        line = page.text[section.start :].partition("\n")[0]
        if line.startswith("#"):
            assert line.startswith("#" * section.level + " " + section.heading)
        elif not (section.anchor or "").startswith("cell="):
            assert line.startswith("**")
    for image in page.images:
        assert 0 <= image.position <= len(page.text)
