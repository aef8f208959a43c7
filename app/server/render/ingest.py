"""What `ingest` did → text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app import caps
from app.orchestration.result import IngestedPage
from app.server.render.budget import Budget, CountTokens, clip
from app.server.render.errors import safe
from app.server.render.text import one_line, plural, title_of

NEXT: Final = "Call `search` to ask about these pages; nothing is fetched again for that."
ALL_FAILED: Final = "Please inform the user of this error. Do not answer from memory in place of these pages."


def ingest_text(pages: Sequence[IngestedPage], *, budget: Budget, count: CountTokens) -> str:
    """One entry a page, and what to do next; an error text when no page could be read."""
    read = [page for page in pages if not page.is_failed]
    entries = [_entry(page) for page in pages]
    if not read:
        opening = "None of the pages could be read." if len(pages) > 1 else "The page could not be read."
        kind = f"Error type: {pages[0].failure_type} ({pages[0].failure_code})"
        return clip("\n".join(["[ERROR]", opening, "", kind, *entries, "", ALL_FAILED]), budget, count)
    chunks = plural(sum(page.chunks for page in read), "chunk")
    summary = f"{len(read)} of {plural(len(pages), 'page')} indexed, {chunks}."
    return clip("\n".join(["[INGESTED]", *entries, "", f"{summary} {NEXT}"]), budget, count)


def _entry(page: IngestedPage) -> str:
    if page.is_failed:
        next_step = f"\n  Next step: {safe(page.note)}" if page.note else ""
        reason = one_line(safe(page.failure_reason), caps.MAX_REASON_CHARS_SHOWN)
        return f"- {one_line(page.url)} — not read: {reason} ({page.failure_code}){next_step}"
    note = f"\n  Note: {safe(page.note)}" if page.note else ""
    facts = f"{page.change}, {plural(page.chunks, 'chunk')}, {plural(page.tokens, 'token')}"
    return f"- {title_of(page.title)} — {one_line(page.url)}\n  ({facts}){note}"
