"""In any sequence of operations, limits hold and owners read only their own passages."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.errors import PassageExpiredError
from app.scratch.passage import Passage
from app.scratch.store import ScratchStore
from tests.scratch.passages import Clock, passage

MAX_BYTES = 40_000
TTL = 100.0
OWNERS = ("claude bridge 1", "claude bridge 2", "cursor ")


class Store(RuleBasedStateMachine):
    """The store compared with a simple record of when each passage was added and last used.

    Choices are made from lists in order of addition: IDs are random, and a run must be reproducible.
    """

    @initialize()
    def begin(self) -> None:
        self.clock = Clock()
        self.store = ScratchStore(MAX_BYTES, TTL, self.clock)
        self.put_by: dict[str, tuple[str, Passage]] = {}
        self.used: dict[str, float] = {}
        self.pinned: dict[str, None] = {}

    @rule(owner=st.sampled_from(OWNERS), text=st.text(max_size=12), size=st.integers(0, 4_000))
    def put(self, owner: str, text: str, size: int) -> None:
        content = passage(text + "x" * size)
        kept = self.store.put(owner, self.store.session(owner), content)
        assert kept.content == content
        assert self.store.put(owner, kept.session_id, content) is kept
        self.put_by[kept.id] = (owner, kept)
        self.used[kept.id] = self.clock.now

    @rule(seconds=st.floats(0.1, TTL * 1.5))
    def wait(self, seconds: float) -> None:
        self.clock.move(seconds)

    @rule(owner=st.sampled_from(OWNERS), data=st.data(), by_uri=st.booleans())
    def read(self, owner: str, data: st.DataObject, by_uri: bool) -> None:
        if not self.put_by:
            return
        known = data.draw(st.sampled_from(list(self.put_by)))
        put_by, kept = self.put_by[known]
        is_alive = self.clock.now - self.used[known] < TTL
        try:
            found = self.store.find(owner, kept.uri if by_uri else kept.id)
        except PassageExpiredError:
            assert by_uri or known not in self.pinned
            return
        assert found.content is kept.content
        if by_uri or known not in self.pinned:
            assert put_by == owner
            assert is_alive
        if put_by == owner and is_alive:
            self.used[known] = self.clock.now

    @rule(data=st.data())
    def pin(self, data: st.DataObject) -> None:
        alive = self.store.everything()
        if alive:
            pinned = self.store.pin(data.draw(st.sampled_from(alive)).id)
            self.pinned[pinned.id] = None
            assert self.store.read_uri("anybody", pinned.uri) == pinned

    @rule(data=st.data(), delete=st.booleans())
    def let_go(self, data: st.DataObject, delete: bool) -> None:
        if not self.pinned:
            return
        known = data.draw(st.sampled_from(list(self.pinned)))
        assert self.store.delete(known) if delete else self.store.unpin(known)
        del self.pinned[known]
        if delete:
            with pytest.raises(PassageExpiredError):
                self.store.get(self.put_by[known][0], known)

    @rule()
    def sweep(self) -> None:
        self.store.sweep()
        assert all(self.clock.now - self.used[each.id] < TTL for each in self.store.everything())

    @invariant()
    def bounds_hold(self) -> None:
        counters = self.store.counters
        assert 0 <= counters.bytes <= MAX_BYTES
        assert counters.pinned == len(self.pinned)
        assert counters.kept <= len(self.put_by)
        assert (counters.bytes == 0) == (counters.kept == 0)
        if counters.kept:
            assert self.store.seconds_to_expiry() is not None

    @invariant()
    def listings_are_the_owners_own(self) -> None:
        for owner in OWNERS:
            assert all(self.put_by[each.id][0] == owner for each in self.store.listing(owner))


TestStore = Store.TestCase
TestStore.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
