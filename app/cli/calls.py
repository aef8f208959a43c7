"""Runs one method: in the running instance if there is one, else here with the data directory to itself."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from app.bridge.launch import find_instance
from app.cli.output import CommandFailedError, Failure
from app.errors import AlreadyRunningError, NotRunningError
from app.instance import RuntimeInfo, hold_instance

if TYPE_CHECKING:
    from app.engine import Engine
    from app.settings import Settings

T = TypeVar("T")
Report = Callable[[str], None]

STARTING_SECONDS: Final = 15.0
"""How long an instance that holds the data directory may take until it answers."""
POLL_SECONDS: Final = 0.1
EMBEDDING_POLL_SECONDS: Final = 0.1


def call(data_dir: Path | None, method: str, params: Mapping[str, Any], kind: type[T], report: Report) -> T:
    """The result of a method of `/control/call`. Raises WebRAGError, CommandFailedError."""
    from app.settings import load_settings

    settings = load_settings(data_dir=data_dir)
    given = {name: value for name, value in params.items() if value is not None}
    info = find_instance(settings.data_dir)
    if info is not None:
        return _call_there(info, method, given, kind, report)
    try:
        with hold_instance(settings.data_dir):
            result: T = asyncio.run(_call_here(settings, method, given, report))
            return result
    except AlreadyRunningError:
        return _call_there(_await_instance(settings.data_dir), method, given, kind, report)


def post(info: RuntimeInfo, path: str, *, timeout: float = 10.0) -> int:
    """Post to an endpoint of the running instance; the HTTP status. Raises NotRunningError."""
    connection = http.client.HTTPConnection(info.host, info.port, timeout=timeout)
    try:
        connection.request("POST", path, headers={"Authorization": f"Bearer {info.token}"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise NotRunningError(f"WebRAG does not answer: {error}") from error
    finally:
        connection.close()


def _await_instance(data_dir: Path) -> RuntimeInfo:
    deadline = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < deadline:
        if (info := find_instance(data_dir)) is not None:
            return info
        time.sleep(POLL_SECONDS)
    raise AlreadyRunningError(
        f"Another WebRAG process is using {data_dir} and does not answer.",
        hint="Wait until it has finished, end it, or give another --data-dir.",
    )


async def _call_here(settings: Settings, method: str, params: Mapping[str, Any], report: Report) -> Any:
    from app.engine import build_engine
    from app.logs import configure_logging
    from app.paths import log_dir
    from app.server.arguments import checked_arguments
    from app.server.control_methods import METHODS

    configure_logging(settings.mcp_log_level, log_dir=log_dir(settings.data_dir), to_stderr=False)

    async def progress(
        phase: str, detail: str, iteration: int | None = None, total: int | None = None
    ) -> None:
        report(detail)

    chosen = METHODS[method]
    arguments = checked_arguments(chosen.validator, params)
    engine = build_engine(settings)
    try:
        await engine.start()
        result = await chosen.run(engine, arguments, progress)
        if method == "ingest":
            await vectors_made(engine, report)
        return result
    finally:
        await engine.stop()


async def vectors_made(engine: Engine, report: Report = lambda _: None) -> None:
    """Wait until every passage has its vector, or no more can be made."""
    while engine.embedder_state.usable:
        totals = (await engine.status(limit=0)).totals
        if totals.chunks_embedded >= totals.chunks:
            return
        report(f"Making vectors: {totals.chunks - totals.chunks_embedded} passages left")
        await asyncio.sleep(EMBEDDING_POLL_SECONDS)


def _call_there(
    info: RuntimeInfo, method: str, params: Mapping[str, Any], kind: type[T], report: Report
) -> T:
    from app.orchestration.export import from_jsonable

    connection = http.client.HTTPConnection(info.host, info.port)
    headers = {"Authorization": f"Bearer {info.token}", "Content-Type": "application/json"}
    try:
        connection.request("POST", "/control/call", json.dumps({"method": method, "params": params}), headers)
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise NotRunningError(f"The running WebRAG refused the call (HTTP status {answer.status}).")
        for line in answer:
            said = json.loads(line)
            if "progress" in said:
                report(str(said["progress"].get("detail", "")))
            elif "error" in said:
                raise CommandFailedError(Failure(**said["error"]))
            else:
                return from_jsonable(kind, said["result"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        raise NotRunningError(
            f"The running WebRAG went away or is of another version ({error}).",
            hint="Restart it and try again.",
        ) from error
    finally:
        connection.close()
    raise NotRunningError("The running WebRAG went away during the call.", hint="Try again.")
