"""What is asked: the question, the way to search, where, and the questions asked before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QVBoxLayout, QWidget

from app import caps
from app.desktop.icons import icon
from app.desktop.models.search_run import FILES, Asked
from app.desktop.tokens import M, S
from app.desktop.widgets import Segments, button, icon_button, label, row

MAX_KEPT = 30
"""Questions that are remembered until the application ends."""
SHOWN_CHARS = 70


class QueryBar(QWidget):
    """`asked` follows Enter, the button and every change of mode or place while there is a question; `cancelled` the same button and
    Esc while a search goes on; `left` the key Down, which goes on to the hits."""

    asked = Signal()
    cancelled = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._history: list[Asked] = []
        self._place = -1
        self._is_running = False
        self._build_question()
        self._build_choices()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        first = row(self.query, self.before, self.button, spacing=S)
        first.setStretch(0, 1)
        column.addLayout(first)
        column.addLayout(row(self.mode, self._place_label, self.place, 1, spacing=M))

    @property
    def question(self) -> Asked:
        """What stands there now."""
        return Asked(self.query.text().strip(), self.mode.value, str(self.place.currentData() or ""))

    def set_running(self, on: bool) -> None:
        """Offer to cancel while a search goes on."""
        self._is_running = on
        self.button.setText(self.tr("Cancel") if on else self.tr("Search"))

    def remember(self, asked: Asked) -> None:
        """Put a question in front of those that were asked."""
        self._history = [asked, *(each for each in self._history if each != asked)][:MAX_KEPT]
        self._place = 0
        self.before.setEnabled(True)

    def forget(self) -> None:
        """No question was asked."""
        self._history = []
        self._place = -1
        self.before.setEnabled(False)
        self.query.clear()

    @property
    def history(self) -> list[Asked]:
        """The questions of this session, the last one first."""
        return self._history

    def put(self, asked: Asked) -> None:
        """Write a question as it was asked."""
        self.query.setText(asked.query)
        self.mode.select(asked.mode)
        self._choose(asked.place)

    def show_places(self, places: Sequence[str]) -> None:
        """Offer these places; what is chosen stays chosen."""
        chosen = str(self.place.currentData() or "")
        self.place.blockSignals(True)
        self.place.clear()
        self.place.addItem(self.tr("Everywhere"), "")
        for each in [*places, *([chosen] if chosen and chosen not in places else [])]:
            self.place.addItem(self.tr("Files of this computer") if each == FILES else each, each)
        self._choose(chosen)
        self.place.blockSignals(False)

    def menu(self) -> QMenu:
        """The questions asked before, as the button shows them."""
        made = QMenu(self)
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for each in self._history:
            where = each.place if each.place != FILES else self.tr("Files of this computer")
            words = each.query if len(each.query) <= SHOWN_CHARS else f"{each.query[:SHOWN_CHARS]}…"
            action = made.addAction(f"{words}\t{where}".replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, each=each: self._ask_again(each))
        return made

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.query and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self._is_running:
                self.cancelled.emit()
                return True
            if event.key() == Qt.Key.Key_Down and self._place <= 0 and self.query.text():
                self.left.emit()
                return True
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self._history:
                self._step(1 if event.key() == Qt.Key.Key_Up else -1)
                return True
        return super().eventFilter(watched, event)

    def _build_question(self) -> None:
        self.query = QLineEdit()
        self.query.setProperty("role", "query")
        self.query.setPlaceholderText(self.tr("What do you want to know?"))
        self.query.setAccessibleName(self.tr("Question"))
        self.query.setMaxLength(caps.MAX_QUERY_CHARS)
        self.query.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.query.returnPressed.connect(self.asked)
        self.query.installEventFilter(self)
        self.before = icon_button("clock", self.tr("Questions asked before"), self._show_menu, self.tr("Up"))
        self.before.setEnabled(False)
        self.button = button(self.tr("Search"), self._press, "primary")
        self.button.setMinimumWidth(104)

    def _build_choices(self) -> None:
        self.mode = Segments(
            self.tr("Search mode"),
            (
                ("hybrid", self.tr("Both"), self.tr("By words and by meaning, then compared: what assistants use")),
                ("keyword", self.tr("Words"), self.tr("Only passages that hold the words")),
                ("meaning", self.tr("Meaning"), self.tr("Only passages that speak of the same, also in other words")),
            ),
        )
        self.mode.chosen.connect(lambda _mode: self._again())
        self.place = QComboBox()
        self.place.setMinimumWidth(180)
        self.place.setMaximumWidth(300)
        self.place.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.place.setToolTip(self.tr("Search only what is from this site or folder"))
        self._place_label = label(self.tr("In"), "muted")
        self._place_label.setBuddy(self.place)
        self.place.setAccessibleName(self.tr("Where to search"))
        self.show_places(())
        self.place.currentIndexChanged.connect(lambda _index: self._again())

    def _press(self) -> None:
        (self.cancelled if self._is_running else self.asked).emit()

    def _again(self) -> None:
        if self.query.text().strip():
            self.asked.emit()

    def _ask_again(self, asked: Asked) -> None:
        self.place.blockSignals(True)
        self.put(asked)
        self.place.blockSignals(False)
        self.asked.emit()

    def _choose(self, place: str) -> None:
        self.place.setCurrentIndex(max(0, self.place.findData(place)))

    def _step(self, by: int) -> None:
        """Go back through the questions, as in a shell."""
        if by > 0 and self.query.text().strip() != self._history[max(0, self._place)].query:
            self._place = -1
        self._place = min(len(self._history) - 1, max(-1, self._place + by))
        self.query.setText(self._history[self._place].query if self._place >= 0 else "")

    def _show_menu(self) -> None:
        self.menu().popup(self.before.mapToGlobal(self.before.rect().bottomLeft()))
