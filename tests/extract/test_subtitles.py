"""Subtitles: running text with sections of two minutes, and hostile files."""

from __future__ import annotations

from app.extract import Page, extract
from tests.extract.pages import check_offsets
from tests.support.growth import cost


def read(text: str, *, url: str = "file:///films/talk.srt") -> Page:
    page = extract(text.encode(), url=url, content_type="", charset=None)
    check_offsets(page)
    return page


SRT = (
    "1\n00:00:01,000 --> 00:00:03,000\n<i>A valve opens</i>\n\n2\n00:00:03,100 --> 00:00:05,000\n{\\an8}slowly.\n\n"
    "3\n00:00:09,000 --> 00:00:10,000\n- 25 < 30\nbar.\n\n4\n00:02:05,000 --> 00:02:06,000\nThe end.\n"
)


def test_subrip_becomes_text_with_a_section_for_every_two_minutes() -> None:
    page = read(SRT)
    assert page.text == "## 00:00:00\n\nA valve opens slowly.\n\n- 25 < 30 bar.\n\n## 00:02:00\n\nThe end."
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("00:00:00", "t=0"),
        ("00:02:00", "t=120"),
    ]
    assert page.title == "talk.srt"
    assert read(SRT.replace("\n\n", "\n")).text == page.text


def test_web_subtitles_keep_speakers_and_lose_styles_notes_and_repetitions() -> None:
    page = read(
        "WEBVTT - A talk\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a secret\n\nintro\n00:01.000 --> 00:03.000 align:start\n"
        "<v.loud Ann Lee>Rock &amp; roll</v>\n\n00:03.000 --> 00:04.000\n<v.loud Ann Lee>Rock &amp; roll</v>\n"
        "<c.x>goes</c> <00:03.500>on\n\n"
        "01:00:00.000 --> 01:00:01.000\nLate.\n",
        url="https://a.example/talk.vtt",
    )
    assert page.title == "A talk"
    assert page.text == "## 00:00:00\n\nAnn Lee: Rock & roll goes on\n\n## 01:00:00\n\nLate."
    assert page.sections[1].anchor == "t=3600"


def test_the_last_subtitle_is_read_like_the_others() -> None:
    cue = "00:00:01,000 --> 00:00:03,000\nAT&amp;T\n"
    assert read(f"1\n{cue}\n2\n{cue.replace('T&', 'T &')}42\n").text == "## 00:00:00\n\nAT&amp;T AT &amp;T 42"


def test_a_file_without_times_is_plain_text() -> None:
    assert read("Only words.\n").text == "Only words."


def test_the_time_is_linear_in_the_text() -> None:
    cue = "00:00:01,000 --> 00:00:01,500\nword <v a <v a\n"
    for unit in (cue, "00:00:01,000 --> ", "\n00:00:01,000 --> 00:00:01,500\n" + "a\n" * 50):
        assert cost(lambda size, unit=unit: unit * (size // len(unit)), read, 100_000).growth < 3


def test_text_before_the_first_time_is_kept() -> None:
    page = extract(
        b"Intro\n\n1\n00:00:01,000 --> 00:00:02,000\nHello\n", url="file:///a.srt", content_type="", charset=None
    )
    assert page.text == "## 00:00:00\n\nIntro Hello"
