from __future__ import annotations

import socket
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.errors import InvalidURLError
from app.web.urls import host_of, join_url, normalise_host, normalise_url, origin_of, same_site


@pytest.mark.parametrize(
    ("given_url", "expected"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("  https://example.com:443/a  ", "https://example.com/a"),
        ("<https://example.com/a>", "https://example.com/a"),
        ("https://example.com/a>", "https://example.com/a%3E"),
        ("http://example.com:80", "http://example.com/"),
        ("http://example.com:0080/", "http://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://example.com./x", "http://example.com/x"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/../../a", "http://example.com/a"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com/a/%2e%2E/b", "http://example.com/b"),
        ("http://example.com/a//b", "http://example.com/a//b"),
        ("http://example.com/#part", "http://example.com/"),
        ("http://example.com?", "http://example.com/"),
        ("http://example.com?b=2&a=1#x", "http://example.com/?b=2&a=1"),
        ("http://example.com/%7euser/%c3%a9", "http://example.com/~user/%C3%A9"),
        ("http://example.com/ä b?q=ü", "http://example.com/%C3%A4%20b?q=%C3%BC"),
        ("http://example.com/100%", "http://example.com/100%25"),
        ("http://exa\nmple.com/a\tb", "http://example.com/ab"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://straße.example/", "http://xn--strae-oqa.example/"),
        ("http://wiki_one.example/", "http://wiki_one.example/"),
        ("http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7F.1/", "http://127.0.0.1/"),
        ("http://017700000001/", "http://127.0.0.1/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://１２７。0。0。1/", "http://127.0.0.1/"),
    ],
)
def test_urls_have_one_normalized_form(given_url: str, expected: str) -> None:
    assert normalise_url(given_url) == expected


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "example.com/page",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "http://user:secret@example.com/",
        "http://user@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://exam ple.com/",
        "http://a..b/",
        "http://-/%",
        "http://%31%32%37.0.0.1/",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:port/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://0x100000000/",
        "http://09.1.1.1/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[v1.x]/",
        "http://[::1]evil.example/",
        f"http://{'a' * 64}.example/",
        f"http://{'a.' * 130}example/",
        "http://a.example/ http://b.example/",
        "http://a.example/, https://b.example/",
    ],
)
def test_invalid_addresses_are_rejected(bad: str) -> None:
    with pytest.raises(InvalidURLError) as caught:
        normalise_url(bad)
    assert caught.value.hint
    assert "secret" not in caught.value.message
    assert "secret" not in caught.value.url


def test_length_is_capped_before_and_after_encoding() -> None:
    base = "http://example.com/"
    assert normalise_url(base + "a" * (caps.MAX_URL_CHARS - len(base)))
    for path in ("a" * caps.MAX_URL_CHARS, "ü" * (caps.MAX_URL_CHARS // 3)):
        with pytest.raises(InvalidURLError, match="longer than"):
            normalise_url(base + path)


hosts = st.sampled_from(["example.com", "EXAMPLE.com.", "[::1]", "127.1", "0x7f000001", "bücher.example", "a_b.c"])
texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=40)


@given(hosts, st.sampled_from(["", ":80", ":443", ":8080"]), texts, texts)
def test_normalizing_twice_changes_nothing(host: str, port: str, path: str, query: str) -> None:
    path = path.replace("?", "").replace("#", "")
    once = normalise_url(f"http://{host}{port}/{path}?{query}")
    assert normalise_url(once) == once
    assert once.isascii()
    assert "#" not in once
    assert "/../" not in once


@given(st.text(max_size=60))
def test_any_text_is_normalized_or_rejected(text: str) -> None:
    for candidate in (text, f"http://{text}"):
        try:
            once = normalise_url(candidate)
        except InvalidURLError:
            continue
        assert normalise_url(once) == once


@given(
    st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4).flatmap(
        lambda numbers: st.tuples(
            *(st.sampled_from([str(n), f"0x{n:x}", f"0X{n:X}", f"0{n:o}", f"{n & 255}"]) for n in numbers)
        )
    )
)
def test_ipv4_spellings_agree_with_the_system(parts: tuple[str, ...]) -> None:
    text = ".".join(parts)
    try:
        expected = str(IPv4Address(socket.inet_aton(text)))
    except OSError:
        with pytest.raises(InvalidURLError):
            normalise_host(text)
    else:
        assert normalise_host(text) == expected


def test_join_resolves_against_the_page() -> None:
    assert join_url("http://example.com/a/b?q", "../c#d") == "http://example.com/c"
    assert join_url("http://example.com/a", "//other.example/x") == "http://other.example/x"
    assert join_url("http://example.com/a/b", "..\\c?d=\\e") == "http://example.com/c?d=%5Ce"
    assert join_url("http://example.com/a", "\\\\other.example\\x") == "http://other.example/x"
    with pytest.raises(InvalidURLError):
        join_url("http://example.com/", "mailto:someone@example.com")
    with pytest.raises(InvalidURLError):
        join_url("http://example.com/", "http://[::1")


def test_parts_and_sites() -> None:
    assert host_of("http://[::1]:8080/x") == "::1"
    assert origin_of("https://example.com:444/x?y") == "https://example.com:444"
    assert same_site("http://www.example.com/a", "https://example.com/b")
    assert not same_site("http://example.com/", "http://example.com:8080/")
    assert not same_site("http://docs.example.com/", "http://example.com/")
