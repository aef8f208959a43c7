"""Library: list, page and outline share the window, titles keep their width, and the page can fill the window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.models.library import ADDRESS, CHUNKS, FETCHED, SITE, STATE, TAGS, TITLE
from app.desktop.models.rows import BELOW_ROLE
from app.desktop.pages.library.columns import TITLE_LEAST, Arrangement
from app.desktop.pages.library.page import LibraryPage
from app.desktop.tables import DataTable
from app.library.records import Document, SectionRecord
from tests.desktop.conftest import Start
from tests.desktop.fake_documents import FakeDocuments
from tests.desktop.fake_engine import FakeParts, summary
from tests.desktop.window import write_all

pytestmark = pytest.mark.shared_window

HEADINGS = ("Welcome", "Pumps", "Valves", "Seals")


def long_page() -> tuple[str, tuple[SectionRecord, ...]]:
    """Return a text with four headings, each with more words than a window shows."""
    text, sections = "", []
    for level, heading in zip((1, 2, 3, 2), HEADINGS, strict=True):
        sections.append(SectionRecord(level, heading, None, len(text), len(text) + len(heading)))
        text += f"{'#' * level} {heading}\n\n" + "\n\n".join(f"Words about {heading} {n}." for n in range(60)) + "\n\n"
    return text, tuple(sections)


@pytest.fixture
def long_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every page HEADINGS. Requested before the application, which reads its first page as soon as it has started."""
    text, sections = long_page()
    plain = FakeDocuments.get

    async def get(self: FakeDocuments, document_id: int) -> Document | None:
        found = await plain(self, document_id)
        return replace(found, text=text, sections=sections) if found is not None else None

    monkeypatch.setattr(FakeDocuments, "get", get)


@pytest.fixture
def page(long_pages: None, desktop: DesktopApp, qtbot: QtBot) -> LibraryPage:
    window = desktop.window
    window.resize(1_600, 900)
    window.show()
    window.go_to("library")
    library = window.library
    qtbot.waitUntil(lambda: library.model.is_loaded and library.outline.list.count() == len(HEADINGS))
    return library


def resize(page: LibraryPage, qtbot: QtBot, width: int) -> None:
    page.window().resize(width, 900)
    qtbot.waitUntil(lambda: page.window().width() == width and not page._columns.placing.isActive())


def test_the_width_decides_between_three_two_and_stacked_columns(page: LibraryPage, qtbot: QtBot) -> None:
    for width, arrangement in (
        (1_400, Arrangement.THREE),
        (1_399, Arrangement.TWO),
        (1_280, Arrangement.TWO),
        (1_000, Arrangement.STACKED),
    ):
        resize(page, qtbot, width)
        assert page._columns.arrangement is arrangement, width
        assert page.outline.isVisible() is (arrangement is Arrangement.THREE)
    page.toggle_facets()
    qtbot.waitUntil(lambda: page._columns.arrangement is Arrangement.TWO)
    across = page.table.mapTo(page, QPoint()).x(), page.pane.mapTo(page, QPoint()).x()
    assert across[0] < across[1]


@pytest.mark.parametrize("width", [1_100, 1_400, 1_600, 2_200, 2_560])
def test_titles_keep_their_width_while_other_columns_are_shown(page: LibraryPage, qtbot: QtBot, width: int) -> None:
    resize(page, qtbot, width)
    others = [column for column in range(1, page.model.columnCount()) if not page.table.isColumnHidden(column)]
    assert not others or page.table.columnWidth(TITLE) >= TITLE_LEAST
    assert width < 2_200 or FETCHED in others, "a large window shows more than titles"
    header = page.table.horizontalHeader()
    for column in others:
        header.resizeSection(column, 900)
        assert page.table.columnWidth(TITLE) >= TITLE_LEAST


