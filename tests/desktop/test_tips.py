"""Tooltips show what they are given, never as markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import Qt, QTextDocument
from pytestqt.qtbot import QtBot

from app.desktop.widgets import Badge, ElidedLabel
from app.desktop.wording import plain_tip

MARKUP = ["<b>bold</b>", "<img src=http://evil.example/x.png>", "<a href=x>a</a> & b", "<!doctype html><p>x"]


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
