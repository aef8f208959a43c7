"""OpenCode: its settings of the person, in one of two files, in one of two layouts."""

from __future__ import annotations

import os

from app.clients.entry import EntryShape
from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, Place
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """The file that is there; it reads both, and one entry is enough."""
    folder = machine.config_home / "opencode"
    commented, plain = (folder / name for name in ("opencode.jsonc", "opencode.json"))
    only_plain = os.access(plain, os.F_OK) and not os.access(commented, os.F_OK)
    return (ConfigLocation(plain if only_plain else commented, sign=folder),)


LOCAL = (("type", "local"),)
OPENCODE = ClientProfile(
    name="opencode",
    title="OpenCode",
    locate=config_files,
    place=Place(
        ("mcp",),
        EntryShape(
            args=None,
            env="environment",
            fixed=LOCAL,
            first=(("environment", {}), ("enabled", True)),
            off=("enabled", False),
        ),
    ),
    nested=Place(
        ("mcp", "servers"),
        EntryShape(args=None, env="environment", fixed=LOCAL, first=(("environment", {}),), off=("disabled", True)),
    ),
    format=ConfigFormat.JSONC,
    after_change=sentence("Start OpenCode again."),
)
