from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.corpus import Corpus
from tests.corpus.builders import DIMENSION, MODEL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "corpus.db"


@pytest.fixture
def corpus(path: Path) -> Iterator[Corpus]:
    """An empty corpus. After the test, it must be intact."""
    opened = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    yield opened
    assert opened.verify() == []
    opened.close()
