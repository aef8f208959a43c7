"""Find, list, read and export pages of all documentation folders. Blocking: call it from worker threads."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app import caps
from app.corpus import Corpus
from app.corpus.docsets import DocPage, DocPageHead, Docset
from app.corpus.unread_files import UnreadFiles
from app.docsets import pages as trees
from app.docsets.indexing import IndexUpdater, Source
from app.docsets.search import Closeness, Searcher
from app.embed.embedder import Embedder
from app.errors import FileAccessError, InvalidArgumentError
from app.library.packages import SymbolsFound, UnknownPackageError, name_of
from app.library.scope import asks_about_changes
from app.paths import replace_file
from app.text.sentence import joined, listing, sentence

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DocOptions:
    """The default number of `results` (a larger setting is the maximum), the length of a snippet, and whether to `rebuild` once."""

    results: int
    snippet_chars: int
    rebuild: bool = False


class Docs:
    """Folders of documentation as trees of pages. `guide` is the bundled one, `check_folder` rejects folders that must not be read, and
    `unread` are files to skip until they change.
    """

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder | None,
        closeness: Closeness,
        guide: Source,
        check_folder: Callable[[Path], None],
        options: DocOptions,
        unread: UnreadFiles | None = None,
    ) -> None:
        self._index = corpus.docsets
        self._documents = corpus.documents
        self._files = corpus.folders
        self._packages = corpus.packages
        self._searcher = Searcher(corpus, embedder, closeness, options.snippet_chars)
        self._guide = guide
        self._check_folder = check_folder
        self._unread = unread or UnreadFiles()
        self._options = options
        self._updaters: dict[int, IndexUpdater] = {}
        self._folders: dict[int, trees.DocFolder] = {}
        self._lock = threading.Lock()

    def search(self, query: str, limit: int | None = None, library: str = "") -> trees.DocSearch:
        """Return the best pages for a question; at most `limit`, and never more than the setting.

        `library` restricts it to a folder, or to a package in one version (`flask@3.1.3`). Otherwise the pages of each package are of one
        version. Raises UnknownPackageError.
        """
        if len(query) > caps.MAX_DOC_QUERY_CHARS or not query.strip():
            message = sentence("The query must have 1 to {} characters.", caps.MAX_DOC_QUERY_CHARS)
            raise InvalidArgumentError(message, hint="Use a shorter question or a few keywords.")
        started = time.perf_counter()
        folders, troubles = self._current()
        most = self._options.results
        highest = caps.MAX_DOC_RESULTS if most == caps.DEFAULT_DOC_RESULTS else most
        count = most if limit is None else min(limit, highest)
        folders = self._searched(folders, query, library)
        found = self._searcher.search(query, folders, count)
        log.info("%d of %d pages found, %.0f ms", len(found.hits), found.pages, 1000 * (time.perf_counter() - started))
        capped = highest if limit is not None and limit > highest else None
        notes = [*troubles.values(), *([] if found.hits else _left_out(folders))]
        return replace(found, capped_at=capped, notes=(*found.notes, *notes))

    def symbol(self, name: str, library: str = "") -> SymbolsFound:
        """Return what the name of a symbol means in a package, otherwise in one version of each. Raises UnknownPackageError."""
        if not library:
            return self._packages.find_symbols(name)
        number, package = self._packages.find(name_of(library))
        if package in self._packages.without_symbols():
            raise UnknownPackageError(
                sentence("The library does not contain symbols of {}.", package.shown),
                hint=sentence("Read them from the installed copy: {}.", f"webrag packages add {package}"),
            )
        return self._packages.find_symbols(name, number)

    def _searched(self, folders: Sequence[trees.DocFolder], query: str, library: str) -> list[trees.DocFolder]:
        """Return the folders that a search covers, without release notes unless the question is about changes."""
        named = [each for each in folders if each.docset.name.casefold() == library.strip().casefold()]
        if not library:
            covered = [each for each in folders if each.docset.is_current]
        elif named and not named[0].docset.package_id:
            covered = named
        else:
            number, package = self._packages.find(name_of(library))
            covered = [each for each in folders if each.docset.package_id == number]
            if not covered:
                command = f"webrag packages add {package}"
                hint = sentence("Wait until WebRAG has read it, or read it again: {}.", command)
                message = sentence("The documentation of {} is not complete.", package.shown)
                raise UnknownPackageError(message, hint=hint)
        return covered if asks_about_changes(query) else [each.without_changes for each in covered]

    def page(self, name: str, wanted: Sequence[str] | None, fits: trees.Fits) -> trees.DocText:
        """Return a page or some of its sections, as far as they fit. Raises DocsError."""
        folders, troubles = self._current()
        folder, head = trees.find_page(name, folders)
        if (page := self._index.page(folder.docset.id, head.path)) is None:
            raise trees.DocsError(sentence("The page {} has just been removed.", head.path), path=head.path)
        names, number = trees.wish_of(wanted)
        notes = tuple(filter(None, [troubles.get(folder.docset.id)]))
        text = replace(_text(page, names, number, fits), name=trees.page_name(folder, head.path, folders), notes=notes)
        _, document_id = self._index.places([page.head.id]).get(page.head.id, ("", 0))
        document = self._documents.by_id(document_id) if document_id else None
        if document is None:
            return text
        # Where the text is in the stored document: the requested sections, otherwise the whole page.
        ranges = [(0, len(document.text))] if not names and number == 1 else []
        if names:
            lines = [first for first, _ in trees.chosen(page, names)]
            named = {section.heading for section in page.head.sections if section.first_line in lines}
            ranges = [(section.start, section.end) for section in document.sections if section.heading in named]
        return replace(text, title=document.title, document_id=document.id, ranges=tuple(ranges))

    def pages(self, category: str | None = None) -> trees.DocList:
        """Return all pages, or only the pages in a category, a folder, or a part of its tree. Raises DocsError for an unknown one."""
        folders, troubles = self._current()
        own = [(folder, page.head) for folder in folders for page in folder.listed]
        # Categories in the order of their pages, each once, then the folders if there are several.
        found = [head.category for _, head in own if head.category]
        known = tuple(dict.fromkeys([*found, *(each.docset.name for each in folders if len(folders) > 1)]))
        listed = own if category is None else [each for each in own if _belongs(*each, category)]
        if category is not None and not listed:
            message = sentence("There is no category {}.", repr(category))
            raise trees.DocsError(message, what="Categories", choices=known, hint="")
        names = tuple(trees.page_name(folder, head.path, folders) for folder, head in listed)
        return trees.DocList(names, known, (*troubles.values(), *_left_out(folders)))

    def export(self, name: str, target: Path) -> Path:
        """Write the index of one folder as JSON. Raises DocsError for an unknown name, FileAccessError if it cannot be written."""
        folders, _ = self._current()
        folder = next((each for each in folders if each.docset.name.casefold() == name.strip().casefold()), None)
        if folder is None:
            names = tuple(each.docset.name for each in folders)
            message = sentence("There is no folder named {}.", name)
            hint = sentence("Use one of these names: {}.", listing(names))
            raise trees.DocsError(message, what="Folders", choices=names, hint=hint)
        root = folder.docset.root or str(self._guide.root)
        return written(target, index_json(folder.docset, root, self._index.pages(folder.docset.id)))

    def start(self) -> None:
        """Start to update all indexes before the first request."""
        for docset, updater in self._updaters_of(self._index.all()):
            updater.begin_refresh(docset)

    def stop(self) -> None:
        """Let running scans end; call it before the corpus is closed."""
        for updater in self._updaters.values():
            updater.stop()

    def _current(self) -> tuple[list[trees.DocFolder], dict[int, str]]:
        """Return the current pages of all folders, and notes on folders that could not be scanned, by index."""
        updaters = self._updaters_of(self._index.all())
        answered = {each.id: updater.refresh(each) for each, updater in updaters}
        fresh = {each.id: each for each in self._index.all()}
        troubles = {
            each.id: _trouble(fresh[each.id], updater, answered[each.id])
            for each, updater in updaters
            if each.id in fresh
        }
        for docset in (docset for docset in fresh.values() if docset.version):
            known_folder = self._folders.get(docset.id)
            if known_folder is None or known_folder.docset != docset:
                self._folders[docset.id] = trees.folder_of(docset, self._index.heads(docset.id))
        folders = [self._folders[docset.id] for docset in fresh.values() if docset.version]
        return folders, {docset: trouble for docset, trouble in troubles.items() if trouble}

    def _updaters_of(self, known: Iterable[Docset]) -> list[tuple[Docset, IndexUpdater]]:
        with self._lock:
            # The pages of a package never change.
            known = [docset for docset in known if not docset.package_id]
            for docset in known:
                if docset.id not in self._updaters:
                    source = self._source(docset) if docset.root else self._guide
                    self._updaters[docset.id] = IndexUpdater(self._index, source, rebuild=self._options.rebuild)
            return [(docset, self._updaters[docset.id]) for docset in known]

    def _source(self, docset: Docset) -> Source:
        root = Path(docset.root)
        source = Source(root, lambda path: (root / path).as_uri(), self._check_folder, self._unread)
        return replace(source, text_of=self._files.text_of)


def _text(page: DocPage, names: tuple[str, ...], number: int, fits: trees.Fits) -> trees.DocText:
    """Return a part of the named sections, or of the page, and what follows it."""
    text = trees.text_of(page.content, trees.chosen(page, names)) if names else page.content
    part = trees.part_of(text, number, fits)
    following: tuple[str, ...] = ()
    if not part.is_last and not names:
        line = text.count("\n", 0, part.end) + 1
        rest = [each for each in page.head.sections if each.first_line >= line]
        highest = min((each.level for each in rest), default=0)
        following = tuple(dict.fromkeys(each.heading for each in rest if each.level == highest))
    return trees.DocText(page.head.path, page.url, part.text, names, None if part.is_last else number + 1, following)


def _belongs(folder: trees.DocFolder, head: DocPageHead, category: str) -> bool:
    """Whether a page is in a category: a sidebar group, a folder name, or a part of its tree."""
    wanted, name = category.strip().strip("/").casefold(), folder.docset.name.casefold()
    path = head.path.casefold()
    below = (f"{wanted}/", f"{wanted.removeprefix(f'{name}/')}/")
    return wanted in (name, head.category.casefold()) or path.startswith(below)


def _trouble(docset: Docset, updater: IndexUpdater, has_answered: bool) -> str:
    """Return a note on a folder that cannot be scanned now; empty if it can."""
    if not has_answered:
        problem: str = sentence("The folder {} does not respond.", docset.name)
    elif updater.problem:
        problem = sentence("Folder {}: {}", docset.name, updater.problem)
    else:
        return ""
    if docset.version:
        return joined([problem, sentence("Its pages are as they were when WebRAG last read it.")])
    return joined([problem, sentence("Its pages are not known yet.")])


def _left_out(folders: Sequence[trees.DocFolder]) -> list[str]:
    """Return notes on skipped files that look like pages, by folder."""
    return [sentence("Folder {}: {}", each.docset.name, each.docset.note) for each in folders if each.docset.note]


def index_json(docset: Docset, root: str, pages: Sequence[DocPage]) -> str:
    """Return version, time, folder, and each page by its path with content and sections."""
    content = {
        "version": docset.version,
        "built_at": datetime.fromtimestamp(docset.built_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "docs_root": root,
        "docs_count": len(pages),
        "index": {page.head.path: _entry(page) for page in pages},
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def written(target: Path, text: str) -> Path:
    """Write the file atomically; a file that is not an index is not overwritten. Raises FileAccessError."""
    try:
        if target.exists():
            with target.open(encoding="utf-8", errors="replace") as stream:
                is_index = stream.read(30).lstrip().startswith('{\n "version"')
            if not is_index:
                message = sentence("{} already exists and is not an index.", target)
                raise FileAccessError(message, hint="Choose another file name.")
        replace_file(target, text)
    except OSError as error:
        message = sentence("{} cannot be written ({}).", target, error.strerror or type(error).__name__)
        raise FileAccessError(message, hint="Choose another location.") from error
    return target


def _entry(page: DocPage) -> dict[str, Any]:
    lines = page.content.split("\n")
    return {
        "path": page.head.path,
        "title": page.head.title,
        "content": page.content,
        "sections": [
            {
                "heading": section.heading,
                "level": section.level,
                "content": "\n".join(lines[section.first_line - 1 : section.last_line]),
                "line_start": section.first_line,
                "line_end": section.last_line,
            }
            for section in page.head.sections
        ],
        "category": page.head.category,
        "mtime": page.stamp.mtime_ns / 1e9,
        "size": page.stamp.bytes,
        "word_count": page.head.words,
    }
