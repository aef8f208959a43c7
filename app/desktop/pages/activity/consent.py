"""Whether the questions of assistants may be kept: the card that asks, and what remembers that it was answered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from app import caps
from app.desktop.context import Context
from app.desktop.panels import Card
from app.desktop.tokens import L, M, S
from app.desktop.widgets import ThemedIcon, button, column, label, row
from app.desktop.wording import number, translator
from app.errors import SettingsError

_tr = translator("Consent")

SETTING = "keep_questions"
ANSWERED = "asked/questions"
"""Where the window remembers that the person was asked."""


def are_kept(context: Context) -> bool:
    """Whether questions are kept now."""
    return bool(context.settings.value(SETTING)) and bool(context.settings.value("activity_log"))


def is_open(context: Context) -> bool:
    """Whether the person has still to be asked."""
    decided = are_kept(context) or bool(context.settings.overridden_by(SETTING))
    return not decided and not context.memory.value(ANSWERED, False, type=bool)


def keep(context: Context, on: bool) -> None:
    """Carry out what the person decided, and remember that they did."""
    context.memory.setValue(ANSWERED, True)
    try:
        if on and not context.settings.value("activity_log"):
            context.settings.save("activity_log", True)
        if bool(context.settings.value(SETTING)) != on:
            context.settings.save(SETTING, on)
    except SettingsError as error:
        context.notifier.complain(error)


def terms() -> str:
    """What is agreed to, in words."""
    return _tr(
        "Each day then reads as a conversation: what was asked, which passages answered it, what failed. Questions are kept "
        "for {} days in a file of their own on this computer. They never leave it, are in no backup and no log, and can be "
        "erased at any time."
    ).format(number(caps.QUESTION_DAYS))


class ConsentCard(Card):
    """Asks once; the settings can change it later. `answered` follows either button.

    `short` lays it out in one line above something else, with the terms in few words and as a tooltip.
    """

    answered = Signal()

    def __init__(self, context: Context, *, short: bool = False) -> None:
        super().__init__(spacing=M, margin=M if short else L)
        self._context = context
        question = label(self.tr("Keep the questions of your assistants?"), "strong", wrap=True)
        self.yes = button(self.tr("Keep questions"), lambda: self._answer(True), "primary")
        self.no = button(self.tr("Do not keep them"), lambda: self._answer(False))
        in_short = _tr("For {} days, on this computer alone; can be erased at any time.")
        words = column(
            question,
            label(in_short.format(number(caps.QUESTION_DAYS)) if short else terms(), "muted", wrap=True),
            spacing=1 if short else S,
        )
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
