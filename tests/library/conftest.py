"""One contract for every page store: the tests of this folder run on each store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.corpus import Corpus
from app.library.protocol import LibraryWriter
from app.library.records import EmbeddingModel
from app.pg import setup
from app.pg.library import PgLibrary
from app.pg.sessions import Rights
from tests.corpus.builders import DIMENSION, MODEL
from tests.support.postgres import is_available

STORES = ("sqlite", "postgresql") if is_available() else ("sqlite",)


@pytest.fixture(scope="module", params=STORES)
def opened(request: pytest.FixtureRequest) -> Iterator[LibraryWriter]:
    """A store for the tests of a module."""
    yield from request.getfixturevalue(f"on_{request.param}")


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibraryWriter]:
    def store() -> Iterator[LibraryWriter]:
        corpus = Corpus.open(tmp_path_factory.mktemp("library") / "corpus.db", dimension=DIMENSION, model=MODEL)
        yield corpus
        assert corpus.verify() == []
        corpus.close()

    return store()


@pytest.fixture(scope="module")
def on_postgresql(request: pytest.FixtureRequest) -> Iterator[LibraryWriter]:
    server = request.getfixturevalue("postgres")

    def store() -> Iterator[LibraryWriter]:
        address, model = server.new_database("contract"), EmbeddingModel(MODEL, DIMENSION)
        setup.init(address, model)
        library = PgLibrary.open("team", address, model)
        own = library.collections()["library"]
        yield library.within(Rights((own,), (own,)))
        library.close()

    return store()


@pytest.fixture
def library(opened: LibraryWriter) -> LibraryWriter:
    """The store without any pages."""
    while rows := opened.documents.summaries(limit=1_000):
        opened.documents.delete([row.id for row in rows])
    return opened
