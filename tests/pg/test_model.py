"""A shared library changes to another model completely or not at all, while nodes with the earlier model use keyword search."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from app.cli import main
from app.cli.library import own_model
from app.errors import (
    CorpusBusyError,
    CorpusError,
    CorpusTooNewError,
    EmbeddingMismatchError,
    LibraryAwayError,
    LibraryForbiddenError,
)
from app.library.copying import DocumentCopy
from app.library.records import EmbeddingModel
from app.library.scope import Filter
from app.pg import schema, setup
from app.pg import setup as models
from app.pg.connections import Connections
from app.pg.library import PgLibrary
from app.pg.sessions import Connection, Rights, Role
from tests.corpus.builders import document, embed, embedding, unit_vectors
from tests.support.postgres import PostgresServer

BEFORE = EmbeddingModel("model-a", 64)
SAME_SIZE = EmbeddingModel("model-b", 64)
SMALLER = EmbeddingModel("model-c", 32)
SECONDS = 240.0
ALL = Rights((1,), (1,))
LOCKS_WAITED_FOR = "SELECT count(*) FROM pg_locks WHERE NOT granted"


def opened(address: str, model: EmbeddingModel, role: Role = Role.NODE) -> PgLibrary:
    return PgLibrary.open("team", address, model, role=role).within(ALL)


@pytest.fixture(scope="module")
def original(postgres: PostgresServer) -> str:
    """Return the name of a library with eight passages, six of them with vectors. A dead node holds two."""
    made = postgres.new_database("original")
    setup.init(made, BEFORE)
    library = opened(made, BEFORE)
    ids = library.documents.store(document("https://example.org/", [f"Passage {each}" for each in range(8)]))
    embed(library, ids.new_chunk_ids[:6])
    assert len(library.vectors.waiting(9)) == 2
    library.close()
    return "original"


@pytest.fixture
def address(postgres: PostgresServer, original: str) -> str:
    """Return a new copy of this library."""
    return postgres.new_database("copied", original)


@pytest.fixture
def old(address: str) -> Iterator[PgLibrary]:
    """Yield a running node with the earlier model."""
    library = opened(address, BEFORE)
    yield library
    library.close()


@pytest.fixture
def owner(address: str) -> Iterator[Connections]:
    made = Connections(address, Role.OWNER, size=2)
    yield made
    made.close()


def ids_of(library: PgLibrary) -> list[int]:
    return [hit.chunk_id for hit in library.chunks.lexical(["passage"], k=99)]


def vectors_of(owner: Connections) -> tuple[int, int, int]:
    counts = (
        "SELECT (SELECT count(*) FROM embeddings), (SELECT count(*) FROM token_signs), (SELECT count(*) FROM waiting)"
    )
    return tuple(owner.rows(counts, [])[0])


def test_a_library_of_another_model_is_refused_with_the_command_to_run(address: str, owner: Connections) -> None:
    for refused in (lambda: PgLibrary.open("team", address, SMALLER), lambda: setup.init(address, SMALLER)):
        with pytest.raises(EmbeddingMismatchError) as caught:
            refused()
        assert "webrag admin migrate --reindex" in caught.value.hint
    setup.migrate(address)
    assert vectors_of(owner) == (6, 6, 2)


@pytest.mark.parametrize("model", [SAME_SIZE, SMALLER], ids=["same dimension", "another dimension"])
def test_a_library_changes_its_model_and_its_nodes_embed_again(
    address: str, owner: Connections, model: EmbeddingModel
) -> None:
    owner.outside(lambda con: con.execute("DROP INDEX embeddings_by_vector"))
    assert models.reindex(address, model)
    assert vectors_of(owner) == (0, 0, 8)
    after = setup.state(address)
    assert (after.model, after.waiting, after.chunks, after.schema) == (model, 8, 8, len(schema.MIGRATIONS))
    built = owner.rows(setup.BUILT, [list(setup.SEARCH_INDEXES)])
    assert {row[0] for row in built} == set(setup.SEARCH_INDEXES)
    with pytest.raises(EmbeddingMismatchError):
        PgLibrary.open("team", address, BEFORE)
    new = opened(address, model)
    claimed = new.vectors.waiting(99)
    assert len(claimed) == 8, "leases of a dead node are released immediately"
    assert new.vectors.nearest(unit_vectors(1, dimension=model.dimension)[0], k=3) == []
    made = embed(new, [each.chunk_id for each in claimed], dimension=model.dimension)
    for each, vector in zip(claimed, made, strict=True):
        best = new.vectors.nearest(vector, k=3)[0]
        assert best.chunk_id == each.chunk_id and best.score > 0.99
    assert vectors_of(owner) == (8, 8, 0)
    assert new.check() == ""
    new.close()


def test_a_library_of_the_same_model_is_unchanged(address: str, owner: Connections) -> None:
    assert not models.reindex(address, BEFORE)
    assert vectors_of(owner) == (6, 6, 2)


@pytest.mark.parametrize("model", [SAME_SIZE, SMALLER], ids=["same dimension", "another dimension"])
def test_a_node_of_the_previous_model_uses_keyword_search_and_stores_no_vectors(
    address: str, old: PgLibrary, owner: Connections, model: EmbeddingModel
) -> None:
    ids = ids_of(old)
    query = unit_vectors(1)[0]
    assert len(old.vectors.nearest(query, k=9)) == 6
    assert old.check() == ""
    models.reindex(address, model)
    new = opened(address, model)
    embed(new, ids[:4], dimension=model.dimension)
    new.close()

    assert ids_of(old) == ids
    by_words, by_meaning = old.candidates(["passage"], query, k=9)
    assert [hit.chunk_id for hit in by_words] == ids and by_meaning == []
    page = old.chunks.by_ids(ids[:1])[0].document_id
    assert old.vectors.nearest(query, filter=Filter(document_ids=(page,)), k=9) == []
    assert old.vectors.token_vectors(ids) == []
    found = old.fetch(ids, vector=query, signs=True)
    assert (len(found.chunks), found.signs, found.cosines) == (8, [], {})

    for forbidden in (
        lambda: old.vectors.waiting(9),
        lambda: old.vectors.waiting(9, chunk_ids=ids),
        lambda: old.vectors.store([embedding(ids[5], query)]),
    ):
        with pytest.raises(EmbeddingMismatchError, match="another model now") as caught:
            forbidden()
        assert "has this model" in caught.value.hint and "--reindex" not in caught.value.hint
    assert "another model now" in old.check() and "has this model" in old.check()
    assert vectors_of(owner) == (4, 4, 4)
    assert owner.rows("SELECT count(*) FROM waiting WHERE leased_by IS NOT NULL", [])[0][0] == 0
    stored = old.documents.store(document("https://example.org/later", ["Passage of later"]))
    assert old.vectors.waiting_among(stored.new_chunk_ids) == set(stored.new_chunk_ids)


def test_copies_end_when_the_model_of_a_library_changes(
    address: str, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, the file would declare one model and contain vectors of another."""
    library = opened(address, BEFORE, Role.OWNER)
    library.documents.store(document("https://example.org/2", ["Passage"]))
    monkeypatch.setattr("app.pg.library.COPIED_AT_ONCE", 1)
    copies = library.copies()
    first = next(copies)
    models.reindex(address, SAME_SIZE)
    with pytest.raises(EmbeddingMismatchError):
        next(copies)
    again = DocumentCopy(first.id, document("https://example.org/3", ["Passage"]), {})
    for with_vectors in (True, False):
        with pytest.raises(EmbeddingMismatchError):
            library.take([again], with_vectors=with_vectors)
    library.close()


