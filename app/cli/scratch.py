"""The command `scratch` for passages that tools saved for assistants."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app import caps
from app.cli.calls import Fitted, call_and_print, call_method
from app.cli.output import CommandFailedError, Failure, table, tell
from app.errors import ErrorCode, FileAccessError, InvalidArgumentError

if TYPE_CHECKING:
    from app.server.render.reports import PassageReport
    from app.server.render.text import Budget, CountTokens

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
    from app.text.page_text import one_line

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
