"""The documentation tools' side of the program: pages of all folders, found, listed and read. Blocking: for worker threads."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app import caps
from app.corpus import Corpus
from app.corpus.doc_records import DocPage, DocPageHead, Docset
from app.docsets import sections
from app.docsets.build import Source
from app.docsets.export import index_json, written
from app.docsets.keeper import Keeper
from app.docsets.meaning import Closeness
from app.docsets.names import find_page, page_name
from app.docsets.records import DocHit, DocList, DocSearch, DocsError, DocText
from app.docsets.search import Searcher
from app.docsets.shelf import Shelf, shelf_of
from app.embed.embedder import Embedder
from app.errors import InvalidArgumentError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DocOptions:
    """`results` is how many pages a search returns that names no limit, and the most of any search where it is not the default;
    `snippet_chars` is the length of a snippet.

    With `rebuild` every index is built anew once.
    """

    results: int
    snippet_chars: int
    rebuild: bool = False


class Docs:
    """Folders of Markdown files as trees of pages. `guide` is the bundled one; `check_folder` refuses folders that are not to be read."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder | None,
        closeness: Closeness,
        guide: Source,
        check_folder: Callable[[Path], None],
        options: DocOptions,
    ) -> None:
        self._index = corpus.docs
        self._searcher = Searcher(corpus, embedder, closeness, options.snippet_chars)
        self._guide = guide
        self._check_folder = check_folder
        self._options = options
        self._keepers: dict[int, Keeper] = {}
        self._shelves: dict[int, Shelf] = {}
        self._lock = threading.Lock()

    def search(self, query: str, limit: int | None = None) -> DocSearch:
        """Pages for a question, best first; at most `limit`, and never more than the setting."""
        if len(query) > caps.MAX_DOC_QUERY_CHARS or not query.strip():
            raise InvalidArgumentError(f"A query has 1 to {caps.MAX_DOC_QUERY_CHARS} characters.")
        started = time.perf_counter()
        shelves, troubles = self._current()
        most = self._options.results
        highest = caps.MAX_DOC_RESULTS if most == caps.DEFAULT_DOC_RESULTS else most
        count = most if limit is None else min(limit, highest)
        found = self._searcher.search(query, shelves, count)
        log.info("%d of %d pages found, %.0f ms", len(found.hits), found.pages, 1000 * (time.perf_counter() - started))
        hits = tuple(
            DocHit(page_name(hit.shelf, hit.head.path, shelves), hit.head.title, hit.score, hit.snippet)
            for hit in found.hits
        )
        capped = highest if limit is not None and limit > highest else None
        notes = [*troubles.values(), *([] if hits else _left_out(shelves))]
        return DocSearch(hits, found.matched, found.pages, capped, (*found.notes, *notes))

    def page(self, name: str, wanted: Sequence[str] | None, fits: sections.Fits) -> DocText:
        """A page or some of its sections, as far as they fit. Raises DocsError."""
        shelves, troubles = self._current()
        shelf, head = find_page(name, shelves)
        page = self._index.page(shelf.docset.id, head.path)
        if page is None:
            raise DocsError(f"The page {head.path} was removed just now.", path=head.path)
        return _text(
            page,
            page_name(shelf, head.path, shelves),
            sections.wish_of(wanted),
            fits,
            tuple(filter(None, [troubles.get(shelf.docset.id)])),
        )

    def pages(self, category: str | None = None) -> DocList:
        """All pages, or those of a category, a folder, or a part of its tree. Raises DocsError for one that is not there."""
        shelves, troubles = self._current()
        own = [(shelf, page.head) for shelf in shelves for page in shelf.listed]
        known = _categories(shelves)
        chosen = own if category is None else [each for each in own if _belongs(*each, category)]
        if category is not None and not chosen:
            raise DocsError(f"There is no category {category!r}.", what="Categories", choices=known, hint="")
        names = tuple(page_name(shelf, head.path, shelves) for shelf, head in chosen)
        return DocList(names, known, (*troubles.values(), *_left_out(shelves)))

    def export(self, name: str, target: Path) -> Path:
        """Write the index of one folder as JSON. Raises DocsError for an unknown name, FileAccessError where it cannot be written."""
        shelves, _ = self._current()
        shelf = next((each for each in shelves if each.docset.name.casefold() == name.strip().casefold()), None)
        if shelf is None:
            names = tuple(each.docset.name for each in shelves)
            raise DocsError(f"There is no folder named {name}.", what="Folders", choices=names, hint="")
        root = shelf.docset.root or str(self._guide.root)
        return written(target, index_json(shelf.docset, root, self._index.pages(shelf.docset.id)))

    def start(self) -> None:
        """Begin to bring all indexes up to date before anybody asks."""
        for docset, keeper in self._kept(self._index.docsets()):
            keeper.begin(docset)

    def stop(self) -> None:
        """Let looks in hand end; call it before the corpus is closed."""
        for keeper in self._keepers.values():
            keeper.stop()

    def _current(self) -> tuple[list[Shelf], dict[int, str]]:
        """The pages of all folders as they are now, and by their index what is to be said of folders that could not be looked at."""
        known = self._index.docsets()
        keepers = self._kept(known)
        answered = {each.id: keeper.look(each) for each, keeper in keepers}
        fresh = {each.id: each for each in self._index.docsets()}
        troubles = {
            each.id: _trouble(fresh[each.id], keeper, answered[each.id]) for each, keeper in keepers if each.id in fresh
        }
        shelves = [self._shelf(docset) for docset in fresh.values() if docset.version]
        return shelves, {docset: trouble for docset, trouble in troubles.items() if trouble}

    def _kept(self, known: Iterable[Docset]) -> list[tuple[Docset, Keeper]]:
        with self._lock:
            for docset in known:
                if docset.id not in self._keepers:
                    self._keepers[docset.id] = self._keeper(docset)
            return [(docset, self._keepers[docset.id]) for docset in known]

    def _keeper(self, docset: Docset) -> Keeper:
        if not docset.root:
            return Keeper(self._index, self._guide, rebuild=self._options.rebuild)
        root = Path(docset.root)
        source = Source(root, lambda path: (root / path).as_uri(), self._check_folder)
        return Keeper(self._index, source, rebuild=self._options.rebuild)

    def _shelf(self, docset: Docset) -> Shelf:
        known = self._shelves.get(docset.id)
        if known is None or known.docset != docset:
            heads = self._index.heads(docset.id)
            known = self._shelves[docset.id] = shelf_of(docset, heads)
        return known


