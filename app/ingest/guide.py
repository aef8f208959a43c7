"""The bundled user guide: Markdown that ships with the program and is the first content of a new corpus."""

from __future__ import annotations

from typing import Final

from app.extract import Page, extract
from app.paths import assets_dir

GUIDE_SCHEME: Final = "webrag://guide/"


def guide_pages() -> list[tuple[str, Page]]:
    """Address and content of every guide page, in the order of the files."""
    pages = []
    for file in sorted((assets_dir() / "guide").glob("*.md")):
        url = f"{GUIDE_SCHEME}{file.stem.split('-', 1)[-1]}"
        pages.append((url, extract(file.read_bytes(), url=url, content_type="text/markdown", charset="utf-8")))
    return pages
