"""The commands `answer`, `search`, `status`, `pages`, `ingest`, `verify` and `scratch`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app import caps
from app.cli.calls import Fitted, call_and_print, call_method
from app.cli.output import CommandFailedError, Failure, port_lost_text, print_failures, remark, table, tell
from app.errors import ErrorCode, FileAccessError, InvalidArgumentError
from app.instance import find_instance
from app.settings import load_settings
from app.text.page_text import one_line, quoted

if TYPE_CHECKING:
    from app.engine.documents import ChangedPage
    from app.library.records import DocumentSummary
    from app.server.render.reports import PassageReport
    from app.server.render.text import Budget, CountTokens

PASSAGE_CHARS: Final = 300  # Printed length of a changed passage.


def answer(options: argparse.Namespace) -> int:
    """Answer a question from pages."""
    from app.orchestration.result import OrchestrationResult
    from app.server.render.answer import answer_text

    params = {
        "urls": options.urls,
        "query": options.question,
        "intent": options.intent,
        "known_context": options.context,
        "constraints": options.constraint or None,
        "expansion_budget": options.expansion_budget,
    }

    def show(result: OrchestrationResult, budget: Budget, count: CountTokens) -> str:
        return answer_text(result, budget=budget, count=count, now=time.time())

    result = call_and_print(options, "answer", params, OrchestrationResult, Fitted(show))
    failed = any(not failure.goes_on for failure in result.failures)
    return 1 if failed and not result.chunks else 0


def search(options: argparse.Namespace) -> None:
    """Search the library."""
    from app.orchestration.result import OrchestrationResult
    from app.server.render.answer import search_text

    named = (("collection", options.collection), ("tag", options.tag))
    labels = [f"{kind}:{name}" for kind, names in named for name in names or ()]
    params = {
        "query": options.question,
        "source_urls": [*(options.url or ()), *labels] or None,
        "intent": options.intent,
        "top_k": options.top_k,
        "mode": options.mode,
    }

    def show(result: OrchestrationResult, budget: Budget, count: CountTokens) -> str:
        return search_text(result, budget=budget, count=count, now=time.time())

    call_and_print(options, "search", params, OrchestrationResult, Fitted(show))


def status(options: argparse.Namespace) -> None:
    """Show what is indexed."""
    from app.cli.care import compacting_text
    from app.corpus.records import CorpusStatus
    from app.server.tools.status import status_text

    def show(result: CorpusStatus, budget: Budget, count: CountTokens) -> str:
        text = status_text(result, include_urls=True, budget=budget, count=count)
        return f"{text}\n\n{compacting_text(result.reclaimable)}" if result.reclaimable else text

    call_and_print(options, "status", {"source_url": options.url}, CorpusStatus, Fitted(show))
    running = find_instance(load_settings(data_dir=options.data_dir).data_dir)
    if running is not None and running.wanted_port:
        remark(port_lost_text(running.wanted_port, running.url))


def pages(options: argparse.Namespace) -> None:
    """List stored pages, or with `--changed` the passages that changed since a page was added or last cited."""
    from app.engine.documents import ChangedPage
    from app.library.records import DocumentSummary

    if options.changed:
        asked = {"limit": options.limit, "cited": options.cited}
        call_and_print(options, "changed_pages", asked, list[ChangedPage], changed_pages_text)
    else:
        asked = {"text": options.text, "limit": options.limit}
        call_and_print(options, "library", asked, list[DocumentSummary], pages_text)


def pages_text(found: Sequence[DocumentSummary]) -> str:
    """Format pages, one line each, the latest first."""
    from app.server.render.text import origin

    return "\n".join(origin(page.title, page.url) for page in found) or "No matching pages."


def changed_pages_text(found: Sequence[ChangedPage]) -> str:
    """Format changed pages with the beginnings of removed (-) and new (+) passages."""
    return "\n\n".join(map(_changed_page_text, found)) or "No stored page has changed."


def _changed_page_text(page: ChangedPage) -> str:
    from app.server.render.text import origin, plural, when

    lines = [origin(page.title, page.url)]
    if page.since:
        began = "the version cited" if page.was_cited else "it was added"
        differ = f"{plural(page.count, 'passage')} changed"
        lines.append(f"  since {began} {when(page.since)}: {differ}")
    for each in page.passages:
        given = " (cited)" if each.was_cited else ""
        lines += [f"  - {quoted(each.old, PASSAGE_CHARS)}{given}"] if each.old else []
        lines += [f"  + {quoted(each.new, PASSAGE_CHARS)}"] if each.new else []
    if page.passages and page.count > len(page.passages):
        lines.append(f"  and {page.count - len(page.passages)} more")
    return "\n".join([*lines, *([f"  {one_line(page.note)}"] if page.note else [])])


def ingest(options: argparse.Namespace) -> int:
    """Index pages and print an error for each failed page. The status is 1 if any failed."""
    from app.ingest.outcome import IngestedPage
    from app.server.tools.ingest import ingest_text

    def show(pages: tuple[IngestedPage, ...], budget: Budget, count: CountTokens) -> str:
        read = [page for page in pages if not page.is_failed]
        return ingest_text(read, budget=budget, count=count) if read else ""

    params = {"urls": options.urls, "refresh": options.refresh, "collection": options.collection}
    pages = call_and_print(options, "ingest", params, tuple[IngestedPage, ...], Fitted(show))
    return print_failures(pages, as_json=options.json)


def verify(options: argparse.Namespace) -> int:
    """Check the corpus. The status is 1 if it is damaged."""
    from app.corpus.records import Problem

    def show(problems: list[Problem]) -> str:
        return "\n".join(f"{problem.check}: {problem.detail}" for problem in problems) or "No damage found."

    return 1 if call_and_print(options, "verify", {}, list[Problem], show) else 0


LIST_HINT = "`webrag scratch list` lists the recent passages."


def scratch(options: argparse.Namespace) -> None:
    """List saved passages, or show, pin, unpin, delete or save one."""
    if options.action == "list":
        from app.server.render.reports import PassageReport

        call_and_print(options, "scratch", {"limit": options.limit}, list[PassageReport], list_text)
        return
    if options.id is None:
        raise InvalidArgumentError(f"`webrag scratch {options.action}` needs the ID of a passage.", hint=LIST_HINT)
    if options.action == "save":
        _save(options)
        return
    if options.action in ("show", "pin"):
        from app.server.render.reports import PassageReport

        call_and_print(
            options, f"scratch_{options.action}", {"passage_id": options.id}, PassageReport, Fitted(passage_text)
        )
        return
    done = "Unpinned" if options.action == "unpin" else "Deleted"

    def show(removed: bool) -> str:
        return f"{done} {options.id}." if removed else ""

    if call_and_print(options, f"scratch_{options.action}", {"passage_id": options.id}, bool, show):
        return
    what = "pinned" if options.action == "unpin" else "saved"
    message = f"Passage {options.id} is not {what}."
    raise CommandFailedError(Failure(ErrorCode.INVALID_ARGUMENT.value, "No such passage", message, LIST_HINT))


def list_text(found: Sequence[PassageReport]) -> str:
    """Format saved passages, one line each."""
    from app.server.render.text import age, title_of

    if not found:
        return "No recent passages. WebRAG keeps passages for 30 minutes after their last use."
    now = time.time()
    rows = [("ID", "PINNED", "BYTES", "FOUND", "ASSISTANT", "TITLE")]
    for passage in found:
        found_at = age(max(0.0, now - passage.created_at))
        pinned = "yes" if passage.is_pinned else "-"
        rows.append(
            (passage.id, pinned, f"{passage.size_bytes:,}", found_at, passage.client or "-", title_of(passage.title))
        )
    return table(rows)


def passage_text(passage: PassageReport, budget: Budget, count: CountTokens) -> str:
    """Format a passage with as much text as the budget allows."""
    from app.server.render.text import clip, title_of

    lines = [title_of(passage.title), f"Source: {one_line(passage.source_uri)}", f"Bytes:  {passage.size_bytes:,}"]
    if passage.is_pinned:
        lines.append("Pinned: yes")
    if passage.is_cut:
        lines.append(f"Cut:    yes; `webrag scratch save {passage.id} FILE` saves the full text")
    text = "\n".join([*lines, "", passage.text]) if passage.text else "\n".join(lines)
    return clip(text, budget, count)


def _save(options: argparse.Namespace) -> None:
    from app.server.render.reports import PassageReport

    if options.file is None:
        raise InvalidArgumentError("`webrag scratch save` needs the ID of a passage and a file name.")
    target: Path = options.file
    params = {"passage_id": options.id, "characters": caps.SCRATCH_PASSAGE_BYTES}
    passage, _ = call_method(options, "scratch_show", params, PassageReport, lambda _: "")
    try:
        with target.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(passage.text)
    except FileExistsError as error:
        raise FileAccessError(
            f"{target} already exists.", hint="Choose another name. WebRAG does not replace files."
        ) from error
    except OSError as error:
        raise FileAccessError(f"Cannot write {target}: {error.strerror or error}") from error
    tell({"file": str(target), "bytes": passage.size_bytes}, f"Saved to {target}.", as_json=options.json)
