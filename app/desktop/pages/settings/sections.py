"""The sections General, Shared libraries, Privacy and Browsers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.autostart import Autostart, autostart
from app.browsers import CODE_SECONDS, Browser, PairedBrowsers
from app.desktop.context import Context
from app.desktop.dialogs.confirm import DeleteDialog, is_agreed
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.exports import copy_secret
from app.desktop.help import EXTENSION_PAGE, show_guide
from app.desktop.models.libraries import about_words, joined_states, state_words
from app.desktop.pages.settings.layout import ListRow, OwnRow, PathRow, Section, own_row
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.qt import repeating
from app.desktop.theme import Appearance, mono_font, theme
from app.desktop.tokens import M
from app.desktop.widgets import Badge, ElidedLabel, Switch, button, column, held, label, row, show_words
from app.desktop.wording import clock
from app.durations import time_span
from app.errors import SettingsError, WebRAGError
from app.events import Event, LibrariesChanged
from app.logs import DIAGNOSTICS
from app.paths import log_dir

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.erasing import Kept
    from app.engine.libraries import LibraryState


class LoginSwitch(Switch):
    """Reads and changes the state on a worker thread. Emits `settled` with None, or with the WebRAGError of a failure."""

    settled = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._thread = context.thread
        self._known = False
        self.entry: Autostart | None = autostart(context.settings.running.data_dir)  # None without support.
        self.setEnabled(False)
        self.clicked.connect(self._change)

    def reload(self) -> None:
        """Read the state from the system."""
        if (entry := self.entry) is not None:
            self._run(lambda: entry.is_enabled)

    def _change(self) -> None:
        entry, wanted = self.entry, self.isChecked()
        if entry is None:
            return
        self.setEnabled(False)

        def change() -> bool:
            entry.enable() if wanted else entry.disable()
            return entry.is_enabled

        self._run(change)

    def _run(self, work: Callable[[], bool]) -> None:
        def show(is_enabled: bool) -> None:
            self._known = is_enabled
            self._settle(None)

        self._thread.run_blocking(work, show, self._settle, owner=self)

    def _settle(self, error: WebRAGError | None) -> None:
        self.setChecked(self._known)
        self.setEnabled(True)
        self.settled.emit(error)


class LoginRow(OwnRow):
    """Start at login."""

    def __init__(self, context: Context) -> None:
        self.switch = LoginSwitch(context)
        super().__init__("login", self.switch)
        if self.switch.entry is None:
            self.show_text(self.tr("WebRAG cannot set this up on your system."))
        self.switch.settled.connect(lambda error: self.fail(error) if error is not None else self.complain(""))


class GeneralSection(SettingsSection):
    """Appearance and behavior of the application."""

    def __init__(self, context: Context) -> None:
        super().__init__("general")
        store = context.settings
        self.login = LoginRow(context)
        self.add_settings(store, "general", {"language": [self.login]})
        self._status = context.status
        self._key = self.setting_rows["ask_hot_key"]
        self._key_text = self._key.text.text()
        self._shown_key = ("", "")
        context.status.changed.connect(self._show_key)
        # A saved row clears its message, but the system can still reject the shortcut.
        self._key.saved.connect(lambda _name: self._key.complain(self._status.key_problem))
        self._show_key()
        self.setting_rows["appearance"].saved.connect(
            lambda _name: theme().select(Appearance(store.value("appearance")))
        )

    def _show_key(self) -> None:
        """Show why the Ask window shortcut does not work, or which shortcut the desktop assigned."""
        said = self._status.key_problem, self._status.key_note
        if said != self._shown_key:
            self._shown_key = said
            self._key.complain(said[0])
            self._key.show_text(f"{self._key_text} {said[1]}".strip())

    def reload(self) -> None:
        self.login.switch.reload()


class JoinedRow(ListRow["LibraryState"]):
    """The list of joined libraries."""

    def __init__(self, section: LibrariesSection) -> None:
        self._section = section
        super().__init__("joined_libraries")

    def entry(self, state: LibraryState) -> tuple[QWidget, Sequence[QWidget]]:
        library, section = state.library, self._section
        title = library.title or library.name
        switch = Switch()
        switch.setChecked(library.is_on)
        switch.setAccessibleName(self.tr("Search {}").format(title))
        switch.setToolTip(self.tr("Whether WebRAG searches this library"))
        switch.toggled.connect(lambda on: section.switch(library.name, on=on))
        named = self.tr("Sign in to {}").format(title)
        again = button(self.tr("Sign in…"), lambda: section.show_dialog(state), name=named)
        again.setVisible(state.signed_out)
        named = self.tr("Leave {}").format(title)
        leave = button(self.tr("Leave"), lambda: section.leave(state), "", "close", name=named)
        state_line = row(Badge(*state_words(state)), 1)
        address = ElidedLabel(library.address, "muted", Qt.TextElideMode.ElideMiddle)
        words = column(ElidedLabel(title, "strong"), state_line, address, spacing=0)
        about = about_words(state, with_address=False)
        if about:
            words.addWidget(ElidedLabel(about, "muted"))
        return held(row((words, 1), again, leave, switch, spacing=M)), [again, leave, switch]


class LibrariesSection(Section):
    """The section for joining and leaving shared libraries."""

    def __init__(self, context: Context) -> None:
        super().__init__("libraries")
        self._context = context
        self.join = button(own_row("join_library").buttons[0], lambda: self.show_dialog(), "", "add")
        self.joined = JoinedRow(self)
        self.add(OwnRow("join_library", self.join), self.joined)

    def reload(self) -> None:
        self._context.ask(
            self, joined_states, lambda states: self.joined.show_items(states, self.join), self.joined.fail
        )

    def on_events(self, events: list[Event]) -> None:
        """Update the list when a library is joined or left, or its connection changes."""
        if any(isinstance(event, LibrariesChanged) for event in events):
            self.reload()

    def show_dialog(self, again: LibraryState | None = None) -> None:
        """Open the dialog to join a library, or to sign in again to a joined one."""
        dialog = JoinLibraryDialog(self._context, parent=self.window(), again=again)
        # No message, because it would cover the rows; the list shows the change.
        dialog.accepted.connect(self.reload)
        dialog.open_once()

    def switch(self, name: str, *, on: bool) -> None:
        self._change(lambda engine: engine.libraries.change(name, is_on=on))

    def leave(self, state: LibraryState) -> None:
        title, name = state.library.title or state.library.name, state.library.name
        text = self.tr("WebRAG stops searching {} and forgets your sign-in. The library itself is not changed.")
        if is_agreed(self.window(), self.tr("Leave {}?").format(title), text.format(title)):
            self._change(lambda engine: engine.libraries.leave(name))

    def _change(self, work: Callable[[Engine], object]) -> None:
        self._context.ask(
            self, lambda engine: asyncio.to_thread(work, engine), lambda _: self.reload(), self.joined.fail
        )


LOOK_MS = 15_000


class DiagnosticsRow(OwnRow):
    """The switch for diagnostic logging, which turns off automatically."""

    def __init__(self) -> None:
        self.switch = Switch()
        super().__init__("diagnostics", self.switch)
        self.switch.toggled.connect(self._change)
        self._timer = repeating(self, LOOK_MS, self.look)
        self.look()

    def look(self) -> None:
        """Refresh the switch, because the command line or the time limit can change it."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(DIAGNOSTICS.is_on)
        left = self.tr("on for {}").format(time_span(DIAGNOSTICS.seconds_left)) if DIAGNOSTICS.is_on else ""
        self.badge.show_text(left, "warning")
        self._timer.start() if DIAGNOSTICS.is_on else self._timer.stop()

    def _change(self, wanted: bool) -> None:
        DIAGNOSTICS.on() if wanted else DIAGNOSTICS.off()
        self.look()


