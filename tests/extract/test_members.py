"""Files inside other files: members of archives and attachments of emails are sections with their place."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from app.errors import UnsupportedContentError
from app.extract import Page, extract
from app.extract.office import archive
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
    assert page.note == ("1 file skipped: 1 image. Skipped damaged, empty or too large files in the archive: 1.")


def test_an_archive_in_an_archive_is_read_once() -> None:
    innermost = packed({"deepest.md": "Too deep."})
    inner = packed({"c.zip": innermost, "inner.md": "Inside."})
    page = read(packed({"b.zip": inner}), "a.zip")
    assert page.text == "# b.zip\n\n## inner.md\n\nInside."
    assert [section.anchor for section in page.sections] == ["path=b.zip", "path=b.zip&path=inner.md"]


def test_an_archive_without_readable_files_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedContentError, match="does not contain files"):
        read(packed({"a.png": b"\x89PNG"}), "a.zip")
    monkeypatch.setattr(archive, "MAX_MEMBERS", 2)
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
    assert [(section.heading, section.anchor) for section in page.sections] == [
        ("Attachment: care.docx", "attachment=1")
    ]
