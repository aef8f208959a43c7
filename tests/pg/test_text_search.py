"""The extension for the search by words: used where it is, done without in the same query where it breaks.

The tests use the extension itself where their server has it. No package has it: what stands in for it elsewhere takes the same calls.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from app.errors import LibraryAwayError
from app.library.records import EmbeddingModel
from app.library.scope import EVERYTHING, Filter
from app.pg import setup, text_search
from app.pg.connections import Connections
from app.pg.library import PgLibrary
from app.pg.sessions import Rights, Role
from tests.corpus.builders import DIMENSION, document
from tests.support.postgres import PostgresServer

MODEL = EmbeddingModel("model-a", DIMENSION)
BASE = "https://example.org/"
IS_OFFERED = "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_textsearch')"
STAND_IN = """
CREATE FUNCTION public.to_bm25query(query text, index text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$ BEGIN
  IF to_regclass(index) IS NULL THEN RAISE 'index "%" does not exist', index; END IF;
  RETURN replace(plainto_tsquery('simple', query)::text, '&', '|')::tsquery;
END $$;
CREATE FUNCTION public.bm25_score(text, tsquery) RETURNS float8 LANGUAGE sql IMMUTABLE
  AS $$ SELECT -ts_rank(to_tsvector('simple', $1), $2)::float8 $$;
CREATE OPERATOR public.<@> (LEFTARG = text, RIGHTARG = tsquery, FUNCTION = public.bm25_score);
"""
TEXTS = (
    "Databases are migrated by universities.",
    "The café of Zürich, snake_case and foo.bar.baz, 3d and 007.",
    "Nothing of what was asked for.",
)
ASKED = ("database", "databases", "university", "cafe", "zurich", "snake", "bar", "3d", "007", "the", "guide", "page")
DAMAGED = """
CREATE OR REPLACE FUNCTION ranked(query text, most int) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'invalid page in block 7 of relation' USING ERRCODE = '{}'; END $$;
"""


@pytest.fixture(scope="module")
def owner(postgres: PostgresServer) -> Iterator[Connections]:
    """Of a library whose server got the extension after it was set up."""
    address = postgres.new_database("ranked")
    setup.init(address, MODEL)
    connections = Connections(address, Role.OWNER, size=1)
    connections.write(lambda con: con.execute("INSERT INTO collections(name) VALUES('other')"))
    assert setup.state(address).text_search == "built in"
    administrator = Connections(address, Role.LOGIN, size=1)
    with pytest.MonkeyPatch.context() as patched:
        if administrator.outside(lambda con: con.fetchval(IS_OFFERED)):
            administrator.outside(lambda con: con.execute("CREATE EXTENSION pg_textsearch"))
        else:
            administrator.outside(lambda con: con.execute(STAND_IN))
            patched.setattr(text_search, "IS_INSTALLED", "SELECT true")
            patched.setattr(
                text_search, "FIND_PLACE", "SELECT set_config('search_path', 'webrag, public, pg_temp', true)"
            )
            patched.setattr(text_search, "INDEXED", "ranked_words USING gin(to_tsvector('simple', words))")
        administrator.close()
        assert "not used yet: webrag library migrate" in setup.state(address).text_search
        yield connections
    connections.close()


@pytest.fixture
def opened(owner: Connections, monkeypatch: pytest.MonkeyPatch) -> Iterator[PgLibrary]:
    """A library whose nodes ask anew each time whether the function is there."""
    monkeypatch.setattr(text_search, "PROBE_SECONDS", 0.0)
    library = PgLibrary.open("team", owner._address, MODEL)
    mine, other = library.within(Rights((1,), (1,))), library.within(Rights((2,), (2,)))
    mine.documents.store(document(BASE, [*TEXTS, *(f"pump number {number}" for number in range(20))]))
    other.documents.store(document(BASE + "other", [f"secret pump {number}" for number in range(20)]))
    run(owner, text_search.UNMAKE)
    setup.migrate(owner._address)
    yield library
    library.close()


def run(owner: Connections, statement: str) -> None:
    owner.outside(lambda con: con.execute(statement))


def found(library: PgLibrary, *terms: str, within: Filter = EVERYTHING) -> list[int]:
    return [hit.chunk_id for hit in library.within(Rights((1,))).chunks.lexical(list(terms), filter=within, k=30)]


def built_in(library: PgLibrary, *terms: str) -> list[int]:
    """What is found without the extension: it is not asked in a scope."""
    return found(library, *terms, within=Filter(url_prefix="https:"))


def status(owner: Connections) -> str:
    return setup.state(owner._address).text_search


def test_it_finds_what_the_index_of_words_finds(opened: PgLibrary, owner: Connections) -> None:
    assert status(owner) == "pg_textsearch"
    assert setup.build_indexes(owner._address) == []
    assert {word: found(opened, word) for word in ASKED} == {word: built_in(opened, word) for word in ASKED}
    assert all(found(opened, word) for word in ASKED)
    assert found(opened, *ASKED) == built_in(opened, *ASKED)


def test_it_follows_what_is_stored_and_deleted(opened: PgLibrary) -> None:
    mine = opened.within(Rights((1,), (1,)))
    stored = mine.documents.store(document(BASE + "new", ["Alpacas graze."], title="Andes"))
    assert len(found(opened, "alpaca")) == len(found(opened, "andes")) == 1
    mine.documents.store(document(BASE + "new", ["Alpacas graze."], title="Peru"))
    assert len(found(opened, "peru")) == 1 and found(opened, "andes") == []
    mine.documents.delete([stored.document_id])
    assert found(opened, "alpaca") == []


def test_an_index_that_lacks_is_done_without_in_the_same_query(
    opened: PgLibrary, owner: Connections, caplog: pytest.LogCaptureFixture
) -> None:
    expected = built_in(opened, "pump")
    assert len(expected) == 20 and found(opened, "pump") == expected
    run(owner, f"DROP INDEX {text_search.INDEX}")
    with caplog.at_level(logging.WARNING, "app.pg.text_search"):
        assert found(opened, "pump") == expected
    assert "goes without pg_textsearch: index" in caplog.text
    assert "fails: index" in status(owner)
    assert setup.build_indexes(owner._address) == [text_search.INDEX]
    assert status(owner) == "pg_textsearch"
    run(owner, DAMAGED.format("data_corrupted"))
    assert found(opened, "pump") == expected
    assert "fails: invalid page" in status(owner)


def test_pages_are_stored_while_it_is_broken_and_found(opened: PgLibrary, owner: Connections) -> None:
    run(owner, "ALTER TABLE ranked_words ADD CONSTRAINT broken CHECK (false) NOT VALID")
    mine = opened.within(Rights((1,), (1,)))
    stored = mine.documents.store(document(BASE + "new", ["Alpacas graze."]))
    assert "passages lack since" in status(owner) and "broken" in status(owner)
    assert len(found(opened, "alpaca")) == 1
    setup.migrate(owner._address)
    assert status(owner) == "pg_textsearch"
    assert len(found(opened, "alpaca")) == 1
    mine.documents.delete([stored.document_id])


def test_a_copy_that_was_broken_off_is_made_anew(
    opened: PgLibrary, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(owner, text_search.UNMAKE)
    with monkeypatch.context() as broken:
        broken.setattr(text_search, "COPY", "SELECT 1 / 0 WHERE $1::bigint >= $2::bigint - $2::bigint")
        setup.migrate(owner._address)
    assert "being copied" in status(owner)
    assert len(found(opened, "pump")) == 20
    setup.migrate(owner._address)
    assert status(owner) == "pg_textsearch"
    assert found(opened, "pump") == built_in(opened, "pump")


def test_a_server_that_it_brings_down_is_not_brought_down_again(opened: PgLibrary, owner: Connections) -> None:
    run(owner, DAMAGED.format("crash_shutdown"))
    with pytest.raises(LibraryAwayError):
        found(opened, "pump")
    assert len(found(opened, "pump")) == 20


def test_only_what_may_be_read_is_found_and_all_of_it(opened: PgLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = built_in(opened, "pump")
    assert found(opened, "secret") == []
    assert found(opened, "pump", within=Filter(urls=(BASE + "other",))) == []
    # Where those of others take all the places, the index of words finds the rest.
    monkeypatch.setattr("app.pg.chunks.CANDIDATES", 5)
    monkeypatch.setattr(text_search, "MORE_ASKED_FOR", 1)
    assert set(found(opened, "pump")) == set(expected)
