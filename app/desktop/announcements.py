"""Which events are worth a message of the desktop while nobody looks: the engine failed, a long job ended, the disk fills up."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer

from app import caps
from app.desktop.backend import BackendState, Phase
from app.desktop.engine_thread import EngineThread
from app.desktop.main_window import MainWindow
from app.desktop.models.jobs import BROKEN, DONE, ENDED, RUNNING
from app.desktop.tray import Tray
from app.desktop.wording import counted, file_or_address, size
from app.errors import FileAccessError
from app.events import Event, JobChanged

LONG_JOB_SECONDS = 30.0
DISK_MS = 600_000


class Announcements(QObject):
    """Tells the tray. A click on a message leads to what it is about."""

    def __init__(
        self, tray: Tray, window: MainWindow, thread: EngineThread, data_dir: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tray = tray
        self._window = window
        self._thread = thread
        self._data_dir = data_dir
        self._begun: dict[int, float] = {}
        self._was_full = False
        self._disk = QTimer(self)
        self._disk.setInterval(DISK_MS)
        self._disk.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self._disk.timeout.connect(self.look_at_disk)
        self._disk.start()

    def backend_changed(self, state: BackendState) -> None:
        """Tell of an engine or endpoint that cannot work."""
        if state.error is not None and state.phase is Phase.FAILED:
            self._tell(state.error.title, state.error.message, "home")
        elif state.server_error is not None:
            self._tell(state.server_error.title, state.server_error.message, "home")

    def on_events(self, events: list[Event]) -> None:
        """Tell of jobs that ended after a good while."""
        for event in events:
            if isinstance(event, JobChanged):
                self._job_changed(event)

    def look_at_disk(self) -> None:
        """Find out how much room is left; the timer calls this."""
        self._thread.run_blocking(lambda: _free_bytes(self._data_dir), self.disk_seen, lambda _error: None, owner=self)

    def disk_seen(self, free: int) -> None:
        """Tell once of a disk that is nearly full; again only after there was room meanwhile."""
        is_full = free < caps.LOW_DISK_BYTES
        if is_full and not self._was_full:
            text = self.tr("{} are left on the disk with the library. New pages may not be stored.").format(size(free))
            self._tell(self.tr("The disk is nearly full"), text, "settings")
        self._was_full = is_full

    def _job_changed(self, job: JobChanged) -> None:
        if job.state == RUNNING:
            self._begun.setdefault(job.job_id, time.monotonic())
        elif job.state in ENDED:
            begun = self._begun.pop(job.job_id, None)
            if begun is not None and time.monotonic() - begun >= LONG_JOB_SECONDS:
                self._tell_of_job(job)

    def _tell_of_job(self, job: JobChanged) -> None:
        target = file_or_address(job.target)
        if job.state == DONE:
            title = self.tr("Finished: {}").format(target)
            text = counted(job.done, self.tr("1 page was read."), self.tr("{} pages were read."))
            if job.failed:
                failed = counted(
                    job.failed, self.tr("1 page could not be read."), self.tr("{} pages could not be read.")
                )
                text = f"{text} {failed}"
        elif job.state == BROKEN:
            title, text = self.tr("Ended with an error: {}").format(target), job.detail
        else:
            return
        self._tray.tell(title, text, lambda: self._show_job(job.job_id))

    def _tell(self, title: str, text: str, page: str) -> None:
        self._tray.tell(title, text, lambda: self._show_page(page))

    def _show_page(self, page: str) -> None:
        self._window.bring_up()
        self._window.go_to(page)

    def _show_job(self, job_id: int) -> None:
        self._window.bring_up()
        self._window.show_job(job_id)


def _free_bytes(folder: Path) -> int:
    """Room on the disk of a folder. Raises FileAccessError."""
    try:
        return shutil.disk_usage(folder).free
    except OSError as error:
        raise FileAccessError(f"{folder} cannot be looked at: {error.strerror}.") from error
