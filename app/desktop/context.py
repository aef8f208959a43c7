"""The context that every page and dialog receives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.desktop.config_watch import ConfigWatch
from app.desktop.ending import Ending
from app.desktop.engine_thread import Ask, Done, EngineThread, Fail, Job
from app.desktop.qt import Act
from app.desktop.settings_store import SettingsStore
from app.desktop.state_file import StateFile
from app.desktop.status import Status
from app.desktop.wording import translator
from app.errors import SettingsError, WebRAGError
from app.secrets import SecretStore
from app.settings_schema import SettingValue

T = TypeVar("T")

_tr = translator("Context")


class ShowDocument(Protocol):
    """Shows a stored page."""

    def __call__(self, document_id: int, start: int = 0, end: int = 0) -> None:
        """Show a document and mark the characters from `start` to `end`; equal offsets mark nothing."""


class Notifier(Protocol):
    """Shows short messages at the bottom of the window."""

    def say(self, text: str, action: str = "", run: Act | None = None) -> None:
        """Show a message with an optional action."""

    def clear(self) -> None:
        """Hide the message because its action is done."""

    def complain(self, error: WebRAGError) -> None:
        """Show an error with its cause and hint."""


@dataclass(slots=True)
class Context:
    """The parts of the application for pages and dialogs. The main window sets the fields without a value."""

    thread: EngineThread
    status: Status
    secrets: SecretStore
    settings: SettingsStore
    ending: Ending = field(default_factory=Ending)
    memory: StateFile = field(init=False, default_factory=StateFile)  # The layout of the window for the next start.
    notifier: Notifier = field(init=False)
    go_to: Callable[[str], None] = field(init=False)
    show_document: ShowDocument = field(init=False)
    add_page: Callable[[str], None] = field(init=False)
    add_site: Callable[[str], None] = field(init=False)  # Shows a preview of a site to add.
    restart: Callable[[], None] = field(init=False)
    search_for: Callable[[str], None] = field(init=False)
    config_watch: ConfigWatch = field(init=False)
    show_client: Callable[[str], None] = field(init=False)
    show_call: Callable[..., None] = field(init=False)  # Shows a call under Activity, or all of them for None.
    show_job: Callable[[int], None] = field(init=False)
    follow_job: Callable[[int, str], None] = field(init=False)
    """Reports the end of a job that reads a folder or packages."""
    show_folder: Callable[[str], None] = field(init=False)  # Shows the pages of a folder or package.
    show_client_tools: Callable[[], None] = field(init=False)  # Shows the setting for the tools of each assistant.
    show_settings: Callable[..., None] = field(init=False)
    """Shows a settings section by name, and optionally a row in it."""
    repair: Callable[[str], None] = field(init=False)
    """Asks for confirmation of a repair and runs it: `newest`, `salvage` or `empty`. Runs `compact` immediately."""
    show_wizard: Callable[[], None] = field(init=False)
    show_help: Callable[[], None] = field(init=False)
    erase_calls: Callable[[], None] = field(init=False)  # Erases all recorded calls after confirmation.
    erase_questions: Callable[[], None] = field(init=False)
    show_row: Callable[..., None] = field(init=False)  # Shows a settings section by index, or a row or button in it.
    show_shortcuts: Callable[[], None] = field(init=False)
    leave: Callable[[], None] = field(init=False)  # Quits the application.

    def copy_address(self) -> None:
        self.copy(self.status.url, _tr("Address copied"))

    def run(
        self,
        owner: QObject,
        work: Callable[[], T],
        done: Done[T] = None,
        failed: Fail | None = None,
        *,
        uses_keyring: bool = False,
    ) -> Job:
        """Run blocking work on a worker thread. Without `failed`, show errors at the bottom of the window."""
        failed = failed or self.notifier.complain
        return self.thread.run_blocking(work, done, failed, owner=owner, uses_keyring=uses_keyring)

    def ask(
        self, owner: QObject, work: Ask[T], done: Done[T] = None, failed: Fail | None = None, *, lasting: bool = False
    ) -> Job:
        """Run `work` on the engine like `EngineThread.submit`. Without `failed`, show errors at the bottom of the window."""
        return self.thread.submit(work, done, failed or self.notifier.complain, owner=owner, lasting=lasting)

    def save(self, setting: str, value: SettingValue) -> bool:
        """Save a setting, or show why that is not possible. Return whether it was saved."""
        try:
            self.settings.save(setting, value)
        except SettingsError as error:
            self.notifier.complain(error)
            return False
        return True

    def copy(self, text: str, said: str = "") -> None:
        """Copy a text to the clipboard, which an empty one does not change, and show a message, if there is one."""
        if text:
            QGuiApplication.clipboard().setText(text)
        if text and said:
            self.notifier.say(said)
