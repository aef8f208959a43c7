"""Build the wheel, and freeze both programs into dist/webrag."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from facts import BUNDLE, DIST, ROOT, fresh, run, source_date, version


def build(kind: str) -> Path:
    """Build the `wheel`, or freeze, test and measure the `programs`. Raises CalledProcessError."""
    if kind == "wheel":
        run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", DIST])
        return DIST / f"webrag_desktop-{version()}-py3-none-any.whl"
    work = fresh(ROOT / "build" / "pyinstaller")
    folders = ("--distpath", DIST, "--workpath", work)
    run([sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN", *folders, "build.spec"])
    # Packages contain the times of files.
    moment = int(source_date())
    for path in [*BUNDLE.rglob("*"), BUNDLE]:
        if not path.is_symlink():
            os.utime(path, (moment, moment))
    run([sys.executable, ROOT / "installer" / "measure.py"])
    return BUNDLE
