"""The methods of `/control/call`: engine methods with checked parameters. Paths are absolute, on the machine of the instance."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.corpus.migrations import is_corpus_file
from app.engine.documents import MAX_CHANGED_PAGES
from app.errors import FileAccessError
from app.events import CallFailure, ProgressCallback, judged
from app.ingest.crawling.options import CRAWL_LIMITS, CrawlOptions, CrawlScope
from app.ingest.outcome import IngestedPage
from app.library.job_records import Job
from app.logs import redact
from app.orchestration.result import OrchestrationResult
from app.paths import corpus_file
from app.server.calls.registry import COLLECTION, COLLECTION_NAME
from app.server.control.files import export_documents, import_files
from app.server.control.surface import SURFACE_METHODS, Account, Arguments, MethodTable
from app.server.render.errors import safe, unread_failure
from app.server.render.reports import passage_report, passage_reports
from app.server.render.status import brief_reports, job_report
from app.server.tools import schemas
from app.server.tools.ingest import job_ended
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.engine import Engine
    from app.ingest.jobs import Jobs

DEFAULT_JOBS_SHOWN: Final = 20
MAX_USAGE_DAYS: Final = 366
DEFAULT_PASSAGES_SHOWN: Final = 50
MAX_PASSAGES_SHOWN: Final = 1_000
MAX_LIBRARY_SHOWN: Final = 5_000

MODES: Final = ("hybrid", "keyword", "meaning")
METHODS: Final = MethodTable(SURFACE_METHODS)
JOB_METHODS: Final = MethodTable()


def _whole(default: int | None, lowest: int, highest: int) -> dict[str, Any]:
    """Return the schema of a bounded whole number, with a default unless it is None."""
    schema: dict[str, Any] = {"type": "integer", "minimum": lowest, "maximum": highest}
    return schema if default is None else {**schema, "default": default}


_URLS: Final = schemas.url_list("Addresses.")
_QUERY: Final = schemas.query("Question.")
_PATH: Final = {"path": schemas.PATH}
_PASSAGE: Final = {"passage_id": {"type": "string", "pattern": r"^[A-Za-z0-9]+$", "maxLength": 40}}
_JOB: Final = {"job_id": _whole(None, 1, 2**63 - 1)}
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


def _evidence_account(result: OrchestrationResult) -> Account:
    pages = tuple(dict.fromkeys(item.chunk.url for item in result.chunks))
    failed = bool(result.failures) and not pages and not any(failure.goes_on for failure in result.failures)
    if not failed:
        return Account(pages, verdict=judged(result.chunks, answers=not result.nothing_found))
    first = result.failures[0]
    told = CallFailure("Page could not be read", safe(first.reason), url=redact(first.url))
    return Account(pages, first.code, told)


def _ingest_account(pages: Sequence[IngestedPage]) -> Account:
    read = tuple(page.url for page in pages if page.is_read)
    failed = bool(pages) and all(page.is_failed for page in pages)
    return Account(read, pages[0].failure_code, unread_failure(pages[0])) if failed else Account(read)


@METHODS.add(
    "answer",
    {
        "urls": _URLS,
        "query": _QUERY,
        "intent": schemas.intent(),
        "known_context": {"type": "string", "maxLength": caps.MAX_KNOWN_CONTEXT_CHARS},
        "constraints": {"type": "array", "items": {"type": "string"}, "maxItems": caps.MAX_CONSTRAINTS},
        "expansion_budget": _whole(None, 0, caps.MAX_EXPANSION_BUDGET),
    },
    "urls",
    "query",
    account=_evidence_account,
)
async def _answer(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.run(schemas.as_question(arguments["urls"], arguments), progress)


@METHODS.add(
    "search",
    {
        "query": _QUERY,
        "source_urls": _URLS,
        "intent": schemas.intent(),
        "top_k": _whole(None, 1, caps.MAX_TOP_K),
        "mode": {"type": "string", "enum": list(MODES)},
    },
    "query",
    account=_evidence_account,
)
async def _search(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    rest = {key: value for key, value in arguments.items() if key != "query"}
    return await engine.search(arguments["query"], progress=progress, **rest)


@METHODS.add(
    "ingest",
    {"urls": _URLS, "refresh": {"type": "boolean", "default": False}, COLLECTION: COLLECTION_NAME},
    "urls",
    account=_ingest_account,
    goes_on=True,
)
async def _ingest(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    with await engine.writing_to(arguments.get(COLLECTION)):
        return await engine.ingest(arguments["urls"], refresh=arguments["refresh"], progress=progress)


# Stored pages


@METHODS.add("status", {"source_url": schemas.URL, "limit": _whole(caps.MAX_STATUS_URLS, 0, MAX_LIBRARY_SHOWN)})
async def _status(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.status(arguments.get("source_url"), limit=arguments["limit"])


@METHODS.add(
    "library",
    {
        "text": {"type": "string", "maxLength": caps.MAX_QUERY_CHARS, "default": ""},
        "limit": _whole(caps.MAX_STATUS_URLS, 0, MAX_LIBRARY_SHOWN),
        "offset": _whole(0, 0, 2**31),
    },
)
async def _library(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.documents.find(arguments["text"], limit=arguments["limit"], offset=arguments["offset"])


@METHODS.add(
    "changed_pages",
    {"limit": _whole(MAX_CHANGED_PAGES, 1, MAX_CHANGED_PAGES), "cited": {"type": "boolean", "default": False}},
)
async def _changed_pages(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.documents.changed(arguments["limit"], cited=arguments["cited"])


@METHODS.add("delete", {"urls": _URLS}, "urls")
async def _delete(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    """Delete pages and return the addresses under which they were stored."""
    deleted: list[str] = []
    for url in arguments["urls"]:
        for document in (await engine.status(url, limit=1)).documents:
            if await engine.documents.delete([document.id]):
                deleted.append(document.url)
    return deleted


# Maintenance


@METHODS.add("verify")
async def _verify(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.maintenance.verify()


@METHODS.add("storage")
async def _storage(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await progress("storage", "Measuring stored data...")
    return await engine.maintenance.storage()


@METHODS.add("compact")
async def _compact(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await progress("compact", "Compacting the library...")
    return await engine.maintenance.compact()


@METHODS.add("update")
async def _update(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.maintenance.check_update(engine.settings.update_feed)


# The record of calls


def first_moment(days: int) -> float:
    """Return the start of the first of `days` days, today being the last one, in seconds since the epoch."""
    today = datetime.now().astimezone().date()
    return datetime.combine(today - timedelta(days=days - 1), time()).astimezone().timestamp()


@METHODS.add("usage", {"days": _whole(caps.USAGE_DAYS, 1, MAX_USAGE_DAYS)})
async def _usage(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.activity.usage(first_moment(arguments["days"]))


@METHODS.add("usage_erase")
async def _usage_erase(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    await engine.activity.clear()
    return True


# Crawls, jobs, folders


@JOB_METHODS.add("crawl_preview", _CRAWL, "url")
async def _preview(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    with await engine.writing_to(arguments.get(COLLECTION)):
        return await engine.jobs.preview(arguments["url"], CrawlOptions.of(arguments))


@JOB_METHODS.add("crawl", _CRAWL, "url", goes_on=True)
async def _crawl(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    with await engine.writing_to(arguments.get(COLLECTION)):
        return await job_report(engine.jobs, await engine.jobs.crawl(arguments["url"], CrawlOptions.of(arguments)))


@JOB_METHODS.add("jobs", {"limit": _whole(DEFAULT_JOBS_SHOWN, 1, caps.MAX_JOBS_KEPT)})
async def _jobs(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return brief_reports(engine.jobs, await engine.jobs.jobs(arguments["limit"]))


@JOB_METHODS.add("job", _JOB, "job_id")
async def _job(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.job(arguments["job_id"]))


@JOB_METHODS.add("job_wait", _JOB, "job_id", goes_on=True)
async def _job_wait(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    job = await job_ended(engine, await engine.jobs.job(arguments["job_id"]), progress)
    return await job_report(engine.jobs, job)


def _add_step(name: str, step: Callable[[Jobs, int], Awaitable[Job]], *, goes_on: bool = False) -> None:
    """Add a method that changes one job and reports on it."""

    @JOB_METHODS.add(name, _JOB, "job_id", goes_on=goes_on)
    async def run(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
        return await job_report(engine.jobs, await step(engine.jobs, arguments["job_id"]))


_add_step("job_pause", lambda jobs, job_id: jobs.pause(job_id))
_add_step("job_resume", lambda jobs, job_id: jobs.resume(job_id), goes_on=True)
_add_step("job_cancel", lambda jobs, job_id: jobs.cancel(job_id))
_add_step("job_retry", lambda jobs, job_id: jobs.retry(job_id), goes_on=True)


@JOB_METHODS.add("folders")
async def _folders(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.folders()


@JOB_METHODS.add("folder_add", _PATH, "path", goes_on=True)
async def _folder_add(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.add_folder(Path(arguments["path"])))


@JOB_METHODS.add("folder_remove", _PATH, "path")
async def _folder_remove(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.remove_folder(Path(arguments["path"]))


@JOB_METHODS.add("folder_refresh", _PATH, "path", goes_on=True)
async def _folder_refresh(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await job_report(engine.jobs, await engine.jobs.refresh_folder(Path(arguments["path"])))


@JOB_METHODS.add("folder_rename", {**_PATH, "name": schemas.SHORT_TEXT}, "path", "name")
async def _folder_rename(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.jobs.rename_folder(Path(arguments["path"]), arguments["name"])


METHODS.update(JOB_METHODS)

# Packages

_PACKAGE_NAMES: Final[dict[str, Any]] = {
    "names": {
        "type": "array",
        "items": {"type": "string", "maxLength": caps.MAX_PACKAGE_NAME_CHARS},
        "maxItems": caps.MAX_LOCK_ENTRIES,
        "default": [],
    }
}


@METHODS.add("packages")
async def _packages(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.stored()


@METHODS.add("packages_scan", _PATH, "path")
async def _packages_scan(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.scan(Path(arguments["path"]))


_DOWNLOADS: Final = {"downloads": {"type": "boolean", "default": False}}


@METHODS.add("packages_add", {**_PATH, **_PACKAGE_NAMES, **_DOWNLOADS}, goes_on=True)
async def _packages_add(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    root = Path(arguments["path"]) if "path" in arguments else None
    return await engine.packages.add(arguments["names"], root, progress, downloads=arguments["downloads"])


@METHODS.add(
    "packages_add_docset",
    {**_PATH, "name": {"type": "string", "maxLength": caps.MAX_PACKAGE_NAME_CHARS}},
    "path",
    goes_on=True,
)
async def _packages_add_docset(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.add_docset(Path(arguments["path"]), arguments.get("name", ""))


@METHODS.add(
    "packages_add_site",
    {
        "name": {"type": "string", "maxLength": caps.MAX_PACKAGE_NAME_CHARS},
        "url": {"type": "string", "maxLength": caps.MAX_URL_CHARS},
    },
    "name",
    "url",
    goes_on=True,
)
async def _packages_add_site(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.add_site(arguments["name"], arguments["url"], progress)


@METHODS.add("packages_docsets")
async def _packages_docsets(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.docsets()


@METHODS.add("packages_downloads", {**_PATH, **_PACKAGE_NAMES})
async def _packages_downloads(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.downloads(arguments["names"], Path(arguments["path"]) if "path" in arguments else None)


@METHODS.add("packages_remove", _PACKAGE_NAMES, "names")
async def _packages_remove(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.remove(arguments["names"])


@METHODS.add("packages_symbol", _PACKAGE_NAMES, "names")
async def _packages_symbol(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.docs.symbol, *arguments["names"][:2])


@METHODS.add("packages_forget", _PATH, "path")
async def _packages_forget(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.forget_project(Path(arguments["path"]))


@METHODS.add("packages_refresh", goes_on=True)
async def _packages_refresh(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.packages.refresh(progress)


# Files


@METHODS.add(
    "import",
    {"paths": {"type": "array", "items": schemas.PATH, "minItems": 1, "maxItems": caps.MAX_IMPORTED_FILES}},
    "paths",
    goes_on=True,
)
async def _import(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await import_files(engine, [Path(path) for path in arguments["paths"]], progress)


@METHODS.add("export", {"source": schemas.URL, "target": schemas.PATH}, "source", "target")
async def _export(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await export_documents(engine, arguments["source"], Path(arguments["target"]), progress)


@METHODS.add("export_docs", {"name": schemas.SHORT_TEXT, "target": schemas.PATH}, "name", "target")
async def _export_docs(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return str(await asyncio.to_thread(engine.docs.export, arguments["name"], Path(arguments["target"])))


@METHODS.add("backup", {"target": schemas.PATH}, "target")
async def _backup(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    target = Path(arguments["target"])
    await asyncio.to_thread(_check_target, target, corpus_file(engine.settings.data_dir))
    await engine.maintenance.backup(target)
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


@METHODS.add("scratch", {"limit": _whole(DEFAULT_PASSAGES_SHOWN, 1, MAX_PASSAGES_SHOWN)})
async def _scratch(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return passage_reports(engine.scratch, arguments["limit"])


@METHODS.add(
    "scratch_show",
    {**_PASSAGE, "characters": _whole(caps.MAX_RESPONSE_CHARS, 1, caps.SCRATCH_PASSAGE_BYTES)},
    "passage_id",
)
async def _scratch_show(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    passage = engine.scratch.look(arguments["passage_id"])
    return passage_report(engine.scratch, passage, arguments["characters"])


@METHODS.add("scratch_pin", _PASSAGE, "passage_id")
async def _scratch_pin(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    passage = await asyncio.to_thread(engine.scratch.pin, arguments["passage_id"])
    return passage_report(engine.scratch, passage)


@METHODS.add("scratch_unpin", _PASSAGE, "passage_id")
async def _scratch_unpin(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.scratch.unpin, arguments["passage_id"])


@METHODS.add("scratch_delete", _PASSAGE, "passage_id")
async def _scratch_delete(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await asyncio.to_thread(engine.scratch.delete, arguments["passage_id"])
