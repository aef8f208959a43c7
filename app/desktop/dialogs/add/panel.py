"""Parts of the Add dialog: the base class of its panels, remedies for errors, an address box, a tree with check boxes, and a card."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from app import caps, errors
from app.desktop.context import Context
from app.desktop.engine_thread import Engine, Latest
from app.desktop.engine_thread import Job as Work
from app.desktop.offer import looks_like_address, things_in
from app.desktop.theme import colours
from app.desktop.tokens import L, M
from app.desktop.widgets import Part, column, held, label, progress_bar, set_up_view
from app.desktop.wording import plain_tip, speak, translator
from app.errors import WebRAGError
from app.events import ProgressCallback
from app.library.job_records import Job

MAX_LINES = 4
COLLECTION_WIDTH: Final = 200
PADDING = 8  # Space above and below the text, including the border of the style sheet.

KEY_ROLE: Final = Qt.ItemDataRole.UserRole
NAME, FACT = 0, 1
_CHECKED, _PARTLY, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked
_BOX: Final = Qt.ItemFlag.ItemIsUserCheckable


class CollectionBox(QtWidgets.QComboBox):
    """Names an existing or new collection, or none."""

    def __init__(self) -> None:
        super().__init__(editable=True, insertPolicy=QtWidgets.QComboBox.InsertPolicy.NoInsert)
        self.setMinimumWidth(COLLECTION_WIDTH)
        self.setAccessibleName(self.tr("Collection for new pages"))
        self.setToolTip(self.tr("New pages go to this collection. Enter a new name to create one."))
        line = self.lineEdit()
        if line is not None:
            line.setMaxLength(caps.MAX_LABEL_CHARS)
            line.setPlaceholderText(self.tr("No collection"))
        self.setCurrentIndex(-1)

    def offer(self, names: Sequence[str]) -> None:
        """Offer these names and keep the text."""
        written = self.currentText()
        self.clear()
        self.addItems(list(names))
        self.setCurrentIndex(-1)
        self.setEditText(written)

    @property
    def name(self) -> str:
        """The selected or typed name, empty for none."""
        return " ".join(self.currentText().split())


class AddressBox(QtWidgets.QPlainTextEdit):
    """Addresses, one per line. `entered` is emitted on Enter (Shift+Enter starts a new line), `pasted` after pasting."""

    entered = Signal()
    pasted = Signal()

    def __init__(self, text: str, name: str, placeholder: str) -> None:
        super().__init__(text, placeholderText=placeholder, tabChangesFocus=True)
        self.setAccessibleName(name)
        self.setLineWrapMode(QtWidgets.QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setViewportMargins(0, 0, 0, 0)
        self.textChanged.connect(self._fit)
        self.selectAll()
        self._fit()

    def text(self) -> str:
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """Replace the text, and move the cursor to its end."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert only the addresses of a text that contains any."""
        things = things_in(source)
        lines = [*things.addresses, *map(str, things.paths)]
        self.insertPlainText("\n".join(lines) if lines else source.text().strip())
        # The preview starts once the text is complete.
        QTimer.singleShot(0, self, self.pasted.emit)

    def _fit(self) -> None:
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if self.blockCount() > MAX_LINES else policy.ScrollBarAlwaysOff
        )
        if self.blockCount() <= MAX_LINES:
            # The box has scrolled to the cursor before it grew, so scroll back.
            QTimer.singleShot(0, self, lambda: self.verticalScrollBar().setValue(0))
        lines = max(1, min(self.blockCount(), MAX_LINES))
        self.setFixedHeight(lines * QFontMetrics(self.font()).lineSpacing() + 2 * PADDING)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()


