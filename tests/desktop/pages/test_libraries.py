"""Shared libraries in the window: joining one, where hits are from, sharing pages, what each assistant asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.corpus.records import LabelKind
from app.desktop.application import DesktopApp
from app.desktop.dialogs import join_library
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.models.search import Asked, HitsModel, address_of, spoken
from app.engine.libraries import Libraries
from app.library.records import ALL, PRIVATE, TEAM
from app.retrieval.records import Origin, RetrievedChunk
from app.secrets import SecretStore
from tests.desktop.fake_documents import chunk
from tests.desktop.fake_engine import FakeParts, result_of
from tests.desktop.window import as_new
from tests.support.shared_library import SharedLibrary, running


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


def test_one_address_and_the_browser_join_a_library(
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
    assert libraries.names == (), "nothing is joined before the person says so"
    dialog.collection.setCurrentIndex(1)
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.joined == "Team Handbook")
    assert libraries.states()[0].library.collection == "inbox"


def test_a_library_with_a_token_asks_for_it_and_a_wrong_address_is_said(
    desktop: DesktopApp, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
) -> None:
    node.token = "secret"
    dialog = opened(desktop, "http://library.example.org")
    dialog.go_on.click()
    qtbot.waitUntil(lambda: "https only" in dialog.problem.text())
    dialog.address.setText(node.address)
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.token.isVisible())
    dialog.token.setText("secret")
    dialog.go_on.click()
    qtbot.waitUntil(lambda: dialog.collection.isVisible())
    dialog.reject()
    assert libraries.names == ()


def test_the_settings_show_switch_and_leave(
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
    monkeypatch.setattr("app.desktop.pages.settings.libraries.is_agreed", lambda *_: True)
    section.leave(libraries.states()[0])
    qtbot.waitUntil(lambda: libraries.states() == ())
    qtbot.waitUntil(lambda: section.joined._column.count() == 0)


def shared(number: int, relevance: float, *, apart: bool = False) -> RetrievedChunk:
    origin = Origin("team", "https://intra.example/1", "guides", "Ann", apart)
    return RetrievedChunk(
        replace(chunk(number), id=-number, url="webrag://lib/team/page/1"), 1.0, relevance, origin=origin
    )


def test_hits_say_where_they_are_from_and_those_of_another_model_stand_behind() -> None:
    own = RetrievedChunk(chunk(3), 1.0, 0.5)
    model = HitsModel()
    model.show_result(result_of("leave", (shared(1, 0.9, apart=True), own, shared(2, 0.7))))
    assert [model.record_at(model.index(place, 0)) for place in range(3)] == [
        shared(2, 0.7),
        own,
        shared(1, 0.9, apart=True),
    ]
    assert "From the shared library team, added by Ann" in spoken(shared(2, 0.7), "leave")
    assert address_of(shared(2, 0.7)) == "https://intra.example/1"


@pytest.mark.parametrize(
    ("place", "library"), [("", ALL), ("library:private", PRIVATE), ("library:team", TEAM), ("docs.example", PRIVATE)]
)
def test_a_place_to_search_names_the_libraries(place: str, library: str) -> None:
    asked = Asked("leave", "hybrid", place)
    assert asked.library == library
    assert (asked.filter is None) == (place != "docs.example")


def test_pages_are_shared_where_a_collection_was_chosen_and_nowhere_else(
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
    assert desktop.window.current_page is desktop.window.settings, "where to is asked first"
    libraries.change(name, collection="inbox")
    sharing.look()
    qtbot.waitUntil(lambda: sharing._states[0].library.collection == "inbox")
    actions = [each.text() for each in offered().actions() if each.text()]
    assert actions == ["Share with Team Handbook", "Share its pages with Team Handbook"]
    offered().actions()[0].trigger()
    qtbot.waitUntil(lambda: len(node.stored) == 1)
    assert (node.stored[0].collection, node.stored[0].text) == ("inbox", "# Heading\n\nSome text.")


def test_an_assistant_asks_what_is_chosen_for_it(
    desktop: DesktopApp, shared_parts: FakeParts, libraries: Libraries, node: SharedLibrary, qtbot: QtBot
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
