"""Cursors: where a page of a walk ended, signed, so that nobody makes one up and none is used for another question.

They name the last node and its place in the order, not a number of rows, so that pages stored meanwhile move nothing.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Final

from app.corpus.graph.records import Node, node_of
from app.errors import InvalidArgumentError
from app.retrieval.graph.walking import Step

MAC_BYTES: Final = 12
KEY_BYTES: Final = 32


class Cursors:
    """Signs with a key of its own: cursors end with the program."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(KEY_BYTES)

    def after(self, step: Step, question: str) -> str:
        """A cursor that goes on behind the step."""
        text = f"{step.hop} {step.score!r} {step.node}".encode()
        return base64.urlsafe_b64encode(self._mac(text, question) + text).decode().rstrip("=")

    def place(self, cursor: str, question: str) -> tuple[int, float, Node]:
        """Where the next page begins: behind this place. Raises InvalidArgumentError for a cursor that is not of this question."""
        try:
            raw = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        except (binascii.Error, ValueError):
            raise _unknown() from None
        mac, text = raw[:MAC_BYTES], raw[MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(text, question)):
            raise _unknown()
        hop, score, name = text.decode().split(" ")
        node = node_of(name)
        assert node is not None
        return int(hop), -float(score), node

    def _mac(self, text: bytes, question: str) -> bytes:
        return hmac.digest(self._key, hashlib.sha256(question.encode("utf-8", "replace")).digest() + text, "sha256")[
            :MAC_BYTES
        ]


def _unknown() -> InvalidArgumentError:
    return InvalidArgumentError(
        "The cursor is not of this call.", hint="Give it with the same arguments as before, or call again without one."
    )
