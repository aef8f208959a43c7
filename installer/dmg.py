"""Build the disk image for macOS."""

from __future__ import annotations

from pathlib import Path

from facts import DIST, INSTALLER, CannotBuildError, machine, require_system, run, version


def build(_kind: str) -> Path:
    """Build it in dist/, signed and notarized if the variables for that are set. Raises CannotBuildError and CalledProcessError."""
    require_system("darwin", "macOS")
    application = DIST / "WebRAG.app"
    if not application.is_dir():
        raise CannotBuildError("dist/WebRAG.app is missing: run make package first")
    target = DIST / f"WebRAG-{version()}-{machine()}.dmg"
    run(["bash", INSTALLER / "macos" / "build_dmg.sh", application, target])
    return target
