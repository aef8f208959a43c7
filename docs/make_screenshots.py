"""Pictures of the application for the README and the guide: `python docs/make_screenshots.py [--only NAME] [--scale 2]`.

Starts the real application on a fresh data directory, lets it read three small sites from loopback, has two assistants call it
over MCP, and writes every page in light and dark to build/screenshots/, those of another scale to a folder beside; docs/screenshots/
gets those that documents show. The tray is drawn on a virtual display where Xvfb, openbox and trayer are installed, and left out
where they are not.
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
    """Make the pictures; 0 when all were written."""
    from pictures.png import TARGET, renew_shown
    from pictures.tray import draw_tray, tray_on_virtual_display

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="make only pictures whose name holds this word")
    parser.add_argument("--scale", default="1", help="pixels per point")
    parser.add_argument("--to", type=Path, help="another folder")
    parser.add_argument("--tray", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.tray:
        return draw_tray()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = options.scale
    folder = options.to or (TARGET if options.scale == "1" else TARGET / f"{options.scale}x")
    if not options.only.startswith("state-"):
        _pages(options.only, folder)
    _states(options.only, folder)
    wants_tray = options.only in "tray" and options.scale == "1" and options.to is None
    failed = tray_on_virtual_display(Path(__file__)) if wants_tray else 0
    if options.scale == "1" and options.to is None:
        renew_shown()
    return failed


def _pages(only: str, folder: Path) -> None:
    from pictures.application import application

    with application() as (desktop, web):
        _draw(_scenes(web), desktop, only, folder)


def _states(only: str, folder: Path) -> None:
    """The application on days on which something is wrong; each scene starts one of its own."""
    from pictures.application import home
    from pictures.scenes import states

    if any(only in f"{name}-{appearance}" for name in states.scenes() for appearance in ("light", "dark")):
        with home():
            _draw(states.scenes(), None, only, folder)


def _draw(scenes: dict[str, Any], desktop: Any, only: str, folder: Path) -> None:
    from app.desktop.theme import Appearance, theme
    from pictures.png import save

    for appearance in (Appearance.LIGHT, Appearance.DARK):
        theme().select(appearance)
        for name, scene in scenes.items():
            if only in f"{name}-{appearance}":
                save(scene(desktop), f"{name}-{appearance}", folder)


def _scenes(web: Any) -> dict[str, Any]:
    """In an order in which none is disturbed by those before."""
    from pictures.dialogs import grab_dialog
    from pictures.loop import settle, wait
    from pictures.scenes import activity, clients, home, library, search, settings
    from pictures.scenes.adding import adding_scenes

    return {
        **home.scenes(),
        **library.scenes(),
        **search.scenes(),
        **activity.scenes(web),
        **settings.scenes(),
        **clients.scenes(),
        **adding_scenes(web, wait, settle, grab_dialog),
        **home.last_scenes(),
    }


if __name__ == "__main__":
    raise SystemExit(main())
