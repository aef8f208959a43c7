"""What is owed to the client: each request one answer, those of a batch together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from app.bridge import messages
from app.bridge.messages import Message
from app.bridge.wire import Abort, Endpoint

LISTEN: Final = "subscriptions/listen"
"""The request whose answer never comes: notifications arrive on its stream for as long as the client wants them."""

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
        self.endpoint: Endpoint | None = None
        """Where it was sent last."""
        self.answered = not message.is_request
        self.acknowledged = False
        """Whether a subscription was confirmed to the client."""
        self._reply = reply
        self._lock = threading.Lock()

    @property
    def is_endless(self) -> bool:
        return self.message.method == LISTEN and self.message.is_request

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

    def fail_for_now(self, text: str, *, may_have_run: bool = False) -> None:
        """Answer with an error that tells programs that the call can succeed later, and whether it perhaps did already."""
        data = {"retryable": True, "mayHaveRun": may_have_run}
        self.finish(messages.error_reply(messages.UNREACHABLE, text, self.message.id, data))
