"""Tests that an unexpected error in a Qt override is reported and does not crash."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from PySide6.QtWidgets import QApplication, QTableView
from app.desktop.models.rows import Column, RowsModel
from app.desktop.tables import CellDelegate

met = []
sys.excepthook = lambda kind, error, trace: met.append(kind.__name__)
application = QApplication([])
rows = RowsModel([Column("Pages", lambda record: str(int(record)), int)])
rows._visible = ["20,000", "7"]
table = QTableView()
table.setModel(rows)
table.setItemDelegate(CellDelegate(table))
table.grab()
table.grab()
print(met, rows.data(rows.index(1, 0)))
"""


def test_an_error_of_c_code_in_an_override_is_reported_once_without_a_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "['ValueError'] 7"), done.stderr
