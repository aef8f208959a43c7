"""The base of the setup steps, and two of them: the data folder, and a test of the search model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QProgressBar, QPushButton, QToolButton, QWidget

from app.desktop import widgets
from app.desktop.context import Context
from app.desktop.engine_thread import Latest
from app.desktop.exports import open_local
from app.desktop.pages.activity.consent import ANSWERED, SETTING, are_kept, keep, terms
from app.desktop.pages.settings.models import ModelRow
from app.desktop.pages.settings.sections import LoginSwitch
from app.desktop.panels import Card, Line
from app.desktop.qt import single_shot
from app.desktop.theme import icon, mono_font
from app.desktop.tokens import XS, L, M, S
from app.desktop.wording import decimal, duration, size
from app.errors import WebRAGError
from app.paths import corpus_file

if TYPE_CHECKING:
    from app.engine.maintenance import EmbedderTrial

ICON = 22

TOLD_MS = 1_800


class Step(QWidget):
    """A title, an introduction and content. Emits `changed` when `is_offering` may have changed."""

    changed = Signal()

    def __init__(self, context: Context, title: str, text: str) -> None:
        super().__init__()
        self.context = context
        self.title = title
        self.setAccessibleName(title)
        words = widgets.column(widgets.label(title, "title"), widgets.label(text, "muted", wrap=True), spacing=XS)
        self.head = widgets.row((words, 1), spacing=L)
        self.column = widgets.column(self.head, widgets.Gap(XS), spacing=M, parent=self)

    @property
    def is_offering(self) -> bool:
        """Whether continuing skips what this step offers."""
        return False

    @property
    def main_button(self) -> QPushButton | None:
        """The button that Enter presses while the step offers something."""
        return None

    def enter(self) -> None:
        """Called when the step opens."""

    def leave(self) -> None:
        """Called when the step closes: end animations and previews."""

    def take_focus(self) -> bool:
        """Set the keyboard focus; return False if it belongs on the Next button."""
        return False


class FactRow(QWidget):
    """A fact whose `text` wraps; a path is a single line, shortened in the middle."""

    def __init__(self, icon_name: str, title: str, text: str = "", *controls: QWidget, path: bool = False) -> None:
        super().__init__()
        self.icon, self.name = widgets.ThemedIcon(icon_name, ICON, "accent_text"), widgets.label(title, "strong")
        self.text = text
        middle = Qt.TextElideMode.ElideMiddle
        self._line = widgets.ElidedLabel(text, "muted", middle) if path else widgets.label(text, "muted", wrap=True)
        words = widgets.column(self.name, self._line, spacing=2)
        acting = widgets.row(*((each, 0, Qt.AlignmentFlag.AlignVCenter) for each in controls))
        icon = (self.icon, 0, Qt.AlignmentFlag.AlignTop)
        widgets.row(icon, (words, 1), widgets.Gap(M), acting, spacing=L, parent=self)

    def show_text(self, text: str) -> None:
        self.text = text
        if isinstance(self._line, widgets.ElidedLabel):
            self._line.show_text(text)
        else:
            self._line.setText(text)


class CopyButton(QToolButton):
    """A button that copies the result of `text`; `name` describes it."""

    def __init__(self, name: str, text: Callable[[], str]) -> None:
        super().__init__()
        self._name, self._given = name, text
        self.setProperty("role", "icon")
        self.setIconSize(QSize(18, 18))
        self._timer = single_shot(self, TOLD_MS, self._rest)
        self.clicked.connect(self.copy)
        self._rest()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._given())
        self.setIcon(icon("ok", "success"))
        self.setAccessibleName(self.tr("Copied"))
        self.setToolTip(self.tr("Copied"))
        self._timer.start()

    def _rest(self) -> None:
        self.setIcon(icon("copy"))
        self.setAccessibleName(self._name)
        self.setToolTip(self._name)


BAR_STEPS = 1_000

# Not translated, because the model works best in English.
QUESTION = "How do I stop a task that is running?"
NEAR = "Call cancel() and the job ends at its next pause."
FAR = "Bananas ripen faster in a paper bag."


class LoginRow(FactRow):
    """The switch for start at login; hidden on systems without support for it."""

    def __init__(self, context: Context) -> None:
        self.switch = LoginSwitch(context)
        super().__init__("play", self.tr("Start when you log in"), "", self.switch)
        self.name.setBuddy(self.switch)
        self.switch.setAccessibleName(self.name.text())
        self.switch.settled.connect(self._say)
        self.setVisible(self.switch.entry is not None)
        self._say(None)

    def _say(self, error: WebRAGError | None) -> None:
        usual = self.tr("WebRAG starts in the tray, ready for your assistants.")
        self.show_text(f"{error.message} {error.hint}" if error is not None else usual)


def measure(data_dir: Path) -> tuple[int, int]:
    """Return the size of the corpus and the free space on its disk, in bytes. Raises OSError."""
    file = corpus_file(data_dir)
    used = sum(part.stat().st_size for part in data_dir.glob(f"{file.name}*") if part.is_file())
    return used, shutil.disk_usage(data_dir).free


class QuestionsRow(FactRow):
    """Consent to save the questions of assistants. Off by default."""

    def __init__(self, context: Context) -> None:
        self.switch = widgets.Switch()
        super().__init__("quote", self.tr("Save my assistants' questions"), terms(), self.switch)
        self.name.setBuddy(self.switch)
        self.switch.setAccessibleName(self.name.text())
        self.switch.setChecked(are_kept(context))
        self.switch.setEnabled(not context.settings.overridden_by(SETTING))
        self.switch.clicked.connect(lambda on: keep(context, on))


class StorageStep(Step):
    """The data folder with its size and how to move it, start at login, and whether to save questions."""

    def __init__(self, context: Context) -> None:
        text = self.tr(
            "WebRAG stores everything in one folder on this computer. Copy that folder to back up or move your library."
        )
        super().__init__(context, self.tr("Where your pages are stored"), text)
        self._folder = context.settings.running.data_dir
        show = widgets.button(self.tr("Open folder"), lambda: open_local(self._folder), "", "folder")
        self.place = FactRow("folder", self.tr("Folder"), str(self._folder), show, path=True)
        self.room = FactRow("info", self.tr("Space"), self.tr("Checking the disk…"))
        self.login = LoginRow(context)
        card = Card(spacing=L)
        self.questions = QuestionsRow(context)
        widgets.add_parts(card.body, self.place, Line(), self.room, Line(), self.login, Line(), self.questions)
        self.column.addWidget(card)
        self.elsewhere = widgets.button(
            self.tr("Change location…"), lambda: self.explanation.setVisible(not self.explanation.isVisible()), "link"
        )
        self.column.addLayout(widgets.row(self.elsewhere, 1))
        text = self.tr(
            "WebRAG cannot move its folder while it is running. Quit WebRAG, move the folder, and start WebRAG with the command below."
            " Then connect your assistants."
        )
        shown = widgets.label(self.command, "address", selectable=True)
        shown.setFont(mono_font())
        copy = CopyButton(self.tr("Copy command"), lambda: self.command)
        self.explanation = widgets.held(
            widgets.column(widgets.label(text, "muted", wrap=True), widgets.row(shown, copy, 1))
        )
        self.explanation.hide()
        widgets.add_parts(self.column, self.explanation, 1)

    @property
    def command(self) -> str:
        """The command that starts WebRAG with another folder."""
        return f'webrag-desktop --data-dir "{self.tr("FOLDER")}"'

    def enter(self) -> None:
        def show(room: tuple[int, int]) -> None:
            words = self.tr("{} used, {} free on this disk.")
            self.room.show_text(words.format(*map(size, room)))

        self.context.run(self, lambda: measure(self._folder), show, lambda error: self.room.show_text(error.message))
        self.login.switch.reload()

    def leave(self) -> None:
        # The position of the switch is the user's answer.
        self.context.memory.set(ANSWERED, True)


MULTILINGUAL = "multilingual-e5-small"  # The model that the wizard suggests if the system's language is not English.


class ModelTestStep(Step):
    """Runs automatically when it opens."""

    def __init__(self, context: Context) -> None:
        text = self.tr(
            "WebRAG includes a small language model that finds passages by meaning, even if the wording differs."
        )
        super().__init__(context, self.tr("Test semantic search"), text)
        self._testing = Latest(context.thread, self)
        self.is_passed = False
        self.again = widgets.button(self.tr("Test again"), self.test, "", "refresh")
        self.verdict = FactRow("clock", self.tr("Testing…"), "", self.again)
        card = Card(spacing=L)
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(0, 1)
        grid.addWidget(widgets.label(self.tr("The question"), "caption"), 0, 0)
        grid.addWidget(widgets.label(QUESTION, "strong", wrap=True), 1, 0, 1, 2)
        grid.setRowMinimumHeight(2, S)
        grid.addWidget(widgets.label(self.tr("Two sentences"), "caption"), 3, 0)
        grid.addWidget(widgets.label(self.tr("Similarity in meaning"), "caption"), 3, 1)
        self.near_bar, self.far_bar = _bar(NEAR), _bar(FAR)
        for place, (text, bar) in enumerate(((NEAR, self.near_bar), (FAR, self.far_bar)), start=4):
            grid.addWidget(widgets.label(text, wrap=True), place, 0)
            grid.addWidget(bar, place, 1, Qt.AlignmentFlag.AlignVCenter)
        widgets.add_parts(card.body, self.verdict, Line(), holder)
        self.models = ModelRow(context, wanted=MULTILINGUAL)
        self.models.chosen.connect(context.restart)
        other = Card(spacing=L)
        hint = self.tr("The built-in model is best for English. For pages in other languages, add another one.")
        widgets.add_parts(other.body, widgets.label(hint, "muted", wrap=True), self.models)
        other.setVisible(QLocale.system().language() not in (QLocale.Language.English, QLocale.Language.C))
        widgets.add_parts(self.column, card, other, 1)

    @property
    def is_offering(self) -> bool:
        return self._testing.is_running

    def enter(self) -> None:
        if not self.is_passed:
            self.test()
        self.models.reload()

    def leave(self) -> None:
        self._testing.cancel()

    def test(self) -> None:
        self.leave()
        self.is_passed = False
        self.again.setEnabled(False)
        self._say("clock", "muted", self.tr("Testing…"), self.tr("The model is comparing three sentences."))
        for bar in (self.near_bar, self.far_bar):
            bar.setValue(0)
        self._testing.submit(
            lambda engine: engine.maintenance.try_embedder(QUESTION, NEAR, FAR), self._pass, self._fail
        )
        self.changed.emit()

    def _pass(self, trial: EmbedderTrial) -> None:
        self.is_passed = True
        self.again.setEnabled(True)
        words = self.tr("Tested in {} with {}, entirely on this computer.")
        if self.context.settings.running.embedding_server_url:
            words = self.tr("Tested in {} with {}, the server from your settings.")
        self._say(
            "ok", "success", self.tr("Semantic search works"), words.format(duration(trial.milliseconds), trial.name)
        )
        for bar, likeness in ((self.near_bar, trial.near), (self.far_bar, trial.far)):
            bar.setValue(round(max(0.0, min(1.0, likeness)) * BAR_STEPS))
            bar.setToolTip(decimal(likeness, 2))
        self.changed.emit()

    def _fail(self, error: WebRAGError) -> None:
        self.again.setEnabled(True)
        means = self.tr(
            "WebRAG also works without the model. It then uses keyword search only and says so in its answers."
        )
        self._say("alert", "warning", error.title, f"{error.message} {error.hint} {means}")
        self.changed.emit()

    def _say(self, icon: str, role: str, title: str, text: str) -> None:
        self.verdict.icon.show_icon(icon, role)
        self.verdict.name.setText(title)
        self.verdict.show_text(text)


def _bar(sentence: str) -> QProgressBar:
    bar = widgets.progress_bar(180, BAR_STEPS)
    bar.setAccessibleName(sentence)
    return bar
