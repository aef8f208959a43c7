"""Tables with many rows: filter, facets and order match a simple implementation, and the selection is kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from app.desktop.models import long_rows
from app.desktop.models.long_rows import Facets, LongRowsModel
from app.desktop.models.rows import Column
from app.desktop.tables import LongTable
from app.text.terms import folded

pytestmark = pytest.mark.styled

COLOUR, SIZE = 0, 1


@dataclass(frozen=True)
class Fruit:
    id: int
    name: str
    colour: str
    size: int

    @property
    def values(self) -> Facets:
        return (self.colour,), ("big", "any") if self.size > 2 else ("any",)


class Fruits(LongRowsModel[Fruit]):
    def __init__(self) -> None:
        super().__init__(
            [
                Column("Name", lambda f: f.name, lambda f: f.name),
                Column("Size", lambda f: str(f.size), lambda f: f.size, right=True),
            ]
        )

    def haystack(self, record: Fruit) -> str:
        return folded(record.name)

    def facets(self, record: Fruit) -> Facets:
        return record.values


FRUITS = st.builds(
    Fruit,
    st.integers(0, 25),
    st.text("abÁ é", max_size=4),
    st.sampled_from(("red", "green", "blue")),
    st.integers(0, 4),
)
STEPS = st.one_of(
    st.tuples(st.just("merge"), st.lists(FRUITS, max_size=6), st.lists(st.integers(0, 25), max_size=3)),
    st.tuples(st.just("hide"), st.lists(st.integers(0, 25), max_size=4), st.none()),
    st.tuples(st.just("unhide"), st.lists(st.integers(0, 25), max_size=4), st.none()),
    st.tuples(st.just("filter"), st.text("abAeE ", max_size=3), st.none()),
    st.tuples(st.just("colours"), st.frozensets(st.sampled_from(("red", "green")), max_size=2), st.none()),
    st.tuples(st.just("sizes"), st.frozensets(st.just("big")), st.none()),
    st.tuples(st.just("sort"), st.integers(0, 1), st.booleans()),
)


class Plain:
    """A simple, slow implementation of the same model."""

    def __init__(self) -> None:
        self.fruits: dict[int, Fruit] = {}
        self.arrival: dict[int, int] = {}
        self.hidden: set[int] = set()
        self.words: list[str] = []
        self.chosen: dict[int, frozenset[str]] = {COLOUR: frozenset(), SIZE: frozenset()}
        self.order = (0, False)
        self.count = 0

    def passes(self, fruit: Fruit, besides: int = -1) -> bool:
        facets = all(
            not values or set(values) & set(fruit.values[facet])
            for facet, values in self.chosen.items()
            if facet != besides
        )
        return fruit.id not in self.hidden and facets and all(word in folded(fruit.name) for word in self.words)

    def rows(self) -> list[Fruit]:
        column, descending = self.order
        shown = [fruit for fruit in self.fruits.values() if self.passes(fruit)]
        return sorted(shown, key=lambda f: (f.size if column else f.name, self.arrival[f.id]), reverse=descending)


def apply(model: Fruits, plain: Plain, step: tuple[str, object, object]) -> None:
    match step:
        case "merge", list(fruits), list(gone):
            fruits = list({fruit.id: fruit for fruit in fruits}.values())
            gone = sorted(set(gone) - {fruit.id for fruit in fruits})
            model.merge(fruits, gone)
            for each in gone:
                plain.fruits.pop(each, None)
                plain.hidden.discard(each)
                plain.arrival.pop(each, None)
            for fruit in fruits:
                plain.count += fruit.id not in plain.fruits
                plain.arrival.setdefault(fruit.id, plain.count)
                plain.fruits[fruit.id] = fruit
        case "hide", list(ids), _:
            model.hide(ids)
            plain.hidden |= set(ids) & plain.fruits.keys()
        case "unhide", list(ids), _:
            model.unhide(ids)
            plain.hidden -= set(ids)
        case "filter", str(text), _:
            model.set_filter(text)
            plain.words = folded(text).split()
        case "colours" | "sizes" as name, frozenset(values), _:
            facet = COLOUR if name == "colours" else SIZE
            model.choose(facet, values)
            plain.chosen[facet] = values
        case "sort", int(column), bool(descending):
            model.sort(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
            plain.order = (column, descending)


@pytest.mark.parametrize("row_by_row", [0, 48])
def test_rows_counts_and_totals_match_the_simple_implementation(
    row_by_row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_rows, "ROW_BY_ROW", row_by_row)

    @given(st.lists(STEPS, max_size=14))
    def check(steps: list[tuple[str, object, object]]) -> None:
        model, plain = Fruits(), Plain()
        model.sort(0)
        for step in steps:
            apply(model, plain, step)
            rows = plain.rows()
            assert model.records == rows
            assert [model.row_of(fruit.id) for fruit in rows] == list(range(len(rows)))
            assert model.total == len(plain.fruits) - len(plain.hidden)
            for facet in (COLOUR, SIZE):
                passing = [each for each in plain.fruits.values() if plain.passes(each, besides=facet)]
                assert model.facet_counts(facet) == Counter(v for each in passing for v in each.values[facet])

    check()


@given(st.lists(STEPS, max_size=12))
def test_views_are_notified_of_every_row(steps: list[tuple[str, object, object]]) -> None:
    """A copy that only follows the signals has as many rows as the model."""
    model, plain = Fruits(), Plain()
    model.sort(0)
    count = [0]
    model.rowsInserted.connect(lambda _parent, first, last: count.__setitem__(0, count[0] + last - first + 1))
    model.rowsRemoved.connect(lambda _parent, first, last: count.__setitem__(0, count[0] - last + first - 1))
    model.layoutChanged.connect(lambda: count.__setitem__(0, model.rowCount()))
    for step in steps:
        apply(model, plain, step)
        assert count[0] == model.rowCount()


@pytest.fixture
def table(qtbot: QtBot) -> LongTable:
    model = Fruits()
    model.merge([Fruit(number, f"f{number:03}", "red", number % 5) for number in range(300)])
    made = LongTable(model, "Fruits", (100, 60), 0)
    made.enable_sorting(0, Qt.SortOrder.AscendingOrder)
    qtbot.addWidget(made)
    made.resize(300, 400)
    made.show()
    return made


def ids(table: LongTable) -> list[int]:
    return [fruit.id for fruit in table.selected]


def test_selecting_all_selects_only_the_existing_rows(table: LongTable) -> None:
    model = table._rows
    model.set_filter("f00")
    table.selectAll()
    assert ids(table) == list(range(10))
    model.set_filter("f01")
    assert ids(table) == []
    model.set_filter("f0")
    table.selectAll()
    model.set_filter("")
    assert ids(table) == list(range(100))


def test_the_selection_follows_its_records_through_sorting_and_updates(table: LongTable) -> None:
    model = table._rows
    table.select_keys([3, 4, 200])
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert sorted(ids(table)) == [3, 4, 200]
    model.merge([Fruit(number, f"new {number}", "blue", 9) for number in range(400, 500)], [4])
    assert sorted(ids(table)) == [3, 200]


def test_rows_added_above_do_not_move_the_visible_rows(table: LongTable) -> None:
    model = table._rows
    table.scrollTo(model.index(150, 0), table.ScrollHint.PositionAtTop)
    table.verticalScrollBar().setValue(table.verticalScrollBar().value() + 7)
    before = model.record_at(model.index(table.rowAt(0), 0))
    offset = table.rowViewportPosition(table.rowAt(0))
    model.merge([Fruit(500, "a first one", "red", 1)])
    model.merge([Fruit(number, f"a {number}", "red", 1) for number in range(600, 700)], [2, 3])
    assert model.record_at(model.index(table.rowAt(0), 0)) == before
    assert table.rowViewportPosition(table.rowAt(0)) == offset


def test_new_rows_are_visible_immediately_at_the_top(table: LongTable) -> None:
    table._rows.merge([Fruit(500, "a first one", "red", 1)])
    assert table._rows.index(table.rowAt(0), 0).data() == "a first one"


def test_small_updates_do_not_move_other_rows(table: LongTable) -> None:
    """One record changes in a filtered table. The layout stays, and one row is painted."""
    model = table._rows
    model.set_filter("f1")
    layouts: list[None] = []
    changed: list[tuple[int, int]] = []
    model.layoutChanged.connect(lambda: layouts.append(None))

    def note(first: QModelIndex, last: QModelIndex) -> None:
        changed.append((first.row(), last.row()))

    model.dataChanged.connect(note)
    model.merge([Fruit(105, "f105", "green", 0)])
    assert changed == [(5, 5)]
    model.merge([Fruit(7, "f007", "green", 0), Fruit(900, "another", "red", 0)])
    assert changed == [(5, 5)]
    assert model.rowCount() == 100
    assert layouts == []


@pytest.mark.parametrize(("typed", "found"), [("cafe", True), ("CAFÉ", True), ("straße", True), ("strasse", True)])
def test_case_and_accents_do_not_matter(typed: str, found: bool) -> None:
    model = Fruits()
    model.merge([Fruit(1, "Das Café in der Straße", "red", 1)])
    model.set_filter(typed)
    assert (model.rowCount() == 1) is found
