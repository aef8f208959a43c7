"""A shared library is set up once, only migrated forwards, and refused if it could be damaged."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import asyncpg
import pytest

from app.cli import main
from app.corpus import Corpus
from app.errors import (
    CorpusBusyError,
    CorpusError,
    CorpusTooNewError,
    EmbeddingMismatchError,
    InvalidArgumentError,
    LibraryAwayError,
    LibraryForbiddenError,
    WorkCancelledError,
)
from app.events import CURRENT_CALL
from app.library.records import EmbeddingModel
from app.pg import connections, schema, sessions, setup, watch
from app.pg.connections import Connections
from app.pg.library import PgLibrary
from app.pg.sessions import NOTHING, Rights, Role, in_words, place_of_database
from app.text.terms import query_terms
from tests.corpus.builders import document, embed
from tests.support import postgres as postgres_server
from tests.support.postgres import Line, PostgresServer

pytestmark = pytest.mark.real

MODEL = EmbeddingModel("model-a", 64)
SECONDS = 240.0
NewDatabase = Callable[[], str]


@pytest.fixture(scope="module")
def ready(postgres: PostgresServer) -> str:
    """Return the address of an initialized library."""
    address = postgres.new_database("ready")
    setup.init(address, MODEL)
    return address


def test_setting_up_again_has_no_effect(ready: str) -> None:
    before = setup.state(ready)
    assert setup.init(ready, MODEL) == len(schema.MIGRATIONS)
    assert setup.migrate(ready) == len(schema.MIGRATIONS)
    after = setup.state(ready)
    assert (after.schema, after.pending, after.model) == (before.schema, 0, MODEL)
    assert after.collections == before.collections == ("library",)


def test_words_of_scripts_without_spaces_are_found_in_older_passages(new_database: NewDatabase) -> None:
    address = new_database()
    setup.init(address, MODEL)
    with (
        closing(PgLibrary.open("team", address, MODEL)) as opened,
        closing(Connections(address, Role.OWNER, size=1)) as owner,
    ):
        own = opened.collections()["library"]
        library = opened.within(Rights((own,), (own,)))
        library.documents.store(document("https://example.org/zh", ["数据库检索系统 stores ＡＢＣ１２３."]))
        forget = (
            "UPDATE chunks SET identifiers = ''; UPDATE chunk_words SET words = to_tsvector('words', 'stores');"
            "DELETE FROM meta WHERE key = 'unseen_words'"
        )
        owner.outside(lambda con: con.execute(forget))
        assert library.chunks.lexical(query_terms("检索"), k=5) == []
        for _ in range(2):
            setup.migrate(address)
            assert [len(library.chunks.lexical(query_terms(words), k=5)) for words in ("检索", "ABC123")] == [1, 1]


def test_several_programs_can_set_it_up_at_the_same_time(new_database: NewDatabase) -> None:
    address = new_database()
    with ThreadPoolExecutor(4) as threads:
        done = [threads.submit(setup.init, address, MODEL) for _ in range(4)]
        assert {each.result() for each in done} == {len(schema.MIGRATIONS)}
    assert setup.state(address).collections == ("library",)


def test_a_migration_is_applied_once_and_completely_or_not_at_all(
    new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = new_database()
    setup.init(address, MODEL)
    number = len(schema.MIGRATIONS)
    broken = "CREATE TABLE half(id int); SELECT 1 / 0;"
    monkeypatch.setattr(setup, "MIGRATIONS", (*schema.MIGRATIONS, broken))
    assert setup.state(address).pending == 1
    with pytest.raises(CorpusError, match="division by zero"):
        setup.migrate(address)
    assert setup.state(address).schema == number
    monkeypatch.setattr(setup, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE half(id int)"))
    assert setup.migrate(address) == setup.migrate(address) == number + 1
    monkeypatch.setattr(setup, "MIGRATIONS", schema.MIGRATIONS)
    with pytest.raises(CorpusTooNewError):
        setup.migrate(address)


def test_a_waiting_migration_does_not_block_readers(new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls after a waiting table change wait as long as the change."""
    address = new_database()
    setup.init(address, MODEL)
    monkeypatch.setattr(setup, "TABLE_SECONDS", 0.5)
    monkeypatch.setattr(setup, "TABLE_PAUSE_SECONDS", 0.1)
    monkeypatch.setattr(setup, "MIGRATIONS", (*schema.MIGRATIONS, "ALTER TABLE documents ADD more int"))
    backup, node, login = (Connections(address, role, size=1) for role in (Role.OWNER, Role.NODE, Role.LOGIN))
    waiting = """
    SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
    """
    begun, may_end = threading.Event(), threading.Event()

    async def read_for_long(con: sessions.Connection) -> None:
        await con.execute("SELECT count(*) FROM documents")
        begun.set()
        await asyncio.to_thread(may_end.wait, SECONDS)

    with ThreadPoolExecutor(2) as threads:
        try:
            reading = threads.submit(backup.read, read_for_long)
            assert begun.wait(SECONDS)
            migrating = threads.submit(setup.migrate, address)
            while not login.outside(lambda con: con.fetchval(waiting)):
                assert not migrating.done()
            patient = "SET LOCAL lock_timeout = '20s'"
            assert node.read(lambda con: con.fetchval("SELECT count(*) FROM documents"), settings=patient) == 0
        finally:
            may_end.set()
        reading.result(SECONDS)
        assert migrating.result(SECONDS) == len(schema.MIGRATIONS) + 1
    for each in (backup, node, login):
        each.close()


