"""Cards of an assistant: the WebRAG entry for manual setup and as found in each file, and the connection test."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QWidget

from app.clients.checks import CheckEvent
from app.clients.registrar import ClientFile
from app.desktop import widgets
from app.desktop.context import Context
from app.desktop.exports import copy_secret, open_folder_of
from app.desktop.models import assistants
from app.desktop.pages.parts import Scrolled
from app.desktop.panels import Card, Dialog, Line, card_head
from app.desktop.qt import Act
from app.desktop.tokens import M, S
from app.desktop.widgets import ThemedIcon, button, clear_layout, column, held, label, row
from app.desktop.wording import counted, short_path, spoken
from app.errors import WebRAGError

PROGRAM: Final = "program"
ADDRESS: Final = "address"
COMMAND: Final = "command"
NO_TOKEN: Final = "<token>"


class ByHandCard(Card):
    """The entry to paste. Contains the token only on request, until another assistant is selected."""

    def __init__(self, context: Context) -> None:
        super().__init__(spacing=M)
        self._context = context
        self._assistant: assistants.Assistant | None = None
        self._token = ""
        by_address = self.tr("The assistant connects to the running WebRAG by its address (HTTP)")
        kinds = (
            (PROGRAM, self.tr("Program"), self.tr("The assistant starts the WebRAG bridge automatically (stdio)")),
            (ADDRESS, self.tr("Address"), by_address),
            (COMMAND, self.tr("Command"), self.tr("Only the command, for assistants with a form")),
        )
        self.kinds = widgets.Segments(self.tr("Type of entry"), kinds)
        self.kinds.chosen.connect(lambda _kind: self._show())
        self.where, self._text = widgets.label("", "", wrap=True), widgets.label("", "muted", wrap=True)
        self.entry = widgets.TextBox(self.tr("Entry to paste"))
        self.copy = widgets.button(self.tr("Copy"), self._copy, "primary", "copy")
        self.put_token = widgets.button(
            self.tr("Insert token"),
            lambda: context.run(self, context.secrets.server_token, self._take_token, uses_keyring=True),
        )
        warning = self.tr(
            "Any program on this computer can use WebRAG with this token. Paste it only where you need it."
        )
        self._warning = widgets.label(warning, "caption", wrap=True)
        self.note = widgets.label("", "muted", wrap=True)
        head, buttons = card_head(self.tr("Connect manually")), widgets.row(self.copy, self.put_token, 1)
        words = (head, self.where, widgets.row(self.kinds, 1), self._text)
        widgets.add_parts(self.body, *words, self.entry, buttons, self._warning, self.note)
        context.status.changed.connect(self._show)

    def show_assistant(self, assistant: assistants.Assistant) -> None:
        """Build the entries for this assistant, without the token."""
        is_other = self._assistant is None or assistant.name != self._assistant.name
        self._assistant = assistant
        if is_other:
            self._token = ""
        if is_other and (snippet := assistant.snippet) is not None:
            possible = {PROGRAM: snippet.stdio, ADDRESS: snippet.http, COMMAND: assistant.name == assistants.OTHER}
            self.kinds.offer([kind for kind, made in possible.items() if made])
            self.where.setText(spoken(snippet.where))
            widgets.show_words(self.note, spoken(snippet.note))
        self._show()

    def _show(self) -> None:
        assistant = self._assistant
        if assistant is None or assistant.snippet is None:
            return
        has_any = assistant.snippet.stdio is not None or assistant.snippet.http is not None
        is_address = self.kinds.value == ADDRESS
        url = self._context.status.url
        self.kinds.setVisible(has_any)
        self._text.setVisible(has_any)
        self._text.setText(self._explanation(url))
        text = self._entry(assistant, url)
        self.entry.show_text(text)
        for widget in (self.entry, self.copy):
            widget.setVisible(bool(text))
        self.put_token.setVisible(is_address and bool(text))
        self.put_token.setEnabled(not self._token)
        self._warning.setVisible(is_address and bool(self._token))

    def _explanation(self, url: str) -> str:
        if self.kinds.value == PROGRAM:
            return self.tr("Starts WebRAG when needed. Contains no secrets.")
        if self.kinds.value == COMMAND:
            return self.tr("For assistants that ask for the server command in a form.")
        if not url:
            return self.tr("The WebRAG server is not running.")
        return self.tr(
            "Works while WebRAG is running. The entry needs the access token, which is only inserted when you choose Insert token."
        )

    def _entry(self, assistant: assistants.Assistant, url: str) -> str:
        snippet = assistant.snippet
        if snippet is None:
            return ""
        if self.kinds.value == ADDRESS:
            return snippet.http(url, self._token or NO_TOKEN).strip() if snippet.http is not None and url else ""
        if self.kinds.value == COMMAND:
            return assistants.command_line(assistant.command)
        return snippet.stdio(assistant.command).strip() if snippet.stdio is not None else ""

    def _take_token(self, token: str) -> None:
        self._token = token
        self._show()

    def _copy(self) -> None:
        if self.kinds.value == ADDRESS and self._token:
            copy_secret(self.entry.toPlainText())
            self._context.notifier.say(self.tr("Entry copied with token"))
        else:
            said = self.tr("Entry copied. Paste it into your assistant's settings.")
            self._context.copy(self.entry.toPlainText(), said)


class FileRow(QWidget):
    """A configuration file: its path, whether it contains the WebRAG entry, and the entry."""

    def __init__(self, context: Context, file: ClientFile, entry: str) -> None:
        super().__init__()
        path = widgets.ElidedLabel(short_path(str(file.path)), "", Qt.TextElideMode.ElideMiddle)
        path.setAccessibleName(str(file.path))
        copy = partial(context.copy, str(file.path), self.tr("Path copied"))
        self.copy = widgets.icon_button("copy", self.tr("Copy file path"), copy)
        self.open = widgets.icon_button("folder", self.tr("Open folder of the file"), lambda: open_folder_of(file.path))
        self.entry = widgets.TextBox(self.tr("WebRAG entry in this file"))
        self.entry.show_text(entry)
        self.entry.setVisible(bool(entry))
        widgets.column(widgets.row((path, 1), self._badge(file), self.copy, self.open), self.entry, parent=self)

    def _badge(self, file: ClientFile) -> widgets.Badge:
        if file.problem:
            return widgets.Badge(self.tr("not readable"), "error")
        if file.registered:
            return widgets.Badge(self.tr("configured"), "good")
        if file.command is not None:
            return widgets.Badge(self.tr("different entry"), "error")
        return widgets.Badge(self.tr("not configured") if file.exists else self.tr("does not exist yet"))


class FilesCard(Card):
    """The configuration files of the assistant."""

    def __init__(self, context: Context, disconnect: Act) -> None:
        super().__init__(spacing=M)
        self._context = context
        self.disconnect_button = widgets.button(self.tr("Disconnect…"), disconnect, "danger")
        head = card_head(self.tr("Configuration"), self.disconnect_button)
        note = self.tr("WebRAG only changes its own entry and backs up the file first.")
        self._rows = widgets.column(spacing=M)
        widgets.add_parts(self.body, head, widgets.label(note, "muted", wrap=True), self._rows)
        self.rows: list[FileRow] = []
        self._shown: object = None

    def show_files(self, assistant: assistants.Assistant) -> None:
        """List the files and reuse the widgets of unchanged ones."""
        self.disconnect_button.setVisible(assistant.has_entry)
        shown = (assistant.name, assistant.state.files, assistant.entries)
        if shown == self._shown:
            return
        self._shown = shown
        widgets.clear_layout(self._rows)
        self.rows = []
        for file, entry in zip(assistant.state.files, assistant.entries, strict=True):
            if self.rows:
                self._rows.addWidget(Line())
            made = FileRow(self._context, file, entry)
            self.rows.append(made)
            self._rows.addWidget(made)


DIALOG_SIZE = 720, 560


class CheckLine(QWidget):
    """The status, name and result of a check."""

    def __init__(self, tried: CheckEvent) -> None:
        super().__init__()
        check = tried.check
        ok = check.ok
        name, detail = assistants.check_name(check.name), assistants.check_words(check)
        top = Qt.AlignmentFlag.AlignTop
        picture = ("minus", "muted") if check.skipped else ("ok", "success") if ok else ("error", "danger")
        role = "muted" if ok else "problem"
        words = (label(name, "", wrap=True), 6, top), (label(detail, role, wrap=True, selectable=True), 7, top)
        row((ThemedIcon(picture[0], 18, picture[1]), 0, top), *words, spacing=M, parent=self)
        self.setAccessibleName(f"{name}: {detail}" if ok else self.tr("Failed: {}: {}").format(name, detail))


class ResultsCard(Card):
    """Shows the checks of a DoctorRun: those of one assistant, hidden until it has been tested, or of `everything`.

    Passed checks of this computer and of WebRAG's own command are only counted for one assistant.
    """

    def __init__(self, context: Context, run: assistants.DoctorRun, *, everything: bool = False) -> None:
        super().__init__(spacing=S)
        self._everything = everything
        title = self.tr("This computer and all assistants") if everything else self.tr("Connection test")
        self._context, self.run = context, run
        self._stop = button(self.tr("Stop"), run.give_up)
        said = self.tr("Results copied")
        self._copy = button(
            self.tr("Copy as text"), lambda: context.copy(assistants.report_text(run.checks), said), "", "copy"
        )
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

    def start(self, assistant: assistants.Assistant) -> None:
        if assistant.profile is None:
            return
        self._clear()
        self.run.start(assistant.profile, assistant.command, self._context.settings.running.data_dir)
        self._show_state()

    def start_all(self) -> None:
        self._clear()
        self.run.start_all(self._context.settings.running.data_dir)
        self._show_state()

    def show_assistant(self, assistant: assistants.Assistant) -> None:
        """Hide the checks unless they belong to this assistant."""
        self.setVisible(assistant.name == self.run.name)

    def _add(self, tried: CheckEvent) -> None:
        if tried.check.ok and not tried.path and not self._everything:
            return
        if (tried.title, tried.path) != self._place:
            self._place = (tried.title, tried.path)
            heading = label(assistants.place_name(tried.title), "strong", margins=(0, S, 0, 0))
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

    def __init__(self, context: Context, run: assistants.DoctorRun, parent: QWidget | None) -> None:
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
        self._again.setEnabled(False)
        self.results.start_all()

    def _end(self) -> None:
        self._again.setEnabled(True)
        failed = [line for line, tried in zip(self.results.lines, self.run.checks, strict=False) if not tried.check.ok]
        self._bring(failed[0] if failed else self.results.summary)

    def _bring(self, shown: QWidget) -> None:
        # A new line has its position only after the next layout.
        QTimer.singleShot(0, shown, lambda: self._area.ensureWidgetVisible(shown))
