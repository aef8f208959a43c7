"""PDF files: columns, tables with grid lines, forms, and words broken at line ends."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from app.extract import extract
from app.extract.pdf.document import read_contents
from tests.extract.pdf_maker import Field, Rule, Text, column, grid, make_pdf

LEFT = """Left column begins and the workshop
keeps a careful ledger of every lamp
that leaves the bench, with the date
and the wick that was used for it, so
that nobody asks twice about a burn-"""
MIDDLE = """ing lamp in the middle of the page,
where other words are printed for
the reader, who goes on with them as
if nothing else was beside them, and
ends at the foot of this column with"""
RIGHT = """the words of the right column, where
the text goes on until it has said
all that there is to say about lamps
and about the oil that they burn, at
the end of the page, or before it."""


def text_of(body: bytes) -> str:
    return extract(body, url="https://h.example/a.pdf", content_type="application/pdf", charset=None).text


def by_row(*columns: list[Text]) -> list[Text]:
    """Return the lines of columns in the order of their rows."""
    return [line for row in zip_longest(*columns) for line in row if line is not None]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_two_columns_that_were_drawn_row_by_row_are_read_column_by_column() -> None:
    body = make_pdf([by_row(column(LEFT, x=60), column(MIDDLE, x=320))])
    assert flat(text_of(body)) == flat(f"{LEFT}\n{MIDDLE}").replace("burn- ing", "burning")


def test_three_columns_too() -> None:
    lines = by_row(column(LEFT, x=40), column(MIDDLE, x=230), column(RIGHT, x=420))
    assert flat(text_of(make_pdf([lines]))) == flat(f"{LEFT}\n{MIDDLE}\n{RIGHT}").replace("burn- ing", "burning")


def test_columns_with_different_line_heights_are_found() -> None:
    body = make_pdf([by_row(column(LEFT, x=60), column(MIDDLE, x=320, top=698))])
    assert flat(text_of(body)) == flat(f"{LEFT}\n{MIDDLE}").replace("burn- ing", "burning")


def test_a_heading_over_both_columns_parts_them() -> None:
    lines = [
        Text("A heading as wide as both of the columns that are below it on this page of the paper", 60, 740),
        *by_row(column(LEFT, x=60), column(MIDDLE, x=320)),
        Text("Another heading as wide as both of the columns that are below it on this page of it", 60, 620),
        *by_row(column(RIGHT, x=60, top=590), column(RIGHT.replace("right", "last"), x=320, top=590)),
    ]
    text = flat(text_of(make_pdf([lines])))
    places = [
        text.index(words)
        for words in ("A heading", "Left", "ing lamp", "Another", "the right column", "the last column")
    ]
    assert places == sorted(places)


def test_rows_of_a_table_without_lines_stay_rows() -> None:
    rows = [
        ("Aurora", "Paraffin of the best quality"),
        ("Borealis", "Rapeseed"),
        ("Cygnus", "Tallow"),
        ("Draco", "Whale oil"),
    ] * 2
    lines = by_row(
        [Text(name, 60, 700 - 12 * row) for row, (name, _) in enumerate(rows)],
        [Text(oil, 320, 700 - 12 * row) for row, (_, oil) in enumerate(rows)],
    )
    text = text_of(make_pdf([lines]))
    assert all(f"| {name.ljust(8)} | {oil}" in text for name, oil in rows)


def test_text_below_a_table_without_lines_is_kept_and_its_last_cell_goes_on() -> None:
    names = [Text(name, 60, 700 - 12 * row) for row, name in enumerate(("Aurora", "Borealis", "Cygnus", "Draco"))]
    oils = [Text(oil, 320, 700 - 12 * row) for row, oil in enumerate(("Paraffin", "Rapeseed", "Tallow", "Oil of"))]
    lines = [*by_row(names, oils), Text("whales", 320, 652), Text("Details", 60, 630), Text("The lamps burn.", 60, 612)]
    text = text_of(make_pdf([lines]))

    assert "| Draco    | Oil of whales |" in text
    assert text.index("whales") < text.index("Details") < text.index("The lamps burn.")
    assert "| Details" not in text


def test_a_table_of_contents_keeps_its_numbers() -> None:
    rows = [f"{number} A chapter about the lamps of the town {'. ' * 30}" for number in range(1, 9)]
    lines = by_row(
        [Text(row, 60, 700 - 12 * place) for place, row in enumerate(rows)],
        [Text(str(11 * place), 520, 700 - 12 * place) for place in range(8)],
    )
    text = text_of(make_pdf([lines]))
    assert "3 A chapter about the lamps of the town … 22" in text


def test_a_table_with_grid_lines_is_a_table_and_keeps_empty_cells() -> None:
    rows = [
        ["Model", "Oil", "Hours"],
        ["Aurora", "Paraffin", "11"],
        ["Borealis", "", "9"],
        ["Cygnus", "Rape | seed", "7"],
    ]
    lines = [*column("Text before the table."), *grid(rows, x=72, top=690), *column("After the table 807.", top=606)]
    before, table, after = text_of(make_pdf([lines])).split("\n\n")
    assert (before, after) == ("Text before the table.", "After the table 807.")
    assert table.split("\n") == [
        "| Model    | Oil          | Hours |",
        "|----------|--------------|-------|",
        "| Aurora   | Paraffin     | 11    |",
        "| Borealis |              | 9     |",
        "| Cygnus   | Rape \\| seed | 7     |",
    ]


def test_a_table_is_read_on_turned_pages_and_without_outer_lines() -> None:
    rows = [["Model", "Oil"], ["Aurora", ""], ["Borealis", "Tallow"]]
    lines = grid(rows, x=72, top=690)
    inner = [line for line in lines if isinstance(line, Text) or not (line.x == line.to_x and line.x in (72, 232))]
    assert text_of(make_pdf([inner])).count("|") == 12
    turned = [
        Text(line.text, 792 - line.y, line.x, is_upward=True)
        if isinstance(line, Text)
        else Rule(792 - line.y, line.x, 792 - line.to_y, line.to_x)
        for line in lines
    ]
    assert text_of(make_pdf([turned], turned=90, is_wide=True)) == text_of(make_pdf([lines]))


def test_a_cell_over_two_rows_is_in_both() -> None:
    lines = [
        line
        for line in grid(
            [["Model", "Oil"], ["Aurora", "Paraffin"], ["", "Tallow"], ["Cygnus", "Rapeseed"]], x=72, top=690
        )
        if not (isinstance(line, Rule) and line.y == line.to_y == 654)
    ]
    lines.append(Rule(152, 654, 232, 654))
    assert "| Aurora | Tallow   |" in text_of(make_pdf([lines]))


def test_a_cell_of_several_lines_is_one() -> None:
    lines = [*grid([["Model", "Remark"], ["Aurora", "Burns"], ["Borealis", "Dark"]], x=72, top=690, height=40)]
    text = text_of(make_pdf([[*lines, Text("all night", 156, 622)]]))
    assert "| Aurora   | Burns all night |" in text


def test_frames_and_chart_lines_are_not_tables() -> None:
    frame = [Rule(60, 720, 500, 720), Rule(60, 600, 500, 600), Rule(60, 600, 60, 720), Rule(500, 600, 500, 720)]
    chart = [Rule(60 + 40 * step, 300, 60 + 40 * step, 500) for step in range(9)]
    chart += [Rule(60, 300 + 40 * step, 380, 300 + 40 * step) for step in range(6)]
    text = text_of(
        make_pdf(
            [[*column("Words in a frame."), *frame, *chart, Text("Hours of light", 100, 400), Text("10", 40, 300)]]
        )
    )
    assert "|" not in text
    assert "Hours of light" in text


def test_drawings_with_many_lines_are_text() -> None:
    lines = [Rule(step, 100, step, 700) for step in range(50, 550, 4)] + [
        Rule(50, step, 550, step) for step in range(100, 700, 2)
    ]
    assert "some words" in text_of(make_pdf([[*column("some words here"), *lines]]))


@pytest.mark.parametrize("far", [3e30, -1e38, 1e39])
def test_drawings_far_outside_the_page_are_ignored(far: float) -> None:
    lines = [
        Text("near", 60, 700),
        Text("beside", 120, 700),
        Text("far", far, 600),
        Rule(far, 0, far, 10),
        Rule(0, far, 9, far),
    ]
    assert "near beside" in text_of(make_pdf([lines, column("other words")]))


def test_form_values_are_next_to_their_labels() -> None:
    lines = [
        Text("Name of the lamp:", 60, 700),
        Text("Approved", 90, 650),
        Text("Refused", 190, 650),
        Text("Remarks", 60, 600),
    ]
    fields = [
        Field(200, 695, 400, 715, "Aurora 806"),
        Field(70, 648, 82, 660, is_checked=True),
        Field(170, 648, 182, 660, is_checked=False),
        Field(60, 560, 400, 590, "Burns all\nnight"),
        Field(60, 400, 400, 420, "Miller", name="Signed by"),
        Field(60, 300, 400, 320),
    ]
    text = text_of(make_pdf([lines], fields=[(0, field) for field in fields]))
    assert text.split("\n\n") == [
        "Name of the lamp: Aurora 806",
        "[x] Approved [ ] Refused",
        "Remarks",
        "Burns all night",
        "Signed by: Miller",
    ]


def test_text_typed_on_a_page_is_read() -> None:
    typed = [
        Field(200, 695, 400, 715, "Aurora 806", kind="FreeText"),
        Field(60, 400, 400, 420, "Paid on\nMonday", kind="FreeText"),
        Field(60, 300, 400, 320, "secret", kind="FreeText", flags=2),
        Field(60, 200, 400, 220, "a note", kind="Text"),
    ]
    body = make_pdf([[Text("Name of the lamp:", 60, 700)]], fields=[(0, field) for field in typed])
    assert text_of(body) == "Name of the lamp: Aurora 806\n\nPaid on Monday"


def test_remarks_on_running_text_follow_the_page() -> None:
    lines = column(
        "The first line of the text goes on here and fills it,\nthe second goes on as well until the text is over."
    )
    remarks = [
        Field(400, 690, 500, 712, "Look here!", kind="FreeText"),
        Field(5, 685, 60, 705, "Why?", kind="FreeText"),
    ]
    page = extract(
        make_pdf([lines], fields=[(0, field) for field in remarks]),
        url="https://h.example/a.pdf",
        content_type="application/pdf",
        charset=None,
    )
    assert page.text.replace("it,\nthe", "it, the").split("\n\n") == [
        " ".join(line.text for line in lines),
        "Look here!",
        "Why?",
    ]
    assert page.title == "a.pdf"


def test_a_form_without_text_is_read() -> None:
    assert (
        text_of(make_pdf([[]], fields=[(0, Field(60, 400, 400, 420, "Miller", name="Signed by"))]))
        == "Signed by: Miller"
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("The lamp is well-\nknown in the town.", "The lamp is well-known in the town."),
        ("A state-of-\nthe-art burner.", "A state-of-the-art burner."),
        ("A state-\nof-the-art burner.", "A state-of-the-art burner."),
        ("An up-\nto-date ledger.", "An up-to-date ledger."),
        ("The tempera-\nture is high.", "The temperature is high."),
        ("A long-term plan is a long-\nterm plan.", "A long-term plan is a long-term plan."),
        ("An UTF-\nencoded text, a USB-\nbased lamp.", "An UTF-encoded text, a USB-based lamp."),
        ("See https://h.example/very-\nlong/path here.", "See https://h.example/very-long/path here."),
        ("See www.my-\nlamps.example here.", "See www.my-lamps.example here."),
        ("Write to first-\nlast@h.example today.", "Write to first-last@h.example today."),
        ("Read install-\nguide.pdf first.", "Read install-guide.pdf first."),
        ("The next sen\xad\ntence ends.", "The next sentence ends."),
        ("The well-\nness of self-\nish people.", "The wellness of selfish people."),
        ("Use the option --long-\noption for UTF-\n8 text.", "Use the option --long-option for UTF-8 text."),
        ("Set light_yel-\nlow today.", "Set light_yellow today."),
        ("Alle Ein-\nund Ausgaben.", "Alle Ein- und Ausgaben."),
        ("The pre-\nand postwar years.", "The pre- and postwar years."),
        ("Ten thousand and ten thous-\nand lamps.", "Ten thousand and ten thousand lamps."),
    ],
)
def test_hyphens_at_line_ends(lines: str, expected: str) -> None:
    assert flat(text_of(make_pdf([column(lines)]))) == expected


def test_accents_over_letters_belong_to_them_in_tables_too() -> None:
    rows = [["Model", "Bonus"], ["Aurora", ""], ["Borealis", "10"]]
    drawn = [*grid(rows, x=72, top=690), Text("\xa8", 157.1, 659), Text("armer", 156, 659)]
    assert "| Aurora   | ärmer |" in text_of(make_pdf([[*column("Text before."), *drawn]]))


def cells_at(rows: list[list[str]], *, x: float = 72, step: float = 110) -> list[Text]:
    """Return the cells of rows without grid lines."""
    return [
        Text(text, x + step * place, 700 - 14 * number)
        for number, row in enumerate(rows)
        for place, text in enumerate(row)
        if text
    ]


def test_a_table_without_grid_lines_keeps_its_empty_cells() -> None:
    rows = [["Name", "Watt", "Lumen"], ["Storm", "5", "400"], ["Desk lamp", "", "650"], ["Flood", "20", "2000"]]
    above = column("A paragraph about the lamps that are listed in the table below it.", top=740)
    below = column("A paragraph below the table about what to do with the lamps in it.", top=620)
    text = text_of(make_pdf([[*above, *cells_at(rows), *below]]))
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n") if "|" in line]
    assert [row for row in shown if not row[0].startswith("-")] == rows
    assert text.startswith("A paragraph about")
    assert text.endswith("with the lamps in it.")


def test_a_cell_of_several_lines_in_a_table_without_grid_lines_is_one() -> None:
    rows = [
        ["Option", "Meaning"],
        ["color", "the color of the light and"],
        ["", "of the lamp"],
        ["oil", "the kind of oil"],
    ]
    text = text_of(make_pdf([cells_at(rows)]))
    assert "| color  | the color of the light and of the lamp |" in text


@pytest.mark.parametrize(
    "rows",
    [
        [["1.", "First point of the list"], ["2.", "Second point of the list"], ["3.", "Third point of the list"]],
        [["Left", "right"], ["only two", "rows"]],
        [["1 Introduction . . . . . . . . .", "3"], ["2 Lamps . . . . . . . . . .", "5"], ["3 Oil . . . . . . . . . . .", "9"]],
        [
            ["A line of text that fills its column", "and goes on here"],
            ["Next to it are other lines that do", "the same"],
            ["So that nobody takes it for cells", "of a table"],
        ],
    ],
)  # fmt: skip
def test_lists_contents_and_text_are_no_tables(rows: list[list[str]]) -> None:
    assert "|" not in text_of(make_pdf([cells_at(rows, step=240)]))


def test_text_outside_the_visible_part_of_a_page_is_left_out() -> None:
    lines = [
        Text("The lamp burns all night.", 100, 400),
        Text("4TH PASS PAGES", 100, 90),
        Text("hidden", 10, 400),
        Text("beyond", 560, 400),
        Text("above", 100, 760),
        Text("partly", 490, 300),
    ]
    typed = [
        (0, Field(10, 395, 60, 415, "typed outside", kind="FreeText")),
        (0, Field(120, 200, 300, 220, "typed inside", kind="FreeText")),
    ]
    body = make_pdf([lines], fields=typed, visible="90 110 512 700")
    assert text_of(body) == "The lamp burns all night.\n\npartly\n\ntyped inside"


@pytest.mark.parametrize("turned", [0, 90])
def test_a_visible_part_outside_the_page_is_ignored(turned: int) -> None:
    body = make_pdf([column("All of this can be seen.")], visible="2000 2000 3000 3000", turned=turned)
    assert text_of(body) == "All of this can be seen."


def test_a_line_that_runs_into_the_visible_part_is_kept() -> None:
    stamp = Text("Stamp of the archive, upward in the margin", 20, -30, is_upward=True)
    assert "Stamp of the archive" in text_of(make_pdf([[stamp, *column("The lamp burns.\nIts oil costs nine pence.")]]))


def test_a_word_broken_between_two_columns_does_not_turn_the_page() -> None:
    body = make_pdf([[Text("The lamp at the foot burns bro-", 60, 100), Text("ken oil at the head.", 330, 700)]])
    (page,) = read_contents(body, "a.pdf").pages
    assert (page.width, page.height) == (612, 792)


def test_lines_of_a_column_below_wide_lines_are_one_paragraph() -> None:
    words = "The keeper fills the lamp with oil at dusk and trims"
    wide = [
        Text("A report about the lamps of the harbor and all their keepers, with tables of oil", 62, 720 - 14 * row)
        for row in range(2)
    ]
    left = [Text(f"{words} {row}", 54, 640 - 12 * row) for row in range(12)]
    right = [Text(f"{words} {row}", 330, 640 - 12 * row) for row in range(12, 24)]
    text = text_of(make_pdf([[*wide, *left, *right]]))
    assert " ".join(f"{words} {row}" for row in range(12)) in text


def test_short_lines_below_wide_ones_stay_a_list() -> None:
    wide = [
        Text(
            "Pancakes from the old mill, which everybody likes and which are quick to make for many.",
            72,
            700 - 12 * row,
        )
        for row in range(5)
    ]
    items = ["200 g flour", "2 eggs", "1 l milk", "a pinch of salt", "oil for the pan"]
    listed = [Text(item, 130, 630 - 12 * row) for row, item in enumerate(items)]
    assert "\n".join(items) in text_of(make_pdf([[*wide, *listed]]))


def test_names_with_inner_capitals_are_whole() -> None:
    text = text_of(
        make_pdf([[*column("JavaScript runs on the lamp. The Java-\nScript of the lamp. In Baden-\nBaden too.")]])
    )
    assert text.count("JavaScript") == 2
    assert "Baden-Baden" in text
