"""Links in the documentation name headings that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED: Final = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
LINK: Final = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_name_headings_that_exist(page: Path) -> None:
    links = LINK.findall(FENCED.sub("", page.read_text("utf-8")))
    targets = [((page.parent / name).resolve() if name else page, anchor) for name, anchor in links]
    assert [(target.name, anchor) for target, anchor in targets if anchor not in anchors(target)] == []
