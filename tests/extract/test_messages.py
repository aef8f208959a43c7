"""Emails and mailboxes: headers, attachments, messages as sections."""

from __future__ import annotations

import contextlib
import time

import pytest

from app.errors import EmptyPageError
from app.extract import Page, extract

HEAD = "From: Ann <ann@a.example>\nTo: Bob <bob@b.example>\nDate: Tue, 05 Mar 2024 10:00:00 +0100\n"


def read(text: str, name: str = "m.eml", kind: str = "message/rfc822") -> Page:
    page = extract(text.encode(), url=f"file:///files/{name}", content_type=kind, charset=None)
    for link in page.links:
        assert page.text[link.start : link.end] == link.text
    for section in page.sections:
        assert page.text[section.start :].startswith(f"{'#' * section.level} {section.heading}\n")
    return page


def test_an_email_begins_with_its_sender_and_date() -> None:
    page = read(f"{HEAD}Subject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=\n\nSee https://a.example/x for it.\n")
    assert page.text == (
        "- From: Ann <ann@a.example>\n- To: Bob <bob@b.example>\n- Date: Tue, 05 Mar 2024 10:00:00 +0100\n\n"
        "See https://a.example/x for it."
    )
    assert (page.title, page.published) == ("Größe", "2024-03-05")
    assert [link.url for link in page.links] == ["https://a.example/x"]


def test_attachments_are_named_and_read() -> None:
    text = (
        f'{HEAD}Content-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: text/html\n\n<h1>Offer</h1><p>See it.</p>\n'
        '--B\nContent-Type: text/plain\nContent-Disposition: attachment; filename="terms.txt"\n\nSecret terms\n--B--\n'
    )
    page = read(text)
    assert "- Attachments: terms.txt\n\n# Offer\n\nSee it." in page.text
    assert page.text.endswith("## Attachment: terms.txt\n\nSecret terms")


@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_headers_are_read_without_an_encoding(charset: str) -> None:
    head = HEAD.replace("Ann <", "Jürgen Köhler, =?utf-8?Q?B=C3=A4cker?= <")
    kind = 'Content-Type: multipart/mixed; boundary="B"'
    part = '--B\nContent-Type: application/x\nContent-Disposition: attachment; filename="Größe.txt"\n\nSize\n--B--\n'
    body = f"{head}Subject: Grüße aus Köln\n{kind}\n\n{part}".encode(charset)
    page = extract(body, url="file:///files/m.eml", content_type="message/rfc822", charset=None)
    assert page.title == "Grüße aus Köln"
    assert page.text.startswith("- From: Jürgen Köhler, Bäcker <ann@a.example>\n")
    assert page.text.endswith("- Attachments: Größe.txt\n\n## Attachment: Größe.txt\n\nSize")


def test_attachments_with_encoded_names_are_read() -> None:
    name = "=?utf-8?Q?Gr=C3=B6=C3=9Fe=2Etxt?="
    part = f'--B\nContent-Type: application/x\nContent-Disposition: attachment; filename="{name}"\n\nSize\n--B--\n'
    page = read(f'{HEAD}Content-Type: multipart/mixed; boundary="B"\n\n{part}')
    assert page.text.endswith("- Attachments: Größe.txt\n\n## Attachment: Größe.txt\n\nSize")


@pytest.mark.parametrize("date", ["", "Date: never\n", "Date: Tue, 99 Mar 99999 10:00\n"])
def test_odd_dates_are_ignored(date: str) -> None:
    page = read(f"From: a@b.example\nTo: c@d.example\n{date}\nText.\n")
    assert page.text.endswith("\n\nText.")
    assert page.published is None


def test_a_mailbox_is_a_page_with_a_section_for_each_message() -> None:
    box = (
        f"From ann Tue Mar  5 10:00:00 2024\n{HEAD}Subject: One\n\nFirst https://a.example/\n\n>From here on.\n\n"
        f"From bob Wed Mar  6 10:00:00 2024\n{HEAD}Subject: Two\n\nSecond https://b.example/\n"
    )
    page = read(box, "all.mbox", "")
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("One", "message=1"),
        ("Two", "message=2"),
    ]
    assert "\nFrom here on." in page.text
    assert [link.url for link in page.links] == ["https://a.example/", "https://b.example/"]


