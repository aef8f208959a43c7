"""The entries of the palette: its commands, and the search for commands, pages by title, and passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app import caps
from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.engine_thread import Engine, EngineThread, Latest
from app.desktop.models.details import first_words, section_of
from app.desktop.pages.settings.layout import findable, section_titles
from app.desktop.qt import Act, single_shot
from app.desktop.theme import Appearance, theme
from app.desktop.wording import file_or_address, key_text, translator
from app.errors import WebRAGError
from app.events import DocumentChanged, Event
from app.library.records import DocumentSummary
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import RetrievedChunk

_tr = translator("PaletteCommands")


class Group(StrEnum):
    """The groups of entries in display order."""

    RECENT = "recent"
    COMMANDS = "commands"
    PAGES = "pages"
    PASSAGES = "passages"
    MORE = "more"  # A link to another search, without a caption.


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry. Two entries with the same `key` lead to the same target. `words` are synonyms for the search."""

    key: str
    group: Group
    icon: str
    title: str
    run: Act = field(compare=False, repr=False)
    detail: str = ""
    shortcut: str = ""
    words: str = ""
    is_listed: bool = True  # Whether it is listed before the user types.


Commands = Callable[[], list[Entry]]


def commands_of(context: Context, page_icons: Mapping[str, tuple[str, str]]) -> list[Entry]:
    """Return all commands available now, most used first. `page_icons` has title and icon of every page by name."""
    pages = [
        _command(f"page:{name}", icon, _tr("Go to {}").format(title), partial(context.go_to, name), f"Ctrl+{place}")
        for place, (name, (title, icon)) in enumerate(page_icons.items(), start=1)
    ]
    titles, rows = [_tr("Settings › {}").format(title) for title in section_titles()], findable()
    sections = [
        _command(f"settings:{place}", "settings", title, partial(context.show_row, place))
        for place, title in enumerate(titles)
    ]
    # Settings rows and their buttons are listed only when they match.
    settings = [
        Entry(
            f"setting:{row.place}:{row.title}:{button}",
            Group.COMMANDS,
            "settings",
            _tr("{0}: {1}").format(row.title, button) if button else row.title,
            partial(context.show_row, row.place, row.title, button),
            titles[row.place],
            words=row.words,
            is_listed=False,
        )
        for row, button in (*((row, "") for row in rows), *((row, each) for row in rows for each in row.buttons))
    ]
    return [*_doings(context), *pages, *sections, *_helping(context), *settings]


def _command(key: str, icon: str, title: str, run: Act, shortcut: str = "", words: str = "") -> Entry:
    return Entry(f"command:{key}", Group.COMMANDS, icon, title, run, shortcut=key_text(shortcut), words=words)


def _doings(context: Context) -> list[Entry]:
    paused = context.status.phase is Phase.PAUSED
    words = _tr("new crawl import file")
    made = [_command("add", "add", _tr("Add page, site or folder…"), lambda: context.add_page(""), "Ctrl+N", words)]
    if context.status.url:
        words = _tr("stop start assistants server")
        icon, title = ("play", _tr("Resume WebRAG")) if paused else ("pause", _tr("Pause WebRAG"))
        made.append(_command("pause", icon, title, partial(context.thread.set_paused, not paused), words=words))
        made.append(_command("address", "copy", _tr("Copy server address"), context.copy_address))
    return made


def _helping(context: Context) -> list[Entry]:
    dark = theme().is_dark
    title = _tr("Use light appearance") if dark else _tr("Use dark appearance")
    switch, words = partial(_switch_scheme, context, dark), _tr("colors theme dark mode light mode")
    setup = _tr("first run wizard welcome set up again")
    return [
        _command("help", "info", _tr("Open guide"), context.show_help, "F1", _tr("help manual")),
        _command("keys", "info", _tr("Keyboard shortcuts"), context.show_shortcuts, "Ctrl+/"),
        _command("setup", "ok", _tr("Show setup"), context.show_wizard, words=setup),
        _command("scheme", "settings", title, switch, words=words),
        _command("quit", "close", _tr("Quit WebRAG"), context.leave, "Ctrl+Q"),
    ]


def _switch_scheme(context: Context, dark: bool) -> None:
    wanted = Appearance.LIGHT if dark else Appearance.DARK
    if context.save("appearance", wanted.value):
        theme().select(wanted)