@pytest.mark.own_window
def test_the_address_distinguishes_two_pages_with_the_same_title(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts()
    for number, url in enumerate(("https://a.example/pump/one", "https://a.example/pump/two"), 1):
        parts.documents[number] = summary(number, title="Checkpoint a database", url=url)
    window = start(parts).window
    page = window.library
    window.show()
    window.go_to("library")
    qtbot.waitUntil(lambda: page.model.total == 2)
    addresses = {"a.example/pump/one", "a.example/pump/two"}
    for width, lines in ((1_100, 1), (1_500, 2)):
        resize(page, qtbot, width)
        assert page.table.isColumnHidden(ADDRESS) is (lines == 2)
        qtbot.waitUntil(
            lambda lines=lines: (page.table.rowHeight(0) >= 2 * page.table.fontMetrics().height()) is (lines == 2)
        )
    assert {page.model.index(row, TITLE).data(BELOW_ROLE) for row in range(2)} == addresses
    assert {page.model.index(row, ADDRESS).data() for row in range(2)} == addresses


@pytest.mark.own_window
def test_a_default_window_shows_twelve_pages_and_part_of_one(start: Start, qtbot: QtBot) -> None:
    window = start(FakeParts(20)).window
    page = window.library
    assert (window.width(), window.height()) == (1_100, 720)
    window.show()
    window.go_to("library")
    qtbot.waitUntil(lambda: page.model.total == 20)
    qtbot.waitUntil(lambda: page.table.viewport().height() >= 12 * page.table.rowHeight(0))
    assert page.pane.height() >= 150
    assert not page.table.isColumnHidden(ADDRESS)


@pytest.mark.own_window
def test_columns_chosen_in_the_header_menu_are_remembered(page: LibraryPage, qtbot: QtBot) -> None:
    resize(page, qtbot, 1_100)
    table = page.table
    menu = table.columns_menu()
    offered = {action.text(): action for action in menu.actions()}
    assert {"Address", "Site", "Tokens", "Tags", "Cited", "Added by", "State"} <= set(offered)
    assert "Title" not in offered
    shown = {name for name, action in offered.items() if action.isChecked()}
    assert shown == {
        table.model().headerData(c, Qt.Orientation.Horizontal).split("  ")[0]
        for c in range(1, page.model.columnCount())
        if not table.isColumnHidden(c)
    }
    offered["Tags"].trigger()
    offered["Fetched"].trigger()
    assert not table.isColumnHidden(TAGS) and table.isColumnHidden(FETCHED)
    qtbot.waitUntil(lambda: page.context.memory.get("library/columns", "").count(";") == 3)
    again = LibraryPage(page.context)
    again.table.resize(table.size())
    assert not again.table.isColumnHidden(TAGS) and again.table.isColumnHidden(FETCHED)
    again.deleteLater()


def test_every_table_offers_its_columns_in_the_header_menu(page: LibraryPage, qtbot: QtBot) -> None:
    tables = page.window().findChildren(DataTable)
    assert len(tables) > 8
    for table in tables:
        header = table.horizontalHeader()
        assert header.contextMenuPolicy() is Qt.ContextMenuPolicy.CustomContextMenu, table.accessibleName()
    header.customContextMenuRequested.emit(QPoint(4, 4))
    menu = table.findChild(QMenu)
    assert menu is not None and len(menu.actions()) == table.model().columnCount() - 1
    menu.close()


def test_columns_chosen_by_the_user_are_hidden_last(page: LibraryPage, qtbot: QtBot) -> None:
    resize(page, qtbot, 1_100)
    page.table.choose_column(CHUNKS, True)
    page.table.choose_column(SITE, True)
    resize(page, qtbot, 700)
    assert not page.table.isColumnHidden(SITE)
    assert page.table.columnWidth(TITLE) >= 120


@pytest.mark.own_window
def test_columns_and_splitter_sizes_are_restored(page: LibraryPage, desktop: DesktopApp, qtbot: QtBot) -> None:
    resize(page, qtbot, 2_560)
    header = page.table.horizontalHeader()
    header.resizeSection(FETCHED, 190)
    header.moveSection(header.visualIndex(FETCHED), 0)
    page._splitter.moveSplitter(700, 1)
    memory = page.context.memory
    qtbot.waitUntil(lambda: "190" in memory.get("library/columns", ""))
    assert memory.get("library/sizes/three", "").startswith("700 ")
    again = LibraryPage(page.context)
    assert again.table.horizontalHeader().visualIndex(FETCHED) == 0
    assert again.table.columnWidth(FETCHED) == 190
    again._columns.arrangement = Arrangement.THREE
    assert again._columns._wanted(2_000)[0] == 700
    again.deleteLater()


@pytest.mark.parametrize("stored", ["", "0 1;2", "a b;c d", "6 5 4 3 2 1 0;1 2 3 4 5 6 99999999"])
def test_columns_are_usable_with_any_stored_state(page: LibraryPage, stored: str) -> None:
    page.context.memory.set("library/columns", stored)
    again = LibraryPage(page.context)
    widths = [again.table._widths[column] for column in (CHUNKS, SITE, STATE)]
    assert all(40 <= width <= 1_200 for width in widths)
    again.deleteLater()


def test_the_outline_scrolls_the_page_and_follows_it(page: LibraryPage, qtbot: QtBot) -> None:
    outline, preview = page.outline.list, page.pane.preview
    assert [outline.item(row).text().strip() for row in range(4)] == list(HEADINGS)
    write_all(preview)
    place = outline.visualItemRect(outline.item(2)).center()
    qtbot.mouseClick(outline.viewport(), Qt.MouseButton.LeftButton, pos=place)
    start = page.outline._starts[2]
    qtbot.waitUntil(lambda: abs(preview.offset_in_view(0.08) - start) < 60)
    preview.verticalScrollBar().setValue(preview.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: outline.currentRow() == 3)
    preview.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: outline.currentRow() == 0)


