"""The commands `import`, `export`, `export-docs`, `backup`, `restore` and `extract`."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import output
from app.cli.calls import call_and_print, call_method
from app.cli.jobs import is_going_on, job_status
from app.errors import AlreadyRunningError, FileAccessError, InvalidArgumentError
from app.instance import Holding, find_instance, hold_instance
from app.paths import corpus_file
from app.settings import load_settings
from app.text.media_types import kind_of, left_out, suffix_of
from app.text.page_text import one_line

if TYPE_CHECKING:
    from app.corpus.records import Restored
    from app.corpus.restore import Prepared
    from app.extract.page import Page
    from app.server.control.files import Imported
    from app.settings import Settings

SHOWN_FAILURES = 20


def import_files(options: argparse.Namespace) -> int:
    """Index files and print an error for each failed file. The status is 1 if any failed."""
    from app.server.control.files import Imported

    paths = [str(path) for path in options.files]

    def show(entries: list[Imported]) -> str:
        return "\n".join(filter(None, map(_entry, entries)))

    found, shown = call_method(options, "import", {"paths": paths}, list[Imported], show)
    output.tell(found, shown, as_json=options.json)
    # Files that failed because of their type.
    failed_files = (Path(entry.path) for entry in found if entry.page is not None and entry.page.is_failed)
    unread = Counter(suffix_of(path) for path in failed_files if kind_of(path) is None and path.is_file())
    if text := left_out(unread):
        output.remark(text)
    failed = output.print_failures((entry.page for entry in found if entry.page is not None), as_json=options.json)
    statuses = [job_status(entry.job, as_json=options.json) for entry in found if entry.job is not None]
    return max(failed, *statuses, 0)


def export(options: argparse.Namespace) -> int:
    """Write documents as Markdown. The status is 1 if any failed."""
    from app.library.scope import label_named
    from app.server.control.files import Exported

    source, target = options.source, options.target
    if "://" not in source and label_named(source) is None:
        path = Path(source).expanduser().absolute()
        if not path.exists():
            raise InvalidArgumentError(
                f"{source} is neither an address nor a file.", hint="Pass the full https:// address."
            )
        source = path.as_uri()

    def show(done: Exported) -> str:
        written, failed = len(done.files), len(done.failures)
        if failed:
            return "\n".join(
                [*done.files, f"Exported {written:,} of {written + failed:,} documents, {failed:,} failed."]
            )
        return (
            f"Exported to {done.files[0]}."
            if written == 1
            else "\n".join([*done.files, f"Exported {written:,} documents."])
        )

    done = call_and_print(options, "export", {"source": source, "target": str(target)}, Exported, show)
    if not done.failures:
        return 0
    if not options.json:
        for failure in done.failures[:SHOWN_FAILURES]:
            output.show_failure(output.Failure(failure.code, "", failure.message, failure.hint))
        if len(done.failures) > SHOWN_FAILURES:
            output.remark(f"... and {len(done.failures) - SHOWN_FAILURES:,} more")
    return 1


def export_docs(options: argparse.Namespace) -> None:
    """Write the documentation index of a folder."""
    params = {"name": options.name, "target": str(options.target)}
    call_and_print(
        options, "export_docs", params, str, lambda target: f"Wrote the index of {options.name} to {target}."
    )


def backup(options: argparse.Namespace) -> None:
    """Copy the corpus, also while it is in use."""
    call_and_print(
        options, "backup", {"target": str(options.file)}, str, lambda target: f"Copied the library to {target}."
    )


def _entry(entry: Imported) -> str:
    from app.server.render.text import plural, title_of

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
    return f"{path}: {title_of(page.title)} ({page.change}, {plural(page.chunks, 'passage')}){note}"


def restore(options: argparse.Namespace) -> None:
    """Check a backup and replace the corpus with it. The previous corpus is kept next to it."""
    from app.corpus.restore import describe, swap

    settings = load_settings(data_dir=options.data_dir)
    corpus = corpus_file(settings.data_dir)
    if options.newest and options.file is not None:
        raise InvalidArgumentError("--newest does not accept a file.", hint="Omit the file or --newest.")
    running = find_instance(settings.data_dir)
    if running is not None:
        raise AlreadyRunningError(
            f"WebRAG is running (process {running.pid}) and uses the library.", hint="Quit WebRAG, then restore."
        )
    with hold_instance(settings.data_dir, Holding.COMMAND), output.ProgressLine(shown=not options.json) as line:
        line.show("Recovering readable data…" if options.salvage else "Checking the backup…")
        restored = swap(_prepared(options, corpus), corpus)
    output.tell(restored, restored_text(restored), as_json=options.json)
    if options.file is not None and (folders := describe(corpus).folders):
        output.remark(f"WebRAG reads the files of these folders when it runs: {', '.join(map(one_line, folders))}")


def _prepared(options: argparse.Namespace, corpus: Path) -> Prepared:
    """Return the checked copy that the options select."""
    from app.corpus.restore import automatic_backups, prepare, prepare_newest, prepare_salvage

    if options.salvage:
        return prepare_salvage(options.file or corpus, corpus)
    if options.newest:
        backup, prepared, passed = prepare_newest(corpus)
        for reason in passed:
            output.remark(f"Skipped: {reason}")
        output.remark(f"Using {backup}")
        return prepared
    if options.file is None:
        known = ", ".join(path.name for path in automatic_backups(corpus)) or "none"
        error = InvalidArgumentError(
            f"No backup given. Automatic backups in {corpus.parent / 'backups'}: {known}.",
            hint="Pass a file or --newest, or recover a damaged library with --salvage.",
        )
        raise output.CommandFailedError(output.Failure.of(error), status=output.WRONG_COMMAND_LINE)
    return prepare(options.file, corpus)


def restored_text(restored: Restored) -> str:
    """Format the restored data, the lost data, and where the previous library is."""
    from app.server.render.text import plural

    lines = [f"Restored {plural(restored.documents, 'document')} with {plural(restored.chunks, 'passage')}."]
    saved = restored.salvaged
    if saved is not None:
        lines.append(f"Also recovered: {plural(saved.pins, 'pinned passage')}, {plural(saved.jobs, 'job')}.")
        lines += (
            [f"Rebuilt from stored text until their next refresh: {plural(saved.recut, 'document')}."]
            if saved.recut
            else []
        )
        lines += [f"Lost: {plural(saved.lost, 'document')}."] if saved.lost else []
        lines += [f"- {url}" for url in saved.lost_urls[:SHOWN_FAILURES]]
        if len(saved.lost_urls) > SHOWN_FAILURES:
            lines.append(f"... and {len(saved.lost_urls) - SHOWN_FAILURES:,} more")
        lines.append("WebRAG embeds the passages again when it runs. Until then, it finds them by keyword only.")
    lines += [f"Skipped: {words}." for words in restored.removed]
    if restored.kept:
        lines.append(f"The previous library is kept as {restored.kept}.")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Source:
    """A body and its origin; `robots_tag` is the X-Robots-Tag header of a web page."""

    url: str
    body: bytes
    content_type: str
    charset: str | None = None
    robots_tag: str = ""


def extract(options: argparse.Namespace) -> None:
    """Print a file or page as Markdown, or with all its metadata as JSON."""
    from app.extract import extract as read
    from app.extract import page_markdown
    from app.extract.page import READS_COMMENTS

    started = time.perf_counter()
    settings = load_settings(data_dir=options.data_dir)
    if "://" in options.source:
        source = asyncio.run(_fetched(options.source, settings))
    else:
        from app.ingest.files import read_file

        path = Path(options.source).expanduser()
        if not path.exists():
            raise FileAccessError(
                f"File not found: {options.source}.", hint="Pass an existing file or a full https:// address."
            )
        body, _ = read_file(path.resolve(), None)
        source = _Source(body.url, body.content, body.content_type, body.charset)
    opened = time.perf_counter()
    READS_COMMENTS.set(settings.read_comments)
    page = read(source.body, url=source.url, content_type=source.content_type, charset=source.charset)
    done = time.perf_counter()
    if options.json:
        output.say_json(_described(source, page, opened - started, done - opened))
    else:
        output.say(page_markdown(page))


async def _fetched(url: str, settings: Settings) -> _Source:
    """Fetch a page as for an explicit request."""
    from app.engine.components import open_fetcher

    async with aclosing(open_fetcher(settings)) as fetcher:
        answer = await fetcher.fetch(url)
    return _Source(answer.url, answer.body, answer.content_type, answer.charset, answer.robots_tag)


def _described(source: _Source, page: Page, read_seconds: float, extract_seconds: float) -> dict[str, Any]:
    from app.serialise import to_jsonable

    described: dict[str, Any] = to_jsonable(page)
    navigation = described.pop("navigation")
    robots = {name: described.pop(name) for name in ("noindex", "nofollow")}
    return {
        **described,
        "robots": {**robots, "header": source.robots_tag},
        "navigation_links": len(navigation),
        "content_type": source.content_type,
        "bytes": len(source.body),
        "milliseconds": {"read": round(read_seconds * 1000, 1), "extract": round(extract_seconds * 1000, 1)},
    }
