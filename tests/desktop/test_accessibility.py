"""Accessibility of every page and dialog: keyboard, screen reader and large type."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFont, QImage
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import app.desktop
from app.clients.hosts import CLIENTS
from app.clients.profile import ServerCommand
from app.corpus.records import BackupFacts, LabelKind, PageVersion
from app.desktop.application import DesktopApp
from app.desktop.ask_window import AskWindow
from app.desktop.defects import CrashDialog
from app.desktop.dialogs.add.dialog import FILES, PAGES, SITE, AddPageDialog
from app.desktop.dialogs.confirm import DataFolderDialog, DeleteDialog, RestoreDialog
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.exports import OpenLinkDialog
from app.desktop.help import ShortcutsDialog
from app.desktop.models.packages import PackageRow
from app.desktop.pages.activity.page import RecordingDialog
from app.desktop.pages.clients.cards import CheckEverythingDialog
from app.desktop.pages.library.document import CHANGES, PREVIEW
from app.desktop.pages.library.labels import NameDialog
from app.desktop.pages.packages.adding import AddPackagesDialog
from app.desktop.pages.settings.about import LicencesDialog
from app.desktop.pages.settings.sections import BrowsersSection
from app.desktop.panels import Dialog
from app.desktop.preview.pictures import PictureDialog
from app.desktop.theme import Appearance, theme
from app.desktop.wizard.wizard import Wizard
from app.engine.documents import PageHistory
from app.errors import DataFolderError
from app.library.records import CorpusTotals
from app.text.changes import compare
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts
from tests.desktop.fake_packages import SHOP, project, used
from tests.desktop.walking import clipped, described, is_held, jumps, small, stops, tab_through, unnamed

CLAUDE_DESKTOP = next(profile for profile in CLIENTS if profile.name == "claude-desktop")

pytestmark = pytest.mark.styled

PAGE_NAMES = ("home", "library", "packages", "search", "scratch", "activity", "clients", "settings")
TOTALS = CorpusTotals(1, 2, 3, 4, 5)
Make = Callable[[DesktopApp], QDialog]
DIALOGS: dict[str, Make] = {
    "add pages": lambda desktop: AddPageDialog(desktop.context, desktop.window, way=PAGES),
    "add packages": lambda desktop: AddPackagesDialog(
        desktop.context,
        [PackageRow(each.package, each, None, ()) for each in (used("a"), used("b"))],
        SHOP,
        desktop.window,
    ),
    "add site": lambda desktop: AddPageDialog(desktop.context, desktop.window, way=SITE),
    "add files": lambda desktop: AddPageDialog(desktop.context, desktop.window, way=FILES),
    "ask": lambda desktop: AskWindow(desktop.context, desktop._in_window),
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
    "join a library": lambda desktop: JoinLibraryDialog(desktop.context, "https://library.example", desktop.window),
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
    """Use type at 125 %."""
    font = qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(font.pointSizeF() * 1.25)
    _set_font(qapp, larger)
    yield
    _set_font(qapp, font)


def _set_font(qapp: QApplication, font: QFont) -> None:
    # Windows of earlier tests would be laid out again too.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    theme().install(qapp, Appearance.LIGHT)
    qapp.setFont(font)
    theme()._applied = False
    theme().select(Appearance.LIGHT)


def activate(window: QWidget, qtbot: QtBot) -> None:
    """Activate a window, again if another new window takes the focus away."""

    def is_active() -> bool:
        if not window.isActiveWindow():
            window.activateWindow()
        return window.isActiveWindow()

    qtbot.waitUntil(is_active)


def every_root(desktop: DesktopApp, qtbot: QtBot) -> Iterator[tuple[str, QWidget]]:
    """Yield each page of the window, with details open if it has any, then each dialog, visible and active."""
    window = desktop.window
    window.resize(1100, 720)
    desktop.show_window()
    activate(window, qtbot)
    for name in PAGE_NAMES:
        window.go_to(name)
        if name == "library":
            window.show_document(2)
            qtbot.waitUntil(lambda: window.library.model.total > 0)
        if name == "packages":
            desktop.status.engine.packages.put(project(used("flask"), used("httpx", here=False)))  # type: ignore[union-attr]
            window.packages.choose(SHOP)
            qtbot.waitUntil(lambda: window.packages.model.total > 0)
        if name == "settings":
            window.settings.complete()
        settle()
        yield name, window
    for name, make in DIALOGS.items():
        dialog = make(desktop)
        dialog.show()
        activate(dialog, qtbot)
        settle()
        yield name, dialog
        dialog.hide()
        dialog.deleteLater()


def page_with_changes(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> None:
    """Show a page with labels and earlier versions."""
    versions = tuple(
        PageVersion(each, 2, each * 1e6, each * 1e6 + 9, "https://a.example/", "A", "h", 9) for each in (2, 1)
    )
    found = PageHistory(versions, versions[0], compare("One text.\n\nTwo.", "One word.\n\nTwo."), ("claude-ai",))
    parts.engines[0].documents.histories[2, 0] = found
    library = desktop.window.library
    desktop.window.go_to("library")
    library.labels.actions.add(LabelKind.COLLECTION, "Thesis", [2])
    library.labels.actions.add(LabelKind.TAG, "to discuss", [2])
    qtbot.waitUntil(lambda: library.model.total > 0)
    desktop.window.show_document(2)
    qtbot.waitUntil(lambda: len(library.pane.labels_bar.chips) == 2)
    library.pane.tabs.setCurrentIndex(CHANGES)
    qtbot.waitUntil(lambda: library.pane.changes._history is not None)


def three_columns(desktop: DesktopApp, _parts: FakeParts, qtbot: QtBot) -> None:
    desktop.window.resize(1_500, 900)
    desktop.window.library.pane.tabs.setCurrentIndex(PREVIEW)
    qtbot.waitUntil(desktop.window.library.outline.isVisible)


def reading(desktop: DesktopApp, _parts: FakeParts, _qtbot: QtBot) -> None:
    desktop.window.resize(1_100, 720)
    desktop.window.library.set_reading(True)


def hits(desktop: DesktopApp, _parts: FakeParts, qtbot: QtBot) -> None:
    desktop.window.library.set_reading(False)
    desktop.context.search_for("pears")
    search = desktop.window.search
    qtbot.waitUntil(lambda: search.hits.rowCount() > 0 and not search.page.loading.is_running)


def what_assistants_see(desktop: DesktopApp, _parts: FakeParts, _qtbot: QtBot) -> None:
    desktop.window.search.tabs.setCurrentIndex(1)


def conversation(desktop: DesktopApp, _parts: FakeParts, qtbot: QtBot) -> None:
    desktop.settings.save("keep_questions", True)
    desktop.window.go_to("activity")
    desktop.window.activity.show_view("conversation")
    pane = desktop.window.activity.conversation
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.content)


def tokens(desktop: DesktopApp, _parts: FakeParts, _qtbot: QtBot) -> None:
    desktop.window.activity.show_view("tokens")


def jobs(desktop: DesktopApp, _parts: FakeParts, _qtbot: QtBot) -> None:
    desktop.window.activity.show_view("jobs")


def browsers(desktop: DesktopApp, _parts: FakeParts, qtbot: QtBot) -> None:
    """Show a pairing code and one paired browser."""
    settings = desktop.window.settings
    section = next(each for each in settings.sections if isinstance(each, BrowsersSection))
    section.browsers.pair(section.browsers.new_code(), f"chrome-extension://{'a' * 32}", "Chromium on Linux")
    desktop.window.go_to("settings")
    section.reload()
    section.code._show("8765-7KQM-2RXD")
    settings.show_section(section)
    qtbot.waitUntil(lambda: any("Chromium" in each.accessibleName() for each in section.findChildren(QPushButton)))


FILLED = (
    page_with_changes,
    three_columns,
    reading,
    hits,
    what_assistants_see,
    conversation,
    tokens,
    jobs,
    browsers,
)
"""Further views of the pages, in an order in which each has the data it needs."""


def settle() -> None:
    """Let every layout settle, also in scrolled areas."""
    for _ in range(5):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def faults_of(root: QWidget) -> Iterator[str]:
    """Yield obstacles for users of a keyboard or a screen reader."""
    yield from (f"without a name: {found}" for found in unnamed(root))
    yield from (f"hard to hit: {found}" for found in small(root))
    yield from (f"clipped: {found}" for found in clipped(root))
    order = tab_through(root)
    wanted = stops(root)
    yield from (f"not reached by Tab: {described(widget)}" for widget in wanted if widget not in order)
    yield from (f"order of Tab: {found}" for found in jumps(order))
    if is_held(order, wanted):
        yield f"holds the focus: {described(order[-1])}"


def test_the_window_is_usable_by_keyboard_and_screen_reader(desktop: DesktopApp, qtbot: QtBot) -> None:
    faults = [f"{name}: {found}" for name, root in every_root(desktop, qtbot) for found in faults_of(root)]
    if faults:
        pytest.fail("\n".join(dict.fromkeys(faults)), pytrace=False)


def test_further_views_of_the_pages_are_named_and_reachable(
    desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    desktop.window.resize(1_100, 720)
    desktop.show_window()
    activate(desktop.window, qtbot)
    faults = []
    for show in FILLED:
        show(desktop, parts, qtbot)
        settle()
        desktop.window.toast.clear()
        faults += [f"{show.__name__}: {found}" for found in faults_of(desktop.window)]
    asking = AskWindow(desktop.context, desktop._in_window)
    asking.show()
    activate(asking, qtbot)
    asking.box.setText("pears")
    asking._ask()
    qtbot.waitUntil(
        lambda: asking.hits.rowCount() > 0 and not asking.searching.is_running and not asking.page.loading.is_running
    )
    faults += [f"hits of the ask window: {found}" for found in faults_of(asking)]
    asking.hide()
    asking.deleteLater()
    if faults:
        pytest.fail("\n".join(dict.fromkeys(faults)), pytrace=False)


def test_an_empty_library_offers_accessible_suggestions(start: Start, qtbot: QtBot) -> None:
    desktop = start(FakeParts(0))
    desktop.show_window()
    activate(desktop.window, qtbot)
    desktop.window.go_to("home")
    qtbot.waitUntil(desktop.window.home.checklist.starters.isVisible)
    settle()
    assert list(faults_of(desktop.window)) == []


def test_texts_fit_at_large_type(large_type: None, desktop: DesktopApp, qtbot: QtBot) -> None:
    faults = [f"{name}: {found}" for name, root in every_root(desktop, qtbot) for found in clipped(root)]
    if faults:
        pytest.fail("\n".join(dict.fromkeys(faults)), pytrace=False)


def test_every_dialog_is_covered(desktop: DesktopApp) -> None:
    for module in pkgutil.walk_packages(app.desktop.__path__, "app.desktop."):
        if ".rendering" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    made = {type(make(desktop)) for make in DIALOGS.values()}
    assert {kind.__name__ for kind in dialog_classes()} - {kind.__name__ for kind in made} == set()


def dialog_classes() -> Iterator[type[QDialog]]:
    for kind in (*QDialog.__subclasses__(), *Dialog.__subclasses__()):
        if kind.__module__.startswith("app.") and kind is not Dialog:
            yield kind


def test_an_unnamed_control_is_found(desktop: DesktopApp) -> None:
    QToolButton(desktop.window.home)
    assert list(unnamed(desktop.window))


def test_every_page_is_covered(start: Start) -> None:
    assert tuple(start(FakeParts()).window.pages) == PAGE_NAMES
