"""`import`, `export`, `backup`: documents and the corpus as files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.asking import answered, asked, told
from app.cli.failing import told_failures
from app.cli.jobs import absolute, is_going_on, job_status
from app.cli.output import Failure, remark, show_failure
from app.errors import InvalidArgumentError

if TYPE_CHECKING:
    from app.server.control.exporting import Exported
    from app.server.control.importing import Imported

SHOWN_FAILURES = 20


def import_files(options: argparse.Namespace) -> int:
    """Read files; the status says whether all could be read. Each that could not is an error of its own."""
    from app.server.control.importing import Imported

    paths = [str(path) for path in options.files]
    found, shown = answered(
        options, "import", {"paths": paths}, list[Imported], lambda entries, *_: imported_text(entries)
    )
    told(options, found, shown)
    failed = told_failures((entry.page for entry in found if entry.page is not None), as_json=options.json)
    statuses = [job_status(entry.job, as_json=options.json) for entry in found if entry.job is not None]
    return max(failed, *statuses, 0)


def imported_text(entries: list[Imported]) -> str:
    """One line a file that could be read."""
    return "\n".join(line for entry in entries if (line := _entry(entry)))


def export(options: argparse.Namespace) -> int:
    """Write documents as Markdown; the status says whether all could be written."""
    from app.server.control.exporting import Exported

    source, target = options.source, options.target
    if "://" not in source:
        path = absolute(source)
        if not path.exists():
            raise InvalidArgumentError(
                f"{source} is neither an address nor a file.", hint="Give the whole https:// address."
            )
        source = path.as_uri()
    params = {"source": source, "target": str(target)}
    done = asked(options, "export", params, Exported, lambda done, *_: exported_text(done))
    if not done.failures:
        return 0
    if not options.json:
        for failure in done.failures[:SHOWN_FAILURES]:
            show_failure(Failure(failure.code, "", failure.message, failure.hint), as_json=False)
        if len(done.failures) > SHOWN_FAILURES:
            remark(f"... and {len(done.failures) - SHOWN_FAILURES:,} more")
    return 1


def exported_text(done: Exported) -> str:
    """How many files, and where."""
    written, failed = len(done.files), len(done.failures)
    if failed:
        return "\n".join([*done.files, f"Exported {written:,} of {written + failed:,} documents, {failed:,} failed."])
    if written == 1:
        return f"Exported to {done.files[0]}."
    return "\n".join([*done.files, f"Exported {written:,} documents."])


def export_docs(options: argparse.Namespace) -> int:
    """Write the pages of one folder as the documentation tools see them."""
    params = {"name": options.name, "target": str(options.target)}
    asked(
        options, "export_docs", params, str, lambda target, *_: f"The index of {options.name} is written to {target}."
    )
    return 0


def backup(options: argparse.Namespace) -> int:
    """Copy the corpus while it is in use."""
    asked(
        options, "backup", {"target": str(options.file)}, str, lambda target, *_: f"The corpus is copied to {target}."
    )
    return 0


def _entry(entry: Imported) -> str:
    from app.server.render.text import one_line, plural, title_of

    path = one_line(entry.path)
    if entry.job is not None:
        counts = entry.job.counts
        failed = f", {counts.failed:,} failed" if counts.failed else ""
        more = f"; `webrag jobs {entry.job.id}` shows it" if failed or is_going_on(entry.job) else ""
        pages = plural(counts.total, "page")
        return f"{path}: bookmarks, job {entry.job.id} {entry.job.state.value}: {pages}{failed}{more}"
    page = entry.page
    if page is None or page.is_failed:
        return ""
    note = f"\n  Note: {page.note}" if page.note else ""
    return f"{path}: {title_of(page.title)} ({page.change}, {plural(page.chunks, 'chunk')}){note}"
