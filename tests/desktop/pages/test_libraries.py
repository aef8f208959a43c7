"""Shared libraries in the window: joining, origin of results, sharing pages, and the libraries of each assistant."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.corpus.records import LabelKind
from app.desktop.application import DesktopApp
from app.desktop.dialogs import join_library
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.models.activity import TouchedPage
from app.desktop.models.libraries import MAX_HIDDEN_ROWS, SHARED_ADDRESS, load_shelf, page_state_words
from app.desktop.models.rows import BELOW_ROLE
from app.desktop.models.search import Asked, HitsModel, address_of, spoken
from app.desktop.pages.activity.turns import _TitleButton
from app.desktop.pages.library.shelf import SharedShelf
from app.desktop.pages.parts import SideList, new_menu
from app.desktop.tokens import TALL_ROW
from app.desktop.wording import plain_tip
from app.engine.libraries import Libraries
from app.errors import SettingsError
from app.library.exchange import MAX_PAGE_ROWS, PAGES_PATH, Collection, PageRow, PageRows, encoded
from app.library.records import ALL, PRIVATE, SHARED
from app.retrieval.records import Origin, RetrievedChunk
from app.secrets import SecretStore
from tests.desktop.fake_documents import chunk
from tests.desktop.fake_engine import FakeParts, result_of
from tests.desktop.window import as_new
from tests.support.shared_library import SharedLibrary, passage, running

pytestmark = pytest.mark.shared_window


@pytest.fixture
def node() -> Iterator[SharedLibrary]:
    with running(SharedLibrary()) as library:
        yield library


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> DesktopApp:
    as_new(shared_desktop)
    return shared_desktop


@pytest.fixture
def libraries(desktop: DesktopApp, shared_parts: FakeParts) -> Iterator[Libraries]:
    engine = shared_parts.engines[0]
    engine.libraries = Libraries(engine.settings.data_dir, SecretStore(), engine.bus)
    yield engine.libraries
    for state in engine.libraries.states():
        engine.libraries.leave(state.library.name)
    engine.libraries.close()
    engine.joined = ()


def joined(libraries: Libraries, node: SharedLibrary, collection: str = "") -> str:
    node.token = "t"
    joining = libraries.join(node.address, node.browse, token="t")
    libraries.keep(joining, collection)
    return joining.library.name


def opened(desktop: DesktopApp, address: str) -> JoinLibraryDialog:
    dialog = JoinLibraryDialog(desktop.window.settings.context, address, desktop.window)
    dialog.open()
    return dialog


def test_a_library_is_joined_by_its_address_and_a_sign_in_in_the_browser(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def browse(url: QUrl) -> None:
        node.browse(url.toString())

    monkeypatch.setattr(join_library, "open_outside", browse)
    dialog = opened(desktop, "")
    assert not dialog.go_on.isEnabled()
    dialog.address.setText(node.address)
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.collection.isVisible())
    assert [dialog.collection.itemData(place) for place in range(dialog.collection.count())] == ["", "inbox"]
    assert libraries.names == (), "nothing is joined before the user confirms"
    dialog.collection.setCurrentIndex(1)
    ended: list[int] = []
    dialog.finished.connect(ended.append)
    for _ in range(2):
        dialog.go_on.click()
    assert not dialog.again.isVisible()
    qtbot.waitUntil(lambda: dialog.joined == "Team Handbook")
    qtbot.wait(50)
    assert len(ended) == 1, "a second click while the library is joined does nothing"
    assert libraries.states()[0].library.collection == "inbox"


def test_a_library_with_a_token_asks_for_it_and_a_wrong_address_is_reported(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
) -> None:
    node.token = "secret"
    dialog = opened(desktop, "http://library.example.org")
    dialog.go_on.click()
    qtbot.waitUntil(lambda: "must start with https" in dialog.problem.text())
    assert dialog.focusWidget() is dialog.address
    assert dialog.address.selectedText() == dialog.address.text() != ""
    dialog.address.setText(node.address)
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.token.isVisible())
    dialog.token.setText("secret")
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.collection.isVisible())
    dialog.reject()
    assert libraries.names == ()


def test_signing_in_again_keeps_the_collection_for_shared_pages_until_writing_is_allowed_again(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
) -> None:
    joined(libraries, node, "inbox")
    node.roles["inbox"] = "reader"
    dialog = JoinLibraryDialog(desktop.window.settings.context, parent=desktop.window, again=libraries.states()[0])
    dialog.open()
    assert (dialog.windowTitle(), dialog._title.text()) == ("Sign in again", "Sign in to Team Handbook")
    assert node.address in dialog._text.text() and not dialog.address.isVisible()
    dialog.go_on.click()
    qtbot.waitUntil(dialog.token.isVisible)
    dialog.token.setText("t")
    dialog.go_on.click()
    qtbot.waitUntil(lambda: "You do not have write access to inbox" in dialog._text.text())
    assert dialog.go_on.text() == "Done" and not dialog.collection.isVisible()
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.joined == "Team Handbook")
    assert libraries.states()[0].library.collection == "inbox"
    node.collections += (Collection("drafts", "writer", 0),)
    joining = libraries.join(node.address, node.browse, token="t")
    dialog._signed_in(joining)
    assert "You no longer have write access to inbox" in dialog._text.text() and not dialog.collection.currentData()
    dialog.reject()


def test_a_library_is_turned_off_and_left_in_settings(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = joined(libraries, node)
    desktop.window.go_to("settings")
    settings = desktop.window.settings
    settings.complete()
    section = settings.libraries
    section.reload()
    qtbot.waitUntil(lambda: section.joined._column.count() == 1)
    section.switch(name, on=False)
    qtbot.waitUntil(lambda: not libraries.states()[0].library.is_on)
    monkeypatch.setattr("app.desktop.pages.settings.sections.is_agreed", lambda *_: True)
    section.leave(libraries.states()[0])
    qtbot.waitUntil(lambda: libraries.states() == ())
    qtbot.waitUntil(lambda: section.joined._column.count() == 0)


def test_an_unreadable_list_of_libraries_says_what_to_do(desktop: DesktopApp, qtbot: QtBot) -> None:
    async def unreadable(_engine: object) -> tuple[()]:
        raise SettingsError("Cannot read the list.", hint="Delete the file.")

    desktop.window.go_to("settings")
    desktop.window.settings.complete()
    section = desktop.window.settings.libraries
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("app.desktop.pages.settings.sections.joined_states", unreadable)
        section.reload()
        qtbot.waitUntil(lambda: section.joined.problem.text() == "Cannot read the list. Delete the file.")
    section.joined.complain("")


def shared(number: int, relevance: float, *, apart: bool = False) -> RetrievedChunk:
    origin = Origin("team", "https://intra.example/1", "guides", "Ann", apart, "Tidewater team")
    return RetrievedChunk(
        replace(chunk(number), id=-number, url="webrag://lib/team/page/1"), 1.0, relevance, origin=origin
    )


def test_results_show_their_library_and_other_models_come_last() -> None:
    own = RetrievedChunk(chunk(3), 1.0, 0.5)
    model = HitsModel()
    model.show_result(result_of("leave", (shared(1, 0.9, apart=True), own, shared(2, 0.7))))
    assert [model.record_at(model.index(place, 0)) for place in range(3)] == [
        shared(2, 0.7),
        own,
        shared(1, 0.9, apart=True),
    ]
    assert "From the shared library Tidewater team, added by Ann" in spoken(shared(2, 0.7), "leave", None)
    assert address_of(shared(2, 0.7)) == "https://intra.example/1"


@pytest.mark.parametrize(
    ("place", "library"),
    [("", ALL), ("library:private", PRIVATE), ("library:shared", SHARED), ("docs.example", PRIVATE)],
)
def test_the_places_to_search_include_the_libraries(place: str, library: str) -> None:
    asked = Asked("leave", "hybrid", place)
    assert asked.library == library
    assert (asked.filter is None) == (place != "docs.example")


@pytest.mark.own_window
def test_pages_are_shared_only_with_the_chosen_collection(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
) -> None:
    name = joined(libraries, node)
    sharing = desktop.window.library.sharing
    first = desktop.window.library.model.record_at(desktop.window.library.model.index(0, 0))
    rows = [first] if first is not None else []

    def offered() -> QMenu:
        menu = QMenu(desktop.window)
        sharing.add_to(menu, rows)
        sharing.add_label_to(menu, LabelKind.COLLECTION, "Thesis")
        return menu

    sharing.look()
    qtbot.waitUntil(lambda: bool(sharing._states) and not sharing._states[0].library.collection)
    offered().actions()[0].trigger()
    assert desktop.window.current_page is desktop.window.settings, "the collection has to be chosen first"
    libraries.change(name, collection="inbox")
    sharing.look()
    qtbot.waitUntil(lambda: sharing._states[0].library.collection == "inbox")
    actions = [each.text() for each in offered().actions() if each.text()]
    assert actions == ["Share with Team Handbook", "Share its pages with Team Handbook"]
    offered().actions()[0].trigger()
    qtbot.waitUntil(lambda: len(node.stored) == 1)
    assert (node.stored[0].collection, node.stored[0].text) == ("inbox", "# Heading\n\nSome text.")


def test_a_collection_with_too_many_pages_is_not_shared_partially(
    desktop: DesktopApp,
    libraries: Libraries,
    node: SharedLibrary,
    shared_parts: FakeParts,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joined(libraries, node, "inbox")
    documents = shared_parts.engines[0].documents
    asyncio.run(documents.add_label(LabelKind.COLLECTION, "Thesis", [*documents.stored][:3]))
    sharing = desktop.window.library.sharing
    sharing.look()
    qtbot.waitUntil(lambda: bool(sharing._states) and sharing._states[0].library.collection == "inbox")
    monkeypatch.setattr("app.desktop.pages.library.actions.MAX_SHARED", 2)
    menu = QMenu(desktop.window)
    sharing.add_label_to(menu, LabelKind.COLLECTION, "Thesis")
    menu.actions()[0].trigger()
    notices = desktop.window.library.context.notifier
    qtbot.waitUntil(lambda: "Thesis has more than 2 pages" in notices._text.text())
    assert "Select some of its pages" in notices._text.text() and not node.stored


def shelf_of(desktop: DesktopApp, qtbot: QtBot, node: SharedLibrary) -> SharedShelf:
    """Return the list of a library that was selected at the left of the Library page."""
    desktop.window.go_to("library")
    page = desktop.window.library
    page.side.picker.look()
    qtbot.waitUntil(lambda: [each.library.address for each in page.side.picker.states] == [node.address])
    page.side.picker.list.setCurrentRow(1)
    qtbot.waitUntil(lambda: page.shelf.isVisible() and not page.shelf.loading.is_running)
    return page.shelf


def test_the_pages_of_a_library_are_loaded_on_scrolling_and_can_be_read(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
) -> None:
    others = tuple(passage(number, f"Text {number}", 0.5, title=f"Page {number}") for number in range(100, 250))
    node.passages = (replace(passage(12, "The handbook gives 28 days.", 0.9, title="Leave"), last_crawled=0.0), *others)
    joined(libraries, node)
    shelf = shelf_of(desktop, qtbot, node)
    page = desktop.window.library
    assert shelf.model.total == 100 and shelf.model.canFetchMore()
    assert [page._splitter.isVisible(), page.facets.isVisible(), page.selected] == [False, False, []]
    first = [shelf.model.data(shelf.model.index(0, column)) for column in range(5)]
    assert first == ["Leave", "guides", "Ann", "", "Ready"], "an unknown time is not shown"
    assert "/" in shelf.model.index(0, SHARED_ADDRESS).data() and shelf.table.row_height < TALL_ROW, "one line per row"
    qtbot.waitUntil(lambda: "28 days" in shelf.pane.reader.preview.toPlainText())
    assert "1970" not in shelf.pane._about.text() and "added by Ann" in shelf.pane._about.text()
    shelf.model.fetchMore()
    qtbot.waitUntil(lambda: shelf.model.total == 151 and not shelf.model.canFetchMore())
    shelf.filter.setText("Page 24")
    qtbot.waitUntil(lambda: shelf.model.total == 10)
    assert ("pages", "Page 24") in node.asked
    shelf.filter.setText("nowhere")
    qtbot.waitUntil(lambda: shelf._views.currentWidget() is shelf._nothing)
    page.side.picker.choose_private()
    assert page._splitter.isVisible() and not shelf.isVisible() and not page.is_shared


def test_a_page_is_not_complete_before_its_last_passage_is_embedded() -> None:
    row = PageRow(1, "guides", "https://a.example/", "A", passages=1000, passages_embedded=999)
    assert page_state_words(row) == "Embedding 99%"
    assert page_state_words(replace(row, passages_embedded=1000)) == "Ready"


def test_only_actions_that_the_library_allows_are_offered(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.pages.library.shelf.is_agreed", lambda *_: True)
    own = replace(passage(3, "Mine", 0.5, title="Mine"), collection="inbox", added_by="user:x|1")
    node.passages = (passage(1, "Theirs", 0.5, title="Theirs"), own)
    joined(libraries, node)
    shelf = shelf_of(desktop, qtbot, node)
    pane = shelf.pane
    assert not pane._refresh.isEnabled() and "share it again" in pane._refresh.toolTip()
    assert not pane._withdraw.isEnabled() and "owner of the collection" in pane._withdraw.toolTip()
    assert not pane._hide.isEnabled() and "owners" in pane._hide.toolTip()
    shelf.table.selectRow(1)
    assert pane._withdraw.isEnabled() and not pane._hide.isEnabled()
    pane.withdraw()
    qtbot.waitUntil(lambda: len(node.passages) == 1 and shelf.model.total == 1)
    node.roles["guides"] = "owner"
    shelf.reload()
    qtbot.waitUntil(pane._hide.isEnabled)
    pane._hide.click()
    qtbot.waitUntil(lambda: node.hidden == {1} and shelf.model.data(shelf.model.index(0, 4)) == "Hidden")
    assert pane._hide.toolTip() == "Unhide page" and pane._withdraw.isEnabled()
    assert shelf.model.index(0, 0).data(BELOW_ROLE).startswith("Hidden · ")
    pane._hide.click()
    qtbot.waitUntil(lambda: not node.hidden and shelf.model.data(shelf.model.index(0, 4)) == "Ready")


def test_an_endless_list_of_hidden_pages_is_read_up_to_its_limit(
    libraries: Libraries, node: SharedLibrary, shared_parts: FakeParts
) -> None:
    name = joined(libraries, node)
    node.roles = {"guides": "owner"}
    row = PageRow(7, "guides", "https://intra.example/7", "Seven", is_quarantined=True)
    for lie in (PageRows((row,), "1"), PageRows((), "1")):
        node.lies[PAGES_PATH] = encoded(lie)
        shelf = asyncio.run(load_shelf(shared_parts.engines[0], name, ""))
        assert len(shelf.pages) <= MAX_HIDDEN_ROWS // MAX_PAGE_ROWS + 1 and shelf.has_more_hidden


def test_an_unreachable_library_is_reported_and_listed_again_when_it_is_back(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
) -> None:
    node.passages = (passage(1, "Theirs", 0.5, title="Theirs"),)
    name = joined(libraries, node)
    shelf = shelf_of(desktop, qtbot, node)
    node.status = 503
    shelf.reload()
    qtbot.waitUntil(lambda: shelf._views.currentWidget() is shelf._problem)
    picker = desktop.window.library.side.picker
    qtbot.waitUntil(lambda: picker.list.item(1).text() == "Team Handbook\nNot reachable")
    node.status = 0
    libraries._current()[name]._breaker.answered()
    shelf._problem.again.click()
    qtbot.waitUntil(lambda: shelf._views.currentWidget() is shelf._splitter and shelf.model.total == 1)
    libraries.leave(name)
    qtbot.waitUntil(lambda: not desktop.window.library.is_shared and not picker.isVisible())


def test_an_assistant_searches_the_libraries_chosen_for_it(
    desktop: DesktopApp,
    shared_parts: FakeParts,
    libraries: Libraries,
    node: SharedLibrary,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared_parts.engines[0].joined = (joined(libraries, node),)
    desktop.window.go_to("clients")
    card = desktop.window.clients.pane.libraries
    qtbot.waitUntil(lambda: card._joined and card._shown is not None)
    assert card._shown is not None
    card.choice.setCurrentIndex(card.choice.findData(PRIVATE))
    card._save()
    settings = desktop.window.settings.context.settings
    assert settings.value("mcp_client_library") == (f"{card._shown.name}=private",)
    card.choice.setCurrentIndex(card.choice.findData(ALL))
    card._save()
    assert settings.value("mcp_client_library") == ()
    card.choice.setCurrentIndex(card.choice.findData(PRIVATE))
    with monkeypatch.context() as full:
        full.setattr("app.settings.replace_file", Mock(side_effect=OSError(28, "No space left on device")))
        card._save()
    assert card.choice.currentData() == ALL and "No space left on device" in desktop.window.toast._text.text()


def test_markup_and_ampersands_in_names_are_shown_as_they_are(qtbot: QtBot) -> None:
    """Libraries, projects and folders have names that WebRAG does not choose."""
    listed = SideList("Libraries")
    qtbot.addWidget(listed)
    listed.show_entries([("a", '<img src="file:///c.png">', "")], "")
    assert listed.item(0).toolTip() == plain_tip('<img src="file:///c.png">') != listed.item(0).text()
    menu = new_menu(listed, [("Show only R&D", "", lambda: None, True)])
    assert menu.actions()[0].text() == "Show only R&&D"
    link = _TitleButton(TouchedPage("https://a.example/", "Questions & answers"), "Open {}", lambda: None)
    qtbot.addWidget(link)
    link.resize(600, 30)
    assert link.text().startswith("Questions && answers") and link.accessibleName().startswith("Open Questions & ")


def test_long_names_of_libraries_do_not_widen_the_window(desktop: DesktopApp) -> None:
    choice = desktop.window.clients.pane.libraries
    choice.choice.addItem("library " * 40, "long")
    assert choice.minimumSizeHint().width() < 377, "the width of the pane in the smallest window"
    bar = desktop.window.search.bar
    bar.show_away("")
    width = bar.minimumSizeHint().width()
    bar.show_away("library " * 40)
    assert bar.minimumSizeHint().width() == width
    bar.show_away("")