class PrivacySection(SettingsSection):
    """The section for records, logs and deletion. Emits `library_deleted` after deleting all pages."""

    library_deleted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("privacy")
        self._context = context
        store = context.settings
        erase, questions = (
            OwnRow(name, button(own_row(name).buttons[0], ask, "", "trash"))
            for name, ask in (("recorded_calls", context.erase_calls), ("saved_questions", context.erase_questions))
        )
        self.diagnostics = DiagnosticsRow()
        folder = log_dir(store.running.data_dir)
        delete = button(own_row("everything").buttons[0], self.ask_delete, "danger", "trash")
        self.everything = OwnRow("everything", delete)
        self.add_settings(store, "privacy", {"activity_log": [erase], "keep_questions": [questions, self.diagnostics]})
        self.add(PathRow("log_folder", folder, folder), self.everything)

    def reload(self) -> None:
        """Update the state of diagnostic logging."""
        self.diagnostics.look()

    def ask_delete(self) -> None:
        dialog = DeleteDialog(self.window())
        dialog.accepted.connect(lambda: self.delete(dialog.kinds))
        dialog.open_once()

    def delete(self, kinds: frozenset[Kept]) -> None:
        """Stop the engine, delete the chosen data and restart."""
        from app.engine.erasing import Kept, erase

        async def stop_and_erase(engine: Engine) -> None:
            await engine.stop()
            await asyncio.to_thread(erase, engine.settings.data_dir, kinds, self._context.secrets)

        def restart() -> None:
            try:
                self._context.settings.reread()
            except SettingsError as error:
                self.everything.fail(error)
            self._context.restart()

        def done(_result: None) -> None:
            restart()
            theme().select(Appearance(str(self._context.settings.value("appearance"))))
            if Kept.LIBRARY in kinds:
                self.library_deleted.emit()
            self._context.notifier.say(self.tr("Deleted. WebRAG is restarting."))

        def failed(error: WebRAGError) -> None:
            restart()
            self.everything.fail(error)

        self.everything.complain("")
        self._context.ask(self, stop_and_erase, done, failed, lasting=True)


