"""What `ingest` did → text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app import caps
from app.errors import ErrorCode
from app.ingest.outcome import IngestedPage
from app.logs import redact
from app.server.render.budget import Budget, CountTokens, clip
from app.server.render.errors import safe
from app.server.render.jobs import NOTHING_READ, SEARCHABLE, job_text, read_nothing
from app.server.render.text import one_line, plural, title_of
from app.server.reports.jobs import JobReport

CRAWL_FAILED: Final = (
    f"[ERROR]\nThe crawl could not read any page.\n\nError type: FetchError ({ErrorCode.BACKEND_UNAVAILABLE})"
)


def ingest_text(pages: Sequence[IngestedPage], *, budget: Budget, count: CountTokens) -> str:
    """One entry a page, and what to do next; an error text when no page could be read."""
    read = [page for page in pages if not page.is_failed]
    entries = [_entry(page) for page in pages]
    if not read:
        opening = "None of the pages could be read." if len(pages) > 1 else "The page could not be read."
        kind = f"Error type: {pages[0].failure_type} ({pages[0].failure_code})"
        return clip("\n".join(["[ERROR]", opening, "", kind, *entries, "", NOTHING_READ]), budget, count)
    chunks = plural(sum(page.chunks for page in read), "chunk")
    summary = f"{len(read)} of {plural(len(pages), 'page')} indexed, {chunks}."
    return clip("\n".join(["[INGESTED]", *entries, "", f"{summary} {SEARCHABLE}"]), budget, count)


def crawl_text(report: JobReport, *, budget: Budget, count: CountTokens) -> str:
    """What a crawl did so far; an error text when it ended without a page."""
    opening = CRAWL_FAILED if read_nothing(report.job) else "[INGESTED]"
    return job_text(report, opening=opening, budget=budget, count=count)


def _entry(page: IngestedPage) -> str:
    if page.is_failed:
        next_step = f"\n  Next step: {safe(page.note)}" if page.note else ""
        reason = one_line(safe(page.failure_reason), caps.MAX_REASON_CHARS_SHOWN)
        return f"- {one_line(redact(page.url))} — not read: {reason} ({page.failure_code}){next_step}"
    note = f"\n  Note: {safe(page.note)}" if page.note else ""
    facts = f"{page.change}, {plural(page.chunks, 'chunk')}, {plural(page.tokens, 'token')}"
    return f"- {title_of(page.title)} — {one_line(page.url)}\n  ({facts}){note}"
