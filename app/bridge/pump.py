"""The bridge itself: one thread reads the client's lines, one thread per message carries it to the instance and its answer back."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

from app import caps
from app.bridge import messages
from app.bridge.instances import Instances
from app.bridge.messages import InvalidMessageError, Message, MessageId
from app.bridge.stdio import LineWriter, lines
from app.bridge.wire import Abort, Answer, AnswerTooLargeError, CallCancelledError, Endpoint, InstanceLostError
from app.errors import NotRunningError

ATTEMPTS: Final = 2
"""Each request is sent again once when the instance went away; every call of ours may be repeated."""
NEXT_STEP: Final = "Start WebRAG Desktop, then try again."
HTTP_ANSWERS: Final = {
    401: "WebRAG refused the bridge's token. Restart WebRAG Desktop, then try again.",
    413: "The message is larger than WebRAG accepts. Ask for less at once.",
}


class Outbox:
    """Where the answers of one line go: straight to the client, or together once a batch is complete."""

    def __init__(self, writer: LineWriter, *, batch: bool = False) -> None:
        self._writer = writer
        self._batch = batch
        self._lock = threading.Lock()
        self._waiting = 0
        self._answers: list[bytes] = []

    def expect(self, count: int) -> None:
        """Announce how many requests will be answered or dropped."""
        with self._lock:
            self._waiting = count
        if self._batch and count == 0 and self._answers:
            self._flush()

    def reply(self, answer: bytes | None) -> None:
        """The answer to one request; None when it gets none."""
        if not self._batch:
            if answer is not None:
                self._writer.write(answer)
            return
        with self._lock:
            self._waiting -= 1
            if answer is not None:
                self._answers.append(answer)
            complete = self._waiting == 0
        if complete and self._answers:
            self._flush()

    def _flush(self) -> None:
        self._writer.write(b"[" + b",".join(self._answers) + b"]")
