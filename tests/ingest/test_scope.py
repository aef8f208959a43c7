from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ingest.crawling.frontier import MAX_QUERIES_PER_PATH, Reach, Variants, page_key
from app.ingest.crawling.options import CrawlScope

SUBPAGES, HOST = CrawlScope.SUBPAGES, CrawlScope.HOST


@pytest.mark.parametrize(
    ("base", "folder"),
    [
        ("https://x.org/docs/guide/index.html", "/docs/guide/"),
        ("https://x.org/docs/guide/", "/docs/guide/"),
        ("https://x.org/docs/guide", "/docs/"),
        ("https://x.org/", "/"),
        ("https://x.org/a.html?q=/b/c", "/"),
    ],
)
def test_subpages_are_below_the_folder_of_the_start_page(base: str, folder: str) -> None:
    assert Reach(base, SUBPAGES).folder == folder


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("https://x.org/docs/a.html#part", "https://x.org/docs/a.html"),
        ("http://x.org/docs/a.html", "https://x.org/docs/a.html"),
        ("https://www.x.org/docs/a.html", "https://www.x.org/docs/a.html"),
        ("https://x.org/docs/sub/b?page=2", "https://x.org/docs/sub/b?page=2"),
        ("https://x.org/docs/manual.pdf", "https://x.org/docs/manual.pdf"),
        ("https://x.org/docs/v1.2/", "https://x.org/docs/v1.2/"),
        ("https://x.org/docs/../secret", None),
        ("https://x.org/docsearch", None),
        ("https://x.org:8443/docs/a.html", None),
        ("https://y.org/docs/a.html", None),
        ("https://x.org.evil.net/docs/a.html", None),
        ("mailto:me@x.org", None),
        ("https://x.org/docs/logo.PNG", None),
        ("https://x.org/docs/dump.tar.gz", None),
        ("https://x.org/docs/app.js", None),
        ("https://x.org/docs/a/b/a/b/a/b/a/b/", None),
        ("https://x.org/docs/" + "x/" * 40, None),
    ],
)
def test_only_pages_of_the_scope_are_taken(link: str, address: str | None) -> None:
    assert Reach("https://x.org/docs/index.html", SUBPAGES).address(link) == address


def test_the_whole_host_is_one_host_and_port() -> None:
    scope = Reach("http://x.org:8080/docs/", HOST)
    assert scope.address("http://x.org:8080/blog/") and not scope.address("http://x.org/blog/")


def test_spellings_of_one_page_have_one_key() -> None:
    spellings = ["https://x.org/a/", "http://x.org/a/", "https://www.x.org/a/index.html", "https://x.org/a/index.htm"]
    assert len({page_key(url) for url in spellings}) == 1
    assert page_key("https://x.org/a/?page=2") != page_key("https://x.org/a/")


def test_queries_of_one_path_are_limited() -> None:
    variants = Variants()
    for number in range(MAX_QUERIES_PER_PATH):
        assert not variants.is_full(f"https://x.org/list?order={number}")
        variants.add(f"https://x.org/list?order={number}")
    assert variants.is_full("https://x.org/list?order=more")
    assert variants.is_full("https://x.org/list;jsessionid=77?order=1")
    assert not variants.is_full("https://x.org/list") and not variants.is_full("https://x.org/other?order=1")


@given(st.from_regex(r"(https?://)?[a-z./%?#&;=:@\\0-9-]{0,60}", fullmatch=True))
def test_accepted_addresses_are_in_the_scope(link: str) -> None:
    scope = Reach("https://x.org/docs/index.html", SUBPAGES)
    for candidate in (link, "https://x.org/" + link):
        address = scope.address(candidate)
        assert address is None or address.startswith(scope.prefixes)
