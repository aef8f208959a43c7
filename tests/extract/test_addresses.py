"""Addresses made from references: equal to a full join, and between local files."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.extract.addresses import Resolver

PARTS = st.sampled_from(
    [
        "a",
        "b.html",
        "..",
        ".",
        "/",
        "/",
        "//",
        "%20",
        "x~y",
        "c d",
        ";p",
        "?q=1",
        "#f",
        "#",
        "?",
        "//h2/x",
        "..a",
        "...",
        "é",
    ]
)
BASES = st.sampled_from(
    [
        "http://h.example/a/b/c.html",
        "http://h.example",
        "https://h.example:80/a%20b/c;d/e?q=/x/y",
        "http://h/a/../b",
        "http://h/a//b/",
    ]
)


@given(BASES, st.lists(PARTS, min_size=1, max_size=6).map("".join))
def test_shortcuts_equal_a_full_join(base: str, reference: str) -> None:
    found = Resolver(base)(reference)
    if found is not None and not reference.startswith("#"):
        assert found == urljoin(base, reference.strip()).replace(" ", "%20")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("other.md", "file:///home/u/docs/other.md"),
        ("../up/a b.md#part", "file:///home/u/up/a%20b.md#part"),
        ("ümlaut.md", "file:///home/u/docs/%C3%BCmlaut.md"),
        ("%C3%BCmlaut.md", "file:///home/u/docs/%C3%BCmlaut.md"),
        ("#here", "file:///home/u/docs/page.md#here"),
        ("https://w.example/x", "https://w.example/x"),
        ("/from/the/root.md", None),
        ("//host/share.md", None),
        ("\\\\host\\share.md", None),
        ("file:///etc/passwd", None),
        ("mailto:a@b.example", None),
    ],
)
def test_links_between_files_stay_files(reference: str, expected: str | None) -> None:
    assert Resolver("file:///home/u/docs/page.md")(reference) == expected


def test_backslashes_in_paths_are_slashes_as_in_browsers() -> None:
    assert Resolver("https://h.example/docs/")("api\\page.htm?a=\\b") == "https://h.example/docs/api/page.htm?a=\\b"


def test_a_web_page_cannot_link_to_a_file() -> None:
    assert Resolver("https://h.example/")("file:///etc/passwd") is None
    assert Resolver("https://h.example/", "file:///etc/")("passwd") is None
    assert Resolver("file:///home/u/page.html", "https://h.example/d/")("x.html") == "https://h.example/d/x.html"


def test_drives_of_windows_keep_their_colon() -> None:
    assert Resolver("file:///C:/docs/a.md")("b(1).md") == "file:///C:/docs/b%281%29.md"
