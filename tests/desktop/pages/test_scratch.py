"""Passages page: the table and details, and pinning, deleting, undo, saving, copying, opening and live updates."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.context import Context
from app.desktop.engine_thread import EngineThread, EventBridge
from app.desktop.exports import file_name, save_text
from app.desktop.models import scratch as scratch_model
from app.desktop.models.scratch import KeptPassage, kept_text, kept_tip, readable, title_text
from app.desktop.notices import Toast
from app.desktop.pages import page as pages
from app.desktop.pages.scratch.page import ScratchPage
from app.desktop.settings_store import SettingsStore
from app.desktop.status import Status
from app.errors import CorpusError, CorpusTooNewError, FileAccessError
from app.events import ClientsChanged, EventBus
from app.library.records import PassageIn
from app.scratch.passage import PINNED, Passage
from app.secrets import SecretStore
from app.settings import load_settings
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts

pytestmark = pytest.mark.shared_window

OWNER = "claude-code\0bridge 77"
NOW = 1_700_000_000.0


def content(title: str, text: str = "Some words.", source: str = "", **others: object) -> PassageIn:
    return PassageIn("1", "", title, text, source or f"https://{title.lower()}.example/page", **others)  # type: ignore[arg-type]


def row_of(made: PassageIn, *, pinned: bool = False, expires_at: float | None = NOW + 600) -> KeptPassage:
    return KeptPassage(Passage("p", PINNED, made, NOW, len(made.text)), "cursor", pinned, expires_at)


class Bench:
    """The page alone over a small engine, in its own window."""

    def __init__(self, data_dir: Path) -> None:
        settings = load_settings(data_dir=data_dir)
        self.parts = FakeParts(3)
        self.bus = EventBus()
        self.engine = EngineThread(settings, self.bus, self.parts)
        context = Context(self.engine, Status(), SecretStore(), SettingsStore(settings))
        self.window = QWidget()
        self.window.resize(1_000, 700)
        context.notifier = self.toast = Toast(self.window)
        self.visited: list[str] = []
        context.go_to = self.visited.append
        self.page = ScratchPage(context)
        self.page.setParent(self.window)
        self.page.resize(1_000, 700)
        self.bridge = EventBridge(self.bus)
        self.bridge.batch.connect(self.page.on_events)
        self.kept = self.parts.scratch

    def put(self, *contents: PassageIn, owner: str = OWNER) -> list[Passage]:
        session = self.kept.session(owner)
        return [self.kept.put(owner, session, each) for each in contents]

    @property
    def titles(self) -> list[str]:
        return [record.content.title for record in self.page.model.records]

    def end(self) -> None:
        self.bridge.close()
        self.engine.stop()
        self.window.deleteLater()


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr("app.scratch.store.SCRATCH_EVENT_SECONDS", 0.05)
    monkeypatch.setattr(scratch_model, "RELOAD_MS", 30)
    made = Bench(tmp_path)
    yield made
    made.end()


@pytest.fixture
def show(bench: Bench, qtbot: QtBot) -> Callable[..., Bench]:
    """Return a function that adds passages, shows the page and waits for them."""

    def run(*contents: PassageIn) -> Bench:
        bench.put(*contents)
        bench.engine.start()
        bench.window.show()
        qtbot.waitUntil(lambda: bench.page.model.listing is not None and bench.page.model.total == len(contents))
        return bench

    return run


@pytest.fixture
def three(show: Callable[..., Bench]) -> Bench:
    """Show Alpha from a stored page, Beta from elsewhere on the web, and Gamma from a web search. Alpha is selected."""
    bench = show(
        content("Alpha", "# Alpha\n\n## Part\n\nFirst words.", document_id=2),
        content("Beta", "Second words."),
        PassageIn("", "", "Gamma", '{"a": [1, 2]}', "", media_type="application/json"),
    )
    select(bench, "Alpha")
    return bench


def select(bench: Bench, *titles: str) -> None:
    bench.page.table.clearSelection()
    for place, record in enumerate(bench.page.model.records):
        if record.content.title in titles:
            if len(titles) == 1:
                bench.page.table.selectRow(place)
            else:
                flags = bench.page.table.selectionModel().SelectionFlag
                index = bench.page.model.index(place, 0)
                bench.page.table.selectionModel().select(index, flags.Select | flags.Rows)


def test_the_title_names_the_page_and_the_heading() -> None:
    assert title_text(row_of(content("Guide", "## Retries\nText"))) == "Retries – Guide"
    assert title_text(row_of(content("Guide", "# Guide\nText"))) == "Text – Guide"
    assert title_text(row_of(content("", "Only *words* here", source="https://a.example/"))) == "Only words here"
    assert title_text(row_of(content("", "", source="https://a.example/"))) == "Untitled"
    long = "Jobs that failed move to the table of dead letters after their last attempt."
    assert (
        title_text(row_of(content("Guide", long)))
        == "Jobs that failed move to the table of dead letters after… – Guide"
    )


def test_the_remaining_time_starts_at_the_last_use() -> None:
    assert kept_text(row_of(content("A")), now=NOW) == "10 min"
    assert kept_text(row_of(content("A"), expires_at=NOW - 1), now=NOW) == "Expired"
    assert kept_text(row_of(content("A"), pinned=True, expires_at=None), now=NOW) == "Pinned"
    assert "All assistants" in kept_tip(row_of(content("A"), pinned=True))


def test_json_is_shown_as_indented_code_and_never_as_markup() -> None:
    made = PassageIn("", "", "S", '{"a":"```\\n# No heading"}', "", media_type="application/json")
    assert readable(made) == '    {\n      "a": "```\\n# No heading"\n    }'
    deep = PassageIn("", "", "S", "[" * 100_000, "", media_type="application/json")
    assert readable(deep).startswith("    [[[")


def test_file_names_are_derived_from_titles() -> None:
    assert file_name(content("../../etc: passwd?", document_id=1)) == "etc-passwd.md"
    assert file_name(content("...")) == "passage.txt"


def test_all_passages_are_listed_with_their_assistant(three: Bench) -> None:
    model = three.page.model
    cells = {
        record.content.title: [model.index(place, column).data() for column in range(model.columnCount())]
        for place, record in enumerate(model.records)
    }
    assert cells["Alpha"][1:4] == ["alpha.example", "Claude Code", "30 bytes"]
    assert cells["Alpha"][4:] == ["just now", "30 min"]
    assert cells["Gamma"][1] == "Web search"
    assert "77" not in str(cells), "the connection ID stays secret"
    assert "3 passages  ·  0 pinned" in three.page.header._subtitle.full_text


def test_the_details_show_text_address_and_source(three: Bench, qtbot: QtBot) -> None:
    pane = three.page.pane
    qtbot.waitUntil(lambda: "First words." in pane.preview.toPlainText())
    assert pane.exact.toPlainText().startswith("# Alpha\n\n## Part")
    assert pane.facts.values()["Address"] == three.page.current.passage.uri  # type: ignore[union-attr]
    assert pane.facts.values()["Source"] == "https://alpha.example/page"
    assert (pane._page.isEnabled(), pane._source.isEnabled()) == (True, True)
    select(three, "Gamma")
    assert '"a": [' in pane.preview.toPlainText()
    assert (pane._page.isEnabled(), pane._source.isEnabled()) == (False, False)


def test_a_cut_text_says_how_much_of_it_is_shown(show: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desktop.pages.scratch.pane.EXACT_CHARS", 900)
    page = show(content("Long", "word " * 300)).page
    assert len(page.pane.exact.toPlainText()) == 900
    assert page.pane._note.text() == "Exact text: the first 900 characters"


def test_markup_of_a_passage_is_neither_rendered_nor_loaded(show: Callable[..., Bench]) -> None:
    text = '<script>alert(1)</script><img src="https://tracker.example/a.png">![x](https://tracker.example/b.png)'
    pane = show(content("Evil", text)).page.pane
    assert "<script>alert(1)</script>" in pane.preview.toPlainText()
    assert "￼" not in pane.preview.toPlainText(), "the text contains no image"
    assert pane.exact.toPlainText() == text


def test_filter_sort_and_pinned_only(three: Bench, qtbot: QtBot) -> None:
    page = three.page
    page.filter.setText("beta.example CLAUDE")
    qtbot.waitUntil(lambda: three.titles == ["Beta"])
    assert page._count.text() == "1 of 3"
    page.filter.clear()
    qtbot.waitUntil(lambda: len(three.titles) == 3)
    page.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert three.titles == ["Beta", "Gamma", "Alpha"], (
        "sorted by the text shown: heading or first words in front of the title"
    )
    page.kinds._buttons["pinned"].click()
    assert three.titles == []
    assert page.current is not None, "the current passage is kept while a filter hides it"


def test_a_pinned_passage_is_kept_and_can_be_unpinned(three: Bench, qtbot: QtBot) -> None:
    page = three.page
    before = page.current
    assert before is not None
    qtbot.keyClick(page.table, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.current is not None and page.current.is_pinned)
    assert three.kept.is_pinned(before.id)
    assert page.current is not None
    assert page.current.passage.uri == f"webrag://scratch/pinned/{before.id}"
    assert page.pane._pin.accessibleName() == "Unpin"
    page.pane._pin.click()
    qtbot.waitUntil(lambda: page.current is not None and not page.current.is_pinned)
    assert not three.kept.is_pinned(before.id)


def test_unpinning_an_expired_passage_can_be_undone(bench: Bench, qtbot: QtBot) -> None:
    only = bench.put(content("Alone"))[0]
    bench.kept.pin(only.id)
    bench.kept._cache.remove(bench.kept._cache.entries[only.id])
    bench.engine.start()
    bench.window.show()
    qtbot.waitUntil(lambda: bench.titles == ["Alone"])
    bench.page.toggle_pin()
    assert bench.titles == []
    assert bench.toast._title.text() == "Expired passage unpinned and deleted"
    bench.page.commands.deletion.undo()
    assert bench.titles == ["Alone"]
    assert bench.kept.is_pinned(only.id)


def test_a_refused_pin_is_explained(three: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_id: str) -> Passage:
        raise CorpusError("The disk is full.")

    monkeypatch.setattr(three.kept, "pin", full)
    three.page.toggle_pin()
    qtbot.waitUntil(lambda: "The disk is full." in three.toast._text.text())
    assert not three.page.pane._pin.isChecked()


def test_deleted_passages_can_be_restored(three: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "UNDO_MS", 60)
    select(three, "Alpha", "Beta")
    qtbot.keyClick(three.page.table, Qt.Key.Key_Delete)
    assert three.titles == ["Gamma"]
    assert three.toast._title.text() == "2 passages deleted"
    assert three.page.current is not None
    assert three.page.current.content.title == "Gamma"
    qtbot.keyClick(three.page.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(three.titles) == 3
    qtbot.wait(120)
    assert three.kept.counters.kept == 3


def test_a_passage_is_deleted_when_the_time_to_undo_is_over(
    three: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "UNDO_MS", 20)
    three.page.pane._delete.click()
    qtbot.waitUntil(lambda: three.kept.counters.kept == 2)
    qtbot.wait(50)
    assert "Alpha" not in three.titles


def test_a_failed_deletion_restores_the_passage(three: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_id: str) -> bool:
        raise CorpusError("The file is damaged.")

    monkeypatch.setattr(three.kept, "delete", broken)
    three.page.delete()
    assert len(three.titles) == 2
    three.page.commands.deletion.delete_now()
    qtbot.waitUntil(lambda: "The file is damaged." in three.toast._text.text())
    assert len(three.titles) == 3


def test_the_keyboard_copies_addresses_and_opens_the_source(
    three: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    page = three.page
    wanted: list[tuple[int, int, int]] = []
    page.context.show_document = lambda *place: wanted.append(place)
    page.table.selectAll()
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == [record.passage.uri for record in page.model.records]
    select(three, "Alpha")
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: wanted == [(2, 0, 0)])
    select(three, "Beta")
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert opened == ["https://beta.example/page"]
    select(three, "Gamma")
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert len(opened) == 1


def test_a_page_that_is_no_longer_stored_is_explained(three: Bench, qtbot: QtBot) -> None:
    three.parts.documents.clear()
    three.page.open_current()
    qtbot.waitUntil(lambda: "no longer in the library" in three.toast._text.text())


def test_the_context_menu_offers_what_the_selection_allows(three: Bench) -> None:
    def offered() -> list[str]:
        menu = three.page.menu()
        texts = [action.text().split("\t")[0] for action in menu.actions() if action.isEnabled() and action.text()]
        menu.deleteLater()
        return texts

    assert offered() == [
        *("Open in Library", "Open in browser", "Pin"),
        *("Copy address", "Save as file…", "Delete", "Delete passages of this session", "Delete all unpinned passages"),
    ]
    three.page.table.selectAll()
    assert offered() == ["Pin", "Copy address", "Delete", "Delete all unpinned passages"]
    three.page.table.customContextMenuRequested.emit(QPoint(5, 5))
    menu = three.page.findChildren(QMenu)[-1]
    assert menu.isVisible()
    menu.close()


def test_a_passage_is_saved_unchanged(
    three: Bench, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, offered = tmp_path / "kept.md", []

    def choose(_parent: object, _title: str, name: str, _filter: str) -> tuple[str, str]:
        offered.append(Path(name).name)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    qtbot.keyClick(three.page.table, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: three.toast._title.text() == "Saved as kept.md")
    assert offered == ["Alpha.md"]
    assert target.read_text() == "# Alpha\n\n## Part\n\nFirst words."
    target = tmp_path / "missing" / "kept.md"
    three.page.save()
    qtbot.waitUntil(lambda: "Cannot write" in three.toast._text.text())


def test_new_passages_appear_and_the_selection_is_kept(three: Bench, qtbot: QtBot) -> None:
    three.put(content("Delta"), owner="cursor\0bridge 2")
    qtbot.waitUntil(lambda: "Delta" in three.titles)
    assert three.page.current is not None
    assert three.page.current.content.title == "Alpha"
    assert [record.content.title for record in three.page.selected] == ["Alpha"]


def test_a_passage_that_expires_stays_shown(three: Bench, qtbot: QtBot) -> None:
    page = three.page
    assert page.current is not None
    three.kept.delete(page.current.id)
    qtbot.waitUntil(lambda: "Alpha" not in three.titles)
    assert "First words." in page.pane.preview.toPlainText()
    assert page.pane._note.text() == "Deleted or expired"
    assert not page.pane._pin.isEnabled()
    assert page.pane._save.isEnabled()


def test_nothing_is_loaded_while_the_page_is_hidden(
    three: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    three.window.hide()
    three.put(content("Delta"))
    qtbot.wait(200)
    assert len(three.titles) == 3
    three.window.show()
    qtbot.waitUntil(lambda: "Delta" in three.titles)


def test_connecting_is_offered_only_while_no_assistant_is_connected(desktop: DesktopApp, qtbot: QtBot) -> None:
    page, model = desktop.window.scratch, desktop.window.clients.model
    desktop.window.go_to("scratch")
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty and model.is_loaded)
    assert page._connect.isVisible()
    desktop.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: not page._connect.isVisible())


def test_an_empty_page_explains_its_purpose(show: Callable[..., Bench]) -> None:
    bench = show()
    assert bench.page._stack.currentWidget() is bench.page._empty
    bench.page._empty.findChild(type(bench.toast.action)).click()
    assert bench.visited == ["clients"]


def test_a_failed_engine_start_is_explained_and_can_be_retried(bench: Bench, qtbot: QtBot) -> None:
    page = bench.page
    bench.window.show()
    assert page._stack.currentWidget() is page._loading
    bench.parts.start_error = CorpusTooNewError("The file has version 9.")
    bench.engine.start()
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._failed)
    assert page._failed._title.text() == "Library created by a newer version"
    bench.parts.start_error = None
    bench.engine.restart(bench.engine._settings)
    page.model.reload()
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty)


def test_thousands_of_passages_are_listed_and_filtered_without_a_freeze(bench: Bench, qtbot: QtBot) -> None:
    bench.kept.session(OWNER)
    for number in range(3_000):
        bench.put(content(f"Page {number}", f"## Part {number}\n" + "words " * 20), owner=f"client{number % 2}\0x")
    bench.engine.start()
    bench.window.show()
    qtbot.waitUntil(lambda: bench.page.model.total == 3_000, timeout=10_000)
    began = time.process_time()
    for text in ("p", "page 4", ""):
        bench.page.model.set_filter(text)
        bench.page.table.viewport().repaint()
    assert time.process_time() - began < 3
    assert len(bench.titles) == 3_000


@pytest.mark.own_window
def test_the_window_completes_pending_deletions_when_it_closes(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(3)
    session = parts.scratch.session(OWNER)
    parts.scratch.put(OWNER, session, content("Alpha", document_id=2))
    desktop = start(parts)
    window = desktop.window
    qtbot.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.scratch.model.total == 1)
    qtbot.keyClick(window.scratch.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.current_page is window.library)
    qtbot.waitUntil(lambda: getattr(window.library.model.record_at(window.library.table.currentIndex()), "id", 0) == 2)
    window.go_to("scratch")
    window.scratch.delete()
    desktop.quit()
    assert parts.scratch.counters.kept == 0


def test_passages_are_grouped_by_session_and_groups_fold(three: Bench, qtbot: QtBot) -> None:
    page, model = three.page, three.page.model
    three.put(content("Delta"), owner="cursor\0bridge 9")
    qtbot.waitUntil(lambda: model.total == 4)
    assert [(group.client, group.count, group.first) for group in model.groups] == [
        ("cursor", 1, 0),
        ("claude-code", 3, 1),
    ]
    assert "3 passages" in model.groups[1].words
    page.table.fold(model.groups[1], True)
    assert [page.table.isRowHidden(row) for row in range(4)] == [False, False, True, True]
    page.table.selectRow(1)
    qtbot.keyClick(page.table, Qt.Key.Key_Right)
    assert not any(page.table.isRowHidden(row) for row in range(4))
    head = QPoint(20, page.table.rowViewportPosition(1) + 5)
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=head)
    assert page.table.isRowHidden(2)
    page.filter.setText("alpha")
    qtbot.waitUntil(lambda: model.rowCount() == 1)
    assert model.groups[0].count == 1
    page.grab()


def test_the_passages_of_a_session_are_deleted_and_restored(three: Bench, qtbot: QtBot) -> None:
    page = three.page
    three.put(content("Delta"), owner="cursor\0bridge 9")
    qtbot.waitUntil(lambda: page.model.total == 4)
    select(three, "Beta")
    page.clear_session()
    assert three.titles == ["Delta"]
    page.commands.deletion.undo()
    assert len(three.titles) == 4
    select(three, "Delta")
    page.toggle_pin()
    qtbot.waitUntil(lambda: page.model.groups[0].id == PINNED)
    page.clear_unpinned()
    assert three.titles == ["Delta"]
    page.commands.deletion.undo()


def test_a_passage_opens_at_its_position_even_after_the_page_has_changed(three: Bench, qtbot: QtBot) -> None:
    found: list[tuple[int, int, int]] = []
    three.page.context.show_document = lambda *place: found.append(place)
    text = "# Heading\n\nSome text."
    for made in (
        content("Same", "anything", document_id=1, document_hash="hash", start=3, end=9),
        content("Moved", "Some text.", document_id=1, document_hash="old", start=99, end=109),
        content("Gone", "Not there.", document_id=1, document_hash="old", start=3, end=9),
    ):
        three.page.commands.open_page(row_of(made))
        count = len(found)
        qtbot.waitUntil(lambda count=count: len(found) > count)  # type: ignore[misc]
    start = text.index("Some text.")
    assert found == [(1, 3, 9), (1, start, start + 10), (1, 0, 0)]
    assert "has changed" in three.toast._title.text()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of the size of a file")
def test_export_that_fails_keeps_the_previous_file(tmp_path: Path) -> None:
    import resource

    file = tmp_path / "a.md"
    file.write_text("previous")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
    try:
        with pytest.raises(FileAccessError):
            save_text("w " * 50, file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["previous"]
