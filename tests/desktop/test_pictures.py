"""Saved images in the preview: painted from their stored bytes above their captions, reachable by mouse and keyboard, never loaded."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import caps
from app.desktop.preview import pictures as module
from app.desktop.preview.pictures import PictureDialog, ShownPictures, number_of
from app.desktop.preview.view import Preview
from app.desktop.theme import Appearance, theme
from app.library.records import ImageRecord, KeptPicture, LinkRecord
from tests.desktop.window import write_all

pytestmark = pytest.mark.styled

URL = "https://example.org/pump.png"
TEXT = "# Pumps\n\nBefore it.\n\nBehind it."


def encoded(width: int, height: int, colour: str = "#1060c0", format: str = "PNG", mode: str = "RGB") -> bytes:
    made = io.BytesIO()
    Image.new(mode, (width, height), colour).save(made, format)
    return made.getvalue()


def kept(width: int = 200, height: int = 100, colour: str = "#1060c0", url: str = URL) -> dict[str, KeptPicture]:
    return {url: KeptPicture(url, "image/png", width, height, encoded(width, height, colour))}


def image(caption: str = "The upper basin", url: str = URL) -> ImageRecord:
    return ImageRecord(url, "Pump", caption, TEXT.index("Behind"))


@pytest.fixture
def preview(qtbot: QtBot) -> Iterator[Preview]:
    made = Preview("Text")
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    yield made
    for dialog in made.findChildren(PictureDialog):
        dialog.close()


def colours_in(preview: Preview) -> set[str]:
    shown = preview.viewport().grab().toImage()
    return {shown.pixelColor(x, y).name() for x in range(0, shown.width(), 5) for y in range(0, shown.height(), 5)}


def show(preview: Preview, text: str, *more: Any) -> None:
    """Show a page and write it to its end."""
    preview.show_text(text, *more)
    write_all(preview)
    QApplication.processEvents()


def centre(preview: Preview, number: int = 0) -> QPoint:
    found = module.places(preview.document(), preview._pictures, preview._view())
    return next(area.center().toPoint() for each, area in found if each == number)


def test_a_saved_image_is_painted_above_its_caption(preview: Preview) -> None:
    show(preview, TEXT, (), [image()], kept())
    assert "#1060c0" in colours_in(preview)
    lines = preview.toPlainText().splitlines()
    assert lines == ["Pumps", "Before it.", "The upper basin", "Behind it."]
    assert preview.picture_at(centre(preview)) == 0
    assert preview.picture_at(QPoint(3, 3)) == -1


def test_without_its_bytes_an_image_is_shown_as_text(preview: Preview) -> None:
    show(preview, TEXT, (), [image(), image("", "https://example.org/none.png")], kept(url="https://other.example/"))
    assert "Image, not saved: The upper basin" in preview.toPlainText()
    assert "#1060c0" not in colours_in(preview)


@pytest.mark.parametrize(("width", "height"), [(1_600, 400), (300, 1_600)])
def test_an_image_is_at_most_as_wide_as_the_column(preview: Preview, qtbot: QtBot, width: int, height: int) -> None:
    show(preview, TEXT, (), [image()], kept(width, height))
    for column in (500, 300):
        preview.resize(column, 400)
        block = preview.document().findBlockByNumber(2)
        qtbot.waitUntil(lambda: preview.document().findBlockByNumber(2).isValid(), timeout=60_000)
        expected = ShownPictures([image()], kept(width, height)).size(0, preview._room()).height()
        qtbot.waitUntil(
            lambda: abs(preview.document().findBlockByNumber(2).blockFormat().topMargin() - expected) < 20,  # noqa: B023
            timeout=60_000,
        )
        assert block.blockFormat().leftMargin() == 0
        assert preview.horizontalScrollBar().maximum() == 0
        assert expected <= module.MAX_HEIGHT


def test_a_caption_repeated_in_the_text_is_shown_once(preview: Preview) -> None:
    show(preview, TEXT, (), [image("Behind  it.")], kept())
    assert preview.toPlainText().count("Behind it.") == 1
    assert "Show the image on its own" in preview.toPlainText()


def test_highlights_are_at_the_same_text_with_and_without_images(preview: Preview) -> None:
    start = TEXT.index("Behind it")
    show(preview, TEXT, [LinkRecord("https://a.example/", "", start, start + 6)], [image()], kept())
    preview.set_marks([(start, start + len("Behind it."))])
    (selection,) = preview.extraSelections()
    assert selection.cursor.selectedText() == "Behind it."


def test_a_click_or_enter_shows_an_image_on_its_own(preview: Preview, qtbot: QtBot) -> None:
    show(preview, TEXT, (), [image()], kept())
    QTest.mouseClick(preview.viewport(), Qt.MouseButton.LeftButton, pos=centre(preview))
    (dialog,) = preview.findChildren(PictureDialog)
    assert dialog.view.accessibleName() == "The upper basin"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not preview.findChildren(PictureDialog), timeout=60_000)

    preview.setFocus()
    QTest.keyClick(preview, Qt.Key.Key_Tab)
    QTest.keyClick(preview, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(preview.findChildren(PictureDialog)), timeout=60_000)
    QTest.keyClick(preview.findChildren(PictureDialog)[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not preview.findChildren(PictureDialog), timeout=60_000)


def test_the_address_of_an_image_opens_nothing_else(preview: Preview, qtbot: QtBot) -> None:
    followed: list[str] = []
    preview.link_clicked.connect(followed.append)
    show(preview, "[here](picture:0) and [there](picture:99) and [file](picture:/etc/passwd)", (), [image()], kept())
    for address in ("picture:0", "picture:99"):
        preview.anchorClicked.emit(QUrl(address))
    assert not followed and len(preview.findChildren(PictureDialog)) == 1
    assert [number_of(text) for text in ("picture:", "picture:-1", "picture:٣", "picture:77777", "https://a/1")] == [
        -1
    ] * 5


@pytest.mark.parametrize(
    "stored",
    [
        KeptPicture(URL, "image/svg+xml", 40, 40, b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'),
        KeptPicture(URL, "image/png", 40, 40, b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'),
        KeptPicture(URL, "image/png", 40, 40, encoded(40, 40, format="JPEG")),
        KeptPicture(URL, "image/png", 40, 40, encoded(41, 40)),
        KeptPicture(URL, "image/png", 4_000, 40, encoded(4_000, 40)),
        KeptPicture(URL, "image/png", 40, 40, encoded(40, 40)[:60]),
        KeptPicture(URL, "image/png", 40, 40, b""),
    ],
    ids=range(7),
)
def test_bytes_that_differ_from_the_stored_ones_are_not_decoded(preview: Preview, stored: KeptPicture) -> None:
    shown = ShownPictures([image()], {URL: stored})
    assert shown.image(0).isNull() or not stored.content.startswith(b"<svg")
    if len(stored.content) != 60:
        assert shown.image(0).isNull()
    show(preview, TEXT, (), [image()], {URL: stored})
    colours_in(preview)
    preview.open_picture(0)
    assert "The upper basin" in preview.toPlainText()


def test_nothing_is_ever_loaded_for_a_page_with_images(preview: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
    show(preview, TEXT + "\n\n![x](file:///etc/passwd)", (), [image()], kept())
    document = preview.document()
    for address in (URL, "file:///etc/passwd", "picture:0"):
        assert not document.resource(int(QTextDocument.ResourceType.ImageResource.value), QUrl(address))


def test_transparent_images_have_a_white_background_in_dark_mode(preview: Preview) -> None:
    see_through = KeptPicture(URL, "image/png", 200, 100, encoded(200, 100, "#00000000", mode="RGBA"))
    theme().select(Appearance.DARK)
    try:
        show(preview, TEXT, (), [image()], {URL: see_through})
        assert "#ffffff" in colours_in(preview)
    finally:
        theme().select(Appearance.LIGHT)
        QApplication.processEvents()


def test_images_that_arrive_later_appear_in_place(preview: Preview) -> None:
    show(preview, TEXT, (), [image()])
    preview.show_pictures(kept())
    write_all(preview)
    QApplication.processEvents()
    assert "#1060c0" in colours_in(preview)


def test_decoded_images_stay_within_the_memory_limit(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(module, "MAX_DECODED_BYTES", 2 * 200 * 100 * 4)
    images = [image(url=f"https://example.org/{number}.png") for number in range(9)]
    shown = ShownPictures(images, {each.url: next(iter(kept(url=each.url).values())) for each in images})
    for number in range(9):
        assert not shown.pixmap(number, shown.size(number, 500), 1.0).isNull()
    assert len(shown._ready) == 2


def test_only_the_saved_images_of_many_are_shown(preview: Preview) -> None:
    text = "\n\n".join(f"Paragraph {number} of the page." for number in range(300))
    images = [ImageRecord(f"https://example.org/{n}.png", "", "", text.index(f"Paragraph {n} ")) for n in range(200)]
    pictures = {each.url: next(iter(kept(url=each.url).values())) for each in images[: caps.MAX_PICTURES_KEPT_PER_PAGE]}
    show(preview, text, (), images, pictures)
    words = preview.toPlainText()
    assert words.count("Image without a description\n") == caps.MAX_PICTURES_KEPT_PER_PAGE
    assert words.count("not saved") == 200 - caps.MAX_PICTURES_KEPT_PER_PAGE
    assert "#1060c0" in colours_in(preview)


def test_a_page_shown_for_the_first_time_starts_at_its_beginning(qtbot: QtBot) -> None:
    made = Preview("Text")
    qtbot.addWidget(made)
    made.resize(300, 200)
    show(made, f"{TEXT}\n\n" * 40, (), [image()], kept())
    made.show()
    qtbot.waitExposed(made)
    assert made.verticalScrollBar().value() == 0
    assert (made.textCursor().position(), made.textCursor().hasSelection()) == (0, False)
