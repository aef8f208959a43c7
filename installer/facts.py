"""Facts for all artifacts: version, folders and names, and how to end a build that is not possible here."""

from __future__ import annotations

import datetime
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
INSTALLER: Final = ROOT / "installer"
DIST: Final = ROOT / "dist"
BUILD: Final = ROOT / "build" / "installer"
BUNDLE: Final = DIST / "webrag"
ICON: Final = ROOT / "assets" / "icons" / "app.svg"
MISSING: Final = 3
"""Exit status of a build if a tool or a part is missing."""

NAME: Final = "webrag-desktop"
REPOSITORY: Final = "GITHUB_REPOSITORY"
"""Variable with the project's repository, as owner/name, during a release."""


class CannotBuildError(Exception):
    """Something is missing. The message names it and its source."""


def version() -> str:
    """Return the version of the product."""
    text = (ROOT / "app" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if found is None:
        raise CannotBuildError("app/__init__.py does not contain a version")
    return found[1]


def homepage() -> str:
    """Return the address of the project, empty outside a release."""
    repository = os.environ.get(REPOSITORY, "")
    return f"https://github.com/{repository}" if repository else ""


def release_date() -> str:
    """Return the day of the last commit, or today outside a checkout."""
    return _git("log", "-1", "--format=%cs") or datetime.datetime.now(datetime.UTC).date().isoformat()


def source_date() -> str:
    """Return the time of files in packages, in seconds, so that builds are reproducible: that of the commit, 0 outside a checkout."""
    return os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct") or "0"


def commit() -> str:
    """Return the commit, with `-dirty` if tracked files differ from it; empty outside a checkout."""
    return _git("describe", "--always", "--abbrev=40", "--dirty", "--exclude=*")


def _git(*arguments: str) -> str:
    """Return the output of git, empty outside a checkout."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def machine() -> str:
    """Return the processor as most file names spell it."""
    name = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(name, name)


def require_bundle() -> Path:
    """Return the folder that PyInstaller creates. Raises CannotBuildError."""
    suffix = ".exe" if sys.platform == "win32" else ""
    for name in ("webrag", "webrag-desktop"):
        if not (BUNDLE / f"{name}{suffix}").is_file():
            raise CannotBuildError("dist/webrag is missing: run make package first")
    return BUNDLE


def require_tool(name: str, source: str) -> str:
    """Return the path of a program. Raises CannotBuildError."""
    found = shutil.which(name)
    if found is None:
        raise CannotBuildError(f"{name} is missing ({source})")
    return found


def require_system(system: str, name: str) -> None:
    """Raise CannotBuildError on other systems."""
    if sys.platform != system:
        raise CannotBuildError(f"this can only be built on {name}")


def run(command: Sequence[str | Path], *, environ: Mapping[str, str] | None = None, folder: Path = ROOT) -> None:
    """Run a tool. Raises CalledProcessError."""
    subprocess.run([str(word) for word in command], check=True, cwd=folder, env={**os.environ, **(environ or {})})


def sha256(path: Path) -> str:
    """Return the checksum of a file in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def fresh(folder: Path) -> Path:
    """Create the folder again, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
