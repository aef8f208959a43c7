"""Callers, attached bridges, and the running calls of each caller."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

import anyio

from app import caps, extensions
from app.events import ClientsChanged, EventBus

CLIENT_HEADER: Final = "x-webrag-client"
BRIDGE_HEADER: Final = "x-webrag-bridge"
TOOLS_HEADER: Final = "x-webrag-tools"
EXTENSIONS_HEADER: Final = "x-webrag-extensions"
SESSION_HEADER: Final = "mcp-session-id"
UNKNOWN: Final = "unknown"
PIPE: Final = "pipe"
"""Key of the only client over standard input and output."""
SUBJECT_KEY: Final = "webrag.subject"
"""Key of the signed-in user in the scope of a request."""

_SESSION = re.compile(
    rf"(?P<client>[\x21-\x7e]{{1,{caps.MAX_CLIENT_LABEL_CHARS}}})~(?P<nonce>[0-9a-f]{{32}})(?:~(?P<words>[a-z.]{{1,40}}))?"
)


@dataclass(frozen=True, slots=True)
class Caller:
    """The program or user that makes a call.

    `key` distinguishes connections of one program; `charged`: the call already passed the rate limit; `tools` is the requested tool
    profile. `subject` is the signed-in user, or empty without a sign-in. `extensions` are those that the client declared.
    """

    name: str = UNKNOWN
    version: str = ""
    key: str = ""
    charged: bool = False
    tools: str = ""
    subject: str = ""
    extensions: frozenset[str] = frozenset()

    @property
    def owner(self) -> str:
        """Return the owner of sessions and passages: one connection of one program (as far as known) of one user."""
        return f"{self.name}\0{self.key}\0{self.subject}" if self.subject else f"{self.name}\0{self.key}"


def caller_from_headers(headers: Mapping[str, str], subject: str = "") -> Caller:
    """Return the caller named by the headers of an HTTP request: a bridge, a session tag of this server, or unknown."""
    session = _SESSION.fullmatch(headers.get(SESSION_HEADER, ""))
    bridge = headers.get(BRIDGE_HEADER, "")
    key = f"bridge {_clean(bridge)}" if bridge else f"session {session['nonce']}" if session else ""
    label = headers.get(CLIENT_HEADER) or (session["client"] if session else "")
    name, version = split_label(label)
    words = headers.get(EXTENSIONS_HEADER, "") if bridge else (session["words"] or "") if session else ""
    tools = headers.get(TOOLS_HEADER, "").strip().lower()
    return Caller(name, version, key, tools=tools, subject=subject, extensions=extensions.from_words(words))


def caller_from_info(name: str | None, version: str | None, *, key: str = "") -> Caller:
    return Caller(_clean(name or "") or UNKNOWN, _clean(version or ""), key)


def split_label(label: str) -> tuple[str, str]:
    """Return name and version from a percent-encoded `name/version`."""
    name, _, version = unquote(label).rpartition("/") if "/" in label else (unquote(label), "", "")
    return _clean(name) or UNKNOWN, _clean(version)


def new_session_tag(params: Mapping[str, Any]) -> str:
    """Return an `Mcp-Session-Id` for a client that connected over plain HTTP.

    It names the client and its extensions, and distinguishes it from others, which a handshake without a session cannot do. Nothing is
    stored under it, so it stays valid when the application restarts.
    """
    info = params.get("clientInfo")
    info = info if isinstance(info, dict) else {}
    name, version = _clean(str(info.get("name", ""))), _clean(str(info.get("version", "")))
    label = quote(f"{name or UNKNOWN}/{version}", safe="/")
    words = extensions.to_words(extensions.declared(params.get("capabilities")))
    tag = f"{label if len(label) <= caps.MAX_CLIENT_LABEL_CHARS else UNKNOWN}~{secrets.token_hex(16)}"
    return f"{tag}~{words}" if words else tag


class AttachedClients:
    """The bridges that are connected to this instance."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus
        self._lines: dict[object, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._lines.values())

    @contextlib.contextmanager
    def attach(self, label: str) -> Iterator[None]:
        """Count a client as connected while the context is active."""
        line = object()
        self._lines[line] = split_label(label)[0]
        self._bus.publish(ClientsChanged(self.names))
        try:
            yield
        finally:
            del self._lines[line]
            self._bus.publish(ClientsChanged(self.names))


class RunningCalls:
    """Running calls that a later request of the same caller can cancel."""

    def __init__(self) -> None:
        self._scopes: dict[tuple[str, str | int], anyio.CancelScope] = {}

    @contextlib.contextmanager
    def cancellable(self, caller: Caller, request_id: str | int | None) -> Iterator[anyio.CancelScope]:
        """Return a scope that `cancel` with the same caller and id ends."""
        with anyio.CancelScope() as scope:
            if not caller.key or request_id is None:
                yield scope
                return
            place = (caller.owner, request_id)
            self._scopes[place] = scope
            try:
                yield scope
            finally:
                if self._scopes.get(place) is scope:
                    del self._scopes[place]

    def cancel(self, caller: Caller, request_id: object) -> bool:
        """Cancel a call of this caller; return False if there is none with this id."""
        if not caller.key or not isinstance(request_id, str | int):
            return False
        scope = self._scopes.get((caller.owner, request_id))
        if scope is not None:
            scope.cancel()
        return scope is not None


def _clean(text: str) -> str:
    printable = "".join(letter for letter in text if letter.isprintable())
    return " ".join(printable.split())[: caps.MAX_CLIENT_NAME_CHARS]
