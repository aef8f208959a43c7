"""Library: actions on several pages, undo, the context menu, the keyboard, and state that survives a restart."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.library import actions
from app.desktop.pages.library.page import LibraryPage
from app.errors import CorpusError
from app.events import DocumentChanged
from app.library.records import CameBy
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts, summary

pytestmark = pytest.mark.shared_window


@pytest.fixture
def parts() -> FakeParts:
    """Forty pages on seven sites."""
    return FakeParts(40)


@pytest.fixture
def page(desktop: DesktopApp, qtbot: QtBot) -> LibraryPage:
    desktop.window.go_to("library")
    qtbot.waitUntil(lambda: desktop.window.library.model.is_loaded)
    return desktop.window.library


def ids(page: LibraryPage) -> list[int]:
    return [record.id for record in page.model.records]


def entries(menu: QMenu) -> list[str]:
    return [action.text().partition("\t")[0] for action in menu.actions() if action.text()]


def run(menu: QMenu, text: str) -> None:
    next(action for action in menu.actions() if action.text().startswith(text)).trigger()


def test_many_pages_are_deleted_and_restored_with_selection_and_position(
    page: LibraryPage, parts: FakeParts, qtbot: QtBot
) -> None:
    page.table.resize(500, 300)
    before = ids(page)
    page.table.select_keys([30, 29, 27])
    page.table.scrollTo(page.model.index(8, 0), page.table.ScrollHint.PositionAtTop)
    place = page.table.verticalScrollBar().value()
    qtbot.keyClick(page.table, Qt.Key.Key_Delete)
    assert not {30, 29, 27} & set(ids(page))
    assert page.context.notifier._title.text() == "3 pages deleted"
    page.table.select_keys([28])
    page.delete()
    assert page.context.notifier._title.text() == "4 pages deleted"
    page.undo_delete()
    assert ids(page) == before
    assert sorted(record.id for record in page.table.selected) == [27, 28, 29, 30]
    assert page.table.verticalScrollBar().value() == place
    assert parts.engines[0].asked == []


def test_the_message_names_the_deleted_page(page: LibraryPage) -> None:
    page.table.select_keys([30])
    title = page.selected[0].title
    page.delete()
    assert page.context.notifier._title.text() == f"“{title}” deleted"


def test_the_page_next_to_the_deleted_ones_is_selected(page: LibraryPage) -> None:
    page.table.select_keys([35, 34])
    page.delete()
    assert [record.id for record in page.table.selected] == [33]


def test_a_failed_deletion_restores_the_pages(
    page: LibraryPage, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> int:
        raise CorpusError("The disk is full.")

    monkeypatch.setattr("tests.desktop.fake_documents.FakeDocuments.delete", broken)
    page.table.select_keys([1, 2])
    page.delete()
    page.commands.deletion.delete_now()
    qtbot.waitUntil(lambda: page.model.total == 40)
    assert "The disk is full." in page.context.notifier._text.text()


def test_the_pages_of_a_site_are_deleted_after_confirmation(
    page: LibraryPage, parts: FakeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(_parent: object, _title: str, question: str, *_buttons: object) -> QMessageBox.StandardButton:
        asked.append(question)
        return QMessageBox.StandardButton.Yes if len(asked) > 1 else QMessageBox.StandardButton.Cancel

    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", answer)
    page.select_document(3)
    menu = page.menu()
    assert entries(menu)[-1] == "Delete all pages of site3.example…"
    run(menu, "Delete all pages of site3.example…")
    assert page.model.total == 40
    run(page.menu(), "Delete all pages of site3.example…")
    assert asked == ["Delete all pages of site3.example: 6 pages?"] * 2
    assert page.model.total == 34
    assert not [url for url in (record.url for record in page.model.records) if "site3." in url]
    page.undo_delete()
    assert page.model.total == 40


def test_unused_linked_pages_are_removed_after_confirmation_and_restored_by_undo(
    desktop: DesktopApp, parts: FakeParts, page: LibraryPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.unused_button.isHidden()
    for number in (3, 5, 7):
        cited_at = 1.0 if number == 7 else None
        parts.documents[number] = replace(parts.documents[number], came_by=CameBy.LINK, cited_at=cited_at)
    page.model.reload()
    qtbot.waitUntil(lambda: not page.unused_button.isHidden())
    assert page.unused_button.text() == "Remove 2 unused pages…"
    asked: list[str] = []
    answers = iter((QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes))
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *words: asked.append(words[2]) or next(answers))
    page.unused_button.click()
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert "2 pages" in asked[0] and page.model.total == 40
    page.unused_button.click()
    qtbot.waitUntil(lambda: page.model.total == 38)
    assert not {3, 5} & set(ids(page))
    qtbot.waitUntil(page.unused_button.isHidden)
    page.undo_delete()
    assert page.model.total == 40
    qtbot.waitUntil(lambda: not page.unused_button.isHidden())


def test_a_site_can_be_blocked_and_shown_alone(page: LibraryPage) -> None:
    page.select_document(3)
    run(page.menu(), "Block site3.example")
    assert "site3.example" in page.context.settings.value("deny_hosts")
    assert "Block site3.example" not in entries(page.menu())
    run(page.menu(), "Show only site3.example")
    assert {record.id % 7 for record in page.model.records} == {3}


def test_the_menu_names_the_number_of_selected_pages(page: LibraryPage) -> None:
    page.table.select_keys([1, 2, 3])
    assert entries(page.menu()) == [
        "Collections",
        "Tags",
        "Open 3 pages…",
        "Refresh 3 pages",
        "Copy 3 citations",
        "Copy 3 addresses",
        "Save 3 pages as Markdown…",
        "Delete 3 pages",
    ]
    page.table.customContextMenuRequested.emit(QPoint(5, 5))
    assert page._count.text() == "3 selected"


@pytest.mark.own_window
def test_citations_are_copied_by_keyboard(page: LibraryPage, qtbot: QtBot) -> None:
    page.table.select_keys([39, 38])
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "- [Page 39](https://site4.example/page/39)",
        "- [Page 38](https://site3.example/page/38)",
    ]


def test_ctrl_a_selects_all_filtered_pages(page: LibraryPage, qtbot: QtBot) -> None:
    page.model.set_filter("site3")
    qtbot.keyClick(page.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    page.delete()
    page.model.set_filter("")
    assert page.model.total == 34


def test_a_few_pages_are_refreshed_directly(page: LibraryPage, parts: FakeParts, qtbot: QtBot) -> None:
    page.table.select_keys([1, 2, 3])
    page.refresh()
    qtbot.waitUntil(lambda: page.context.notifier._title.text() == "3 pages refreshed, 3 changed")
    assert len([what for what, _ in parts.engines[0].asked if what == "refresh"]) == 3
    qtbot.waitUntil(lambda: sorted(ids(page)[:3]) == [1, 2, 3])
    assert sorted(record.id for record in page.table.selected) == [1, 2, 3]


def test_one_failed_page_does_not_stop_the_others(
    page: LibraryPage, parts: FakeParts, desktop: DesktopApp, qtbot: QtBot
) -> None:
    parts.documents[50] = summary(50, url="https://slow.example/a")
    desktop.bus.publish(DocumentChanged("https://slow.example/a", 50, "stored"))
    qtbot.waitUntil(lambda: page.model.total == 41)
    page.table.select_keys([50, 1])
    page.refresh()
    words = "Page updated, 1 failed"
    qtbot.waitUntil(lambda: page.context.notifier._title.text() == words)


def test_one_click_refreshes_all_outdated_pages_in_a_job(
    page: LibraryPage, parts: FakeParts, desktop: DesktopApp, qtbot: QtBot
) -> None:
    page.facets.count()
    stale = {row.url for row in page.model.stale}
    old, kept = "https://old.example/a", "https://old.example/signed-in"
    for number, url, kind in ((60, old, "web"), (61, kept, "browser")):
        parts.documents[number] = replace(summary(number, url=url), kind=kind, last_crawled=1.0)
        desktop.bus.publish(DocumentChanged(url, number, "stored"))
    qtbot.waitUntil(lambda: page.model.total == 42)
    page.facets.count()
    assert {row.url for row in page.model.stale} == {*stale, old}
    count = len(stale) + 1
    assert page.stale_button.isVisibleTo(page)
    assert page.stale_button.text() == (f"Refresh {count} outdated pages" if count > 1 else "Refresh 1 outdated page")
    page.model.set_filter("old.example")
    page.facets.count()
    assert page.stale_button.text() == "Refresh 1 outdated page"
    qtbot.mouseClick(page.stale_button, Qt.MouseButton.LeftButton)
    jobs = parts.engines[0].jobs
    qtbot.waitUntil(lambda: bool(jobs.asked))
    assert jobs.asked[0] == ("read_pages", (old,), "Refresh of 1 library page")
    qtbot.waitUntil(lambda: "Refreshing 1 page in the background" in page.context.notifier._title.text())
    page.model.set_filter("signed-in")
    page.facets.count()
    assert not page.stale_button.isVisibleTo(page)


def test_pages_saved_from_the_browser_are_left_out_unless_nothing_else_is_selected(
    page: LibraryPage, parts: FakeParts, desktop: DesktopApp, qtbot: QtBot
) -> None:
    url = "https://shop.example/orders"
    parts.documents[60] = replace(summary(60, url=url), kind="browser")
    desktop.bus.publish(DocumentChanged(url, 60, "stored"))
    qtbot.waitUntil(lambda: page.model.total == 41)
    page.table.selectAll()
    page.refresh()
    jobs = parts.engines[0].jobs
    qtbot.waitUntil(lambda: bool(jobs.asked))
    assert len(jobs.asked[0][1]) == 40 and url not in jobs.asked[0][1]  # type: ignore[arg-type, operator]
    qtbot.waitUntil(lambda: "(without 1 page saved from the browser)" in page.context.notifier._title.text())
    page.table.select_keys([60])
    page.refresh()
    qtbot.waitUntil(lambda: ("refresh", url) in parts.engines[0].asked)


def test_many_pages_are_refreshed_by_a_job(page: LibraryPage, parts: FakeParts, qtbot: QtBot) -> None:
    page.table.selectAll()
    page.refresh()
    jobs = parts.engines[0].jobs
    qtbot.waitUntil(lambda: bool(jobs.asked))
    name, urls, target = jobs.asked[0]
    assert (name, len(urls), target) == ("read_pages", 40, "Refresh of 40 library pages")  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: "Refreshing 40 pages in the background" in page.context.notifier._title.text())


def test_pages_are_saved_as_markdown_in_a_folder(
    page: LibraryPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "saved"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(target))
    page.table.select_keys([1, 2, 8])
    page.export()
    qtbot.waitUntil(lambda: page.context.notifier._title.text() == "3 pages saved")
    files = sorted(path.relative_to(target).as_posix() for path in target.rglob("*.md"))
    assert files == ["site1.example/page/1.md", "site1.example/page/8.md", "site2.example/page/2.md"]
    assert "Some text." in (target / files[0]).read_text()


def test_many_pages_are_opened_only_after_confirmation_up_to_a_limit(
    page: LibraryPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    asked: list[str] = []
    answer = QMessageBox.StandardButton.Cancel

    def question(_parent: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answer

    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", question)
    monkeypatch.setattr(actions, "open_document", opened.append)
    page.table.select_keys([1, 2])
    page.commands.open(page.selected)
    assert (len(opened), asked) == (2, [])
    page.table.selectAll()
    page.commands.open(page.selected)
    assert asked == ["40 pages are selected. Open the first 20?"]
    assert len(opened) == 2
    answer = QMessageBox.StandardButton.Yes
    page.commands.open(page.selected)
    assert len(opened) == 22


@pytest.mark.own_window
def test_the_sort_order_survives_a_restart(
    page: LibraryPage, desktop: DesktopApp, start: Start, parts: FakeParts
) -> None:
    page.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert page.context.memory.get("library/order", "") == "0 up"
    desktop.context.memory.close()
    desktop.quit()
    again = start(parts).window.library
    assert (again.model._sorted_by, again.model._descending) == (0, False)


def test_a_page_stored_again_with_another_id_replaces_the_old_row(
    page: LibraryPage, parts: FakeParts, desktop: DesktopApp, qtbot: QtBot
) -> None:
    """The events of one address replace each other, so the deletion event may never arrive."""
    row = parts.documents.pop(7)
    parts.documents[70] = summary(70, url=row.url, title="Anew")
    desktop.bus.publish(DocumentChanged(row.url, 70, "stored"))
    qtbot.waitUntil(lambda: page.model.row_of(70) >= 0)
    assert page.model.row_of(7) < 0
    assert page.model.total == 40


def test_no_page_is_lost_while_others_arrive_during_a_load(
    page: LibraryPage, parts: FakeParts, desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.models.library.FIRST_ROWS", 3)
    monkeypatch.setattr("app.desktop.models.library.PAGE_ROWS", 4)
    page.model.reload()
    for number in (100, 101):
        parts.documents[number] = summary(number)
        desktop.bus.publish(DocumentChanged(parts.documents[number].url, number, "stored"))
    parts.documents.pop(20)
    desktop.bus.publish(DocumentChanged("https://site6.example/page/20", 20, "deleted"))
    qtbot.waitUntil(lambda: not page.model.is_loading and set(ids(page)) == set(parts.documents))


@pytest.mark.own_window
def test_twenty_thousand_pages_are_deleted_filtered_and_restored_without_a_freeze(start: Start, qtbot: QtBot) -> None:
    desktop = start(FakeParts(20_000))
    desktop.window.go_to("library")
    page = desktop.window.library
    qtbot.waitUntil(lambda: page.model.is_loaded, timeout=60_000)
    worst: dict[str, float] = {}

    def timed(name: str, work: object) -> None:
        before = time.thread_time()
        work()  # type: ignore[operator]
        page.table.viewport().repaint()
        worst[name] = max(worst.get(name, 0.0), time.thread_time() - before)

    for text in ("p", "pa", "page 4", "page 49", "site3", ""):
        timed("keystroke", lambda text=text: page.model.set_filter(text))
    page.table.select_keys(ids(page)[:5_000])
    timed("delete", page.delete)
    assert page.model.total == 15_000
    timed("undo", page.undo_delete)
    assert page.model.total == 20_000
    assert page.table.count_selected == 5_000
    timed("facets", page.facets.count)
    # Generous limits: the benchmark has the numbers of an idle machine.
    assert worst["keystroke"] < 0.1, worst
    assert max(worst.values()) < 0.4, worst


def test_pages_arriving_one_by_one_never_freeze_the_window(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(5_000)
    desktop = start(parts)
    desktop.window.go_to("library")
    page = desktop.window.library
    qtbot.waitUntil(lambda: page.model.is_loaded, timeout=30_000)
    qtbot.wait(500)
    ticks: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: ticks.append(time.thread_time()))
    timer.start(10)

    def crawl() -> None:
        for number in range(10_000, 10_200):
            parts.documents[number] = summary(number)
            desktop.bus.publish(DocumentChanged(parts.documents[number].url, number, "stored"))
            time.sleep(0.005)

    thread = threading.Thread(target=crawl)
    thread.start()
    loop = QEventLoop()
    QTimer.singleShot(2_500, loop.quit)
    loop.exec()
    thread.join()
    qtbot.waitUntil(lambda: page.model.total == 5_200)
    gaps = sorted(after - before for before, after in pairwise(ticks))
    assert gaps[-3] < 0.1, [round(gap * 1000) for gap in gaps[-5:]]
