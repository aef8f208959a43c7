"""Running connection tests with one line per check, of one assistant or of all."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QWidget

from app.clients.checks import CheckEvent
from app.desktop.context import Context
from app.desktop.fitting import Dialog
from app.desktop.models.assistants import Assistant
from app.desktop.models.doctor_run import DoctorRun, check_name, check_words, place_name, report_text
from app.desktop.pages.parts import Scrolled
from app.desktop.panels import Card, card_head
from app.desktop.tokens import M, S
from app.desktop.widgets import ThemedIcon, button, clear_layout, column, held, label, row
from app.desktop.wording import counted, short_path
from app.errors import WebRAGError

DIALOG_SIZE = 720, 560


class CheckLine(QWidget):
    """The status, name and result of a check."""

    def __init__(self, tried: CheckEvent) -> None:
        super().__init__()
        check = tried.check
        ok = check.ok
        name, detail = check_name(check.name), check_words(check)
        top = Qt.AlignmentFlag.AlignTop
        picture = ("minus", "muted") if check.skipped else ("ok", "success") if ok else ("error", "danger")
        row(
            (ThemedIcon(picture[0], 18, picture[1]), 0, top),
            (label(name, "", wrap=True), 6, top),
            (label(detail, "muted" if ok else "problem", wrap=True, selectable=True), 7, top),
            spacing=M,
            parent=self,
        )
        self.setAccessibleName(f"{name}: {detail}" if ok else self.tr("Failed: {}: {}").format(name, detail))


class ResultsCard(Card):
    """Shows the checks of a DoctorRun: those of one assistant, hidden until it has been tested, or of `everything`.

    Passed checks of this computer and of WebRAG's own command are only counted for one assistant.
    """

    def __init__(self, context: Context, run: DoctorRun, *, everything: bool = False) -> None:
        super().__init__(spacing=S)
        self._everything = everything
        title = self.tr("This computer and all assistants") if everything else self.tr("Connection test")
        self._context, self.run = context, run
        self._stop = button(self.tr("Stop"), run.give_up)
        said = self.tr("Results copied")
        self._copy = button(self.tr("Copy as text"), lambda: context.copy(report_text(run.checks), said), "", "copy")
        self.body.addWidget(card_head(title, self._stop, self._copy))
        self.summary = label("", "muted", wrap=True)
        self.body.addWidget(self.summary)
        self._bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        self._bar.setAccessibleName(self.tr("Test in progress"))
        self.body.addWidget(self._bar)
        self._lines = column()
        self.body.addLayout(self._lines)
        self.lines: list[CheckLine] = []
        self._place = ("", "")
        self._error: WebRAGError | None = None
        run.tried.connect(self._add)
        run.ended.connect(self._show_state)
        run.failed.connect(self._fail)

    def start(self, assistant: Assistant) -> None:
        """Test the connection of this assistant."""
        if assistant.profile is None:
            return
        self._clear()
        self.run.start(assistant.profile, assistant.command, self._context.settings.running.data_dir)
        self._show_state()

    def start_all(self) -> None:
        """Run all checks again."""
        self._clear()
        self.run.start_all(self._context.settings.running.data_dir)
        self._show_state()

    def show_assistant(self, assistant: Assistant) -> None:
        """Hide the checks unless they belong to this assistant."""
        self.setVisible(assistant.name == self.run.name)

    def _add(self, tried: CheckEvent) -> None:
        if tried.check.ok and not tried.path and not self._everything:
            return
        if (tried.title, tried.path) != self._place:
            self._place = (tried.title, tried.path)
            heading = label(place_name(tried.title), "strong", margins=(0, S, 0, 0))
            self._lines.addWidget(heading)
            if tried.path:
                self._lines.addWidget(label(short_path(tried.path), "caption", wrap=True))
        made = CheckLine(tried)
        self.lines.append(made)
        self._lines.addWidget(made)
        self._show_state()

    def _clear(self) -> None:
        clear_layout(self._lines)
        self.lines, self._place, self._error = [], ("", ""), None

    def _show_state(self) -> None:
        running = self.run.is_running
        self._bar.setVisible(running)
        self._stop.setVisible(running)
        self._copy.setVisible(bool(self.run.checks) and not running)
        self.summary.setText(self._words(running))

    def _words(self, running: bool) -> str:
        if self._error is not None:
            return f"{self._error.message} {self._error.hint}"
        if running and self._everything:
            return self.tr("Checks this computer first, then starts WebRAG the same way as each assistant.")
        if running:
            return self.tr("WebRAG starts itself the same way as the assistant and requests the tools.")
        wrong = sum(not tried.check.ok for tried in self.run.checks)
        if wrong:
            return counted(wrong, self.tr("1 check failed."), self.tr("{} checks failed."))
        if not self.run.checks:
            return self.tr("Test stopped.")
        return counted(len(self.run.checks), self.tr("1 check passed."), self.tr("All {} checks passed."))

    def _fail(self, error: WebRAGError) -> None:
        self._error = error
        self._show_state()


class CheckEverythingDialog(Dialog):
    """Shows each check when it ends, and finally scrolls to the first failed one."""

    def __init__(self, context: Context, run: DoctorRun, parent: QWidget | None) -> None:
        super().__init__(parent, self.tr("Check all connections"), 520, 360, size=DIALOG_SIZE)
        self.run = run
        self.results = ResultsCard(context, self.run, everything=True)
        self._again = button(self.tr("Check again"), self.begin, "", "refresh")
        content = held(column(self.results, 1, margins=(0, 0, M, 0)))
        self._area = Scrolled("page", content)
        close = button(self.tr("Close"), self.reject, default=True)
        self.lay_out((self._area, 1), row(self._again, 1, close))
        self.run.tried.connect(lambda _tried: self._bring(self.results.lines[-1]))
        self.run.ended.connect(self._end)
        self.run.failed.connect(self._end)
        self.finished.connect(self.run.stop)

    def begin(self) -> None:
        """Run all checks again."""
        self._again.setEnabled(False)
        self.results.start_all()

    def _end(self) -> None:
        self._again.setEnabled(True)
        failed = [line for line, tried in zip(self.results.lines, self.run.checks, strict=False) if not tried.check.ok]
        self._bring(failed[0] if failed else self.results.summary)

    def _bring(self, shown: QWidget) -> None:
        # A new line has its position only after the next layout.
        QTimer.singleShot(0, shown, lambda: self._area.ensureWidgetVisible(shown))
