"""What the ways of adding have in common, and the one thing to do about an error of theirs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Job as Work
from app.desktop.offer import looks_like_address
from app.desktop.widgets import column
from app.desktop.wording import speak, translator
from app.errors import (
    AddressDeniedError,
    ContentProtectedError,
    EmptyPageError,
    FetchError,
    HTTPStatusError,
    InvalidURLError,
    RobotsDeniedError,
    SkeletonPageError,
    UnsupportedContentError,
    WebRAGError,
)

if TYPE_CHECKING:
    from app.engine import Engine
    from app.events import ProgressCallback
    from app.library.job_records import Job

_tr = translator("AddPanel")

MAX_QUOTED_CHARS = 40

BUSY_STATUS = 429


class AddPanel(QWidget):
    """One way of adding something; the dialog around it shows what it says and starts it.

    `busy` tells what it does now (empty: nothing any more), `failed` carries a WebRAGError or None, `added` the id of a
    stored document, `job_begun` the number of a job, `folder_begun` that of one that reads a folder and its path, and `finished`
    follows when there is nothing more to do. `renamed` says that `action`, the words of the button that starts it, or `can_start`
    are others now; `handed_on` carries paths that belong to another way.
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

    def __init__(self, context: Context, action: str) -> None:
        """`action` are the words of the button that starts it."""
        super().__init__()
        self.action = self._usual_action = action
        self.context = context
        self.problem: WebRAGError | None = None
        """Why what is entered now could not be added."""
        self._work: Work | None = None
        self._again: Callable[[], None] | None = None
        self.column = column(parent=self)
        self._progressed.connect(self.busy, Qt.ConnectionType.QueuedConnection)
        self.failed.connect(self._note_problem)

    @abstractmethod
    def start(self) -> None:
        """Begin with what was entered."""

    def press(self) -> None:
        """What the button does that `action` names."""
        self.start()

    def open_up(self) -> None:
        """Called when the panel comes to the front."""

    def take_focus(self) -> None:
        """Let the person type where it matters."""

    @property
    def is_filled(self) -> bool:
        """Whether something waits here to be added."""
        return False

    @property
    def can_start(self) -> bool:
        """Whether the button that starts it may be pressed."""
        return True

    def rename(self, action: str) -> None:
        """Give the button that starts it other words."""
        if action != self.action:
            self.action = action
            self.renamed.emit()

    def again(self) -> None:
        """Do once more what failed."""
        if self._again is not None:
            self._again()

    def stop(self) -> None:
        """Give up what is being done for the panel; jobs in the background go on."""
        if self._work is not None:
            self._work.cancel()

    def progress(self) -> ProgressCallback:
        """Reports from the engine's thread, shown as what the panel does now."""

        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._progressed.emit(detail)

        return report

    def run(self, words: str, work: Callable[[Engine], Awaitable[Any]], done: Callable[[Any], None]) -> None:
        """Do something on the engine's thread; `done` gets its result, an error is shown."""
        self._again = lambda: self.run(words, work, done)
        self.failed.emit(None)
        self.busy.emit(words)

        def finish(result: Any) -> None:
            self.busy.emit("")
            done(result)

        def fail(error: WebRAGError) -> None:
            self.busy.emit("")
            self.failed.emit(error)

        self._work = self.context.thread.submit(work, finish, fail, owner=self)

    def _note_problem(self, error: WebRAGError | None) -> None:
        self.problem = error
        self._name_action()

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _name_action(self) -> None:
        """Say what the button that starts it does now: after an error, only that it tries again all the same."""
        self.rename(self._usual_action if self.problem is None else _tr("Add anyway"))

    def forget_problem(self) -> None:
        """Something else is entered now."""
        if self.problem is not None:
            self.failed.emit(None)


def address_in(text: str) -> str:
    """The text when it looks like one web address, else nothing."""
    stripped = text.strip()
    is_address = stripped.startswith(("http://", "https://")) and not any(part.isspace() for part in stripped)
    return stripped if is_address and len(stripped) < 2_048 else ""


def typed_addresses(text: str) -> tuple[str, ...]:
    """The addresses among the words that a person typed, each once, with a scheme."""
    return tuple(dict.fromkeys(with_scheme(word) for word in text.split() if looks_like_address(word)))


def no_address(text: str) -> WebRAGError:
    """Why nothing can be read of what was typed."""
    words = " ".join(text.split())
    shown = words if len(words) <= MAX_QUOTED_CHARS else f"{words[:MAX_QUOTED_CHARS]}…"
    message = _tr("“{}” is not a web address.").format(shown)
    return speak(InvalidURLError(message, hint=address_example()))


def address_example() -> str:
    """What an address looks like."""
    return _tr("An address looks like example.com/page or https://example.com.")


def with_scheme(address: str) -> str:
    """What a person typed as an address, with https:// where no scheme is given."""
    return address if "://" in address else f"https://{address}"


class Remedy(StrEnum):
    """What a button beside an error does."""

    SETTING = "setting"
    BROWSER = "browser"
    AGAIN = "again"
    NONE = ""


def remedy_of(error: WebRAGError) -> Remedy:
    """What helps: a setting that forbids or enables, the browser for what only that can show, or another try."""
    if isinstance(error, InvalidURLError) or not isinstance(error, FetchError):
        return Remedy.NONE
    if isinstance(error, SkeletonPageError):
        from app.web.rendering import available

        return Remedy.SETTING if available() else Remedy.BROWSER
    if isinstance(error, AddressDeniedError | RobotsDeniedError):
        return Remedy.SETTING
    if isinstance(error, ContentProtectedError | EmptyPageError | UnsupportedContentError):
        return Remedy.BROWSER
    if isinstance(error, HTTPStatusError) and error.status < 500 and error.status != BUSY_STATUS:
        return Remedy.BROWSER
    return Remedy.AGAIN


def setting_of(error: WebRAGError) -> str:
    """The setting that forbids or enables what failed."""
    if isinstance(error, AddressDeniedError):
        return "deny_hosts" if "blocked sites" in str(error) else "allow_networks"
    return "robots_policy" if isinstance(error, RobotsDeniedError) else "render_pages"


def remedy_words(remedy: Remedy) -> str:
    """The words of the button; empty for none."""
    return {
        Remedy.SETTING: _tr("Open the setting"),
        Remedy.BROWSER: _tr("Open in browser"),
        Remedy.AGAIN: _tr("Try again"),
    }.get(remedy, "")
