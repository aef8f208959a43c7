"""The Qt binding releases its references: some builds lose a reference to None on every call."""

from __future__ import annotations

import subprocess
import sys

CALLS = 2_000
PROBE = f"""
import os, sys
from PySide6.QtWidgets import QApplication, QLabel
application, label = QApplication([]), QLabel()
before = sys.getrefcount(None)
for _ in range({CALLS}):
    label.setText("x")
print(before - sys.getrefcount(None), flush=True)
os._exit(0)
"""


def test_calls_without_a_result_leak_no_reference() -> None:
    result = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) < CALLS // 10
