"""Drag and drop anywhere on the window with a preview of the action, and pasting outside text fields."""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QFrame, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Latest
from app.desktop.offer import Offer, Things, offer_of, offer_text, offer_title, refusal, things_in
from app.desktop.theme import colours, fill_shape
from app.desktop.tokens import XL, XS, L
from app.desktop.widgets import ElidedLabel, ThemedIcon, column, label, row

WIDTH = 400
BORDER = 3
DIMMED = QtGui.QColor(10, 14, 20, 150)


class DropOverlay(QWidget):
    """An overlay over its parent that lets mouse and drag events pass through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Drop to add"))
        self._refuses = False
        self._card = QFrame(self)
        self._card.setProperty("role", "toast")
        self._card.setFixedWidth(WIDTH)
        self._icon = ThemedIcon("export", 28, "accent_text")
        self.title = ElidedLabel("", "heading")
        self.text = label("", "muted", wrap=True)
        words = column(self.title, self.text, spacing=2)
        row(self._icon, (words, 1), spacing=L, margins=(XL, L, XL, L), parent=self._card)
        self.hide()

    def show_waiting(self) -> None:
        self._show(self.tr("Add to the library"), self.tr("Checking the content…"), refuses=False)

    def show_offer(self, offer: Offer) -> None:
        """Show what dropping does, or why it is not possible."""
        self._show(offer_title(offer), offer_text(offer), refuses=not offer)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        scheme = colours()
        with QtGui.QPainter(self) as painter:
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), DIMMED)
            inner = QRectF(self.rect()).adjusted(BORDER / 2, BORDER / 2, -BORDER / 2, -BORDER / 2)
            fill_shape(painter, inner, "", XS, edge=scheme.danger if self._refuses else scheme.accent, width=BORDER)

    def _show(self, title: str, text: str, *, refuses: bool) -> None:
        self._refuses = refuses
        self._icon.show_icon("error" if refuses else "export", "danger" if refuses else "accent_text")
        self.title.show_text(title)
        self.text.setText(text)
        # Show it first, because a layout with parts that were never visible can count as empty.
        self.show()
        self.raise_()
        self.place()
        self.update()

    def place(self) -> None:
        """Cover the parent."""
        area, layout = self._area.rect(), self._card.layout()
        self.setGeometry(area)
        height = layout.totalHeightForWidth(WIDTH) if layout is not None else 0
        self._card.setGeometry((area.width() - WIDTH) // 2, (area.height() - height) // 2, WIDTH, height)


class Intake(QObject):
    """The drags and pastes of a window. Calls `taken` with the content that can be added, after checking it on a worker thread."""

    def __init__(self, context: Context, window: QWidget, taken: Callable[[Offer], None]) -> None:
        super().__init__(window)
        self._context = context
        self._taken = taken
        self._looking = Latest(context.thread, self)
        self.overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        paste = QtGui.QShortcut(QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Paste), window)
        paste.activated.connect(self.paste)

    def take(self, things: Things) -> None:
        """Offer to add the usable content, or show why there is none."""
        self._look(things, self._offer)

    def paste(self) -> None:
        """Offer to add the clipboard content. Ignores text without an address."""
        things, field = things_in(QtGui.QGuiApplication.clipboard().mimeData()), QApplication.focusWidget()
        # A text field handles the paste.
        is_typing = isinstance(field, QLineEdit | QTextEdit | QPlainTextEdit) and not field.isReadOnly()
        if things and not is_typing and not (isinstance(field, QComboBox) and field.isEditable()):
            self.take(things)

    def hover_or_drop(self, event: QtGui.QDropEvent) -> None:
        """Handle a drag that enters the window, moves over it or ends there."""
        mime = event.mimeData()
        if not (mime.hasUrls() or mime.hasText()) or event.source() is not None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() is QEvent.Type.Drop:
            self.leave()
            self.take(things_in(mime))
        elif isinstance(event, QtGui.QDragEnterEvent):
            things = things_in(mime)
            self._looking.cancel()
            if things.paths:
                self.overlay.show_waiting()
                self._look(things, self._show)
            else:
                self.overlay.show_offer(Offer(things.addresses))

    def leave(self) -> None:
        """Hide the offer, because the drag has ended or left the window."""
        self._looking.cancel()
        self.overlay.hide()

    def _look(self, things: Things, done: Callable[[Offer], None]) -> None:
        self._looking.run(lambda: offer_of(things), done, self._context.notifier.complain)

    def _show(self, offer: Offer) -> None:
        if self.overlay.isVisible():
            self.overlay.show_offer(offer)

    def _offer(self, offer: Offer) -> None:
        if offer:
            self._taken(offer)
        else:
            self._context.notifier.complain(refusal(offer))
