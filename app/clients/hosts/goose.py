"""Goose: desktop application and command line share one file; a server is one of its extensions."""

from __future__ import annotations

from app.clients.entry import SERVER_NAME, EntryShape
from app.clients.machine import Machine, System
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, Place
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """On macOS it follows the rules of Linux."""
    folder = machine.config_home / "goose"
    if machine.system is System.WINDOWS:
        folder = machine.application_data / "Block" / "goose" / "config"
    return (ConfigLocation(folder / "config.yaml", sign=folder),)


SHAPE = EntryShape(
    command="cmd",
    env="envs",
    fixed=(("type", "stdio"),),
    first=(
        ("name", SERVER_NAME),
        ("description", "Grounded, cited answers from web pages and documents"),
        ("enabled", True),
        ("envs", {}),
        ("timeout", 300),
    ),
    off=("enabled", False),
)
GOOSE = ClientProfile(
    name="goose",
    title="Goose",
    locate=config_files,
    place=Place(("extensions",), SHAPE),
    format=ConfigFormat.YAML,
    after_change=sentence("Start a new Goose session."),
)
