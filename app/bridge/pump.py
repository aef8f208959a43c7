"""The bridge: one thread reads the client's lines, and one thread per message sends it and returns its response."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from app import caps, extensions
from app.bridge import messages
from app.bridge.calls import Batch, Call, Lists, Reply
from app.bridge.instances import Instances
from app.bridge.messages import InvalidMessageError, Message
from app.bridge.stdio import LineWriter, Oversized, lines
from app.bridge.wire import Abort, Answer, AnswerTooLargeError, CallCancelledError, Endpoint, InstanceLostError
from app.errors import NotRunningError
from app.instance import RuntimeInfo

BRIDGE_ATTEMPTS: Final = 2
"""Maximum attempts. A message is sent again if the lost instance did not act on it, or if repeating it is harmless."""
BRIDGE_WATCH_SECONDS: Final = 1.0  # Seconds between checks that the client is still there.
NEXT_STEP: Final = "Start WebRAG Desktop, then try again."
MAY_HAVE_RUN: Final = "It may have run already: check before you call it again."
UNAUTHORISED: Final = 401
TOO_LARGE: Final = 413


class Bridge:
    """The carrier of messages in both directions until the client disconnects. `tools` is the requested tool profile."""

    def __init__(
        self, data_dir: Path | None, source: int, sink: int, is_orphan: Callable[[], bool], tools: str = ""
    ) -> None:
        self._source = source
        self._is_orphan = is_orphan
        self._tools = tools
        self._ended = threading.Event()
        self._writer = LineWriter(sink, self._ended.set)
        self._instances = Instances(data_dir, self)
        self._lists = Lists()
        self._comparing = threading.Lock()
        self._calls: set[Call] = set()
        self._changed = threading.Condition()
        self._handshake = threading.Event()
        self._handshake.set()
        self._negotiated: str | None = None
        self._ready = False
        self._client: str | None = None
        self._extensions = ""

    def run(self) -> int:
        """Run until the client dies, or until the end of input plus a limited time for pending responses."""
        threading.Thread(target=self._read, name="input", daemon=True).start()
        while not self._ended.wait(BRIDGE_WATCH_SECONDS):
            if self._is_orphan() or self._writer.is_unread():
                return 0
        with self._changed:
            self._changed.wait_for(self._idle, timeout=caps.BRIDGE_DRAIN_SECONDS)
            left = list(self._calls)
        for call in left:
            call.abort.request()
        return 0

    def changed(self, word: bytes) -> None:
        """Notify a client of the handshake era about a changed list. Other clients subscribe to streams."""
        notification = messages.LIST_CHANGES.get(word)
        if notification is not None and self._ready:
            self._writer.write(messages.encode({"jsonrpc": "2.0", "method": notification}))

    def returned(self) -> None:
        """Announce the changes during an interruption of the lifeline."""
        threading.Thread(target=self._tell_missed, name="comparison", daemon=True).start()

    def hung(self, info: RuntimeInfo) -> None:
        """Give up the calls to an instance that no longer responds."""
        for call in self._open_calls():
            if call.endpoint is not None and call.endpoint.info == info:
                call.abort.cut()

    def _read(self) -> None:
        try:
            for line in self._lines():
                if isinstance(line, Oversized):
                    text = f"Invalid request: a message can have at most {caps.BRIDGE_MESSAGE_BYTES} bytes."
                    self._writer.write(messages.error_reply(messages.INVALID_REQUEST, text, line.message_id()))
                elif line.strip():
                    self._accept(line)
        finally:
            self._ended.set()

    def _lines(self) -> Iterator[bytes | Oversized]:
        """Yield the lines of the input. A failed pipe counts as the end of input."""
        with contextlib.suppress(OSError):
            yield from lines(self._source)

    def _idle(self) -> bool:
        waiting = (call for call in self._calls if not call.answered and not call.is_endless)
        return self._writer.broken or not any(waiting)

    def _accept(self, line: bytes) -> None:
        line = messages.sound_line(line)
        try:
            value = messages.parse_line(line)
        except InvalidMessageError as error:
            self._writer.write(messages.error_reply(error.code, str(error), error.id))
            return
        if isinstance(value, list) and value:
            batch = Batch(sum(map(messages.expects_answer, value)), self._writer.write)
            for each in value:
                self._dispatch(each, None, batch.reply)
        else:
            self._dispatch(value, line.removeprefix(messages.BOM), self._send)

    def _dispatch(self, value: Any, body: bytes | None, reply: Reply) -> None:
        try:
            message = messages.read_message(value, body)
        except InvalidMessageError as error:
            reply(messages.error_reply(error.code, str(error), error.id))
            return
        if message is None:
            return
        if message.method == "notifications/cancelled":
            # In both eras, the handler only notices a cancellation if the stream of its request is closed.
            wanted = messages.cancelled_id(message)
            for call in self._open_calls():
                if call.message.is_request and call.message.id == wanted:
                    call.abort.request()
                    call.finish(None)
            return
        self._client = message.client or self._client
        if message.method == "initialize":
            self._handshake.clear()
            self._ready = False
            self._extensions = extensions.to_words(extensions.declared(message.params.get("capabilities")))
        elif message.method == "notifications/initialized":
            self._ready = True
        self._begin(Call(message, reply))

    def _begin(self, call: Call) -> None:
        with self._changed:
            full = len(self._calls) >= caps.BRIDGE_CALLS
            if not full:
                self._calls.add(call)
        if full:
            call.fail_for_now(f"More than {caps.BRIDGE_CALLS} calls at the same time. Wait until some of them finish.")
            return
        threading.Thread(target=self._carry, args=(call,), daemon=True).start()

    def _open_calls(self) -> list[Call]:
        with self._changed:
            return list(self._calls)

    def _carry(self, call: Call) -> None:
        handshake = call.message.method == "initialize"
        try:
            if not handshake and call.message.modern_version is None:
                self._handshake.wait()
            self._exchange(call)
        except NotRunningError as error:
            call.fail_for_now(f"{error.message} {error.hint}")
        except AnswerTooLargeError:
            call.fail("The response is too large for the bridge. Request less per call.")
        except CallCancelledError:
            call.finish(None)
        finally:
            call.fail("The bridge could not deliver this message. See the log of the client.", messages.INTERNAL_ERROR)
            if handshake:
                self._handshake.set()
            with self._changed:
                self._calls.discard(call)
                self._changed.notify_all()

    def _exchange(self, call: Call) -> None:
        reason, attempts = "", 0
        while attempts < BRIDGE_ATTEMPTS or call.acknowledged:
            attempts += 1
            endpoint = call.endpoint = self._endpoint_for(call)
            self._instances.attach(self._client or "unknown")
            may_repeat = self._lists.may_repeat(call.message)
            headers = self._headers(call.message)
            try:
                with endpoint.post(call.message.body, headers, call.abort, may_repeat=may_repeat) as answer:
                    self._take(call, answer)
                return
            except InstanceLostError as error:
                reason = "no heartbeat" if call.abort.was_cut else str(error)
                delivered = error.delivered
            if call.answered and call.message.is_request:
                return
            self._instances.lost(endpoint)
            if delivered and not may_repeat:
                call.fail_for_now(f"WebRAG stopped during this call ({reason}). {MAY_HAVE_RUN}", may_have_run=True)
                return
        call.fail_for_now(f"WebRAG stopped during this call ({reason}). {NEXT_STEP}")

    def _endpoint_for(self, call: Call) -> Endpoint:
        """Wait for an instance for an acknowledged subscription, or start one for another call. Raises NotRunningError."""
        while call.acknowledged:
            time.sleep(caps.BRIDGE_REATTACH_SECONDS)
            if call.abort.requested:
                raise CallCancelledError
            if (endpoint := self._instances.running()) is not None:
                return endpoint
        return self._instances.current()

    def _take(self, call: Call, answer: Answer) -> None:
        for raw in answer.messages():
            self._deliver(call, raw)
        if call.answered:
            return
        if call.acknowledged:
            raise InstanceLostError("the stream ended", delivered=True)
        if answer.status == TOO_LARGE:
            call.fail("The message is too large for WebRAG. Send less per call.")
        elif answer.status in range(400, 500) and answer.status != UNAUTHORISED:
            call.fail(f"WebRAG responded with HTTP status {answer.status}.")
        else:
            raise InstanceLostError(f"no response, HTTP {answer.status}", delivered=answer.status != UNAUTHORISED)

    def _deliver(self, call: Call, raw: bytes) -> None:
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return
        if call.abort.requested or not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
            return
        line = messages.encode(value) if b"\n" in raw or b"\r" in raw else raw
        if "method" in value:
            # Requests of the server are dropped: the client's response could not be returned to it.
            if "id" not in value and not self._is_second_acknowledgement(call, value["method"]):
                self._writer.write(line)
            return
        if call.acknowledged and "result" in value:
            # The instance shuts down cleanly. The subscription continues on the next one.
            return
        if value.get("id") != call.message.id:
            line = messages.encode({**value, "id": call.message.id})
        result = value.get("result")
        if isinstance(result, dict):
            if call.message.method == "initialize":
                version = result.get("protocolVersion")
                self._negotiated = version if isinstance(version, str) else None
            self._lists.note(call.message, result)
        call.finish(line)

    def _is_second_acknowledgement(self, call: Call, method: Any) -> bool:
        """Whether the client already has this acknowledgement. If so, it gets the missed notifications instead."""
        if method != messages.ACKNOWLEDGED or not call.is_endless:
            return False
        if call.acknowledged:
            for notice in messages.update_notices(call.message):
                self._writer.write(notice)
            self.returned()
            return True
        call.acknowledged = True
        return False

    def _tell_missed(self) -> None:
        with self._comparing:
            words = self._lists.changed(self._fetched)
            for word in words:
                self.changed(word)
            for call in self._open_calls():
                if call.acknowledged:
                    for notice in messages.change_notices(call.message, words):
                        self._writer.write(notice)

    def _fetched(self, message: Message) -> dict[str, Any] | None:
        """Repeat a message without showing the client its result, and return the result, or None if there is none."""
        for _ in range(BRIDGE_ATTEMPTS):
            endpoint = self._instances.running()
            if endpoint is None:
                return None
            try:
                with endpoint.post(message.body, self._headers(message), Abort()) as answer:
                    return messages.first_result(answer.messages())
            except AnswerTooLargeError:
                return None
            except InstanceLostError:
                self._instances.lost(endpoint)
        return None

    def _headers(self, message: Message) -> dict[str, str]:
        # A message of the newer era names the extensions itself.
        known = self._extensions if message.modern_version is None else ""
        return {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "X-WebRAG-Client": message.client or self._client or "unknown",
            "X-WebRAG-Bridge": str(os.getpid()),
            **({"X-WebRAG-Tools": self._tools} if self._tools else {}),
            **({"X-WebRAG-Extensions": known} if known else {}),
            **messages.protocol_headers(message, self._negotiated),
        }

    def _send(self, answer: bytes | None) -> None:
        if answer is not None:
            self._writer.write(answer)
