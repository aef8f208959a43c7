"""What disturbs the application of bench/soak.py: restarts, sleep and wake, the network, the disk."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import psutil

from support.report import Row
from support.sites import Served, Trouble
from support.soak_program import Filler, Program

GRACE_SECONDS: Final = 20.0
"""Time after an event in which calls may still fail because of it."""
HOUR: Final = 3_600.0
NAP_SECONDS: Final = 3.0
LONGEST_SECONDS: Final = 40.0
USUAL_SECONDS: Final = 7.0
"""Duration of an event in a run of minutes; longer in one of hours, shorter in one of seconds."""
CHECK_SECONDS: Final = 2.0
SMALL_FILE_BYTES: Final = 16 * 2**10
"""Largest file that the application may extend while the disk is full and there is no small disk."""
RESTARTS_PER_HOUR: Final = 15
NETWORKS_PER_HOUR: Final = 9
SLEEPS_PER_HOUR: Final = 6
DISKS_PER_HOUR: Final = 3
TROUBLES: Final = (Trouble.REFUSE, Trouble.RESET, Trouble.HANG)


@dataclass(slots=True)
class Spell:
    """One event, from its beginning until the application is back to normal. Times are of `time.monotonic`."""

    what: str
    began: float
    ended: float = float("inf")
    note: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """An event at a share of the run."""

    share: float
    what: str
    kind: str


def plan(minutes: float, chance: random.Random) -> list[Planned]:
    """Return the events. The middle third has no restarts, so that it shows whether memory grows."""

    def times(per_hour: int, least: int) -> int:
        return max(least if minutes >= 1 else 1, round(per_hour * minutes / 60))

    def spread(count: int, *parts: tuple[float, float]) -> list[float]:
        """Return so many shares, evenly within the parts with some chance."""
        length = sum(end - begin for begin, end in parts)
        found = []
        for number in range(count):
            at = (number + 0.2 + 0.6 * chance.random()) / count * length
            for begin, end in parts:
                if at < end - begin:
                    found.append(begin + at)
                    break
                at -= end - begin
        return found

    outer = ((0.06, 0.33), (0.67, 0.94))
    restarts = spread(times(RESTARTS_PER_HOUR, 2), *outer)
    networks = spread(times(NETWORKS_PER_HOUR, 3), (0.04, 0.94))
    sleeps = spread(times(SLEEPS_PER_HOUR, 2), (0.04, 0.94))
    disks = spread(times(DISKS_PER_HOUR, 1), *outer)
    made = [Planned(at, "restart", ("quit", "kill")[number % 2]) for number, at in enumerate(restarts)]
    made += [Planned(at, "network", TROUBLES[number % 3]) for number, at in enumerate(networks)]
    made += [Planned(at, "sleep", ("one clock", "both clocks")[number % 2]) for number, at in enumerate(sleeps)]
    made += [Planned(at, "disk", "full") for at in disks]
    return sorted(made, key=lambda each: each.share)


@dataclass
class Weather:
    """Makes the planned events happen, one after another, and knows which of them a moment belongs to."""

    program: Program
    served: Served
    seconds: float
    forget: Callable[[], None]
    """Called when an application is gone with everything that it kept in memory."""
    spells: list[Spell] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    _monotonic: float = 0.0

    async def pass_by(self, planned: list[Planned]) -> None:
        """Let the events happen at their times, later if the one before takes longer."""
        began = time.monotonic()
        for number, each in enumerate(planned):
            await asyncio.sleep(max(0.0, began + each.share * self.seconds - time.monotonic()))
            spell = Spell(f"{each.what}: {each.kind}", time.monotonic())
            self.spells.append(spell)
            event = {"restart": self._restart, "network": self._network, "sleep": self._sleep, "disk": self._disk}
            spell.note = await event[each.what](each.kind, number)
            spell.ended = time.monotonic()
            minute, took = (spell.began - began) / 60, spell.ended - spell.began
            print(f"minute {minute:.1f}: {spell.what}, {took:.1f} s {spell.note}", file=sys.stderr, flush=True)

    def at(self, began: float, ended: float) -> str:
        """Return the events between two moments, or shortly before."""
        near = [each.what for each in self.spells if each.began <= ended and began <= each.ended + GRACE_SECONDS]
        return ", ".join(near)

    @property
    def duration(self) -> float:
        """Return the seconds of an event."""
        return min(LONGEST_SECONDS, max(self.seconds / 60, min(USUAL_SECONDS, self.seconds / 10)))

    @property
    def rows(self) -> list[Row]:
        """Return the number of events by kind with the seconds that they took, and what was seen."""
        kinds = list(dict.fromkeys(each.what for each in self.spells))
        rows: list[Row] = []
        for kind in sorted(kinds):
            some = [each for each in self.spells if each.what == kind and each.ended < float("inf")]
            notes = "; ".join(dict.fromkeys(each.note for each in some if each.note))
            longest = max((each.ended - each.began for each in some), default=0.0)
            rows.append({"event": kind, "times": len(some), "longest s": longest, "notes": notes})
        return rows

    async def _restart(self, kind: str, number: int) -> str:
        """End the application; sometimes start it again, sometimes leave that to the bridges."""
        before = self.program.pid
        took = await self.program.end(signal.SIGTERM if kind == "quit" else signal.SIGKILL)
        self.forget()
        if took == float("inf"):
            self.findings.append("the application did not quit in time and was killed")
        began = time.monotonic()
        if number % 3:
            self.program.start()
        try:
            await self.program.ready(other_than=before)
        except TimeoutError as error:
            self.findings.append(f"after a restart ({kind}): {error}")
            self.program.start()
        self.forget()
        self.program.starts.append(time.monotonic() - began)
        return ""

    async def _network(self, kind: str, number: int) -> str:
        self.served.set_trouble(Trouble(kind))
        try:
            await asyncio.sleep(self.duration)
        finally:
            await asyncio.to_thread(self.served.set_trouble, Trouble.NONE)
        return ""

    async def _sleep(self, kind: str, number: int) -> str:
        """Stop all programs, let hours pass, continue, and later correct the wall clock backwards.

        The monotonic clock of Linux does not count sleep, those of other systems do: it goes on in half of the cases.
        """
        home, hours = self.program.home, (8 * HOUR, 30 * HOUR)[number % 2]
        stopped = [*psutil.Process().children(recursive=True), *self.program.tree()]
        stopped = list({each.pid: each for each in stopped}.values())
        for process in stopped:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.suspend()
        await asyncio.sleep(min(NAP_SECONDS, self.duration))
        if kind == "both clocks":
            self._monotonic += hours
        home.shift_clocks(hours, self._monotonic)
        for process in stopped:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()
        self.forget()
        await asyncio.sleep(self.duration)
        home.shift_clocks(0.0, self._monotonic)
        return f"{len(stopped)} processes"

    async def _disk(self, kind: str, number: int) -> str:
        """Let the disk be full for a while, without a small disk by a limit on the size of files."""
        if not self.program.home.is_mounted:
            self.program.limit_files(SMALL_FILE_BYTES)
            await asyncio.sleep(self.duration)
            self.program.limit_files(-1)
            return "by a limit on the size of files"
        filler = Filler(self.program.home)
        try:
            until = time.monotonic() + self.duration
            while time.monotonic() < until:
                await asyncio.to_thread(filler.fill)
                await asyncio.sleep(CHECK_SECONDS)
        finally:
            filler.clear()
        return "by a file on its disk"
