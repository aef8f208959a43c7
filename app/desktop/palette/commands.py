"""The entries of the palette, and its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Protocol

from app.desktop.backend import Phase
from app.desktop.pages.settings.index import findable, section_titles
from app.desktop.theme import theme
from app.desktop.wording import key_text, translator

if TYPE_CHECKING:
    from app.desktop.context import Context
    from app.desktop.pages.settings.page import SettingsPage

_tr = translator("PaletteCommands")


class Group(StrEnum):
    """The groups of entries in display order."""

    RECENT = "recent"
    COMMANDS = "commands"
    PAGES = "pages"
    PASSAGES = "passages"
    MORE = "more"  # A link to another search, without a caption.


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry. Two entries with the same `key` lead to the same target. `words` are synonyms for the search."""

    key: str
    group: Group
    icon: str
    title: str
    run: Callable[[], object] = field(compare=False, repr=False)
    detail: str = ""
    shortcut: str = ""
    words: str = ""
    is_listed: bool = True  # Whether it is listed before the user types.


class Commanded(Protocol):
    """The protocol of the main window for commands."""

    @property
    def context(self) -> Context: ...
    @property
    def page_icons(self) -> Mapping[str, tuple[str, str]]:
        """Return title and icon of every page by name, in the order of the sidebar."""
        ...

    @property
    def settings(self) -> SettingsPage: ...
    def go_to(self, name: str) -> None: ...
    def show_setting(self, place: int) -> None: ...
    def show_help(self) -> None: ...
    def show_shortcuts(self) -> None: ...
    def show_wizard(self) -> None: ...
    def leave(self) -> None:
        """Quit the application."""
        ...


def commands_of(window: Commanded) -> list[Entry]:
    """Return all commands available now, most used first."""
    pages = [
        _command(f"page:{name}", icon, _tr("Go to {}").format(title), partial(window.go_to, name), f"Ctrl+{place}")
        for place, (name, (title, icon)) in enumerate(window.page_icons.items(), start=1)
    ]
    sections = [
        _command(
            f"settings:{place}", "settings", _tr("Settings › {}").format(title), partial(window.show_setting, place)
        )
        for place, title in enumerate(section_titles())
    ]
    return [*_doings(window), *pages, *sections, *_helping(window), *_rows(window)]


def _command(key: str, icon: str, title: str, run: Callable[[], object], shortcut: str = "", words: str = "") -> Entry:
    return Entry(f"command:{key}", Group.COMMANDS, icon, title, run, shortcut=key_text(shortcut), words=words)


def _doings(window: Commanded) -> list[Entry]:
    context = window.context
    paused = context.status.phase is Phase.PAUSED
    made = [
        _command(
            "add",
            "add",
            _tr("Add page, site or folder…"),
            lambda: context.add_page(""),
            shortcut="Ctrl+N",
            words=_tr("new crawl import file"),
        )
    ]

    if context.status.url:
        made += [
            _command(
                "pause",
                "play" if paused else "pause",
                _tr("Resume WebRAG") if paused else _tr("Pause WebRAG"),
                lambda: context.thread.set_paused(not paused),
                words=_tr("stop start assistants server"),
            ),
            _command("address", "copy", _tr("Copy server address"), context.copy_address),
        ]
    return made


def _rows(window: Commanded) -> list[Entry]:
    """Return an entry for every settings row and button, listed only when they match."""
    sections, rows = section_titles(), findable()

    def show(place: int, title: str, button: str) -> None:
        window.go_to("settings")
        window.settings.show_row(place, title, button)

    return [
        Entry(
            f"setting:{row.place}:{row.title}:{button}",
            Group.COMMANDS,
            "settings",
            _tr("{0}: {1}").format(row.title, button) if button else row.title,
            partial(show, row.place, row.title, button),
            _tr("Settings › {}").format(sections[row.place]),
            words=row.words,
            is_listed=False,
        )
        for row, button in (*((row, "") for row in rows), *((row, each) for row in rows for each in row.buttons))
    ]


def _helping(window: Commanded) -> list[Entry]:
    dark = theme().is_dark
    return [
        _command("help", "info", _tr("Open guide"), window.show_help, shortcut="F1", words=_tr("help manual")),
        _command("keys", "info", _tr("Keyboard shortcuts"), window.show_shortcuts, shortcut="Ctrl+/"),
        _command(
            "setup", "ok", _tr("Show setup"), window.show_wizard, words=_tr("first run wizard welcome set up again")
        ),
        _command(
            "scheme",
            "settings",
            _tr("Use light appearance") if dark else _tr("Use dark appearance"),
            partial(_switch_scheme, window, dark),
            words=_tr("colors theme dark mode light mode"),
        ),
        _command("quit", "close", _tr("Quit WebRAG"), window.leave, shortcut="Ctrl+Q"),
    ]


def _switch_scheme(window: Commanded, dark: bool) -> None:
    from app.desktop.theme import Appearance
    from app.errors import SettingsError

    wanted = Appearance.LIGHT if dark else Appearance.DARK
    try:
        window.context.settings.save("appearance", wanted.value)
    except SettingsError as error:
        window.context.notifier.complain(error)
        return
    theme().select(wanted)
