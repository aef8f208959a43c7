"""What can be wrong with an entry that was put into an assistant's file, and what to do about it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.clients.entry import ServerCommand, with_added_arguments
from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigLocation
from app.clients.standing import Standing, standing
from app.errors import ClientConfigError
from app.text.sentence import sentence


class FindingKind(StrEnum):
    """What happened. All but `broken` and `restart` can be repaired."""

    WIPED = "wiped"
    MISSING = "missing"
    """A file that the assistant reads now and did not before; our entry never was in it."""
    DRIFTED = "drifted"
    BROKEN = "broken"
    RESTART = "restart"

    @property
    def repairable(self) -> bool:
        return self in {FindingKind.WIPED, FindingKind.MISSING, FindingKind.DRIFTED}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about one file of one assistant, for a person to read.

    `by_itself`: nobody can have meant it so; it may be repaired without asking where the person allowed that once.
    """

    client: str
    title: str
    kind: FindingKind
    path: Path
    message: str
    hint: str
    by_itself: bool = False


def look(
    profile: ClientProfile, location: ConfigLocation, command: ServerCommand, machine: Machine, *, known: bool
) -> Finding | None:
    """What is wrong with one file of a registered assistant. `known`: our entry has been seen in it."""
    try:
        found = standing(profile, location.path)
    except ClientConfigError as error:
        return _finding(profile, location, FindingKind.BROKEN, error.message, error.hint)
    if found.entry is None or not found.ours:
        return _gone(profile, location, found, known=known)
    return _drift(profile, location, found, command, machine)


def _gone(profile: ClientProfile, location: ConfigLocation, found: Standing, *, known: bool) -> Finding:
    title, back = profile.title, sentence("Put the entry back. {}", profile.after_change)
    if found.entry is not None:
        words = sentence('The entry "{0}" of {1} starts something else now.', found.name, title)
        hint = sentence("Put ours back only if you did not change it.")
        return _finding(profile, location, FindingKind.WIPED, words, hint)
    if not known:
        words = sentence("{} reads a file that has no entry for WebRAG yet.", title)
        add = sentence("Add the entry. {}", profile.after_change)
        return _finding(profile, location, FindingKind.MISSING, words, add, by_itself=True)
    words = sentence("Something removed WebRAG from the configuration of {}.", title)
    if found.config.content is None:
        words = sentence("The configuration file of {} is gone, and the entry for WebRAG with it.", title)
    return _finding(profile, location, FindingKind.WIPED, words, back, by_itself=True)


def _drift(
    profile: ClientProfile, location: ConfigLocation, found: Standing, command: ServerCommand, machine: Machine
) -> Finding | None:
    current = found.command
    assert current is not None
    wanted = with_added_arguments(command, current)
    program = shutil.which(current.command, path=machine.reduced_environment().get("PATH", ""))
    if program is None:
        words = sentence("{0} starts {1}, which is not there any more.", profile.title, current.command)
    elif not _same_program(program, wanted.command):
        words = sentence("{0} starts another installation of WebRAG: {1}.", profile.title, current.command)
    elif current.args != wanted.args:
        words = sentence("{} starts WebRAG with other options than this installation would.", profile.title)
    else:
        return None
    hint = sentence("Update the entry. {}", profile.after_change)
    return _finding(profile, location, FindingKind.DRIFTED, words, hint, by_itself=program is None)


def restart_due(profile: ClientProfile, location: ConfigLocation) -> Finding:
    """The assistant runs since before its entry was written."""
    words = sentence("{} has not read its new configuration yet.", profile.title)
    return _finding(profile, location, FindingKind.RESTART, words, profile.after_change)


def _finding(
    profile: ClientProfile,
    location: ConfigLocation,
    kind: FindingKind,
    words: str,
    hint: str,
    *,
    by_itself: bool = False,
) -> Finding:
    return Finding(profile.name, profile.title, kind, location.path, words, hint, by_itself)


def _same_program(first: str, second: str) -> bool:
    try:
        return Path(first).samefile(second)
    except OSError:
        return os.path.normcase(first) == os.path.normcase(second)
