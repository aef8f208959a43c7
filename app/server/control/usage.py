"""Control methods for the record of calls: its sums, and erasing it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.progress import ProgressCallback
from app.server.control.method import Arguments, ControlMethod

if TYPE_CHECKING:
    from app.engine import Engine


def first_moment(days: int) -> float:
    """When the first of so many days began, today being the last one; seconds since the epoch."""
    today = datetime.now().astimezone().date()
    return datetime.combine(today - timedelta(days=days - 1), time()).astimezone().timestamp()


async def _usage(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.activity.usage(first_moment(arguments["days"]))


async def _erase(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await engine.activity.clear()
    return True


_DAYS: Final = {"type": "integer", "minimum": 1, "maximum": caps.MAX_USAGE_DAYS, "default": caps.USAGE_DAYS}

USAGE_METHODS: Final[Mapping[str, ControlMethod]] = {
    "usage": ControlMethod(_usage, {"days": _DAYS}),
    "usage_erase": ControlMethod(_erase),
}
