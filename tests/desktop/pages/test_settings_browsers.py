"""Tests of Settings > Browsers with real input: pairing codes and removing a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.browsers import PairedBrowsers
from app.desktop.application import DesktopApp
from app.desktop.pages.settings.sections import BrowsersSection
from app.desktop.widgets import ElidedLabel
from app.errors import PairingError
from app.paths import assets_dir
from tests.desktop.window import as_new

ORIGIN = f"chrome-extension://{'a' * 32}"


@pytest.fixture
def section(shared_desktop: DesktopApp, qtbot: QtBot) -> Iterator[BrowsersSection]:
    as_new(shared_desktop)
    made = shared_desktop.window.settings.browsers
    qtbot.waitUntil(lambda: made.code.ask.isEnabled())
    yield made
    if made.code.code.text():
        press(qtbot, made.code.ask)
    for browser in made.browsers.all():
        made.browsers.revoke(browser.id)
    made.reload()
    qtbot.waitUntil(lambda: made.paired.items == ())


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def shown_code(section: BrowsersSection, qtbot: QtBot) -> str:
    press(qtbot, section.code.ask)
    qtbot.waitUntil(lambda: bool(section.code.code.text()))
    return section.code.code.text()


def take(section: BrowsersSection, shown: str, name: str = "Chromium on Linux") -> None:
    """Pair like the extension, through the same file."""
    PairedBrowsers(section.browsers._file.parent).pair(shown.partition("-")[2], ORIGIN, name)


def test_a_code_contains_the_port_and_disappears_after_use(
    section: BrowsersSection, shared_desktop: DesktopApp, qtbot: QtBot
) -> None:
    shown = shown_code(section, qtbot)
    assert shown.partition("-")[0] == shared_desktop.status.url.rpartition(":")[2].partition("/")[0]
    press(qtbot, section.code.copy)
    assert QGuiApplication.clipboard().text() == shown
    QGuiApplication.clipboard().clear()
    take(section, shown)
    qtbot.waitUntil(lambda: not section.code.code.text())
    assert [name.full_text for name in section.paired.findChildren(ElidedLabel)] == ["Chromium on Linux"]


def test_code_and_buttons_are_not_cut_off_in_a_narrow_window(section: BrowsersSection, qtbot: QtBot) -> None:
    """Like on a small screen at 200 %, because users type the code character by character."""
    shown_code(section, qtbot)
    row = section.code
    for control in (row.code, row.copy, row.ask):
        assert control.sizeHint().width() < 200
    assert row.ask.parentWidget().minimumSizeHint().width() < 300
    assert row.code.parentWidget() is row, "not next to the buttons"


def test_a_hidden_code_is_invalid(section: BrowsersSection, qtbot: QtBot) -> None:
    shown = shown_code(section, qtbot)
    press(qtbot, section.code.ask)

    def is_void() -> bool:
        try:
            section.browsers.pair("2222-2222", ORIGIN, "x")
        except PairingError as error:
            return "no valid pairing code" in error.message
        return False

    qtbot.waitUntil(is_void)
    assert not section.code.code.isVisible()
    with pytest.raises(PairingError):
        take(section, shown)


def test_a_browser_is_removed_by_its_button(section: BrowsersSection, qtbot: QtBot) -> None:
    shown = shown_code(section, qtbot)
    take(section, shown, "Firefox on Linux")
    qtbot.waitUntil(lambda: not section.code.code.text())
    (remove,) = section.paired.findChildren(QPushButton)
    assert remove.accessibleName() == "Remove Firefox on Linux"
    press(qtbot, remove)
    qtbot.waitUntil(lambda: section.browsers.all() == ())
    qtbot.waitUntil(lambda: section.paired.text.text() == "None yet.")


def test_the_link_to_the_extension_is_next_to_the_code(
    section: BrowsersSection, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        "app.desktop.pages.settings.sections.show_guide", lambda _context, _owner, page: opened.append(page)
    )
    assert section.code.guide.text() == "Get extension"
    press(qtbot, section.code.guide)
    (page,) = opened
    text = (assets_dir() / "guide" / page).read_text("utf-8")
    assert "Load unpacked" in text and "Show code" in text
