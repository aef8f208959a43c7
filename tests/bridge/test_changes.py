"""The lifeline when it carries more than heartbeats."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bridge.calls import Lists
from app.bridge.messages import Message, read_message
from app.bridge.wire import BRIDGE_WORD_BYTES, read_words
from tests.bridge.fake_instance import TOOLS, FakeInstance, tool
from tests.bridge.process import BridgeProcess
from tests.bridge.test_pump import MODERN_META

WORDS = st.binary(min_size=1, max_size=BRIDGE_WORD_BYTES).map(lambda word: word.replace(b"\n", b"."))


@given(words=st.lists(WORDS), cuts=st.lists(st.integers(0, 400)), more=st.integers(0, 3))
def test_words_are_read_however_they_are_split(words: list[bytes], cuts: list[int], more: int) -> None:
    line = b"".join(b"\n" * more + word + b"\n" for word in words)
    places = [0, *sorted(min(cut, len(line)) for cut in cuts), len(line)]
    pieces = [line[start:end] for start, end in pairwise(places)]
    assert list(read_words(iter(pieces))) == words


def test_an_endless_word_is_skipped() -> None:
    pieces = [b"x" * 10_000] * 3 + [b"\ntools\n"]
    assert list(read_words(iter(pieces))) == [b"tools"]


@pytest.fixture
def quick(tmp_path: Path) -> str:
    """Return Python start-up code with which the bridge looks for a returning instance more often."""
    folder = tmp_path / "hook"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text("import app.caps\napp.caps.BRIDGE_REATTACH_SECONDS = 0.05\n", "utf-8")
    return str(folder)


def restart(instance: FakeInstance, tools: list[dict[str, Any]]) -> None:
    """Replace the first instance with another one that has these tools."""
    lines = len(instance.attached)
    instance.stop()
    instance.tools = tools
    instance.start()
    wait_for(lambda: len(instance.attached) > lines)


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_list_that_changed_during_an_interruption_is_announced_afterwards(instance: FakeInstance, quick: str) -> None:
    with BridgeProcess(instance.data_dir, PYTHONPATH=quick) as bridge:
        bridge.know_tools()
        wait_for(lambda: instance.attached)
        restart(instance, [tool("another", reads=True)])
        assert bridge.receive() == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


def test_an_unchanged_or_unrequested_list_is_not_announced(instance: FakeInstance, quick: str) -> None:
    with BridgeProcess(instance.data_dir, PYTHONPATH=quick) as bridge:
        bridge.know_tools()
        wait_for(lambda: instance.attached)
        restart(instance, list(TOOLS))
        wait_for(lambda: len(instance.bodies("tools/list")) == 2)
        instance.words.append(b"resources")
        assert bridge.receive()["method"] == "notifications/resources/list_changed"


def test_a_subscription_outlives_the_instance(instance: FakeInstance, quick: str) -> None:
    """The bridge subscribes again at the next instance, acknowledges once, and reports the missed changes on the stream."""
    asked = {"toolsListChanged": True, "resourceSubscriptions": ["page://one"]}
    with BridgeProcess(instance.data_dir, PYTHONPATH=quick) as bridge:
        bridge.send("tools/list", {"_meta": MODERN_META}, id=1)
        assert bridge.receive()["id"] == 1
        bridge.send("subscriptions/listen", {"notifications": asked, "_meta": MODERN_META}, id="feed")
        assert bridge.receive()["method"] == "notifications/subscriptions/acknowledged"
        for round_ in range(2):
            restart(instance, [tool(f"another{round_}", reads=True)])
            notes = [bridge.receive() for _ in range(2)]
            assert {note["method"]: note["params"].get("uri") for note in notes} == {
                "notifications/tools/list_changed": None,
                "notifications/resources/updated": "page://one",
            }
            meta = {"io.modelcontextprotocol/subscriptionId": "feed"}
            assert all(note["params"]["_meta"] == meta for note in notes)
        bridge.send("notifications/cancelled", {"requestId": "feed"})
        bridge.send("tools/list", {"_meta": MODERN_META}, id=2)
        assert bridge.receive()["id"] == 2
        assert bridge.close_input() == 0


def test_an_instance_stopped_on_purpose_is_not_started_for_a_subscription(instance: FakeInstance, quick: str) -> None:
    with BridgeProcess(instance.data_dir, PYTHONPATH=quick) as bridge:
        bridge.send("subscriptions/listen", {"notifications": {}, "_meta": MODERN_META}, id="feed")
        bridge.receive()
        instance.stop()
        assert bridge.silent(0.5)
        assert not (instance.data_dir / "start.lock").exists()


def told(tools: list[Any], **more: Any) -> dict[str, Any]:
    return {"tools": tools, **more}


def test_a_change_is_announced_once() -> None:
    lists, request = Lists(), message("tools/list")
    lists.note(request, told([]))
    assert lists.changed(lambda _: told([])) == []
    assert lists.changed(lambda _: told([tool("a", reads=True)])) == [b"tools"]
    assert lists.changed(lambda _: told([tool("a", reads=True)])) == []
    assert lists.changed(lambda _: None) == []


def test_a_list_of_several_pages_counts_as_changed() -> None:
    lists = Lists()
    lists.note(message("tools/list"), told([], nextCursor="2"))
    assert lists.changed(lambda _: told([], nextCursor="2")) == [b"tools"]


def test_only_declared_tools_may_be_repeated() -> None:
    lists = Lists()
    lists.note(message("tools/list", cursor="2"), told([*TOOLS, {"name": "silent"}, {"name": []}, 7]))
    assert lists.may_repeat(message("tools/call", name="echo"))
    for name in ("store", "silent", "unheard", None, ["echo"]):
        assert not lists.may_repeat(message("tools/call", name=name))
    assert lists.may_repeat(message("prompts/get", name="store"))


def message(method: str, **params: Any) -> Message:
    found = read_message({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert found is not None
    return found