def test_counting_the_state_can_take_longer_than_a_call(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "STATEMENT_SECONDS", 1)
    monkeypatch.setattr(setup, "SERVER", "SELECT current_setting('server_version') FROM pg_sleep(1.5)")
    assert setup.state(ready).pending == 0


def test_an_old_vector_extension_is_refused(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "OLDEST_VECTOR", (99, 0))
    with pytest.raises(CorpusError, match="can damage their index"):
        setup.migrate(ready)


def test_another_model_is_refused(ready: str) -> None:
    for other in (EmbeddingModel("model-b", 64), EmbeddingModel("model-a", 32)):
        with pytest.raises(EmbeddingMismatchError):
            setup.init(ready, other)


@pytest.mark.parametrize("dimension", [0, -1, 5_000])
def test_vectors_that_cannot_be_indexed_are_refused(new_database: NewDatabase, dimension: int) -> None:
    with pytest.raises(CorpusError, match="dimensions"):
        setup.init(new_database(), EmbeddingModel("model", dimension))


def test_an_empty_database_is_refused(ready: str, new_database: NewDatabase, postgres: PostgresServer) -> None:
    """On a server with the roles of another library."""
    assert ready
    with pytest.raises(CorpusError, match="does not have pgvector"):
        setup.migrate(new_database())
    with pytest.raises(CorpusError, match="not set up") as missing:
        setup.state(postgres.address("nowhere"))
    assert "createdb NAME" in missing.value.hint


# test server


def test_the_next_run_deletes_the_folder_of_a_killed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folders = [tmp_path / f"{postgres_server._PREFIX}{name}" for name in ("killed", "running")]
    for folder in folders:
        folder.mkdir()
    killed, running = map(postgres_server._hold, folders)
    os.close(killed)
    postgres_server._delete_left_ones()
    assert [folder.exists() for folder in folders] == [False, True]
    os.close(running)


# roles


def test_a_node_cannot_change_tables_and_a_reader_cannot_change_rows(ready: str) -> None:
    insert = "INSERT INTO aliases(collection_id, url, document_id) VALUES(1, 'x', 1)"
    for role, statement in (
        (Role.NODE, "CREATE TABLE webrag.mine(id int)"),
        (Role.NODE, "ALTER TABLE documents DISABLE ROW LEVEL SECURITY"),
        (Role.NODE, "UPDATE meta SET value = '2'"),
        (Role.NODE, "INSERT INTO collections(name) VALUES('mine')"),
        (Role.READER, insert),
        (Role.READER, "DELETE FROM documents"),
    ):
        pool = Connections(ready, role, size=1)
        with pytest.raises(LibraryForbiddenError):
            pool.write(lambda con, statement=statement: con.execute(statement), Rights((1,), (1,)))
        pool.close()


def test_rows_of_other_collections_cannot_be_read_or_written(ready: str) -> None:
    add = """
    INSERT INTO documents(collection_id, url, title, kind, language, content_hash, last_crawled, changed_at, note, doc_tag, doc_path)
    VALUES($1, 'https://example.org/secret', 'Secret', 'web', '', '', 0, 0, '', '', '')
    """
    pool = Connections(ready, Role.NODE, size=1)
    pool.write(lambda con: con.execute(add, 1), Rights((1,), (1,)))
    with pytest.raises(LibraryForbiddenError):
        pool.write(lambda con: con.execute(add, 1), Rights((1,), ()))

    def titles(rights: Rights) -> list[str]:
        return [row[0] for row in pool.read(lambda con: con.fetch("SELECT title FROM documents"), rights)]

    assert titles(Rights((1,))) == ["Secret"]
    assert titles(Rights((2, 3))) == titles(Rights()) == []
    changed = "UPDATE documents SET title = 'Mine'"
    assert pool.write(lambda con: con.execute(changed), Rights((1,), (2,))) == "UPDATE 0"
    assert pool.write(lambda con: con.execute("DELETE FROM documents"), Rights((1,), ())) == "DELETE 0"
    assert pool.write(lambda con: con.execute("DELETE FROM documents"), Rights((1,), (1,))) == "DELETE 1"
    pool.close()


