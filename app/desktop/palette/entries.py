"""What the palette lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class Group(StrEnum):
    """The parts of the list, in the order they are shown."""

    RECENT = "recent"
    COMMANDS = "commands"
    PAGES = "pages"
    PASSAGES = "passages"
    MORE = "more"
    """Where else to look; without a caption."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. `key` tells whether two lines lead to the same; `words` are found too, but not shown."""

    key: str
    group: Group
    icon: str
    title: str
    run: Callable[[], object] = field(compare=False, repr=False)
    detail: str = ""
    shortcut: str = ""
    words: str = ""
