"""Tables: alignment, headers, spans, and layout tables that are taken apart."""

from __future__ import annotations

import json
import time

import pytest

from app.extract.tree import parse
from app.extract.writer import tables
from tests.extract.pages import FIXTURES, check_offsets, html_page, text_of


def table(rows: str) -> str:
    return text_of(f"<main><table>{rows}</table></main>")


def test_columns_are_aligned_under_a_rule() -> None:
    text = table("<thead><tr><th>Name<th>Size</thead><tbody><tr><td>smallint<td>2 bytes<tr><td>int<td>4</tbody>")
    assert text.splitlines() == [
        "| Name     | Size    |",
        "|----------|---------|",
        "| smallint | 2 bytes |",
        "| int      | 4       |",
    ]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        ("<tr><th>A<th>B<tr><td colspan=2>x", [["A", "B"], ["x", "x"]]),
        ("<tr><th>A<th>B<tr><td rowspan=2>x<td>1<tr><td>2", [["A", "B"], ["x", "1"], ["x", "2"]]),
        (
            "<tr><th>A<th>B<th>C<tr><td rowspan=2 colspan=2>x<td>1<tr><td>2",
            [["A", "B", "C"], ["x", "x", "1"], ["x", "x", "2"]],
        ),
        ("<tr><td>k<td>v<tr><td>l<td>w", [["", ""], ["k", "v"], ["l", "w"]]),
        ("<tr><td><b>A</b><td><b>B</b><tr><td>x<td>y", [["**A**", "**B**"], ["x", "y"]]),
        ("<tr><td><th>A<th>B<tr><th>k<td>1<td>2", [["", "A", "B"], ["k", "1", "2"]]),
        ("<tr><td><td><b>A</b><td><b>B</b><tr><td>k<td>1<td>2", [["", "**A**", "**B**"], ["k", "1", "2"]]),
        ("<tr><th>k<td>v<tr><th>l<td>w", [["", ""], ["k", "v"], ["l", "w"]]),
        ("<tr><th>A<th>B<tr><td>only one<tr><td>x<td>y", [["A", "B"], ["only one", ""], ["x", "y"]]),
        (
            "<thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>x<th>y</thead><tr><td>1<td>2<td>3",
            [["A", "B / x", "B / y"], ["1", "2", "3"]],
        ),
        ("<tr><th>A<th>B<tr><td rowspan=99999>x<td colspan=abc>y", [["A", "B"], ["x", "y"]]),
        ("<tr><th>A<th>B<tr><td>a | b<td><code>c|d</code>", [["A", "B"], [r"a \| b", r"`c\|d`"]]),
        ("<tr><th>A<th>B<tr><td><p>p</p><p>q</p><td><ul><li>r<li>s</ul>", [["A", "B"], ["p q", "• r • s"]]),
        ("<tr><th>A<th>B<tr><td>1<br>2<td><span class=math>\\(x\\)</span>", [["A", "B"], ["1 2", "$x$"]]),
    ],
)
def test_cells(rows: str, cells: list[list[str]]) -> None:
    lines = table(rows).splitlines()
    found = [[cell.strip() for cell in line.replace(r"\|", "\0").strip("|").split("|")] for line in lines]
    assert [[cell.replace("\0", r"\|") for cell in row] for row in found[:1] + found[2:]] == cells


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (
            "<tr><th>Plan<th>Seats<th>Region<tr><td>Basic<td>1<td rowspan=2>EU<tr><td>Team<tr><td>Big<td>50",
            [["Plan", "Seats", "Region"], ["Basic", "1", "EU"], ["Team", "", "EU"], ["Big", "50", ""]],
        ),
        (
            "<tbody><tr><td rowspan=4>Red<td>Ann<tr><td>Bob</tbody><tbody><tr><td>Blue<td>Cid<tr><td>Green<td>Dan</tbody>",
            [["", ""], ["Red", "Ann"], ["Red", "Bob"], ["Blue", "Cid"], ["Green", "Dan"]],
        ),
        ("<tr><th>k<th>v<tr><td>a<td rowspan=2>b<tr></tr><tr><td>c", [["k", "v"], ["a", "b"], ["c", ""]]),
        (
            "<thead><tr><th rowspan=3>Size<th>Price</thead><tbody><tr><td>small<td>10</tbody>",
            [["Size", "Price"], ["small", "10"]],
        ),
        (
            "<tbody><tr><th>A<th>B<tr><td rowspan=0>All<td>x<tr><td>y</tbody><tbody><tr><td>Next<td>z</tbody>",
            [["A", "B"], ["All", "x"], ["All", "y"], ["Next", "z"]],
        ),
        ("<tr><th>a<th>b<tr><td colspan=1000>note<tr><td>1<td>2", [["a", "b"], ["note", "note"], ["1", "2"]]),
        ("<tr><th>a<th>b<tr><td>x<td rowspan=2>y<tr><td colspan=2>z", [["a", "b"], ["x", "y"], ["z", "z"]]),
        ("<tr><th>a<th>b<tr><td rowspan=2>x<tr><td>y", [["a", "b"], ["x", "y"]]),
        (
            "<thead><tr><th>Item<th>Cost</thead><tfoot><tr><td>Total<td>30</tfoot><tbody><tr><td>Oil<td>30</tbody>",
            [["Item", "Cost"], ["Oil", "30"], ["Total", "30"]],
        ),
        ("<tr><th rowspan=2>A<th rowspan=2>B<tr></tr><tr><td>1<td>2", [["A", "B"], ["1", "2"]]),
        ("<tr><th>A<th>B<tr><td rowspan=' +2px'>x<td>y<tr><td>z", [["A", "B"], ["x", "y"], ["x", "z"]]),
    ],
)
def test_spans_end_where_a_browser_ends_them(rows: str, cells: list[list[str]]) -> None:
    lines = table(rows).splitlines()
    del lines[1]
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines] == cells


