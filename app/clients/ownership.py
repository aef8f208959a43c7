"""Whether an entry starts the program of this installation or that of another one."""

from __future__ import annotations

import shutil
from pathlib import Path

from app.clients.entry import ServerCommand

AS_MODULE = ("-m", "app")


def is_same_program(one: ServerCommand, other: ServerCommand) -> bool:
    """Whether both start the same program, whatever their options."""
    first, second = (shutil.which(command.command) or command.command for command in (one, other))
    modules = {command.args[:2] == AS_MODULE for command in (one, other)}
    if modules == {True}:
        # Interpreters of different environments may be links to the same file.
        return Path(first).absolute() == Path(second).absolute()
    try:
        return modules == {False} and Path(first).samefile(second)
    except OSError:
        return False
