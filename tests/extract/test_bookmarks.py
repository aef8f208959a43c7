"""Exported bookmarks by folder."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.extract.discovery import BookmarkFolder, bookmark_folders, bookmark_urls

HEAD = "<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Bookmarks</TITLE><H1>Bookmarks Menu</H1>"


def link(name: str) -> str:
    return f'<DT><A HREF="https://{name}.example/">{name}</A>'


def folder(name: str, body: str) -> str:
    return f'<DT><H3 ADD_DATE="1">{name}</H3><DL><p>{body}</DL><p>'


def test_folders_have_their_names_and_only_their_own_pages() -> None:
    body = (
        link("a")
        + folder("Docs", link("b") + folder("In &amp; out", link("c")) + link("d"))
        + folder("News", link("e"))
    )
    found = bookmark_folders(f"{HEAD}<DL><p>{body}</DL>".encode())
    assert found == (
        BookmarkFolder((), ("https://a.example/",)),
        BookmarkFolder(("Docs",), ("https://b.example/", "https://d.example/")),
        BookmarkFolder(("Docs", "In & out"), ("https://c.example/",)),
        BookmarkFolder(("News",), ("https://e.example/",)),
    )


def test_repeated_and_non_web_bookmarks_are_skipped() -> None:
    body = '<DT><A HREF="javascript:alert(1)">J</A><DT><A HREF="place:x">P</A>' + link("a") + folder("Again", link("a"))
    found = bookmark_folders(f"{HEAD}<DL><p>{body}</DL>".encode())
    assert found == (BookmarkFolder((), ("https://a.example/",)),)
    assert bookmark_folders(b"") == ()


def test_a_described_folder_keeps_its_name() -> None:
    body = f"<DT><H3>Docs</H3><DD>For work<DL><p>{link('a')}<DD>A note{folder('Inner', link('b'))}</DL><p>{link('c')}"
    assert bookmark_folders(f"{HEAD}<DL><p>{body}</DL>".encode()) == (
        BookmarkFolder(("Docs",), ("https://a.example/",)),
        BookmarkFolder(("Docs", "Inner"), ("https://b.example/",)),
        BookmarkFolder((), ("https://c.example/",)),
    )


@pytest.mark.parametrize(
    "part", ["<DL>", "<H3>n</H3><DL>", '<A HREF="https://a.example/">', "<dt ", "<!--", '<a href=">', "<b>"]
)
def test_the_time_for_damaged_files_is_linear(part: str) -> None:
    def seconds(count: int) -> float:
        begun = time.process_time()
        bookmark_folders(f"{HEAD}{part * count}".encode())
        return time.process_time() - begun

    seconds(100)
    assert seconds(16_000) < 10 * max(seconds(4_000), 0.01)


@given(
    st.recursive(
        st.sampled_from("abcdef").map(link),
        lambda inner: st.lists(inner, max_size=3).map(lambda parts: folder("F", "".join(parts))),
        max_leaves=12,
    )
)
def test_no_page_is_lost_in_its_folder(body: str) -> None:
    exported = f"{HEAD}<DL><p>{body}</DL>".encode()
    urls = [url for each in bookmark_folders(exported) for url in each.urls]
    assert sorted(urls) == sorted(bookmark_urls(exported))