def test_generated_tables_are_laid_out_as_in_chromium() -> None:
    """Created by `bench/tables.py --tables 60 --write tests/extract/fixtures/tables.jsonl`."""
    for line in (FIXTURES / "tables.jsonl").read_text("utf-8").splitlines():
        markup, shown = json.loads(line)
        cells = tables.grid(parse(markup).find(".//table"))
        assert [["" if cell is None else cell.text_content() for cell in row] for row in cells or []] == shown, markup


def test_a_table_of_too_many_cells_keeps_its_text_as_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_CELLS", 5)
    text = table("<tr><th>A<th>B<tr><td rowspan=3>x<td>y<tr><td>z<tr><td>last")
    assert "|" not in text
    assert text.split() == ["A", "B", "x", "y", "z", "last"]


def test_repeated_spanning_cells_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_REPEATED_CHARS", 4)
    lines = table("<tr><th>A<th>B<tr><td rowspan=4>xyz<td>1<tr><td>2<tr><td>3<tr><td>4").splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["xyz", "xyz", "", ""]


@pytest.mark.parametrize("cell", ["<td rowspan=65534 colspan=1000>x", "<tr><td colspan=1000>x<td rowspan=65534>y"])
def test_many_large_spans_take_no_longer_than_their_markup(cell: str) -> None:
    started = time.process_time()
    text = table("<tr>" + cell * 3_000)
    assert "x" in text
    assert time.process_time() - started < 10


def test_long_cells_do_not_widen_the_others() -> None:
    lines = table(f"<tr><th>A<th>B<tr><td>{'word ' * 60}<td>x<tr><td>y<td>z").splitlines()
    assert lines[-1] == "| y   | z   |"


def test_links_and_images_of_cells_keep_their_place() -> None:
    page = html_page(
        "<main><table><caption>Ports</caption><tr><th><a href='/h'>Head</a><th>x"
        "<tr><td colspan=2><a href='/a'>a</a> and <a href='/b'>b|c</a><img src='/i.png' alt='i'></table></main>"
    )
    assert page.text.startswith("Ports\n\n| Head")
    assert [link.text for link in page.links] == ["Head", "a", r"b\|c"]
    check_offsets(page)
    assert page.text[page.images[0].position - 4 : page.images[0].position] == r"b\|c"


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><td><h2>One</h2><p>text</p><td><p>two</p>",
        "<tr><td><pre>a\nb</pre><td>two",
        f"<tr><td><p>{'long text ' * 80}</p><td>two",
    ],
)
def test_layout_tables_become_blocks(rows: str) -> None:
    text = table(rows)
    assert "|" not in text
    assert "two" in text


def test_nested_tables_keep_the_inner_one() -> None:
    text = table("<tr><td>side<td><table><tr><th>A<th>B<tr><td>1<td>2</table>")
    assert text == "side\n\n| A   | B   |\n|-----|-----|\n| 1   | 2   |"


def test_a_table_of_one_column_is_a_list_of_its_lines() -> None:
    text = table("<tr><th>Function<p>Example</p><tr><td><p>abs(x)</p><p>Absolute value</p><tr><td>sign(x)")
    assert text == "- Function\n  Example\n- abs(x)\n  Absolute value\n- sign(x)"


def test_the_caption_of_a_list_is_written_before_it() -> None:
    assert text_of("<main><table><caption>Rates<tr><th>a<tr><td>1</table></main>") == "Rates\n\n- a\n- 1"


def test_presentation_tables_are_taken_apart() -> None:
    assert text_of("<main><table role=presentation><tr><td>a<td>b</table></main>") == "a b"


