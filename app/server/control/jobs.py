"""The methods of `/control/call` about crawls, jobs and folders."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.corpus.job_records import Job
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.progress import ProgressCallback
from app.server.control.method import Arguments, ControlMethod
from app.server.reports.jobs import brief_reports, report_of
from app.server.tools import schemas
from app.server.tools.job_progress import job_ended

if TYPE_CHECKING:
    from app.engine import Engine
    from app.ingest.jobs import Jobs

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
    return await report_of(engine.jobs, await engine.jobs.crawl(arguments["url"], _options(arguments)))


async def _jobs(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return brief_reports(engine.jobs, await engine.jobs.jobs(arguments["limit"]))


async def _job(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await report_of(engine.jobs, await engine.jobs.job(arguments["job_id"]))


async def _job_wait(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    job = await job_ended(engine, await engine.jobs.job(arguments["job_id"]), progress)
    return await report_of(engine.jobs, job)


async def _folders(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.folders()


async def _folder_add(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await report_of(engine.jobs, await engine.jobs.add_folder(Path(arguments["path"])))


async def _folder_remove(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.remove_folder(Path(arguments["path"]))


async def _folder_refresh(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await report_of(engine.jobs, await engine.jobs.refresh_folder(Path(arguments["path"])))


async def _folder_rename(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.rename_folder(Path(arguments["path"]), arguments["name"])


def _steering(step: Callable[[Jobs, int], Awaitable[Job]], *, goes_on: bool = False) -> ControlMethod:
    """A method that does something with one job and reports on it."""

    async def run(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
        return await report_of(engine.jobs, await step(engine.jobs, arguments["job_id"]))

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
