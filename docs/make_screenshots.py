"""Take pictures of the application for the README and the guide: `python docs/make_screenshots.py [--only NAME] [--scale 2]
[--language de] [--appearance dark] [--size 1400x900]`.

Starts the real application with a new data directory. It reads small sites from loopback, and assistants call it over MCP. Writes
every page in light and dark to build/screenshots/, or to a subfolder for another scale, language or size. Copies the pictures that
documents show to docs/screenshots/. Draws the tray on a virtual display if Xvfb, openbox and trayer are installed.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]


def main() -> int:
    """Take the pictures. Returns 0 if all were written."""
    from pictures.png import TARGET, renew_shown
    from pictures.tray import draw_tray, tray_on_virtual_display

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only take pictures whose name contains this word")
    parser.add_argument("--scale", default="1", help="pixels per point")
    parser.add_argument("--language", default="en", help="language of the window")
    parser.add_argument("--appearance", choices=("light", "dark"), help="only one appearance")
    parser.add_argument("--size", default="", help="size of the window in points, such as 1400x900")
    parser.add_argument("--to", type=Path, help="target folder")
    parser.add_argument("--tray", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.tray:
        return draw_tray()
    os.environ.update(QT_QPA_PLATFORM="offscreen", QT_SCALE_FACTOR=options.scale)
    other = [f"{options.scale}x"] * (options.scale != "1") + [options.language] * (options.language != "en")
    name = "-".join([*other, *[options.size] * bool(options.size)])
    folder = options.to or TARGET / name
    if not options.only.startswith("state-"):
        _pages(options, folder)
    _states(options, folder)
    is_usual = not name and options.to is None
    failed = tray_on_virtual_display(Path(__file__)) if is_usual and options.only in "tray" else 0
    if is_usual:
        renew_shown()
    return failed


def _pages(options: argparse.Namespace, folder: Path) -> None:
    from pictures.application import application

    with application(options.language) as (desktop, web):
        if options.size:
            desktop.window.resize(*map(int, options.size.split("x")))
        _draw(_scenes(web), desktop, options, folder)


def _states(options: argparse.Namespace, folder: Path) -> None:
    """Draw states with problems. Each scene starts its own application."""
    from pictures.application import home
    from pictures.scenes import states

    if any(_is_wanted(name, look, options) for name in states.scenes() for look in ("light", "dark")):
        with home(options.language):
            _draw(states.scenes(), None, options, folder)


def _draw(scenes: dict[str, Any], desktop: Any, options: argparse.Namespace, folder: Path) -> None:
    from app.desktop.theme import Appearance, theme
    from pictures.png import save

    for appearance in (Appearance.LIGHT, Appearance.DARK):
        theme().select(appearance)
        for name, scene in scenes.items():
            if _is_wanted(name, appearance, options):
                save(scene(desktop), f"{name}-{appearance}", folder)


def _is_wanted(name: str, appearance: str, options: argparse.Namespace) -> bool:
    return options.only in f"{name}-{appearance}" and options.appearance in (None, appearance)


def _scenes(web: Any) -> dict[str, Any]:
    """Return all scenes in an order in which none disturbs a later one."""
    from pictures.dialogs import grab_dialog
    from pictures.loop import settle, wait
    from pictures.scenes import activity, clients, home, library, packages, search, settings, shared
    from pictures.scenes.adding import adding_scenes

    return {
        **home.scenes(),
        **library.scenes(),
        **packages.scenes(),
        **search.scenes(),
        **activity.scenes(web),
        **settings.scenes(),
        **clients.scenes(),
        **shared.scenes(),
        **adding_scenes(web, wait, settle, grab_dialog),
        **home.last_scenes(),
    }


if __name__ == "__main__":
    raise SystemExit(main())
