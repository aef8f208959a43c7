"""Neighbor graph: its content, its layout, and its use by mouse and keyboard."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.corpus import Corpus
from app.desktop.application import DesktopApp
from app.desktop.models.details import linking_model, links_model
from app.desktop.models.neighbours import (
    MAX_LINKED,
    Neighbour,
    Neighbours,
    Way,
    description,
    load_neighbours,
    placed,
    summary_text,
)
from app.desktop.pages.library.document_tabs import LinksView
from app.desktop.pages.library.neighbours import NODE_HEIGHT, NODE_WIDTH, ROW_HEIGHT, NeighbourView
from app.desktop.pages.library.page import LibraryPage
from app.desktop.theme import Appearance, theme
from app.retrieval.graph.service import CorpusGraph
from tests.desktop.fake_engine import FakeParts
from tests.support.graph import SITE, manual, store_manuals

pytestmark = pytest.mark.shared_window


def around(*ways: Way) -> Neighbours:
    found = [
        Neighbour(place, f"Page {place}", f"https://a.example/{place}", way, "words") for place, way in enumerate(ways)
    ]
    return Neighbours(99, "In the middle", tuple(found), len(found))


async def neighbours(corpus: Corpus, document_id: int, *, enabled: bool = True) -> Neighbours:
    engine = SimpleNamespace(graph=CorpusGraph(corpus, enabled=enabled))
    return await load_neighbours(engine, document_id, "Middle")  # type: ignore[arg-type]


async def test_links_of_both_directions_are_distinguished(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    corpus.documents.store(manual(SITE + "smoke.html", "# Smoke {#smoke}\n\nSee [the hive](hives.html).\n"))
    corpus.documents.store(manual(SITE + "bees.html", "# Bees {#bees}\n\nNothing.\n"))
    found = await neighbours(corpus, ids["hives.html"])
    assert {(each.title, each.way) for each in found.of(Way.IN, Way.OUT, Way.BOTH)} == {
        ("Smoke", Way.IN),
        ("Frames", Way.BOTH),
        ("Mites", Way.BOTH),
    }
    assert [each.words for each in found.of(Way.IN)] == ["the hive"]
    assert found.linked == 3


async def test_pages_that_share_terms_are_related_unless_they_are_linked(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    found = await neighbours(corpus, ids["mites.html"])
    assert [(each.title, each.way) for each in found.around if each.title == "Choosing a hive"] == [
        ("Choosing a hive", Way.BOTH)
    ]
    [related] = found.of(Way.RELATED)
    assert related.title == "Frames"
    assert len(related.words.split(", ")) >= 2


async def test_a_page_with_many_links_is_cut_and_reports_it(corpus: Corpus) -> None:
    links = " ".join(f"[page {number}](p{number}.html)" for number in range(MAX_LINKED + 5))
    hub = corpus.documents.store(manual(SITE + "hub.html", f"# Hub {{#hub}}\n\n{links}\n"))
    for number in range(MAX_LINKED + 5):
        corpus.documents.store(manual(f"{SITE}p{number}.html", f"# Page {number} {{#p}}\n\nText.\n"))
    found = await neighbours(corpus, hub.document_id)
    assert len(found.around) == MAX_LINKED
    assert summary_text(found) == f"Links to {MAX_LINKED} stored pages  ·  5 more not shown"
    assert found == await neighbours(corpus, hub.document_id)


async def test_a_disabled_graph_and_a_deleted_document(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    assert (await neighbours(corpus, ids["hives.html"], enabled=False)).is_disabled
    assert (await neighbours(corpus, 999)).around == ()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(Way), max_size=24))
def test_no_two_nodes_overlap_and_positions_are_stable(ways: list[Way]) -> None:
    found = around(*ways)
    places = placed(found)
    assert places == placed(found)
    spots = [QPointF(x * NODE_WIDTH, y * ROW_HEIGHT) for x, y in places.values()] + [QPointF(0, 0)]
    assert len(spots) == len(ways) + 1
    for one, other in combinations(spots, 2):
        assert abs(one.x() - other.x()) >= NODE_WIDTH or abs(one.y() - other.y()) >= NODE_HEIGHT
    for each in found.around:
        if each.way is not Way.RELATED:
            assert (places[each.document_id][0] < 0) == (each.way is Way.IN)


@pytest.fixture
def view(qtbot: QtBot) -> NeighbourView:
    made = NeighbourView()
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show_neighbours(around(Way.IN, Way.IN, Way.OUT, Way.BOTH, Way.RELATED))
    made.show()
    return made


def spot(view: NeighbourView, place: int) -> QPoint:
    return view.mapFromScene(view.nodes[place].pos())


def test_a_click_selects_and_a_double_click_opens(view: NeighbourView, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot(view, 2))
    assert view.current is not None and view.current.title == "Page 2"
    assert view.accessibleName() == description(view.current)
    chosen: list[Neighbour | None] = []
    view.chosen.connect(lambda: chosen.append(view.current))
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot(view, 0))
    assert opened.args == [0]
    assert chosen == [view.current], "the selection never becomes empty between two pages"


def test_arrow_keys_move_to_the_nearest_page_in_their_direction(view: NeighbourView, qtbot: QtBot) -> None:
    seen = []
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right):
        qtbot.keyClick(view, key)
        assert view.current is not None
        seen.append(view.current.way)
    assert seen == [Way.IN, Way.IN, Way.IN, Way.RELATED, Way.OUT]
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == [view.current.document_id]


def test_tab_visits_every_page_and_leaves(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    before, view, after = QLineEdit(), NeighbourView(), QLineEdit()
    column = QVBoxLayout(holder)
    for widget in (before, view, after):
        column.addWidget(widget)
    view.show_neighbours(around(Way.IN, Way.OUT, Way.RELATED))
    holder.show()
    holder.activateWindow()
    before.setFocus()
    qtbot.waitUntil(before.hasFocus)
    seen = []
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget() or before, Qt.Key.Key_Tab)
        assert view.current is not None
        seen.append(view.current.title)
    assert seen == ["Page 0", "Page 1", "Page 2"]
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is after
    QTest.keyClick(after, Qt.Key.Key_Backtab)
    assert view.current is not None and view.current.title == "Page 2"


def test_zoom_is_limited_and_kept_when_the_same_page_is_drawn_again(view: NeighbourView, qtbot: QtBot) -> None:
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.transform().m11() == pytest.approx(view.largest)
    view.choose(1)
    view.show_neighbours(around(Way.IN, Way.IN, Way.OUT))
    assert view.transform().m11() == pytest.approx(view.largest)
    assert view.current is not None and view.current.title == "Page 1"
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_Minus)
    assert view.transform().m11() == pytest.approx(view.smallest)
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert all(view.viewport().rect().contains(spot(view, place)) for place in range(3))


def test_the_wheel_zooms_at_the_mouse_and_dragging_pans(view: NeighbourView, qtbot: QtBot) -> None:
    middle = view.viewport().rect().center()
    before = view.transform().m11()
    wheel = QWheelEvent(
        QPointF(middle),
        view.viewport().mapToGlobal(QPointF(middle)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), wheel)
    assert view.transform().m11() > before
    free = view.mapFromScene(QPointF(NODE_WIDTH * 0.4, ROW_HEIGHT * 4))
    was = spot(view, 0)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=free)
    qtbot.mouseMove(view.viewport(), free + QPoint(40, 30))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=free + QPoint(40, 30))
    moved = spot(view, 0) - was
    assert (moved.x(), moved.y()) == (40, 30)


def test_another_page_is_drawn_while_one_is_selected(qtbot: QtBot) -> None:
    links = LinksView(links_model(), linking_model())
    qtbot.addWidget(links)
    links.resize(855, 265)
    links.show()
    for ways in ([Way.IN] * 11 + [Way.RELATED] * 3, [Way.OUT], [Way.BOTH] * 4):
        links.show_neighbours(replace(around(*ways), document_id=len(ways) + 100))
        links.graph.choose(0)
        qtbot.wait(10)
        links.clear()
    assert not links.words.isVisible()


def test_titles_are_shown_as_plain_text(qtbot: QtBot) -> None:
    view = NeighbourView()
    qtbot.addWidget(view)
    title = "<b>bold</b><img src=x>"
    view.show_neighbours(Neighbours(1, "M", (Neighbour(2, title, "https://a.example/", Way.OUT),), 1))
    assert "&lt;b&gt;bold" in view.nodes[0].toolTip()


@pytest.mark.own_window
@pytest.mark.usefixtures("real_style")
def test_colors_follow_the_scheme(view: NeighbourView, qtbot: QtBot) -> None:
    def ground() -> QColor:
        return view.grab().toImage().pixelColor(5, 5)

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme().install(application, Appearance.LIGHT)
    light = ground()
    theme().select(Appearance.DARK)
    assert ground().lightness() < 80 < light.lightness()
    theme().select(Appearance.LIGHT)


@pytest.fixture
def page(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> LibraryPage:
    parts.engines[0].graph.linked = [(5, 2), (3, 5), (1, 4)]
    desktop.window.go_to("library")
    qtbot.waitUntil(lambda: desktop.window.library.model.is_loaded)
    return desktop.window.library


def test_the_links_tab_draws_neighbors_and_opens_one(page: LibraryPage, qtbot: QtBot) -> None:
    links = page.pane.links_view
    page.pane.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: links.states.currentWidget() is links.graph)
    assert links.words.full_text == "1 page links here  ·  links to 1 stored page"
    links.graph.choose(1)
    assert links.words.full_text == "Linked from this page: “see there”"
    qtbot.keyClick(links.graph, Qt.Key.Key_Return)
    record = page.model.record_at(page.table.currentIndex())
    assert record is not None and record.id == 2
    qtbot.waitUntil(lambda: [node.neighbour.document_id for node in links.graph.nodes if node.neighbour] == [5])


def test_a_page_without_neighbors_and_a_disabled_graph(page: LibraryPage, parts: FakeParts, qtbot: QtBot) -> None:
    links = page.pane.links_view
    page.select_document(0)
    page.pane.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: links.states.currentWidget() is links.empty)
    parts.engines[0].graph.disabled = True
    page.select_document(5)
    qtbot.waitUntil(lambda: links.states.currentWidget() is links.disabled)
    assert not links.buttons[0].isVisible()
