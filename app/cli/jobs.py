"""The commands `crawl`, `jobs` and `folder` for background work."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import is_interrupt
from app.cli.calls import Fitted, call_and_print, call_method
from app.cli.output import CommandFailedError, Failure, remark, show_failure, table, tell
from app.durations import time_span
from app.errors import ErrorCode, InvalidArgumentError
from app.instance import find_instance
from app.settings import load_settings
from app.text.page_text import address, one_line

if TYPE_CHECKING:
    from app.corpus.records import Folder
    from app.ingest.crawling.options import CrawlPreview
    from app.library.job_records import Job
    from app.server.render.text import Budget, CountTokens
    from app.server.tools.status import JobReport

PREVIEWED = 20  # Addresses in a preview.


def crawl(options: argparse.Namespace) -> int:
    """Crawl a site, or preview the crawl."""
    params = {
        "url": options.url,
        "scope": options.scope,
        "max_pages": options.max_pages,
        "max_depth": options.max_depth,
        "refresh": False if options.no_refresh else None,
        "left_out": options.leave_out,
        "collection": options.collection,
    }
    if options.preview:
        from app.ingest.crawling.options import CrawlPreview

        call_and_print(options, "crawl_preview", params, CrawlPreview, preview_text)
        return 0
    return begun(options, "crawl", params)


def jobs(options: argparse.Namespace) -> int:
    """List all jobs, or show or control a single one."""
    step = next((step for step in ("pause", "resume", "cancel", "retry") if getattr(options, step)), "")
    if options.id is None:
        if step or options.wait:
            what = step or "wait"
            raise InvalidArgumentError(f"--{what} needs the ID of a job.", hint="`webrag jobs` lists the IDs.")
        from app.server.tools.status import JobReport

        call_and_print(options, "jobs", {}, list[JobReport], jobs_text)
        return 0
    method = f"job_{step}" if step else "job_wait" if options.wait else "job"
    return begun(options, method, {"job_id": options.id})


def folder(options: argparse.Namespace) -> int:
    """List, add, remove, refresh or rename watched folders."""
    from app.corpus.records import Folder
    from app.ingest.folders.scan import scan_folder

    if options.action == "list":
        call_and_print(options, "folders", {}, list[Folder], folders_text)
        return 0
    if options.path is None:
        raise InvalidArgumentError(f"`webrag folder {options.action}` needs the path of a folder.")
    path = str(options.path)
    if options.action == "rename":
        if options.name is None:
            raise InvalidArgumentError("`webrag folder rename` needs the path of a folder and its new name.")
        params = {"path": path, "name": options.name}
        call_and_print(options, "folder_rename", params, Folder, lambda kept: f"Renamed {kept.path} to {kept.name}.")
        return 0
    if options.action != "remove":
        status = begun(options, f"folder_{options.action}", {"path": path})
        if not options.wait and (text := scan_folder(Path(path).resolve()).left_out):
            remark(text)
        return status
    removed = call_and_print(
        options,
        "folder_remove",
        {"path": path},
        bool,
        lambda done: f"Removed {path} and its files from the library." if done else "",
    )
    if removed:
        return 0
    message, hint = f"{path} is not a watched folder.", "`webrag folder list` lists the watched folders."
    raise CommandFailedError(Failure(ErrorCode.INVALID_ARGUMENT.value, "No such folder", message, hint))


def begun(options: argparse.Namespace, method: str, params: dict[str, Any]) -> int:
    """Run a method on a job, with `--wait` until the job ends. The status is 1 if the job failed."""
    from app.server.tools.status import JobReport

    try:
        report, shown = call_method(options, method, params, JobReport, Fitted(report_text))
        if getattr(options, "wait", False) and method != "job_wait" and is_going_on(report.job):
            waited = {"job_id": report.job.id}
            report, shown = call_method(options, "job_wait", waited, JobReport, Fitted(report_text))
    except BaseException as error:
        if is_interrupt(error):
            is_running = find_instance(load_settings(data_dir=options.data_dir).data_dir) is not None
            stopped = "Stopped. The job is kept: `webrag jobs` shows it, `webrag jobs ID --wait` resumes it."
            remark("The job continues in WebRAG. `webrag jobs` shows it." if is_running else stopped)
        raise
    tell(report, shown, as_json=options.json)
    return job_status(report.job, as_json=options.json)


def job_status(job: Job, *, as_json: bool) -> int:
    """Return the exit status for a job, and print an error if it failed."""
    from app.library.job_records import JobState

    if job.state is not JobState.FAILED:
        return 0
    if not as_json:
        message = f"Job {job.id} failed: {job.detail or 'no page could be fetched'}"
        hint = f"Retry the failed pages: `webrag jobs {job.id} --retry`."
        show_failure(Failure(ErrorCode.BACKEND_UNAVAILABLE.value, "", message, hint))
    return 1


def is_going_on(job: Job) -> bool:
    """Whether a job is queued or running."""
    from app.server.tools.ingest import GOING_ON

    return job.state in GOING_ON


def report_text(report: JobReport, budget: Budget, count: CountTokens) -> str:
    """Format a job with its pages, failures and next steps."""
    from app.server.tools.status import job_text

    return job_text(report, opening="", budget=budget, count=count, next_step=_next_step(report.job))


def jobs_text(known: Sequence[JobReport]) -> str:
    """Format jobs, one line each."""
    if not known:
        return "No jobs. Start one: `webrag crawl URL`."
    rows = [("ID", "STATE", "KIND", "DONE", "FAILED", "LEFT", "TARGET")]
    for report in known:
        job, left = report.job, report.seconds_left
        counts = (f"{job.counts.done:,}/{job.counts.total:,}", f"{job.counts.failed:,}")
        shown_left = time_span(left) if left is not None else "-"
        rows.append((str(job.id), job.state.value, job.kind.value, *counts, shown_left, job.target))
    return table(rows)


def folders_text(known: Sequence[Folder]) -> str:
    """Format watched folders, one line each, and the files that took too long to read."""
    if not known:
        return "No watched folders. Add one: `webrag folder add PATH`."
    rows = [("ADDED", "FILES", "NAME", "PATH")]
    for kept in known:
        added = datetime.fromtimestamp(kept.added_at).astimezone().strftime("%Y-%m-%d")
        rows.append((added, f"{kept.documents:,}", kept.name, kept.path))
    left_out = [f"Skipped until it changes: {one_line(why)}" for kept in known for why in kept.unread]
    never = [f"{one_line(kept.path)}: {one_line(kept.left_out)}" for kept in known if kept.left_out]
    return "\n".join([table(rows), *left_out, *never])


def preview_text(preview: CrawlPreview) -> str:
    """Format the preview of a crawl."""
    from app.server.render.text import origin

    options = preview.options
    count = f"{preview.known:,}" if preview.is_complete else f"at least {preview.known:,}"
    pages = min(preview.known, options.max_pages)
    lines = [
        origin(preview.title, preview.start),
        f"Scope:       {options.scope.value}, at most {options.max_pages:,} pages, {options.max_depth} links deep",
        f"Pages known: {count}" + (f" (found by {', '.join(preview.sources)})" if preview.sources else ""),
    ]
    if preview.excluded:
        lines.append(f"Skipped:     {preview.excluded:,} disallowed by robots.txt")
    lines += [f"Duration:    about {time_span(preview.seconds)} for {pages:,} pages"]
    lines += [f"Note:        {one_line(note)}" for note in preview.notes]
    lines += ["", *(f"- {address(url)}" for url in preview.urls[:PREVIEWED])]
    more = preview.known - min(len(preview.urls), PREVIEWED)
    return "\n".join([*lines, *([f"... and {more:,} more"] if more > 0 else [])])


def _next_step(job: Job) -> str:
    from app.library.job_records import JobState

    if is_going_on(job):
        return (
            f"It continues while WebRAG is running. `webrag jobs {job.id}` shows it, `webrag jobs {job.id} --wait` waits "
            f"until it ends, `webrag jobs {job.id} --cancel` cancels it."
        )
    if job.state is JobState.PAUSED:
        return f"Resume it: `webrag jobs {job.id} --resume`."
    if job.state is JobState.DONE and job.counts.failed:
        return f"Retry the failed pages: `webrag jobs {job.id} --retry`."
    return ""


def limits_help() -> dict[str, str]:
    """Return the help texts of crawl options, with their limits."""
    from app.ingest.crawling.options import CRAWL_LIMITS

    pages, depth = CRAWL_LIMITS["max_pages"], CRAWL_LIMITS["max_depth"]
    return {
        "scope": "page: pages it links to; subpages (default): pages in its folder; host: the whole host",
        "max_pages": f"maximum number of pages; default {pages['default']}, up to {pages['maximum']:,}",
        "max_depth": f"maximum number of links from the start; default {depth['default']}, up to {depth['maximum']}",
    }
