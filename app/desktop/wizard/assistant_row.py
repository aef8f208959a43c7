"""One assistant in the set-up: a tick, its name, where its settings are, how things stand."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.language import spoken
from app.desktop.models.assistants import short_path, with_short_paths
from app.desktop.tile import Tile
from app.desktop.tokens import M, S
from app.desktop.widgets import Badge, ElidedLabel, button, label
from app.desktop.wizard.connecting import Offer

TILE = 32


class AssistantRow(QWidget):
    """`ticked` follows the person's tick, `asked` a wish to see the change."""

    ticked = Signal()
    asked = Signal(str)

    def __init__(self, offer: Offer) -> None:
        super().__init__()
        self.offer = offer
        name = offer.profile.name
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(M)
        self.tick = QCheckBox()
        self.tick.setAccessibleName(self.tr("Connect {}").format(offer.profile.title))
        self.tick.clicked.connect(lambda: self.ticked.emit())
        picture = Tile(TILE)
        picture.show_assistant(name, offer.profile.title, present=True)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(label(offer.profile.title, "strong"))
        self.text = ElidedLabel("", "caption", Qt.TextElideMode.ElideMiddle)
        words.addWidget(self.text)
        self.hint = label("", "caption", wrap=True)
        self.hint.hide()
        words.addWidget(self.hint)
        self.badge = Badge()
        self.show_change = button(self.tr("Show change"), lambda: self.asked.emit(name), "link")
        self.show_change.setAccessibleName(self.tr("Show the change for {}").format(offer.profile.title))
        line.addWidget(self.tick)
        line.addWidget(picture)
        line.addLayout(words, 1)
        line.addWidget(self.badge)
        line.addSpacing(S)
        line.addWidget(self.show_change)
        self._show()

    @property
    def is_chosen(self) -> bool:
        return self.tick.isEnabled() and self.tick.isChecked()

    def show_failure(self, problem: str) -> None:
        """It could not be written."""
        self.badge.show_text(self.tr("Problem"), "error")
        self.text.show_text(with_short_paths(problem))

    def show_connected(self) -> None:
        """Its files have the entry now."""
        self.tick.setChecked(True)
        self.tick.setEnabled(False)
        self.badge.show_text(self.tr("Connected"), "good")
        self.show_change.hide()
        self.hint.setText(spoken(self.offer.profile.after_change))
        self.hint.setVisible(bool(self.hint.text()))
        self.text.setHidden(bool(self.hint.text()))

    def _show(self) -> None:
        if self.offer.problem:
            self.tick.setEnabled(False)
            self.show_change.hide()
            self.show_failure(self.offer.problem)
        elif self.offer.is_connected:
            self.show_connected()
            self.hint.hide()
            self.text.show()
            self.text.show_text(self._paths())
        else:
            self.tick.setChecked(True)
            self.text.show_text(self._paths())

    def _paths(self) -> str:
        return ", ".join(short_path(str(file.path)) for file in self.offer.state.files)
