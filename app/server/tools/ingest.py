"""`ingest`: index pages for later questions, or a site as a background job whose first progress is reported."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from app import caps
from app.errors import ContentProtectedError, ErrorCode, FetchError, FileAccessError, InvalidArgumentError
from app.events import Event, JobChanged, ProgressCallback
from app.ingest.crawling.options import CrawlOptions
from app.ingest.outcome import IngestedPage
from app.library.job_records import Job, JobState
from app.logs import redact
from app.server.calls.arguments import as_list
from app.server.calls.registry import Engine, Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.errors import failure_of, safe, unread_failure
from app.server.render.text import Budget, CountTokens, clip, origin, plural
from app.server.tools import schemas
from app.server.tools.status import NOTHING_READ, SEARCHABLE, crawl_text, job_report, progress_text, read_nothing
from app.text.page_text import address, one_line
from app.text.sentence import sentence

TOOL_CRAWL_PAGES: Final = 200  # Maximum pages of a crawl that an assistant starts.
TOOL_CRAWL_DEPTH: Final = 3
TOOL_CRAWL_DEFAULT_PAGES: Final = 50
JOB_PROGRESS_SECONDS: Final = 0.5  # Minimum seconds between progress notifications of a job.
TASK_SECONDS: Final = 10.0  # Seconds that a client waits for one page before it gets a task, if it supports tasks.
JOB_WAIT_SECONDS: Final = 60.0  # Maximum seconds between two checks of a job by a command that waits for it.

GOING_ON = (JobState.QUEUED, JobState.RUNNING)

READ_ON: Final = "call `search` in 30 s, or `status` with the job_id."


async def handle(call: ToolCall) -> ToolOutput:
    """Try every page. The call fails only if none could be read and none continues in the background."""
    crawl, package = call.arguments.get("crawl"), call.arguments.get("library")
    if ("url" in call.arguments) == (package is not None) or (package is not None and crawl is not None):
        raise InvalidArgumentError(
            sentence("Pass either {} or {}.", "`url`", "`library`"), hint="Crawl a site with its URL."
        )
    if package is not None:
        deadline = asyncio.get_running_loop().time() + call.seconds
        job = await call.engine.packages.begin_for_assistant(package, call.engine.settings.mcp_add_packages)
        return await _followed(call, job, deadline)
    urls = as_list(call.arguments["url"])
    if crawl is not None:
        return await _crawled(call, urls, crawl)
    is_task = call.takes_task and len(urls) == 1
    seconds = min(call.seconds, TASK_SECONDS) if is_task else call.seconds
    pages = await call.engine.ingest(
        urls, refresh=bool(call.arguments["refresh"]), seconds=seconds, progress=call.progress
    )
    if is_task and pages[0].job_id:
        return ToolOutput("", task=await call.engine.jobs.job(pages[0].job_id))
    text = ingest_text(pages, budget=call.budget, count=call.engine.count_tokens)
    read = tuple(page.url for page in pages if page.is_read)
    failed = all(page.is_failed for page in pages)
    if not failed:
        return ToolOutput(text, pages=read)
    needs_browser = pages[0].note == ContentProtectedError.default_hint
    failure = unread_failure(pages[0])
    return ToolOutput(text, failure_code=pages[0].failure_code, failure=failure, needs_browser=needs_browser)


async def _crawled(call: ToolCall, urls: list[str], crawl: dict[str, Any]) -> ToolOutput:
    """Return the progress of the crawl at the soft deadline; it continues in the background."""
    if len(urls) != 1:
        raise InvalidArgumentError(
            sentence("A crawl starts at one page, but {} URLs are given.", len(urls)),
            hint="Pass one URL, or leave out `crawl` to fetch only these pages.",
        )
    deadline = asyncio.get_running_loop().time() + call.seconds
    try:
        asked = {name: value for name, value in crawl.items() if value is not None}
        job = await call.engine.jobs.crawl(
            urls[0],
            CrawlOptions.of(
                {"max_pages": TOOL_CRAWL_DEFAULT_PAGES, **asked, "refresh": bool(call.arguments["refresh"])}
            ),
        )
    except (FetchError, FileAccessError) as error:
        text = ingest_text([IngestedPage.unread(urls[0], error)], budget=call.budget, count=call.engine.count_tokens)
        return ToolOutput(text, failure_code=error.code.value, failure=failure_of(error))
    return await _followed(call, job, deadline)


async def _followed(call: ToolCall, job: Job, deadline: float) -> ToolOutput:
    if call.takes_task:
        return ToolOutput("", task=job)
    left = deadline - asyncio.get_running_loop().time()
    job = await job_followed(call.engine, job, left, call.progress)
    report = await job_report(call.engine.jobs, job)
    text = crawl_text(report, budget=call.budget, count=call.engine.count_tokens)
    failure = ErrorCode.BACKEND_UNAVAILABLE.value if read_nothing(job) else ""
    return ToolOutput(text, pages=tuple(item.url for item in report.read), failure_code=failure)


INGEST: Final = ToolSpec(
    id="ingest",
    title="Read and index pages",
    description=f"""\
