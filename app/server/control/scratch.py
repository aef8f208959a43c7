"""The methods of `/control/call` about kept passages."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.progress import ProgressCallback
from app.server.control.method import Arguments, ControlMethod
from app.server.reports.scratch import report_of, reports

if TYPE_CHECKING:
    from app.engine import Engine

_PASSAGE: Final = {"passage_id": {"type": "string", "pattern": r"^[A-Za-z0-9]+$", "maxLength": 40}}


async def _listing(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return reports(engine.scratch, arguments["limit"])


async def _show(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    passage = engine.scratch.look(arguments["passage_id"])
    return report_of(engine.scratch, passage, arguments["characters"])


async def _pin(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    passage = await asyncio.to_thread(engine.scratch.pin, arguments["passage_id"])
    return report_of(engine.scratch, passage)


async def _unpin(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.scratch.unpin, arguments["passage_id"])


async def _delete(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.scratch.delete, arguments["passage_id"])


def _count(default: int, highest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": highest, "default": default}


SCRATCH_METHODS: Final[Mapping[str, ControlMethod]] = {
    "scratch": ControlMethod(_listing, {"limit": _count(caps.DEFAULT_PASSAGES_SHOWN, caps.MAX_PASSAGES_SHOWN)}),
    "scratch_show": ControlMethod(
        _show,
        {**_PASSAGE, "characters": _count(caps.MAX_RESPONSE_CHARS, caps.SCRATCH_PASSAGE_BYTES)},
        ("passage_id",),
    ),
    "scratch_pin": ControlMethod(_pin, _PASSAGE, ("passage_id",)),
    "scratch_unpin": ControlMethod(_unpin, _PASSAGE, ("passage_id",)),
    "scratch_delete": ControlMethod(_delete, _PASSAGE, ("passage_id",)),
}
