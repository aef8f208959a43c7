"""The window for people who use a keyboard, a screen reader or large type: every page and every dialog."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFont, QImage
from PySide6.QtWidgets import QApplication, QDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import app.desktop
from app.clients import CLAUDE_DESKTOP
from app.clients.profile import ServerCommand
from app.corpus.records import BackupFacts
from app.desktop.application import DesktopApp
from app.desktop.ask.window import AskWindow
from app.desktop.defects import CrashDialog
from app.desktop.dialogs.add.dialog import FILES, PAGES, SITE, AddPageDialog
from app.desktop.dialogs.confirm import DeleteDialog, RestoreDialog
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.desktop.dialogs.data_folder import DataFolderDialog
from app.desktop.help import ShortcutsDialog
from app.desktop.pages.activity.page import RecordingDialog
from app.desktop.pages.clients.results import CheckEverythingDialog
from app.desktop.pages.library.labels import NameDialog
from app.desktop.pages.settings.about import LicencesDialog
from app.desktop.preview.links import OpenLinkDialog
from app.desktop.preview.pictures import PictureDialog
from app.desktop.theme import Appearance, theme
from app.desktop.wizard.wizard import Wizard
from app.errors import DataFolderError
from app.library.records import CorpusTotals
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts
from tests.desktop.walking import clipped, described, is_held, jumps, small, stops, tab_through, unnamed

PAGE_NAMES = ("home", "library", "search", "scratch", "activity", "clients", "settings")
TOTALS = CorpusTotals(1, 2, 3, 4, 5)
Make = Callable[[DesktopApp], QDialog]
DIALOGS: dict[str, Make] = {
    "add pages": lambda desktop: AddPageDialog(desktop.context, desktop.window, way=PAGES),
    "add site": lambda desktop: AddPageDialog(desktop.context, desktop.window, way=SITE),
    "add files": lambda desktop: AddPageDialog(desktop.context, desktop.window, way=FILES),
    "ask": lambda desktop: AskWindow(desktop.context),
    "check everything": lambda desktop: CheckEverythingDialog(
        desktop.context, desktop.window.clients.whole_run, desktop.window
    ),
    "connect": lambda desktop: ConnectClientDialog(
        desktop.context, desktop.window, CLAUDE_DESKTOP, ServerCommand("webrag", ("mcp",))
    ),
    "crash": lambda desktop: CrashDialog("report", Path("/logs"), desktop.window),
    "data folder": lambda desktop: DataFolderDialog(
        DataFolderError("The data directory /data cannot be used."), Path("/data"), is_remembered=True
    ),
    "delete": lambda desktop: DeleteDialog(desktop.window),
    "licences": lambda desktop: LicencesDialog(desktop.context, desktop.window),
    "link": lambda desktop: OpenLinkDialog(QUrl("https://docs.example/a"), desktop.window, lambda: None),
    "recording": lambda desktop: RecordingDialog(desktop.context, lambda: None, desktop.window),
    "restore": lambda desktop: RestoreDialog(
        Path("/backup.db"), BackupFacts(1, 2, 3.0, 4.0, 5), TOTALS, desktop.window
    ),
    "name": lambda desktop: NameDialog(desktop.window, "New collection", "Thesis", ("Thesis",)),
    "shortcuts": lambda desktop: ShortcutsDialog(desktop.window),
    "wizard": lambda desktop: Wizard(desktop.context, desktop.window),
    "a picture": lambda desktop: PictureDialog(
        QImage(600, 400, QImage.Format.Format_RGB32), "The upper basin of the garden", desktop.window
    ),
}


@pytest.fixture
def large_type(qapp: QApplication) -> Iterator[None]:
    """Type at 125 %."""
    font = qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(font.pointSizeF() * 1.25)
    _set_font(qapp, larger)
    yield
    _set_font(qapp, font)


def _set_font(qapp: QApplication, font: QFont) -> None:
    # Windows of earlier tests would be laid out anew too.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    theme().install(qapp, Appearance.LIGHT)
    qapp.setFont(font)
    theme()._applied = False
    theme().select(Appearance.LIGHT)


def every_root(desktop: DesktopApp, qtbot: QtBot) -> Iterator[tuple[str, QWidget]]:
    """Each page of the window, with a detail open where it has one, then each dialog: on the screen and active."""
    window = desktop.window
    window.resize(1100, 720)
    desktop.show_window()
    qtbot.waitUntil(window.isActiveWindow)
    for name in PAGE_NAMES:
        window.go_to(name)
        if name == "library":
            window.show_document(2)
            qtbot.waitUntil(lambda: window.library.model.total > 0)
        if name == "settings":
            window.settings.complete()
        settle()
        yield name, window
    for name, make in DIALOGS.items():
        dialog = make(desktop)
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(dialog.isActiveWindow)
        settle()
        yield name, dialog
        dialog.hide()
        dialog.deleteLater()


def settle() -> None:
    """Let every layout take its final place, those in scrolled areas too."""
    for _ in range(5):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def faults_of(root: QWidget) -> Iterator[str]:
    """What keeps somebody out."""
    yield from (f"without a name: {found}" for found in unnamed(root))
    yield from (f"hard to hit: {found}" for found in small(root))
    yield from (f"clipped: {found}" for found in clipped(root))
    order = tab_through(root)
    wanted = stops(root)
    yield from (f"not reached by Tab: {described(widget)}" for widget in wanted if widget not in order)
    yield from (f"order of Tab: {found}" for found in jumps(order))
    if is_held(order, wanted):
        yield f"holds the focus: {described(order[-1])}"


def test_can_be_used_without_a_mouse_and_with_a_screen_reader(desktop: DesktopApp, qtbot: QtBot) -> None:
    faults = [f"{name}: {found}" for name, root in every_root(desktop, qtbot) for found in faults_of(root)]
    if faults:
        pytest.fail("\n".join(dict.fromkeys(faults)), pytrace=False)


def test_texts_fit_at_large_type(large_type: None, desktop: DesktopApp, qtbot: QtBot) -> None:
    faults = [f"{name}: {found}" for name, root in every_root(desktop, qtbot) for found in clipped(root)]
    if faults:
        pytest.fail("\n".join(dict.fromkeys(faults)), pytrace=False)


def test_no_dialog_is_left_out(desktop: DesktopApp) -> None:
    for module in pkgutil.walk_packages(app.desktop.__path__, "app.desktop."):
        if ".rendering" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    made = {type(make(desktop)) for make in DIALOGS.values()}
    assert {kind.__name__ for kind in dialog_classes()} - {kind.__name__ for kind in made} == set()


def dialog_classes() -> Iterator[type[QDialog]]:
    for kind in QDialog.__subclasses__():
        if kind.__module__.startswith("app."):
            yield kind


def test_the_walk_finds_an_unnamed_control(desktop: DesktopApp) -> None:
    QToolButton(desktop.window.home)
    assert list(unnamed(desktop.window))


def test_no_page_is_left_out(start: Start) -> None:
    assert tuple(start(FakeParts()).window.pages) == PAGE_NAMES