Fetch and index web pages; fresh copies are not refetched. With crawl, a background job reads a site \
from one page on.
Use when several questions will follow, a page must be refetched (refresh=true), or you need a whole \
site (crawl).
Do not use when you already have the question (answer).
Returns at most one entry per page, or the job_id of a crawl.
If you need more, call search to ask, status with job_id for progress.
Defaults: refresh=false, no crawl; crawl scope=subpages, max_pages={TOOL_CRAWL_DEFAULT_PAGES}, \
max_depth={caps.DEFAULT_CRAWL_DEPTH}. Max: {caps.MAX_URLS_PER_CALL} URLs (1 with crawl), \
{TOOL_CRAWL_PAGES} pages, depth {TOOL_CRAWL_DEPTH}.""",
    input_schema=schemas.arguments(
        {
            "url": schemas.one_or_more_urls("One or more; with crawl, the start page."),
            "library": schemas.text(
                caps.MAX_PACKAGE_NAME_CHARS, "Instead of url: a package to add, e.g. pypi:flask@3.1.3"
            ),
            "refresh": {"type": "boolean", "default": False, "description": "Refetch fresh copies too."},
            "crawl": schemas.crawl(
                "Read the site around it.",
                max_pages=TOOL_CRAWL_PAGES,
                default_pages=TOOL_CRAWL_DEFAULT_PAGES,
                max_depth=TOOL_CRAWL_DEPTH,
            ),
        }
    ),
    hints=Hints(read_only=False, open_world=True),
    handler=handle,
    chooses_collection=True,
)


async def job_followed(engine: Engine, job: Job, seconds: float, progress: ProgressCallback) -> Job:
    """Return the job after it ended or after `seconds`; until then, report its latest step at a limited rate."""
    latest: list[JobChanged] = []
    changed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def take(event: JobChanged) -> None:
        latest[:] = [event]
        changed.set()

    def listen(event: Event) -> None:
        if isinstance(event, JobChanged) and event.job_id == job.id:
            loop.call_soon_threadsafe(take, event)

    async def tell() -> None:
        while True:
            await changed.wait()
            changed.clear()
            await progress("ingestion", progress_text(latest[0]))
            await asyncio.sleep(JOB_PROGRESS_SECONDS)

    unsubscribe = engine.bus.subscribe(listen)
    telling = asyncio.create_task(tell())
    try:
        return await engine.jobs.wait(job.id, max(0.0, seconds))
    finally:
        unsubscribe()
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def job_ended(engine: Engine, job: Job, progress: ProgressCallback) -> Job:
    """Return the job after it ended or was paused, however long that takes."""
    while job.state in GOING_ON:
        job = await job_followed(engine, job, JOB_WAIT_SECONDS, progress)
    return job


def ingest_text(pages: Sequence[IngestedPage], *, budget: Budget, count: CountTokens) -> str:
    """Return one entry per page and the next step, or an error text if nothing was read and no page continues in the background."""
    read = [page for page in pages if page.is_read]
    reading = [page for page in pages if page.is_reading]
    entries = [_page_entry(page) for page in pages]
    if not read and not reading:
        opening = "None of the pages could be read." if len(pages) > 1 else "The page could not be read."
        kind = f"Error type: {pages[0].failure_type} ({pages[0].failure_code})"
        return clip("\n".join(["[ERROR]", opening, "", kind, *entries, "", NOTHING_READ]), budget, count)
    chunks = plural(sum(page.chunks for page in read), "chunk")
    summary = f"{len(read)} of {plural(len(pages), 'page')} indexed, {chunks}."
    going_on = (
        [f"WebRAG is still indexing {plural(len(reading), 'page')} in the background: {READ_ON}"] if reading else []
    )
    searchable = [SEARCHABLE] if read else []
    return clip("\n".join(["[INGESTED]", *entries, "", " ".join([summary, *going_on, *searchable])]), budget, count)


def _page_entry(page: IngestedPage) -> str:
    if page.is_failed:
        next_step = f"\n  Next step: {safe(page.note)}" if page.note else ""
        reason = one_line(safe(page.failure_reason), caps.MAX_REASON_CHARS_SHOWN)
        return f"- {address(redact(page.url))} — not read: {reason} ({page.failure_code}){next_step}"
    if page.is_reading:
        job = f" (job {page.job_id})" if page.job_id else ""
        return f"- {address(redact(page.url))} — still being indexed{job}"
    note = f"\n  Note: {safe(page.note)}" if page.note else ""
    facts = f"{page.change}, {plural(page.chunks, 'chunk')}, {plural(page.tokens, 'token')}"
    return f"- {origin(page.title, page.url)}\n  ({facts}){note}"
