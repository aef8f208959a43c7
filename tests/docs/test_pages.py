"""The pages of the documentation: their length, and the headings that links name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TARGET_WORDS: Final = {
    "docs/team/index.md": 300,
    "docs/team/deploy.md": 1_300,
    "docs/team/access.md": 1_100,
    "docs/team/operate.md": 1_300,
    "docs/team/join.md": 500,
    "docs/security.md": 1_000,
    "docs/internals/team.md": 800,
    "docs/internals/threats.md": 2_500,
}
"""Words for each page that is written by hand. A page can have a tenth more; beyond that, shorten it or split it by task."""
PAGES: Final = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED: Final = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
LINK: Final = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", TARGET_WORDS)
def test_a_page_is_no_longer_than_planned(page: str) -> None:
    words = len((ROOT / page).read_text("utf-8").split())
    assert words <= TARGET_WORDS[page] * 1.1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_name_headings_that_exist(page: Path) -> None:
    links = LINK.findall(FENCED.sub("", page.read_text("utf-8")))
    targets = [((page.parent / name).resolve() if name else page, anchor) for name, anchor in links]
    assert [(target.name, anchor) for target, anchor in targets if anchor not in anchors(target)] == []
