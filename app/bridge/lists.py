"""What the client was last told of each list, so that a change that nobody could announce is noticed afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from app.bridge.messages import Message, encode

TOOL_CALL: Final = "tools/call"
LISTED_BY: Final = {"tools/list": b"tools", "prompts/list": b"prompts", "resources/list": b"resources"}
"""The word on the life line for the list that a method gives."""

Fetch = Callable[[Message], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class _Told:
    """`message` asked for the first page of the list, `known` tells what it was."""

    message: Message
    known: int
    has_more: bool


class Lists:
    """Remembers what answers told; thread-safe."""

    def __init__(self) -> None:
        self._told: dict[bytes, _Told] = {}
        self._read_only: set[str] = set()
        self._lock = threading.Lock()

    def note(self, message: Message, result: dict[str, Any]) -> None:
        """Take notice of an answer that goes to the client."""
        word = LISTED_BY.get(message.method)
        if word is None:
            return
        with self._lock:
            if word == b"tools":
                self._note_tools(result.get("tools"))
            if not message.params.get("cursor"):
                self._told[word] = _told(message, word, result)

    def may_repeat(self, message: Message) -> bool:
        """Whether acting on the message twice does no more than once: only calls of tools that write are in doubt."""
        with self._lock:
            name = message.params.get("name")
            return message.method != TOOL_CALL or (isinstance(name, str) and name in self._read_only)

    def changed(self, fetch: Fetch) -> list[bytes]:
        """The words of the lists that are not what the client was told, told once."""
        with self._lock:
            before = dict(self._told)
        found = []
        for word, told in before.items():
            result = fetch(told.message)
            if result is None:
                continue
            now = _told(told.message, word, result)
            # What stands on later pages is not compared, so it counts as changed.
            if now.known != told.known or now.has_more:
                found.append(word)
                with self._lock:
                    self._told[word] = now
        return found

    def _note_tools(self, tools: Any) -> None:
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and isinstance(name := tool.get("name"), str):
                annotations = tool.get("annotations")
                reads = isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
                (self._read_only.add if reads else self._read_only.discard)(name)


def _told(message: Message, word: bytes, result: dict[str, Any]) -> _Told:
    has_more = bool(result.get("nextCursor"))
    return _Told(message, hash(encode([result.get(word.decode()), has_more])), has_more)
