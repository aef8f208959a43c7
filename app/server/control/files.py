"""Import and export of files: bookmarks become a job, other files become documents; documents become Markdown with their source."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from app import caps
from app.errors import FileAccessError, InvalidArgumentError, InvalidURLError, WebRAGError
from app.events import ProgressCallback
from app.ingest.outcome import IngestedPage
from app.library.job_records import Job
from app.library.records import Document, DocumentSummary, LinkRecord
from app.library.scope import label_named
from app.paths import replace_file
from app.server.render.text import iso
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.engine import Engine
    from app.extract.discovery import BookmarkFolder

MAX_EXPORTED_DOCUMENTS: Final = 200_000
HEAD_BYTES: Final = 1_024
PAGE_ROWS: Final = 500
MAX_NAME_CHARS: Final = 100
_FOLDER: Final = "Add it with `webrag folder add`, which keeps it up to date, or pass its files."

_BOOKMARKS = re.compile(rb"<!DOCTYPE\s+NETSCAPE-Bookmark-file-1", re.IGNORECASE)
_UNUSABLE = re.compile(r"[^\w.-]+")
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Imported:
    """The result for one file: a stored or failed document, or the job for its bookmarks."""

    path: str
    page: IngestedPage | None = None
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class ExportFailure:
    """A document that could not be written: its address and the parts of the error."""

    url: str
    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Exported:
    """The written files, one per document, and the failures."""

    files: tuple[str, ...]
    failures: tuple[ExportFailure, ...] = ()


async def import_files(engine: Engine, paths: Sequence[Path], progress: ProgressCallback) -> list[Imported]:
    """Import every file; one that cannot be read becomes an entry with its failure."""
    imported: list[Imported] = []
    for path in paths:
        await progress("ingestion", f"Reading {path.name}...")
        try:
            if await asyncio.to_thread(path.is_dir):
                raise FileAccessError(sentence("{} is a folder.", path), hint=_FOLDER)
            if await asyncio.to_thread(is_bookmarks, path):
                imported.append(Imported(str(path), job=await import_bookmarks(engine, path)))
            else:
                imported.append(Imported(str(path), page=await engine.add_file(path)))
        except WebRAGError as error:
            imported.append(Imported(str(path), page=IngestedPage.unread(str(path), error)))
    return imported


async def import_bookmarks(engine: Engine, path: Path) -> Job:
    """Start a job for the pages in a browser's exported bookmarks. Raises FileAccessError, InvalidArgumentError."""
    from app.extract.discovery import bookmark_urls

    urls = await asyncio.to_thread(lambda: bookmark_urls(_content(path)))
    if not urls:
        raise InvalidArgumentError(sentence("{} does not contain bookmarks of web pages.", path.name))
    return await engine.jobs.read_pages(urls[: caps.MAX_IMPORTED_URLS], target=path.name)


def is_bookmarks(path: Path) -> bool:
    """Whether a file contains a browser's exported bookmarks. Raises FileAccessError."""
    if path.suffix.lower() not in (".html", ".htm"):
        return False
    try:
        if path.exists() and not path.is_file():
            return False  # Opening a named pipe waits for a writer.
        with path.open("rb") as stream:
            return _BOOKMARKS.search(stream.read(HEAD_BYTES)) is not None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(sentence("WebRAG cannot read {}: {}.", path, reason)) from error


def bookmark_folders_of(path: Path) -> tuple[BookmarkFolder, ...]:
    """Return the folders of a browser's exported bookmarks with their pages. Raises FileAccessError."""
    from app.extract.discovery import bookmark_folders

    return bookmark_folders(_content(path))


async def export_documents(engine: Engine, source: str, target: Path, progress: ProgressCallback) -> Exported:
    """Write the document at the address `source`, or all whose address begins with it, as Markdown.

    A single document is written to `target` if that ends with .md; otherwise `target` is a folder. Files with other content are not
    replaced. A file that cannot be written is listed as a failure, and the others are still written. Raises InvalidArgumentError if
    nothing is stored there, FileAccessError if the only file cannot be written.
    """
    found = await _found(engine, source)
    if not found:
        raise InvalidArgumentError(
            sentence("Nothing is indexed at {}.", source),
            hint="Run `webrag status` to see the addresses, or index the page first.",
        )
    is_single = target.suffix.lower() == ".md"
    if is_single and len(found) > 1:
        raise InvalidArgumentError(sentence("{} pages do not fit in one file.", len(found)), hint="Choose a folder.")
    return await _export(engine, found, [target] if is_single else [target / name for name in _names(found)], progress)


async def export_rows(
    engine: Engine, rows: list[DocumentSummary], folder: Path, progress: ProgressCallback
) -> Exported:
    """Write these documents as Markdown into a folder, as `export_documents` does."""
    return await _export(engine, rows, [folder / name for name in _names(rows)], progress)


