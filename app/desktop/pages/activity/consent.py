"""Consent to save the questions of assistants: the card that asks, and whether it was answered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from app import caps
from app.desktop.context import Context
from app.desktop.panels import Card
from app.desktop.tokens import L, M, S
from app.desktop.widgets import ThemedIcon, button, column, label, row
from app.desktop.wording import number, translator

_tr = translator("Consent")

SETTING = "keep_questions"
ANSWERED = "asked/questions"  # Key in the window's memory: whether the user was asked.


def are_kept(context: Context) -> bool:
    """Whether questions are currently saved."""
    return bool(context.settings.value(SETTING)) and bool(context.settings.value("activity_log"))


def is_open(context: Context) -> bool:
    """Whether the user has not decided yet."""
    decided = are_kept(context) or bool(context.settings.overridden_by(SETTING))
    return not decided and not context.memory.get(ANSWERED, False)


def keep(context: Context, on: bool) -> None:
    """Apply the user's decision and remember that they were asked, unless it could not be saved."""
    is_recorded = not on or context.settings.value("activity_log") or context.save("activity_log", True)
    if is_recorded and (bool(context.settings.value(SETTING)) == on or context.save(SETTING, on)):
        context.memory.set(ANSWERED, True)


def terms() -> str:
    return _tr(
        "Activity then shows each question with the passages that answered it. WebRAG keeps questions for {} days in a "
        "separate file on this computer only. They are never part of a backup or a log, and you can erase them at any "
        "time."
    ).format(number(caps.QUESTION_DAYS))


class ConsentCard(Card):
    """Asks once for consent to save questions. `answered` is emitted after either button.

    `short` shows everything on one line with abbreviated terms; the full terms are in the tooltip.
    """

    answered = Signal()

    def __init__(self, context: Context, *, short: bool = False) -> None:
        super().__init__(spacing=M, margin=M if short else L)
        self._context = context
        question = label(self.tr("Save the questions of your assistants?"), "strong", wrap=True)
        self.yes = button(self.tr("Save questions"), lambda: self._answer(True), "primary")
        self.no = button(self.tr("Do not save"), lambda: self._answer(False))
        in_short = _tr("Kept for {} days, on this computer only. You can erase them at any time.")
        explained = in_short.format(number(caps.QUESTION_DAYS)) if short else terms()
        words = column(question, label(explained, "muted", wrap=True), spacing=1 if short else S)
        line = row((ThemedIcon("quote", 22, "accent_text"), 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=L)
        if short:
            self.setToolTip(terms())
            for made in (self.yes, self.no):
                made.setAccessibleDescription(terms())
            line.addLayout(row(self.yes, self.no))
        else:
            words.addLayout(row(self.yes, self.no, 1))
        self.body.addLayout(line)

    def _answer(self, on: bool) -> None:
        keep(self._context, on)
        self.answered.emit()
