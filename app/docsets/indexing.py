"""Keep the index of a folder up to date with its files, without waiting for a disk that does not respond.

`walk` decides which files in the folder are pages, and follows nothing that leads outside it. Of formats other than Markdown, the pages
are the texts that extraction stored.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

from app import caps
from app.containment import contained, is_skipped, open_plain
from app.corpus.docsets import DocChanges, DocPageIn, Docset, DocsetStore, DocStamp
from app.corpus.unread_files import NOTED_BYTES, UnreadFiles
from app.docsets.outline import category_of, is_sidebar, outline, sidebar_groups
from app.durations import ms_since
from app.errors import FileAccessError, WebRAGError
from app.extract.characters import decode
from app.extract.plain import looks_binary
from app.text.media_types import ASCIIDOC, RESTRUCTURED
from app.text.scripts import indexed_beside
from app.text.sentence import joined, sentence
from app.text.terms import split_identifiers

log = logging.getLogger(__name__)

DOC_PAGES_AT_ONCE: Final = 200  # The number of pages to write to the index in one transaction.
DOC_LOOK_SECONDS: Final = 1.0
"""The minimum interval between scans of a folder, which may also take only a share of the time."""
DOC_LOOK_SHARE: Final = 0.05
DOC_ANSWER_SECONDS: Final = 5.0  # A folder whose disk does not respond for this long counts as unavailable.
DOC_STOP_SECONDS: Final = 2.0  # The time that stopping waits for the running scan, which ends after the current file.
DOC_BUILD_SECONDS: Final = 40.0  # The time that a call waits for the first scan of a folder.
MAX_UNREAD_NAMED: Final = 3
VERSION: Final = "1.0"  # The version of the stored page data. An index with another version is rebuilt.
Stored = Mapping[str, tuple[DocStamp, str]]
Attempts = dict[str, tuple[int, int]]
"""Unreadable files with time and size, so that they are not tried again until they change."""


class IndexUpdater:
    """Keeps the index of one folder in sync with its files.

    Each scan runs in its own thread, because a dead network share can block it forever. Scans are at least DOC_LOOK_SECONDS apart and
    take at most DOC_LOOK_SHARE of the time. After a scan that found changes, the pause is as long as the scan, so that a new folder is
    scanned again within minutes. `problem` is the reason why the last scan failed, or empty.
    """

    def __init__(self, index: DocsetStore, source: Source, *, rebuild: bool) -> None:
        self._index = index
        self._source = source
        self._rebuild = rebuild
        self._attempts: Attempts = {}
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._done.set()
        self._next_look = 0.0
        self._is_slow = False
        self.problem = ""

    def refresh(self, docset: Docset) -> bool:
        """Scan the folder if it is due. Return False if that takes too long; after a slow scan, the next one is not waited for."""
        self.begin_refresh(docset)
        patience = DOC_ANSWER_SECONDS if docset.version else DOC_BUILD_SECONDS
        self._is_slow = not self._done.wait(0 if self._is_slow else patience)
        return not self._is_slow

    def begin_refresh(self, docset: Docset) -> None:
        """Start a scan if it is due, without waiting for it."""
        with self._lock:
            if self._done.is_set() and time.monotonic() >= self._next_look:
                self._done.clear()
                thread = threading.Thread(target=self._run, args=(docset,), name="documentation folder", daemon=True)
                thread.start()

    def stop(self) -> None:
        """Start no more scans, and wait briefly for the running one, so that it ends before the corpus is closed."""
        with self._lock:
            self._next_look = math.inf
        self._source.stopping.set()
        self._done.wait(DOC_STOP_SECONDS)

    def _run(self, docset: Docset) -> None:
        started, share = time.monotonic(), DOC_LOOK_SHARE
        try:
            has_changed = bring_up_to_date(self._index, docset, self._source, self._attempts, anew=self._rebuild)
            self._rebuild, self.problem = False, ""
            share = max(share, 1.0) if has_changed else share
        except FileAccessError as error:
            self.problem = error.message
        except WebRAGError as error:
            log.warning("a documentation folder was not read: %s", error)
            self.problem = error.message
        except Exception:
            log.exception("reading a documentation folder failed")
            self.problem = sentence("The files could not be read.")
        finally:
            took = time.monotonic() - started
            pause = max(DOC_LOOK_SECONDS, took / share)
            with self._lock:
                self._next_look = max(self._next_look, time.monotonic() + pause)
            self._done.set()


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of pages: its location, and the address under which each of its files is stored.

    `check` raises FileAccessError for a folder that must not be read. `unread` are files to skip until they change. A scan stops before
    its next file once `stopping` is set. `text_of` returns the stored text for the address and stamp of a file; None if that
    version is not stored yet.
    """

    root: Path
    url_of: Callable[[str], str]
    check: Callable[[Path], None] = lambda _: None
    unread: UnreadFiles = field(default_factory=UnreadFiles)
    stopping: threading.Event = field(default_factory=threading.Event)
    text_of: Callable[[str, tuple[int, int]], str | None] = lambda *_: None

    @contextlib.contextmanager
    def reading(self, path: str, stamp: tuple[int, int]) -> Iterator[None]:
        """Record that a file is being read, so that the next start can identify a file that crashed the program."""
        if stamp[1] < NOTED_BYTES:
            yield
            return
        self.unread.begin(self.url_of(path), stamp)
        try:
            yield
        finally:
            self.unread.end(self.url_of(path), stamp)


