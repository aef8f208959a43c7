"""`autostart`: whether the tray application is started at login."""

from __future__ import annotations

import argparse

from app.autostart import Autostart, autostart
from app.cli.output import say, say_json
from app.errors import AutostartError


def at_login(options: argparse.Namespace) -> int:
    """Switch it on or off, or say what is the case."""
    entry = autostart(options.data_dir)
    if entry is None:
        raise AutostartError(
            "How programs are started at login is not known for this system.",
            hint="Let your system start `webrag-desktop --hidden`.",
        )
    if options.state == "on":
        entry.enable()
    elif options.state == "off":
        entry.disable()
    if options.json:
        say_json({"enabled": entry.is_enabled, "needsRepair": entry.needs_repair})
    else:
        say(_words(entry))
    return 0


def _words(entry: Autostart) -> str:
    if entry.needs_repair:
        return "Another copy of WebRAG Desktop starts at login. `webrag autostart on` makes it this one."
    if entry.is_enabled:
        return "WebRAG Desktop starts in the tray when you log in."
    return "WebRAG Desktop does not start when you log in."
