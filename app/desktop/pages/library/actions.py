"""Actions on stored pages: refresh, delete and undo, copy, export, open, block and share; and the context menu of the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDir, QObject
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app import caps
from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.exports import open_document, open_local
from app.desktop.models.labels import BROWSER, Facet, value_words
from app.desktop.models.libraries import joined_states
from app.desktop.models.library import can_open
from app.desktop.pages.library.labels import LabelMenus
from app.desktop.pages.page import PendingDeletion, block_site, can_block
from app.desktop.pages.parts import Command, add_entries, new_menu
from app.desktop.preview.stored import linked
from app.desktop.qt import Act
from app.desktop.theme import icon
from app.desktop.wording import counted, full_time, key_text, local_path, number, short_title, speak, translator
from app.errors import InvalidArgumentError, WebRAGError
from app.events import no_progress
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.desktop.models.library import LibraryModel
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.library.job_records import Job as BackgroundJob
    from app.library.records import DocumentSummary
    from app.server.control.files import Exported

MAX_PAGES_OPENED: Final = 20  # Maximum number of pages to open in the browser at once, after confirmation.
PAGES_OPENED_UNASKED: Final = 3

REFRESHED_AT_ONCE = 5
"""Up to this number, pages are refreshed directly. More become a job with progress and a way to cancel."""
_tr = translator("LibraryMenu")


class LibraryActions(QObject):
    """Actions on the stored pages passed to them. `deletion` holds deleted ones until the time to undo has passed."""

    def __init__(self, context: Context, model: LibraryModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._model = model
        self._window = parent
        self.deletion = PendingDeletion[int](context, model, lambda engine, ids: engine.documents.delete(ids), self)

    def refresh(self, rows: Sequence[DocumentSummary]) -> None:
        """Refresh web pages and files. Pages saved from the browser are only attempted if nothing else is selected."""
        rows = [row for row in rows if can_open(row)]
        fetched = [row for row in rows if row.kind != BROWSER]
        left_out = ""  # Pages that only the user can save again.
        if fetched and len(fetched) < len(rows):
            one, many = (
                self.tr("(without 1 page saved from the browser)"),
                self.tr("(without {} pages saved from the browser)"),
            )
            left_out = counted(len(rows) - len(fetched), one, many)
        rows = fetched or rows
        web = [row.url for row in fetched if not local_path(row.url)]
        if not rows:
            self._context.notifier.say(self.tr("These pages are not on the web and cannot be refreshed"))
        elif len(rows) <= REFRESHED_AT_ONCE or not web:
            words = counted(len(rows), self.tr("Refreshing…"), self.tr("Refreshing {} pages…"))
            self._context.notifier.say(f"{words} {left_out}".strip())
            self._refresh_now([row.url for row in rows])
        else:
            self._refresh_in_background(web, left_out)
            files = [row.url for row in rows if local_path(row.url)]
            if files:
                self._refresh_now(files)

    def menu(self, labels: LabelMenus, rows: Sequence[DocumentSummary], place: str, **run: Act) -> QMenu:
        """Create the context menu of the selected pages, and of the site or folder `place` of the current one.

        `run` has the actions of the page: export, delete, show_site and delete_site.
        """
        count, has_open = len(rows), any(map(can_open, rows))
        menu = new_menu(self._window)
        labels.add_to(menu, rows)
        opened = counted(count, _tr("Open in browser"), _tr("Open {} pages…"))
        refresh = counted(count, _tr("Refresh"), _tr("Refresh {} pages"))
        copy = counted(count, _tr("Copy citation"), _tr("Copy {} citations"))
        addresses = counted(count, _tr("Copy address"), _tr("Copy {} addresses"))
        save = counted(count, _tr("Save as Markdown…"), _tr("Save {} pages as Markdown…"))
        delete = counted(count, _tr("Delete"), _tr("Delete {} pages"))
        entries: list[Command | None] = [
            None,
            (opened, "external", lambda: self.open(rows), has_open),
            (f"{refresh}\tF5", "refresh", lambda: self.refresh(rows), has_open),
            (f"{copy}\t{key_text('Ctrl+C')}", "quote", lambda: self.copy_citations(rows), True),
            (addresses, "copy", lambda: self.copy_addresses(rows), True),
            (f"{save}\t{key_text('Ctrl+E')}", "export", run["export"], True),
            None,
        ]
        deletion: list[Command | None] = [(f"{delete}\t{_tr('Del')}", "trash", run["delete"], True)]
        if count == 1 and place:
            url, words = rows[0].url, value_words(Facet.PLACE, place)
            entries.append((_tr("Show only {}").format(words), "library", run["show_site"], True))
            if can_block(self._context, url):
                entries.append((_tr("Block {}").format(words), "close", lambda: block_site(self._context, url), True))
            # The last command deletes the most.
            deletion += [None, (_tr("Delete all pages of {}…").format(words), "trash", run["delete_site"], True)]
            entries.append(None)
        add_entries(menu, (*entries, *deletion))
        return menu

    def refresh_stale(self, rows: Sequence[DocumentSummary]) -> None:
        """Refresh pages in a job."""
        if rows:
            self._refresh_in_background([row.url for row in rows])

    def delete(self, rows: Sequence[DocumentSummary]) -> None:
        """Hide pages, and delete them when the time to undo has passed."""
        if rows:
            one = self.tr("“{}” deleted").format(short_title(rows[0].title or rows[0].url))
            many = self.tr("{} pages deleted")
            self.deletion.add((row.id for row in rows), one, many, self.deletion.undo)

    def is_site_given_up(self, count: int, place: str) -> bool:
        """Ask whether to delete all pages of a site or folder."""
        site = value_words(Facet.PLACE, place)
        question = self.tr("Delete all pages of {site}: {pages}?").format(
            site=site, pages=counted(count, self.tr("1 page"), self.tr("{} pages"))
        )
        return count > 0 and is_agreed(
            self._window, self.tr("Delete all pages of {}").format(site), question, self.tr("Delete pages")
        )

    def remove_unused(self) -> None:
        """Delete the unused pages that only a link led to, after confirmation and with undo."""
        self._context.ask(self, lambda engine: engine.documents.unused(), self._ask_for_unused)

    def _ask_for_unused(self, ids: Sequence[int]) -> None:
        rows = [row for key in ids if (row := self._model.find(key)) is not None]
        one = self.tr("Remove 1 page that was only added because a page linked to it?")
        many = self.tr("Remove {} pages that were only added because a page linked to them?")
        question = counted(len(rows), one, many)
        unused = self.tr("They have never been cited, have no tags or pins, and are in no collection.")
        title = self.tr("Remove unused pages")
        if rows and is_agreed(self._window, title, f"{question}\n\n{unused}"):
            self.delete(rows)

    def copy_citations(self, rows: Sequence[DocumentSummary]) -> None:
        """Copy titles, addresses and dates as Markdown; several pages become a list."""
        if not rows:
            return
        lines = [citation(row) for row in rows]
        said = counted(len(rows), self.tr("Citation copied"), self.tr("{} citations copied"))
        self._context.copy(lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines), said)

    def copy_addresses(self, rows: Sequence[DocumentSummary]) -> None:
        if rows:
            said = counted(len(rows), self.tr("Address copied"), self.tr("{} addresses copied"))
            self._context.copy("\n".join(local_path(row.url) or row.url for row in rows), said)

    def export(self, rows: Sequence[DocumentSummary]) -> None:
        """Save pages as Markdown files in a folder that the user chooses."""
        if not rows:
            return
        title = counted(len(rows), self.tr("Folder for 1 page"), self.tr("Folder for {} pages"))
        chosen = QFileDialog.getExistingDirectory(self._window, title, QDir.homePath())
        if chosen:
            self._context.notifier.say(counted(len(rows), self.tr("Saving 1 page…"), self.tr("Saving {} pages…")))
            folder = Path(chosen)

            def done(exported: Exported) -> None:
                words = counted(len(exported.files), self.tr("1 page saved"), self.tr("{} pages saved"))
                if exported.failures:
                    words += self.tr(", {} failed").format(number(len(exported.failures)))
                self._context.notifier.say(words, self.tr("Show"), lambda: open_local(folder))

            async def write(engine: Engine) -> Exported:
                from app.server.control.files import export_rows

                return await export_rows(engine, list(rows), folder, no_progress)

            self._context.ask(self, write, done)

    def open(self, rows: Sequence[DocumentSummary]) -> None:
        """Open pages in the browser and files in their programs. Asks first for many pages, up to a maximum."""
        rows = [row for row in rows if can_open(row)]
        opened = rows[:MAX_PAGES_OPENED]
        words = self.tr("Open {} pages?").format(number(len(opened)))
        if len(opened) < len(rows):
            words = self.tr("{} pages are selected. Open the first {}?").format(number(len(rows)), number(len(opened)))
        if len(opened) <= PAGES_OPENED_UNASKED or is_agreed(self._window, self.tr("Open in browser"), words):
            for row in opened:
                open_document(row.url)

    def _refresh_now(self, urls: Sequence[str]) -> None:
        self._context.ask(self, lambda engine: _read_again(engine, urls), self._refreshed)

    def _refreshed(self, outcome: tuple[list[str], list[WebRAGError]]) -> None:
        changes, errors = outcome
        if errors and not changes:
            self._context.notifier.complain(errors[0])
            return
        updated = changes.count("updated")
        words = counted(len(changes), self.tr("Page refreshed"), self.tr("{} pages refreshed"))
        if len(changes) == 1:
            words = self.tr("Page updated") if updated else self.tr("Page has not changed")
        elif updated:
            words += self.tr(", {} changed").format(number(updated))
        if errors:
            words += self.tr(", {} failed").format(number(len(errors)))
        self._context.notifier.say(words)

    def _refresh_in_background(self, urls: Sequence[str], left_out: str = "") -> None:
        lists = [urls[at : at + caps.MAX_IMPORTED_URLS] for at in range(0, len(urls), caps.MAX_IMPORTED_URLS)]
        words = counted(
            len(urls), self.tr("Refreshing 1 page in the background"), self.tr("Refreshing {} pages in the background")
        )
        one, many = self.tr("Refresh of 1 library page"), self.tr("Refresh of {} library pages")
        targets = [counted(len(part), one, many) for part in lists]
        begun = f"{words} {left_out}".strip()

        def told(_: object) -> None:
            self._context.notifier.say(begun, self.tr("Show"), lambda: self._context.go_to("activity"))

        self._context.ask(self, lambda engine: _begin(engine, lists, targets), told)


def citation(row: DocumentSummary) -> str:
    """Return title, address and date as Markdown."""
    return f"{linked(row.title or row.url, row.url)}, {full_time(row.last_crawled)}"


async def _read_again(engine: Engine, urls: Sequence[str]) -> tuple[list[str], list[WebRAGError]]:
    """Refresh pages. Return the change of each page, and the errors of failed ones."""

    async def read(url: str) -> str:
        path = local_path(url)
        page = await (engine.add_file(Path(path)) if path else engine.ensure_ingested(url, refresh=True))
        return page.change

    changes, errors = list[str](), list[WebRAGError]()
    for at in range(0, len(urls), REFRESHED_AT_ONCE):
        readings = [read(url) for url in urls[at : at + REFRESHED_AT_ONCE]]
        for outcome in await asyncio.gather(*readings, return_exceptions=True):
            if isinstance(outcome, str):
                changes.append(outcome)
            elif isinstance(outcome, WebRAGError):
                errors.append(outcome)
            else:
                raise outcome
    return changes, errors


async def _begin(engine: Engine, lists: Sequence[Sequence[str]], targets: Sequence[str]) -> list[BackgroundJob]:
    return [
        await engine.jobs.read_pages(tuple(urls), target=target, refresh=True)
        for urls, target in zip(lists, targets, strict=True)
    ]


MAX_SHARED: Final = 2_000  # Maximum number of pages of a collection to share at once.
SHARED_UNASKED: Final = 20  # Maximum number of pages to share without confirmation.


@dataclass(frozen=True, slots=True)
class Shared:
    """Number of pages now in the library, and the errors of the others."""

    stored: int
    errors: tuple[WebRAGError, ...]


class Sharing(QObject):
    """Adds the sharing entries of each joined library that has a collection for shared pages to menus."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self._states: tuple[LibraryState, ...] = ()

    def look(self) -> None:
        self._context.ask(self, joined_states, self._take, lambda _error: None)

    def add_to(self, menu: QMenu, rows: Sequence[DocumentSummary]) -> None:
        ids = [row.id for row in rows]

        async def given(_engine: Engine) -> list[int]:
            return ids

        one, many, count = self.tr("Share with {}"), self.tr("Share {0} pages with {1}"), number(len(ids))
        if ids:
            self._add(menu, lambda title: one.format(title) if len(ids) == 1 else many.format(count, title), given)

    def add_label_to(self, menu: QMenu, kind: LabelKind, name: str) -> None:
        """Add entries to share all pages of a collection."""

        async def found(engine: Engine) -> list[int]:
            rows = await engine.documents.find(limit=MAX_SHARED + 1, label=f"{kind}:{name}")
            if len(rows) > MAX_SHARED:
                raise InvalidArgumentError(
                    sentence("{} has more than {} pages, the maximum to share at once.", name, number(MAX_SHARED)),
                    hint="Select some of its pages in the Library and share them in several steps.",
                )
            return [row.id for row in rows]

        self._add(menu, self.tr("Share its pages with {}").format, found)

    def _add(self, menu: QMenu, words: Callable[[str], str], pages: Callable[[Engine], Awaitable[list[int]]]) -> None:
        on = [state for state in self._states if state.library.is_on]
        if not on:
            return
        if not menu.isEmpty():
            menu.addSeparator()
        for state in on:
            title = state.library.title or state.library.name
            action = menu.addAction(icon("external"), words(title).replace("&", "&&"))
            if state.library.collection:
                begin = partial(self._begin, state)
                action.triggered.connect(lambda _=False, begin=begin: self._context.ask(self, pages, begin))
            else:
                # Pages are only shared with the collection that the user has chosen.
                action.triggered.connect(lambda _checked=False: self._context.show_settings("libraries"))
                action.setToolTip(self.tr("Choose in Settings where to share pages"))

    def _take(self, states: tuple[LibraryState, ...]) -> None:
        self._states = states

    def _begin(self, state: LibraryState, ids: list[int]) -> None:
        library = state.library
        title = library.title or library.name
        if len(ids) > SHARED_UNASKED:
            question = self.tr("Share {0} pages with the collection {1} of {2}? Other users can then read their texts.")
            words = question.format(number(len(ids)), library.collection, title)
            if not is_agreed(self._window, self.tr("Share pages"), words):
                return
        self._context.notifier.say(self.tr("Sharing with {}…").format(title))
        where = library.name, library.collection
        told = partial(self._told, title, library.collection)
        self._context.ask(self, lambda engine: share(engine, ids, *where), told)

    def _told(self, title: str, collection: str, shared: Shared) -> None:
        if shared.errors and not shared.stored:
            self._context.notifier.complain(speak(shared.errors[0]))
            return
        one, many = self.tr("The page is now in {0} of {1}"), self.tr("{0} pages are now in {1} of {2}")
        words = one.format(collection, title)
        if shared.stored != 1:
            words = many.format(number(shared.stored), collection, title)
        if shared.errors:
            why = speak(shared.errors[0]).message
            words += self.tr("; {0} could not be shared: {1}").format(number(len(shared.errors)), why)
        self._context.notifier.say(words)


async def share(engine: Engine, ids: Sequence[int], library: str, collection: str) -> Shared:
    """Share pages one by one. Stops if the library does not respond or refuses writing."""
    stored, errors = 0, list[WebRAGError]()
    for document_id in ids:
        document = await engine.documents.get(document_id)
        if document is None:
            continue
        links = await engine.documents.links(document_id)
        try:
            await asyncio.to_thread(engine.libraries.share, library, collection, document, links)
            stored += 1
        except InvalidArgumentError as error:
            errors.append(error)
        except WebRAGError as error:
            errors += [error] * (len(ids) - stored - len(errors))
            break
    return Shared(stored, tuple(errors))
