"""The last setup step: add a page, ask a question, and see how to ask from an assistant."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import caps
from app.desktop import widgets
from app.desktop.context import Context
from app.desktop.dialogs.add.panel import Remedy, remedy_of, with_scheme
from app.desktop.engine_thread import Fail, Latest
from app.desktop.models.packages import PackageRow, packages_in
from app.desktop.pages.packages.adding import AddPackagesDialog
from app.desktop.pages.parts import stack_of
from app.desktop.pages.search.results import Results
from app.desktop.panels import TableCard, choose_folder
from app.desktop.qt import Act
from app.desktop.tokens import XS, M, S
from app.desktop.wizard.facts import CopyButton, Step
from app.desktop.wording import counted, duration
from app.errors import WebRAGError
from app.ingest.outcome import IngestedPage
from app.library.job_records import Job
from app.orchestration.result import OrchestrationResult

_ADDRESS = re.compile(r"[^\s.:]*+[.:]\S*+")  # Matches a possible address: no spaces, and a dot or colon.
_URL = re.compile(r"https?://\S+", re.IGNORECASE)  # Matches an address even in the question field.

PASSAGES = 3
LEAST_ANSWER = 120

# The guide is in English, so an English question works best.
SUGGESTIONS = ("What leaves this computer?", "How do I read a whole site?", "How do I add a folder of notes?")


class ContentRow(QWidget):
    """A field for an address, and buttons for a folder and a project. A page is fetched in the foreground, the others in the background.

    `show_setting` shows the setting that blocks a page.
    """

    added = Signal()
    _progressed = Signal(str)

    def __init__(self, context: Context, show_setting: Act) -> None:
        super().__init__()
        self._context = context
        self._work = Latest(context.thread, self)
        self.address = widgets.text_field(self.tr("https:// – a page you use often"), self.tr("Page address"))
        self.address.returnPressed.connect(self.add)
        self.button = widgets.button(self.tr("Add"), self.add)
        self.folder = widgets.button(self.tr("Folder…"), self._choose_folder, "", "folder")
        self.project = widgets.button(self.tr("Project…"), self._choose_project, "", "packages")
        self.project.setToolTip(self.tr("Add the documentation of exactly the packages that a project uses"))
        self.stop_button = widgets.button(self.tr("Stop"), self.stop)
        self.stop_button.hide()
        self._icon = widgets.ThemedIcon("ok", 15, "success")
        self._text = widgets.ElidedLabel("", "caption", lines=2)
        self._bar = widgets.progress_bar(90)
        self.setting_button = widgets.button(Remedy.SETTING.words, show_setting, "link")
        icon = (self._icon, 0, Qt.AlignmentFlag.AlignTop)
        state = widgets.row(icon, self._bar, (self._text, 1), self.setting_button)
        # Reserves the line of a message, so that the field below stays in place.
        state.addStrut(self._icon.height() + 1)
        self._state = widgets.held(state)
        line = widgets.row((self.address, 1), self.button, self.stop_button, self.folder, self.project)
        caption = widgets.label(self.tr("Add a page, a folder, or documentation for a project (optional)"), "caption")
        widgets.column(caption, line, self._state, spacing=XS, parent=self)
        self._progressed.connect(self._text.show_text, Qt.ConnectionType.QueuedConnection)
        self._say("", "", "")

    def add(self) -> None:
        typed = self.address.text().strip()
        if not typed or self._work.is_running:
            return
        if not _ADDRESS.fullmatch(typed):
            self._say("error", "danger", self.tr("Enter a web address, for example docs.python.org."))
            return
        url = with_scheme(typed)

        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._progressed.emit(detail)

        def stored(page: IngestedPage) -> None:
            chunks = counted(page.chunks, self.tr("1 passage"), self.tr("{} passages"))
            self._end(self.tr("Added “{}” to the library: {}.").format(page.title or page.url, chunks))
            self.address.clear()
            self.added.emit()

        self._begin(self.tr("Reading {}…").format(url))
        self._work.submit(lambda engine: engine.ensure_ingested(url, progress=report), stored, self._fail)

    def add_folder(self, folder: Path) -> None:
        def begun(_job: Job) -> None:
            words = self.tr(
                "WebRAG indexes “{}” in the background and keeps it up to date. Activity shows the progress."
            )
            self._end(words.format(folder.name))
            self.added.emit()

        self._begin(self.tr("Scanning {}…").format(folder.name))
        self._work.submit(lambda engine: engine.jobs.add_folder(folder), begun, self._fail)

    def add_project(self, folder: Path) -> None:
        """Read a project, and show what adding the documentation of its packages needs before anything is added."""

        def show(rows: list[PackageRow]) -> None:
            if not rows:
                self._end(self.tr("The documentation for “{}” is already added.").format(folder.name))
                return
            dialog = AddPackagesDialog(self._context, rows, str(folder), self.window())
            words = self.tr("WebRAG adds the documentation for “{}” in the background. Activity shows the progress.")
            dialog.begun.connect(lambda *_: self._end(words.format(folder.name)))
            dialog.rejected.connect(lambda: self._end("", "", ""))
            dialog.open_once()

        self._begin(self.tr("Scanning {}…").format(folder.name))
        self._work.submit(lambda engine: packages_in(engine, folder), show, self._fail)

    def stop(self) -> None:
        """Cancel the current page. A folder that was already added continues."""
        if self._work.is_running:
            self._work.cancel()
            self._end(self.tr("Stopped."), "close", "muted")

    def _choose_folder(self) -> None:
        choose_folder(self, self.tr("Choose a folder"), self.add_folder)

    def _choose_project(self) -> None:
        choose_folder(self, self.tr("Choose the folder of a project"), self.add_project)

    def _begin(self, words: str) -> None:
        self._say("", "", words)
        self._bar.show()
        self._set_enabled(False)

    def _end(self, words: str, icon: str = "ok", role: str = "success") -> None:
        self._set_enabled(True)
        self._say(icon, role, words)

    def _set_enabled(self, enabled: bool) -> None:
        self.address.setEnabled(enabled)
        self.folder.setEnabled(enabled)
        self.project.setEnabled(enabled)
        self.button.setVisible(enabled)
        self.stop_button.setVisible(not enabled)

    def _fail(self, error: WebRAGError) -> None:
        self._end(f"{error.message} {error.hint}", "error", "danger")
        self.setting_button.setVisible(remedy_of(error) is Remedy.SETTING)
        self.address.setFocus()

    def _say(self, icon: str, role: str, text: str) -> None:
        self._text.show_text(text or " ")
        self.setting_button.hide()
        self._icon.setVisible(bool(icon))
        if icon:
            self._icon.show_icon(icon, role)
        self._bar.setVisible(False)


class FirstQuestionStep(Step):
    """The step for the first question; the guide is always available. `close` closes the setup before the window shows something."""

    def __init__(self, context: Context, close: Act) -> None:
        text = self.tr("Your library already contains the guide. Add a page, or ask a question immediately.")
        super().__init__(context, self.tr("Ask your first question"), text)
        self._asking = Latest(context.thread, self)
        self._asked, self._close = "", close
        self.took = widgets.label("", "caption")
        # The setup covers the messages of the window.
        self.results = Results(context, self, self._show_document, self.took.setText)
        # Only the page of the best result is shown.
        unseen = widgets.held(widgets.column(self.results.list, self.results.doubt))
        unseen.setParent(self)
        unseen.hide()
        self.results.due.connect(self._renew)
        self.nothing = widgets.label("", "muted", wrap=True, align=Qt.AlignmentFlag.AlignCenter)
        self.answer = stack_of(self.nothing, self.results.page)
        # The answer takes the space that is left, so that the step does not scroll.
        self.answer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.answer.setMinimumHeight(LEAST_ANSWER)
        self.content = ContentRow(context, self._show_setting)
        placeholder = self.tr("Ask about the guide or the pages you added")
        self.question = widgets.text_field(placeholder, self.tr("Question"), most=caps.MAX_QUERY_CHARS)
        self.content.added.connect(lambda: self.question.setFocus())
        self.question.returnPressed.connect(self.ask)
        self.ask_button = widgets.button(self.tr("Ask"), self.ask, "primary")
        line = widgets.row((self.question, 1), self.ask_button)
        asking = widgets.column(
            widgets.row(widgets.label(self.tr("Ask your library"), "caption"), 1, self.took), line, spacing=XS
        )
        card = TableCard()
        card.body.addWidget(self.answer)
        self.chips = [widgets.button(text, partial(self.ask_for, text), "chip") for text in SUGGESTIONS]
        self.example = self.tr(
            "Use WebRAG to read https://docs.python.org/3/library/asyncio-task.html: how do I cancel a task?"
        )
        caption = widgets.label(self.tr("Then ask your assistant, for example:"), "caption")
        words = widgets.column(caption, widgets.label(self.example, wrap=True, selectable=True), spacing=2)
        self.copy_button = CopyButton(self.tr("Copy example question"), lambda: self.example)
        example = widgets.row((words, 1), self.copy_button, spacing=M, margins=(M, S, S, S))
        below = widgets.row(*self.chips, 1), (card, 1), widgets.framed("example", example)
        widgets.add_parts(self.column, self.content, asking, *below)

    def enter(self) -> None:
        if not self.question.text():
            self._say(self.tr("The answer appears here, quoted from the page."))

    def leave(self) -> None:
        self.content.stop()
        self._stop()

    def take_focus(self) -> bool:
        self.question.setFocus()
        return True

    def ask_for(self, question: str) -> None:
        self.question.setText(question)
        self.ask()

    def ask(self) -> None:
        """Answer the question, or add the page if it is an address. Drops a running question."""
        question = self.question.text().strip()
        if not question:
            self.question.setFocus()
            return
        if _URL.fullmatch(question):
            self.question.clear()
            self.content.address.setText(question)
            self.content.add()
            return
        self._stop()
        self._asked = question
        self._say(self.tr("Searching…"))
        self._look(self._fail)

    def _look(self, failed: Fail) -> None:
        question = self._asked
        self._asking.submit(lambda engine: engine.search(question, top_k=PASSAGES, narrows=False), self._show, failed)

    def _renew(self) -> None:
        """Ask again after more passages are embedded. On failure, the current answer stays."""
        if not self._asking.is_running:
            self._look(lambda _error: self._stop())

    def _show(self, result: OrchestrationResult) -> None:
        self.results.show(result)
        if result.nothing_found or not result.chunks:
            self._say(self.tr("No answer in your library yet. Add a page that covers this, or rephrase the question."))
            return
        best = self.results.current
        took = self.tr("found in {}").format(duration(result.timing.total_ms))
        early = self.tr("keyword match only; the page is still being indexed")
        self.took.setText(early if best is not None and best.is_waiting else took)
        self.answer.setCurrentWidget(self.results.page)

    def _say(self, text: str) -> None:
        self.took.setText("")
        self.nothing.setText(text)
        self.answer.setCurrentWidget(self.nothing)

    def _fail(self, error: WebRAGError) -> None:
        self._say(f"{error.title}: {error.message} {error.hint}")

    def _show_document(self, document_id: int, start: int = 0, end: int = 0) -> None:
        self._close()
        self.context.show_document(document_id, start, end)

    def _show_setting(self) -> None:
        self._close()
        self.context.show_settings("crawling")

    def _stop(self) -> None:
        self.results.renewal.forget()
        self._asking.cancel()
