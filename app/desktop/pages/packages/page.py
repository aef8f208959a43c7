"""Packages page: the projects on the left, their packages with exact versions on the right, and what is known of the selected one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QAbstractItemView, QMenu

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.engine_thread import Engine
from app.desktop.models import packages
from app.desktop.models.jobs import JobsModel
from app.desktop.pages.packages.adding import AddingLine, AddPackagesDialog
from app.desktop.pages.page import ListingPage
from app.desktop.pages.parts import FactsArea, FailedState, SideList, new_menu, offer_menu, stack_of
from app.desktop.panels import Card, EmptyState, choose_folder
from app.desktop.qt import single_shot
from app.desktop.tables import DataTable
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, Segments, button, column, icon_button, label, row, show_words
from app.desktop.wording import ago, counted, key_text, number, rough_size, short_path, spoken
from app.errors import WebRAGError
from app.library.packages import Package


class PackagePane(Card):
    """One package. Its buttons act on the selection of the page."""

    def __init__(self, page: PackagesPage) -> None:
        super().__init__(margin=1, spacing=0)
        self.setAccessibleName(self.tr("Package details"))
        self.body.setContentsMargins(1, 1, 1, S)
        self._title, self._id = ElidedLabel("", "strong"), ElidedLabel("", "muted")
        self.add = button(self.tr("Add documentation…"), lambda: page.add_documentation(page.selected), "", "add")
        self.show_pages = button(self.tr("Open in Library"), page.open_pages, "", "library")
        self.remove = button(self.tr("Remove"), page.remove, "", "trash")
        actions = self.add, self.show_pages, self.remove
        head = row((column(self._title, self._id, spacing=0), 1), *actions, spacing=S, margins=(L, M, M, S))
        self._facts_area = FactsArea((L, S, L, M))
        self.body.addLayout(head)
        self.body.addWidget(self._facts_area, 1)
        self.values = self._facts_area.values
        self.show_package(None)

    def show_package(self, shown: packages.PackageRow | None) -> None:
        self._title.show_text(shown.package.shown if shown is not None else "")
        self._id.show_text(shown.id if shown is not None else "")
        self._facts_area.show_facts(self._facts(shown) if shown is not None else ())
        self.add.setVisible(shown is not None and shown.can_add)
        self.show_pages.setVisible(shown is not None and shown.is_stored)
        self.remove.setVisible(shown is not None and shown.stored is not None)

    def _facts(self, shown: packages.PackageRow) -> list[tuple[str, str]]:
        stored = shown.stored
        return [
            (self.tr("In the project"), packages.use_text(shown)),
            (self.tr("Documentation"), packages.source_text(shown)),
            (self.tr("Contents"), packages.contents_text(shown)),
            (self.tr("State"), packages.state_text(shown)),
            (self.tr("Other added versions"), ", ".join(shown.others)),
            (self.tr("Size"), self.tr("about {}").format(rough_size(shown.disk_bytes)) if shown.disk_bytes else ""),
            (self.tr("Last asked"), ago(stored.asked_at) if stored is not None else ""),
        ]


SIDE_WIDTH = 216
DIRECT_ONLY, ALL = "direct", "all"
RELOAD_MS = 1_500  # Milliseconds between updates of the table while packages are added.


class PackagesPage(ListingPage):
    """Add projects, and the documentation of their packages."""

    name = "packages"
    icon_name = "packages"

    def __init__(self, context: Context, jobs: JobsModel) -> None:
        super().__init__(context, self.tr("Packages"))
        self.model = packages.PackagesModel(context.thread, self)
        self.add_button = button("", self.add_documentation, "primary", "add")
        self.project_button = button(self.tr("Add project…"), self.choose_project, "", "folder")
        self.header.add_folding(self.project_button)
        self.header.add(self.add_button)
        self.make_filter(self.tr("Filter by name"), self.tr("Filter the packages"), self.model.set_filter)
        kinds = (
            (DIRECT_ONLY, self.tr("Direct"), self.tr("Packages that the project names itself")),
            (ALL, self.tr("All"), self.tr("Also packages that other packages need")),
        )
        self.kinds = Segments(self.tr("Packages to show"), kinds)
        self.kinds.chosen.connect(lambda value: self.model.show_direct(value == DIRECT_ONLY))
        self.adding = AddingLine(context, jobs)
        self._reloading = single_shot(self, RELOAD_MS, self.model.reload)
        self.adding.moved.connect(self._follow_job)
        self.notes = label("", "muted", wrap=True)
        self.notes.hide()
        self._build()
        self.lay_out(self.kinds, self._views, self.pane, above=(self.adding, self.notes), left=(self._side,))
        self.model.layoutChanged.connect(self._follow)
        self.model.failed.connect(self._show_failure)
        self._show_add()
        QShortcut("F5", self, self.model.reload)
        QShortcut("Ctrl+C", self.table, self.copy_names, context=Qt.ShortcutContext.WidgetShortcut)

    def activate(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.context.status.engine is not None:
            self.model.reload()

    def engine_ready(self) -> None:
        if self.isVisible():
            self.model.reload()

    @property
    def selected(self) -> list[packages.PackageRow]:
        places = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.records[place] for place in places if place < self.model.rowCount()]

    @property
    def addable(self) -> list[packages.PackageRow]:
        """The packages that the button adds: of several selected ones, otherwise of all listed ones."""
        rows = self.selected if len(self.selected) > 1 else self.model.records
        return [each for each in rows if each.can_add][: caps.MAX_PACKAGES_ADDED]

    def choose_project(self) -> None:
        choose_folder(self, self.tr("Choose the folder of a project"), lambda path: self.add_projects([path]))

    def add_projects(self, folders: Sequence[Path]) -> None:
        """Read the projects in folders and show the last one."""

        async def scan(engine: Engine) -> str:
            return [(await engine.packages.scan(folder))[0].root for folder in folders][-1]

        self.context.ask(self, scan, self.choose)

    def forget_project(self) -> None:
        """Forget the current project after confirmation; its packages are kept."""
        root = self.model.root
        question = self.tr("Forget {}? Packages that you added are kept.").format(packages.project_name(root))
        if root and is_agreed(self.window(), self.tr("Forget project"), question):

            def done(_: bool) -> None:
                self.model.root = ""
                self.model.reload()

            self.context.ask(self, lambda engine: engine.packages.forget_project(Path(root)), done)

    def add_documentation(self, rows: Sequence[packages.PackageRow] = ()) -> None:
        """Show what adding these packages needs, and add them on request."""
        chosen = [each for each in rows if each.can_add] or self.addable
        if chosen:
            dialog = AddPackagesDialog(self.context, chosen, self.model.root, self.window())
            dialog.begun.connect(self.context.follow_job)
            dialog.open_once()

    def remove(self) -> None:
        """Remove the selected packages with their pages after confirmation."""
        rows = [each for each in self.selected if each.stored is not None]
        one = self.tr("Remove the documentation of {}?").format(rows[0].package.shown if rows else "")
        question = counted(len(rows), one, self.tr("Remove the documentation of {} packages?"))
        hint = self.tr("You can add it again.")
        if rows and is_agreed(self.window(), self.tr("Remove documentation"), f"{question} {hint}"):

            def done(gone: tuple[Package, ...]) -> None:
                self.context.notifier.say(
                    counted(len(gone), self.tr("Package removed"), self.tr("{} packages removed"))
                )
                self.model.reload()

            self.context.ask(self, lambda engine: engine.packages.remove([each.id for each in rows]), done)

    def open_pages(self) -> None:
        """Show the pages of the current package in the Library, or offer to add them."""
        current = self.model.record_at(self.table.currentIndex())
        if current is not None and current.is_stored:
            self.context.show_folder(current.package.address)
        elif current is not None and current.can_add:
            self.add_documentation([current])

    def copy_names(self) -> None:
        self.context.copy("\n".join(each.id for each in self.selected))

    def menu(self) -> QMenu:
        rows = self.selected
        is_one = len(rows) == 1
        can_add, is_stored = any(each.can_add for each in rows), any(each.stored is not None for each in rows)
        entries = (
            (self.tr("Open in Library"), "library", self.open_pages, is_one and rows[0].is_stored),
            (self.tr("Add documentation…"), "add", lambda: self.add_documentation(rows), can_add),
            (f"{self.tr('Copy name')}\t{key_text('Ctrl+C')}", "copy", self.copy_names, bool(rows)),
            None,
            (f"{self.tr('Remove')}\t{self.tr('Del')}", "trash", self.remove, is_stored),
        )
        return new_menu(self, entries)

    def _build(self) -> None:
        self.table = DataTable(
            self.model, self.tr("Packages"), (170, 84, 150, 64, 140, 64, 84, 172), packages.NAME, least=150
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.empty_text = self.tr("No packages match the filter")
        self.table.enable_sorting(packages.NAME, Qt.SortOrder.AscendingOrder)
        self.table.optional = (packages.DIRECT, packages.PAGES, packages.SIZE, packages.USE, packages.SOURCE)
        self.table.remember_columns(self.context.memory, "packages/columns", packages.DIRECT)
        offer_menu(self.table, self.menu, lambda _place: bool(self.selected))
        self.table.current_changed.connect(lambda _index: self._follow_selection())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_add())
        self.table.deleted.connect(self.remove)
        self.table.opened.connect(lambda _index: self.open_pages())
        self._broken = FailedState(self.model.reload)
        self._views = stack_of(self.table, self._broken)
        self.pane = PackagePane(self)
        self.projects = SideList(self.tr("Projects"))
        self.projects.chosen.connect(self.choose)
        self.forget = icon_button("trash", self.tr("Forget project"), self.forget_project)
        forgetting = (self.tr("Forget project"), "trash", self.forget_project, True)
        offer_menu(self.projects, lambda: new_menu(self, [forgetting]), lambda _place: bool(self.model.root))
        QShortcut(Qt.Key.Key_Delete, self.projects, self.forget_project, context=Qt.ShortcutContext.WidgetShortcut)
        self._side = Card(margin=S, spacing=XS)
        self._side.setFixedWidth(SIDE_WIDTH)
        self._side.body.addLayout(row(label(self.tr("Projects"), "heading"), 1, self.forget, margins=(XS, 0, 0, 0)))
        self._side.body.addWidget(self.projects, 1)
        self._loading = EmptyState("clock", self.tr("Loading…"), self.tr("WebRAG is starting."))
        words = self.tr(
            "Choose the folder of a project. WebRAG reads its lock files and lists its packages, so that your assistants answer from"
            " the documentation of exactly these versions."
        )
        add = button(self.tr("Add project…"), self.choose_project, "primary", "folder")
        self._empty = EmptyState("packages", self.tr("No packages yet"), words, add)
        self._failed = FailedState(self.model.reload)

    def choose(self, root: str) -> None:
        """List the packages of a known project, or all added ones."""
        self.model.root = root
        self.model.reload()

    def _show_failure(self, error: WebRAGError) -> None:
        """Show why a project could not be read. The list of projects stays, so that the user can forget it."""
        if self.model.listing is None:
            self._failed.show_error(error)
        else:
            self.model.replace(())
            self.pane.hide()
            self._broken.show_error(error)

    def _follow(self) -> None:
        """Update everything around the table."""
        listing = self.model.listing
        if listing is None:
            return
        is_empty = not listing.known.projects and not listing.known.packages
        self._stack.setCurrentWidget(self._empty if is_empty else self._content)
        self.project_button.setVisible(not is_empty)
        self.header.set_subtitle("" if is_empty else packages.summary_text(listing, caps.PACKAGES_DISK_BYTES))
        self._views.setCurrentWidget(self.table)
        self.pane.show()
        roots = [each.root for each in listing.known.projects]
        places = [(root, packages.project_name(root), short_path(str(PurePath(root).parent))) for root in roots]
        self.projects.show_entries([("", self.tr("All added packages"), ""), *places], self.model.root)
        self.forget.setVisible(bool(self.model.root))
        self.kinds.setVisible(bool(self.model.root))
        notes = listing.project.notes if listing.project is not None else ()
        show_words(self.notes, "\n".join(map(spoken, notes)))
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        shown, total = self.model.rowCount(), self.model.total
        self._count.setText(self.tr("{} of {}").format(number(shown), number(total)) if shown != total else "")
        self._follow_selection()

    def _follow_selection(self) -> None:
        self.pane.show_package(self.model.record_at(self.table.currentIndex()))
        self._show_add()

    def _follow_job(self) -> None:
        self._show_add()
        if not self._reloading.isActive():
            self._reloading.start()

    def _show_add(self) -> None:
        rows = self.addable
        one, many = self.tr("Add documentation of 1 package…"), self.tr("Add documentation of {} packages…")
        self.add_button.setText(counted(len(rows), one, many))
        self.add_button.setVisible(bool(rows) and self.adding.isHidden())
        self.header.name_folding({})
