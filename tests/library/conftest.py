"""Every store of pages under one contract: the tests of this folder run on each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.corpus import Corpus
from app.library.protocol import LibraryWriter
from tests.corpus.builders import DIMENSION, MODEL

STORES = ("sqlite",)


@pytest.fixture(scope="module", params=STORES)
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibraryWriter]:
    """A store for the tests of a module."""
    corpus = Corpus.open(tmp_path_factory.mktemp("library") / "corpus.db", dimension=DIMENSION, model=MODEL)
    yield corpus
    assert corpus.verify() == []
    corpus.close()


@pytest.fixture
def library(opened: LibraryWriter) -> LibraryWriter:
    """The store without any page."""
    while rows := opened.documents.summaries(limit=1_000):
        opened.documents.delete([row.id for row in rows])
    return opened
