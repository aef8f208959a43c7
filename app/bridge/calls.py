"""Track pending responses to the client: one per request, batches together, and list-changed notifications."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from app.bridge import messages
from app.bridge.messages import Message, encode
from app.bridge.wire import Abort, Endpoint

LISTEN: Final = "subscriptions/listen"
"""A request without a response: notifications arrive on its stream until the client closes it."""

Reply = Callable[[bytes | None], None]


class Batch:
    """The responses to a JSON array of requests, sent together as one array."""

    def __init__(self, expected: int, send: Callable[[bytes], None]) -> None:
        self._expected = expected
        self._send = send
        self._answers: list[bytes] = []
        self._lock = threading.Lock()

    def reply(self, answer: bytes | None) -> None:
        """Add the response to one request, or None for a request without one."""
        with self._lock:
            self._expected -= 1
            if answer is not None:
                self._answers.append(answer)
            complete = self._expected == 0 and bool(self._answers)
        if complete:
            self._send(b"[" + b",".join(self._answers) + b"]")


class Call:
    """A message in progress. The first of several threads to finish it sends its only response."""

    def __init__(self, message: Message, reply: Reply) -> None:
        self.message = message
        self.abort = Abort()
        self.endpoint: Endpoint | None = None
        """The endpoint that received the message last."""
        self.answered = not message.is_request
        self.acknowledged = False
        """Whether the client has received the acknowledgement of its subscription."""
        self._reply = reply
        self._lock = threading.Lock()

    @property
    def is_endless(self) -> bool:
        return self.message.method == LISTEN and self.message.is_request

    def finish(self, answer: bytes | None) -> None:
        """Send the response, or finish without one if `answer` is None."""
        with self._lock:
            if self.answered:
                return
            self.answered = True
        self._reply(answer)

    def fail(self, text: str, code: int = messages.UNREACHABLE) -> None:
        """Respond with a JSON-RPC error."""
        self.finish(messages.error_reply(code, text, self.message.id))

    def fail_for_now(self, text: str, *, may_have_run: bool = False) -> None:
        """Respond with an error that marks the call as retryable and says whether it may have run already."""
        data = {"retryable": True, "mayHaveRun": may_have_run}
        self.finish(messages.error_reply(messages.UNREACHABLE, text, self.message.id, data))


# --- Lists ---

TOOL_CALL: Final = "tools/call"
LISTED_BY: Final = {"tools/list": b"tools", "prompts/list": b"prompts", "resources/list": b"resources"}
"""The word on the lifeline for the list that a method returns."""

Fetch = Callable[[Message], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class _Listing:
    """`message` requested the first page of the list; `known` is a hash of that page."""

    message: Message
    known: int
    has_more: bool


class Lists:
    """The lists that the client has received. Thread-safe."""

    def __init__(self) -> None:
        self._listings: dict[bytes, _Listing] = {}
        self._read_only: set[str] = set()
        self._lock = threading.Lock()

    def note(self, message: Message, result: dict[str, Any]) -> None:
        """Record a result that is sent to the client."""
        word = LISTED_BY.get(message.method)
        if word is None:
            return
        with self._lock:
            if word == b"tools":
                tools = result.get("tools")
                for tool in tools if isinstance(tools, list) else ():
                    if isinstance(tool, dict) and isinstance(name := tool.get("name"), str):
                        annotations = tool.get("annotations")
                        reads = isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
                        (self._read_only.add if reads else self._read_only.discard)(name)
            if not message.params.get("cursor"):
                self._listings[word] = _listing(message, word, result)

    def may_repeat(self, message: Message) -> bool:
        """Whether repeating the message is harmless. Only calls of tools that write are not."""
        with self._lock:
            name = message.params.get("name")
            return message.method != TOOL_CALL or (isinstance(name, str) and name in self._read_only)

    def changed(self, fetch: Fetch) -> list[bytes]:
        """Return the words of the lists that differ from what the client has, each once."""
        with self._lock:
            before = dict(self._listings)
        found = []
        for word, listing in before.items():
            result = fetch(listing.message)
            if result is None:
                continue
            now = _listing(listing.message, word, result)
            # Later pages are not compared, so a list with several pages counts as changed.
            if now.known != listing.known or now.has_more:
                found.append(word)
                with self._lock:
                    self._listings[word] = now
        return found


def _listing(message: Message, word: bytes, result: dict[str, Any]) -> _Listing:
    has_more = bool(result.get("nextCursor"))
    return _Listing(message, hash(encode([result.get(word.decode()), has_more])), has_more)
