"""Numbers and times in readable form, and untrusted text shown literally."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtGui import Qt, QTextDocument
from pytestqt.qtbot import QtBot

from app.desktop import wording
from app.desktop.widgets import Badge, ElidedLabel
from app.desktop.wording import plain_tip
from app.paths import assets_dir

NOW = 1_700_000_000.0

MARKUP = ["<b>bold</b>", "<img src=http://evil.example/x.png>", "<a href=x>a</a> & b", "<!doctype html><p>x"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (90_000, "yesterday"),
        (200_000, "2 days ago"),
    ],
)
def test_times_are_relative(seconds: float, words: str) -> None:
    assert wording.ago(NOW - seconds, now=NOW) == words


def test_long_ago_is_shown_as_a_date_and_zero_as_never() -> None:
    assert "ago" not in wording.ago(NOW - 90 * 86_400, now=NOW)
    assert wording.ago(0.0, now=NOW) == "never"


@pytest.mark.parametrize(
    ("milliseconds", "words"), [(0.4, "0 ms"), (999, "999 ms"), (1_234, "1.2 s"), (125_000, "2 min 5 s")]
)
def test_durations_are_readable(milliseconds: float, words: str) -> None:
    assert wording.duration(milliseconds) == words


def test_addresses_are_shortened() -> None:
    assert wording.site_of("https://www.a.example:8080/x") == "a.example"
    assert wording.site_of("http://[bad") == "http://[bad"
    assert wording.plain_address("https://a.example/x/") == "a.example/x"


def test_singular_and_plural() -> None:
    assert wording.counted(1, "1 page", "{} pages") == "1 page"
    assert wording.counted(0, "1 page", "{} pages") == "0 pages"


def seen(tip: str) -> str:
    """Return what the user reads."""
    if not Qt.mightBeRichText(tip):
        return tip
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_literally(text: str) -> None:
    assert Qt.mightBeRichText(text)
    assert seen(plain_tip(text)) == text


@given(st.text(st.sampled_from("<>&;ab/ ='\"\n")))
def test_a_tooltip_contains_no_elements(text: str) -> None:
    assert seen(plain_tip(text)).split() == text.split()


def test_elided_labels_and_badges_show_plain_text(qtbot: QtBot) -> None:
    shortened, badge = ElidedLabel(), Badge("<b>x</b>")
    for widget in (shortened, badge):
        qtbot.addWidget(widget)
    shortened.resize(40, 20)
    shortened.show_text("<b>A very long title of a page</b>")
    assert seen(shortened.toolTip()) == "<b>A very long title of a page</b>"
    assert badge.textFormat() is Qt.TextFormat.PlainText
    shortened.resize(6, 20)
    shortened.show_text("2 outgoing")
    assert not shortened.text(), "a part of a letter says nothing"


@pytest.fixture
def speaks() -> Iterator[Callable[[str], None]]:
    """Set the locale of the window, and restore English afterwards."""
    before = QLocale()
    yield lambda name: QLocale.setDefault(QLocale(name))
    QLocale.setDefault(before)


def at(hour: int, minute: int, second: int, *, days_ago: int = 0) -> float:
    day = datetime.now().astimezone() - timedelta(days=days_ago)
    return day.replace(hour=hour, minute=minute, second=second, microsecond=0).timestamp()


def test_numbers_and_times_use_the_locale(speaks: Callable[[str], None]) -> None:
    speaks("de_DE")
    assert (wording.duration(34_100), wording.number(5_097)) == ("34,1 s", "5.097")
    assert (wording.decimal(0.9737, 2), wording.decimal(2.5), wording.percent(0.9737, 1)) == ("0,97", "2,5", "97,4%")
    assert wording.clock(at(15, 4, 5)) == "15:04:05"
    assert wording.full_time(at(15, 4, 5)).endswith("15:04")
    speaks("en_US")
    assert wording.duration(34_100) == "34.1 s"
    assert wording.clock(at(15, 4, 5)).replace("\u202f", " ") == "3:04:05 PM"
    assert wording.clock(at(15, 4, 5, days_ago=40)).replace("\u202f", " ").endswith(" 3:04 PM")


def test_a_computer_without_a_country_uses_24_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wording.QLocale, "system", staticmethod(lambda: QLocale(QLocale.Language.C)))
    assert wording.locale_of("en").timeFormat(QLocale.FormatType.ShortFormat) == "HH:mm"
    assert wording.locale_of("de").name() == "de_DE"


HAND_MADE: Final = re.compile(r"\{[^{}]*:[^{}]*[\d.,%][^{}]*\}")
"""A field with its own format in a text: {:.1f}, {:,}."""
NO_TEXTS: Final = {
    "theme.py": "lengths of the style sheet",
    "selftest.py": "for a terminal",
    "rendering": "a process of its own",
}
"""Files whose numbers are not shown in the window."""
STORED_TIMES: Final = ("storage.py", "ledger.py", "__main__.py")
"""Files that write days for programs: in a file name, or in rows of the library."""
FORMATTERS: Final = ("strftime", "isoformat", "ctime", "asctime", "formattedDataSize", "toCurrencyString")


def by_hand(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield lines that format a number, a time or a size without `wording`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" not in node.value:
            if HAND_MADE.search(node.value):
                yield node.lineno, node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, of = node.func.attr, ast.unparse(node.func.value)
            if name in FORMATTERS or (name == "toString" and of == "QLocale()"):
                yield node.lineno, f"{of}.{name}"
            if name == "format":
                given = (*node.args, *(each.value for each in node.keywords))
                yield from ((node.lineno, ast.unparse(each)) for each in given if is_bare_number(each))


def is_bare_number(node: ast.AST) -> bool:
    """Whether a count or a sum is put into a text in Python's format."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("len", "round", "int", "sum")
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv)
    return is_sum or (
        isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and type(node.right.value) is int
    )


def test_no_other_module_of_the_window_formats_numbers_and_times() -> None:
    folder = Path(wording.__file__).parent
    found = [
        f"{path.relative_to(folder)}:{line} {what}"
        for path in sorted(folder.rglob("*.py"))
        if path.name != "wording.py" and not NO_TEXTS.keys() & set(path.relative_to(folder).parts)
        for line, what in by_hand(ast.parse(path.read_text("utf-8")))
        if not (path.name in STORED_TIMES and what.endswith((".strftime", ".isoformat")))
    ]
    assert not found, "use app/desktop/wording.py: number, decimal, percent, size, duration, clock …"


@pytest.mark.parametrize(
    "source",
    [
        'f"{x:.1f} s"',
        'tr("{:.0f} %").format(x)',
        "when.strftime('%H')",
        'tr("{}").format(len(x))',
        "QLocale().toString(x)",
    ],
)
def test_the_search_finds_such_lines(source: str) -> None:
    assert list(by_hand(ast.parse(source)))


def test_texts_of_the_window_call_stored_chunks_passages() -> None:
    catalogue = (assets_dir() / "translations" / "webrag_de.ts").read_text("utf-8")
    shown = re.findall(r"<name>(?!Errors|Notes)\w+</name>.*?</context>", catalogue, re.DOTALL)
    texts = re.findall(r"<source>(.*?)</source>", "".join(shown), re.DOTALL)
    assert texts and not [text for text in texts if re.search(r"\bchunk", text, re.IGNORECASE)]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 bytes"), (533_100, "530 kB"), (2_147_483_648, "2.1 GB"), (999_600, "1.0 MB"), (115_100, "120 kB")],
)
def test_estimates_of_bytes_have_two_digits(value: int, text: str) -> None:
    assert wording.rough_size(value) == text
