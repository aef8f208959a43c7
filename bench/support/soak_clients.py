"""The assistants of bench/soak.py: each calls in turn, connects again when its connection breaks, and sorts what it got."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from support.assistants import MIX, NOT_READY, OK, REFUSED, Assistant, Seen, Step, judged
from support.crashing import page_text
from support.marked_site import MarkedPage
from support.soak_weather import Weather
from tool_calls import Arguments, Tally, _learn, problem_of

PAUSES_SECONDS: Final = (0.5, 2.5)
"""Shortest and longest pause of an assistant between two calls."""
RECONNECT_SECONDS: Final = 0.5
CALL_SECONDS: Final = 150.0
"""A call without a result after this time is a finding. Sleep does not count."""
OWN_PAGES: Final = 6
"""Pages of an assistant that get new versions during the run."""
CRAWL_PAGES: Final = 30
CRAWL_PAUSE_SECONDS: Final = 20.0
HINTLESS: Final = "without a hint"


@dataclass
class Ledger:
    """What the application said that it keeps: versions of pages by address, and addresses of crawled pages."""

    versions: dict[str, int] = field(default_factory=dict)
    addresses: set[str] = field(default_factory=set)


@dataclass
class Account:
    """The outcomes of all assistants by tool."""

    ok: Counter[str] = field(default_factory=Counter)
    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Failures with a code and a hint, by tool and event."""
    findings: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    """Calls with any arguments, by tool."""
    breaks: Counter[str] = field(default_factory=Counter)
    """Connections that had to be opened again, by kind of client."""
    longest: dict[str, float] = field(default_factory=dict)

    def note(self, tool: str, verdict: str, seconds: float, event: str) -> None:
        """Sort one outcome. A failure with a hint is expected only near an event."""
        self.longest[tool] = max(self.longest.get(tool, 0.0), seconds)
        if verdict in (OK, REFUSED, NOT_READY):
            self.ok[tool] += 1
        elif verdict.startswith(("error ", "protocol error ")) and HINTLESS not in verdict:
            self.told[tool, event or "none"] += 1
            if not event:
                self.findings[f"{tool} failed without an event: {verdict}"] += 1
        else:
            self.findings[f"{tool}: {verdict} (during: {event or 'nothing'})"] += 1


Connect = Callable[[], AbstractAsyncContextManager[Any]]


@dataclass
class Life:
    """One client through all restarts. `turn` makes one call with the current connection."""

    name: str
    connect: Connect
    turn: Callable[[Any], Awaitable[None]]
    pauses: tuple[float, float]
    weather: Weather
    account: Account
    chance: random.Random

    async def live(self, deadline: float) -> None:
        """Make calls until the deadline, on the clock of `time.monotonic`."""
        while time.monotonic() < deadline:
            began = time.monotonic()
            try:
                async with self.connect() as client:
                    while time.monotonic() < deadline:
                        began = time.monotonic()
                        async with asyncio.timeout(CALL_SECONDS):
                            await self.turn(client)
                        await asyncio.sleep(self.chance.uniform(*self.pauses))
            except Exception as error:  # noqa: BLE001 - every kind of break is sorted
                self._note_break(error, began)
                await asyncio.sleep(RECONNECT_SECONDS)

    def _note_break(self, error: Exception, began: float) -> None:
        """Sort a broken connection: HTTP breaks with the application, a bridge must not."""
        kind = self.name.rpartition("-")[0] or self.name
        event = self.weather.at(began, time.monotonic())
        self.account.breaks[kind] += 1
        words = _innermost(error)
        if isinstance(error, TimeoutError):
            self.account.findings[f"{kind}: no result after {CALL_SECONDS:.0f} s (during: {event or 'nothing'})"] += 1
        elif kind.startswith("bridge") or not event:
            self.account.findings[f"{kind} broke: {words} (during: {event or 'nothing'})"] += 1


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {str(error)[:120]}"


@dataclass
class Worker:
    """One assistant: the calls of bench/load.py about its place, new versions of its own pages, and any tool with any arguments."""

    assistant: Assistant
    site: Path
    ledger: Ledger
    weather: Weather
    account: Account
    chance: random.Random
    tools: list[Any] = field(default_factory=list)
    _number: int = 0
    _arguments: Arguments | None = None
    _version: int = 0

    def __post_init__(self) -> None:
        self._steps = [*MIX, Step("ingest", self._store, is_cheap=False), Step("any tool", self._any_tool)] * 2
        self.chance.shuffle(self._steps)
        self._steps.insert(0, MIX[0])

    async def turn(self, client: Any) -> None:
        """Make the next call."""
        one = self.assistant
        if one.client is not client:
            one.client, self.tools = client, (await client.list_tools()).tools
        step = self._steps[self._number % len(self._steps)]
        page = one.pages[self._number % len(one.pages)]
        self._number += 1
        began = time.monotonic()
        await one.step(step, page)
        now = time.monotonic()
        self.account.note(step.label, one.outcomes.pop().verdict, now - began, self.weather.at(began, now))

    async def _store(self, one: Assistant, _page: MarkedPage) -> tuple[Seen, str]:
        """Change a page of the site and let it be read again."""
        self._version += 1
        name = f"{one.place.lower()}-{self._version % OWN_PAGES}"
        path = self.site / "own" / f"{name}.md"
        written = path.with_suffix(".new")
        written.write_text(page_text(name, self._version, 2 + self._version % 4), encoding="utf-8")
        written.replace(path)
        url = f"{one.base}/own/{name}.md"
        seen, verdict = judged(await one.call("ingest", url=url, refresh=True))
        if verdict == OK and not any(word in seen.text for word in ("being read", "stored copy was used")):
            self.ledger.versions[url] = self._version
        return seen, verdict

    async def _any_tool(self, one: Assistant, _page: MarkedPage) -> tuple[Seen | None, str]:
        """Call any tool with nearly valid arguments. It may refuse them, with a code."""
        if self._arguments is None or self._number % 200 < len(self._steps):
            self._arguments = Arguments(self.chance.randrange(2**31), one.base, [page.path for page in one.pages])
            await _learn(one.client, self._arguments)
        tool = self.chance.choice(self.tools)
        self.account.tools[tool.name] += 1
        given = self._arguments.make(tool)
        result = await one.client.call_tool(tool.name, given)
        problem = problem_of(tool, result, Tally())
        return None, f"{tool.name}: {problem} of {str(given)[:300]}" if problem else OK


@dataclass
class Reader:
    """A client that crawls a site again and again."""

    site: str
    folder: Path
    ledger: Ledger
    weather: Weather
    account: Account

    async def turn(self, client: Any) -> None:
        """Crawl once and remember the addresses of the site."""
        from mcp import MCPError

        began = time.monotonic()
        try:
            crawl = {"scope": "host", "max_pages": CRAWL_PAGES}
            result = await client.call_tool(
                "ingest", {"url": f"{self.site}/index.html", "crawl": crawl, "refresh": True}
            )
            text = "\n".join(block.text for block in result.content if block.type == "text")
            verdict = judged(Seen(text, {}, bool(result.is_error)))[1]
        except MCPError as error:
            verdict = f"protocol error {error.error.code}: {error.error.message[:80]}"
        now = time.monotonic()
        event = self.weather.at(began, now)
        self.account.note("crawl", verdict, now - began, event)
        if verdict == OK and not event and "is still" not in text:
            self.ledger.addresses.update(f"{self.site}/{path.name}" for path in self.folder.glob("*.html"))
