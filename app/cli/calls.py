"""Run a method in the running instance, or in this process if none is running, and print the result."""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from app import caps, instance
from app.cli.output import CommandFailedError, Failure, ProgressLine, remark, tell
from app.errors import AlreadyRunningError, CallTimeoutError, NotRunningError
from app.instance import Holding, InstanceConnection, RuntimeInfo, find_instance, hold_instance, silent_holder
from app.paths import log_dir
from app.settings import load_settings

if TYPE_CHECKING:
    from app.engine import Engine
    from app.events import ProgressCallback
    from app.server.render.text import Budget, CountTokens
    from app.settings import Settings

INSTANCE_ANSWER_SECONDS: Final = 15.0  # Time limit for an instance that holds the data directory to answer.
CONTROL_POST_SECONDS: Final = 10.0
CONTROL_MARGIN_SECONDS: Final = 5.0
"""Extra time after the time limit of a call, so that the error of the instance arrives."""

T = TypeVar("T")
Report = Callable[[str], None]

LIMITED: Final = frozenset({"answer", "search", "ingest"})
"""Methods that the instance ends at its time limit for tools."""

POLL_SECONDS: Final = 0.1
EMBEDDING_POLL_SECONDS: Final = 0.1


def post(info: RuntimeInfo, path: str, *, timeout: float = CONTROL_POST_SECONDS) -> int:
    """Post to an endpoint of the running instance and return the HTTP status. Raises NotRunningError."""
    try:
        return instance.post(info, path, timeout=timeout)
    except (OSError, http.client.HTTPException) as error:
        raise NotRunningError(f"WebRAG does not respond: {error}") from error


def _await_instance(data_dir: Path) -> RuntimeInfo:
    deadline = time.monotonic() + INSTANCE_ANSWER_SECONDS
    while time.monotonic() < deadline:
        if (info := find_instance(data_dir)) is not None:
            return info
        time.sleep(POLL_SECONDS)
    raise silent_holder(data_dir)


async def _call_here(
    settings: Settings, method: str, params: Mapping[str, Any], report: Report, show: Callable[[T, CountTokens], str]
) -> tuple[T, str]:
    from app.engine import build_engine
    from app.logs import configure_logging
    from app.server.control.methods import METHODS
    from app.server.tools.ingest import job_ended

    configure_logging(settings.mcp_log_level, log_dir=log_dir(settings.data_dir), to_stderr=False)

    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        report(detail)

    async def updating() -> None:
        report("updating the library for this version...")

    engine = build_engine(settings)
    try:
        await engine.start(background=False, on_update=updating)
        result: T = await METHODS[method].call(engine, params, progress)
        # Pages that took longer than a tool call allows have a job. No other process works on it.
        entries = result if isinstance(result, tuple) else getattr(result, "failures", ())
        if late := [job_id for entry in entries if (job_id := getattr(entry, "job_id", 0))]:
            for job_id in late:
                await job_ended(engine, await engine.jobs.job(job_id), progress)
            stored = {name: value for name, value in params.items() if name != "refresh"}
            result = await METHODS[method].call(engine, stored, progress)
        if METHODS[method].goes_on:
            result = await _completed(engine, result, progress)
            await vectors_made(engine, report)
        from app.corpus.records import FileHealth
        from app.engine.facade import troubles_of

        # Problems of the corpus file, unless the result lists them.
        told = (*getattr(result, "notes", ()), *troubles_of(getattr(result, "health", FileHealth())))
        for trouble in troubles_of(await engine.checked()):
            if trouble not in told:
                remark(trouble)
        return result, show(result, engine.count_tokens)
    finally:
        await engine.stop()


async def _completed(engine: Engine, result: Any, progress: ProgressCallback) -> Any:
    """Return the result after its jobs have ended. No other process works on them."""
    from app.server.control.files import Imported
    from app.server.tools.ingest import job_ended
    from app.server.tools.status import JobReport, job_report

    if isinstance(result, list):
        return [await _completed(engine, entry, progress) for entry in result]
    if isinstance(result, JobReport):
        return await job_report(engine.jobs, await job_ended(engine, result.job, progress))
    if isinstance(result, Imported) and result.job is not None:
        return replace(result, job=await job_ended(engine, result.job, progress))
    return result


