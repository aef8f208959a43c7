"""Tables: aligned, headers, spans, layout tables taken apart."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page, text_of


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


def test_presentation_tables_are_taken_apart() -> None:
    assert text_of("<main><table role=presentation><tr><td>a<td>b</table></main>") == "a b"


def test_a_text_that_has_a_whole_row_is_written_once() -> None:
    long = "a description that is longer than any cell that is padded"
    lines = table(f"<tr><th>A<th>B<tr><td>x<td>y<tr><td colspan=2>{long}").splitlines()
    assert lines[-1].count("|") == 3
    assert lines[-1].count(long) == 1


def test_images_of_cells_without_text_are_noted() -> None:
    page = html_page(
        "<main><p>Before</p><table><tr><th>A<th>B<tr><td><img src=/1.png alt=one><td><img src=/2.png><tr><td>x<td>y</table>"
    )
    assert [(image.url[-5:], image.position) for image in page.images] == [("1.png", 6), ("2.png", 6)]
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


def test_callouts_stand_beside_their_explanation() -> None:
    text = text_of(
        "<main><table class=calloutlist><tr><td><a href='#c'><img src='images/1.png' alt='1'></a>"
        f"<td><p>{'word ' * 200}</p></table></main>"
    )
    assert text.splitlines()[2].startswith("| (1) | word word")
