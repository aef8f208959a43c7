"""Sites that an empty library may begin with: a list of addresses that comes with the program, and the person's own."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.desktop.wording import site_of
from app.errors import FileAccessError
from app.paths import assets_dir

MAX_STARTERS: Final = 24
MAX_TITLE_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class Starter:
    """A site by its name. Nothing of it is read before a person asks for it."""

    title: str
    address: str


def starters(own: Sequence[str] = (), file: Path | None = None) -> tuple[Starter, ...]:
    """The person's own first, each address once, at most MAX_STARTERS. Raises FileAccessError."""
    path = file or assets_dir() / "starters.toml"
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get("site", [])
        known = [Starter(str(each["title"])[:MAX_TITLE_CHARS], str(each["address"])) for each in listed]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileAccessError(f"The list of sites in {path} cannot be read: {error}.") from error
    added = [Starter(site_of(address)[:MAX_TITLE_CHARS], address) for address in own]
    usable = {each.address: each for each in (*added, *known) if each.address.startswith(("https://", "http://"))}
    return tuple(usable.values())[:MAX_STARTERS]
