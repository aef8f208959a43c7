"""Pages without content: the error or the note gives the reason."""

from __future__ import annotations

import pytest

from app.errors import ContentProtectedError, EmptyPageError, SkeletonPageError, UnsupportedContentError
from app.extract import extract
from tests.extract.pages import html_page

SCRIPT = '<script src="/app.js"></script>'


def test_a_sign_in_wall_is_protected_content() -> None:
    with pytest.raises(ContentProtectedError, match="sign in"):
        html_page("<form><h1>Sign in to continue</h1><input name=user><input type=password><button>Go</button></form>")


def test_a_page_with_a_sign_in_form_and_text_is_read() -> None:
    page = html_page(f"<form>Log in <input type=password></form><main>{'<p>words of a real page</p>' * 40}</main>")
    assert "words of a real page" in page.text


@pytest.mark.parametrize(
    "body",
    [
        f'<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>{SCRIPT}',
        f'<div id="__next"></div>{SCRIPT}',
    ],
)
def test_a_skeleton_without_text_is_empty_with_a_reason(body: str) -> None:
    with pytest.raises(SkeletonPageError, match="JavaScript"):
        html_page(body)


def test_a_skeleton_with_some_text_gets_a_note() -> None:
    page = html_page(f'<div id="app"><p>Loading the documentation</p></div>{SCRIPT}')
    assert page.text == "Loading the documentation"
    assert "JavaScript" in page.note


def test_text_in_noscript_is_read_when_it_is_the_page() -> None:
    posts = "<p>A long answer for readers without scripts.</p>" * 30
    page = html_page(f"<noscript><main><h1>Thread</h1>{posts}</main></noscript>{SCRIPT}")
    assert page.text.startswith("# Thread\n\nA long answer")
    assert page.note == ""


def test_a_soft_404_gets_a_note() -> None:
    body = b"<html><title>Page not found</title><body><h1>Oops</h1><p>We could not find that page.</p></body></html>"
    page = extract(body, url="https://h.example/x", content_type="text/html", charset=None)
    assert "not found" in page.note
    assert "not found" not in html_page("<main><h1>Error 404 explained</h1>" + "<p>long text about it</p>" * 60).note


CHECKS = [
    "<title>Just a moment...</title><h1>Checking your browser</h1><script src=/cdn-cgi/challenge-platform/x.js></script>",
    "<title>Are you a robot?</title><p>Confirm it below.</p><form><div class=g-recaptcha></div></form>",
    "<title>Making sure you&#39;re not a bot!</title><p>Loading</p><script src=/.within.website/x/cmd/anubis/main.mjs></script>",
    "<title>shop.example</title><p>Please enable JS and disable any ad blocker</p><script src=https://captcha-delivery.example/c.js></script>",
    "<title>Sorry</title><p>Our systems have detected unusual traffic.</p><form id=captcha-form></form>",
]
FAILURES = [
    "<title>Access Denied</title><h1>Access Denied</h1>Reference 18.2d",
    "<title>Error</title><h1>Internal Server Error</h1><p>Please try again later.</p>",
    "<br><b>Fatal error</b>: Uncaught PDOException in /var/www/index.php:12",
    "<title>Back soon</title><p>We are performing scheduled maintenance.</p>",
    "<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx",
]


@pytest.mark.parametrize("body", CHECKS)
def test_a_check_for_human_visitors_is_protected_content(body: str) -> None:
    with pytest.raises(ContentProtectedError, match="human"):
        html_page(body)


@pytest.mark.parametrize("body", FAILURES)
def test_a_failure_with_status_200_gets_a_note(body: str) -> None:
    assert "failure" in html_page(body).note


@pytest.mark.parametrize("body", [*CHECKS, *FAILURES])
def test_pages_about_checks_and_failures_have_no_note(body: str) -> None:
    page = html_page(
        f"<main>{body}{'<p>What it means, why it appears, and how administrators remove it.</p>' * 12}</main>"
    )
    assert page.note == "" and "administrators" in page.text


def test_a_contact_page_with_a_captcha_is_read() -> None:
    assert html_page("<h1>Contact</h1><p>Write to us.</p><form><div class=h-captcha></div></form>").note == ""


@pytest.mark.parametrize(
    "title", ["Seite existiert nicht", "Page introuvable", "Página no encontrada", "ページが見つかりません"]
)
def test_a_soft_404_is_recognized_in_other_languages(title: str) -> None:
    assert "not found" in html_page(f"<title>{title}</title><h1>{title}</h1><p>Home</p>").note


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.4\n1 0 obj", "application/pdf"),
        (b"%PDF-1.7 sent as a page", "text/html"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"PK\x03\x04....", "application/octet-stream"),
        (b"body { color: red }", "text/css"),
        (b'{"a": 1}', "application/json"),
        (bytes(range(32)) * 50, ""),
        (bytes(range(32)) * 50, "text/plain"),
        (bytes(range(32)) * 50, "text/markdown"),
    ],
)
def test_other_kinds_are_rejected_with_the_address(body: bytes, kind: str) -> None:
    with pytest.raises(UnsupportedContentError, match=r"h\.example"):
        extract(body, url="https://h.example/file", content_type=kind, charset=None)


@pytest.mark.parametrize("body", [b"", b" \n ", b"<html><body><p> </p></body></html>", b"<!-- nothing -->"])
def test_an_empty_body_is_an_error(body: bytes) -> None:
    with pytest.raises(EmptyPageError):
        extract(body, url="https://h.example/x", content_type="text/html", charset=None)


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("", "page", "# T"),
        ("application/octet-stream", "page", "# T"),
        ("text/plain", "page", "# T"),
        ("text/html; charset=utf-8", "page", "# T"),
        ("TEXT/HTML", "page", "# T"),
        ("application/xml", "page", "# T"),
    ],
)
def test_web_pages_are_recognized(kind: str, name: str, expected: str) -> None:
    body = b"<!DOCTYPE html><html><body><h1>T</h1></body></html>"
    assert extract(body, url=f"https://h.example/{name}", content_type=kind, charset=None).text == expected
