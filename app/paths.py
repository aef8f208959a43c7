"""Where files live on each system. Standard library only, because the bridge needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

APP_DIR = "WebRAG"


def default_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """WEBRAG_DATA_DIR or DATA_DIR when set, else the platform's application-data folder."""
    for name in ("WEBRAG_DATA_DIR", "DATA_DIR"):
        if value := environ.get(name):
            return Path(value).expanduser().absolute()
    if sys.platform == "win32":
        return _environment_dir("LOCALAPPDATA", Path.home() / "AppData" / "Local", environ) / APP_DIR
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APP_DIR
    return _environment_dir("XDG_DATA_HOME", Path.home() / ".local" / "share", environ) / "webrag"


def config_file() -> Path:
    """WEBRAG_CONFIG when set, else config.toml in the platform's configuration folder."""
    if value := os.environ.get("WEBRAG_CONFIG"):
        return Path(value).expanduser().absolute()
    if sys.platform == "win32":
        return _environment_dir("APPDATA", Path.home() / "AppData" / "Roaming") / APP_DIR / "config.toml"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Preferences" / APP_DIR / "config.toml"
    return _environment_dir("XDG_CONFIG_HOME", Path.home() / ".config") / "webrag" / "config.toml"


def corpus_file(data_dir: Path) -> Path:
    """The one SQLite file."""
    return data_dir / "corpus.db"


def log_dir(data_dir: Path) -> Path:
    """Rotating log files; beside the data so that one folder holds all of an instance."""
    return data_dir / "logs"


def program(name: str, module: str, python: str | None = None) -> list[str]:
    """The command of one of our executables: beside the interpreter (or frozen program), else its module.

    A frozen program runs no modules: one that was renamed stands for itself.
    """
    python = python or sys.executable
    if image := _image(Path(python)):
        return [image]
    folder = Path(python).absolute().parent
    for candidate in (folder / name, folder / f"{name}.exe"):
        if candidate.is_file():
            return [str(candidate)]
    return [python] if getattr(sys, "frozen", False) else [python, "-m", module]


def _image(python: Path, environ: Mapping[str, str] = os.environ) -> str:
    """The AppImage that a program runs from, which starts either executable by its arguments; empty outside of one.

    Its files are mounted only while it runs. The variables alone prove nothing: every child of another AppImage has them.
    """
    image, mounted = environ.get("APPIMAGE", ""), environ.get("APPDIR", "")
    inside = bool(image and mounted) and python.absolute().is_relative_to(Path(mounted).absolute())
    return image if inside else ""


def assets_dir() -> Path:
    """Model, guide and icons: inside the frozen bundle, the wheel, or beside the source tree."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle:
        return Path(bundle) / "assets"
    package = Path(__file__).resolve().parent
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"


def _environment_dir(name: str, default: Path, environ: Mapping[str, str] = os.environ) -> Path:
    value = environ.get(name)
    return Path(value) if value and Path(value).is_absolute() else default
