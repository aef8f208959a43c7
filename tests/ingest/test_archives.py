"""A saved page is the same under every name and media type."""

from __future__ import annotations

import pytest

from app.extract import extract
from app.text.media_types import ARCHIVE_NAMES, ARCHIVE_TYPES
from app.web.body import PAGE_TYPES

SAVED = b"""MIME-Version: 1.0\r
Content-Type: multipart/related; boundary=edge; type="text/html"\r
\r
--edge\r
Content-Type: text/html; charset=utf-8\r
Content-Location: https://harbour.example/crane\r
\r
<html><head><title>Crane</title></head><body><h1>Crane</h1><p>The crane lifts forty tons every morning.</p></body></html>\r
--edge--\r
"""
CALLED = [("/saved", kind) for kind in sorted(ARCHIVE_TYPES)] + [
    (f"/saved{name}", "text/plain") for name in ARCHIVE_NAMES
]


@pytest.mark.parametrize(("path", "kind"), CALLED)
def test_every_name_of_an_archive_is_fetched_and_read(path: str, kind: str) -> None:
    assert kind in PAGE_TYPES
    page = extract(SAVED, url=f"https://disk.example{path}", content_type=kind, charset=None)
    assert page.title == "Crane" and "forty tons" in page.text and "Content-Type" not in page.text
