"""Saved images of a page, painted above their captions in the text, or in a separate dialog.

A sandboxed process has re-encoded the images. Only PNG and JPEG of the stored size are decoded, nothing is loaded from elsewhere, and only
visible images are decoded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import caps
from app.desktop.panels import Dialog
from app.desktop.preview.looks import PICTURE_PROPERTY, visible_blocks
from app.desktop.theme import colours, fill_shape
from app.desktop.tokens import L
from app.desktop.widgets import label
from app.library.records import ImageRecord, KeptPicture

MAX_HEIGHT: Final = 720.0  # Maximum height of an image in the text. Its dialog shows it in full.
MAX_DECODED_BYTES: Final = 24 * caps.MIB  # Limit for decoded images. The least recently seen ones are dropped.
SCHEME: Final = "picture:"
"""With the number of an image: the address of its caption, so that Tab and Enter reach it too."""
PAPER: Final = QtGui.QColor("#ffffff")  # Background of transparent images, because most are drawn for white.
RADIUS: Final = 6.0
GAP: Final = 6.0  # Space between an image and its caption.
_FORMATS: Final = {"image/png": b"png", "image/jpeg": b"jpeg"}


class ShownPictures:
    """The images of one page, in the order of the page."""

    def __init__(self, images: Sequence[ImageRecord] = (), kept: Mapping[str, KeptPicture] | None = None) -> None:
        self._kept = [(kept or {}).get(image.url) for image in images]
        self._images = images
        self._ready: OrderedDict[tuple[int, int, int], QtGui.QPixmap] = OrderedDict()

    def __contains__(self, number: int) -> bool:
        return 0 <= number < len(self._kept) and self._kept[number] is not None

    def words(self, number: int) -> str:
        """Return the caption or description of an image."""
        image = self._images[number]
        return " ".join((image.caption or image.alt).split())

    def size(self, number: int, room: float) -> QSizeF:
        """Return the shown size of an image for an available width, in device-independent pixels."""
        kept = self._kept[number]
        if kept is None:
            return QSizeF()
        scale = min(1.0, room / kept.width, MAX_HEIGHT / kept.height)
        return QSizeF(kept.width * scale, kept.height * scale)

    def pixmap(self, number: int, size: QSizeF, ratio: float) -> QtGui.QPixmap:
        """Return the image in a size and pixel ratio. Null if it cannot be decoded."""
        key = (number, round(size.width() * ratio), round(size.height() * ratio))
        if key not in self._ready:
            made = QtGui.QPixmap.fromImage(self.image(number, QSize(key[1], key[2])))
            made.setDevicePixelRatio(ratio)
            self._ready[key] = made
        self._ready.move_to_end(key)
        size_of = lambda each: each.width() * each.height() * 4  # noqa: E731
        while len(self._ready) > 1 and sum(map(size_of, self._ready.values())) > MAX_DECODED_BYTES:
            self._ready.popitem(last=False)
        return self._ready[key]

    def image(self, number: int, size: QSize | None = None) -> QtGui.QImage:
        """Return the decoded image. Null if it does not match what was stored."""
        kept = self._kept[number]
        if kept is None or kept.media_type not in _FORMATS:
            return QtGui.QImage()
        buffer = QBuffer()
        buffer.setData(QByteArray(kept.content))
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        reader = QtGui.QImageReader(buffer, QByteArray(_FORMATS[kept.media_type]))
        reader.setDecideFormatFromContent(False)
        is_small = max(kept.width, kept.height) <= caps.MAX_PICTURE_SIDE
        if not is_small or reader.size() != QSize(kept.width, kept.height):
            return QtGui.QImage()
        made = reader.read()
        if made.isNull() or size is None or size == made.size():
            return made
        return made.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def number_of(address: str) -> int:
    """Return the number of the image that an address refers to, or -1."""
    rest = address.removeprefix(SCHEME)
    return int(rest) if rest != address and rest.isascii() and rest.isdigit() and len(rest) < 5 else -1


def places(document: QtGui.QTextDocument, shown: ShownPictures, view: QRectF) -> Iterator[tuple[int, QRectF]]:
    """Yield the images between two vertical positions of the document with their areas, above their captions."""
    margin = document.documentMargin()
    for block, area in visible_blocks(document, view.top(), view.bottom()):
        look = block.blockFormat()
        if not look.hasProperty(PICTURE_PROPERTY):
            continue
        number = look.intProperty(PICTURE_PROPERTY)
        left = margin + look.leftMargin()
        size = shown.size(number, view.width() - left - margin)
        yield number, QRectF(QPointF(left, area.top() - GAP - size.height()), size)


def paint_pictures(painter: QtGui.QPainter, document: QtGui.QTextDocument, shown: ShownPictures, view: QRectF) -> None:
    ratio = painter.device().devicePixelRatioF()
    for number, area in places(document, shown, view):
        if area.bottom() < view.top() or area.top() > view.bottom():
            continue
        paint_picture(painter, shown.pixmap(number, area.size(), ratio), area)


def paint_picture(painter: QtGui.QPainter, pixmap: QtGui.QPixmap, area: QRectF) -> None:
    """Paint an image on white if it is transparent, with a hairline."""
    path = QtGui.QPainterPath()
    path.addRoundedRect(area, RADIUS, RADIUS)
    painter.save()
    painter.setRenderHints(QtGui.QPainter.RenderHint.Antialiasing | QtGui.QPainter.RenderHint.SmoothPixmapTransform)
    painter.setClipPath(path)
    if pixmap.isNull() or pixmap.hasAlphaChannel():
        painter.fillRect(area, QtGui.QColor(colours().sunken) if pixmap.isNull() else PAPER)
    if not pixmap.isNull():
        painter.drawPixmap(area, pixmap, QRectF(pixmap.rect()))
    painter.restore()
    fill_shape(painter, area, "", RADIUS, edge=colours().border)


class PictureView(QWidget):
    """One image as large as possible, but not enlarged."""

    def __init__(self, image: QtGui.QImage, name: str) -> None:
        super().__init__()
        self._pixmap = QtGui.QPixmap.fromImage(image)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return self._pixmap.size()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        fitted = QSizeF(self._pixmap.size())
        if fitted.width() > self.width() or fitted.height() > self.height():
            fitted.scale(QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (self.width() - fitted.width()) / 2, (self.height() - fitted.height()) / 2
        painter = QtGui.QPainter(self)
        paint_picture(painter, self._pixmap, QRectF(QPointF(left, top), fitted).adjusted(0.5, 0.5, -0.5, -0.5))


class PictureDialog(Dialog):
    """An image with its caption. A click, Esc or Enter closes it."""

    def __init__(self, image: QtGui.QImage, words: str, parent: QWidget) -> None:
        super().__init__(parent, self.tr("Image"))
        self.view = PictureView(image, words or self.tr("Image without a description"))
        told = [label(words, "muted", wrap=True)] if words else []
        self.lay_out((self.view, 1), *told, margins=(L, L, L, L))
        room = self.screen().availableSize() * 0.9
        self.resize(self.sizeHint().boundedTo(room))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, _event: QtGui.QMouseEvent) -> None:
        self.accept()
