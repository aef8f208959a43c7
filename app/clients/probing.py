"""Starts a server as a client would and talks to it in both protocol eras."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app import caps
from app.clients.entry import ServerCommand
from app.clients.session import MODERN_META, MODERN_VERSION, Session, SessionError

Greeting = Callable[[Session], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Era:
    """One way to begin, tried. `error` is why it failed, empty otherwise; `status` is None for a process that was killed."""

    name: str
    error: str = ""
    instructions: str = ""
    tools: tuple[Any, ...] = ()
    start_ms: float = 0.0
    list_ms: float = 0.0
    status: int | None = 0
    noise: str = ""


class Prober:
    """Tries each command once, however many files hold it."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], list[Era]] = {}

    def eras(self, command: ServerCommand, environ: Mapping[str, str]) -> Iterator[Era]:
        """The eras as they are tried, or as they were tried before."""
        key = (command, tuple(sorted(environ.items())))
        if key in self._known:
            yield from self._known[key]
            return
        tried: list[Era] = []
        for name, greet in ERAS.items():
            tried.append(_tried(name, greet, command, environ))
            yield tried[-1]
        self._known[key] = tried


def _tried(name: str, greet: Greeting, command: ServerCommand, environ: Mapping[str, str]) -> Era:
    began = time.perf_counter()
    try:
        with Session([command.command, *command.args], environ) as session:
            welcome = greet(session)
            start_ms = (time.perf_counter() - began) * 1000
            began = time.perf_counter()
            tools = tuple(_listed(session, name))
            list_ms = (time.perf_counter() - began) * 1000
            status = session.close()
            noise = session.noise[0] if session.noise else ""
    except SessionError as error:
        return Era(name, error=str(error))
    return Era(name, "", str(welcome.get("instructions", "")), tools, start_ms, list_ms, status, noise)


def _listed(session: Session, era: str) -> list[Any]:
    meta = {"_meta": MODERN_META} if era == MODERN_VERSION else {}
    tools: list[Any] = []
    cursor: dict[str, Any] = {}
    until = time.monotonic() + caps.DOCTOR_LIST_SECONDS
    for _ in range(caps.MAX_TOOL_LIST_PAGES):
        result = session.request("tools/list", {**meta, **cursor}, timeout=caps.DOCTOR_LIST_SECONDS)
        page = result.get("tools")
        tools += page if isinstance(page, list) else []
        if not isinstance(result.get("nextCursor"), str):
            return tools
        if time.monotonic() > until:
            raise SessionError(f"tools/list takes longer than {caps.DOCTOR_LIST_SECONDS:.0f} s for all its pages")
        cursor = {"cursor": result["nextCursor"]}
    raise SessionError(f"tools/list has more than {caps.MAX_TOOL_LIST_PAGES} pages")


def _handshake(session: Session) -> Mapping[str, Any]:
    return session.initialize(timeout=caps.DOCTOR_START_SECONDS)


def _discover(session: Session) -> Mapping[str, Any]:
    return session.request("server/discover", {"_meta": MODERN_META}, timeout=caps.DOCTOR_START_SECONDS)


ERAS: Final[Mapping[str, Greeting]] = {"handshake": _handshake, MODERN_VERSION: _discover}
"""The two ways to begin, by the name of their check."""