PAIRING_MS = 1_000  # Milliseconds between two reads of the list while a code is displayed.


class CodeRow(OwnRow):
    """A pairing code for one browser. It contains the port, so that the extension connects to this instance."""

    def __init__(self, context: Context, section: BrowsersSection) -> None:
        self._context = context
        self._section = section
        self._ends = 0.0
        self.code = label("", "strong", selectable=True)
        self.code.setFont(mono_font(1.3))
        self.code.setAccessibleName(self.tr("Pairing code"))
        self.copy = button(self.tr("Copy"), self._copied, "", "copy", name=self.tr("Copy code"))
        spec = own_row("pairing_code")
        self._shows, installs = spec.buttons
        self._words = spec.text
        self.ask = button(self._shows, self._toggle)
        self.guide = button(installs, lambda: show_guide(context, self, EXTENSION_PAGE), "pagelink")
        super().__init__("pairing_code", held(row(self.copy, self.ask)))
        self.words.addLayout(row(self.guide, 1))
        QWidget.setTabOrder(self.ask, self.guide)
        # Next to both buttons, the code would be cut off in a narrow window.
        self.words.addWidget(self.code)
        self._timer = repeating(self, PAIRING_MS, self._look)
        context.status.changed.connect(self._show_listening)
        self._show("")

    def _show_listening(self) -> None:
        is_listening = bool(self._context.status.url)
        self.ask.setEnabled(is_listening)
        if not is_listening and self.code.text():
            self._end()

    def _toggle(self) -> None:
        if self.code.text():
            self._end()
            return
        self.complain("")
        port = urlsplit(self._context.status.url).port
        self._context.run(self, self._section.browsers.new_code, lambda code: self._show(f"{port}-{code}"), self.fail)

    def _show(self, code: str) -> None:
        show_words(self.code, code)
        self.copy.setVisible(bool(code))
        self.ask.setText(self.tr("Hide code") if code else self._shows)
        once = self.tr("Enter this code in the extension. It works once and expires in five minutes.")
        self.show_text(once if code else self._words)
        self._ends = time.monotonic() + CODE_SECONDS
        self._timer.start() if code else self._timer.stop()
        self._show_listening()

    def _look(self) -> None:
        if time.monotonic() > self._ends:
            self._end()
        self._section.reload()

    def paired(self, names: list[str]) -> None:
        """Hide the code after a browser has used it."""
        if self.code.text():
            self._show("")
            self._context.notifier.say(self.tr("{} is paired").format(", ".join(names)))

    def _end(self) -> None:
        self._show("")
        self._context.run(self, self._section.browsers.drop_code, None)

    def _copied(self) -> None:
        copy_secret(self.code.text())
        self._context.notifier.say(self.tr("Code copied"))


class PairedRow(ListRow["Browser"]):
    """The list of paired browsers."""

    def __init__(self, context: Context, section: BrowsersSection) -> None:
        self._context = context
        self._section = section
        super().__init__("paired_browsers")

    def show_browsers(self, browsers: tuple[Browser, ...]) -> None:
        """Show these browsers, and report new ones."""
        known = {each.id for each in self.items} if self.items is not None else None
        self.show_items(browsers, self._section.code.guide)
        if known is not None and (new := [each.name for each in browsers if each.id not in known]):
            self._section.code.paired(new)

    def entry(self, browser: Browser) -> tuple[QWidget, Sequence[QWidget]]:
        named = self.tr("Remove {}").format(browser.name)
        remove = button(self.tr("Remove"), lambda: self._remove(browser), "", "trash", name=named)
        since = self.tr("paired {}").format(clock(browser.paired))
        inside = row((column(ElidedLabel(browser.name, ""), label(since, "muted"), spacing=0), 1), remove)
        return held(inside), [remove]

    def _remove(self, browser: Browser) -> None:
        def removed(_result: None) -> None:
            self._section.reload()
            self._context.notifier.say(self.tr("{} can no longer reach WebRAG").format(browser.name))

        self._context.run(self, lambda: self._section.browsers.revoke(browser.id), removed, self.fail)


class BrowsersSection(Section):
    """The section for pairing and removing browsers."""

    def __init__(self, context: Context) -> None:
        super().__init__("browsers")
        self._context = context
        self.browsers = PairedBrowsers(context.settings.running.data_dir)
        self.code = CodeRow(context, self)
        self.paired = PairedRow(context, self)
        self.add(self.code, self.paired)

    def reload(self) -> None:
        self._context.run(self, self.browsers.all, self.paired.show_browsers)
