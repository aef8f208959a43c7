"""The bridge answers oversized messages with their ID, wherever it is in the message."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

from app.bridge.stdio import ENDS_KEPT, Oversized, lines
from tests.bridge.fake_instance import FakeInstance
from tests.bridge.process import BridgeProcess

LONG = b"a" * (3 * ENDS_KEPT)


@pytest.mark.parametrize(
    ("line", "message_id"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":"' + LONG + b'"}', 7),
        (b'{"id" : "a\\"b", "method":"x","params":"' + LONG + b'"}', 'a"b'),
        (b'{"method":"x","params":{"id":1,"text":"' + LONG + b'"},"jsonrpc":"2.0","id":8}', 8),
        (b'{"method":"x","params":{"text":"' + LONG + b'"},"id":"last","jsonrpc":"2.0"} ', "last"),
        (b'{"method":"\\"id\\":3,","params":{"text":"' + LONG + b'","id":4}}', None),
        (b'{"method":"x","params":["id",5,"' + LONG + b'"]}', None),
        (b'{"id":' + b"9" * 5_000 + b',"params":"' + LONG + b'"}', None),
        (b'{"method":"x","params":{"text":"' + LONG + b'"id":', None),
        (b'"' + LONG, None),
        (LONG, None),
    ],
)
def test_id_of_an_oversized_message(line: bytes, message_id: Any) -> None:
    (found,) = read(line + b"\n", limit=2 * ENDS_KEPT)
    assert isinstance(found, Oversized)
    assert found.message_id() == message_id


def test_lines_around_it_arrive_whole() -> None:
    first, long, last = read(b"one\n" + LONG + b"\ntwo", limit=2 * ENDS_KEPT)
    assert (first, last) == (b"one", b"two")
    assert isinstance(long, Oversized)


def test_the_client_learns_which_message_was_oversized(bridge: BridgeProcess, instance: FakeInstance) -> None:
    bridge.send_raw(b'{"method":"tools/call","params":{"text":"' + b"a" * 5_000_000 + b'"},"jsonrpc":"2.0","id":41}\n')
    answer = bridge.receive()
    assert (answer["id"], answer["error"]["code"]) == (41, -32600)


def read(content: bytes, *, limit: int) -> list[bytes | Oversized]:
    source, sink = os.pipe()

    def write() -> None:
        with os.fdopen(sink, "wb") as pipe:
            pipe.write(content)

    threading.Thread(target=write, daemon=True).start()
    try:
        return list(lines(source, limit))
    finally:
        os.close(source)


@pytest.mark.parametrize("value", ["01", "-", '"\\x"', "00", '"\\u12"'])
def test_an_invalid_id_is_none(value: str) -> None:
    assert Oversized(f'{{"jsonrpc":"2.0","id":{value},"params":{{'.encode(), b"}").message_id() is None
