"""The entries of the palette, and its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.pages.settings.layout import findable, section_titles
from app.desktop.qt import Act
from app.desktop.theme import Appearance, theme
from app.desktop.wording import key_text, translator

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
    run: Act = field(compare=False, repr=False)
    detail: str = ""
    shortcut: str = ""
    words: str = ""
    is_listed: bool = True  # Whether it is listed before the user types.


Commands = Callable[[], list[Entry]]


def commands_of(context: Context, page_icons: Mapping[str, tuple[str, str]]) -> list[Entry]:
    """Return all commands available now, most used first. `page_icons` has title and icon of every page by name."""
    pages = [
        _command(f"page:{name}", icon, _tr("Go to {}").format(title), partial(context.go_to, name), f"Ctrl+{place}")
        for place, (name, (title, icon)) in enumerate(page_icons.items(), start=1)
    ]
    sections = [
        _command(f"settings:{place}", "settings", _tr("Settings › {}").format(title), partial(context.show_row, place))
        for place, title in enumerate(section_titles())
    ]
    return [*_doings(context), *pages, *sections, *_helping(context), *_rows(context)]


def _command(key: str, icon: str, title: str, run: Act, shortcut: str = "", words: str = "") -> Entry:
    return Entry(f"command:{key}", Group.COMMANDS, icon, title, run, shortcut=key_text(shortcut), words=words)


def _doings(context: Context) -> list[Entry]:
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


def _rows(context: Context) -> list[Entry]:
    """Return an entry for every settings row and button, listed only when they match."""
    sections, rows = section_titles(), findable()
    return [
        Entry(
            f"setting:{row.place}:{row.title}:{button}",
            Group.COMMANDS,
            "settings",
            _tr("{0}: {1}").format(row.title, button) if button else row.title,
            partial(context.show_row, row.place, row.title, button),
            _tr("Settings › {}").format(sections[row.place]),
            words=row.words,
            is_listed=False,
        )
        for row, button in (*((row, "") for row in rows), *((row, each) for row in rows for each in row.buttons))
    ]


def _helping(context: Context) -> list[Entry]:
    dark = theme().is_dark
    return [
        _command("help", "info", _tr("Open guide"), context.show_help, shortcut="F1", words=_tr("help manual")),
        _command("keys", "info", _tr("Keyboard shortcuts"), context.show_shortcuts, shortcut="Ctrl+/"),
        _command(
            "setup", "ok", _tr("Show setup"), context.show_wizard, words=_tr("first run wizard welcome set up again")
        ),
        _command(
            "scheme",
            "settings",
            _tr("Use light appearance") if dark else _tr("Use dark appearance"),
            partial(_switch_scheme, context, dark),
            words=_tr("colors theme dark mode light mode"),
        ),
        _command("quit", "close", _tr("Quit WebRAG"), context.leave, shortcut="Ctrl+Q"),
    ]


def _switch_scheme(context: Context, dark: bool) -> None:
    wanted = Appearance.LIGHT if dark else Appearance.DARK
    if context.save("appearance", wanted.value):
        theme().select(wanted)
