"""Numbers and times as a reader likes them, and words from outside as they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import Qt, QTextDocument
from pytestqt.qtbot import QtBot

from app.desktop import wording
from app.desktop.widgets import Badge, ElidedLabel
from app.desktop.wording import plain_tip

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
def test_ago(seconds: float, words: str) -> None:
    assert wording.ago(NOW - seconds, now=NOW) == words


def test_long_ago_is_a_date_and_never_is_never() -> None:
    assert "ago" not in wording.ago(NOW - 90 * 86_400, now=NOW)
    assert wording.ago(0.0, now=NOW) == "never"


@pytest.mark.parametrize(
    ("milliseconds", "words"), [(0.4, "0 ms"), (999, "999 ms"), (1_234, "1.2 s"), (125_000, "2 min 5 s")]
)
def test_duration(milliseconds: float, words: str) -> None:
    assert wording.duration(milliseconds) == words


def test_addresses_are_short() -> None:
    assert wording.site_of("https://www.a.example:8080/x") == "a.example"
    assert wording.plain_address("https://a.example/x/") == "a.example/x"


def test_one_and_many() -> None:
    assert wording.counted(1, "1 page", "{} pages") == "1 page"
    assert wording.counted(0, "1 page", "{} pages") == "0 pages"


def seen(tip: str) -> str:
    """What a person reads."""
    if not Qt.mightBeRichText(tip):
        return tip
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_as_it_stands(text: str) -> None:
    assert Qt.mightBeRichText(text)
    assert seen(plain_tip(text)) == text


@given(st.text(st.sampled_from("<>&;ab/ ='\"\n")))
def test_nothing_in_a_tip_is_an_element(text: str) -> None:
    assert seen(plain_tip(text)).split() == text.split()


def test_shortened_labels_and_badges_show_no_markup(qtbot: QtBot) -> None:
    shortened, badge = ElidedLabel(), Badge("<b>x</b>")
    for widget in (shortened, badge):
        qtbot.addWidget(widget)
    shortened.resize(40, 20)
    shortened.show_text("<b>A very long title of a page</b>")
    assert seen(shortened.toolTip()) == "<b>A very long title of a page</b>"
    assert badge.textFormat() is Qt.TextFormat.PlainText