def test_messages_without_text_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.extract.messages.MAX_MESSAGES", 2)
    one = f"From a b\n{HEAD}Subject: S\n\nText.\n\n"
    page = read(f"{one}From a b\n{HEAD}\n\n\n{one}", "a.mbox", "application/mbox")
    assert len(page.sections) == 1
    assert page.note == "Skipped messages: 2."


@pytest.mark.parametrize("text", ["", "From a\n", f"From a\n{HEAD}\n"])
def test_a_mailbox_without_messages_is_empty(text: str) -> None:
    with pytest.raises(EmptyPageError):
        read(text, "a.mbox", "application/mbox")
    assert read("no mailbox", "a.mbox", "application/mbox").text == "no mailbox"


@pytest.mark.parametrize("unit", ["From \n", "\n\nFrom a\n", ">", "\n>From ", "\n\n"])
def test_odd_mailboxes_take_no_longer_than_their_size(unit: str) -> None:
    start = time.process_time()
    with contextlib.suppress(EmptyPageError):
        read("From a\n" + unit * (400_000 // len(unit)), "a.mbox", "application/mbox")
    assert time.process_time() - start < 8


def test_a_message_of_too_deep_parts_is_left_out() -> None:
    parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(5_000))
    head = "From a@example.com Mon Jan  1 00:00:00 2024\nSubject: s\n"
    body = f"{head}\nReadable words\n\n{head}{parts}Content-Type: text/plain\n\ninside\n".encode()
    page = extract(body, url="file:///m.mbox", content_type="application/mbox", charset=None)
    assert "Readable words" in page.text
    assert page.note == "Skipped messages: 1."


def parts(*bodies: str, kind: str = "mixed") -> str:
    return (
        f"{HEAD}Content-Type: multipart/{kind}; boundary=B\n\n"
        + "".join(f"--B\n{each}\n" for each in bodies)
        + "--B--\n"
    )


HTML = "Content-Type: text/html\n\n"
PLAIN = "Content-Type: text/plain\n\n"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (parts(f"{HTML}<p>One</p>", f"{HTML}<p>Two</p>", f"{PLAIN}List\nfooter"), "One\n\nTwo\n\nList\nfooter"),
        (parts(f"{PLAIN}Said", f"{HTML}<p>Said <b>so</b></p>", kind="alternative"), "Said **so**"),
        (parts(f"{PLAIN}Said", f"{HTML}<html><body> </body></html>", kind="alternative"), "Said"),
        (
            parts("Content-Disposition: attachment; filename=a.txt\n\nScan"),
            "Attachments: a.txt\n\n## Attachment: a.txt\n\nScan",
        ),
        (parts(f"{PLAIN}Said").replace("--B", "--C"), f"--C\n{PLAIN}Said\n--C--"),
        (f"{HEAD}Content-Type: multipart/mixed\n\nSaid", "Said"),
        (f"{HEAD}Content-Type: text/markdown\n\nSaid", "Said"),
    ],
)
def test_no_text_of_an_email_is_lost(message: str, text: str) -> None:
    assert read(message).text.endswith(f"+0100\n\n{text}" if "Attachments" not in text else f"+0100\n- {text}")


def test_an_email_without_text_is_not_called_a_web_page() -> None:
    with pytest.raises(EmptyPageError, match="has no readable text"):
        read(parts("Content-Disposition: attachment; filename=a.bin\n\n\0"))


def test_a_line_of_text_does_not_begin_a_message() -> None:
    page = read(f"From ann Tue Mar  5 10:00:00 2024\n{HEAD}\nOne\n\nFrom here on, it is text.\nTwo\n", "all.mbox", "")
    assert len(page.sections) == 1 and page.text.endswith("One\n\nFrom here on, it is text.\nTwo")