def markdown_file(document: Document, links: list[LinkRecord], row: DocumentSummary | None = None) -> str:
    """Return front matter with the sources, collections and tags, then the page with its link targets."""
    from app.extract import Page, page_markdown

    page = Page(
        url=document.url, title=document.title, text=document.text, sections=document.sections, links=tuple(links)
    )
    facts = {
        "title": document.title,
        "source": document.url,
        "fetched": iso(document.last_crawled) if document.last_crawled > 0 else "",
        "last_modified": document.last_modified,
        "published": document.published,
        "language": document.language,
        "sha256": document.content_hash,
        "collections": row.collections if row is not None else (),
        "tags": row.tags if row is not None else (),
    }
    # A JSON string is always a valid YAML string.
    head = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items() if value]
    return "\n".join(["---", *head, "---", "", page_markdown(page).rstrip("\n"), ""])


def _content(path: Path) -> bytes:
    from app.ingest.files import named_file, read_file

    return read_file(named_file(path), None)[0].content


async def _export(
    engine: Engine, found: list[DocumentSummary], names: list[Path], progress: ProgressCallback
) -> Exported:
    written, failures = list[str](), list[ExportFailure]()
    for number, (row, path) in enumerate(zip(found, names, strict=True), start=1):
        document = await engine.documents.get(row.id)
        if document is None:
            continue
        text = await asyncio.to_thread(markdown_file, document, await engine.documents.links(row.id), row)
        try:
            await asyncio.to_thread(_write, path, text, document.url)
        except FileAccessError as error:
            if len(found) == 1:
                raise
            failures.append(ExportFailure(document.url, error.code.value, error.message, error.hint))
        else:
            written.append(str(path))
        failed = f", {len(failures)} failed" if failures else ""
        await progress("export", f"Exported {number} of {len(found)} documents{failed}")
    return Exported(tuple(written), tuple(failures))


async def _found(engine: Engine, source: str) -> list[DocumentSummary]:
    """Return the document with exactly this address, unless it ends in a slash. Otherwise those below it, or the one with this alias.

    For `collection:NAME` or `tag:NAME`, return the documents with that label. Raises UnknownLabelError.
    """
    is_label = label_named(source) is not None
    rows: list[DocumentSummary] = []
    offset = 0
    while len(rows) < MAX_EXPORTED_DOCUMENTS:
        text, label = ("", source) if is_label else (source, "")
        page = await engine.documents.find(text, label=label, limit=PAGE_ROWS, offset=offset)
        rows += [row for row in page if is_label or row.url.startswith(source)]
        if len(page) < PAGE_ROWS:
            break
        offset += PAGE_ROWS
    if exact := [row for row in rows if row.url == source and not source.endswith("/")]:
        return exact
    if not rows and not is_label:
        with contextlib.suppress(InvalidURLError):
            rows = list((await engine.status(source, limit=1)).documents)
    return sorted(rows, key=lambda row: row.url)


def _names(rows: list[DocumentSummary]) -> list[Path]:
    """Return a file name for each document, with folders as in its address. Duplicates get a part of the address hash."""
    names: list[Path] = []
    taken: set[str] = set()
    for row in rows:
        path = _name(row.url)
        if str(path).casefold() in taken:
            mark = hashlib.sha256(row.url.encode()).hexdigest()[:8]
            path = path.with_name(f"{path.stem}-{mark}.md")
        taken.add(str(path).casefold())
        names.append(path)
    return names


def _name(url: str) -> Path:
    parts = urlsplit(url)
    path = unquote(parts.path)
    steps = [part for part in path.split("/") if part] or ["index"]
    if path.endswith("/") and path != "/":
        steps.append("index")
    stem = re.sub(r"\.(html?|mdx?|markdown|xhtml|php|aspx?|txt)$", "", steps[-1], flags=re.IGNORECASE)
    if parts.query:
        stem = f"{stem}-{parts.query}"
    return Path(*(_usable(step) for step in [parts.netloc or parts.scheme, *steps[:-1]]), f"{_usable(stem)}.md")


def _usable(step: str) -> str:
    """Return the step as a file name that is valid on every system."""
    name = _UNUSABLE.sub("-", step).strip(".-")[:MAX_NAME_CHARS] or "page"
    return f"{name}-" if _RESERVED.fullmatch(name.split(".")[0]) else name


def _write(path: Path, text: str, url: str) -> None:
    """Write the whole file atomically; never replace a file with other content."""
    try:
        if path.exists():
            with path.open(encoding="utf-8", errors="replace") as stream:
                beginning = stream.read(2 * caps.MAX_URL_CHARS + caps.MAX_TITLE_CHARS)
            if f"source: {json.dumps(url, ensure_ascii=False)}\n" not in beginning:
                raise FileAccessError(
                    sentence("{} already exists with other content.", path), hint="Choose an empty folder."
                )
        replace_file(path, text.encode("utf-8", "replace"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FileAccessError(
            sentence("WebRAG cannot write {}: {}.", path, reason), hint="Choose another location."
        ) from error
