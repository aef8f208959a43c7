"""The context that every page and dialog receives."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QGuiApplication

from app.desktop.ending import Ending
from app.desktop.engine_thread import EngineThread, Job
from app.desktop.status import Status
from app.desktop.wording import translator
from app.errors import WebRAGError
from app.secrets import SecretStore

if TYPE_CHECKING:
    from app.desktop.config_watch import ConfigWatch
    from app.desktop.settings_store import SettingsStore
    from app.engine import Engine

T = TypeVar("T")

_tr = translator("Context")


class ShowDocument(Protocol):
    """Shows a stored page."""

    def __call__(self, document_id: int, start: int = 0, end: int = 0) -> None:
        """Show a document and mark the characters from `start` to `end`; equal offsets mark nothing."""
        ...


class Notifier(Protocol):
    """Shows short messages at the bottom of the window."""

    def say(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """Show a message with an optional action."""
        ...

    def clear(self) -> None:
        """Hide the message because its action is done."""
        ...

    def complain(self, error: WebRAGError) -> None:
        """Show an error with its cause and hint."""
        ...


@dataclass(slots=True)
class Context:
    """The parts of the application for pages and dialogs. The main window sets the fields without a value.

    `memory` stores the layout of the window for the next start.
    """

    thread: EngineThread
    status: Status
    secrets: SecretStore
    settings: SettingsStore
    ending: Ending = field(default_factory=Ending)
    memory: QSettings = field(init=False, default_factory=lambda: QSettings(os.devnull, QSettings.Format.IniFormat))
    notifier: Notifier = field(init=False)
    go_to: Callable[[str], None] = field(init=False)
    show_document: ShowDocument = field(init=False)
    add_page: Callable[[str], None] = field(init=False)
    add_site: Callable[[str], None] = field(init=False)  # Shows a preview of a site to add.
    restart: Callable[[], None] = field(init=False)
    search_for: Callable[[str], None] = field(init=False)
    config_watch: ConfigWatch = field(init=False)
    show_client: Callable[[str], None] = field(init=False)

    show_settings: Callable[[str], None] = field(init=False)  # Shows a settings section by name.
    repair: Callable[[str], None] = field(init=False)
    """Asks for confirmation of a repair and runs it: `newest`, `salvage` or `empty`."""
    show_wizard: Callable[[], None] = field(init=False)
    show_help: Callable[[], None] = field(init=False)

    def copy_address(self) -> None:
        """Copy the address of the server."""
        QGuiApplication.clipboard().setText(self.status.url)
        self.notifier.say(_tr("Address copied"))

    def run(self, owner: QObject, work: Callable[[], T], done: Callable[[T], None] | None = None) -> Job:
        """Run blocking work on a worker thread, and show errors at the bottom of the window."""
        return self.thread.run_blocking(work, done, self.notifier.complain, owner=owner)

    def ask(
        self,
        owner: QObject,
        work: Callable[[Engine], Awaitable[T]],
        done: Callable[[T], None] | None = None,
        *,
        lasting: bool = False,
    ) -> Job:
        """Run `work` on the engine like `EngineThread.submit`, and show errors at the bottom of the window."""
        return self.thread.submit(work, done, self.notifier.complain, owner=owner, lasting=lasting)
