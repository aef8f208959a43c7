"""Tests that synonyms find the rows of the Settings page, on the page and in the palette."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.desktop import wording
from app.desktop.application import DesktopApp
from app.desktop.pages.settings.layout import Row, findable
from app.desktop.pages.settings.page import SettingsPage
from app.desktop.palette.commands import COMMANDS, best, commands_of, named
from app.desktop.wording import SOURCE, install_language
from app.paths import assets_dir
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts
from translate import build_catalogue

ENGLISH = {
    "theme": "Appearance",
    "dark mode": "Appearance",
    "light mode": "Appearance",
    "appearance": "Appearance",
    "night": "Appearance",
    "color": "Appearance",
    "language": "Language",
    "locale": "Language",
    "german": "Language",
    "startup": "Start when you log in",
    "autostart": "Start when you log in",
    "login": "Start when you log in",
    "boot": "Start when you log in",
    "launch": "Start when you log in",
    "tray": "Tray icon",
    "menu bar": "Tray icon",
    "shortcut": "Ask window shortcut",
    "hotkey": "Ask window shortcut",
    "keyboard": "Ask window shortcut",
    "exit": "When closing the window",
    "notifications": "Notifications",
    "alerts": "Notifications",
    "bookmarks": "Suggested sites",
    "enable": "Serve assistants",
    "url": "Address",
    "localhost": "Address",
    "password": "Access token",
    "authentication": "Access token",
    "port": "Port",
    "remote": "HTTP connections",
    "context size": "Maximum answer length",
    "timeout": "Call timeout",
    "memory": "Memory for recent passages",
    "ram": "Memory for recent passages",
    "permissions": "Available tools",
    "reconnect": "Repair connections automatically",
    "extension": "Pair a browser",
    "firefox": "Pair a browser",
    "unpair": "Paired browsers",
    "parallel": "Simultaneous requests",
    "refresh": "Refresh pages after",
    "javascript": "JavaScript rendering",
    "robots.txt": "robots.txt rules",
    "blocklist": "Blocked sites",
    "proxy": "Allowed private networks",
    "vpn": "Allowed private networks",
    "depth": "Link-following rounds",
    "ranking": "Rerank results",
    "search engine": "Provider",
    "team": "Join a library",
    "openai": "Embedding server",
    "battery": "Embed pages on battery power",
    "disk space": "Storage use",
    "location": "Folder",
    "backup": "Backup",
    "images": "Save images",
    "recover": "Restore",
    "shrink": "Compact",
    "download": "Export",
    "api key": "Brave API key",
    "keychain": "Keyring",
    "history": "Record calls",
    "telemetry": "Record calls",
    "debug": "Diagnostic logging",
    "factory reset": "Delete everything",
    "upgrade": "Check for updates",
    "license": "Licenses",
    "wizard": "Setup",
    "config": "Settings file",
}
GERMAN = {
    "Design": "Appearance",
    "Dunkelmodus": "Appearance",
    "dark mode": "Appearance",
    "Hell": "Appearance",
    "Nachtmodus": "Appearance",
    "Darstellung": "Appearance",
    "Sprache": "Language",
    "Englisch": "Language",
    "Autostart": "Start when you log in",
    "Systemstart": "Start when you log in",
    "Login": "Start when you log in",
    "hochfahren": "Start when you log in",
    "Infobereich": "Tray icon",
    "Taskleiste": "Tray icon",
    "Tastenkürzel": "Ask window shortcut",
    "Tastenkombination": "Ask window shortcut",
    "Hotkey": "Ask window shortcut",
    "Tastatur": "Ask window shortcut",
    "schließen": "When closing the window",
    "Benachrichtigungen": "Notifications",
    "Hinweise": "Notifications",
    "Lesezeichen": "Suggested sites",
    "einschalten": "Serve assistants",
    "Adresse": "Address",
    "Passwort": "Access token",
    "Kennwort": "Access token",
    "Port": "Port",
    "Timeout": "Call timeout",
    "Arbeitsspeicher": "Memory for recent passages",
    "Werkzeuge": "Available tools",
    "Berechtigungen": "Available tools",
    "reparieren": "Repair connections automatically",
    "Erweiterung": "Pair a browser",
    "koppeln": "Pair a browser",
    "gleichzeitig": "Simultaneous requests",
    "aktualisieren": "Refresh pages after",
    "JavaScript": "JavaScript rendering",
    "sperren": "Blocked sites",
    "Proxy": "Allowed private networks",
    "Heimnetz": "Allowed private networks",
    "Linktiefe": "Link-following rounds",
    "Genauigkeit": "Rerank results",
    "Suchmaschine": "Provider",
    "Jugendschutz": "Safe search",
    "teilen": "Join a library",
    "Kollegen": "Join a library",
    "Akku": "Embed pages on battery power",
    "Stromsparen": "Embed pages on battery power",
    "Speicherplatz": "Storage use",
    "Speicherort": "Folder",
    "Sicherung": "Backup",
    "Backup": "Backup",
    "Bilder": "Save images",
    "wiederherstellen": "Restore",
    "aufräumen": "Compact",
    "exportieren": "Export",
    "API-Schlüssel": "Brave API key",
    "Schlüsselbund": "Keyring",
    "Verlauf": "Record calls",
    "Telemetrie": "Record calls",
    "Fehlersuche": "Diagnostic logging",
    "Protokoll": "Log level",
    "Zurücksetzen": "Delete everything",
    "Update": "Check for updates",
    "Lizenz": "Licenses",
    "Einrichtung": "Setup",
    "Konfiguration": "Settings file",
}


def rows_of(page: SettingsPage) -> Iterator[tuple[int, Row]]:
    """Return every row with the index of its section."""
    for place, section in enumerate(page.sections):
        yield from ((place, row) for row in section.rows if isinstance(row, Row))


@pytest.fixture
def page(shared_desktop: DesktopApp) -> SettingsPage:
    shared_desktop.window.go_to("settings")
    shared_desktop.window.settings.complete()
    return shared_desktop.window.settings


def test_the_index_contains_every_row_and_button(page: SettingsPage) -> None:
    known = {(each.place, each.title): each for each in findable()}
    assert set(known) == {(place, row.title) for place, row in rows_of(page)}
    assert all(each.words for each in known.values())
    for place, row in rows_of(page):
        pushed = {made.text() for made in row.findChildren(QPushButton) if made.text() and not made.isHidden()}
        assert pushed <= set(known[place, row.title].buttons) | {"Reset"}, row.title


def missed(desktop: DesktopApp, words: dict[str, str], titles: dict[str, str]) -> list[str]:
    """Return the words that do not find their rows on the page or in the palette. `titles` translates English titles."""
    page = desktop.window.settings
    commands = [named(each, each.title, each.words) for each in commands_of(desktop.context, desktop.window.page_icons)]
    faults: list[str] = []
    for word, english in words.items():
        title = titles.get(english, english)
        page.filter.setText(word)
        if title not in [row.title for _, row in rows_of(page) if row.isVisible()]:
            faults.append(f"page: {word}: {title}")
        found = [each.title for each in best(commands, word, COMMANDS)]
        if not any(each == title or each.startswith(f"{title}: ") for each in found):
            faults.append(f"palette: {word}: {title}, not {found}")
    page.filter.clear()
    return faults


def test_ordinary_words_find_their_rows(shared_desktop: DesktopApp, page: SettingsPage) -> None:
    assert len(ENGLISH) >= 60
    assert missed(shared_desktop, ENGLISH, {}) == []


@pytest.fixture
def german(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The German catalog of the window."""
    source = tmp_path / "translations" / "webrag_de.ts"
    source.parent.mkdir()
    shutil.copy(assets_dir() / "translations" / source.name, source)
    build_catalogue(source)
    monkeypatch.setattr(wording, "assets_dir", lambda: tmp_path)
    yield
    install_language(qapp, SOURCE)
    QLocale.setDefault(QLocale("en_US"))


