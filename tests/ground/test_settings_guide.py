"""The guide's page on settings lists every setting with its variable and its default."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.cli.parser import build_parser
from app.paths import assets_dir
from app.settings import SETTINGS
from app.settings_schema import Setting

GUIDE: Path = assets_dir() / "guide"


def rows() -> dict[str, tuple[str, str, str]]:
    """Return section, variable and default of every setting in the guide."""
    found: dict[str, tuple[str, str, str]] = {}
    section = ""
    for line in (GUIDE / "07-settings.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("Section `"):
            section = line.split("`")[1]
        elif line.startswith("| `"):
            name, variable, default, _meaning = (cell.strip().strip("`") for cell in line.strip("|").split("|"))
            assert name not in found
            found[name] = (section, variable, default)
    return found


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def test_the_guide_has_exactly_the_settings() -> None:
    assert sorted(rows()) == sorted(SETTINGS)


@pytest.mark.parametrize("declared", SETTINGS.values(), ids=lambda declared: declared.name)
def test_section_variable_and_default_are_correct(declared: Setting) -> None:
    section, variable, default = rows()[declared.name]
    assert (section, variable) == (declared.section, declared.variable)
    expected = (
        {"the model's own"}
        if declared.default is None
        else {"none"}
        if declared.default in ((), "")
        else {shown(declared.default)}
    )
    assert {default} == expected


def test_every_command_is_in_the_guide() -> None:
    text = (GUIDE / "08-command-line.md").read_text(encoding="utf-8")
    commands = next(action.choices for action in build_parser()._actions if action.dest == "command")
    assert isinstance(commands, dict)
    # Earlier names of a command use the same parser.
    named = {commands[name] for name in commands if re.search(rf"(?:`|\n)webrag {name}\b", text)}
    assert [name for name, parser in commands.items() if parser not in named] == []
