"""Drag and drop anywhere on the window, and pasting outside its text boxes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Job
from app.desktop.intake.offer import Offer, offer_of, refusal
from app.desktop.intake.overlay import DropOverlay
from app.desktop.intake.texts import Things, things_in

_KINDS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.DragLeave, QEvent.Type.Drop)


class Intake(QObject):
    """Watches one window; `taken` gets what can be added of what came, which is found out on a worker thread."""

    def __init__(self, context: Context, window: QWidget, taken: Callable[[Offer], None]) -> None:
        super().__init__(window)
        self._context = context
        self._taken = taken
        self._looking: Job | None = None
        self.overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        paste = QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), window)
        paste.activated.connect(self.paste)

    def take(self, things: Things) -> None:
        """Offer what can be added of these things; say why if that is nothing."""
        self._forget()
        self._look(things, self._offer)

    def paste(self) -> None:
        """Offer what lies in the clipboard. A text without any address is nothing that belongs here."""
        things = things_in(QGuiApplication.clipboard().mimeData())
        if things and not _is_typing(QApplication.focusWidget()):
            self.take(things)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _KINDS:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.DragLeave:
            self._leave()
        elif isinstance(event, QDropEvent):
            self._hover_or_drop(event)
        return True

    def _hover_or_drop(self, event: QDropEvent) -> None:
        if not _may_hold_something(event.mimeData()) or event.source() is not None:
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if isinstance(event, QDragEnterEvent):
            self._enter(things_in(event.mimeData()))
        elif event.type() is QEvent.Type.Drop:
            self._leave()
            self.take(things_in(event.mimeData()))

    def _enter(self, things: Things) -> None:
        self._forget()
        if things.paths:
            self.overlay.show_waiting()
            self._look(things, self._show)
        else:
            self.overlay.show_offer(Offer(things.addresses))

    def _leave(self) -> None:
        self._forget()
        self.overlay.hide()

    def _look(self, things: Things, done: Callable[[Offer], None]) -> None:
        thread = self._context.thread
        self._looking = thread.run_blocking(lambda: offer_of(things), done, self._context.notifier.complain, owner=self)

    def _show(self, offer: Offer) -> None:
        if self.overlay.isVisible():
            self.overlay.show_offer(offer)

    def _offer(self, offer: Offer) -> None:
        if offer:
            self._taken(offer)
        else:
            self._context.notifier.complain(refusal(offer))

    def _forget(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None


def _may_hold_something(mime: QMimeData) -> bool:
    return mime.hasUrls() or mime.hasText()


def _is_typing(widget: QWidget | None) -> bool:
    """Whether pasting belongs to a text box."""
    if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit):
        return not widget.isReadOnly()
    return isinstance(widget, QComboBox) and widget.isEditable()