def test_ordinary_german_words_find_their_rows(german: None, start: Start, qapp: QApplication) -> None:
    assert len(GERMAN) >= 60
    english = [each.title for each in findable()]
    desktop = start(FakeParts(), language="de")
    assert install_language(qapp, "de") == "de"
    desktop.window.go_to("settings")
    desktop.window.settings.complete()
    titles = dict(zip(english, (each.title for each in findable()), strict=True))
    assert titles["Appearance"] == "Darstellung"
    assert missed(desktop, GERMAN, titles) == []


def test_a_command_opens_the_page_and_highlights_the_row(shared_desktop: DesktopApp, qtbot: QtBot) -> None:
    window = shared_desktop.window
    page = window.settings
    for title, of in (
        ("Compact: Compact", "Compact"),
        ("Ask window shortcut", ""),
        ("Settings file: Open folder", ""),
    ):
        window.go_to("home")
        next(each for each in commands_of(window.context, window.page_icons) if each.title == title).run()
        assert window.current_page is page
        row = next(made for _, made in rows_of(page) if made.title == title.partition(":")[0])
        assert row.property("found") is True
        top = lambda row=row: row.mapTo(page.area.viewport(), QPoint(0, 0)).y()  # noqa: E731
        qtbot.waitUntil(lambda top=top, row=row: 0 <= top() <= page.area.viewport().height() - row.height())
        focused = QApplication.focusWidget() or window.focusWidget()
        assert focused is not None and row.isAncestorOf(focused)
        assert not of or focused.text() == of
