"""Files inside other files: members of archives and attachments of emails are sections with their place."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from app.errors import ContentProtectedError, UnsupportedContentError
from app.extract import Page, extract, members
from app.extract.office import readers
from tests.extract.office.files import packed, paragraph, word
from tests.extract.pages import check_offsets


def read(body: bytes, name: str, content_type: str = "") -> Page:
    page = extract(body, url=f"file:///files/{name}", content_type=content_type, charset=None)
    check_offsets(page)
    return page


def test_the_files_of_an_archive_are_sections_below_their_names() -> None:
    page = read(
        packed(
            {
                "docs/b.md": "# Care\n\nSee [the site](https://example.org/).\n\n###### Deep\n\nEnd.",
                "docs/a.docx": word(paragraph("A valve opens slowly.")),
                "docs/logo.png": b"\x89PNG",
                ".git/config": "secret",
                "../outside.md": "# Outside",
                "empty.md": "",
            }
        ),
        "set.zip",
        "application/zip",
    )
    assert page.text == (
        "# docs/a.docx\n\nA valve opens slowly.\n\n# docs/b.md\n\n## Care\n\nSee the site.\n\n###### Deep\n\nEnd."
    )
    assert [(section.level, section.heading, section.anchor) for section in page.sections] == [
        (1, "docs/a.docx", "path=docs/a.docx"),
        (1, "docs/b.md", "path=docs/b.md"),
        (2, "Care", "path=docs/b.md&care"),
        (6, "Deep", "path=docs/b.md&deep"),
    ]
    assert [page.text[link.start : link.end] for link in page.links] == ["the site"]
    assert page.note == ("1 file skipped: 1 image. Skipped damaged, empty or too large files in the archive: 2.")


def test_an_archive_in_an_archive_is_read_once() -> None:
    innermost = packed({"deepest.md": "Too deep."})
    inner = packed({"c.zip": innermost, "inner.md": "Inside."})
    page = read(packed({"b.zip": inner}), "a.zip")
    assert page.text == "# b.zip\n\n## inner.md\n\nInside."
    assert [section.anchor for section in page.sections] == ["path=b.zip", "path=b.zip&path=inner.md"]


def test_an_archive_without_readable_files_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedContentError, match="does not contain files"):
        read(packed({"a.png": b"\x89PNG"}), "a.zip")
    monkeypatch.setattr(readers, "MAX_MEMBERS", 2)
    page = read(packed({f"{number}.md": "Words." for number in range(5)}), "a.zip")
    assert page.text.count("Words.") == 2 and page.note.endswith("archive: 3.")


def test_attachments_of_an_email_are_sections() -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "Pumps"
    mail["Date"] = "Tue, 04 Mar 2025 10:00:00 +0000"
    mail.set_content("See the file.\n")
    mail.add_attachment(
        word(paragraph("A valve opens slowly.")), maintype="application", subtype="x", filename="care.docx"
    )
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="logo.png")
    mail.add_attachment(b"not a document", maintype="application", subtype="x", filename="bad.docx")
    page = read(mail.as_bytes(), "a.eml", "message/rfc822")
    assert page.text.endswith("See the file.\n\n## Attachment: care.docx\n\nA valve opens slowly.")
    assert "- Attachments: care.docx, logo.png, bad.docx" in page.text
    assert page.note == "Skipped damaged, empty or too large attachments: 1."
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("Attachment: care.docx", "attachment=1")
    ]


def test_forwarded_messages_and_named_parts_are_attachments() -> None:
    inner = EmailMessage()
    inner["From"], inner["To"], inner["Subject"] = "c@example.org", "a@example.org", "Offer"
    inner.set_content("The pump costs 90.\n")
    inner.add_attachment(packed({"a.md": "Packed."}), maintype="application", subtype="zip", filename="a.zip")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "Fwd"
    mail.set_content("See below.\n")
    mail.add_attachment(inner)
    mail.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="t.csv", disposition="inline")
    mail.add_attachment("And the signature.\n", disposition="inline")
    box = b"From a\n" + mail.as_bytes() + b"\nFrom b\n" + mail.as_bytes()
    page = read(box, "a.mbox")
    alone = EmailMessage()
    alone["From"], alone["To"], alone["Subject"] = "a@example.org", "b@example.org", "Fwd"
    alone.add_attachment(inner)
    assert "The pump costs 90." in read(alone.as_bytes(), "a.eml", "message/rfc822").text
    first = page.text.split("## Fwd\n\n")[1]
    assert "- Attachments: Offer, t.csv\n\nSee below.\n\n\nAnd the signature.\n\n#### Attachment: Offer" in first
    assert "The pump costs 90." in first and "| 1 | 2 |" in first and "Packed." not in first
    assert [each.anchor for each in page.sections][:3] == [
        "message=1",
        "message=1&attachment=1",
        "message=1&attachment=2",
    ]


def test_a_defect_of_one_reader_and_too_little_time_do_not_lose_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Page:
        raise KeyError("defect")

    monkeypatch.setattr("app.extract.latex.extract_latex", fail)
    page = read(packed({"a.md": "Words.", "b.tex": "odd", "c.md": "More."}), "a.zip")
    assert page.text == "# a.md\n\nWords.\n\n# c.md\n\nMore."
    assert page.note == "Skipped damaged, empty or too large files in the archive: 1."
    times = iter([0.0, 1.0, 1_000.0, 1_000.0, 1_000.0])
    monkeypatch.setattr(members, "process_time", lambda: next(times))
    page = read(packed({"a.md": "Words.", "b.md": "Late.", "c.md": "Later."}), "a.zip")
    assert page.text == "# a.md\n\nWords." and page.note.endswith("archive: 2.")


def test_every_file_of_an_archive_is_read_or_counted() -> None:
    page = read(packed(dict.fromkeys(("README.txt", "readme.txt", "a\n# b.txt", "../up.txt"), "Text")), "a.zip")
    assert [section.heading for section in page.sections] == ["README.txt", "a # b.txt", "readme.txt"]
    assert page.note == "Skipped damaged, empty or too large files in the archive: 1."


def test_notes_of_members_are_kept() -> None:
    page = read(packed({"a.csv": ",".join(["x"] * 300)}), "a.zip")
    assert page.note == "Only the first 256 columns were read."


def test_an_archive_with_a_password_is_not_called_empty() -> None:
    body = bytearray(packed({"a.txt": "Text"}))
    body[body.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ContentProtectedError):
        read(bytes(body), "a.zip")
