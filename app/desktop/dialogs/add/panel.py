"""Base class of the panels of the Add dialog, and the remedies for their errors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app import errors
from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.engine_thread import Job as Work
from app.desktop.offer import looks_like_address
from app.desktop.widgets import column
from app.desktop.wording import speak, translator
from app.errors import WebRAGError
from app.events import ProgressCallback
from app.library.job_records import Job

_tr = translator("AddPanel")

MAX_QUOTED_CHARS = 40

BUSY_STATUS = 429


class AddPanel(QWidget):
    """One way of adding content. The surrounding dialog shows its messages and starts it.

    `busy` carries the current activity (empty: done), `failed` a WebRAGError or None, `added` the ID of a stored document, `job_begun` the
    ID of a job, `folder_begun` the ID of a folder job and its path. `finished` is emitted when everything is done, `renamed` when `action`,
    the label of the start button, or `can_start` has changed. `handed_on` carries paths for another panel.
    """

    busy = Signal(str)
    failed = Signal(object)
    added = Signal(int)
    job_begun = Signal(int)
    folder_begun = Signal(int, str)
    finished = Signal()
    renamed = Signal()
    handed_on = Signal(object)
    _progressed = Signal(str)
    field: QWidget  # The main input.

    def __init__(self, context: Context, action: str) -> None:
        """Create the panel. `action` is the label of the start button."""
        super().__init__()
        self.action = self._usual_action = action
        self.context = context
        self.problem: WebRAGError | None = None  # Why the current input could not be added.
        self._work: Work | None = None
        self._again: Callable[[], None] | None = None
        self.column = column(parent=self)
        self._progressed.connect(self.busy, Qt.ConnectionType.QueuedConnection)
        self.failed.connect(self._note_problem)

    @abstractmethod
    def start(self) -> None:
        """Start adding the input."""

    def press(self) -> None:
        """Do what the button labeled `action` does."""
        self.start()

    def open_up(self) -> None:
        """Called when the panel is shown."""

    def take_focus(self) -> None:
        """Move the focus to the main input."""
        self.field.setFocus()

    @property
    def can_start(self) -> bool:
        """Whether the start button is enabled."""
        return True

    def rename(self, action: str) -> None:
        """Change the label of the start button."""
        if action != self.action:
            self.action = action
            self.renamed.emit()

    def again(self) -> None:
        """Repeat the failed action."""
        if self._again is not None:
            self._again()

    def stop(self) -> None:
        """Cancel the current activity. Background jobs continue."""
        self._stop_looking()
        if self._work is not None:
            self._work.cancel()

    @abstractmethod
    def _stop_looking(self) -> None:
        """Cancel the preview and drop its result."""

    def progress(self) -> ProgressCallback:
        """Return a callback for progress from the engine's thread."""

        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._progressed.emit(detail)

        return report

    def run(self, words: str, work: Callable[[Engine], Awaitable[Any]], done: Callable[[Any], None]) -> None:
        """Run `work` on the engine's thread, and call `done` with its result or show the error."""
        self._again = lambda: self.run(words, work, done)
        self.failed.emit(None)
        self.busy.emit(words)

        def finish(result: Any) -> None:
            self.busy.emit("")
            done(result)

        def fail(error: WebRAGError) -> None:
            self.busy.emit("")
            self.failed.emit(error)

        self._work = self.context.ask(self, work, finish, fail)

    def _note_problem(self, error: WebRAGError | None) -> None:
        self.problem = error
        self._name_action()

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _name_action(self) -> None:
        """Label the start button. After an error, it only offers to try anyway."""
        self.rename(self._usual_action if self.problem is None else _tr("Add anyway"))

    def forget_problem(self) -> None:
        """Clear the error after the input has changed."""
        if self.problem is not None:
            self.failed.emit(None)


def address_in(text: str) -> str:
    """Return the text if it looks like one web address, otherwise an empty string."""
    stripped = text.strip()
    is_address = stripped.startswith(("http://", "https://")) and not any(part.isspace() for part in stripped)
    return stripped if is_address and len(stripped) < 2_048 else ""


def typed_addresses(text: str) -> tuple[str, ...]:
    """Return the addresses among the typed words with a scheme, without duplicates."""
    return tuple(dict.fromkeys(with_scheme(word) for word in text.split() if looks_like_address(word)))


def no_address(text: str) -> WebRAGError:
    words = " ".join(text.split())
    shown = words if len(words) <= MAX_QUOTED_CHARS else f"{words[:MAX_QUOTED_CHARS]}…"
    message = _tr("“{}” is not a web address.").format(shown)
    return speak(errors.InvalidURLError(message, hint=address_example()))


def address_example() -> str:
    return _tr("Enter an address such as example.com/page or https://example.com.")


def with_scheme(address: str) -> str:
    """Return a typed address with a scheme, https:// by default."""
    return address if "://" in address else f"https://{address}"


class Remedy(StrEnum):
    """Action of the button next to an error."""

    SETTING = "setting"
    BROWSER = "browser"
    AGAIN = "again"
    NONE = ""


def remedy_of(error: WebRAGError) -> Remedy:
    """Return the remedy: a setting, the browser for pages only it can show, or another try."""
    if isinstance(error, errors.InvalidURLError) or not isinstance(error, errors.FetchError):
        return Remedy.NONE
    if isinstance(error, errors.SkeletonPageError):
        from app.web.rendering import available

        return Remedy.SETTING if available() else Remedy.BROWSER
    if isinstance(error, errors.AddressDeniedError | errors.RobotsDeniedError):
        return Remedy.SETTING
    if isinstance(error, errors.ContentProtectedError | errors.EmptyPageError | errors.UnsupportedContentError):
        return Remedy.BROWSER
    if isinstance(error, errors.HTTPStatusError) and error.status < 500 and error.status != BUSY_STATUS:
        return Remedy.BROWSER
    return Remedy.AGAIN


def setting_of(error: WebRAGError) -> str:
    """Return the setting that allows or enables what failed."""
    if isinstance(error, errors.AddressDeniedError):
        return "deny_hosts" if "blocked sites" in str(error) else "allow_networks"
    return "robots_policy" if isinstance(error, errors.RobotsDeniedError) else "render_pages"


def remedy_words(remedy: Remedy) -> str:
    """Return the label of the remedy button, empty for none."""
    return {
        Remedy.SETTING: _tr("Open setting"),
        Remedy.BROWSER: _tr("Open in browser"),
        Remedy.AGAIN: _tr("Try again"),
    }.get(remedy, "")
