"""The numbers of the token ledger as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from app.errors import FileAccessError

if TYPE_CHECKING:
    from app.corpus.records import DayUsage


def folder_of_documents() -> str:
    """Where a person keeps documents."""
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)


def save_csv(rows: list[DayUsage], path: Path) -> Path:
    """Write the sums as `webrag usage --csv` does; blocking. Raises FileAccessError."""
    from app.server.reports.usage import usage_csv

    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(usage_csv(rows))
    except OSError as error:
        raise FileAccessError(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from error
    return path