MAX_TITLES_SEARCHED: Final = 50_000
"""Maximum number of newest pages whose titles are searched; about 400 bytes of memory each."""


T = TypeVar("T")

_GAPS = re.compile(r"[\W_]+")

PAGE_ROWS = 1_000

PAUSE_MS = 220  # Milliseconds without typing before the passage search starts.
MIN_CHARS = 3  # Minimum number of characters for a search of all passages.
PAGES, COMMANDS, PASSAGES, RECENT = 6, 7, 6, 6


@dataclass(frozen=True, slots=True)
class Named(Generic[T]):
    """An item prepared for matching. `spaced` is its name with one space before each word, `whole` the complete searched text."""

    thing: T
    spaced: str
    whole: str


def named(thing: T, name: str, more: str = "") -> Named[T]:
    """Prepare an item for matching; `more` is additional searched text."""
    spaced = _spaced(name)
    return Named(thing, spaced, f"{spaced}\n{name.casefold()}\n{more.casefold()}")


def fitting(candidates: Sequence[Named[T]], typed: str) -> Sequence[Named[T]]:
    """Return the items that contain every typed word. Further typing can only narrow them down."""
    # The longest word is probably the rarest, so it rules out most candidates first.
    for word in sorted(typed.casefold().split(), key=len, reverse=True):
        candidates = [one for one in candidates if word in one.whole]
    return candidates


def best(candidates: Sequence[Named[T]], typed: str, limit: int) -> list[T]:
    """Return at most `limit` matching items.

    Order: the name starts with the typed text; words in the name start with the typed words; other words do so; all others.
    """
    begin = _spaced(typed)
    if not typed.split() or limit < 1:
        return []
    candidates = fitting(candidates, typed)
    found: dict[int, T] = {}
    for tier in _tiers(candidates, begin):
        for one in tier:
            found.setdefault(id(one), one.thing)
            if len(found) == limit:
                return list(found.values())
    return list(found.values())


def _tiers(candidates: Sequence[Named[T]], begin: str) -> Iterator[Sequence[Named[T]]]:
    """Yield the candidates of each tier of `best`. A tier can repeat candidates of earlier ones."""
    if begin:
        yield [one for one in candidates if one.spaced.startswith(begin)]
        headed = worded = candidates
        for word in begin.split():
            head = f" {word}"
            headed = [one for one in headed if head in one.spaced]
        yield headed
        for word in begin.split():
            worded = [one for one in worded if f" {word}" in one.whole or f"\n{word}" in one.whole]
        yield worded
    yield candidates


def _spaced(text: str) -> str:
    words = _GAPS.sub(" ", text.casefold()).strip()
    return f" {words}" if words else ""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """The displayed data of a document."""

    id: int
    title: str
    place: str  # The URL without its scheme, or the path.


async def load_titles(engine: Engine) -> list[Named[StoredPage]]:
    """Return the newest stored pages, up to MAX_TITLES_SEARCHED."""
    found: list[Named[StoredPage]] = []
    last: DocumentSummary | None = None
    while len(found) < MAX_TITLES_SEARCHED:
        rows = await engine.documents.find(limit=PAGE_ROWS, after=last)
        for last in rows:
            place = file_or_address(last.url)
            title = last.title or place
            found.append(named(StoredPage(last.id, title, place), title, place))
        if len(rows) < PAGE_ROWS:
            break
    return found


class TitleIndex(QObject):
    """An index of page titles, loaded when first needed and after changes. Emits `changed` after each load."""

    changed = Signal()

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pages: Sequence[Named[StoredPage]] = []
        self._narrowed: tuple[str, Sequence[Named[StoredPage]]] = ("", [])
        self._loading = Latest(thread, self)
        self._is_stale = True

    def refresh(self) -> None:
        """Reload the titles if they have changed. The old ones are searched in the meantime."""
        if self._is_stale and not self._loading.is_running:
            self._is_stale = False
            # The window shows the error elsewhere, and the next opening tries again.
            self._loading.submit(load_titles, self._take_over, lambda _error: self.engine_changed())

    def on_events(self, events: list[Event]) -> None:
        """Note whether the corpus has changed."""
        if any(isinstance(event, DocumentChanged) for event in events):
            self._is_stale = True

    def engine_changed(self) -> None:
        """Reload the titles later, because another engine can have other pages."""
        self._is_stale = True

    def matches(self, typed: str, limit: int) -> list[StoredPage]:
        """Return the best matching pages. Searches in memory, and during typing only in the previous matches."""
        before, fitted = self._narrowed
        fitted = fitting(fitted if before and typed.startswith(before) else self._pages, typed)
        self._narrowed = (typed, fitted)
        return best(fitted, typed, limit)

    def _take_over(self, pages: list[Named[StoredPage]]) -> None:
        self._pages = pages
        self._narrowed = ("", pages)
        self.changed.emit()


