"""The bridge itself: one thread reads the client's lines, one per message carries it and its answer."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from app import caps
from app.bridge import messages
from app.bridge.instances import Instances
from app.bridge.messages import InvalidMessageError, Message
from app.bridge.oversized import Oversized
from app.bridge.stdio import LineWriter, lines
from app.bridge.wire import (
    Abort,
    Answer,
    AnswerTooLargeError,
    CallCancelledError,
    InstanceLostError,
)
from app.errors import NotRunningError

NEXT_STEP: Final = "Start WebRAG Desktop, then try again."
UNAUTHORISED: Final = 401
TOO_LARGE: Final = 413
ENDLESS: Final = frozenset({"subscriptions/listen"})
"""Requests whose answer never comes; nobody waits for them at the end."""

Reply = Callable[[bytes | None], None]


class Batch:
    """Gathers the answers to a JSON array of requests and sends them as one array."""

    def __init__(self, expected: int, send: Callable[[bytes], None]) -> None:
        self._expected = expected
        self._send = send
        self._answers: list[bytes] = []
        self._lock = threading.Lock()

    def reply(self, answer: bytes | None) -> None:
        """The answer to one of the requests; None when it gets none."""
        with self._lock:
            self._expected -= 1
            if answer is not None:
                self._answers.append(answer)
            complete = self._expected == 0 and bool(self._answers)
        if complete:
            self._send(b"[" + b",".join(self._answers) + b"]")


class Call:
    """A message under way. It is answered once, whoever is first."""

    def __init__(self, message: Message, reply: Reply) -> None:
        self.message = message
        self.abort = Abort()
        self.answered = not message.is_request
        self._reply = reply
        self._lock = threading.Lock()

    def finish(self, answer: bytes | None) -> None:
        """Answer, or with None end without an answer."""
        with self._lock:
            if self.answered:
                return
            self.answered = True
        self._reply(answer)

    def fail(self, text: str, code: int = messages.UNREACHABLE) -> None:
        """Answer with a JSON-RPC error."""
        self.finish(messages.error_reply(code, text, self.message.id))


class Bridge:
    """Carries messages both ways until the client closes its end. `tools` is the tool profile that it asks for."""

    def __init__(self, data_dir: Path, source: int, sink: int, tools: str = "") -> None:
        self._source = source
        self._tools = tools
        self._ended = threading.Event()
        self._writer = LineWriter(sink, self._ended.set)
        self._instances = Instances(data_dir, self._tell_change)
        self._calls: set[Call] = set()
        self._changed = threading.Condition()
        self._handshake = threading.Event()
        self._handshake.set()
        self._negotiated: str | None = None
        self._ready = False
        self._client: str | None = None

    def run(self) -> int:
        """Work until end of input; replies under way get a bounded time."""
        threading.Thread(target=self._read, name="input", daemon=True).start()
        try:
            self._ended.wait()
            self._drain()
        except KeyboardInterrupt:
            return 130
        return 0

    def _read(self) -> None:
        try:
            for line in lines(self._source):
                if isinstance(line, Oversized):
                    text = f"Invalid request: a message may have {caps.BRIDGE_MESSAGE_BYTES} bytes."
                    self._writer.write(messages.error_reply(messages.INVALID_REQUEST, text, line.message_id()))
                elif line.strip():
                    self._accept(line)
        finally:
            self._ended.set()

    def _drain(self) -> None:
        with self._changed:
            self._changed.wait_for(self._idle, timeout=caps.BRIDGE_DRAIN_SECONDS)
            left = list(self._calls)
        for call in left:
            call.abort.request()

    def _idle(self) -> bool:
        waiting = (call for call in self._calls if not call.answered and call.message.method not in ENDLESS)
        return self._writer.broken or not any(waiting)

    def _accept(self, line: bytes) -> None:
        try:
            value = messages.parse_line(line)
        except InvalidMessageError as error:
            self._writer.write(messages.error_reply(error.code, str(error), error.id))
            return
        if isinstance(value, list) and value:
            self._accept_batch(value)
        else:
            self._dispatch(value, line.removeprefix(messages.BOM), self._send)

    def _accept_batch(self, values: list[Any]) -> None:
        batch = Batch(sum(messages.expects_answer(value) for value in values), self._writer.write)
        for value in values:
            self._dispatch(value, None, batch.reply)

    def _dispatch(self, value: Any, body: bytes | None, reply: Reply) -> None:
        try:
            message = messages.read_message(value, body)
        except InvalidMessageError as error:
            reply(messages.error_reply(error.code, str(error), error.id))
            return
        if message is None:
            return
        if message.method == "notifications/cancelled":
            self._cancel(message)
            return
        self._client = message.client or self._client
        if message.method == "initialize":
            self._handshake.clear()
            self._ready = False
        elif message.method == "notifications/initialized":
            self._ready = True
        self._begin(Call(message, reply))

    def _begin(self, call: Call) -> None:
        with self._changed:
            full = len(self._calls) >= caps.BRIDGE_CALLS
            if not full:
                self._calls.add(call)
        if full:
            call.fail(f"More than {caps.BRIDGE_CALLS} calls at once. Wait for some of them to finish.")
            return
        threading.Thread(target=self._carry, args=(call,), daemon=True).start()

    def _cancel(self, message: Message) -> None:
        """Close the stream of the named request: in either era the only sign that reaches its handler."""
        wanted = messages.cancelled_id(message)
        with self._changed:
            named = [call for call in self._calls if call.message.is_request and call.message.id == wanted]
        for call in named:
            call.abort.request()
            call.finish(None)

    def _carry(self, call: Call) -> None:
        handshake = call.message.method == "initialize"
        try:
            if not handshake and call.message.modern_version is None:
                self._handshake.wait()
            self._exchange(call)
        except NotRunningError as error:
            call.fail(f"{error.message} {error.hint}")
        except AnswerTooLargeError:
            call.fail("The answer is larger than the bridge carries. Ask for less at once.")
        except CallCancelledError:
            call.finish(None)
        finally:
            call.fail("The bridge could not carry this message; its client's log says why.", messages.INTERNAL_ERROR)
            if handshake:
                self._handshake.set()
            with self._changed:
                self._calls.discard(call)
                self._changed.notify_all()

    def _exchange(self, call: Call) -> None:
        reason = ""
        for _ in range(caps.BRIDGE_ATTEMPTS):
            endpoint = self._instances.current()
            self._instances.attach(self._client or "unknown")
            try:
                with endpoint.post(call.message.body, self._headers(call.message), call.abort) as answer:
                    self._take(call, answer)
                return
            except InstanceLostError as error:
                if call.answered and call.message.is_request:
                    return
                reason = str(error)
            self._instances.lost(endpoint)
        call.fail(f"WebRAG went away during this call ({reason}). {NEXT_STEP}")

    def _take(self, call: Call, answer: Answer) -> None:
        for raw in answer.messages():
            self._deliver(call, raw)
        if call.answered:
            return
        if answer.status == TOO_LARGE:
            call.fail("The message is larger than WebRAG accepts. Ask for less at once.")
        elif answer.status in range(400, 500) and answer.status != UNAUTHORISED:
            call.fail(f"WebRAG answered with HTTP status {answer.status}.")
        else:
            raise InstanceLostError(f"no answer, HTTP status {answer.status}")

    def _deliver(self, call: Call, raw: bytes) -> None:
        try:
            value = json.loads(raw)
        except ValueError:
            return
        if call.abort.requested or not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
            return
        line = messages.encode(value) if b"\n" in raw or b"\r" in raw else raw
        if "method" in value:
            # A request of the server would wait for an answer that has no way back to it.
            if "id" not in value:
                self._writer.write(line)
            return
        if value.get("id") != call.message.id:
            line = messages.encode({**value, "id": call.message.id})
        self._note_handshake(call.message, value)
        call.finish(line)

    def _note_handshake(self, message: Message, value: dict[str, Any]) -> None:
        result = value.get("result")
        if message.method == "initialize" and isinstance(result, dict):
            version = result.get("protocolVersion")
            self._negotiated = version if isinstance(version, str) else None

    def _tell_change(self, word: bytes) -> None:
        """A list of the instance changed: a client that shook hands is told; others listen on streams of their own."""
        notification = messages.LIST_CHANGES.get(word)
        if notification is not None and self._ready:
            self._writer.write(messages.encode({"jsonrpc": "2.0", "method": notification}))

    def _headers(self, message: Message) -> dict[str, str]:
        return {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "X-WebRAG-Client": message.client or self._client or "unknown",
            "X-WebRAG-Bridge": str(os.getpid()),
            **({"X-WebRAG-Tools": self._tools} if self._tools else {}),
            **messages.protocol_headers(message, self._negotiated),
        }

    def _send(self, answer: bytes | None) -> None:
        if answer is not None:
            self._writer.write(answer)
