"""The window and its dialogs on small screens: nothing is larger than the screen, and everything can be reached."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.main_window import MIN_HEIGHT, MIN_WIDTH, NARROW
from app.desktop.panels import MOST_ROOM, SIDES, TITLE_BAR, fit_size

pytestmark = pytest.mark.styled

SMALLEST_ROOM = QSize(720 - SIDES, 450 - TITLE_BAR)
"""A screen of 1440x900 pixels at 200 % without the window frame."""


@pytest.mark.parametrize(
    ("room", "size"),
    [(QSize(720, 450), QSize(716, 410)), (QSize(960, 540), QSize(956, 500)), (QSize(2000, 1200), QSize(1100, 720))],
)
def test_the_size_is_limited_by_the_screen(room: QSize, size: QSize, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    assert fit_size(window, QSize(1100, 720), room) == size


def has_its_room(page: QWidget) -> bool:
    """Whether the page has the size it needs, in an area that scrolls to each part of it."""
    area = page.parentWidget()
    while not isinstance(area, QScrollArea):
        assert area is not None
        area = area.parentWidget()
    size, room = page.size(), area.viewport().size()
    bars = area.horizontalScrollBar().maximum(), area.verticalScrollBar().maximum()
    reached = QSize(room.width() + bars[0], room.height() + bars[1])
    need = page.minimumSizeHint().boundedTo(MOST_ROOM)
    return size.expandedTo(need) == size and reached.expandedTo(size) == reached


def test_every_page_can_be_used_in_the_smallest_window(shared_desktop: DesktopApp, qtbot: QtBot) -> None:
    window = shared_desktop.window
    before = window.size()
    window.resize(MIN_WIDTH, MIN_HEIGHT)
    try:
        assert window.size() == QSize(MIN_WIDTH, MIN_HEIGHT)
        for name, button in window.sidebar.buttons.items():
            window.go_to(name)
            assert button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
            assert button.toolTip() and button.accessibleName()
            qtbot.waitUntil(partial(has_its_room, window.current_page))
        window.resize(NARROW, 560)
        for name in window.pages:
            window.go_to(name)
            qtbot.waitUntil(partial(has_its_room, window.current_page))
            assert window.current_page.width() == window.width() - window.sidebar.width(), (
                "the page does not scroll horizontally"
            )
        assert {each.toolButtonStyle() for each in window.sidebar.buttons.values()} == {
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        }
    finally:
        window.go_to("home")
        window.resize(before)


def test_dialogs_fit_the_smallest_screen(shared_desktop: DesktopApp) -> None:
    window = shared_desktop.window
    window.show_wizard()
    window.add_page()
    try:
        for dialog in (window.wizard, window.adding):
            assert dialog is not None
            least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
            assert least.boundedTo(SMALLEST_ROOM) == least
    finally:
        for dialog in (window.wizard, window.adding):
            if dialog is not None:
                dialog.reject()
