"""Processes killed during their work, and torn copies of a file: the next start works and does not lose data."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crash import kill_rounds, processes, world
from support.crashing import WORK, Place
from support.torn_copies import Fate, torn_copies

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals and /proc of Linux"),
]

ROUNDS = 20
COPIES = 20
SEED = 7


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with world(tmp_path_factory.mktemp("crash")) as made:
        yield made


@pytest.mark.parametrize("kind", WORK)
def test_reported_changes_survive_a_kill_without_leftovers(template: Place, kind: str) -> None:
    kinds = list(WORK)
    rounds = ROUNDS // len(kinds) + (kinds.index(kind) < ROUNDS % len(kinds))
    for each in kill_rounds(template, rounds, SEED + kinds.index(kind), [kind]):
        assert not each.problems, each.row


def test_a_torn_copy_is_an_earlier_state_or_refused_with_a_message(tmp_path: Path) -> None:
    for copy in torn_copies(tmp_path, COPIES, SEED, processes()):
        assert copy.fate in (Fate.WHOLE, Fate.REFUSED), copy
        assert copy.how != "log cut" or copy.fate is Fate.WHOLE, copy