async def _reads_vectors(begun: threading.Event, may_end: threading.Event, con: Connection) -> None:
    await con.execute("SELECT count(*) FROM embeddings")
    begun.set()
    await asyncio.to_thread(may_end.wait, SECONDS)


def _wait_until(is_so: Callable[[], Any], ends: Callable[[], bool]) -> None:
    until = time.monotonic() + SECONDS
    while not is_so():
        assert not ends() and time.monotonic() < until
        time.sleep(0.01)


def test_nodes_can_read_but_not_store_vectors_during_the_change(
    address: str, old: PgLibrary, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "TABLE_SECONDS", 0.2)
    monkeypatch.setattr(models, "TABLE_PAUSE_SECONDS", 0.3)
    begun, may_end = threading.Event(), threading.Event()
    ids, query = ids_of(old), unit_vectors(1)[0]
    with ThreadPoolExecutor(2) as threads:
        try:
            reading = threads.submit(owner.read, lambda con: _reads_vectors(begun, may_end, con))
            assert begun.wait(SECONDS)
            changing = threads.submit(models.reindex, address, SAME_SIZE)
            _wait_until(lambda: owner.rows(LOCKS_WAITED_FOR, [])[0][0], changing.done)
            with pytest.raises(CorpusBusyError, match="is being changed"):
                old.vectors.store([embedding(ids[7], query)])
            assert ids_of(old) == ids
            assert len(old.vectors.nearest(query, k=9)) == 6
            later = old.documents.store(document("https://example.org/later", ["Passage of later"])).new_chunk_ids
            assert not changing.done()
        finally:
            may_end.set()
        reading.result(SECONDS)
        assert changing.result(SECONDS)
    assert vectors_of(owner) == (0, 0, 9)
    assert old.vectors.waiting_among(later) == set(later)


