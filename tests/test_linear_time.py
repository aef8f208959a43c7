"""The processing time of outside text grows linearly with its length, whatever it contains."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from time import process_time

import pytest

from app.desktop.preview.blocks import blocks
from app.docsets.outline import outline, sidebar_groups
from app.docsets.search import snippet
from app.errors import WebRAGError
from app.extract import extract
from app.extract.page import Page
from app.ingest.chunking import chunk_page
from app.ingest.pieces import cut_blocks
from app.kb.spans import split_spans
from app.retrieval.citations import quotables
from app.text.markdown_blocks import scan_blocks
from app.text.scripts import normalized
from app.text.tokens import token_counter
from tests.support.growth import LINEAR, cost

SIZE, LONG = 20_000, 50_000
"""The quick tests use the smaller size, at which work in linear time is not measured again."""
BUDGET_SECONDS = 1.0
"""Allowed growth for twice as many characters, on a slow computer."""
COUNT = token_counter(None)
UNITS = [
    "`",
    "*",
    "_",
    "[",
    "]",
    "(",
    "<",
    ">",
    "#",
    "$",
    "~",
    "|",
    "-",
    "=",
    "\\",
    "!",
    "&",
    "{",
    " ",
    "\t",
    ".",
    "a",
    "1",
]
PAIRS = ["` ", "`` ` ", "[](", "[a](", "![", "**", "__", "<a ", "{#a} ", "$a ", "a_", "\\`", "&#"]
LINES = ["---", "```", "~~~", "===", "a", "# a", "> ", "- ", "1. ", "| a |", "|-|", "$$", "<!--", ":::", "a\n-"]
RUNS = "".join("`" * length + " " for length in range(1, 300))


@dataclass(frozen=True)
class Shape:
    """A generator of texts of one kind in any length."""

    name: str
    make: Callable[[int], str]


def shapes() -> Iterator[Shape]:
    for unit in [*UNITS, *PAIRS]:
        yield Shape(f"many {unit!r}", lambda size, unit=unit: unit * (size // len(unit)))
        yield Shape(f"a heading of {unit!r}", lambda size, unit=unit: f"# a{unit * (size // len(unit))} x\n")
        yield Shape(f"a line of {unit!r}", lambda size, unit=unit: f"a{unit * (size // len(unit))}x\n===\n")
    for line in LINES:
        yield Shape(f"lines of {line!r}", lambda size, line=line: f"{line}\n" * (size // (len(line) + 1)))
    yield Shape("runs of every length", lambda size: f"# {RUNS * (size // len(RUNS) + 1)}")


def cut(text: str) -> None:
    for _ in cut_blocks(text, ((block, block.end) for block in scan_blocks(text, ())), COUNT, 220):
        pass


def extracted(kind: str, frame: str = "{}", *, as_text: bool = False) -> Callable[[str], None]:
    """Reads a body of this kind that contains the text, `as_text` if the body is markup."""

    def read(text: str) -> None:
        body = frame.format(escape(text) if as_text else text).encode()
        with contextlib.suppress(WebRAGError):
            extract(body, url="https://docs.example/page", content_type=kind, charset=None)

    return read


def chunks(text: str) -> None:
    chunk_page(Page(url="", title="", text=text), url="", count_tokens=COUNT, max_tokens=220)


FEED = '<rss version="2.0"><channel><title>a</title><item><title>b</title><description>{}</description></item></channel></rss>'
READERS: dict[str, Callable[[str], object]] = {
    "the outline of a page": lambda text: outline(text, "a.md"),
    "a sidebar": sidebar_groups,
    "pieces": cut,
}
WHOLE_READERS: dict[str, Callable[[str], object]] = {
    "chunks": chunks,
    "plain text": extracted("text/plain"),
    "a web page": extracted("text/html", "<p>Some words.</p><p>{}</p>", as_text=True),
    "a feed": extracted("application/rss+xml", FEED, as_text=True),
    "a snippet": lambda text: snippet(text, "a valve 1", 200),
    "quotes": quotables,
    "spans": split_spans,
    "the preview": lambda text: list(blocks(text)),
}
SHORT = 10_000
LARGE = 400_000
LARGE_SECONDS = 5.0
"""Seconds on a slow computer. Without joining small blocks, it takes several times as long."""


@pytest.mark.parametrize("size", [SIZE, pytest.param(LONG, marks=pytest.mark.real)])
@pytest.mark.parametrize("reader", READERS)
def test_time_grows_linearly_with_the_length(reader: str, size: int) -> None:
    read = READERS[reader]
    slow = {}
    for shape in shapes():
        found = cost(shape.make, read, size)
        if found.growth > LINEAR or found.seconds > BUDGET_SECONDS:
            slow[shape.name] = found
    assert not slow


@pytest.mark.real
@pytest.mark.parametrize("reader", WHOLE_READERS)
def test_time_of_a_whole_page_grows_linearly_with_the_length(reader: str) -> None:
    slow = {}
    for shape in shapes():
        found = cost(shape.make, WHOLE_READERS[reader], SHORT)
        if found.growth > LINEAR or found.seconds > BUDGET_SECONDS:
            slow[shape.name] = found
    assert not slow


@pytest.mark.parametrize("line", ["---", "```"])
def test_hundreds_of_kilobytes_of_tiny_blocks_are_chunked_quickly(line: str) -> None:
    text = f"{line}\n" * (LARGE // (len(line) + 1))
    started = process_time()
    chunks(text)
    assert process_time() - started < LARGE_SECONDS


def test_a_large_file_of_tiny_lines_is_shown_unchanged() -> None:
    page = extract(b"a\n" * (LARGE // 2), url="https://docs.example/a.md", content_type="text/markdown", charset=None)
    assert "shown as source text" in page.note


@pytest.mark.parametrize("marks", ["\u0301\u0327", "\uff9e\u0301", "\u0344\u0327"])
def test_marks_on_a_letter_are_sorted_in_linear_time(marks: str) -> None:
    begun = process_time()
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        normalized(form, "e" + marks * 20_000)
    assert process_time() - begun < BUDGET_SECONDS
    assert normalized("NFC", "cafe\u0301 " * 40) == "caf\u00e9 " * 40


def test_spaces_before_a_word_are_scanned_once() -> None:
    begun = process_time()
    snippet(" " * 60_000 + "x", "y", 200)
    assert process_time() - begun < BUDGET_SECONDS
