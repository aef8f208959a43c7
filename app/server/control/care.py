"""Control methods for looking after what is kept: sizes, compacting, whether a newer version is out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from app.progress import ProgressCallback
from app.server.control.method import Arguments, ControlMethod

if TYPE_CHECKING:
    from app.engine import Engine


async def _storage(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await progress("storage", "Adding up what is kept...")
    return await engine.maintenance.storage()


async def _compact(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await progress("compact", "Writing the corpus anew...")
    return await engine.maintenance.compact()


async def _update(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.maintenance.check_update(engine.settings.update_feed)


CARE_METHODS: Final[Mapping[str, ControlMethod]] = {
    "storage": ControlMethod(_storage),
    "compact": ControlMethod(_compact),
    "update": ControlMethod(_update),
}
