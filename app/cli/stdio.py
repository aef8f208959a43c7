"""The client of `serve --transport stdio`: its requests and the replies, with the same errors as on the bridge."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from app import caps
from app.bridge.calls import Batch
from app.bridge.stdio import LineWriter, Oversized, lines
from app.serialise import read_json, sound
from app.server.protocol.messages import NOT_JSON, InvalidMessageError, peek

CANCELLED: Final = "notifications/cancelled"


class PipeClient:
    """A client at the other end of two file descriptors. Calls `gone` when it stops reading."""

    def __init__(self, source: int, sink: int, gone: Callable[[], object]) -> None:
        self._source = source
        self._writer = LineWriter(sink, gone)
        self._owed: dict[str | int, Batch] = {}
        """Request IDs and the batches of their replies."""

    async def messages(self) -> AsyncIterator[Any]:
        """Yield the JSON values that are messages, and reply to other lines with an error."""
        async for line in self._lines():
            if isinstance(line, Oversized):
                too_long = InvalidMessageError(
                    f"a message can have at most {caps.BRIDGE_MESSAGE_BYTES} bytes.", sound(line.message_id())
                )
                self._writer.write(_line(too_long.reply))
            elif line.strip():
                for value in self._read(line):
                    yield value

    async def write(self, message: dict[str, Any]) -> None:
        """Send a message. Replies to a batch are sent together."""
        batch = self._owed.pop(message.get("id", ""), None) if "method" not in message else None
        await asyncio.to_thread(batch.reply if batch is not None else self._writer.write, _line(message))

    def _read(self, line: bytes) -> list[Any]:
        try:
            value = read_json(line)
        except (ValueError, RecursionError):
            self._writer.write(_line(NOT_JSON))
            return []
        if not isinstance(value, list) or not value:
            return [value] if self._is_message(value, None) else []
        batch = Batch(sum(_expects_answer(each) for each in value), self._writer.write)
        return [each for each in value if self._is_message(each, batch)]

    def _is_message(self, value: Any, batch: Batch | None) -> bool:
        """Whether the value is a message for the server. Remembers its batch, and replies to invalid values."""
        try:
            message = peek(value)
        except InvalidMessageError as error:
            (batch.reply if batch is not None else self._writer.write)(_line(error.reply))
            return False
        if message.method == CANCELLED:
            wanted = (message.params or {}).get("requestId")
            owed = self._owed.pop(wanted, None) if isinstance(wanted, str | int) else None
            if owed is not None:
                owed.reply(None)
        elif message.id is not None and batch is not None:
            self._owed[message.id] = batch
        return True

    async def _lines(self) -> AsyncIterator[bytes | Oversized]:
        """Yield lines until the end of input. The reading thread is a daemon because only that end wakes it."""
        loop, waiting = asyncio.get_running_loop(), asyncio.Queue[bytes | Oversized | None](1)

        def read() -> None:
            # The loop may have ended. A pipe that fails has ended.
            with contextlib.suppress(RuntimeError):
                with contextlib.suppress(OSError):
                    for line in lines(self._source):
                        asyncio.run_coroutine_threadsafe(waiting.put(line), loop).result()
                asyncio.run_coroutine_threadsafe(waiting.put(None), loop).result()

        threading.Thread(target=read, name="input", daemon=True).start()
        while (line := await waiting.get()) is not None:
            yield line


def _expects_answer(value: Any) -> bool:
    try:
        return peek(value).id is not None
    except InvalidMessageError:
        return True


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
