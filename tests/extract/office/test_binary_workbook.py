"""Binary workbooks, and old Office formats that are rejected by name."""

from __future__ import annotations

import pytest

from app.errors import ContentProtectedError, EmptyPageError, UnsupportedContentError
from tests.extract.office.files import binary_workbook, compound, old_workbook, read
from tests.extract.pages import check_offsets


def test_an_old_workbook_is_read_with_its_rows() -> None:
    page = read(old_workbook((2, 1, "Name"), (2, 2, "Share"), (3, 1, "Änne"), (3, 2, 0.25), (4, 2, 12.0)))
    check_offsets(page)
    assert page.text == (
        "## Prices\n\n### Prices, rows 3–5\n\n|  | Name | Share |\n| --- | --- | --- |\n|  | Änne | 0.25 |\n|  |  | 12 |"
    )
    assert [section.anchor for section in page.sections] == ["sheet=Prices", "sheet=Prices&range=A3:C5"]


def test_a_binary_workbook_is_read_with_its_rows() -> None:
    page = read(binary_workbook((0, 0, 1.5), (0, 1, 2.0), (1, 0, 3.0)))
    assert page.text == "## Prices\n\n### Prices, rows 1–2\n\n| 1.5 | 2 |\n| --- | --- |\n| 3 |  |"


def test_hidden_sheets_are_skipped() -> None:
    with pytest.raises(EmptyPageError):
        read(old_workbook((0, 0, "secret"), hidden=1))


def test_two_far_cells_are_rejected_before_their_rectangle_is_allocated() -> None:
    with pytest.raises(UnsupportedContentError):
        read(binary_workbook((0, 0, 1.0), (1_048_575, 16_383, 1.0)))
    with pytest.raises(UnsupportedContentError, match="too large"):
        read(old_workbook((0, 0, 1.0), (65_535, 255, 1.0)))


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        ("WordDocument", "old Word format"),
        ("PowerPoint Document", "old PowerPoint format"),
        ("__properties_version1.0", "Outlook message"),
        ("Other", "old Office format"),
    ],
)
def test_old_formats_are_rejected_by_name_with_a_hint(stream: str, words: str) -> None:
    with pytest.raises(UnsupportedContentError, match=words) as caught:
        read(compound(stream, b"x"))
    assert caught.value.hint.startswith(("Open it in", "Save "))


def test_a_password_and_damage_are_different_errors() -> None:
    with pytest.raises(ContentProtectedError):
        read(compound("EncryptedPackage", b"x"))
    with pytest.raises(UnsupportedContentError, match="damaged"):
        read(compound("Workbook", b"\xff" * 5_000))
    for first in (b"\x09\x08\x10\x00" + b"\x00" * 16, b"\x09\x08\x08\x00" + b"\x00" * 8 + b"\x86\x00\x00\x00"):
        with pytest.raises(ContentProtectedError, match="password"):
            read(compound("Workbook", first + b"\x2f\x00\x36\x00" + b"\xff" * 5_000))
