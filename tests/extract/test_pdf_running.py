"""Running headers and footers of PDF files are removed; everything else remains."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import pytest

from app.extract import extract
from tests.extract.pdf_maker import Text, column, make_pdf

BODY = "{} begins this page, which goes\non for a line and for another one until it\nis full of words that say nothing."
NAMES = ["Salt", "Flour", "Water", "Rye", "Yeast", "Malt", "Bran", "Spelt", "Oats", "Corn", "Rice", "Milk"]


def text_of(pages: Iterable[list[Text]]) -> str:
    body = make_pdf([*pages])
    return extract(body, url="https://h.example/a.pdf", content_type="application/pdf", charset=None).text


def book(*lines: Callable[[int], Text | None], pages: int = 8, top: float = 700) -> list[list[Text]]:
    """Return pages with a body; `lines` returns the lines at the edges of each page (from 1)."""
    made = []
    for number in range(1, pages + 1):
        edges = [line for make in lines if (line := make(number)) is not None]
        made.append([*edges, *column(BODY.format(NAMES[number % len(NAMES)]), top=top)])
    return made


def header(text: str, number: int = 0, *, x: float = 72, y: float = 760, size: float = 10) -> Text:
    return Text(text.format(number, number + 1000, number * 111), x, y, size)


def footer(text: str, number: int = 0, *, x: float = 280) -> Text:
    return header(text, number, x=x, y=30)


ROMAN = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]


@pytest.mark.parametrize(
    "line",
    [
        lambda number: header("The Baker's Handbook"),
        lambda number: header("The Baker's Handbook {}", number),
        lambda number: header("{} The Baker's Handbook", number),
        lambda number: header("The Baker's Handbook | {}", number),
        lambda number: footer("{}", number),
        lambda number: footer("- {} -", number),
        lambda number: footer("{1}", number),
        lambda number: footer("Page {} of 8", number),
        lambda number: footer("Seite {} von 8", number),
        lambda number: footer("{} / 8", number),
        lambda number: footer(ROMAN[number]),
        lambda number: footer("Printed on 3 March 2024"),
        lambda number: footer("Printed on 2024-03-05, page {}", number),
        lambda number: footer("2-{}", number),
        lambda number: footer("lamps.tex - 2024/3/5 - page {0} - #{0}", number),
        lambda number: footer("5.3.2024 {} / 8", number),
        lambda number: footer(f"[{ROMAN[number]}]"),
        lambda number: header("Chapter {}: Bread", number // 3),
        lambda number: header("{}", number, x=72) if number % 2 else header("{}", number, x=500),
        lambda number: header("Bread for All", x=72) if number % 2 else header("The Baker's Handbook", x=400),
    ],
)
def test_repeated_lines_at_the_edge_are_removed(line: Callable[[int], Text]) -> None:
    text = text_of(book(line))
    assert [part.partition(" ")[0] for part in text.split("\n\n")] == NAMES[1:9]


@pytest.mark.parametrize(
    "line",
    [
        lambda number: header("Invoice 2024-{1}", number, size=18),
        lambda number: header("Invoice", size=18),
        lambda number: header("Invoice {1}", number),
        lambda number: header("Date: {} March 2024", number),
        lambda number: footer("Pay within 14 days to account {2}.", number),
        lambda number: footer("{2}", number),
        lambda number: footer("Total {2}", number),
        lambda number: header("Exercise {}", number),
        lambda number: header("{}. Exercise of the week", number),
        lambda number: header("Invoice 2024/{1}", number),
        lambda number: header("Lamp workshop, invoice {1}", number),
        lambda number: header("2024-03-0{}", number),
        lambda number: header("Page {} begins here.", number),
        lambda number: footer("0{}.03.2024", number),
    ],
)
def test_data_at_the_edge_stays(line: Callable[[int], Text]) -> None:
    text = text_of(book(line))
    for number in range(1, 9):
        assert line(number).text in text


@pytest.mark.parametrize(
    "sentence", ["In 1984 the whole workshop burned down.", "I saw the fire from the bridge.", "c", "x"]
)
def test_a_single_line_in_the_header_row_is_kept(sentence: str) -> None:
    text = text_of(book(lambda number: header(sentence if number == 4 else "The Lamp Maker")))
    assert sentence in text.split("\n\n")
    assert "Lamp Maker" not in text


def test_the_first_line_of_the_body_is_never_removed_with_the_header() -> None:
    def first(number: int) -> Text:
        return Text(f"Page {number} starts here and", 72, 712)

    text = text_of(book(lambda number: header("The Lamp Maker, page {}", number, y=730), first))
    assert all(f"Page {number} starts here and" in text for number in range(1, 9))
    assert "Lamp Maker" not in text


def test_a_running_title_next_to_a_page_number_is_removed() -> None:
    titles = {
        1: "Of grain",
        2: "Of grain",
        3: "Of water",
        4: "Of fire",
        5: "Of fire",
        6: "Of ovens",
        7: "Of ovens",
        8: "Of ends",
    }
    pages = book(
        lambda number: header(titles[number]),
        lambda number: header("{}", number, x=500),
        lambda number: header("The Baker's Handbook", x=250),
        lambda number: Text(titles[number], 72, 720) if titles[number] != titles.get(number - 1) else None,
        top=690,
    )
    text = text_of(pages)
    assert [text.count(title) for title in dict.fromkeys(titles.values())] == [1, 1, 1, 1, 1]
    assert "Handbook" not in text


def test_a_title_only_in_the_header_is_kept() -> None:
    pages = book(
        lambda number: header("Of fire" if number == 5 else "The Baker's Handbook"),
        lambda number: header("{}", number, x=500),
    )
    text = text_of(pages)
    assert "Of fire" in text
    assert "Handbook" not in text


def test_rotated_pages_lose_their_headers_too() -> None:
    pages = book(lambda number: header("The Lamp Maker"), lambda number: footer("{}", number))
    shown = [[Text(line.text, 792 - line.y, line.x, line.size, is_upward=True) for line in page] for page in pages]
    for turned in (90, 0):
        body = make_pdf(shown, turned=turned, is_wide=True)
        text = extract(body, url="https://h.example/a.pdf", content_type="application/pdf", charset=None).text
        assert [part.partition(" ")[0] for part in text.split("\n\n")] == NAMES[1:9]


def test_a_file_with_only_running_lines_keeps_them() -> None:
    assert (
        text_of([[header("The Lamp Maker"), footer("{}", number)] for number in range(1, 5)]).count("Lamp Maker") == 4
    )


def test_time_is_linear_in_the_pages() -> None:
    pages = book(lambda number: header("The Lamp Maker {}", number), pages=12) * 80
    body = make_pdf(pages)
    started = time.process_time()
    extract(body, url="https://h.example/a.pdf", content_type="application/pdf", charset=None)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(("x", "first"), [(30, 1), (30, 101), (560, 101)])
def test_the_numbers_of_lines_in_the_margin_are_removed(x: int, first: int) -> None:
    texts = [
        [
            Text(
                f"{'and' if row % 2 else 'Now'} line {row} of page {page} tells about {NAMES[row % 8 + 1]}",
                90,
                700 - 24 * row,
            )
            for row in range(20)
        ]
        for page in range(4)
    ]
    numbers = [[Text(str(first * page + row), x, 700 - 24 * row) for row in range(20)] for page in range(1, 5)]
    assert text_of([[*one, *two] for one, two in zip(texts, numbers, strict=True)]) == text_of(texts)


def test_other_columns_of_numbers_are_kept() -> None:
    rows = [
        [Text(str(row), 90, 700 - 24 * row) for row in range(1, 20)] + [Text("A list of lamps:", 90, 720)]
        for _ in range(4)
    ]
    assert all(str(row) in text_of(rows) for row in range(1, 20))
    years = [
        [
            *(Text(str(1900 + row * row), 40, 700 - 24 * row) for row in range(1, 20)),
            *(Text(f"Year {row} of {page}", 90, 700 - 24 * row) for row in range(1, 20)),
        ]
        for page in range(4)
    ]
    assert "1981" in text_of(years)


@pytest.mark.parametrize(
    "cells",
    [
        lambda row: (f"{100 + 37 * row % 91}", f"{300 + 57 * row % 77}"),
        lambda row: (f"The {NAMES[row % 12]} mill", f"{9 - row / 10:.1f}"),
        lambda row: (NAMES[row % 12].lower(),),
        lambda row: (f"Why does the baker buy {NAMES[row % 12].lower()}?",),
    ],
)
@pytest.mark.parametrize("first", [lambda page: 1970, lambda page: 30 * page + 1])
def test_the_first_column_of_a_table_may_count(
    cells: Callable[[int], tuple[str, ...]], first: Callable[[int], int]
) -> None:
    pages = [
        [
            Text(text, x, 700 - 20 * row)
            for row in range(30)
            for text, x in zip((str(first(page) + row), *cells(row)), (72, 120, 300), strict=False)
        ]
        for page in range(4)
    ]
    text = text_of(pages)
    assert all(str(first(page) + row) in text for page in range(4) for row in range(30))


def test_titles_that_count_with_the_pages_are_kept() -> None:
    pages = book(lambda number: Text(f"{number} {NAMES[number]}", 72, 750, 12))
    body = make_pdf(pages, outline=[(f"{page + 1} {NAMES[page + 1]}", page) for page in range(8)])
    text = extract(body, url="https://h.example/a.pdf", content_type="application/pdf", charset=None).text
    assert all(f"# {number} {NAMES[number]}" in text for number in range(1, 9))


def test_footers_are_removed_from_a_file_without_its_blank_pages() -> None:
    numbers = [page + 1 + 2 * (page // 6) for page in range(24)]
    pages = [
        [Text(f"Page {page} tells about {NAMES[page % 8 + 1]} and its uses.", 72, 600 - 20 * row) for row in range(6)]
        + [Text(f"{number} THE LAMP" if page % 2 else f"Oil {number}", 72, 40, 7)]
        for page, number in enumerate(numbers)
    ]
    pages[0] = [Text("Oil", 72, 700, 20), *pages[0]]
    text = text_of(pages)
    assert "THE LAMP" not in text
    assert text.count("Oil") == 1
