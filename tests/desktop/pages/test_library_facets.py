"""Library: facets and their counts, also while pages come and go."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale, Qt
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.models.labels import (
    SPEAKS,
    STALE,
    UNUSUAL_ADDRESS,
    Facet,
    facts_of,
    kind_value,
    kind_words,
)
from app.desktop.pages.library.facet_tree import FacetTree
from app.desktop.pages.library.page import LibraryPage
from app.events import DocumentChanged
from app.library.records import DocumentSummary
from tests.desktop.conftest import Start
from tests.desktop.fake_documents import row_of
from tests.desktop.fake_engine import FakeParts, summary

pytestmark = pytest.mark.shared_window

NOW = time.time()
DAY = 86_400.0


def page_row(number: int, tag: str, *, days: float = 0.5, **more: object) -> DocumentSummary:
    root = tag.partition("/")[0]
    base = summary(number, url=f"https://{root}/{tag.partition('/')[2]}/{number}")
    fields = {"doc_tag": tag, "last_crawled": NOW - days * DAY, "changed_at": NOW - days * DAY, "chunks_embedded": 4}
    return row_of(replace(base, chunks_embedded=4), **(fields | more))


@pytest.fixture
def parts() -> FakeParts:
    """Twelve pages of two sites and a folder."""
    made = FakeParts()
    rows = [
        *(page_row(number, "docs.example/guide") for number in range(1, 5)),
        *(page_row(number, "docs.example/api", days=20) for number in range(5, 8)),
        page_row(8, "blog.example", days=3, flags=("speaks to the assistant",)),
        page_row(9, "blog.example", days=3, chunks_embedded=0, note="Most of the page needs JavaScript."),
        page_row(10, "notes", kind="file", url="file:///home/ada/notes/a.md"),
        page_row(11, "notes", kind="file", url="file:///home/ada/notes/b.md", is_changed_since_cited=True),
        page_row(12, "blog.example", url="https://blog.example/x?data=" + "aB3x9Zq7" * 20, days=3),
    ]
    made.documents.update((row.id, row) for row in rows)
    return made


@pytest.fixture
def page(desktop: DesktopApp, qtbot: QtBot) -> LibraryPage:
    desktop.window.resize(1_100, 720)
    desktop.window.go_to("library")
    library = desktop.window.library
    qtbot.waitUntil(lambda: library.model.is_loaded and library.facets.tree.topLevelItemCount() > 0)
    library.facets.count()
    return library


def shown(page: LibraryPage) -> list[int]:
    return sorted(record.id for record in page.model.records)


def count(page: LibraryPage, facet: Facet, value: str) -> int:
    page.facets.count()
    node = page.facets.tree.item_of(facet, value)
    assert node is not None
    return node.count


def toggle(page: LibraryPage, facet: Facet, value: str) -> None:
    item = page.facets.tree.item_of(facet, value)
    assert item is not None
    page.facets.tree.toggle(item)


def test_each_value_shows_its_number_of_pages(page: LibraryPage) -> None:
    assert count(page, Facet.PLACE, "docs.example") == 7
    assert count(page, Facet.PLACE, "docs.example/api") == 3
    assert count(page, Facet.KIND, "Markdown") == 2
    assert count(page, Facet.STATE, "keyword") == 1
    assert count(page, Facet.STATE, "remark") == 1
    assert count(page, Facet.CHANGED, "week") == 9
    assert count(page, Facet.CHANGED, "cited") == 1
    assert count(page, Facet.FRESHNESS, STALE) == 3
    assert count(page, Facet.FLAGGED, SPEAKS) == 1
    assert count(page, Facet.FLAGGED, UNUSUAL_ADDRESS) == 1


def test_numbers_stay_while_the_values_are_rebuilt(page: LibraryPage) -> None:
    tree = page.facets.tree
    page.facets.count()
    tree._build()
    node = tree.item_of(Facet.PLACE, "docs.example/api")
    assert node is not None and node.count == 3


def test_values_of_one_facet_are_alternatives_and_facets_narrow_each_other(page: LibraryPage) -> None:
    toggle(page, Facet.PLACE, "docs.example")
    assert shown(page) == [1, 2, 3, 4, 5, 6, 7]
    toggle(page, Facet.PLACE, "blog.example")
    assert len(shown(page)) == 10
    toggle(page, Facet.FRESHNESS, STALE)
    assert shown(page) == [5, 6, 7]
    assert count(page, Facet.PLACE, "blog.example") == 0
    assert count(page, Facet.FRESHNESS, "fresh") == 7
    assert page.facets_button.text() == "Filters (3)"
    assert page._count.text() == "3 of 12"
    page.facets.clear()
    assert len(shown(page)) == 12
    assert page.facets_button.text() == "Filters"


def test_a_site_and_its_folder_deselect_each_other(page: LibraryPage) -> None:
    toggle(page, Facet.PLACE, "docs.example")
    toggle(page, Facet.PLACE, "docs.example/api")
    assert shown(page) == [5, 6, 7]
    assert page.facets.tree.values(Facet.PLACE) == {"docs.example/api"}
    toggle(page, Facet.PLACE, "docs.example")
    assert page.facets.tree.values(Facet.PLACE) == {"docs.example"}


def test_facets_that_do_not_distinguish_pages_are_not_offered(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts()
    parts.documents.update((number, page_row(number, "docs.example/guide")) for number in range(3))
    page = start(parts).window.library
    qtbot.waitUntil(lambda: page.model.is_loaded)
    page.facets.count()
    assert page.facets.tree.topLevelItemCount() == 1
    assert page.facets.tree.item_of(Facet.COLLECTION) is not None, "a collection can always be created"


def test_pages_that_arrive_while_filtered_are_counted_but_only_shown_if_they_match(
    page: LibraryPage, parts: FakeParts, desktop: DesktopApp, qtbot: QtBot
) -> None:
    toggle(page, Facet.PLACE, "blog.example")
    for number, tag in ((20, "blog.example"), (21, "docs.example/api"), (22, "new.example")):
        parts.documents[number] = page_row(number, tag)
        desktop.bus.publish(DocumentChanged(parts.documents[number].url, number, "stored"))
    qtbot.waitUntil(lambda: page.model.total == 15)
    assert shown(page) == [8, 9, 12, 20]
    page.facets.recount()
    assert count(page, Facet.PLACE, "new.example") == 1
    assert page.facets.tree.values(Facet.PLACE) == {"blog.example"}


def test_a_facet_without_pages_no_longer_hides_anything(
    page: LibraryPage, desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    toggle(page, Facet.PLACE, "notes")
    for number in (10, 11):
        row = parts.documents.pop(number)
        desktop.bus.publish(DocumentChanged(row.url, row.id, "deleted"))
    qtbot.waitUntil(lambda: page.model.total == 10)
    page.facets.recount()
    qtbot.waitUntil(lambda: len(shown(page)) == 10)


def test_the_keyboard_selects_and_folds(page: LibraryPage, qtbot: QtBot) -> None:
    tree = page.facets.tree
    value, heading = tree.item_of(Facet.KIND, "Markdown"), tree.item_of(Facet.KIND)
    assert value is not None and heading is not None
    tree.setCurrentItem(value)
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert shown(page) == [10, 11]
    tree.setCurrentItem(heading)
    qtbot.keyClick(tree, Qt.Key.Key_Space)
    assert not heading.isExpanded()
    assert heading.text(0) == "Kind"
    assert value.data(0, Qt.ItemDataRole.AccessibleTextRole) == "Markdown, 2 pages"
    assert value.checkState(0) is Qt.CheckState.Checked
    # As assistive technology does.
    value.setCheckState(0, Qt.CheckState.Unchecked)
    assert len(shown(page)) == 12


def test_a_click_on_a_value_selects_it(page: LibraryPage, qtbot: QtBot) -> None:
    tree = page.facets.tree
    item = tree.item_of(Facet.PLACE, "blog.example")
    assert item is not None
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center())
    assert shown(page) == [8, 9, 12]


def test_a_filter_without_matches_explains_it_and_offers_to_clear_the_filters(page: LibraryPage, qtbot: QtBot) -> None:
    toggle(page, Facet.KIND, "Markdown")
    page.filter.setText("nothing like it")
    qtbot.waitUntil(lambda: page._views.currentWidget() is page._nothing)
    page.clear_filters()
    assert page._views.currentWidget() is page.table
    assert len(shown(page)) == 12


def test_facets_are_hidden_for_lack_of_room_and_remember_the_choice(page: LibraryPage, desktop: DesktopApp) -> None:
    assert page.facets.isVisibleTo(page)
    desktop.window.resize(860, 560)
    page.resize(620, 480)
    assert not page.facets.isVisibleTo(page)
    page.toggle_facets()
    assert page.facets.isVisibleTo(page)
    page.toggle_facets()
    page.resize(1_000, 600)
    assert not page.facets.isVisibleTo(page)
    assert not desktop.context.memory.get("library/facets", True)


def test_flags_found_later_are_shown(page: LibraryPage, parts: FakeParts) -> None:
    """Flags are found in the background, after the page was stored and without an event."""
    parts.documents[1] = row_of(parts.documents[1], flags=("asks for a tool call",))
    page.model._flags_timer.timeout.emit()
    deadline = time.monotonic() + 60
    from PySide6.QtWidgets import QApplication

    while not page.model.find(1).flags and time.monotonic() < deadline:  # type: ignore[union-attr]
        QApplication.processEvents()
    index = page.model.index(page.model.row_of(1), 0)
    assert "Flagged: asks for a tool call" in str(index.data(Qt.ItemDataRole.ToolTipRole))


def test_freshness_is_shown_in_words(page: LibraryPage) -> None:
    def fetched(number: int) -> str:
        return str(page.model.index(page.model.row_of(number), 5).data())

    assert fetched(5) == "20 days ago · outdated"
    assert fetched(1) == "12 hours ago"
    assert fetched(11) == "12 hours ago · changed"


def test_pages_become_outdated_by_the_rule_of_their_site() -> None:
    row = page_row(1, "docs.example", days=8)

    def seconds_for(url: str) -> float:
        return 10 * DAY if "docs" in url else 7 * DAY

    assert not facts_of(row, seconds_for, NOW).is_stale
    assert facts_of(row, lambda _: 7 * DAY, NOW).is_stale
    local = page_row(2, "notes", days=900, url="file:///home/ada/a.md")
    assert not facts_of(local, seconds_for, NOW).is_stale


def test_numbers_are_shown_in_the_format_of_the_locale(qtbot: QtBot) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale("de_DE"))
    try:
        totals = {facet: Counter[str]() for facet in Facet} | {Facet.STATE: Counter({"ready": 20_000, "remark": 1})}
        tree = FacetTree("Filters")
        qtbot.addWidget(tree)
        tree.show_totals(totals, 20_001)
        tree.show_counts(Facet.STATE, totals[Facet.STATE])
        item = tree.item_of(Facet.STATE, "ready")
        assert item is not None and item.text(1) == "20.000"
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("kind", "url", "expected"),
    [
        ("file", "file:///a/b.XLSX", "Excel"),
        ("file", "file:///a/b.py", "Source code"),
        ("file", "file:///a/b.unknown", "File"),
        ("web", "https://a.example/b.pdf?download=1", "PDF"),
        ("web", "https://a.example/b.py", "Web"),
        ("web", "https://a.example/", "Web"),
        ("browser", "https://a.example/b.pdf", "Browser"),
        ("guide", "webrag-guide:a.md", "Guide"),
    ],
)
def test_the_kind_of_a_page_is_its_format_if_it_is_a_file(kind: str, url: str, expected: str) -> None:
    assert kind_words(kind_value(kind, url)) == expected