# connections


def test_an_outage_is_reported_and_the_database_used_again(ready: str, postgres: PostgresServer) -> None:
    pool = Connections(ready, Role.NODE)
    assert pool.read(lambda con: con.fetchval("SELECT 1")) == 1
    postgres.stop()
    try:
        for _ in range(2):
            with pytest.raises(LibraryAwayError, match="is not reachable"):
                pool.read(lambda con: con.fetchval("SELECT 1"))
    finally:
        postgres.serve()
    assert pool.read(lambda con: con.fetchval("SELECT 1")) == 1
    pool.close()


def test_a_connection_lost_between_statements_is_reported_as_an_outage(ready: str) -> None:
    pool, login = Connections(ready, Role.NODE, size=1), Connections(ready, Role.LOGIN, size=1)

    async def ended_by_the_server(con: sessions.Connection) -> None:
        own = await con.fetchval("SELECT pg_backend_pid()")
        ending = partial(login.outside, lambda other: other.execute("SELECT pg_terminate_backend($1)", own))
        await asyncio.to_thread(ending)
        while not con.is_closed():  # noqa: ASYNC110 (what ends it is another program)
            await asyncio.sleep(0.01)
        await con.execute("SELECT 1")

    for name in ("read", "write", "outside"):
        with pytest.raises(LibraryAwayError, match="is not reachable"):
            getattr(pool, name)(ended_by_the_server)
    assert pool.read(lambda con: con.fetchval("SELECT 1")) == 1
    pool.close()
    login.close()


