"""Locations of files on each system. Standard library only, because the bridge needs it."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.errors import SettingsError

APP_DIR = "WebRAG"
DATA_DIR_VARIABLES = ("WEBRAG_DATA_DIR", "DATA_DIR")
MAX_PATH_CHARS = 4096
DELETE_IT = "Delete this file, or choose a folder with --data-dir."


def default_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Return WEBRAG_DATA_DIR or DATA_DIR if set, otherwise the folder that the user chose or the default one.

    Raises SettingsError if the user's choice cannot be read.
    """
    for name in DATA_DIR_VARIABLES:
        if value := environ.get(name):
            return Path(value).expanduser().absolute()
    return chosen_data_dir(environ) or usual_data_dir(environ)


def usual_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the system's application-data folder."""
    if sys.platform == "win32":
        return _environment_dir("LOCALAPPDATA", Path.home() / "AppData" / "Local", environ) / APP_DIR
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APP_DIR
    return _environment_dir("XDG_DATA_HOME", Path.home() / ".local" / "share", environ) / "webrag"


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Return WEBRAG_CONFIG if set, otherwise config.toml in the system's configuration folder."""
    if value := environ.get("WEBRAG_CONFIG"):
        return Path(value).expanduser().absolute()
    if sys.platform == "win32":
        return _environment_dir("APPDATA", Path.home() / "AppData" / "Roaming", environ) / APP_DIR / "config.toml"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Preferences" / APP_DIR / "config.toml"
    return _environment_dir("XDG_CONFIG_HOME", Path.home() / ".config", environ) / "webrag" / "config.toml"


def chosen_data_dir(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the data folder that the user chose in the window, or None. Raises SettingsError.

    It is stored in a file next to the settings, so that the window, the command line and every bridge find the same folder.
    """
    file = _chosen_file(environ)
    try:
        with file.open(encoding="utf-8") as stream:
            named = stream.read(MAX_PATH_CHARS).strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"Cannot read the path of the data folder from {file} ({error}).", hint=DELETE_IT
        ) from error
    if "\0" in named or not Path(named).is_absolute():
        raise SettingsError(f"{file} does not contain the path of a data folder.", hint=DELETE_IT)
    return Path(named)


def choose_data_dir(folder: Path | None) -> None:
    """Store the data folder for later starts; None means the default folder. Raises SettingsError."""
    file = _chosen_file(os.environ)
    try:
        if folder is None:
            file.unlink(missing_ok=True)
            return
        replace_file(file, f"{folder.absolute()}\n")
    except OSError as error:
        raise SettingsError(f"Cannot save the choice to {file} ({error.strerror}).") from error


def replace_file(path: Path, content: str | bytes, mode: int = 0o666, *, makes_folder: bool = True) -> None:
    """Write the whole file atomically. `mode` is that of a new file; a private one stays private. Raises OSError.

    A missing folder is only created with `makes_folder`. The disk of a folder that the user chose may just be disconnected.
    A symbolic link stays, and its target is replaced: some users keep their settings in another folder.
    """
    path = Path(os.path.realpath(path))
    if makes_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{threading.get_native_id()}.part")
    data = content if isinstance(content, bytes) else content.replace("\n", os.linesep).encode()
    with contextlib.suppress(OSError):
        mode &= path.stat().st_mode | stat.S_IWUSR
    try:
        with open(part, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            stream.write(data)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _chosen_file(environ: Mapping[str, str]) -> Path:
    return config_file(environ).with_name("data-folder.txt")


def corpus_file(data_dir: Path) -> Path:
    """The single SQLite file."""
    return data_dir / "corpus.db"


def joined_file(data_dir: Path) -> Path:
    """The list of shared libraries that this desktop joined. Created when the first one is joined."""
    return data_dir / "libraries.json"


def models_dir(data_dir: Path) -> Path:
    """The folder of embedding models that the user added, each in a folder with its name."""
    return data_dir / "models"


def questions_file(data_dir: Path) -> Path:
    """The recorded questions of assistants, if the user allows recording."""
    return data_dir / "questions.db"


def log_dir(data_dir: Path) -> Path:
    """The folder of the rotating log files, next to the data, so that one folder contains everything of an instance."""
    return data_dir / "logs"


def program(name: str, module: str, python: str | None = None) -> list[str]:
    """Return the command of one of our executables next to the interpreter or frozen program, or of its module.

    A frozen program cannot run modules; if it was renamed, the command is the program itself.
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
    """Return the path of the AppImage that contains this program, or an empty string. It starts either executable by its arguments.

    Its unpacked files exist for one version only. The variables alone prove nothing: child processes of other AppImages inherit them.
    """
    image, mounted = environ.get("APPIMAGE", ""), environ.get("APPDIR", "")
    inside = bool(image and mounted) and python.absolute().is_relative_to(Path(mounted).absolute())
    return image if inside else ""


def assets_dir() -> Path:
    """Return the folder of model, guide and icons: in the frozen bundle, in the wheel, or next to the source tree."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle:
        return Path(bundle) / "assets"
    package = Path(__file__).resolve().parent
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"


@cache
def asset_text(name: str) -> str:
    """Return the text of a file in that folder."""
    return (assets_dir() / name).read_text("utf-8")


@cache
def asset_table(name: str) -> dict[str, Any]:
    """Return the content of a TOML file in that folder."""
    import tomllib

    return tomllib.loads((assets_dir() / name).read_text("utf-8"))


def model_dir() -> Path:
    """Return the folder of the bundled embedding model."""
    return assets_dir() / "model"


def _environment_dir(name: str, default: Path, environ: Mapping[str, str] = os.environ) -> Path:
    value = environ.get(name)
    return Path(value) if value and Path(value).is_absolute() else default