class Finder(QObject):
    """Finds entries for the typed text. Emits `found` when `entries` has changed, and `searching` when a passage search starts or ends."""

    found = Signal()
    searching = Signal(bool)

    def __init__(
        self, context: Context, commands: Commands, search_page: Callable[[str], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._offered = commands
        self._search_page = search_page
        self.titles = TitleIndex(context.thread, self)
        self.titles.changed.connect(self._again)
        self.problem = ""
        self._typed = ""
        self._commands: list[Entry] = []
        self._passages: list[Entry] = []
        self._recent: list[Entry] = []
        self._searching = Latest(context.thread, self)
        self._pause = single_shot(self, PAUSE_MS, self._ask)
        self.entries: list[Entry] = []

    def begin(self) -> None:
        """Called when the palette opens: collect the available commands."""
        self._commands = self._offered()
        self.titles.refresh()
        self.type("")

    def end(self) -> None:
        """Called when the palette closes: stop searching."""
        self._stop_search()

    def type(self, text: str) -> None:
        self._typed = text.strip()
        self._stop_search()
        if len(self._typed) >= MIN_CHARS:
            self._pause.start()
        else:
            self._passages = []
        self._again()

    def opened(self, entry: Entry) -> None:
        """Remember the selected entry until the application quits."""
        known = [one for one in self._recent if one.key != entry.key]
        self._recent = [_as_recent(entry), *known][:RECENT]

    def forget(self) -> None:
        self._recent, self._passages = [], []

    def _again(self) -> None:
        typed, show = self._typed, self._context.show_document
        if typed:
            commands = best([named(one, one.title, one.words) for one in self._commands], typed, COMMANDS)
            pages = [
                Entry(f"page:{page.id}", Group.PAGES, "library", page.title, partial(show, page.id), page.place)
                for page in self.titles.matches(typed, PAGES)
            ]
            title = _tr("Search all passages for “{}”").format(typed)
            more = Entry("search", Group.MORE, "search", title, lambda: self._search_page(typed))
            self.entries = [*commands, *pages, *self._passages, more]
        else:
            # Use the current commands: Pause can have become Resume.
            now = {entry.key: entry for entry in self._commands}
            recent = [_as_recent(now.get(entry.key, entry)) for entry in self._recent]
            self.entries = [*recent, *(entry for entry in self._commands if entry.is_listed)]
        self.found.emit()

    def _ask(self) -> None:
        typed = self._typed[: caps.MAX_QUERY_CHARS]
        self.searching.emit(True)

        def show(result: OrchestrationResult) -> None:
            self.searching.emit(False)
            hits: Sequence[RetrievedChunk] = [] if result.nothing_found else result.chunks
            ranked = sorted(hits, key=lambda hit: hit.reranked_score, reverse=True)
            self._passages = [self._passage(hit) for hit in ranked if not hit.is_locality_expanded][:PASSAGES]
            self._again()

        def fail(error: WebRAGError) -> None:
            self.problem = error.title
            self.searching.emit(False)

        self._searching.submit(
            lambda engine: engine.search(typed, top_k=PASSAGES, narrows=False, rereads=False), show, fail
        )

    def _passage(self, hit: RetrievedChunk) -> Entry:
        chunk = hit.chunk
        where = " › ".join(dict.fromkeys((chunk.title or chunk.url, section_of(chunk))))
        show = partial(self._context.show_document, chunk.document_id, chunk.start, chunk.end)
        key, title = f"passage:{chunk.document_id}:{chunk.start}", first_words(chunk.text) or chunk.title
        return Entry(key, Group.PASSAGES, "quote", title, show, where)

    def _stop_search(self) -> None:
        self.problem = ""
        self._pause.stop()
        if self._searching.is_running:
            self._searching.cancel()
            self.searching.emit(False)


def _as_recent(entry: Entry) -> Entry:
    return Entry(entry.key, Group.RECENT, entry.icon, entry.title, entry.run, entry.detail, entry.shortcut)