def bring_up_to_date(index: DocsetStore, docset: Docset, source: Source, attempts: Attempts, *, anew: bool) -> bool:
    """Index changes in the folder and return whether there were any. Reads only files whose time or size changed.

    `anew` reads all files. Raises FileAccessError if the folder is unavailable, or empty although pages are known.
    """
    started = time.perf_counter()
    source.check(source.root)
    met = walk(source.root)
    stored: Stored = index.stamps(docset.id)
    if met.is_empty and stored:
        raise FileAccessError(
            sentence("The folder {} is empty.", source.root),
            hint="If it is on another disk, connect the disk. WebRAG keeps the pages until the files are back.",
        )
    if stored and (anew or docset.version != VERSION):
        index.update(docset.id, VERSION, DocChanges(removed=tuple(stored)))
        stored = {}
        attempts.clear()
    source.unread.forget_others(f"{source.root.as_uri()}/", {source.url_of(path) for path in met.files})
    unread = {path for path, stamp in met.files.items() if source.unread.why_not(source.url_of(path), stamp)}
    as_stored = {path: (stamp.mtime_ns, stamp.bytes) for path, (stamp, _) in stored.items()}
    changed = [
        path
        for path, stamp in met.files.items()
        if path not in unread and stamp != as_stored.get(path) and stamp != attempts.get(path)
    ]
    missing = (path for path in stored if path not in met.files and not path.startswith(tuple(met.unread)))
    gone = tuple(path for path in missing if not met.is_cut or not os.path.lexists(source.root / path))
    written = _take_up(index, docset, source, _Changed(changed, gone, met, stored, attempts, sorted(unread)))
    if written:
        log.info("documentation pages: %d read, %d gone, %.0f ms", len(changed), len(gone), ms_since(started))
    return written


@dataclass(frozen=True, slots=True)
class _Changed:
    paths: list[str]
    gone: tuple[str, ...]
    met: Walk
    stored: Stored
    attempts: Attempts
    unread: list[str]


def _take_up(index: DocsetStore, docset: Docset, source: Source, changed: _Changed) -> bool:
    """Write the changes in batches. The sidebar is read first, because it groups all other pages."""
    groups = _groups(index, docset, source, changed)
    note = _note(changed.met, changed.unread)
    kept = [(path, category) for path, (_, category) in changed.stored.items() if path not in changed.gone]
    moved = tuple((path, now) for path, known in kept if (now := category_of(path, groups)) != known)
    first = DocChanges(removed=changed.gone, categories=moved, note=note)
    is_written = False
    for part in _parts(source, changed, groups):
        index.update(docset.id, VERSION, replace(part, removed=first.removed, categories=first.categories, note=note))
        first, is_written = DocChanges(note=note), True
    if not is_written and (first.removed or first.categories or note != docset.note or docset.version != VERSION):
        return index.update(docset.id, VERSION, first)
    return is_written


