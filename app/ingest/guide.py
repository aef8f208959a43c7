"""The bundled user guide: Markdown that ships with the program and is the first content of a new corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from app.extract import Page, extract
from app.paths import assets_dir

GUIDE_SCHEME: Final = "webrag://guide/"


def guide_folder() -> Path:
    """Where the guide is."""
    return assets_dir() / "guide"


def guide_url(name: str) -> str:
    """The address of the page in a file of the guide."""
    return f"{GUIDE_SCHEME}{Path(name).stem.split('-', 1)[-1]}"


def guide_pages() -> list[tuple[str, Page]]:
    """Address and content of every guide page, in the order of the files."""
    pages = []
    for file in sorted(guide_folder().glob("*.md")):
        url = guide_url(file.name)
        pages.append((url, extract(file.read_bytes(), url=url, content_type="text/markdown", charset="utf-8")))
    return pages
