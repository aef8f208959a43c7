"""Where files live on each system. Standard library only, because the bridge needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from app.errors import SettingsError

APP_DIR = "WebRAG"
DATA_DIR_VARIABLES = ("WEBRAG_DATA_DIR", "DATA_DIR")
MAX_PATH_CHARS = 4096
DELETE_IT = "Delete this file, or name another folder with --data-dir."


def default_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """WEBRAG_DATA_DIR or DATA_DIR when set, else the folder that a person chose, else the platform's application-data folder.

    Raises SettingsError when it cannot be read which folder was chosen.
    """
    for name in DATA_DIR_VARIABLES:
        if value := environ.get(name):
            return Path(value).expanduser().absolute()
    return chosen_data_dir(environ) or usual_data_dir(environ)


def usual_data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The platform's application-data folder."""
    if sys.platform == "win32":
        return _environment_dir("LOCALAPPDATA", Path.home() / "AppData" / "Local", environ) / APP_DIR
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APP_DIR
    return _environment_dir("XDG_DATA_HOME", Path.home() / ".local" / "share", environ) / "webrag"


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """WEBRAG_CONFIG when set, else config.toml in the platform's configuration folder."""
    if value := environ.get("WEBRAG_CONFIG"):
        return Path(value).expanduser().absolute()
    if sys.platform == "win32":
        return _environment_dir("APPDATA", Path.home() / "AppData" / "Roaming", environ) / APP_DIR / "config.toml"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Preferences" / APP_DIR / "config.toml"
    return _environment_dir("XDG_CONFIG_HOME", Path.home() / ".config", environ) / "webrag" / "config.toml"


def chosen_data_dir(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The data folder that a person chose in the window; None where nobody did. Raises SettingsError.

    It stands in a file beside the settings, so that the window, the command line and every bridge find the same one.
    """
    file = _chosen_file(environ)
    try:
        with file.open(encoding="utf-8") as stream:
            named = stream.read(MAX_PATH_CHARS).strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file}, which names the data folder, cannot be read: {error}", hint=DELETE_IT) from error
    if "\0" in named or not Path(named).is_absolute():
        raise SettingsError(f"{file} names no data folder.", hint=DELETE_IT)
    return Path(named)


def choose_data_dir(folder: Path | None) -> None:
    """Remember the data folder for every later start; None is the usual one. Raises SettingsError."""
    file = _chosen_file(os.environ)
    try:
        if folder is None:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".tmp")
        temporary.write_text(f"{folder.absolute()}\n", encoding="utf-8")
        temporary.replace(file)
    except OSError as error:
        raise SettingsError(f"The choice cannot be written to {file}: {error.strerror}.") from error


def _chosen_file(environ: Mapping[str, str]) -> Path:
    return config_file(environ).with_name("data-folder.txt")


def corpus_file(data_dir: Path) -> Path:
    """The one SQLite file."""
    return data_dir / "corpus.db"


def joined_file(data_dir: Path) -> Path:
    """Which shared libraries this desktop joined; there is none until it joins one."""
    return data_dir / "libraries.json"


def questions_file(data_dir: Path) -> Path:
    """The questions of assistants, where the person lets them be kept."""
    return data_dir / "questions.db"


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

    Its files are unpacked for one version and go with it. The variables alone prove nothing: every child of another AppImage has them.
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


def model_dir() -> Path:
    """The folder of the embedding model that comes with the program."""
    return assets_dir() / "model"


def _environment_dir(name: str, default: Path, environ: Mapping[str, str] = os.environ) -> Path:
    value = environ.get(name)
    return Path(value) if value and Path(value).is_absolute() else default
