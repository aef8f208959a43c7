"""Pages stay near their target length, so that each keeps one reader and one purpose."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
WORD: Final = re.compile(r"\w")
TARGETS: Final = {
    "CHANGELOG.md": 550,
    "CONTRIBUTING.md": 1_200,
    "README.md": 750,
    "assets/guide/*.md": 4_900,
    "docs/api-contracts.in.md": 1_500,
    "docs/connect.md": 1_500,
    "docs/index.md": 100,
    "docs/install.md": 1_050,
    "docs/internals/answers.md": 1_660,
    "docs/internals/architecture.md": 830,
    "docs/internals/design-decisions.md": 700,
    "docs/internals/how-to.md": 900,
    "docs/internals/maintenance.md": 500,
    "docs/internals/measurements.md": 2_800,
    "docs/internals/style.md": 1_400,
    "docs/internals/team.md": 800,
    "docs/internals/threats.md": 2_500,
    "docs/privacy.md": 730,
    "docs/security.md": 1_010,
    "docs/team/access.md": 1_100,
    "docs/team/deploy.md": 1_300,
    "docs/team/index.md": 300,
    "docs/team/join.md": 500,
    "docs/team/operate.md": 1_300,
    "docs/tools.md": 1_260,
    "docs/tour.md": 250,
    "docs/troubleshooting.md": 600,
}
"""Words per page, or of several pages together. They can be 10 % longer."""


@pytest.mark.parametrize("page", TARGETS)
def test_pages_stay_near_their_target_length(page: str) -> None:
    text = "\n".join(path.read_text("utf-8") for path in ROOT.glob(page))
    words = sum(WORD.search(word) is not None for word in text.split())
    assert 0 < words <= TARGETS[page] * 1.1