def _text(page: DocPage, name: str, wish: sections.Wish, fits: sections.Fits, notes: tuple[str, ...]) -> DocText:
    """What is asked of a page, its part that was asked for, and how to go on."""
    text = page.content
    if wish.sections:
        text = sections.text_of(text, sections.chosen(page, wish.sections))
    part = sections.part_of(text, wish.part, fits)
    following: tuple[str, ...] = ()
    if not part.is_last and not wish.sections:
        line = text.count("\n", 0, part.end) + 1
        rest = [each for each in page.head.sections if each.first_line >= line]
        highest = min((each.level for each in rest), default=0)
        following = tuple(dict.fromkeys(each.heading for each in rest if each.level == highest))
    return DocText(name, page.url, part.text, wish.sections, None if part.is_last else wish.part + 1, following, notes)


def _belongs(shelf: Shelf, head: DocPageHead, category: str) -> bool:
    """Whether a page is in a category: one of the sidebar, a folder by its name, or a part of its tree."""
    wanted, name = category.strip().strip("/").casefold(), shelf.docset.name.casefold()
    path = head.path.casefold()
    below = (f"{wanted}/", f"{wanted.removeprefix(f'{name}/')}/")
    return wanted in (name, head.category.casefold()) or path.startswith(below)


def _categories(shelves: Sequence[Shelf]) -> tuple[str, ...]:
    """The categories in the order in which their pages are listed, each once; then the folders where there are several."""
    found = [page.head.category for shelf in shelves for page in shelf.listed if page.head.category]
    names = [shelf.docset.name for shelf in shelves] if len(shelves) > 1 else []
    return tuple(dict.fromkeys([*found, *names]))


def _trouble(docset: Docset, keeper: Keeper, has_answered: bool) -> str:
    """What a reader must know about a folder that could not be looked at now; empty for one that could."""
    known = "its pages are as they were when it was last read" if docset.version else "none of its pages are known yet"
    if not has_answered:
        return f"The folder {docset.name} does not answer at the moment; {known}."
    if keeper.problem:
        return f"{keeper.problem.rstrip('.')} (folder {docset.name}): {known}."
    return ""


def _left_out(shelves: Sequence[Shelf]) -> list[str]:
    """What is no page though it looks like one, by folder."""
    return [f"Folder {shelf.docset.name}: {shelf.docset.note}" for shelf in shelves if shelf.docset.note]
