"""Texinfo: structure, inline commands, blocks for other outputs, and sources that include files or never end."""

from __future__ import annotations

import pytest

from app.extract import Page, extract
from tests.extract.pages import check_offsets
from tests.support.growth import cost

MANUAL = r"""\input texinfo   @c -*-texinfo-*-
@setfilename pump.info
@settitle Pump Manual
@set VERSION 3.1
@c %**end of header
@copying
Hidden @copyright{} 2024.
@end copying
@titlepage
@title Hidden
@end titlepage
@node Top
@top Pump Manual
Version @value{VERSION} of the @dfn{pump}---fast @code{a--b}.  @xref{Valves}, and @url{https://a.example/x, the site}.
@menu
* Valves::  Hidden.
@end menu
@node Valves, Next, Prev, Top
@chapter Valves & @emph{more}
@cindex valve
Text with a note.@footnote{A @strong{note}.} And @samp{x@{y@}} @@ home.@anchor{here}
@itemize @bullet
@item one
@item two

more
@itemize @minus
@item deep
@end itemize
@end itemize
@table @code
@item -n
@itemx --number
Number of things.
@end table
@multitable @columnfractions .5 .5
@headitem A @tab B
@item 1 @tab 2
@item 3
@tab 4
@end multitable
@example
int x = 1;  @r{/* c */}
@group
f(@var{y});
@end group
@end example
@verbatim
@code{a} --
@end verbatim
@deftypefn {Function} int open_valve (int @var{n})
@deftypefnx {Function} int close_valve (int @var{n})
Opens it.
@end deftypefn
@section Deeper
@quotation Note
Hot ``water''.
@end quotation
@iftex
Hidden.
@end iftex
@include more.texi
@bye
Hidden.
"""


def read(text: str) -> Page:
    page = extract(text.encode(), url="file:///pump.texi", content_type="", charset=None)
    check_offsets(page)
    return page


def test_the_first_line_of_a_file_without_a_header_is_not_text() -> None:
    assert read("\\input texinfo\n@node Top\n@chapter Cork\nWarm.\n").text == "## Cork\n\nWarm."


def test_structure_and_inline_commands_are_kept() -> None:
    page = read(MANUAL)
    assert page.text == (
        "# Pump Manual\n\nVersion 3.1 of the *pump*—fast `a--b`. See Valves, and the site.\n\n## Valves & more\n\n"
        "Text with a note.[1] And `x{y}` @ home.\n\n- one\n\n- two\n\n  more\n  - deep\n\n**-n**\n\n**--number**: Number of things.\n\n"
        "| A   | B   |\n|-----|-----|\n| 1   | 2   |\n| 3   | 4   |\n\n```\nint x = 1;  /* c */\nf(y);\n```\n\n```\n@code{a} --\n```\n\n"
        "`Function int open_valve (int n)`\n\n`Function int close_valve (int n)`\n\nOpens it.\n\n### Deeper\n\n> Hot “water”.\n\n---\n\n"
        "1. A **note**."
    )
    assert page.title == "Pump Manual"
    assert [(section.heading, section.anchor) for section in page.sections][:2] == [
        ("Pump Manual", "Top"),
        ("Valves & more", "Valves"),
    ]
    assert page.note == "Files that this one includes are not read: 1."
    assert [link.url for link in page.links] == ["https://a.example/x"]


def test_the_caption_of_a_figure_is_kept() -> None:
    figure = "@float Figure,f\nA sketch.\n@caption{The @emph{pump}.}\n@shortcaption{Pump}\n@end float\n"
    assert read(f"@node Top\n@chapter Cork\n{figure}").text == "## Cork\n\nA sketch. The *pump*."


@pytest.mark.real
@pytest.mark.parametrize(
    "unit",
    ["@code{", "@code{a} ", "{", "}", "--", "@", "@@", "@itemize\n", "@itemize\n@item a\n", "@item a\n", "@end itemize\n",
     "@example\n", "@example\n@end\n",
     "@tab ", "@footnote{a", "@footnote{a} ", "@U{", "@value{a}", "@set a b\n", "@section a\n", "@deffn a\n",
     "@deffnx a\n", "@url{a,", "a\n", "@c a\n", "@verbatim\n"],
)  # fmt: skip
def test_hostile_sources_are_read_in_linear_time(unit: str) -> None:
    def parse(text: str) -> None:
        extract(
            b"@settitle a\n@multitable\n@item " + text.encode(), url="file:///a.texi", content_type="", charset=None
        )

    assert cost(lambda size: unit * (size // len(unit)), parse, 15_000).growth < 3


@pytest.mark.parametrize(
    "source",
    [
        "@itemize\n" * 60 + "the end\n",
        "@deffn a b\n" * 1_000 + "the end\n",
        "@quotation\n" * 60 + "the end\n",
        "@ignore\n\nthe end\n",
        "a @c a comment\nthe end\n",
    ],
)
def test_text_in_damaged_blocks_is_kept(source: str) -> None:
    page = extract(f"before\n\n{source}".encode(), url="file:///a.texi", content_type="", charset=None)
    assert page.text.startswith("before") and page.text.endswith("the end")
    assert "comment" not in page.text