def test_concurrent_vectors_are_stored_before_the_change_or_not_at_all(
    address: str, old: PgLibrary, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change waits for a node that is storing. Its passage is embedded again afterwards."""
    begun, may_end = threading.Event(), threading.Event()
    check = models.check_may_store

    async def slow(con: Connection, own: EmbeddingModel) -> None:
        await check(con, own)
        begun.set()
        await asyncio.to_thread(may_end.wait, SECONDS)

    monkeypatch.setattr("app.pg.vectors.check_may_store", slow)
    with ThreadPoolExecutor(2) as threads:
        try:
            storing = threads.submit(old.vectors.store, [embedding(ids_of(old)[7], unit_vectors(1)[0])])
            assert begun.wait(SECONDS)
            changing = threads.submit(models.reindex, address, SAME_SIZE)
            _wait_until(lambda: owner.rows(LOCKS_WAITED_FOR, [])[0][0], changing.done)
        finally:
            may_end.set()
        storing.result(SECONDS)
        assert changing.result(SECONDS)
    assert vectors_of(owner) == (0, 0, 8)


def test_concurrent_deletions_do_not_block_the_change(address: str, old: PgLibrary, owner: Connections) -> None:
    other = old.documents.store(document("https://example.org/gone", ["Passage that goes"]))
    begun, may_end = threading.Event(), threading.Event()

    async def deletes(con: Connection) -> None:
        await con.execute("DELETE FROM chunks WHERE document_id = $1", other.document_id)
        begun.set()
        await asyncio.to_thread(may_end.wait, SECONDS)

    with ThreadPoolExecutor(2) as threads:
        try:
            deleting = threads.submit(owner.write, deletes)
            assert begun.wait(SECONDS)
            changing = threads.submit(models.reindex, address, SAME_SIZE)
            _wait_until(lambda: owner.rows(LOCKS_WAITED_FOR, [])[0][0], changing.done)
        finally:
            may_end.set()
        deleting.result(SECONDS)
        assert changing.result(SECONDS)
    assert vectors_of(owner) == (0, 0, 8)


def test_an_interrupted_change_has_no_effect(
    address: str, old: PgLibrary, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = setup.state(address)
    monkeypatch.setattr(models, "TABLE_PAUSE_SECONDS", 0.1)
    with monkeypatch.context() as broken:
        broken.setattr(models, "value_of", lambda _: "no JSON")
        with pytest.raises(CorpusError, match="json"):
            models.reindex(address, SMALLER)
    # The file keeps the space of changes that were undone until the next vacuum.
    after = replace(setup.state(address), bytes=before.bytes)
    assert vectors_of(owner) == (6, 6, 2) and after == before
    begun, may_end = threading.Event(), threading.Event()
    ended = """
    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
    AND objid = $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1
    """
    login = Connections(address, Role.LOGIN, size=1)
    with ThreadPoolExecutor(2) as threads:
        try:
            reading = threads.submit(owner.read, lambda con: _reads_vectors(begun, may_end, con))
            assert begun.wait(SECONDS)
            changing = threads.submit(models.reindex, address, SMALLER)
            _wait_until(lambda: owner.rows(LOCKS_WAITED_FOR, [])[0][0], changing.done)
            assert login.rows(ended, [models._STORE_LOCK & 0xFFFFFFFF])[0][0]
            with pytest.raises(LibraryAwayError):
                changing.result(SECONDS)
        finally:
            may_end.set()
        reading.result(SECONDS)
    login.close()
    assert vectors_of(owner) == (6, 6, 2) and setup.state(address).model == BEFORE
    assert len(old.vectors.nearest(unit_vectors(1)[0], k=9)) == 6
    embed(old, [each.chunk_id for each in old.vectors.waiting(9, chunk_ids=ids_of(old))])


def test_a_long_read_of_the_vectors_stops_the_change(
    address: str, owner: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "TABLE_SECONDS", 0.1)
    monkeypatch.setattr(models, "TABLE_PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(models, "TABLE_TRIES", 2)
    begun, may_end = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as threads:
        try:
            reading = threads.submit(owner.read, lambda con: _reads_vectors(begun, may_end, con))
            assert begun.wait(SECONDS)
            with pytest.raises(CorpusBusyError, match="nothing has changed"):
                models.reindex(address, SMALLER)
        finally:
            may_end.set()
        reading.result(SECONDS)
    assert vectors_of(owner) == (6, 6, 2)


def test_two_parallel_changes_are_done_once(address: str, owner: Connections) -> None:
    with ThreadPoolExecutor(2) as threads:
        done = [threads.submit(models.reindex, address, SMALLER) for _ in range(2)]
        assert sorted(each.result(SECONDS) for each in done) == [False, True]
    assert vectors_of(owner) == (0, 0, 8)


def test_an_impossible_change_is_refused(
    address: str, owner: Connections, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CorpusError, match="dimensions"):
        models.reindex(address, EmbeddingModel("model", 5_000))
    owner.outside(lambda con: con.execute("SELECT pg_advisory_lock($1)", setup.BUILD_LOCK))
    with pytest.raises(CorpusBusyError, match="is building an index"):
        models.reindex(address, SMALLER)
    owner.close()
    with pytest.raises(CorpusError, match="does not have pgvector"):
        models.reindex(new_database(), SMALLER)
    monkeypatch.setattr(setup, "MIGRATIONS", (*schema.MIGRATIONS, "SELECT 1"))
    with pytest.raises(CorpusError, match="needs"):
        models.reindex(address, SMALLER)
    monkeypatch.setattr(setup, "MIGRATIONS", ())
    with pytest.raises(CorpusTooNewError):
        models.reindex(address, SMALLER)


def test_a_node_cannot_change_the_model(address: str, old: PgLibrary) -> None:
    with pytest.raises(LibraryForbiddenError):
        old._connections.write(lambda con: models._change(con, SMALLER))
    assert len(old.vectors.nearest(unit_vectors(1)[0], k=9)) == 6


# command


def test_the_command_asks_for_confirmation_before_the_change(
    address: str, owner: Connections, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", "migrate", "--database", address]) == 0
    capsys.readouterr()
    assert main(["admin", "migrate", "--reindex", "--database", address]) == 1
    said = capsys.readouterr().err
    assert "model-a, 64 dimensions" in said and "embed 8 passages again (about 1 s of CPU time)" in said
    assert "--yes" in said
    assert vectors_of(owner) == (6, 6, 2)
    assert main(["admin", "migrate", "--reindex", "--yes", "--database", address, "--json"]) == 0
    done = capsys.readouterr()
    assert "8 passages are not embedded yet" in done.err
    state = json.loads(done.out)
    assert (state["waiting"], state["model"]["fingerprint"]) == (8, own_model().fingerprint)
    assert vectors_of(owner) == (0, 0, 8)
    assert main(["admin", "migrate", "--reindex", "--database", address]) == 0
    assert "already uses the model of this version" in capsys.readouterr().err
    assert main(["admin", "init", "--database", address]) == 0


@pytest.mark.parametrize("words", [["status", "--reindex"], ["migrate", "--yes"], ["init", "--reindex", "--yes"]])
def test_the_option_is_only_for_migrate(address: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", *words, "--database", address]) == 1
    assert "Run `webrag admin migrate --reindex`" in capsys.readouterr().err


def test_a_database_without_a_library_is_reported(
    new_database: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", "migrate", "--reindex", "--yes", "--database", new_database()]) == 1
    assert "Set it up" in capsys.readouterr().err