class TickTree(QtWidgets.QTreeWidget):
    """Rows with check boxes; a branch covers all rows below it. `ticked` is emitted after every change by the user."""

    ticked = Signal()
    branches_hold = False
    """Whether a branch covers more than the rows below it, so that deselecting all of them does not deselect it."""

    def __init__(self, name: str) -> None:
        super().__init__(columnCount=2)
        self.setProperty("role", "ticks")
        set_up_view(self, name)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(18)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QtWidgets.QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(FACT, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.itemChanged.connect(self._changed)

    def add(
        self, name: str, fact: str, key: str, parent: QtWidgets.QTreeWidgetItem | None = None, *, with_box: bool = True
    ) -> QtWidgets.QTreeWidgetItem:
        """Add a selected row. `key` identifies it in `left_out` and `kept`."""
        made = QtWidgets.QTreeWidgetItem([name, fact])
        made.setData(NAME, KEY_ROLE, key)
        made.setTextAlignment(FACT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made.setForeground(FACT, QBrush(QColor(colours().muted)))
        if with_box:
            made.setFlags(made.flags() | _BOX)
            made.setCheckState(NAME, _CHECKED)
        else:
            made.setForeground(NAME, QBrush(QColor(colours().muted)))
        with QSignalBlocker(self):
            (parent or self.invisibleRootItem()).addChild(made)
        return made

    def show_fact(self, item: QtWidgets.QTreeWidgetItem, fact: str, tip: str = "", *, is_bad: bool = False) -> None:
        """Replace the text at the right of a row."""
        with QSignalBlocker(self):
            item.setText(FACT, fact)
            item.setForeground(FACT, QBrush(QColor(colours().danger if is_bad else colours().muted)))
            for place in (NAME, FACT):
                item.setToolTip(place, plain_tip(tip))
        self.viewport().update()

    def untick(self, item: QtWidgets.QTreeWidgetItem) -> None:
        item.setCheckState(NAME, _UNCHECKED)

    def kept(self) -> list[str]:
        """Return the keys of the selected leaf rows."""
        return [key_of(item) for item in self.rows() if item.checkState(NAME) is _CHECKED and not item.childCount()]

    def left_out(self) -> list[str]:
        """Return the keys of the deselected rows. A completely deselected branch is listed instead of its rows."""
        found: list[str] = []
        waiting = _children(self.invisibleRootItem())
        while waiting:
            item = waiting.pop(0)
            if not item.flags() & _BOX:
                continue
            if item.checkState(NAME) is _UNCHECKED:
                found.append(key_of(item))
            else:
                waiting += _children(item)
        return found

    def rows(self) -> Iterator[QtWidgets.QTreeWidgetItem]:
        """Iterate over all rows from top to bottom."""
        waiting = _children(self.invisibleRootItem())[::-1]
        while waiting:
            item = waiting.pop()
            yield item
            waiting += _children(item)[::-1]

    def _changed(self, item: QtWidgets.QTreeWidgetItem, column: int) -> None:
        if column != NAME or not item.flags() & _BOX:
            return
        with QSignalBlocker(self):
            if item.checkState(NAME) is not _PARTLY:
                _tick_below(item, item.checkState(NAME))
            above = item.parent()
            while above is not None:
                # A branch is checked, unchecked or partially checked depending on its rows.
                states = {child.checkState(NAME) for child in _children(above) if child.flags() & _BOX}
                state = states.pop() if len(states) == 1 else _PARTLY
                above.setCheckState(NAME, _PARTLY if state is _UNCHECKED and self.branches_hold else state)
                above = above.parent()
        self.viewport().update()
        self.ticked.emit()


def _tick_below(item: QtWidgets.QTreeWidgetItem, state: Qt.CheckState) -> None:
    for child in _children(item):
        if child.flags() & _BOX:
            child.setCheckState(NAME, state)
            _tick_below(child, state)


def key_of(item: QtWidgets.QTreeWidgetItem) -> str:
    return str(item.data(NAME, KEY_ROLE))


def _children(item: QtWidgets.QTreeWidgetItem) -> list[QtWidgets.QTreeWidgetItem]:
    found = (item.child(place) for place in range(item.childCount()))
    return [child for child in found if child is not None]


class StackedCard(QtWidgets.QFrame):
    """A card with several sides. The first one shows a sentence or progress; others are added."""

    def __init__(self, least_height: int) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setMinimumHeight(least_height)
        self._hint = label("", "muted", wrap=True, align=Qt.AlignmentFlag.AlignHCenter)
        self._bar = progress_bar(180)
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        self._stack = QtWidgets.QStackedLayout(self)
        bar = (self._bar, 0, Qt.AlignmentFlag.AlignHCenter)
        self._waiting = self.add_side(1, self._hint, bar, 1, spacing=M, margin=L)

    def add_side(self, *parts: Part, spacing: int, margin: int = M) -> QtWidgets.QWidget:
        """Add a side with these parts. `margin` is the space above and below."""
        side = held(column(*parts, spacing=spacing, margins=(L, margin, L, margin)))
        self._stack.addWidget(side)
        return side

    def show_side(self, side: QtWidgets.QWidget) -> None:
        self._stack.setCurrentWidget(side)

    def show_words(self, text: str, *, is_busy: bool = False) -> None:
        """Show a sentence, with a progress bar if busy."""
        self._bar.setVisible(is_busy)
        self._hint.setText(text)
        self.show_side(self._waiting)


_tr = translator("AddPanel")

MAX_QUOTED_CHARS = 40

BUSY_STATUS = 429


class AddPanel(QWidget):
    """One way of adding content. The surrounding dialog shows its messages and starts it.

    `busy` carries the current activity (empty: done), `failed` a WebRAGError or None, `added` the IDs of stored documents, `job_begun` the
    ID of a job, `folder_begun` the ID of a folder job and its path. `finished` is emitted when everything is done, `renamed` when `action`,
    the label of the start button, or `can_start` has changed. `handed_on` carries paths for another panel.
    """

    busy = Signal(str)
    failed = Signal(object)
    added = Signal(list)
    job_begun = Signal(int)
    folder_begun = Signal(int, str)
    finished = Signal()
    renamed = Signal()
    handed_on = Signal(object)
    _progressed = Signal(str)
    field: QWidget  # The main input.

    def __init__(self, context: Context, action: str, text: str) -> None:
        """Create the panel. `action` is the label of the start button, `text` explains what it adds."""
        super().__init__()
        self.action = self._usual_action = action
        self.context = context
        self.problem: WebRAGError | None = None  # Why the current input could not be added.
        self._work: Work | None = None
        self._again: Callable[[], None] | None = None
        self._looking = Latest(context.thread, self)
        self.column = column(label(text, "muted", wrap=True), parent=self)
        self._progressed.connect(self.busy, Qt.ConnectionType.QueuedConnection)
        self.failed.connect(self._note_problem)

    @abstractmethod
    def start(self) -> None:
        """Start adding the input."""

    def press(self) -> None:
        """Do what the button labeled `action` does."""
        self.start()

    def open_up(self) -> None:
        """Called when the panel is shown."""

    def take_focus(self) -> None:
        self.field.setFocus()

    @property
    def can_start(self) -> bool:
        return True

    def rename(self, action: str) -> None:
        if action != self.action:
            self.action = action
            self.renamed.emit()

    def again(self) -> None:
        if self._again is not None:
            self._again()

    def stop(self) -> None:
        """Cancel the current activity. Background jobs continue."""
        self._stop_looking()
        if self._work is not None:
            self._work.cancel()

    def _stop_looking(self) -> None:
        """Cancel the preview and drop its result."""
        self._looking.cancel()

    def progress(self) -> ProgressCallback:
        """Return a callback for progress from the engine's thread."""

        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._progressed.emit(detail)

        return report

    def run(self, words: str, work: Callable[[Engine], Awaitable[Any]], done: Callable[[Any], None]) -> None:
        """Run `work` on the engine's thread, and call `done` with its result or show the error."""
        self._again = lambda: self.run(words, work, done)
        self.failed.emit(None)
        self.busy.emit(words)

        def finish(result: Any) -> None:
            self.busy.emit("")
            done(result)

        def fail(error: WebRAGError) -> None:
            self.busy.emit("")
            self.failed.emit(error)

        self._work = self.context.ask(self, work, finish, fail)

    def _note_problem(self, error: WebRAGError | None) -> None:
        self.problem = error
        self._name_action()

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _name_action(self) -> None:
        """Label the start button. After an error, it only offers to try anyway."""
        self.rename(self._usual_action if self.problem is None else _tr("Add anyway"))

    def forget_problem(self) -> None:
        """Clear the error after the input has changed."""
        if self.problem is not None:
            self.failed.emit(None)


def address_in(text: str) -> str:
    """Return the text if it looks like one web address, otherwise an empty string."""
    stripped = text.strip()
    is_address = stripped.startswith(("http://", "https://")) and not any(part.isspace() for part in stripped)
    return stripped if is_address and len(stripped) < 2_048 else ""


def typed_addresses(text: str) -> tuple[str, ...]:
    """Return the addresses among the typed words, which commas can separate, with a scheme and without duplicates."""
    words = (word.strip(",;") for word in text.split())
    return tuple(dict.fromkeys(with_scheme(word) for word in words if looks_like_address(word)))


def no_address(text: str) -> WebRAGError:
    words = " ".join(text.split())
    shown = words if len(words) <= MAX_QUOTED_CHARS else f"{words[:MAX_QUOTED_CHARS]}…"
    message = _tr("“{}” is not a web address.").format(shown)
    return speak(errors.InvalidURLError(message, hint=address_example()))


def address_example() -> str:
    return _tr("Enter an address such as example.com/page or https://example.com.")


def with_scheme(address: str) -> str:
    """Return a typed address with a scheme, https:// by default."""
    return address if "://" in address else f"https://{address}"


class Remedy(StrEnum):
    """Action of the button next to an error."""

    SETTING = "setting"
    BROWSER = "browser"
    AGAIN = "again"
    NONE = ""

    @property
    def words(self) -> str:
        """The label of the button, empty for none."""
        words = {
            Remedy.SETTING: _tr("Open setting"),
            Remedy.BROWSER: _tr("Open in browser"),
            Remedy.AGAIN: _tr("Try again"),
        }
        return words.get(self, "")


def remedy_of(error: WebRAGError) -> Remedy:
    """Return the remedy: a setting, the browser for pages only it can show, or another try."""
    if isinstance(error, errors.InvalidURLError) or not isinstance(error, errors.FetchError):
        return Remedy.NONE
    if isinstance(error, errors.SkeletonPageError):
        from app.web.rendering import available

        return Remedy.SETTING if available() else Remedy.BROWSER
    if isinstance(error, errors.AddressDeniedError | errors.RobotsDeniedError):
        return Remedy.SETTING
    if isinstance(error, errors.ContentProtectedError | errors.EmptyPageError | errors.UnsupportedContentError):
        return Remedy.BROWSER
    if isinstance(error, errors.HTTPStatusError) and error.status < 500 and error.status != BUSY_STATUS:
        return Remedy.BROWSER
    return Remedy.AGAIN


def setting_of(error: WebRAGError) -> str:
    """Return the setting that allows or enables what failed."""
    if isinstance(error, errors.AddressDeniedError):
        return "deny_hosts" if "blocked sites" in str(error) else "allow_networks"
    return "robots_policy" if isinstance(error, errors.RobotsDeniedError) else "render_pages"