def test_a_text_spanning_a_row_is_written_once() -> None:
    long = "a description that is longer than any cell that is padded"
    lines = table(f"<tr><th>A<th>B<tr><td>x<td>y<tr><td colspan=2>{long}").splitlines()
    assert lines[-1].count("|") == 3
    assert lines[-1].count(long) == 1


def test_images_of_cells_are_noted_also_without_a_label() -> None:
    page = html_page(
        "<main><p>Before</p><table><tr><th>A<th>B<tr><td><img src=/1.png alt=one><td><img src=/2.png><tr><td>x<td>y</table>"
    )
    assert [(image.url[-5:], image.position) for image in page.images] == [
        ("2.png", 6),
        ("1.png", page.text.index("one")),
    ]
    assert page.text.splitlines()[4] == "| one |     |"
    assert page.text.splitlines()[-1] == "| x   | y   |"


BY_ROLE = (
    "<div role=table><div role=rowgroup><div role=row><b role=columnheader>A</b><b role=columnheader>B</b></div></div>"
    "<div role=rowgroup><div role=row><span role=cell>1</span><span role=cell>2</span></div></div></div>"
)
BY_CLASS = (
    "<div class=summary-table><div class='table-header col-first'>A</div><div class='table-header col-last'>B</div>"
    "<div class='col-first even-row-color'>1</div><div class='col-last even-row-color'>2</div></div>"
)


@pytest.mark.parametrize("markup", [BY_ROLE, BY_CLASS])
def test_tables_made_of_other_elements(markup: str) -> None:
    assert text_of(f"<main>{markup}</main>") == "| A   | B   |\n|-----|-----|\n| 1   | 2   |"


def test_callouts_keep_their_explanations() -> None:
    text = text_of(
        "<main><table class=calloutlist><tr><td><a href='#c'><img src='images/1.png' alt='1'></a>"
        f"<td><p>{'word ' * 200}</p></table></main>"
    )
    assert text.splitlines()[2].startswith("| (1) | word word")


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (
            "<thead><tr><th>A<th>B</thead><tr><th colspan=2>Part<tr><td>1<td>2",
            [["A", "B"], ["Part", "Part"], ["1", "2"]],
        ),
        ("<tr><th>A<th>B<tr><th colspan=2>Part<tr><td>1<td>2", [["A", "B"], ["Part", "Part"], ["1", "2"]]),
        ("<thead><tr><th>A<th>B</thead><tr><th>k<th>l<tr><td>1<td>2", [["A", "B"], ["k", "l"], ["1", "2"]]),
        ("<thead><tr><th colspan=2>T</thead><tr><th>A<th>B<tr><td>1<td>2", [["T / A", "T / B"], ["1", "2"]]),
        (
            "<thead><th>A</th><th>B</th></thead><tbody><td>1</td><td>2</td></tr><tr><td>3<td>4",
            [["A", "B"], ["1", "2"], ["3", "4"]],
        ),
        ("<td>1</td><td>2</td><tr><td>3<td>4", [["", ""], ["1", "2"], ["3", "4"]]),
        ("<tr><form><td>1</td><td>2</td></form></tr><tr><td>3<td>4", [["", ""], ["1", "2"], ["3", "4"]]),
        (
            "<thead><tr><th><button>A <svg><path></svg></button><th><button>B</button></thead><tr><td>1<td>2",
            [["A", "B"], ["1", "2"]],
        ),
        (
            "<tr><th>A<th>B<tr><td><button><i></i><span>No</span></button><td>x <button>Copy</button>",
            [["A", "B"], ["No", "x"]],
        ),
        ("<tr><th>A<th>B<tr><td>x<td><ol><li>r<li>s</ol>", [["A", "B"], ["x", "1. r 2. s"]]),
    ],
)
def test_cells_and_headers_of_irregular_tables(rows: str, cells: list[list[str]]) -> None:
    lines = table(rows).splitlines()
    assert [
        [cell.strip() for cell in line.split(" | ")]
        for line in [line.strip("| ") or " | " for line in (lines[0], *lines[2:])]
    ] == cells


def test_text_between_the_rows_precedes_the_table() -> None:
    rows = "Stray <b>text</b><tr><td>a<td>b</tr><p>More <a href=/x>words</a></p><tr>odd<td>c<td>d</tr>"
    page = html_page(f"<main><p>Before</p><table>{rows}</table><p>After</p></main>")
    assert page.text.split("\n\n")[:3] == ["Before", "Stray **text**", "More words"]
    assert page.text.splitlines()[-1] == "After"
    assert page.text.index("odd") < page.text.index("| a   | b   |\n| c   | d   |")
    check_offsets(page)