def _parts(source: Source, changed: _Changed, groups: Mapping[str, str]) -> Iterator[DocChanges]:
    for start in range(0, len(changed.paths), DOC_PAGES_AT_ONCE):
        pages: list[DocPageIn] = []
        stamps: list[tuple[str, DocStamp]] = []
        for path in changed.paths[start : start + DOC_PAGES_AT_ONCE]:
            if source.stopping.is_set():
                break
            is_markdown = path.lower().endswith(SUFFIXES)
            text = None if is_markdown else source.text_of(source.url_of(path), changed.met.files[path])
            if text is None and not is_markdown:
                continue
            body = _read(source.root, path) if text is None else text.encode()
            if body is None:
                changed.attempts[path] = changed.met.files[path]
                continue
            stamp = DocStamp(*changed.met.files[path], blake2b(body, digest_size=16).hexdigest())
            known = changed.stored.get(path)
            if known is not None and known[0].hash == stamp.hash:
                stamps.append((path, stamp))
            else:
                with source.reading(path, changed.met.files[path]):
                    pages.append(page_in(path, source.url_of(path), category_of(path, groups), _text(body), stamp))
        if pages or stamps:
            yield DocChanges(pages=tuple(pages), stamps=tuple(stamps))


def page_in(path: str, url: str, category: str, content: str, stamp: DocStamp) -> DocPageIn:
    """Return the page to store for a Markdown text."""
    found = outline(content, path)
    return DocPageIn(
        path=path,
        url=url,
        title=found.title,
        category=category,
        content=content,
        sections=found.sections,
        identifiers=indexed_beside(split_identifiers(content), content),
        words=len(content.split()),
        stamp=stamp,
    )


def _groups(index: DocsetStore, docset: Docset, source: Source, changed: _Changed) -> dict[str, str]:
    """Return the sidebar's group for each page, or nothing without a sidebar."""
    sidebar = next((path for path in changed.met.files if is_sidebar(path)), None)
    if sidebar is None:
        return {}
    if sidebar in changed.paths:
        body = _read(source.root, sidebar)
        with source.reading(sidebar, changed.met.files[sidebar]):
            return sidebar_groups(_text(body)) if body is not None else {}
    page = index.page(docset.id, sidebar)
    return sidebar_groups(page.content) if page is not None else {}


def _read(root: Path, path: str) -> bytes | None:
    """Return the content of a page, or None if it cannot be read or is not text."""
    try:
        body = read_page(root, path)
    except FileAccessError as error:
        log.info("a documentation page was not read: %s", type(error).__name__)
        return None
    return None if looks_binary(body) else body


def _text(body: bytes) -> str:
    """Return the file's text in a form that can be stored."""
    return decode(body, "utf-8", is_markup=False).encode("utf-8", "replace").decode("utf-8")


def _note(met: Walk, unread: list[str]) -> str:
    parts = []
    if unread:
        count, named = _files(len(unread)), ", ".join(unread[:MAX_UNREAD_NAMED])
        parts.append(sentence("Skipped until changed, because WebRAG crashed while reading: {} ({}).", count, named))
    if met.is_cut:
        limit, depth = f"{caps.MAX_DOC_PAGES:,}", caps.MAX_FOLDER_DEPTH
        parts.append(sentence("Only the first {} files, up to {} folders deep, are pages.", limit, depth))
    if met.too_large:
        most = caps.MAX_DOC_PAGE_BYTES // caps.MIB
        parts.append(sentence("Skipped because they are larger than {} MiB: {}.", most, _files(met.too_large)))
    if met.unnamed:
        parts.append(sentence("Skipped because their names are not valid text: {}.", _files(met.unnamed)))
    if met.unread:
        parts.append(sentence("Subfolders that cannot be opened: {}.", f"{len(met.unread):,}"))
    return joined(parts)


