"""Beside and above the list: the filters, the choice between the private and shared libraries, and the note about skipped files."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.models.jobs import ENDED, FOLDER
from app.desktop.models.labels import LABEL_FACETS, NEW, Facet
from app.desktop.models.libraries import joined_states, state_words
from app.desktop.models.library import LibraryModel
from app.desktop.pages.library.facet_tree import FacetItem, FacetTree
from app.desktop.pages.library.labels import LabelMenus
from app.desktop.pages.parts import SideList, offer_menu
from app.desktop.panels import Card, Dialog
from app.desktop.qt import single_shot
from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import TextBox, ThemedIcon, button, column, held, label, row
from app.desktop.wording import counted, short_path, spoken
from app.events import Event, JobChanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.corpus.records import Folder
    from app.engine.libraries import LibraryState

WIDTH: Final = 216
COUNT_MS: Final = 120  # Milliseconds after typing, so that counting does not slow down typing.
FOLLOW_MS: Final = 1_500  # Milliseconds between updates when pages come and go.
FOLDED: Final = "library/folded"


class FacetPanel(Card):
    """Number of pages for each value, and a selection of values that filters the model. `counted` is emitted after every full count."""

    counted = Signal()

    def __init__(self, context: Context, model: LibraryModel, labels: LabelMenus) -> None:
        super().__init__(margin=0, spacing=0)
        self.setFixedWidth(WIDTH)
        self._memory = context.memory
        self._model = model
        self.tree = FacetTree(self.tr("Filters"))
        self._clear = button(self.tr("Clear"), self.clear, "link", name=self.tr("Clear filters"))
        head = held(row(label(self.tr("Filters"), "heading"), 1, self._clear, margins=(S + XS, S, S, XS)))
        head.setFixedHeight(40)
        self.body.addWidget(head)
        self.body.addLayout(column(self.tree, margins=(1, 0, 1, S)))
        self._clear.hide()
        self._counting = single_shot(self, COUNT_MS, self._begin)
        self._stepping = single_shot(self, 0, self._count_next)
        self._following = single_shot(self, FOLLOW_MS, self.recount)
        self.tree.chosen.connect(self._choose)
        self.tree.itemExpanded.connect(self._remember)
        self.tree.itemCollapsed.connect(self._remember)
        self._connect_labels(labels)
        self._totals: dict[Facet, Counter[str]] = {}
        self._left: list[tuple[bool, Facet]] = []
        model.updated.connect(lambda: self._following.isActive() or self._following.start())
        model.loaded.connect(self.recount)
        model.rearranged.connect(self._counting.start)

    def count(self) -> None:
        """Count the pages of all values at once."""
        self._begin()
        while self._left:
            self._count_next()

    def clear(self) -> None:
        self.tree.clear_values()
        self._model.clear_facets()
        self._clear.hide()

    def choose_place(self, place: str) -> None:
        """Show only the pages of one site or folder."""
        self.tree.choose(Facet.PLACE, (place,))

    def choose_label(self, kind: LabelKind, name: str) -> None:
        """Show only the pages with a collection or a tag."""
        self.tree.choose(Facet.COLLECTION if kind is LabelKind.COLLECTION else Facet.TAG, (name,))

    @property
    def chosen(self) -> int:
        """Number of selected values."""
        return sum(map(len, self._model.chosen.values()))

    def _connect_labels(self, labels: LabelMenus) -> None:
        """Connect creating, filling, renaming and deleting collections and tags."""
        tree, actions = self.tree, labels.actions

        def fill(facet: int, name: str, ids: list[int]) -> None:
            kind = LABEL_FACETS[Facet(facet)]
            if name == NEW:
                labels.ask_new(kind, [row for each in ids if (row := self._model.find(each)) is not None])
            else:
                actions.add(kind, name, ids)

        def menu() -> QMenu:
            found = tree.label_at(tree.currentItem())
            return labels.of_label(LABEL_FACETS[found[0]], found[1]) if found is not None else QMenu(tree)

        def offers(place: QPoint) -> bool:
            item = tree.itemAt(place)
            found = tree.label_at(item)
            if item is None or found is None or found[1] == NEW:
                return False
            tree.setCurrentItem(item)
            return True

        tree.dropped.connect(fill)
        tree.renamed.connect(lambda facet, name: labels.ask_rename(LABEL_FACETS[Facet(facet)], name))
        tree.deleted.connect(lambda facet, name: actions.delete(LABEL_FACETS[Facet(facet)], name))
        offer_menu(tree, menu, offers)
        tree.new_wanted.connect(lambda: labels.ask_new(LabelKind.COLLECTION, ()))
        actions.renamed.connect(self._renamed)
        self._model.labels_changed.connect(self._take_labels)

    def _take_labels(self) -> None:
        self.tree.collections = tuple(self._model.names_of(LabelKind.COLLECTION))
        self.recount()

    def _renamed(self, kind: str, name: str, new: str) -> None:
        """Keep a selected label selected under its new name."""
        facet = Facet.COLLECTION if kind == LabelKind.COLLECTION else Facet.TAG
        if name in self.tree.values(facet):
            self.tree.collections = (
                (*self.tree.collections, new) if facet is Facet.COLLECTION else self.tree.collections
            )
            self.tree.choose(facet, tuple(self.tree.values(facet) - {name} | {new}))

    def recount(self) -> None:
        """Count again after pages or filters have changed."""
        self._following.stop()
        self._totals = {}
        self._begin()

    def _begin(self) -> None:
        """Count the facets one by one, returning to the event loop in between."""
        self._left = [
            *((False, facet) for facet in Facet if facet not in self._totals),
            *((True, facet) for facet in Facet),
        ]
        self._counting.stop()
        self._stepping.start()

    def _count_next(self) -> None:
        if not self._left:
            return
        is_narrowed, facet = self._left.pop(0)
        if not is_narrowed:
            self._totals[facet] = self._model.facet_totals(facet)
            if len(self._totals) == len(Facet) and self.tree.show_totals(self._totals, self._model.total):
                self._unfold()
        else:
            narrowed = self._model.facet_counts(facet) if self._model.is_narrowed else self._totals[facet]
            self.tree.show_counts(facet, narrowed)
        if self._left:
            self._stepping.start()
        else:
            self.counted.emit()

    def _choose(self, facet: int, values: frozenset[str]) -> None:
        self._model.choose(facet, values)
        self._clear.setVisible(bool(self._model.chosen))
        self._begin()

    def _unfold(self) -> None:
        """Restore the folded headings. Folders of a site are folded unless one is selected."""
        folded = self._folded()
        with QSignalBlocker(self.tree):
            for facet in Facet:
                if (group := self.tree.item_of(facet)) is None:
                    continue
                group.setExpanded(facet.name not in folded)
                for value in self.tree.values(facet):
                    item = self.tree.item_of(facet, value)
                    site = item.parent() if item is not None else None
                    if site is not None and site is not group:
                        site.setExpanded(True)

    def _folded(self) -> set[str]:
        return set(self._memory.get(FOLDED, "").split())

    def _remember(self, item: FacetItem) -> None:
        if item.value:
            return
        folded = self._folded() - {item.facet.name} if item.isExpanded() else self._folded() | {item.facet.name}
        self._memory.set(FOLDED, " ".join(sorted(folded)))


MOST_LINES: Final = 6  # Maximum number of lines before the list scrolls.


class LibraryPicker(Card):
    """Visible only if a shared library is joined. `chosen` carries a library name, empty for the private one."""

    chosen = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=S, spacing=XS)
        self._context = context
        self.states: tuple[LibraryState, ...] = ()
        head = label(self.tr("Libraries"), "heading", margins=(XS, XS, 0, 0))
        self.list = SideList(self.tr("Libraries"))
        self.list.chosen.connect(self.chosen)
        self.body.addWidget(head)
        self.body.addWidget(self.list)
        self.hide()

    @property
    def current(self) -> LibraryState | None:
        return next((each for each in self.states if each.library.name == self.list.key), None)

    def look(self) -> None:
        self._context.ask(self, joined_states, self._take, lambda _error: None)

    def choose_private(self) -> None:
        """Return to the pages on this computer."""
        self.list.choose("")

    def _take(self, states: tuple[LibraryState, ...]) -> None:
        known = tuple(each for each in states if each.library.is_on)
        if known == self.states:
            return
        self.states = known
        named = ((each.library.name, each.library.title or each.library.name, state_words(each)) for each in known)
        entries = [(name, title, word if kind == "warning" else "") for name, title, (word, kind) in named]
        self.list.show_entries([("", self.tr("On this computer"), ""), *entries], self.list.key)
        self.list.setFixedHeight(self.list.height_of(MOST_LINES) + XS)
        self.chosen.emit(self.list.key)


class Side(QWidget):
    """Column with the choice of library and the filters of the private one."""

    def __init__(self, context: Context, facets: QWidget) -> None:
        super().__init__()
        self.picker = LibraryPicker(context)
        self.picker.setFixedWidth(facets.width())
        self._facets = facets
        column((self.picker, 0, Qt.AlignmentFlag.AlignTop), (facets, 1), spacing=M, parent=self)

    def place(self, *, is_wanted: bool, is_reading: bool) -> None:
        """Show what fits. The choice of library stays visible for a shared one, so that the user can go back."""
        is_shared = self.picker.current is not None
        self._facets.setVisible(is_wanted and not is_reading and not is_shared)
        self.picker.setVisible(bool(self.picker.states) and not is_reading and (is_wanted or is_shared))
        self.setVisible(not is_reading and (is_wanted or is_shared))


SKIPPED_WIDTH: Final = 560
_COUNT: Final = re.compile(r"[0-9][0-9,]*")


def count_left_out(folder: Folder) -> int:
    """Return how many files of a folder were skipped because they failed, are too large or of another kind."""
    # The sentence begins with the number.
    found = _COUNT.match(folder.left_out)
    return len(folder.unread) + (int(found[0].replace(",", "")) if found is not None else 0)


def reasons(folders: Sequence[Folder]) -> str:
    """Return for each folder with skipped files its path and, below it, the reasons."""
    known = [(folder.path, [*filter(None, (folder.left_out,)), *folder.unread]) for folder in folders]
    return "\n\n".join(
        "\n".join([short_path(path), *(f"  {spoken(text)}" for text in texts)]) for path, texts in known if texts
    )


class LeftOutLine(QWidget):
    """Note about skipped files. Hidden if there are none."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._folders: Sequence[Folder] = ()
        self._is_away = False
        self.words = label("", "muted")
        self.why = button(self.tr("Why?"), self.explain, "link")
        self.setLayout(row(ThemedIcon("info", 16), self.words, self.why, 1))
        self.hide()

    def look(self) -> None:
        self._context.ask(self, lambda engine: engine.jobs.folders(), self.show_folders, lambda _error: None)

    def follow(self, events: Sequence[Event]) -> None:
        """Reload after a folder was read."""
        if any(isinstance(event, JobChanged) and event.kind == FOLDER and event.state in ENDED for event in events):
            self.look()

    def show_folders(self, folders: Sequence[Folder]) -> None:
        self._folders = folders
        count = sum(map(count_left_out, folders))
        one = self.tr("1 file in your folders was skipped.")
        self.words.setText(counted(count, one, self.tr("{} files in your folders were skipped.")))
        self.setVisible(count > 0 and not self._is_away)

    def set_away(self, on: bool) -> None:
        """Hide the line while anything but the private library is shown."""
        self._is_away = on
        self.show_folders(self._folders)

    def explain(self) -> None:
        dialog = Dialog(self.window(), self.tr("Skipped files"), SKIPPED_WIDTH)
        text = TextBox(self.tr("Skipped files"), wrap=True)
        text.show_text(reasons(self._folders))
        close = row(1, button(self.tr("Close"), dialog.accept, "primary", default=True))
        dialog.lay_out(label(self.tr("Skipped files"), "heading"), text, close, margins=(XL, L, XL, L))
        dialog.open_once()
