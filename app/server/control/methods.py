"""What `/control/call` can run: the engine's methods under checked parameters.

Control methods for looking after what is kept: sizes, compacting, whether a newer version is out.

Control methods for the record of calls: its sums, and erasing it.

The methods of `/control/call` about kept passages.

The methods of `/control/call` about crawls, jobs and folders.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.corpus.job_records import Job
from app.events import ProgressCallback
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.outcome import IngestedPage
from app.orchestration.result import OrchestrationResult
from app.server.control.files import FILE_METHODS
from app.server.control.method import Account, Arguments, ControlMethod
from app.server.control.surface import SURFACE_METHODS
from app.server.render.reports import passage_report, passage_reports
from app.server.render.status import brief_reports, job_report
from app.server.tools import schemas
from app.server.tools.ingest import job_ended

if TYPE_CHECKING:
    from app.engine import Engine
    from app.ingest.jobs import Jobs


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


def first_moment(days: int) -> float:
    """When the first of so many days began, today being the last one; seconds since the epoch."""
    today = datetime.now().astimezone().date()
    return datetime.combine(today - timedelta(days=days - 1), time()).astimezone().timestamp()


async def _usage(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.activity.usage(first_moment(arguments["days"]))


async def _usage_erase(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await engine.activity.clear()
    return True


_DAYS: Final = {"type": "integer", "minimum": 1, "maximum": caps.MAX_USAGE_DAYS, "default": caps.USAGE_DAYS}

USAGE_METHODS: Final[Mapping[str, ControlMethod]] = {
    "usage": ControlMethod(_usage, {"days": _DAYS}),
    "usage_erase": ControlMethod(_usage_erase),
}

_PASSAGE: Final = {"passage_id": {"type": "string", "pattern": r"^[A-Za-z0-9]+$", "maxLength": 40}}


async def _scratch(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return passage_reports(engine.scratch, arguments["limit"])


async def _scratch_show(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    passage = engine.scratch.look(arguments["passage_id"])
    return passage_report(engine.scratch, passage, arguments["characters"])


async def _scratch_pin(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    passage = await asyncio.to_thread(engine.scratch.pin, arguments["passage_id"])
    return passage_report(engine.scratch, passage)


async def _scratch_unpin(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.scratch.unpin, arguments["passage_id"])


async def _scratch_delete(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.scratch.delete, arguments["passage_id"])


def _at_least_one(default: int, highest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": highest, "default": default}


SCRATCH_METHODS: Final[Mapping[str, ControlMethod]] = {
    "scratch": ControlMethod(_scratch, {"limit": _at_least_one(caps.DEFAULT_PASSAGES_SHOWN, caps.MAX_PASSAGES_SHOWN)}),
    "scratch_show": ControlMethod(
        _scratch_show,
        {**_PASSAGE, "characters": _at_least_one(caps.MAX_RESPONSE_CHARS, caps.SCRATCH_PASSAGE_BYTES)},
        ("passage_id",),
    ),
    "scratch_pin": ControlMethod(_scratch_pin, _PASSAGE, ("passage_id",)),
    "scratch_unpin": ControlMethod(_scratch_unpin, _PASSAGE, ("passage_id",)),
    "scratch_delete": ControlMethod(_scratch_delete, _PASSAGE, ("passage_id",)),
}

_JOB: Final = {"job_id": {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}}
_CRAWL: Final[Mapping[str, Any]] = {
    "url": schemas.URL,
    "scope": {"type": "string", "enum": [scope.value for scope in CrawlScope], "default": CrawlScope.SUBPAGES.value},
    "max_pages": {
        "type": "integer",
        "minimum": 1,
        "maximum": caps.MAX_CRAWL_PAGES,
        "default": caps.DEFAULT_CRAWL_PAGES,
    },
    "max_depth": {
        "type": "integer",
        "minimum": 0,
        "maximum": caps.MAX_CRAWL_DEPTH,
        "default": caps.DEFAULT_CRAWL_DEPTH,
    },
    "refresh": {"type": "boolean", "default": True},
    "left_out": {
        "type": "array",
        "items": {"type": "string", "maxLength": caps.MAX_URL_CHARS},
        "maxItems": caps.MAX_CRAWL_LEFT_OUT,
        "default": [],
    },
}


async def _preview(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.preview(arguments["url"], _options(arguments))


async def _crawl(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.crawl(arguments["url"], _options(arguments)))


async def _jobs(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return brief_reports(engine.jobs, await engine.jobs.jobs(arguments["limit"]))


async def _job(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.job(arguments["job_id"]))


async def _job_wait(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    job = await job_ended(engine, await engine.jobs.job(arguments["job_id"]), progress)
    return await job_report(engine.jobs, job)


async def _folders(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.folders()


async def _folder_add(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.add_folder(Path(arguments["path"])))


async def _folder_remove(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.remove_folder(Path(arguments["path"]))


async def _folder_refresh(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.refresh_folder(Path(arguments["path"])))


async def _folder_rename(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.rename_folder(Path(arguments["path"]), arguments["name"])


def _steering(step: Callable[[Jobs, int], Awaitable[Job]], *, goes_on: bool = False) -> ControlMethod:
    """A method that does something with one job and reports on it."""

    async def run(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
        return await job_report(engine.jobs, await step(engine.jobs, arguments["job_id"]))

    return ControlMethod(run, _JOB, ("job_id",), goes_on=goes_on)


def _options(arguments: Arguments) -> CrawlOptions:
    return CrawlOptions(
        scope=CrawlScope(arguments["scope"]),
        max_pages=arguments["max_pages"],
        max_depth=arguments["max_depth"],
        refresh=arguments["refresh"],
        left_out=tuple(arguments["left_out"]),
    )


_PATH: Final = {"path": schemas.PATH}

JOB_METHODS: Final[Mapping[str, ControlMethod]] = {
    "crawl_preview": ControlMethod(_preview, _CRAWL, ("url",)),
    "crawl": ControlMethod(_crawl, _CRAWL, ("url",), goes_on=True),
    "jobs": ControlMethod(
        _jobs,
        {"limit": {"type": "integer", "minimum": 1, "maximum": caps.MAX_JOBS_KEPT, "default": caps.DEFAULT_JOBS_SHOWN}},
    ),
    "job": ControlMethod(_job, _JOB, ("job_id",)),
    "job_wait": ControlMethod(_job_wait, _JOB, ("job_id",), goes_on=True),
    "job_pause": _steering(lambda jobs, job_id: jobs.pause(job_id)),
    "job_resume": _steering(lambda jobs, job_id: jobs.resume(job_id), goes_on=True),
    "job_cancel": _steering(lambda jobs, job_id: jobs.cancel(job_id)),
    "job_retry": _steering(lambda jobs, job_id: jobs.retry(job_id), goes_on=True),
    "folders": ControlMethod(_folders),
    "folder_add": ControlMethod(_folder_add, _PATH, ("path",), goes_on=True),
    "folder_remove": ControlMethod(_folder_remove, _PATH, ("path",)),
    "folder_refresh": ControlMethod(_folder_refresh, _PATH, ("path",), goes_on=True),
    "folder_rename": ControlMethod(_folder_rename, {**_PATH, "name": schemas.SHORT_TEXT}, ("path", "name")),
}

__all__ = ["METHODS", "MODES", "Account", "Arguments", "ControlMethod"]

MODES: Final = ("hybrid", "keyword", "meaning")


async def _answer(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.run(schemas.as_question(arguments["urls"], arguments), progress)


async def _search(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    rest = {key: value for key, value in arguments.items() if key != "query"}
    return await engine.search(arguments["query"], progress=progress, **rest)


async def _ingest(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.ingest(arguments["urls"], refresh=arguments["refresh"], progress=progress)


async def _status(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.status(arguments.get("source_url"), limit=arguments["limit"])


async def _verify(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.maintenance.verify()


async def _library(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.documents.find(arguments["text"], limit=arguments["limit"], offset=arguments["offset"])


async def _delete(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    """The addresses under which pages were stored and are no more."""
    deleted: list[str] = []
    for url in arguments["urls"]:
        for document in (await engine.status(url, limit=1)).documents:
            if await engine.documents.delete([document.id]):
                deleted.append(document.url)
    return deleted


def _evidence_account(result: OrchestrationResult) -> Account:
    pages = tuple(dict.fromkeys(item.chunk.url for item in result.chunks))
    failed = bool(result.failures) and not pages
    return Account(pages, result.failures[0].code if failed else "")


def _ingest_account(pages: Sequence[IngestedPage]) -> Account:
    read = tuple(page.url for page in pages if not page.is_failed)
    return Account(read, "" if read or not pages else pages[0].failure_code)


_URLS: Final = schemas.url_list("Addresses.")
_QUERY: Final = schemas.query("Question.")


def _count(default: int, highest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": highest, "default": default}


METHODS: Final[Mapping[str, ControlMethod]] = {
    "answer": ControlMethod(
        _answer,
        {
            "urls": _URLS,
            "query": _QUERY,
            "intent": schemas.intent(),
            "known_context": {"type": "string", "maxLength": caps.MAX_KNOWN_CONTEXT_CHARS},
            "constraints": {"type": "array", "items": {"type": "string"}, "maxItems": caps.MAX_CONSTRAINTS},
            "expansion_budget": {"type": "integer", "minimum": 0, "maximum": caps.MAX_EXPANSION_BUDGET},
        },
        ("urls", "query"),
        account=_evidence_account,
    ),
    "search": ControlMethod(
        _search,
        {
            "query": _QUERY,
            "source_urls": _URLS,
            "intent": schemas.intent(),
            "top_k": {"type": "integer", "minimum": 1, "maximum": caps.MAX_TOP_K},
            "mode": {"type": "string", "enum": list(MODES)},
        },
        ("query",),
        account=_evidence_account,
    ),
    "ingest": ControlMethod(
        _ingest,
        {"urls": _URLS, "refresh": {"type": "boolean", "default": False}},
        ("urls",),
        account=_ingest_account,
        goes_on=True,
    ),
    "status": ControlMethod(
        _status,
        {"source_url": schemas.URL, "limit": _count(caps.MAX_STATUS_URLS, caps.MAX_LIBRARY_SHOWN)},
    ),
    "verify": ControlMethod(_verify),
    "library": ControlMethod(
        _library,
        {
            "text": {"type": "string", "maxLength": caps.MAX_QUERY_CHARS, "default": ""},
            "limit": _count(caps.MAX_STATUS_URLS, caps.MAX_LIBRARY_SHOWN),
            "offset": _count(0, 2**31),
        },
    ),
    "delete": ControlMethod(_delete, {"urls": _URLS}, ("urls",)),
    **CARE_METHODS,
    **SURFACE_METHODS,
    **USAGE_METHODS,
    **JOB_METHODS,
    **FILE_METHODS,
    **SCRATCH_METHODS,
}
