"""The extension for the search by words: used where it is, done without in the same query where it breaks.

The extension itself is in no package: a function of the same form stands in for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from app.library.records import EmbeddingModel
from app.library.scope import EVERYTHING, Filter
from app.pg import setup, text_search
from app.pg.connections import Connections, Rights, Role
from app.pg.library import PgLibrary
from tests.corpus.builders import DIMENSION, document
from tests.support.postgres import PostgresServer

MODEL = EmbeddingModel("model-a", DIMENSION)
BASE = "https://example.org/"
STAND_IN = """
CREATE OR REPLACE FUNCTION ranked(query text, most int) RETURNS TABLE(chunk_id bigint, score float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = webrag, pg_temp AS $$
  SELECT w.chunk_id, ts_rank(w.words, plainto_tsquery('words', query))::float8 FROM chunk_words w
  WHERE w.words @@ plainto_tsquery('words', query) ORDER BY 2 DESC, 1 LIMIT most
$$;
GRANT EXECUTE ON FUNCTION ranked TO webrag_node;
"""
DAMAGED = """
CREATE OR REPLACE FUNCTION ranked(query text, most int) RETURNS TABLE(chunk_id bigint, score float8) LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'invalid page in block 7 of relation' USING ERRCODE = 'data_corrupted'; END $$;
"""


@pytest.fixture(scope="module")
def owner(postgres: PostgresServer) -> Iterator[Connections]:
    address = postgres.new_database("ranked")
    setup.init(address, MODEL)
    connections = Connections(address, Role.OWNER, size=1)
    connections.write(lambda con: con.execute("INSERT INTO collections(name) VALUES('other')"))
    yield connections
    connections.close()


@pytest.fixture
def opened(owner: Connections, monkeypatch: pytest.MonkeyPatch) -> Iterator[PgLibrary]:
    """A library whose nodes ask anew each time whether the function is there."""
    monkeypatch.setattr(text_search, "PROBE_SECONDS", 0.0)
    library = PgLibrary.open("team", owner._address, MODEL)
    mine, other = library.within(Rights((1,), (1,))), library.within(Rights((2,), (2,)))
    mine.documents.store(document(BASE, [f"pump number {number}" for number in range(20)]))
    other.documents.store(document(BASE + "other", [f"secret pump {number}" for number in range(20)]))
    yield library
    library.close()


def run(owner: Connections, statement: str) -> None:
    owner.outside(lambda con: con.execute(statement))


def found(library: PgLibrary, *terms: str, within: Filter = EVERYTHING) -> list[int]:
    return [hit.chunk_id for hit in library.within(Rights((1,))).chunks.lexical(list(terms), filter=within, k=30)]


def test_a_broken_index_is_done_without_in_the_same_query(
    opened: PgLibrary, owner: Connections, caplog: pytest.LogCaptureFixture
) -> None:
    address = owner._address
    expected = found(opened, "pump")
    assert len(expected) == 20
    assert setup.state(address).text_search == "built in"
    run(owner, STAND_IN)
    assert setup.state(address).text_search == "pg_textsearch"
    assert sorted(found(opened, "pump")) == sorted(expected)
    run(owner, DAMAGED)
    with caplog.at_level(logging.WARNING, "app.pg.text_search"):
        assert found(opened, "pump") == expected
    assert "goes without pg_textsearch: invalid page" in caplog.text
    assert "fails: invalid page" in setup.state(address).text_search
    run(owner, "DROP FUNCTION ranked")
    assert found(opened, "pump") == expected
    assert setup.state(address).text_search == "built in"


def test_only_what_may_be_read_is_found_and_all_of_it(
    opened: PgLibrary, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = found(opened, "pump")
    run(owner, STAND_IN)
    try:
        assert set(found(opened, "pump")) == set(expected)
        assert found(opened, "secret") == []
        assert found(opened, "pump", within=Filter(urls=(BASE + "other",))) == []
        assert found(opened, "number 7") == found(opened, "number 7", within=Filter(urls=(BASE,)))
        # Where those of others take all the places, the index of words finds the rest.
        monkeypatch.setattr("app.pg.chunks.CANDIDATES", 5)
        monkeypatch.setattr(text_search, "MORE_ASKED_FOR", 1)
        assert set(found(opened, "pump")) == set(expected)
    finally:
        run(owner, "DROP FUNCTION ranked")
