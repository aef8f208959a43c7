"""What the window remembers for the next start, such as its size, its columns and completed first steps."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QByteArray, QObject, QSettings

from app.desktop.qt import single_shot
from app.paths import replace_file

log = logging.getLogger(__name__)

Value = TypeVar("Value", bool, float, str)

WRITE_MS: Final = 500  # Milliseconds in which changes are written together.
END_SECONDS: Final = 0.5  # Seconds that the exit waits for a write. A folder on a network can take longer.


class StateFile(QObject):
    """Values by key in a JSON file, or in memory only. Another thread writes the file, because a folder on a network can take seconds.

    That thread may not use objects of Qt: the exit deletes them on all threads.
    """

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._values = _read(file) if file is not None else {}
        self._written = dict(self._values)
        self._writing: threading.Thread | None = None
        self._pause = single_shot(self, WRITE_MS, self._write)

    def get(self, key: str, default: Value) -> Value:
        """Return the stored value, or `default` if there is none of its type."""
        stored = self._values.get(key)
        return stored if isinstance(stored, type(default)) else default

    def set(self, key: str, value: bool | float | str) -> None:
        self._values[key] = value
        self._pause.start()

    def remove(self, key: str) -> None:
        self._values.pop(key, None)
        self._pause.start()

    def close(self) -> None:
        """Write the last changes. Give up after END_SECONDS."""
        self._wait()
        self._write()
        self._wait()

    def _wait(self) -> None:
        if self._writing is not None:
            self._writing.join(END_SECONDS)

    def _write(self) -> None:
        if self._writing is not None and self._writing.is_alive():
            self._pause.start()
            return
        self._pause.stop()
        if self._file is None or self._values == self._written:
            return
        self._written = dict(self._values)
        text = json.dumps(self._written, ensure_ascii=False, indent=1)
        self._writing = threading.Thread(target=_save, args=(self._file, text), name="window state", daemon=True)
        self._writing.start()


def _save(file: Path, text: str) -> None:
    try:
        replace_file(file, text, makes_folder=False)
        file.with_suffix(".ini").unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s cannot be written: %s", file, error)


def _read(file: Path) -> dict[str, bool | float | str]:
    try:
        found = json.loads(file.read_text("utf-8"))
        return found if isinstance(found, dict) else {}
    except FileNotFoundError:
        # Versions up to 1.0.0 wrote another file.
        stored = QSettings(str(file.with_suffix(".ini")), QSettings.Format.IniFormat)
    except (OSError, ValueError) as error:
        log.warning("%s cannot be read: %s", file, error)
        return {}
    values: dict[str, bool | float | str] = {}
    for key in stored.allKeys():
        value = stored.value(key)
        if isinstance(value, QByteArray):
            values[key] = value.toBase64().toStdString()
        elif isinstance(value, bool | float | str):
            values[key] = value == "true" if value in ("true", "false") else value
    return values