@pytest.mark.own_window
def test_f9_shows_the_page_in_the_full_window_and_escape_leaves_it(
    page: LibraryPage, desktop: DesktopApp, qtbot: QtBot
) -> None:
    window = desktop.window
    around = (window.sidebar, window.statusBar(), page.table, page.facets, page.header, page.filter)
    assert all(each.isVisible() for each in around)
    window.activateWindow()
    qtbot.keyClick(page.table, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: page.is_reading and not any(each.isVisible() for each in around))
    assert page.pane.preview.hasFocus() or not window.isActiveWindow()
    assert page.pane._title.full_text == "Page 5"
    assert page.pane._address.full_text == "https://site5.example/page/5"
    page.pane.reader.open_find()
    qtbot.keyClick(page.pane.preview, Qt.Key.Key_Escape)
    assert page.is_reading, "the search in the page is closed first"
    qtbot.keyClick(page.pane.preview, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not page.is_reading and all(each.isVisible() for each in around))
    page.set_reading(True)
    window.go_to("search")
    assert window.sidebar.isVisible()
    assert not page.is_reading


def test_lines_of_a_wide_page_stay_readable(page: LibraryPage, qtbot: QtBot) -> None:
    resize(page, qtbot, 2_400)
    page.set_reading(True)
    qtbot.waitUntil(lambda: page.pane.preview.width() > 1_500)
    assert page.pane.preview.viewport().width() <= 900


def test_filtering_shows_the_first_listed_page(page: LibraryPage, qtbot: QtBot) -> None:
    assert page._detail is not None
    assert page._detail.id == 5
    qtbot.keyClicks(page.filter, "page 2")
    qtbot.waitUntil(lambda: page._detail is not None and page._detail.id == 2)
    assert [row.id for row in page.table.selected] == [2]


@pytest.mark.own_window
def test_a_narrow_page_has_its_actions_in_a_menu(page: LibraryPage, qtbot: QtBot) -> None:
    resize(page, qtbot, 2_400)
    assert page.pane._refresh.isVisible()
    assert not page.pane._more.isVisible()
    resize(page, qtbot, 1_280)
    qtbot.waitUntil(lambda: page.pane._more.isVisible() and not page.pane._refresh.isVisible())
    bar = page.pane.tabs.tabBar()
    assert bar.sizeHint().width() <= bar.width()
