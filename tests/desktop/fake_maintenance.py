"""Fake maintenance: tests provide sizes and results and control the end of long operations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.corpus.records import Compacted, Problem, StorageUse
from app.corpus.restore import Prepared
from app.corpus.watch import Watch
from app.embed.embedder import EmbedderCheck
from app.engine import EmbedderState
from app.engine.maintenance import EmbedderFacts, EmbedderTrial, Release, Storage, UpdateCheck
from app.errors import EmbedderError, WebRAGError
from app.library.records import CorpusTotals
from app.secrets import SecretName

MB = 1_000_000


@dataclass
class FakeMaintenance:
    """Every method raises `failure`; `holds` blocks long operations until they are canceled."""

    failure: WebRAGError | None = None
    holds: bool = False
    reclaimable: int = 0
    problems: list[Problem] = field(default_factory=list)
    asked: list[object] = field(default_factory=list)
    state: Callable[[], EmbedderState] = lambda: EmbedderState("small model", True, "", 0)
    update: UpdateCheck = field(default_factory=lambda: UpdateCheck("0.1.0", Release("0.1.0", ""), False))

    async def storage(self, watch: Watch | None = None) -> Storage:
        use = StorageUse(40 * MB, 25 * MB, 12 * MB, MB, MB, 9 * MB, self.reclaimable)
        return Storage(use, CorpusTotals(120, 1_400, 0, 1_400, 88 * MB), MB, MB, 0, 500 * 1000 * MB, "/data")

    async def verify(self, watch: Watch | None = None) -> list[Problem]:
        await self._long("verify", watch)
        return self.problems

    async def backup(self, target: Path, watch: Watch | None = None) -> None:
        await self._long(("backup", target), watch)

    async def compact(self, watch: Watch | None = None) -> Compacted:
        await self._long("compact", watch)
        return Compacted(88 * MB, 79 * MB)

    async def prepare_restore(self, backup: Path, watch: Watch | None = None) -> Prepared:
        await self._long(("restore", backup), watch)
        return Prepared(backup.with_name("copy.db"), CorpusTotals(2, 2, 0, 2, MB))

    def embedder(self) -> EmbedderFacts:
        return EmbedderFacts("small model", 384, 256, "Apache-2.0", "", 2)

    async def check_embedder(self) -> EmbedderCheck:
        await self._long("check", None)
        return EmbedderCheck(4.2, 95.0, 0.9912)

    async def try_embedder(self, question: str, near: str, far: str) -> EmbedderTrial:
        state = self.state()
        if not state.usable:
            raise EmbedderError(state.detail)
        return EmbedderTrial(state.name, 384, 12.0, 0.61, 0.03)

    async def try_key(self, name: SecretName) -> str:
        await self._long(("key", name), None)
        return "google"

    async def check_update(self, feed: str) -> UpdateCheck:
        await self._long(("update", feed), None)
        return self.update

    async def _long(self, what: object, watch: Watch | None) -> None:
        self.asked.append(what)
        if self.failure is not None:
            raise self.failure
        while watch is not None and self.holds:
            watch.at(0.5)
            await asyncio.sleep(0.005)
