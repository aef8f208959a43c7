"""The store by example: order of use, time, space, owners, addresses, threads, messages."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from app import caps
from app.errors import InvalidArgumentError, PassageExpiredError, UnknownPassageError
from app.scratch.passage import SCRATCH_SESSION_SECONDS, Passage
from app.scratch.store import EXPIRED, SCRATCH_EVICTIONS_WARNED, UNKNOWN, ScratchStore, steady_time
from tests.scratch.passages import Clock, passage

ME, YOU = "claude bridge 1", "claude bridge 2"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> ScratchStore:
    return ScratchStore(100_000, 100.0, clock)


def put(store: ScratchStore, owner: str, text: str) -> Passage:
    return store.put(owner, store.session(owner), passage(text))


def answer(store: ScratchStore, owner: str, id_or_uri: str) -> str:
    """Return the message of the refusal."""
    with pytest.raises(PassageExpiredError) as caught:
        store.find(owner, id_or_uri)
    assert caught.value.details == {"reason": "expired"}
    assert type(caught.value) is (UnknownPassageError if caught.value.message == UNKNOWN else PassageExpiredError)
    return caught.value.message


def refused(store: ScratchStore, owner: str, id_or_uri: str) -> bool:
    return answer(store, owner, id_or_uri) in (EXPIRED, UNKNOWN)


def test_ids_are_random_and_reveal_no_information(store: ScratchStore) -> None:
    here = put(store, ME, "the same text")
    there = put(store, YOU, "the same text")
    assert re.fullmatch(r"[A-Za-z0-9]{17}", here.id) and here.id != there.id
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", here.session_id) and here.session_id != there.session_id
    assert here.uri == f"webrag://scratch/{here.session_id}/{here.id}"
    assert here.size_bytes == len("the same text")


def test_reading_renews_a_passage_until_it_expires(store: ScratchStore, clock: Clock) -> None:
    kept, other = put(store, ME, "read"), put(store, ME, "unread")
    clock.move(99)
    assert store.get(ME, kept.id) is kept
    clock.move(1)
    assert refused(store, ME, other.id) and refused(store, ME, other.uri)
    assert store.read_uri(ME, kept.uri) is kept
    assert store.holding(kept.id).seconds_left == 100.0  # type: ignore[union-attr]
    clock.move(100)
    assert refused(store, ME, kept.id)
    assert store.holding(kept.id) is None and store.listing(ME) == []


def test_only_the_owner_gets_the_expired_error(store: ScratchStore, clock: Clock) -> None:
    mine = put(store, ME, "mine")
    for never in ("zzz", "A" * 17, mine.uri[:-1] + ("a" if mine.uri[-1] != "a" else "b"), "not a uri"):
        assert answer(store, ME, never) == UNKNOWN
    # The same for another owner's passage, before and after its time.
    assert answer(store, YOU, mine.id) == answer(store, YOU, mine.uri) == UNKNOWN
    clock.move(100)
    assert answer(store, YOU, mine.id) == UNKNOWN
    assert answer(store, ME, mine.id) == answer(store, ME, mine.uri) == EXPIRED
    deleted = put(store, ME, "deleted")
    store.delete(deleted.id)
    assert answer(store, ME, deleted.id) == EXPIRED


def test_the_least_recently_used_passage_is_evicted_first(store: ScratchStore) -> None:
    session = store.session(ME)
    first, second = put(store, ME, "a" * 20_000), put(store, ME, "b" * 20_000)
    store.get(ME, first.id)
    third = put(store, ME, "c" * 20_000)
    assert [each.id for each in store.listing(ME)] == [third.id, first.id]
    assert refused(store, ME, second.id)
    assert store.session(ME) == session
    assert store.counters.evictions == 1


def test_one_session_cannot_crowd_out_the_others(store: ScratchStore) -> None:
    mine = put(store, ME, "mine")
    for number in range(50):
        put(store, YOU, str(number) + "x" * 10_000)
    assert store.get(ME, mine.id) is mine
    assert store.counters.bytes <= 100_000


def test_a_passage_that_is_too_large_is_refused_with_a_hint(store: ScratchStore) -> None:
    with pytest.raises(InvalidArgumentError, match="too large"):
        put(store, ME, "x" * 60_000)
    assert store.counters.kept == 0


def test_memory_includes_the_overhead_of_python_objects() -> None:
    store = ScratchStore(100_000, 100.0)
    put(store, ME, "\N{HONEYBEE}" * 5_000)
    assert store.counters.bytes > 20_000


def test_named_sessions_belong_to_their_owner(store: ScratchStore) -> None:
    mine, kept = store.session(ME), put(store, ME, "mine")
    assert store.session(ME, mine) == mine
    assert store.get(ME, kept.id, mine) is kept
    for stranger in (lambda: store.session(YOU, mine), lambda: store.put(YOU, mine, passage("x"))):
        with pytest.raises(PassageExpiredError, match=re.escape(EXPIRED)):
            stranger()
    with pytest.raises(PassageExpiredError):
        store.get(ME, kept.id, store.session(YOU))
    assert store.session(YOU) != mine


def test_secrets_last_as_long_as_sessions(store: ScratchStore, clock: Clock) -> None:
    session = store.session(ME)
    secret = store.secret(session)
    assert len(secret) == 32 and store.secret(session) == secret != store.secret(store.session(YOU))
    clock.move(SCRATCH_SESSION_SECONDS)
    assert store.session(ME) != session
    with pytest.raises(PassageExpiredError):
        store.secret(session)


def test_positions_are_remembered_by_owner(store: ScratchStore) -> None:
    kept = put(store, ME, "long text")
    store.remember_position(ME, kept.id, 5)
    assert (store.position(ME, kept.id), store.position(YOU, kept.id)) == (5, None)


SPELLINGS = (
    "{uri}/",
    "{uri}?",
    "{uri}?a=1",
    "{uri}#x",
    " {uri}",
    "{uri}\n",
    "{uri}%20",
    "webrag://SCRATCH/{session}/{id}",
    "WEBRAG://scratch/{session}/{id}",
    "WekaDocs://scratch/{session}/{id}",
    "webrag://scratch//{session}/{id}",
    "webrag:///scratch/{session}/{id}",
    "webrag:scratch/{session}/{id}",
    "webrag://scratch/{session}//{id}",
    "webrag://scratch/./{session}/{id}",
    "webrag://scratch/x/../{session}/{id}",
    "webrag://scratch:80/{session}/{id}",
    "webrag://user@scratch/{session}/{id}",
    "webrag://scratch/{session}%2F{id}",
    "webrag://scratch/{session}/{id_escaped}",
    "webrag://scratch/{session}/{id_wide}",
    "webrag://scratch/{session}/{id}\u200b",
    "webrag\uff1a//scratch/{session}/{id}",
    "webrag://scratch/pinned/{id}",
    "webrag://scratch/Pinned/{id}",
    "http://scratch/{session}/{id}",
    "file:///scratch/{session}/{id}",
    "scratch/{session}/{id}",
    "{session}/{id}",
    "",
    "://",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_only_the_exact_address_is_accepted(store: ScratchStore, spelling: str) -> None:
    kept = put(store, ME, "mine")
    wide = chr(ord(kept.id[0]) + 0xFEE0) + kept.id[1:]
    uri = spelling.format(
        uri=kept.uri,
        session=kept.session_id,
        id=kept.id,
        id_escaped=f"%{ord(kept.id[0]):02x}{kept.id[1:]}",
        id_wide=wide,
    )
    assert refused(store, ME, uri) and refused(store, YOU, uri)


@pytest.mark.parametrize("scheme", ["webrag", "wekadocs"])
def test_both_schemes_are_readable_by_the_owner_only(store: ScratchStore, scheme: str) -> None:
    kept = put(store, ME, "mine")
    uri = kept.uri.replace("webrag", scheme)
    assert store.read_uri(ME, uri) is kept
    assert refused(store, YOU, uri)
    yours = store.session(YOU)
    assert refused(store, YOU, f"{scheme}://scratch/{yours}/{kept.id}")
    assert refused(store, ME, f"{scheme}://scratch/{yours}/{kept.id}")


def test_pinned_passages_are_readable_by_everyone_and_limited(
    store: ScratchStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, other = put(store, ME, "mine"), put(store, ME, "other")
    pinned = store.pin(kept.id)
    assert pinned.uri == f"webrag://scratch/pinned/{kept.id}"
    assert store.read_uri(YOU, pinned.uri) == store.get(YOU, kept.id) == pinned
    assert store.read_uri(ME, kept.uri) is kept and refused(store, YOU, kept.uri)
    assert store.pin(kept.id) == pinned and store.counters.pinned == 1
    monkeypatch.setattr("app.scratch.passage.MAX_PINNED_PASSAGES", 1)
    with pytest.raises(InvalidArgumentError, match="maximum"):
        store.pin(other.id)
    monkeypatch.setattr("app.scratch.passage.MAX_PINNED_PASSAGES", 5)
    monkeypatch.setattr("app.scratch.passage.MAX_PINNED_BYTES", 5)
    with pytest.raises(InvalidArgumentError, match="does not fit"):
        store.pin(other.id)
    assert store.unpin(kept.id) and not store.unpin(kept.id)
    assert refused(store, YOU, pinned.uri)
    assert store.get(ME, kept.id) is kept


def test_sessions_and_passages_are_limited(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr("app.scratch.passage.SCRATCH_SESSIONS", 3)
    monkeypatch.setattr(caps, "SCRATCH_PASSAGES_PER_SESSION", 2)
    store = ScratchStore(1_000_000, 100.0, clock)
    for owner in "abcde":
        for number in range(4):
            put(store, owner, f"{owner}{number}")
    counters = store.counters
    assert (counters.sessions, counters.kept) == (3, 6)
    assert [each.content.text for each in store.listing("e")] == ["e3", "e2"]


def test_the_log_warns_once_about_low_memory(
    store: ScratchStore, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for number in range(SCRATCH_EVICTIONS_WARNED * 3):
            put(store, ME, str(number) + "x" * 40_000)
    assert len(caplog.records) == 1
    assert "SCRATCH_MAX_MB" in caplog.text
    clock.move(1)


def test_many_threads_share_the_store() -> None:
    store = ScratchStore(300_000, 100.0)

    def work(owner: str) -> int:
        read = 0
        for number in range(300):
            kept = put(store, owner, f"{owner} {number} " + "x" * (number % 7) * 500)
            # Other owners' passages can evict it at any time; reads return only one's own.
            with contextlib.suppress(PassageExpiredError):
                found = store.get(owner, kept.id) if number % 3 else store.read_uri(owner, kept.uri)
                assert found.content.text.startswith(f"{owner} {number} ")
                read += 1
            if number % 50 == 0:
                with contextlib.suppress(PassageExpiredError):
                    store.pin(kept.id)
                    store.unpin(kept.id)
            assert all(each.content.text.startswith(f"{owner} ") for each in store.listing(owner))
        return read

    with ThreadPoolExecutor(6) as pool:
        read = list(pool.map(work, [f"owner{number}" for number in range(6)]))
    counters = store.counters
    assert min(read) > 150
    assert counters.bytes <= 300_000
    assert (counters.pinned, counters.sessions) == (0, 6)
    assert sum(store.holding(each.id) is not None for each in store.everything()) == counters.kept


@pytest.mark.parametrize("seconds", [365 * 86_400, -86_400])
def test_a_clock_change_does_not_expire_passages(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    store = ScratchStore()
    assert store._clock is steady_time
    found = put(store, ME, "kept")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    assert abs(steady_time() - now) < 3_600
    assert store.find(ME, found.id) == found
    assert store.sweep() == 0
    left = store.seconds_to_expiry()
    assert left is not None
    assert left <= caps.SCRATCH_SECONDS
