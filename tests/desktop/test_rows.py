"""Filtering and sorting of every table."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, Qt

from app.desktop.models.rows import Column, RowsModel


@dataclass(frozen=True)
class Fruit:
    id: int
    name: str


class Fruits(RowsModel[Fruit]):
    def __init__(self) -> None:
        super().__init__(
            [Column("Name", lambda f: f.name, lambda f: f.name), Column("Id", lambda f: str(f.id), lambda f: f.id)]
        )

    def haystack(self, record: Fruit) -> str:
        return record.name.casefold()


def names(model: Fruits) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@given(st.lists(st.text("abc ", max_size=6), max_size=30), st.text("abcA ", max_size=5), st.booleans())
def test_rows_are_filtered_by_every_word_and_sorted(texts: list[str], needle: str, descending: bool) -> None:
    model = Fruits()
    model.replace(Fruit(number, text) for number, text in enumerate(texts))
    model.sort(0, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
    model.set_filter(needle)
    wanted = [text for text in texts if all(word in text for word in needle.casefold().split())]
    assert names(model) == sorted(wanted, reverse=descending)


def test_the_selection_follows_its_record_through_sorting_filtering_and_updates() -> None:
    model = Fruits()
    model.replace([Fruit(1, "pear"), Fruit(2, "apple"), Fruit(3, "plum")])
    selection = QItemSelectionModel(model)
    selection.select(
        model.index(0, 0), QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    )
    kept = QPersistentModelIndex(model.index(0, 0))
    model.sort(0)
    model.set_filter("p")
    model.merge([Fruit(1, "pear, ripe"), Fruit(4, "aprikot")], removed=[2])
    assert kept.isValid()
    assert kept.data() == "pear, ripe"
    assert [index.data() for index in selection.selectedRows()] == ["pear, ripe"]


def test_the_selection_ends_with_its_record() -> None:
    model = Fruits()
    model.replace([Fruit(1, "pear"), Fruit(2, "apple")])
    kept = QPersistentModelIndex(model.index(0, 0))
    model.merge((), removed=[1])
    assert not kept.isValid()
    assert names(model) == ["apple"]


def test_the_sorted_column_has_an_arrow_in_its_heading() -> None:
    model = Fruits()
    model.sort(1, Qt.SortOrder.DescendingOrder)
    headings = [model.headerData(column, Qt.Orientation.Horizontal) for column in (0, 1)]
    assert headings == ["Name", "Id  ↓"]