def test_calls_beyond_the_connections_wait_and_are_then_refused(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Connections(ready, Role.NODE, size=2)
    with ThreadPoolExecutor(8) as threads:
        slow = [threads.submit(pool.read, lambda con: con.fetchval("SELECT 1 FROM pg_sleep(0.01)")) for _ in range(8)]
        assert [each.result() for each in slow] == [1] * 8

    async def held(con: sessions.Connection) -> None:
        async with pool._acquired():
            monkeypatch.setattr(connections, "WAIT_SECONDS", 0.05)
            with pytest.raises(CorpusBusyError):
                async with pool._acquired():
                    pass

    pool.read(held)
    pool.close()


def test_searches_wait_in_order(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SEARCHES_AT_ONCE", 1)
    pool = Connections(ready, Role.NODE, size=8)
    at_once, most, begun = 0, 0, []

    async def search(number: int, con: sessions.Connection) -> int:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        begun.append(number)
        found = await con.fetchval("SELECT $1::int FROM pg_sleep(0.01)", number)
        at_once -= 1
        return int(found)

    async def all_of(numbers: range) -> list[int]:
        return list(
            await asyncio.gather(*(pool._searching(partial(search, n), connections.READING, NOTHING) for n in numbers))
        )

    assert pool._wait(all_of(range(12))) == list(range(12))
    assert (most, begun) == (1, list(range(12)))
    for _ in range(3):
        with pytest.raises(CorpusError):
            pool.search(lambda con: con.fetchval("SELECT 1 / 0"))
    assert pool.search(partial(search, 12)) == 12

    async def held(_: sessions.Connection) -> None:
        monkeypatch.setattr(connections, "WAIT_SECONDS", 0.05)
        with pytest.raises(CorpusBusyError):
            await pool._searching(partial(search, 13), connections.READING, NOTHING)

    pool.search(held)
    assert begun[-1] == 12
    pool.close()


def test_a_search_canceled_as_it_gets_its_slot_releases_it(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SEARCHES_AT_ONCE", 1)
    pool = Connections(ready, Role.NODE, size=1)

    async def long(con: sessions.Connection) -> None:
        await asyncio.sleep(SECONDS)

    async def given_up() -> list[bool]:
        ended = []
        for moments in range(6):
            await pool._searches.acquire()
            search = asyncio.create_task(pool._searching(long, connections.READING, NOTHING))
            for _ in range(5):
                await asyncio.sleep(0)
            pool._searches.release()
            for _ in range(moments):
                await asyncio.sleep(0)
            search.cancel()
            await asyncio.wait({search}, timeout=5)
            ended.append(search.cancelled() and not pool._searches.locked())
            search.cancel()
            await asyncio.wait({search})
        return ended

    assert pool._wait(given_up()) == [True] * 6
    pool.close()


def test_searches_use_as_many_connections_as_there_are_slots(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SEARCHES_AT_ONCE", 2)
    pool = Connections(ready, Role.NODE, size=8)
    with ThreadPoolExecutor(8) as threads:
        found = threads.map(lambda number: pool.search(lambda con: con.fetchval("SELECT $1::int", number)), range(64))
        assert list(found) == list(range(64))
    assert pool._pool.get_size() == 2
    pool.close()


def test_search_connections_stay_open_when_idle(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SEARCHES_AT_ONCE", 2)
    pool = Connections(ready, Role.NODE, size=8)

    def on_loop(begin: Callable[[], object]) -> None:
        done = threading.Event()
        pool._loop.call_soon_threadsafe(lambda: (begin(), done.set()))
        assert done.wait(SECONDS)

    async def together(con: sessions.Connection) -> int:
        while pool._pool.get_size() < 5:
            await con.execute("SELECT 1")
        return int(await con.fetchval("SELECT pg_backend_pid()"))

    with ThreadPoolExecutor(5) as threads:
        pids = set(threads.map(lambda _: pool.outside(together), range(5)))
    assert pool._pool.get_size() == len(pids) == 5
    on_loop(pool._close_idle)
    assert pool._pool.get_size() == 5
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.0)
    on_loop(pool._close_idle)
    monkeypatch.setattr(connections, "IDLE_SECONDS", SECONDS)
    assert pool._pool.get_size() == 2
    assert pool.outside(lambda con: con.fetchval("SELECT pg_backend_pid()")) in pids

    # A connection in use stays open at any age.
    monkeypatch.setattr(connections, "RENEWED_SECONDS", 0.0)

    async def used(con: sessions.Connection) -> int:
        pool._close_idle()
        return int(await con.fetchval("SELECT pg_backend_pid()"))

    last = pool.outside(used)
    assert pool._pool.get_size() == 1
    on_loop(pool._close_idle)
    assert pool._pool.get_size() == 0
    assert pool.outside(used) not in {*pids, last}
    pool.close()


def test_waiting_calls_get_an_error_when_connections_are_closed(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CLOSE_SECONDS", 0.1)
    monkeypatch.setattr(connections, "SEARCHES_AT_ONCE", 1)
    pool = Connections(ready, Role.NODE, size=2)
    begun = threading.Event()

    async def slow(con: sessions.Connection) -> None:
        begun.set()
        await con.execute("SELECT pg_sleep(600)")

    with ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(pool.search, slow) for _ in range(4)]
        assert begun.wait(SECONDS)
        pool.close()
        for each in waiting:
            with pytest.raises((LibraryAwayError, CorpusError, RuntimeError)):
                each.result(SECONDS)
    assert not pool._thread.is_alive()


def test_connections_closed_during_their_setup_leave_nothing_behind(ready: str) -> None:
    pool = Connections(ready, Role.NODE, size=2)

    async def slow(con: sessions.Connection) -> None:
        await con.execute("SELECT 1")

    made_ready = pool.warm(slow, NOTHING)
    pool.close()
    assert made_ready.done()


def test_connections_can_be_closed_during_warm_up(
    ready: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connections, "CLOSE_SECONDS", 0.1)
    pool = Connections(ready, Role.NODE, size=2)
    begun = threading.Event()

    async def slow(con: sessions.Connection) -> None:
        begun.set()
        await con.execute("SELECT pg_sleep(600)")

    pool.warm(slow, NOTHING)
    assert begun.wait(SECONDS)
    pool.close()
    assert "Exception in callback" not in caplog.text


def test_calls_after_closing_get_an_error(ready: str) -> None:
    """Otherwise, calls would wait forever for pending work of a closed loop."""
    pool = Connections(ready, Role.NODE, size=1)
    assert pool.read(lambda con: con.fetchval("SELECT 1")) == 1
    for _ in range(2):
        pool.close()
        with pytest.raises(LibraryAwayError, match="closed"):
            pool.read(lambda con: con.fetchval("SELECT 1"))
        pool.stop_waiting(7)


def test_a_failed_change_is_rolled_back_and_the_connection_stays_usable(ready: str) -> None:
    pool = Connections(ready, Role.NODE, size=1)

    async def fails(con: sessions.Connection) -> None:
        await con.execute("INSERT INTO waiting(chunk_id, document_id, collection_id) VALUES(1, 1, 1)")

    with pytest.raises(CorpusError):
        pool.write(fails, Rights((1,), (1,)))
    assert pool.read(lambda con: con.fetchval("SELECT count(*) FROM waiting")) == 0
    pool.close()


def test_a_silent_server_counts_as_down_and_is_dropped(
    ready: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 0.2)
    database = ready.split("/")[3].partition("?")[0]
    with silent_at_transactions(postgres.folder / f".s.PGSQL.{postgres_server.PORT}") as port:
        pool = Connections(
            f"postgresql://{postgres_server.OWNER}@127.0.0.1:{port}/{database}?sslmode=disable", Role.NODE
        )
        for _ in range(2):
            with pytest.raises(LibraryAwayError, match="is not reachable"):
                pool.read(lambda con: con.fetchval("SELECT 1"))
        assert pool._pool.get_size() == 0
        pool.close()


def test_a_broken_network_is_detected_during_a_statement(
    ready: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Line(postgres)
    pool = Connections(line.address(ready), Role.NODE, size=2)
    begun = [threading.Event() for _ in range(2)]

    async def slow(number: int, con: sessions.Connection) -> None:
        begun[number].set()
        await con.execute("SELECT pg_sleep(600)")

    with ThreadPoolExecutor(12) as threads:
        held = [threads.submit(call, partial(slow, n)) for n, call in enumerate((pool.read, pool.write))]
        assert all(each.wait(SECONDS) for each in begun)
        # No connection is left, so the error must not report that others are busy.
        held += [threads.submit(pool.search, lambda con: con.fetchval("SELECT 1")) for _ in range(10)]
        monkeypatch.setattr(watch, "CONNECT_SECONDS", 0.2)
        line.hold()
        for each in held:
            with pytest.raises(LibraryAwayError, match="is not reachable"):
                each.result(SECONDS)
        # A new call does not wait.
        with pytest.raises(LibraryAwayError):
            pool.rows("SELECT 1", [])
        assert not pool._watch._waiting
        monkeypatch.setattr(watch, "CONNECT_SECONDS", SECONDS)
        line.go_on()
        end = time.monotonic() + SECONDS
        while True:
            with suppress(LibraryAwayError):
                assert pool.read(lambda con: con.fetchval("SELECT 1")) == 1
                break
            assert time.monotonic() < end
            time.sleep(0.02)
        again = [threads.submit(pool.search, lambda con: con.fetchval("SELECT 1")) for _ in range(10)]
        assert [each.result(SECONDS) for each in again] == [1] * 10
    assert pool._pool.get_size() <= 2
    pool.close()
    line.close()


def test_a_slow_server_does_not_count_as_down(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SILENT_SECONDS", 0.01)
    pool = Connections(ready, Role.NODE, size=1)
    looked = []
    is_there = pool._watch._is_there

    async def noted() -> bool:
        looked.append(await is_there())
        return looked[-1]

    monkeypatch.setattr(pool._watch, "_is_there", noted)

    async def until_looked(con: sessions.Connection) -> int:
        while len(looked) < 3:
            await con.execute("SELECT pg_sleep(0.01)")
        return 1

    assert pool.read(until_looked) == 1
    assert set(looked) == {True}
    pool.close()


def test_a_short_refusal_of_connections_does_not_count_as_down(
    ready: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SILENT_SECONDS", 0.01)
    monkeypatch.setattr(watch, "AGAIN_SECONDS", 0.01)
    pool = Connections(ready, Role.NODE, size=1)
    tries = []
    connect = asyncpg.connect

    async def refused_first(*args: object, **kwargs: object) -> asyncpg.Connection:
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionRefusedError
        return await connect(*args, **kwargs)

    monkeypatch.setattr(asyncpg, "connect", refused_first)

    async def until_looked(con: sessions.Connection) -> int:
        while len(tries) < 4:
            await con.execute("SELECT pg_sleep(0.01)")
        return 1

    assert pool.read(until_looked) == 1
    pool.close()


def test_a_suspended_program_does_not_count_the_server_as_silent(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "CONNECT_SECONDS", 1.0)
    pool = Connections(ready, Role.NODE)
    looking = asyncio.run_coroutine_threadsafe(pool._watch._is_there(), pool._loop)
    # Longer than a connection can take.
    pool._loop.call_soon_threadsafe(time.sleep, 1.5)
    assert looking.result(SECONDS)
    pool.close()


def test_the_system_ends_a_connection_with_lost_packets(ready: str, postgres: PostgresServer) -> None:
    line = Line(postgres)
    for is_pooled in (False, True):
        pool = Connections(line.address(ready), Role.NODE, is_pooled=is_pooled)

        async def options(con: sessions.Connection) -> list[int]:
            opened = con._transport.get_extra_info("socket")
            names = (socket.TCP_USER_TIMEOUT, socket.TCP_KEEPIDLE, socket.TCP_KEEPCNT)
            return [opened.getsockopt(socket.IPPROTO_TCP, name) for name in names]

        assert pool.read(options) == [1_000 * sessions.LOST_SECONDS, sessions.LOST_SECONDS, 3]
        pool.close()
    line.close()


@contextmanager
def silent_at_transactions(server: Path) -> Iterator[int]:
    """Yield a port that forwards to the server until a transaction begins, and nothing afterwards."""
    opened = [socket.create_server(("127.0.0.1", 0))]

    def accept() -> None:
        with suppress(OSError):
            while True:
                caller, _ = opened[0].accept()
                opened.append(caller)
                other = socket.socket(socket.AF_UNIX)
                opened.append(other)
                other.connect(str(server))
                for source, sink in ((caller, other), (other, caller)):
                    threads.append(threading.Thread(target=passed_on, args=(source, sink)))
                    threads[-1].start()

    def passed_on(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while (data := source.recv(65_536)) and b"BEGIN" not in data:
                sink.sendall(data)

    threads = [threading.Thread(target=accept)]
    threads[0].start()
    try:
        yield opened[0].getsockname()[1]
    finally:
        opened[0].shutdown(socket.SHUT_RDWR)
        threads[0].join()
        for each in opened[1:]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in threads[1:]:
            thread.join()
        for each in opened:
            each.close()


@pytest.mark.parametrize("address", ["", "mysql://x/y", "corpus.db", "/var/lib", "postgresql://[x/y"])
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InvalidArgumentError):
        Connections(address, Role.NODE)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:se/cret@127.0.0.1:1/library",
        "postgresql://me:1/secret@127.0.0.1:1/library",
        "postgresql://me:s#secret@127.0.0.1:1/library",
        "postgresql://me:s?secret@127.0.0.1:1/library",
        "postgresql://127.0.0.1:secret/library",
        "postgresql://127.0.0.1:1/library?sslmode=secret",
    ],
)
def test_an_invalid_address_is_refused_without_quoting_it(address: str) -> None:
    with pytest.raises(InvalidArgumentError, match="not valid") as caught:
        setup.state(address)
    assert "cret" not in f"{caught.value}"
    assert "%2F" in str(caught.value.hint)


def test_messages_never_contain_a_password() -> None:
    pool = Connections("postgresql://me:secret@127.0.0.1:1/library", Role.NODE)
    with pytest.raises(LibraryAwayError) as caught:
        pool.read(lambda con: con.fetchval("SELECT 1"))
    assert "secret" not in f"{caught.value}{caught.value.hint}"
    assert "127.0.0.1/library" in str(caught.value)
    pool.close()


@pytest.mark.parametrize(
    ("query", "error", "said"),
    [
        (
            "DO $$ BEGIN RAISE 'at 10.0.0.1' USING ERRCODE = '57P01'; END $$",
            LibraryAwayError,
            "The library is not reachable.",
        ),
        ("DO $$ BEGIN RAISE 'at 10.0.0.1' USING ERRCODE = '57014'; END $$", CorpusBusyError, "The library is busy."),
        ("SELECT * FROM pg_authid", LibraryForbiddenError, "The database denied access."),
        ("SELECT * FROM no_such_table", CorpusError, "The shared library is not set up."),
        ("SELECT 1 / 0", CorpusError, "The library cannot be used."),
    ],
)
def test_errors_for_users_do_not_reveal_the_database_or_its_messages(
    ready: str, caplog: pytest.LogCaptureFixture, query: str, error: type[CorpusError], said: str
) -> None:
    opened = PgLibrary.open("team", ready, MODEL)
    for _ in range(2):
        with pytest.raises(error) as caught:
            opened._connections.read(lambda con: con.fetch(query))
        assert caught.value.message == said
    opened.close()
    noted = [record.getMessage() for record in caplog.records if record.name == "app.pg.connections"]
    place = place_of_database(ready)
    assert len([each for each in noted if f"at {place}" in each and "(" in each]) == 1, noted


def test_a_change_that_succeeds_on_retry_is_not_logged(ready: str, caplog: pytest.LogCaptureFixture) -> None:
    opened = PgLibrary.open("team", ready, MODEL)
    queries = ["DO $$ BEGIN RAISE 'dead' USING ERRCODE = '40P01'; END $$"] * 2 + ["SELECT 1"]
    opened._connections.write(lambda con: con.execute(queries.pop(0)))
    assert not queries and not [record for record in caplog.records if record.name == "app.pg.connections"]
    with pytest.raises(CorpusBusyError):
        opened._connections.write(lambda con: con.execute("DO $$ BEGIN RAISE 'dead' USING ERRCODE = '40P01'; END $$"))
    assert "dead" in caplog.text
    opened.close()


def test_startup_errors_name_the_database(ready: str) -> None:
    address = ready.replace("/ready?", "/no_such_database?")
    with pytest.raises(CorpusError, match="this computer/no_such_database"):
        PgLibrary.open("team", address, MODEL)


# command


def test_the_command_sets_up_a_library_and_prints_its_state(
    new_database: NewDatabase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = new_database()
    assert main(["admin", "status", "--database", address]) == 0
    assert "does not contain a library" in capsys.readouterr().out
    assert main(["admin", "init", "--database", address]) == 0
    monkeypatch.setenv("WEBRAG_LIBRARY", address)
    assert main(["admin", "migrate"]) == 0
    capsys.readouterr()
    assert main(["admin", "status", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["pending"], found["documents"]) == (len(schema.MIGRATIONS), 0, 0)


def test_the_command_copies_a_library_both_ways(
    new_database: NewDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copies of docs/team/operate.md with a thousand passages: file, library and file again have the same counts."""
    address, source, target = new_database(), tmp_path / "corpus.db", tmp_path / "copy.db"
    monkeypatch.setenv("WEBRAG_LIBRARY", address)
    setup.init(address, MODEL)
    corpus = Corpus.open(source, dimension=MODEL.dimension, model=MODEL.fingerprint)
    for number in range(4):
        made = document(f"https://example.org/{number}", [f"Passage {each} of {number}" for each in range(250)])
        embed(corpus, corpus.documents.store(made).new_chunk_ids, dimension=MODEL.dimension)
    corpus.documents.store(document("file:///home/me/notes.md", ["Mine"], kind="file"))
    corpus.documents.store(document("webrag://guide/start", ["Each program has it"], kind="guide"))
    corpus.close()

    def run(*arguments: str) -> dict[str, int]:
        assert main(["admin", *arguments, "--json"]) == 0
        found: dict[str, int] = json.loads(capsys.readouterr().out)
        return found

    assert main(["admin", "import"]) == 1
    assert main(["admin", "import", str(target)]) == 1
    assert main(["admin", "import", str(source), "--collection", "none"]) == 1
    capsys.readouterr()
    moved = {"documents": 4, "chunks": 1_000, "vectors": 1_000, "known": 0, "left_out": 1}
    assert run("import", str(source)) == moved
    assert run("import", str(source)) == {**dict.fromkeys(moved, 0), "known": 4, "left_out": 1}
    found = run("status")
    assert (found["documents"], found["chunks"], found["waiting"]) == (4, 1_000, 0)
    assert run("export", str(target)) == {**moved, "left_out": 0}
    assert main(["admin", "export", str(target)]) == 1
    copy = Corpus.open(target, dimension=MODEL.dimension, model=MODEL.fingerprint)
    totals = copy.totals()
    assert (totals.documents, totals.chunks, totals.chunks_embedded) == (4, 1_000, 1_000)
    assert copy.verify() == []
    copy.close()


def test_guide_pages_are_neither_imported_nor_exported(
    new_database: NewDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address, target = new_database(), tmp_path / "copy.db"
    setup.init(address, MODEL)
    older = PgLibrary.open("library", address, MODEL, role=Role.OWNER)
    for url in ("webrag://guide/start", "https://example.org/"):
        older.within(Rights((1,), (1,))).documents.store(document(url, ["An older program imported both"]))
    older.close()
    # Options can come before the file name.
    assert main(["admin", "export", "--database", address, str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["documents"] == 1
    copy = Corpus.open(target, dimension=MODEL.dimension, model=MODEL.fingerprint)
    assert [each.document.url for each in copy.copies()] == ["https://example.org/"]
    copy.close()


def test_the_graph_of_an_earlier_version_is_removed(new_database: NewDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    address = new_database()
    with monkeypatch.context() as before:
        before.setattr(setup, "MIGRATIONS", schema.MIGRATIONS[: schema.MIGRATIONS.index(schema.NO_GRAPH)])
        setup.init(address, MODEL)
    owner = Connections(address, Role.OWNER, size=1)
    graph = """
    ALTER TABLE documents ADD site text;
    CREATE TABLE entities(id bigint PRIMARY KEY);
    CREATE TABLE mentions(entity_id bigint NOT NULL REFERENCES entities);
    """
    owner.write(lambda con: con.execute(graph))
    assert setup.migrate(address) == len(schema.MIGRATIONS)
    left = "SELECT to_regclass('webrag.entities'), to_regclass('webrag.mentions'), to_regclass('webrag.flags_waiting')"
    entities, mentions, flags = owner.read(lambda con: con.fetchrow(left))
    assert entities is None and mentions is None and flags is not None
    owner.close()


def test_missing_indexes_are_built_while_nodes_run(new_database: NewDatabase) -> None:
    address = new_database()
    setup.init(address, MODEL)
    assert setup.build_indexes(address) == []
    owner = Connections(address, Role.OWNER, size=1)
    assert setup.drop_search_indexes(address)
    owner.outside(lambda con: con.execute("SELECT pg_advisory_lock($1)", setup.BUILD_LOCK))
    assert setup.build_indexes(address) == []
    owner.close()
    assert setup.build_indexes(address) == list(setup.SEARCH_INDEXES)
    assert setup.migrate(address) == len(schema.MIGRATIONS)


def test_the_command_requires_a_database_and_its_driver(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["admin", "status"]) == 1
    assert "WEBRAG_LIBRARY" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "app.pg", None)
    assert main(["admin", "status"]) == 1
    assert "webrag-desktop[node]" in capsys.readouterr().err


def test_a_server_without_a_library_is_distinguished_from_a_broken_one(
    new_database: NewDatabase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Roles belong to the whole server, so this needs a role that no other test creates."""
    monkeypatch.setattr(sessions, "session", lambda role: {"role": "webrag_nobody"} if role else {})
    for action in ("status", "migrate"):
        assert main(["admin", action, "--database", new_database()]) == 1
        said = capsys.readouterr().err
        assert "is not set up" in said and "webrag admin init" in said


def test_the_owner_of_a_database_can_set_it_up_if_the_extension_exists(
    postgres: PostgresServer, ready: str, new_database: NewDatabase
) -> None:
    address = new_database()
    database = address.split("/")[3].partition("?")[0]
    as_admin = Connections(address, Role.LOGIN, size=1)
    as_admin.outside(
        lambda con: con.execute(
            f"CREATE ROLE {database}_owner LOGIN; GRANT webrag_owner, webrag_node, webrag_reader TO"
            f" {database}_owner WITH ADMIN OPTION; ALTER DATABASE {database} OWNER TO {database}_owner"
        )
    )
    as_owner = postgres.address(database, f"{database}_owner")
    with pytest.raises(LibraryForbiddenError, match="extension") as caught:
        setup.init(as_owner, MODEL)
    assert "CREATE EXTENSION vector" in str(caught.value.hint)
    as_admin.outside(lambda con: con.execute("CREATE EXTENSION vector"))
    as_admin.close()
    assert setup.init(as_owner, MODEL) == len(schema.MIGRATIONS)
    assert setup.state(as_owner).collections == ("library",)


def test_a_canceled_search_also_ends_in_the_database(ready: str) -> None:
    pool, call = Connections(ready, Role.NODE, size=1), 7
    begun = threading.Event()

    async def long(con: connections.Connection) -> None:
        begun.set()
        await con.execute("SELECT pg_sleep(600)")

    def asked() -> None:
        CURRENT_CALL.set(call)
        pool.search(long)

    with ThreadPoolExecutor(1) as threads:
        searching = threads.submit(asked)
        assert begun.wait(600)
        pool.stop_waiting(call + 1)
        assert not searching.done()
        pool.stop_waiting(call)
        with pytest.raises(WorkCancelledError):
            searching.result()
    # The only connection is free again and usable.
    assert pool.search(lambda con: con.fetchval("SELECT 1")) == 1
    pool.close()


def test_an_ignored_cancellation_still_releases_the_slot(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server ignores it if it has not started the statement yet."""

    async def passed_over(_: asyncpg.Connection, waiter: asyncio.Future[None]) -> None:
        waiter.set_result(None)

    monkeypatch.setattr(asyncpg.Connection, "_cancel", passed_over)
    monkeypatch.setattr(sessions, "UNDO_SECONDS", 0.2)
    pool, begun = Connections(ready, Role.NODE, size=1), threading.Event()

    async def long(con: sessions.Connection) -> None:
        begun.set()
        await con.execute("SELECT pg_sleep(600)")

    def asked() -> None:
        CURRENT_CALL.set(7)
        pool.search(long)

    with ThreadPoolExecutor(1) as threads:
        searching = threads.submit(asked)
        assert begun.wait(SECONDS)
        pool.stop_waiting(7)
        with pytest.raises(WorkCancelledError):
            searching.result(SECONDS)
    assert pool.search(lambda con: con.fetchval("SELECT 1")) == 1
    pool.close()


def test_a_refused_sign_in_mentions_user_and_password() -> None:
    failed = asyncpg.InvalidPasswordError('password authentication failed for user "web"')
    with pytest.raises(LibraryForbiddenError) as caught, in_words("postgresql://web@db.example.org/library"):
        raise failed
    assert "PGPASSWORD" in caught.value.hint
    # Responses to users do not contain it.
    with pytest.raises(LibraryForbiddenError) as told, in_words("postgresql://web@/library", lambda *_: None):
        raise failed
    assert "PGPASSWORD" not in told.value.hint