async def vectors_made(engine: Engine, report: Report = lambda _: None) -> None:
    """Wait until every passage is embedded, or embedding is not possible."""
    while engine.embedder_state.usable:
        if reason := engine.embedder_state.reason:
            report(f"Embedding is paused: {reason}")
            return
        totals = (await engine.status(limit=0)).totals
        if totals.chunks_embedded >= totals.chunks:
            return
        report(f"{totals.chunks - totals.chunks_embedded} passages not embedded yet")
        await asyncio.sleep(EMBEDDING_POLL_SECONDS)


def _call_there(
    info: RuntimeInfo, method: str, params: Mapping[str, Any], kind: type[T], report: Report, settings: Settings
) -> T:
    from app.serialise import from_jsonable

    seconds = settings.mcp_tool_timeout + CONTROL_MARGIN_SECONDS if method in LIMITED else None
    body = json.dumps({"method": method, "params": params})
    try:
        with closing(InstanceConnection(info, timeout=caps.INSTANCE_CONNECT_SECONDS)) as connection:
            connection.connect()
            connection.sock.settimeout(seconds)
            headers = {**connection.authorisation, "Content-Type": "application/json"}
            connection.request("POST", "/control/call", body, headers)
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
    except TimeoutError as error:
        raise CallTimeoutError(
            "The running WebRAG did not respond in time.", hint="Restart it and try again."
        ) from error
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        raise NotRunningError(
            f"WebRAG stopped during the call, or it is a different version ({error}).",
            hint=_lost_hint(method, "Restart it and try again."),
        ) from error
    raise NotRunningError("WebRAG stopped during the call.", hint=_lost_hint(method, "Try again."))


def _lost_hint(method: str, otherwise: str) -> str:
    """Say what to do if the instance stops during a method. Its job, if any, is kept."""
    from app.server.control.methods import JOB_METHODS

    if method in JOB_METHODS and JOB_METHODS[method].goes_on:
        return "The job resumes when WebRAG starts again. `webrag jobs` shows it."
    return otherwise


@dataclass(frozen=True, slots=True)
class Fitted(Generic[T]):
    """A text that is cut to a budget, unlike other texts of results."""

    text: Callable[[T, Budget, CountTokens], str]


CLIENT: Final = "command line"  # Client name in the activity log and for budgets.

Show: TypeAlias = Callable[[T], str] | Fitted[T]


def call_and_print(
    options: argparse.Namespace, method: str, params: Mapping[str, Any], kind: type[T], show: Show[T]
) -> T:
    """Run a method, print its result as text or JSON, and return it."""
    result, shown = call_method(options, method, params, kind, show)
    tell(result, shown, as_json=options.json)
    return result


def call_method(
    options: argparse.Namespace, method: str, params: Mapping[str, Any], kind: type[T], show: Show[T]
) -> tuple[T, str]:
    """Run a method, show its progress, and return the result and its text, made with the best available token counter.

    Raises WebRAGError, CommandFailedError.
    """
    from app.server.calls.limits import effective_budget
    from app.text.terms import estimate_tokens

    settings = load_settings(data_dir=options.data_dir)
    budget = effective_budget(settings, CLIENT)
    given = {name: value for name, value in params.items() if value is not None}

    def text(result: T, count: CountTokens) -> str:
        if options.json:
            return ""
        return show.text(result, budget, count) if isinstance(show, Fitted) else show(result)

    with ProgressLine(shown=not options.json) as line:
        info = find_instance(settings.data_dir)
        if info is None:
            try:
                with hold_instance(settings.data_dir, Holding.COMMAND):
                    return asyncio.run(_call_here(settings, method, given, line.show, text))
            except AlreadyRunningError:
                info = _await_instance(settings.data_dir)
        result = _call_there(info, method, given, kind, line.show, settings)
        return result, text(result, estimate_tokens)