def _files(number: int) -> str:
    return sentence("1 file") if number == 1 else sentence("{} files", f"{number:,}")


# --- Files of a folder ---

MAX_DOCSET_BYTES: Final = 256 * caps.MIB
SUFFIXES: Final = (".md", ".markdown", ".mdx")
STORED_SUFFIXES: Final = (*RESTRUCTURED.suffixes, *ASCIIDOC.suffixes)
"""Other formats of documentation, whose pages are the texts that extraction stored."""


@dataclass(slots=True)
class Walk:
    """Files by their path relative to the folder, each with its modification time in nanoseconds and its size.

    `too_large` counts files over the limit, `unnamed` files whose name is not text, `unread` folders that cannot be listed. `is_cut`: the
    folder contains more or deeper files. `is_empty`: the folder is completely empty.
    """

    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    bytes: int = 0
    too_large: int = 0
    unnamed: int = 0
    unread: list[str] = field(default_factory=list)
    is_cut: bool = False
    is_empty: bool = True


_FOLDER_HINT: Final = "Check that its disk is connected and that you have permission to read it."


def walk(root: Path) -> Walk:
    """Return the pages of a folder in order of their names, without links and hidden files. Raises FileAccessError."""
    found = Walk()
    try:
        is_itself = root.resolve() == root and root.is_dir()
    except (OSError, RuntimeError) as error:
        raise FileAccessError(sentence("The folder {} cannot be read.", root), hint=_FOLDER_HINT) from error
    if is_itself:
        _descend(root, "", 0, found)
    if not is_itself or "" in found.unread:
        raise FileAccessError(sentence("The folder {} cannot be read.", root), hint=_FOLDER_HINT)
    return found


_FILE_HINT: Final = "Restore the file or grant read access. WebRAG checks it again automatically."


def read_page(root: Path, path: str) -> bytes:
    """Return the content of a file found by the walk. Raises FileAccessError if it is no longer a regular file in the folder."""
    if contained(root, path, is_listed=True) != root / path:
        raise FileAccessError(sentence("{} is no longer a regular file in this folder.", path), hint=_FILE_HINT)
    try:
        with os.fdopen(open_plain(root / path), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileAccessError(sentence("{} is not a regular file.", path), hint=_FILE_HINT)
            return file.read(caps.MAX_DOC_PAGE_BYTES)
    except (OSError, ValueError) as error:
        raise FileAccessError(sentence("{} cannot be read.", path), hint=_FILE_HINT) from error


def _descend(folder: Path, prefix: str, depth: int, found: Walk) -> None:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        found.unread.append(prefix)
        return
    for entry in entries:
        found.is_empty = False
        if is_skipped(entry.name):
            continue
        if len(found.files) >= caps.MAX_DOC_PAGES or found.bytes >= MAX_DOCSET_BYTES:
            found.is_cut = True
            return
        try:
            _take(entry, f"{prefix}{entry.name}", depth, found)
        except OSError:
            found.unread.append(f"{prefix}{entry.name}")


def _take(entry: os.DirEntry[str], path: str, depth: int, found: Walk) -> None:
    if entry.is_dir(follow_symlinks=False):
        # A Windows junction reports itself as a folder, but leads elsewhere.
        is_plain = os.name == "posix" or Path(entry.path).resolve() == Path(entry.path)
        if is_plain and depth < caps.MAX_FOLDER_DEPTH:
            _descend(Path(entry.path), f"{path}/", depth + 1, found)
        found.is_cut = found.is_cut or depth >= caps.MAX_FOLDER_DEPTH
    elif entry.name.lower().endswith((*SUFFIXES, *STORED_SUFFIXES)) and entry.is_file(follow_symlinks=False):
        status = entry.stat(follow_symlinks=False)
        # File names on Linux may be any bytes.
        if path != path.encode("utf-8", "replace").decode("utf-8"):
            found.unnamed += 1
        elif status.st_size > caps.MAX_DOC_PAGE_BYTES:
            found.too_large += 1
        else:
            found.files[path] = (status.st_mtime_ns, status.st_size)
            found.bytes += status.st_size
