"""Manual pages: man and mdoc macros, conditions, other files, and text that only has such a name."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from app.extract import Page, extract
from app.text.media_types import MANUAL, kind_of
from tests.extract.pages import check_offsets
from tests.support.growth import cost


def read(text: str, *, url: str = "file:///usr/share/man/man1/pump.1") -> Page:
    page = extract(text.encode(), url=url, content_type=MANUAL.types[0], charset=None)
    check_offsets(page)
    return page


def test_man_macros_become_headings_lists_and_code() -> None:
    page = read(
        '\'\\" t\n.\\" A comment.\n.de Vb\n.ft CW\n.nf\n..\n.if n \\{\\\n.    ds X hidden\n.\\}\n'
        '.TH PUMP 1 "2024-01-02" "Pump 3" "User Commands"\n.SH NAME\npump \\- move \\fIwater\\fR\n'
        '.SH SYNOPSIS\n.B pump\n.RI [ options ]\n.br\n.BI \\-n " number"\n.SH DESCRIPTION\nFirst line.  \\(lqQuoted\\(rq\nsecond\\&line.\n'
        ".PP\nNext \\[u00E9]t\\[:a] 50\\ % \\(co \\(<= \\[>=] \\(!=.\n.TP\n"
        '.BR \\-v ", " \\-\\-verbose\nSay more.\n.TP\n.B \\-q\nSay less.\n'
        '.SS "Exit status"\n.IP \\(bu 2\none\n.IP \\(bu\ntwo\n.sp\nmore\n.PP\n.nf\n  a = 1\n\n  b \\e n\n.fi\nAfter.\n'
        ".PP\n\\-x\n.RS 4\nExplained here.\n.RE\n.PP\nEnd.\n"
        '.ie n .IP "plain" 4\n.el .IP "fancy" 4\nItem.\n.UR https://a.example/\n.UE\n'
    )
    assert page.text == (
        "# pump(1)\n\n## Name\n\npump - move water\n\n## Synopsis\n\npump [options] -n number\n\n## Description\n\n"
        "First line. “Quoted” secondline.\n\nNext ét\xe4 50 % © ≤ ≥ ≠.\n\n**-v, --verbose**: Say more.\n\n**-q**: Say less.\n\n"
        "### Exit status\n\n- one\n\n- two\n\n  more\n\n```\n  a = 1\n\n  b \\ n\n```\n\nAfter.\n\n**-x**: Explained here.\n\n"
        "End.\n\n**fancy**: Item. https://a.example/"
    )
    assert page.title == "pump(1)"


def test_mdoc_macros_are_read() -> None:
    page = read(
        ".Dd January 2, 2024\n.Dt PUMP 1\n.Os\n.Sh NAME\n.Nm pump\n.Nd move water\n.Sh SYNOPSIS\n.Nm\n.Op Fl nv\n.Op Fl o Ar file\n"
        ".Ar source ...\n.Nm\n.Fl h | Fl -help\n.Sh DESCRIPTION\nThe\n.Nm\nutility moves\n.Dq cold water ,\nsee\n.Xr ssh_config 5 .\n"
        '.Bl -tag -width Ds\n.It Fl n Ns Ar count\nCount.\n.It Ev HOME\nThe home.\n.El\n.Pp\nCall\n.Fn open "int n" "int m" .\n'
        ".Bd -literal\nx = 1\n  y = 2\n.Ed\n.Bl -bullet\n.It\none\n.It\ntwo\n.El\n.Dl pump -n 3\n"
    )
    assert page.text == (
        "# pump(1)\n\n## Name\n\npump — move water\n\n## Synopsis\n\npump [-nv] [-o file] source ...\n\npump -h | --help\n\n"
        "## Description\n\nThe pump utility moves “cold water”, see ssh_config(5).\n\n**-ncount**: Count.\n\n**HOME**: The home.\n\n"
        "Call open(int n, int m).\n\n```\nx = 1\n  y = 2\n```\n\n- one\n- two\n\n```\npump -n 3\n```"
    )


def test_other_pages_are_never_included() -> None:
    page = read(".TH A 1\n.so /etc/passwd\nText.\n")
    assert page.text == "# a(1)\n\nText."
    assert page.note == "Files that this one includes are not read: 1."


def test_other_text_is_plain() -> None:
    assert read("First .TH line\n# 5 * x\n").text == "First .TH line\n# 5 * x"


@pytest.mark.parametrize(
    ("name", "is_manual"),
    [("ls.1", True), ("printf.3p", True), ("systemd.unit.5", True), ("a.man", True), ("libz.so.1", False), ("dpkg.log.1", False),
     ("zlib-1.2", False), (".1", False), ("ls.10", False)],
)  # fmt: skip
def test_names_of_manual_pages(name: str, is_manual: bool) -> None:
    assert (kind_of(PurePath(name)) is MANUAL) is is_manual


@pytest.mark.real
@pytest.mark.parametrize(
    "unit",
    [".TP\na\n", ".RS\n", ".IP a\n", ".IP\n", ".nf\n", ".nf\na\n.fi\n", "a\n", "\\", "\\f", "\\[a",
     "\\*[", '"', '""', ".B \"a", ".if \\{\n", ".el \\{", ".de\n",
     ".Op Fl a ", "Op ", "Oo ", "Fl ", "a ", ".It\n", ".Nm a\n", ".SH\n", "\\h'a", "\\N'1", ".PP\na\n.RS\n", ". "],
)  # fmt: skip
def test_hostile_pages_are_read_in_linear_time(unit: str) -> None:
    def parse(text: str) -> None:
        extract(b".TH A 1\n.Op " + text.encode(), url="file:///a.1", content_type=MANUAL.types[0], charset=None)

    assert cost(lambda size: unit * (size // len(unit)), parse, 15_000).growth < 3


@pytest.mark.parametrize(
    "lines",
    [".ig\n", ".de xx yy\nhidden\n.yy\n", ".de xx\nhidden\n..\n.am zz\n", ".if n \\{\nhidden\n.\\}\n.ie t \\{\n"],
)
def test_text_after_a_definition_without_an_end_is_kept(lines: str) -> None:
    source = f".TH A 1\n.SH NAME\nbefore\n{lines}the end\n"
    page = extract(source.encode(), url="file:///a.man", content_type="", charset=None)
    assert page.text.endswith("before the end")
