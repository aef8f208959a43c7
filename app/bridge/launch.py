"""Finds the running instance of a data directory, or starts one that outlives whoever asked for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from app import caps
from app.bridge.find import ALREADY_RUNNING_STATUS, find_instance
from app.bridge.upgrade import is_outdated
from app.instance import RuntimeInfo
from app.paths import program

__all__ = [
    "ALREADY_RUNNING_STATUS",
    "data_dir_arguments",
    "ensure_instance",
    "find_instance",
    "has_display",
    "headless_command",
    "start_commands",
    "start_headless",
]


def ensure_instance(data_dir: Path, *, seconds: float = caps.BRIDGE_START_SECONDS) -> RuntimeInfo:
    """The running instance, started where none runs and after an update. Several callers may race.

    Raises NotRunningError.
    """
    info = find_instance(data_dir)
    if info is not None and not is_outdated(info):
        return info
    from app.bridge.start import Start

    return Start(data_dir, start_commands(data_dir), seconds, replaces_outdated=True).run()


def start_headless(
    data_dir: Path, *, port: int | None = None, seconds: float = caps.BRIDGE_START_SECONDS
) -> RuntimeInfo:
    """Start `webrag serve` and wait until it answers. Raises NotRunningError."""
    from app.bridge.start import Start

    return Start(data_dir, [headless_command(data_dir, port=port)], seconds).run()


def start_commands(
    data_dir: Path, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> list[list[str]]:
    """What to try, best first: in the tray where there is a display, else or on failure without a window."""
    headless = headless_command(data_dir)
    if not has_display(environ, platform):
        return [headless]
    return [[*program("webrag-desktop", "app.desktop"), "--hidden", *data_dir_arguments(data_dir)], headless]


def headless_command(data_dir: Path, *, port: int | None = None) -> list[str]:
    """The server that ends by itself when nobody is attached any more."""
    where = [] if port is None else ["--port", str(port)]
    arguments = ["serve", "--transport", "streamable-http", "--while-attached", *where]
    return [*program("webrag", "app"), *arguments, *data_dir_arguments(data_dir)]


def data_dir_arguments(data_dir: Path) -> list[str]:
    """The option that names the data directory."""
    return ["--data-dir", str(data_dir)]


def has_display(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a window can be shown."""
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
