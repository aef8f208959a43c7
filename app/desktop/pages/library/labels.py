"""Collections and tags in the Library: the menus that add and remove them, the bar below a page, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QMenu, QPushButton, QWidget

from app import caps
from app.corpus.records import LabelKind
from app.desktop.models.labels import COLLECTION, ICONS, TAG, LabelActions, kind_title, labels_of
from app.desktop.models.library import LibraryModel
from app.desktop.pages.parts import new_menu
from app.desktop.panels import Dialog
from app.desktop.theme import icon
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import button, label, row
from app.desktop.wording import plain_tip, translator
from app.library.records import DocumentSummary

MAX_IN_MENU: Final = 40  # Maximum number of names in a menu. Others are entered by name.
_tr = translator("Labels")


class NameDialog(Dialog):
    """Asks for the name of a collection or a tag, with completion of `known` names."""

    def __init__(self, parent: QWidget, title: str, name: str = "", known: Sequence[str] = ()) -> None:
        super().__init__(parent, title, 380)
        self.line = QLineEdit(name, maxLength=caps.MAX_LABEL_CHARS)
        self.line.setAccessibleName(self.tr("Name"))
        completer = QCompleter(list(known), self.line, caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.line.setCompleter(completer)
        self.line.selectAll()
        self.done_button = button(self.tr("Save"), self.accept, "primary", default=True)
        self.line.textChanged.connect(self._enable)
        buttons = row(1, button(self.tr("Cancel"), self.reject), self.done_button)
        self.lay_out(label(title, "heading"), self.line, buttons)
        self._enable()

    @property
    def name(self) -> str:
        return " ".join(self.line.text().split())

    def _enable(self) -> None:
        self.done_button.setEnabled(bool(self.name))


@dataclass(frozen=True, slots=True)
class LabelMenus:
    """Menus and dialogs about labels for the pages of a model. `add_more` extends the menu of a label."""

    model: LibraryModel
    actions: LabelActions
    window: QWidget
    add_more: Callable[[QMenu, LabelKind, str], None]

    def add_to(self, menu: QMenu, rows: Sequence[DocumentSummary]) -> None:
        """Add two submenus for collections and tags of the pages. Labels that all pages have are checked."""
        ids = [each.id for each in rows]
        for kind in (COLLECTION, TAG):
            below = menu.addMenu(icon(ICONS[kind]), kind_title(kind))
            below.setEnabled(bool(rows))
            counts = Counter(name for each in rows for name in labels_of(each, kind))
            known = sorted(self.model.names_of(kind), key=lambda name: (-counts[name], name.casefold()))
            for name in sorted(known[:MAX_IN_MENU], key=str.casefold):
                action = below.addAction(name.replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(counts[name] == len(rows))
                action.triggered.connect(
                    lambda on, kind=kind, name=name: (self.actions.add if on else self.actions.remove)(kind, name, ids)
                )
            if known:
                below.addSeparator()
            words = _tr("New collection…") if kind is COLLECTION else _tr("Other tag…")
            below.addAction(icon("add"), words).triggered.connect(lambda _=False, kind=kind: self.ask_new(kind, rows))

    def menu(self, rows: Sequence[DocumentSummary]) -> QMenu:
        made = new_menu(self.window)
        self.add_to(made, rows)
        return made

    def ask_new(self, kind: LabelKind, rows: Sequence[DocumentSummary]) -> None:
        """Ask for a name and add it to pages. A new collection can be empty."""
        title = _tr("New collection") if kind is COLLECTION else _tr("Add tag")
        self._ask(title, "", self.model.names_of(kind), lambda name: self.actions.add(kind, name, [r.id for r in rows]))

    def ask_rename(self, kind: LabelKind, name: str) -> None:
        title = _tr("Rename collection") if kind is COLLECTION else _tr("Rename tag")
        self._ask(title, name, (), lambda new: self.actions.rename(kind, name, new))

    def of_label(self, kind: LabelKind, name: str) -> QMenu:
        """Create the menu of a collection or a tag itself."""
        words = _tr("Delete collection") if kind is COLLECTION else _tr("Delete tag")
        entries = (
            (f"{_tr('Rename…')}\tF2", "settings", lambda: self.ask_rename(kind, name), True),
            (f"{words}\t{_tr('Del')}", "trash", lambda: self.actions.delete(kind, name), True),
        )
        made = new_menu(self.window, entries)
        self.add_more(made, kind, name)
        return made

    def _ask(self, title: str, name: str, known: Sequence[str], done: Callable[[str], object]) -> None:
        dialog = NameDialog(self.window, title, name, known)
        dialog.accepted.connect(lambda: done(dialog.name))
        dialog.open_once()


class LabelBar(QWidget):
    """The collections and tags of the current page, as many as fit. A click shows the other pages with the label.

    `chosen` carries kind and name, `menu_wanted` the widget for the menu of all labels.
    """

    chosen = Signal(str, str)
    menu_wanted = Signal(QWidget)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_tr("Collections and tags"))
        self.chips: list[QPushButton] = []
        self._line = row(spacing=XS, margins=(M, S, M, XS))
        self.setLayout(self._line)
        self.setMinimumWidth(0)
        self._shown: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._more = button("", lambda: self.menu_wanted.emit(self._more), "link", name=_tr("Collections and tags"))
        self._line.addWidget(self._more)
        self._line.addStretch(1)
        self.hide()

    def show_labels(self, summary: DocumentSummary | None) -> None:
        """Show the labels of another page, or nothing for a page without any."""
        shown = (summary.collections, summary.tags) if summary is not None else ((), ())
        if shown == self._shown:
            return
        self._shown = shown
        for chip in self.chips:
            self._line.removeWidget(chip)
            chip.deleteLater()
        self.chips = [
            self._chip(kind, name) for kind, names in zip((COLLECTION, TAG), shown, strict=True) for name in names
        ]
        before: QWidget = self._more
        for place, chip in enumerate(self.chips):
            self._line.insertWidget(place, chip)
            # Otherwise widgets created later would be last in the tab order.
            QWidget.setTabOrder(before, chip)
            before = chip
        if self.chips:
            QWidget.setTabOrder(before, self._more)
        self.setVisible(bool(self.chips))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _chip(self, kind: LabelKind, name: str) -> QPushButton:
        made = button("", lambda: self.chosen.emit(kind.value, name), "chip", ICONS[kind], tip=plain_tip(name))
        made.setText(made.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, 180).replace("&", "&&"))
        words = _tr("Collection {}") if kind is COLLECTION else _tr("Tag {}")
        made.setAccessibleName(words.format(name))
        return made

    def _fit(self) -> None:
        """Show as many as fit, and the number of others."""
        left = self.width() - 2 * M - 64
        hidden = 0
        for chip in self.chips:
            left -= chip.sizeHint().width() + XS
            chip.setVisible(left > 0 and not hidden)
            hidden += not (left > 0 and not hidden)
        self._more.setVisible(hidden > 0)
        self._more.setText(f"+{hidden}")
        self._more.setAccessibleName(_tr("{} more").format(hidden))
