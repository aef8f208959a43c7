"""The question before what cannot be undone, or is more than one may have meant."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from app.desktop.tips import plain_tip

Button = QMessageBox.StandardButton


def is_agreed(parent: QWidget | None, title: str, question: str, yes: Button = Button.Yes) -> bool:
    """Whether the person wants it; Cancel is what Return chooses. The question may hold words of pages and files."""
    # Like a tooltip, a message box guesses whether a text is HTML.
    return QMessageBox.question(parent, title, plain_tip(question), yes | Button.Cancel, Button.Cancel) == yes
