"""What every page and dialog gets to work with."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QObject, QSettings

from app.desktop.ending import Ending
from app.desktop.engine_thread import EngineThread, Job
from app.desktop.status import Status
from app.errors import WebRAGError
from app.secrets import SecretStore

if TYPE_CHECKING:
    from app.desktop.config_watch import ConfigWatch
    from app.desktop.settings_store import SettingsStore
    from app.engine import Engine

T = TypeVar("T")


class ShowDocument(Protocol):
    """Brings a stored page into view."""

    def __call__(self, document_id: int, start: int = 0, end: int = 0) -> None:
        """`start` and `end` are character offsets of a passage in its text, which is marked; equal ones mark nothing."""
        ...


class Notifier(Protocol):
    """Short messages at the bottom of the window."""

    def say(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """Tell what happened, with one thing to do about it."""
        ...

    def clear(self) -> None:
        """Take the message away: what it offered is done."""
        ...

    def complain(self, error: WebRAGError) -> None:
        """Tell what failed, why, and what to do next."""
        ...


@dataclass(slots=True)
class Context:
    """The parts of the application as pages and dialogs see them. What is not given at first is the main window's.

    `memory` is what the window looked like, for its next start; without a window nothing is kept.
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
    add_site: Callable[[str], None] = field(init=False)
    """Shows what would be read of a site, to begin or to leave."""
    restart: Callable[[], None] = field(init=False)
    search_for: Callable[[str], None] = field(init=False)
    config_watch: ConfigWatch = field(init=False)
    show_client: Callable[[str], None] = field(init=False)
    show_storage: Callable[[], None] = field(init=False)
    show_settings: Callable[[str], None] = field(init=False)
    """Brings a section of the settings into view by its name."""
    repair: Callable[[str], None] = field(init=False)
    """Asks about one way to mend the library and takes it: `newest`, `salvage` or `empty`."""
    show_wizard: Callable[[], None] = field(init=False)
    show_help: Callable[[], None] = field(init=False)

    def ask(
        self,
        owner: QObject,
        work: Callable[[Engine], Awaitable[T]],
        done: Callable[[T], None] | None = None,
        *,
        lasting: bool = False,
    ) -> Job:
        """Run `work` on the engine as `EngineThread.submit` does; a failure is told at the bottom of the window."""
        return self.thread.submit(work, done, self.notifier.complain, owner=owner, lasting=lasting)
