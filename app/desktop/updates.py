"""Whether a newer version is out: asked by hand, or once a week where that is switched on. Nothing is downloaded."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QTimer, Signal

from app import caps
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.desktop.context import Context
    from app.engine import Engine
    from app.engine.maintenance import UpdateCheck

log = logging.getLogger(__name__)

LOOK_MS = 3_600_000
DAY_SECONDS = 86_400.0
STATE_FILE = "window.ini"
LAST = "updates/last_check"


class Updates(QObject):
    """`found` carries an UpdateCheck, `failed` the error; only a check by hand reports an error."""

    found = Signal(object)
    failed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._state = QSettings(
            str(context.settings.running.data_dir / STATE_FILE), QSettings.Format.IniFormat, parent=self
        )
        self.is_asking = False
        timer = QTimer(self)
        timer.setInterval(LOOK_MS)
        timer.timeout.connect(self.check_if_due)
        timer.start()

    @property
    def feed(self) -> str:
        """The address that is asked; empty where this build names none."""
        return str(self._context.settings.value("update_feed")).strip()

    @property
    def last(self) -> float:
        """When a feed was last read, in seconds since the epoch; 0 for never."""
        return float(str(self._state.value(LAST, 0.0)))

    @property
    def is_due(self) -> bool:
        """Whether a check that nobody asks for by hand is wanted now."""
        wanted = bool(self.feed) and bool(self._context.settings.value("update_check_weekly"))
        return wanted and time.time() - self.last >= caps.UPDATE_DAYS * DAY_SECONDS

    def check_if_due(self) -> None:
        """Check quietly, once a week."""
        if self.is_due and not self.is_asking:
            self._ask(lambda error: log.info("no answer about updates: %s", error.message))

    def check(self) -> None:
        """Check now."""
        if not self.is_asking:
            self._ask(self.failed.emit)

    def _ask(self, failed: Callable[[WebRAGError], object]) -> None:
        feed = self.feed
        self.is_asking = True

        async def ask(engine: Engine) -> UpdateCheck:
            return await engine.maintenance.check_update(feed)

        def fail(error: WebRAGError) -> None:
            self.is_asking = False
            failed(error)

        self._context.thread.submit(ask, self._answered, fail, owner=self)

    def _answered(self, check: UpdateCheck) -> None:
        self.is_asking = False
        self._state.setValue(LAST, time.time())
        self.found.emit(check)
