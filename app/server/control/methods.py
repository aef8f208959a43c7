"""The methods of `/control/call`: engine methods with checked parameters. Paths are absolute, on the machine of the instance."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.corpus.migrations import is_corpus_file
from app.engine.documents import MAX_CHANGED_PAGES
from app.errors import FileAccessError
from app.events import CallFailure, judged
from app.ingest.crawling.options import CRAWL_LIMITS, CrawlOptions, CrawlScope
from app.ingest.outcome import IngestedPage
from app.library.job_records import Job
from app.logs import redact
from app.orchestration.result import OrchestrationResult
from app.paths import corpus_file
from app.server.calls.dispatch import CallRecord
from app.server.calls.registry import COLLECTION, COLLECTION_NAME
from app.server.control.files import export_documents, import_files
from app.server.control.surface import SURFACE_METHODS, Arguments, ControlCall, MethodTable
from app.server.render.errors import safe, unread_failure
from app.server.render.reports import PassageReport, passage_report, passage_reports
from app.server.tools import schemas
from app.server.tools.ingest import job_ended
from app.server.tools.status import JobReport, brief_reports, job_report
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.corpus.records import Compacted
    from app.engine.maintenance import Storage
    from app.engine.packages import AddedPackage
    from app.ingest.jobs import Jobs

DEFAULT_JOBS_SHOWN: Final = 20
MAX_USAGE_DAYS: Final = 366
DEFAULT_PASSAGES_SHOWN: Final = 50
MAX_PASSAGES_SHOWN: Final = 1_000
MAX_LIBRARY_SHOWN: Final = 5_000
MODES: Final = ("hybrid", "keyword", "meaning")
METHODS: Final = MethodTable(SURFACE_METHODS)
JOB_METHODS: Final = MethodTable()

_URLS: Final = schemas.meaning(schemas.URLS, "Addresses.")
_QUERY: Final = schemas.query("Question.")
_PATH: Final = {"path": schemas.PATH}
_PASSAGE: Final = {"passage_id": {"type": "string", "pattern": r"^[A-Za-z0-9]+$", "maxLength": 40}}
_JOB: Final = {"job_id": schemas.whole(1, 2**63 - 1)}
_TARGET: Final = {"target": schemas.PATH}
_FLAG: Final = {"type": "boolean", "default": False}
_ROWS: Final = schemas.whole(0, MAX_LIBRARY_SHOWN, caps.MAX_STATUS_URLS)
_PACKAGE: Final = {"type": "string", "maxLength": caps.MAX_PACKAGE_NAME_CHARS}
_PACKAGES: Final[dict[str, Any]] = {
    "names": {"type": "array", "items": _PACKAGE, "maxItems": caps.MAX_LOCK_ENTRIES, "default": []}
}
_CRAWL: Final[dict[str, Any]] = {
    "url": schemas.URL,
    "scope": {"type": "string", "enum": [scope.value for scope in CrawlScope], "default": CrawlScope.SUBPAGES.value},
    **{name: {"type": "integer", **limits} for name, limits in CRAWL_LIMITS.items()},
    "refresh": {"type": "boolean", "default": True},
    "left_out": {
        "type": "array",
        "items": {"type": "string", "maxLength": caps.MAX_URL_CHARS},
        "maxItems": caps.MAX_CRAWL_LEFT_OUT,
        "default": [],
    },
    COLLECTION: COLLECTION_NAME,
}


# Questions


def _note_evidence(result: OrchestrationResult, record: CallRecord) -> None:
    record.pages = tuple(dict.fromkeys(item.chunk.url for item in result.chunks))
    record.verdict = judged(result.chunks, answers=not result.nothing_found)
    if result.failures and not record.pages and not any(failure.goes_on for failure in result.failures):
        first = result.failures[0]
        record.outcome = first.code
        record.failure = CallFailure("Page could not be read", safe(first.reason), url=redact(first.url))


def _note_ingested(pages: Sequence[IngestedPage], record: CallRecord) -> None:
    record.pages = tuple(page.url for page in pages if page.is_read)
    if pages and all(page.is_failed for page in pages):
        record.outcome, record.failure = pages[0].failure_code, unread_failure(pages[0])


METHODS.add(
    "answer",
    {
        "urls": _URLS,
        "query": _QUERY,
        "intent": schemas.intent(),
        "known_context": {"type": "string", "maxLength": caps.MAX_KNOWN_CONTEXT_CHARS},
        "constraints": {"type": "array", "items": {"type": "string"}, "maxItems": caps.MAX_CONSTRAINTS},
        "expansion_budget": schemas.whole(0, caps.MAX_EXPANSION_BUDGET),
    },
    "urls",
    "query",
    note=_note_evidence,
)(lambda call: call.engine.run(schemas.as_question(call.given["urls"], call.given), call.progress))


@METHODS.add(
    "search",
    {
        "query": _QUERY,
        "source_urls": _URLS,
        "intent": schemas.intent(),
        "top_k": schemas.whole(1, caps.MAX_TOP_K),
        "mode": {"type": "string", "enum": list(MODES)},
    },
    "query",
    note=_note_evidence,
)
async def _search(call: ControlCall) -> OrchestrationResult:
    rest = {key: value for key, value in call.given.items() if key != "query"}
    return await call.engine.search(call.given["query"], progress=call.progress, **rest)


METHODS.add(
    "ingest",
    {"urls": _URLS, "refresh": _FLAG, COLLECTION: COLLECTION_NAME},
    "urls",
    note=_note_ingested,
    goes_on=True,
)(lambda call: call.engine.ingest(call.given["urls"], refresh=call.given["refresh"], progress=call.progress))


# Stored pages

METHODS.add("status", {"source_url": schemas.URL, "limit": _ROWS})(
    lambda call: call.engine.status(call.given.get("source_url"), limit=call.given["limit"])
)

METHODS.add(
    "library",
    {
        "text": {"type": "string", "maxLength": caps.MAX_QUERY_CHARS, "default": ""},
        "limit": _ROWS,
        "offset": schemas.whole(0, 2**31, 0),
    },
)(lambda call: call.engine.documents.find(**call.given))

METHODS.add("changed_pages", {"limit": schemas.whole(1, MAX_CHANGED_PAGES, MAX_CHANGED_PAGES), "cited": _FLAG})(
    lambda call: call.engine.documents.changed(call.given["limit"], cited=call.given["cited"])
)


@METHODS.add("delete", {"urls": _URLS}, "urls")
async def _delete(call: ControlCall) -> list[str]:
    """Delete pages and return the addresses under which they were stored."""
    deleted: list[str] = []
    for url in call.given["urls"]:
        for document in (await call.engine.status(url, limit=1)).documents:
            if await call.engine.documents.delete([document.id]):
                deleted.append(document.url)
    return deleted


# Maintenance


@METHODS.add("storage")
async def _storage(call: ControlCall) -> Storage:
    await call.progress("storage", "Measuring stored data...")
    return await call.engine.maintenance.storage()


@METHODS.add("compact")
async def _compact(call: ControlCall) -> Compacted:
    await call.progress("compact", "Compacting the library...")
    return await call.engine.maintenance.compact()


METHODS.add("verify")(lambda call: call.engine.maintenance.verify())
METHODS.add("update")(lambda call: call.engine.maintenance.check_update(call.engine.settings.update_feed))


# The record of calls


def first_moment(days: int) -> float:
    """Return the start of the first of `days` days, today being the last one, in seconds since the epoch."""
    today = datetime.now().astimezone().date()
    return datetime.combine(today - timedelta(days=days - 1), time()).astimezone().timestamp()


METHODS.add("usage", {"days": schemas.whole(1, MAX_USAGE_DAYS, caps.USAGE_DAYS)})(
    lambda call: call.engine.activity.usage(first_moment(call.given["days"]))
)


@METHODS.add("usage_erase")
async def _usage_erase(call: ControlCall) -> bool:
    await call.engine.activity.clear()
    return True


# Crawls, jobs, folders

JOB_METHODS.add("crawl_preview", _CRAWL, "url")(
    lambda call: call.engine.jobs.preview(call.given["url"], CrawlOptions.of(call.given))
)


@JOB_METHODS.add("jobs", {"limit": schemas.whole(1, caps.MAX_JOBS_KEPT, DEFAULT_JOBS_SHOWN)})
async def _jobs(call: ControlCall) -> list[JobReport]:
    return brief_reports(call.engine.jobs, await call.engine.jobs.jobs(call.given["limit"]))


@JOB_METHODS.add("job_wait", _JOB, "job_id", goes_on=True)
async def _job_wait(call: ControlCall) -> JobReport:
    job = await job_ended(call.engine, await call.engine.jobs.job(call.given["job_id"]), call.progress)
    return await job_report(call.engine.jobs, job)


def _add_step(
    name: str, properties: Mapping[str, Any], step: Callable[[Jobs, Arguments], Awaitable[Job]], **more: bool
) -> None:
    """Add a method that reports on a job after a step. The first of the properties is required."""

    @JOB_METHODS.add(name, properties, next(iter(properties)), **more)
    async def run(call: ControlCall) -> JobReport:
        return await job_report(call.engine.jobs, await step(call.engine.jobs, call.given))


_add_step("crawl", _CRAWL, lambda jobs, given: jobs.crawl(given["url"], CrawlOptions.of(given)), goes_on=True)
_add_step("job", _JOB, lambda jobs, given: jobs.job(given["job_id"]))
_add_step("job_pause", _JOB, lambda jobs, given: jobs.pause(given["job_id"]))
_add_step("job_resume", _JOB, lambda jobs, given: jobs.resume(given["job_id"]), goes_on=True)
_add_step("job_cancel", _JOB, lambda jobs, given: jobs.cancel(given["job_id"]))
_add_step("job_retry", _JOB, lambda jobs, given: jobs.retry(given["job_id"]), goes_on=True)
_add_step("folder_add", _PATH, lambda jobs, given: jobs.add_folder(Path(given["path"])), goes_on=True)
_add_step("folder_refresh", _PATH, lambda jobs, given: jobs.refresh_folder(Path(given["path"])), goes_on=True)

JOB_METHODS.add("folders")(lambda call: call.engine.jobs.folders())
JOB_METHODS.add("folder_remove", _PATH, "path")(lambda call: call.engine.jobs.remove_folder(call.path))
JOB_METHODS.add("folder_rename", {**_PATH, "name": schemas.SHORT_TEXT}, "path", "name")(
    lambda call: call.engine.jobs.rename_folder(call.path, call.given["name"])
)
METHODS.update(JOB_METHODS)

# Packages

METHODS.add("packages")(lambda call: call.engine.packages.stored())
METHODS.add("packages_docsets")(lambda call: call.engine.packages.docsets())
METHODS.add("packages_scan", _PATH, "path")(lambda call: call.engine.packages.scan(call.path))
METHODS.add("packages_forget", _PATH, "path")(lambda call: call.engine.packages.forget_project(call.path))
METHODS.add("packages_refresh", goes_on=True)(lambda call: call.engine.packages.refresh(call.progress))
METHODS.add("packages_remove", _PACKAGES, "names")(lambda call: call.engine.packages.remove(call.given["names"]))


@METHODS.add("packages_add", {**_PATH, **_PACKAGES, "downloads": _FLAG}, goes_on=True)
async def _packages_add(call: ControlCall) -> tuple[AddedPackage, ...]:
    root, downloads = call.path if "path" in call.given else None, call.given["downloads"]
    return await call.engine.packages.add(call.given["names"], root, call.progress, downloads=downloads)


METHODS.add("packages_downloads", {**_PATH, **_PACKAGES})(
    lambda call: call.engine.packages.downloads(call.given["names"], call.path if "path" in call.given else None)
)

METHODS.add("packages_add_docset", {**_PATH, "name": _PACKAGE}, "path", goes_on=True)(
    lambda call: call.engine.packages.add_docset(call.path, call.given.get("name", ""))
)

METHODS.add(
    "packages_add_site",
    {"name": _PACKAGE, "url": {"type": "string", "maxLength": caps.MAX_URL_CHARS}},
    "name",
    "url",
    goes_on=True,
)(lambda call: call.engine.packages.add_site(call.given["name"], call.given["url"], call.progress))

METHODS.add("packages_symbol", _PACKAGES, "names")(
    lambda call: asyncio.to_thread(call.engine.docs.symbol, *call.given["names"][:2])
)


# Files

METHODS.add(
    "import",
    {"paths": {"type": "array", "items": schemas.PATH, "minItems": 1, "maxItems": caps.MAX_IMPORTED_FILES}},
    "paths",
    goes_on=True,
)(lambda call: import_files(call.engine, [Path(path) for path in call.given["paths"]], call.progress))

METHODS.add("export", {"source": schemas.URL, **_TARGET}, "source", "target")(
    lambda call: export_documents(call.engine, call.given["source"], Path(call.given["target"]), call.progress)
)


@METHODS.add("export_docs", {"name": schemas.SHORT_TEXT, **_TARGET}, "name", "target")
async def _export_docs(call: ControlCall) -> str:
    return str(await asyncio.to_thread(call.engine.docs.export, call.given["name"], Path(call.given["target"])))


@METHODS.add("backup", _TARGET, "target")
async def _backup(call: ControlCall) -> str:
    target = Path(call.given["target"])
    await asyncio.to_thread(_check_target, target, corpus_file(call.engine.settings.data_dir))
    await call.engine.maintenance.backup(target)
    return str(target)


def _check_target(target: Path, corpus: Path) -> None:
    """Check that only an older backup would be replaced. Raises FileAccessError."""
    hint = "Choose a new file name."
    try:
        if target.exists() and corpus.exists() and target.samefile(corpus):
            raise FileAccessError(sentence("{} is the library itself.", target), hint=hint)
        if target.is_dir() or (target.exists() and not is_corpus_file(target)):
            raise FileAccessError(sentence("{} already exists and is not a WebRAG backup.", target), hint=hint)
    except OSError as error:
        raise FileAccessError(sentence("WebRAG cannot use {}: {}.", target, error.strerror), hint=hint) from error


# Cached passages


@METHODS.add("scratch", {"limit": schemas.whole(1, MAX_PASSAGES_SHOWN, DEFAULT_PASSAGES_SHOWN)})
async def _scratch(call: ControlCall) -> list[PassageReport]:
    return passage_reports(call.engine.scratch, call.given["limit"])


@METHODS.add(
    "scratch_show",
    {**_PASSAGE, "characters": schemas.whole(1, caps.SCRATCH_PASSAGE_BYTES, caps.MAX_RESPONSE_CHARS)},
    "passage_id",
)
async def _scratch_show(call: ControlCall) -> PassageReport:
    passage = call.engine.scratch.look(call.given["passage_id"])
    return passage_report(call.engine.scratch, passage, call.given["characters"])


@METHODS.add("scratch_pin", _PASSAGE, "passage_id")
async def _scratch_pin(call: ControlCall) -> PassageReport:
    passage = await asyncio.to_thread(call.engine.scratch.pin, call.given["passage_id"])
    return passage_report(call.engine.scratch, passage)


METHODS.add("scratch_unpin", _PASSAGE, "passage_id")(
    lambda call: asyncio.to_thread(call.engine.scratch.unpin, call.given["passage_id"])
)
METHODS.add("scratch_delete", _PASSAGE, "passage_id")(
    lambda call: asyncio.to_thread(call.engine.scratch.delete, call.given["passage_id"])
)
