"""What is recorded of calls, in plain words; switched on and off, and erased, in one place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.panels import Line
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import Switch, button, label, row
from app.errors import SettingsError

SETTING = "activity_log"
WIDTH = 480


class RecordingDialog(QDialog):
    """A switch, and a button that erases everything."""

    def __init__(self, context: Context, erase: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle(self.tr("What is recorded"))
        self.setFixedWidth(WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(M)
        kept = self.tr(
            "Of each call WebRAG keeps the time, the assistant, the tool, the addresses of the pages, how long it took and "
            "how many tokens went back. Questions and texts are kept only while diagnostic logging is on, and nothing leaves "
            "this computer."
        )
        column.addWidget(label(kept, wrap=True))
        column.addWidget(Line())
        column.addLayout(self._switch_line())
        off = self.tr(
            "Switched off, calls are still shown while WebRAG runs, but nothing of them is written down: there are no new "
            "numbers under Tokens, and answers no longer say what changed since a page was last cited."
        )
        column.addWidget(label(off, "muted", wrap=True))
        column.addWidget(Line())
        gone = self.tr("Erasing removes all calls and numbers recorded so far. Pages and answers are not touched.")
        column.addWidget(label(gone, "muted", wrap=True))
        self.erase_button = button(self.tr("Erase the record"), erase, "danger", "trash")
        close = button(self.tr("Close"), self.accept, "primary")
        close.setDefault(True)
        column.addSpacing(S)
        column.addLayout(row(self.erase_button, 1, close))

    def showEvent(self, event: QShowEvent) -> None:
        """As high as the wrapped texts need at this width."""
        layout = self.layout()
        if layout is not None:
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
        super().showEvent(event)

    def _switch_line(self) -> QVBoxLayout:
        self.switch = Switch()
        self.switch.setAccessibleName(self.tr("Record calls"))
        self.switch.setChecked(bool(self._context.settings.value(SETTING)))
        variable = self._context.settings.overridden_by(SETTING)
        self.switch.setEnabled(not variable)
        self.switch.toggled.connect(self._set_recording)
        words = label(self.tr("Record calls"), "strong")
        words.setBuddy(self.switch)
        column = QVBoxLayout()
        column.setSpacing(S)
        column.addLayout(row(words, 1, self.switch))
        if variable:
            note = self.tr("Set by the environment variable {}.").format(variable)
            column.addWidget(label(note, "muted", wrap=True))
        return column

    def _set_recording(self, on: bool) -> None:
        try:
            self._context.settings.save(SETTING, on)
        except SettingsError as error:
            self._context.notifier.complain(error)
