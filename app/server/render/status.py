"""`CorpusStatus` → text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app import caps
from app.corpus.records import CorpusStatus, DocumentSummary
from app.server.render.budget import Budget, CountTokens, Room, clip
from app.server.render.jobs import job_line
from app.server.render.text import one_line, title_of, when
from app.server.reports.jobs import JobReport

ADD_FILE: Final = "Ask the user to add the file or its folder in WebRAG (Library > Add, or `webrag import`)."


def status_text(
    status: CorpusStatus,
    *,
    include_urls: bool,
    budget: Budget,
    count: CountTokens,
    jobs: Sequence[JobReport] = (),
) -> str:
    """What is indexed and which jobs go on, within the budget; pages that do not fit are counted."""
    totals = status.totals
    head = [
        "[CORPUS STATUS]",
        f"Documents indexed: {totals.documents:,}",
        f"Total chunks: {totals.chunks:,}",
        f"Total tokens: {totals.tokens:,}",
    ]
    waiting = totals.chunks - totals.chunks_embedded
    if waiting > 0:
        head.append(f"Note: {waiting:,} chunks are searchable by keyword only until they are embedded.")
    head += _jobs(jobs)
    if status.asked_url is not None and not status.documents:
        head += [
            "",
            f"{one_line(status.asked_url)} is not indexed. {_how_to_read(status.asked_url)}",
        ]
        return clip("\n".join(head), budget, count)
    if not status.documents:
        reason = "Nothing is indexed yet. Call `answer` or `ingest` with a URL to read it."
        return clip("\n".join([*head, *([] if totals.documents else ["", reason])]), budget, count)
    if not include_urls and status.asked_url is None:
        return clip("\n".join(head), budget, count)
    return clip("\n".join([*head, "", *_listing(status, "\n".join(head), budget, count)]), budget, count)


def _how_to_read(url: str) -> str:
    """Files are added by the person at the computer; no tool reads one."""
    if url.casefold().startswith("file:"):
        return ADD_FILE
    return "Call `answer` or `ingest` with it to read it."


def _jobs(jobs: Sequence[JobReport]) -> list[str]:
    if not jobs:
        return []
    more = len(jobs) - caps.MAX_JOB_LINES_SHOWN
    lines = [f"- {job_line(job)}" for job in jobs[: caps.MAX_JOB_LINES_SHOWN]]
    return ["Jobs under way:", *lines, *([f"... and {more:,} more"] if more > 0 else [])]


def _listing(status: CorpusStatus, head: str, budget: Budget, count: CountTokens) -> list[str]:
    room = Room(budget, count)
    lines = ["Indexed URLs:"]
    for part in (head, lines[0], _more(status.totals.documents)):
        room.spend(part)
    shown = 0
    for document in status.documents:
        entry = _entry(document)
        if not room.take(entry):
            break
        lines.append(entry)
        shown += 1
    omitted = status.omitted + len(status.documents) - shown
    return [*lines, _more(omitted)] if omitted else lines


def _entry(document: DocumentSummary) -> str:
    facts = f"{document.chunks:,} chunks, {document.tokens:,} tokens, fetched {when(document.last_crawled)}"
    return f"- {title_of(document.title)} — {one_line(document.url)}\n  ({facts})"


def _more(count: int) -> str:
    return f"... and {count:,} more (use source_url)"
