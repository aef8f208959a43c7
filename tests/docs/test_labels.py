"""User documentation names buttons, pages and settings by the labels of the window."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from catalogue_file import read_catalogue

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    *sorted((ROOT / "assets" / "guide").glob("*.md")),
    *(ROOT / "docs" / name for name in ("connect.md", "install.md", "privacy.md", "tools.md", "troubleshooting.md")),
)
BOLD: Final = re.compile(r"\*\*([^*\n]+)\*\*(:?)")
"""A label, unless a colon makes it the head of a list item."""
SECTION: Final = re.compile(r"\*(Settings > [^*\n]+)\*")
OF_OTHERS: Final = frozenset({"Apps", "Tools & MCP", "Bridge"})
"""Settings of Windows and Cursor, and a term in a list."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_labels_are_texts_of_the_window(page: Path) -> None:
    window = {source for _, source, _ in read_catalogue(ROOT / "assets" / "translations" / "webrag_de.ts")}
    text = page.read_text("utf-8")
    named = [name for name, colon in BOLD.findall(text) if not colon] + SECTION.findall(text)
    labels = {label for name in named for label in name.split(" > ")}
    assert sorted(each for each in labels - OF_OTHERS if each.replace("… ", "{} ") not in window) == []
