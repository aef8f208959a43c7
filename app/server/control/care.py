"""Control methods for looking after what is kept: sizes, compacting, whether a newer version is out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.progress import ProgressCallback
from app.server.control.method import Arguments, ControlMethod
from app.server.port import EnginePort


async def _storage(engine: EnginePort, arguments: Arguments, progress: ProgressCallback) -> Any:
    await progress("storage", "Adding up what is kept...")
    return await engine.care.storage()


async def _compact(engine: EnginePort, arguments: Arguments, progress: ProgressCallback) -> Any:
    await progress("compact", "Writing the corpus anew...")
    return await engine.care.compact()


async def _update(engine: EnginePort, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.care.check_update(engine.settings.update_feed)


CARE_METHODS: Final[Mapping[str, ControlMethod]] = {
    "storage": ControlMethod(_storage),
    "compact": ControlMethod(_compact),
    "update": ControlMethod(_update),
}
