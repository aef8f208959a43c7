"""The setup dialog at the first start."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QProgressBar, QWidget

from app.desktop.context import Context
from app.desktop.panels import Card, Dialog, Line, PageStack, scrolled
from app.desktop.theme import app_icon
from app.desktop.tokens import XL, L
from app.desktop.widgets import add_parts, button, label, restyle, row
from app.desktop.wizard.assistants import AssistantsStep
from app.desktop.wizard.facts import FactRow, ModelTestStep, Step, StorageStep
from app.desktop.wizard.first_question import FirstQuestionStep
from app.desktop.wording import number

PICTURE = 52

WIDTH, HEIGHT = 760, 640
MIN_WIDTH, MIN_HEIGHT = 560, 380


class WelcomeStep(Step):
    """The first step: what WebRAG does, in three lines."""

    def __init__(self, context: Context) -> None:
        text = self.tr("Five short steps. You can skip any of them and change everything later.")
        super().__init__(context, self.tr("Welcome to WebRAG"), text)
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(QSize(PICTURE, PICTURE), self.devicePixelRatioF()))
        self.head.insertWidget(0, picture)
        card = Card(spacing=XL, margin=XL)
        asked = self.tr(
            "Claude, Cursor and other assistants ask WebRAG and get the relevant passages, with exact quotes that you can"
            " check."
        )
        stays = self.tr(
            "Pages, questions and the search model stay on this computer. You do not need an account or API key."
        )
        fetched = self.tr("WebRAG fetches pages that you or your assistant request. It does not send telemetry.")
        rows = (
            FactRow("quote", self.tr("Your assistant answers from pages you choose"), asked),
            FactRow("library", self.tr("Your library stays on this computer"), stays),
            FactRow("external", self.tr("Downloads only the pages you ask for"), fetched),
        )
        add_parts(card.body, rows[0], Line(), rows[1], Line(), rows[2])
        add_parts(self.column, card, 1)


class Wizard(Dialog):
    """The setup dialog. Only buttons in the steps change anything."""

    def __init__(self, context: Context, parent: QWidget | None) -> None:
        super().__init__(parent, self.tr("Set up WebRAG"), MIN_WIDTH, MIN_HEIGHT, size=(WIDTH, HEIGHT))
        self.assistants = AssistantsStep(context)
        self.model_test = ModelTestStep(context)
        self.storage = StorageStep(context)
        self.first_question = FirstQuestionStep(context, self.accept)
        others = self.storage, self.model_test, self.assistants, self.first_question
        self.steps: tuple[Step, ...] = (WelcomeStep(context), *others)
        self.place = -1  # The index of the current step.
        self._line = QProgressBar(maximum=len(self.steps), textVisible=False)
        self._count = label("", "caption")
        self._stack = PageStack()
        for step in self.steps:
            self._stack.addWidget(step)
        self.skip_button = button(self.tr("Skip setup"), self.reject, "link")
        self.back_button = button(self.tr("Back"), self.back)
        self.next_button = button("", self.next, "primary")
        for made in (self.skip_button, self.back_button, self.next_button):
            made.setAutoDefault(False)
        head = row((self._line, 1), self._count, spacing=L)
        foot = row(self.skip_button, 1, self.back_button, self.next_button)
        self.lay_out(head, (scrolled(self._stack), 1), foot, spacing=L, margins=(XL, L, XL, L))
        for made in self._stack.findChildren(type(self.next_button)):
            # Enter in a field of a step runs its own action and never presses another button.
            made.setAutoDefault(False)
        self.next_button.setDefault(True)
        for step in self.steps:
            step.changed.connect(self._show_buttons)
        for keys, run in (("Alt+Left", self.back), ("Alt+Right", self.next)):
            QShortcut(QKeySequence(keys), self, run)
        self.finished.connect(lambda _result: self._step.leave())
        self.show_step(0)

    def show_step(self, place: int) -> None:
        if self.place >= 0:
            self._step.leave()
        self.place = place
        self._stack.setCurrentWidget(self._step)
        self._line.setValue(place + 1)
        self._count.setText(self.tr("Step {} of {}").format(number(place + 1), number(len(self.steps))))
        self._line.setAccessibleName(self._count.text())
        self._step.enter()
        self._show_buttons()
        if not self._step.take_focus():
            self.next_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def next(self) -> None:
        """Show the next step, or finish after the last one."""
        if self.place + 1 < len(self.steps):
            self.show_step(self.place + 1)
        else:
            self.accept()

    def showEvent(self, event: QShowEvent) -> None:
        above = self.parentWidget()
        if not event.spontaneous() and (above is None or not above.isVisible()):
            # The dialog cannot be centered over a window that is not visible yet.
            frame = self.frameGeometry()
            frame.moveCenter(self.screen().availableGeometry().center())
            self.move(frame.topLeft())
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A text field has already handled Enter, which must not also press the dialog's button.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            return
        super().keyPressEvent(event)

    def back(self) -> None:
        if self.place > 0:
            self.show_step(self.place - 1)

    @property
    def _step(self) -> Step:
        return self.steps[self.place]

    def _show_buttons(self) -> None:
        is_last = self.place + 1 == len(self.steps)
        offering = self._step.is_offering
        if is_last:
            self.next_button.setText(self.tr("Finish"))
        else:
            self.next_button.setText(self.tr("Skip this step") if offering else self.tr("Next"))
        role = "" if offering and not is_last else "primary"
        if self.next_button.property("role") != role:
            self.next_button.setProperty("role", role)
            restyle(self.next_button)
        main = self._step.main_button
        default = main if main is not None and offering else self.next_button
        if not default.isDefault():
            default.setDefault(True)
        if main is not None and self.focusWidget() in (None, self.skip_button, self.next_button, main):
            # Connecting hides the focused button, and the focus must not move to Skip.
            default.setFocus(Qt.FocusReason.OtherFocusReason)
        self.back_button.setEnabled(self.place > 0)
        self.skip_button.setVisible(not is_last)
