"""The search index of the Settings page: its sections, rows and buttons with synonyms, available before the page is built.

The texts of declared settings are in assets/settings.toml, all others in assets/settings_page.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app import __version__
from app.desktop.wording import declared_text
from app.paths import assets_dir
from app.settings import SETTINGS

_SECTIONS: Final[Mapping[str, dict[str, Any]]] = tomllib.loads(
    (assets_dir() / "settings_page.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True)
class Findable:
    """A row with the index of its section, its title, synonyms, buttons and explanation."""

    place: int
    title: str
    words: str
    buttons: tuple[str, ...] = ()
    text: str = ""


def section_texts(name: str) -> tuple[str, str]:
    """Return the title and explanation of a section."""
    return declared_text(_SECTIONS[name]["title"]), declared_text(_SECTIONS[name].get("text", ""))


def section_titles() -> tuple[str, ...]:
    """Return the section titles in order."""
    return tuple(section_texts(name)[0] for name in _SECTIONS)


def own_row(name: str) -> Findable:
    """Return a row that does not declare a setting. Raises KeyError."""
    return _own_rows()[name]


def findable() -> list[Findable]:
    """Return all rows in the order of the sections."""
    places = {group: place for place, group in enumerate(_SECTIONS)}
    settings = [
        Findable(places[spec.group], declared_text(spec.title), declared_text(spec.words))
        for setting in SETTINGS.values()
        if (spec := setting.row) is not None
    ]
    return sorted((*settings, *_own_rows().values()), key=lambda row: row.place)


def words_of_section(title: str) -> dict[str, str]:
    """Return the synonyms of the rows of a section by row title."""
    place = section_titles().index(title) if title in section_titles() else -1
    return {row.title: row.words.casefold() for row in findable() if row.place == place}


def _own_rows() -> dict[str, Findable]:
    return {
        name: Findable(
            place,
            declared_text(row["title"]).format(__version__),
            declared_text(row["words"]),
            tuple(map(declared_text, row.get("buttons", ()))),
            declared_text(row.get("text", "")),
        )
        for place, section in enumerate(_SECTIONS.values())
        for name, row in section.get("rows", {}).items()
    }
