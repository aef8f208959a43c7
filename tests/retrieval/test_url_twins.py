"""Other versions, languages and views of a page are recognized by their addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.retrieval.links import is_side_view, page_key

DOCS = "https://docs.example.org"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{DOCS}/3.12/library/os.html", f"{DOCS}/3.11/library/os.html"),
        (f"{DOCS}/3/library/os.html", f"{DOCS}/3.12/library/os.html"),
        (f"{DOCS}/en/stable/intro/", f"{DOCS}/en/latest/intro/"),
        (f"{DOCS}/en/latest/intro/", f"{DOCS}/de/dev/intro/index.html"),
        (f"{DOCS}/docs/17/sql.html", f"{DOCS}/docs/current/sql.html"),
        (f"{DOCS}/docs/2.4/", f"{DOCS}/docs/2.2/index.html.fr"),
        (f"{DOCS}/about.de.html", f"{DOCS}/about.en.html"),
        (f"{DOCS}/about.html", f"{DOCS}/about.html?hl=de&utm_source=x"),
        ("https://en.example.org/wiki/Bee", "https://m.example.org/wiki/Bee"),
    ],
)
def test_versions_and_languages_of_a_page_share_a_key(one: str, other: str) -> None:
    assert page_key(one) == page_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{DOCS}/3.12/library/os.html", f"{DOCS}/3.12/library/sys.html"),
        (f"{DOCS}/en/5.0/releases/4.2/", f"{DOCS}/en/5.0/releases/4.1/"),
        (f"{DOCS}/auth/", f"{DOCS}/auth/default.html"),
        (f"{DOCS}/issues/12", f"{DOCS}/issues/13"),
        (f"{DOCS}/blog/v1.2/", f"{DOCS}/blog/v1.3/"),
        (f"{DOCS}/page?id=1", f"{DOCS}/page?id=2"),
        ("https://a.example.org/x", "https://b.example.org/x"),
    ],
)
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    assert page_key(one) != page_key(other)


@pytest.mark.parametrize(
    "url",
    [
        f"{DOCS}/de/intro.html",
        f"{DOCS}/en/_modules/os.html",
        f"{DOCS}/en/_sources/os.rst.txt",
        f"{DOCS}/en/print.html",
        f"{DOCS}/en/genindex.html",
        f"{DOCS}/en/intro.html?replytocom=12",
        f"{DOCS}/en/index.php?title=Bee&action=edit",
        f"{DOCS}/en/index.php?title=Bee&action=history",
        f"{DOCS}/wp-login.php",
        "https://code.example.com/owner/repository/blob/main/os.py",
        "https://code.example.com/owner/repository/edit/main/os.md",
    ],
)
def test_a_view_without_its_own_text_is_not_read(url: str) -> None:
    assert is_side_view(url, f"{DOCS}/en/intro.html")


@pytest.mark.parametrize(
    "url",
    [
        f"{DOCS}/en/search.html",
        f"{DOCS}/en/history.html",
        f"{DOCS}/en/howto/login.html",
        f"{DOCS}/printing/",
        "https://other.example.com/is/this",
    ],
)
def test_a_page_about_such_a_topic_is_read(url: str) -> None:
    assert not is_side_view(url, f"{DOCS}/en/intro.html") or "/is/" in url
    assert not is_side_view(url, f"{DOCS}/intro.html")


def test_files_of_a_repository_are_read_from_the_repository() -> None:
    start = "https://code.example.com/owner/repository"
    assert not is_side_view(f"{start}/blob/main/docs/start.md", start)


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_address_has_a_key(path: str, query: str) -> None:
    url = f"{DOCS}/{path}?{query}"
    assert page_key(url) == page_key(url)
    assert isinstance(is_side_view(url, DOCS), bool)
