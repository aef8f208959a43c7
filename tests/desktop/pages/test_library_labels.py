"""Library: create, fill, show, rename and delete collections and tags by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.corpus.records import LabelKind
from app.desktop.application import DesktopApp
from app.desktop.models.labels import NEW, Facet, dragged_pages, page_mime
from app.desktop.pages.library.labels import NameDialog
from app.desktop.pages.library.page import LibraryPage
from app.library.scope import Filter
from tests.desktop.fake_engine import FakeParts

pytestmark = pytest.mark.shared_window

COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(desktop: DesktopApp, qtbot: QtBot) -> LibraryPage:
    window = desktop.window
    window.resize(1_400, 900)
    window.show()
    window.go_to("library")
    library = window.library
    library.facets._following.setInterval(20)
    qtbot.waitUntil(lambda: library.model.is_loaded and library.facets.tree.topLevelItemCount() > 0)
    return library


def label(page: LibraryPage, qtbot: QtBot, kind: LabelKind, name: str, *ids: int) -> None:
    """Add a label to pages, and wait until the facets show it."""
    page.labels.actions.add(kind, name, ids)
    facet = Facet.COLLECTION if kind is LabelKind.COLLECTION else Facet.TAG
    qtbot.waitUntil(lambda: count(page, facet, name) == len(ids))


def count(page: LibraryPage, facet: Facet, value: str) -> int:
    page.facets.count()
    node = page.facets.tree.item_of(facet, value)
    return node.count if node is not None else -1


def action(menu: QMenu, *words: str) -> QAction:
    """Return an entry of a menu or of a submenu."""
    found = next(each for each in menu.actions() if each.text().partition("\t")[0] == words[0])
    below = found.menu()
    return action(below, *words[1:]) if isinstance(below, QMenu) and len(words) > 1 else found


def write_name(qtbot: QtBot, page: LibraryPage, name: str) -> None:
    """Enter a name in the dialog."""
    qtbot.waitUntil(lambda: bool(page.findChildren(NameDialog)))
    dialog = page.findChildren(NameDialog)[-1]
    dialog.line.selectAll()
    qtbot.keyClicks(dialog.line, name)
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)


def place_of(page: LibraryPage, facet: Facet, value: str) -> QPoint:
    tree = page.facets.tree
    item = tree.item_of(facet, value)
    assert item is not None
    tree.scrollToItem(item)
    return tree.visualItemRect(item).center()


def drop(page: LibraryPage, mime: QMimeData, place: QPoint) -> bool:
    """Drag something over a line of the facets and drop it. Return whether it is accepted."""
    view = page.facets.tree.viewport()
    QApplication.sendEvent(view, QDragEnterEvent(place, COPY, mime, LEFT, NONE))
    event = QDropEvent(QPointF(place), COPY, mime, LEFT, NONE)
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def test_a_collection_is_created_by_a_click_and_filled_by_dropping_pages(page: LibraryPage, qtbot: QtBot) -> None:
    page.facets.count()
    qtbot.mouseClick(page.facets.tree.viewport(), LEFT, pos=place_of(page, Facet.COLLECTION, NEW))
    write_name(qtbot, page, "Thesis")
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Thesis") == 0)
    page.table.select_keys([2, 3])
    carried = page.table._carried
    assert carried is not None
    assert drop(page, carried(), place_of(page, Facet.COLLECTION, "Thesis"))
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Thesis") == 2)
    qtbot.mouseClick(page.facets.tree.viewport(), LEFT, pos=place_of(page, Facet.COLLECTION, "Thesis"))
    qtbot.waitUntil(lambda: sorted(row.id for row in page.model.records) == [2, 3])


def test_other_drops_change_nothing(page: LibraryPage, qtbot: QtBot) -> None:
    label(page, qtbot, LabelKind.COLLECTION, "Thesis")
    text = QMimeData()
    text.setText("https://a.example/")
    dropped: list[object] = []
    page.facets.tree.dropped.connect(lambda *what: dropped.append(what))
    drop(page, text, place_of(page, Facet.COLLECTION, "Thesis"))
    drop(page, page_mime([1]), place_of(page, Facet.STATE, "ready"))
    assert dropped == []
    drop(page, page_mime([1]), place_of(page, Facet.COLLECTION, "Thesis"))
    assert dropped == [(int(Facet.COLLECTION), "Thesis", [1])]
    assert dragged_pages(page_mime([7, 12])) == [7, 12]


def test_the_page_menu_adds_and_removes_collections_and_tags(page: LibraryPage, qtbot: QtBot) -> None:
    label(page, qtbot, LabelKind.COLLECTION, "Thesis", 1, 2)
    page.table.select_keys([2, 3])
    menu = page.menu()
    entry = action(menu, "Collections", "Thesis")
    assert entry.isCheckable()
    assert not entry.isChecked(), "not all of the pages are in it"
    entry.trigger()
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Thesis") == 3)
    entry = action(page.menu(), "Collections", "Thesis")
    assert entry.isChecked()
    entry.trigger()
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Thesis") == 1)
    action(page.menu(), "Tags", "Other tag…").trigger()
    write_name(qtbot, page, "to read")
    qtbot.waitUntil(lambda: count(page, Facet.TAG, "to read") == 2)


def test_the_labels_of_the_current_page_are_shown_below_it(page: LibraryPage, qtbot: QtBot) -> None:
    assert page.pane.labels_bar.isHidden()
    page.table.select_keys([5])
    label(page, qtbot, LabelKind.COLLECTION, "Thesis", 5, 1)
    label(page, qtbot, LabelKind.TAG, "draft", 5)
    bar = page.pane.labels_bar
    qtbot.waitUntil(lambda: [chip.text() for chip in bar.chips] == ["Thesis", "draft"])
    assert [chip.accessibleName() for chip in bar.chips] == ["Collection Thesis", "Tag draft"]
    qtbot.mouseClick(bar.chips[0], LEFT)
    qtbot.waitUntil(lambda: sorted(row.id for row in page.model.records) == [1, 5])


def test_f2_renames_and_del_deletes_with_undo(page: LibraryPage, qtbot: QtBot) -> None:
    label(page, qtbot, LabelKind.COLLECTION, "Thesis", 1, 2)
    view = page.facets.tree
    page.facets.choose_label(LabelKind.COLLECTION, "Thesis")
    view.setCurrentItem(view.item_of(Facet.COLLECTION, "Thesis"))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    write_name(qtbot, page, "Book")
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Book") == 2)
    qtbot.waitUntil(lambda: sorted(row.id for row in page.model.records) == [1, 2])
    view.setCurrentItem(view.item_of(Facet.COLLECTION, "Book"))
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Book") == -1)
    assert page.model.total == 6, "the pages are kept"
    qtbot.waitUntil(lambda: page.labels.actions._deleted is not None)
    page.undo_delete()
    qtbot.waitUntil(lambda: count(page, Facet.COLLECTION, "Book") == 2)


def test_the_filter_finds_pages_by_their_tags(page: LibraryPage, qtbot: QtBot) -> None:
    label(page, qtbot, LabelKind.TAG, "zebra", 4)
    qtbot.keyClicks(page.filter, "zebra")
    qtbot.waitUntil(lambda: [row.id for row in page.model.records] == [4])


def test_search_and_the_ask_window_search_within_a_collection(
    page: LibraryPage, desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    label(page, qtbot, LabelKind.COLLECTION, "Thesis", 1, 2)
    search = desktop.window.search
    desktop.window.go_to("search")
    qtbot.waitUntil(lambda: search.bar.place.findText("Collection: Thesis") > 0)
    search.bar.place.setCurrentIndex(search.bar.place.findText("Collection: Thesis"))
    within = Filter(doc_tags=(("collection:Thesis",),))
    assert search.bar.question.filter == within
    assert search.bar.question.filters == {"doc_tag": ["collection:Thesis"]}
    desktop.ask()
    asking = desktop.asking
    assert asking is not None
    asking.show_places(["collection:Thesis"])
    asking.place.setCurrentIndex(1)
    qtbot.keyClicks(asking.box, "why")
    assert asking._wanted == ("why", within)
    asking.show_places([])
    assert asking._wanted == ("why", None)
