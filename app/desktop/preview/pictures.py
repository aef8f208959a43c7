"""Kept pictures of a page as they are shown: above their words, as wide as the column at most, and alone in a window of their own.

Their bytes were made by this program in the process for untrusted ones. Only PNG and JPEG are read here, of the size that was stored,
and nothing else is ever loaded. Decoded are those in view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QImageReader,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPixmap,
    QTextDocument,
)
from PySide6.QtWidgets import QDialog, QSizePolicy, QWidget

from app import caps
from app.desktop.painting import fill_shape
from app.desktop.preview.looks import PICTURE_PROPERTY, visible_blocks
from app.desktop.theme import colours
from app.desktop.tokens import L, M
from app.desktop.widgets import column, label

if TYPE_CHECKING:
    from app.library.records import ImageRecord, KeptPicture

MAX_HEIGHT: Final = 720.0
"""A picture in the text is not higher; its own window shows it whole."""
MAX_DECODED_BYTES: Final = 24 * caps.MIB
"""Of the pictures that are ready to be painted; what was seen longest ago goes."""
SCHEME: Final = "picture:"
"""With the number of a picture: the address of its words, so that Tab and Enter reach it too."""
PAPER: Final = QColor("#ffffff")
"""Behind transparent pictures: most are drawn for it."""
RADIUS: Final = 6.0
GAP: Final = 6.0
"""Between a picture and its words."""
_FORMATS: Final = {"image/png": b"png", "image/jpeg": b"jpeg"}


class ShownPictures:
    """The pictures of one page. They are numbered as the page has them."""

    def __init__(self, images: Sequence[ImageRecord] = (), kept: Mapping[str, KeptPicture] | None = None) -> None:
        self._kept = [(kept or {}).get(image.url) for image in images]
        self._images = images
        self._ready: OrderedDict[tuple[int, int, int], QPixmap] = OrderedDict()

    def __contains__(self, number: int) -> bool:
        return 0 <= number < len(self._kept) and self._kept[number] is not None

    def words(self, number: int) -> str:
        """What the page says of a picture."""
        image = self._images[number]
        return " ".join((image.caption or image.alt).split())

    def size(self, number: int, room: float) -> QSizeF:
        """How large it is shown where there is so much room, in device-independent pixels."""
        kept = self._kept[number]
        if kept is None:
            return QSizeF()
        scale = min(1.0, room / kept.width, MAX_HEIGHT / kept.height)
        return QSizeF(kept.width * scale, kept.height * scale)

    def pixmap(self, number: int, size: QSizeF, ratio: float) -> QPixmap:
        """The picture in this size on a screen with this ratio; a null one if it cannot be read."""
        key = (number, round(size.width() * ratio), round(size.height() * ratio))
        if key not in self._ready:
            made = QPixmap.fromImage(self.image(number, QSize(key[1], key[2])))
            made.setDevicePixelRatio(ratio)
            self._ready[key] = made
        self._ready.move_to_end(key)
        size_of = lambda each: each.width() * each.height() * 4  # noqa: E731
        while len(self._ready) > 1 and sum(map(size_of, self._ready.values())) > MAX_DECODED_BYTES:
            self._ready.popitem(last=False)
        return self._ready[key]

    def image(self, number: int, size: QSize | None = None) -> QImage:
        """The decoded picture; a null one if it is not what was stored."""
        kept = self._kept[number]
        if kept is None or kept.media_type not in _FORMATS:
            return QImage()
        buffer = QBuffer()
        buffer.setData(QByteArray(kept.content))
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        reader = QImageReader(buffer, QByteArray(_FORMATS[kept.media_type]))
        reader.setDecideFormatFromContent(False)
        is_small = max(kept.width, kept.height) <= caps.MAX_PICTURE_SIDE
        if not is_small or reader.size() != QSize(kept.width, kept.height):
            return QImage()
        made = reader.read()
        if made.isNull() or size is None or size == made.size():
            return made
        return made.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def number_of(address: str) -> int:
    """The number of the picture that an address means, -1 for any other address."""
    rest = address.removeprefix(SCHEME)
    return int(rest) if rest != address and rest.isascii() and rest.isdigit() and len(rest) < 5 else -1


def places(document: QTextDocument, shown: ShownPictures, view: QRectF) -> Iterator[tuple[int, QRectF]]:
    """The pictures between two heights of the document and where they are, above the words of their blocks."""
    margin = document.documentMargin()
    for block, area in visible_blocks(document, view.top(), view.bottom()):
        look = block.blockFormat()
        if not look.hasProperty(PICTURE_PROPERTY):
            continue
        number = look.intProperty(PICTURE_PROPERTY)
        left = margin + look.leftMargin()
        size = shown.size(number, view.width() - left - margin)
        yield number, QRectF(QPointF(left, area.top() - GAP - size.height()), size)


def paint_pictures(painter: QPainter, document: QTextDocument, shown: ShownPictures, view: QRectF) -> None:
    """Paint those in view; the painter has the coordinates of the document."""
    ratio = painter.device().devicePixelRatioF()
    for number, area in places(document, shown, view):
        if area.bottom() < view.top() or area.top() > view.bottom():
            continue
        paint_picture(painter, shown.pixmap(number, area.size(), ratio), area)


def paint_picture(painter: QPainter, pixmap: QPixmap, area: QRectF) -> None:
    """On paper where it is transparent, with a hairline around it."""
    path = QPainterPath()
    path.addRoundedRect(area, RADIUS, RADIUS)
    painter.save()
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    painter.setClipPath(path)
    if pixmap.isNull() or pixmap.hasAlphaChannel():
        painter.fillRect(area, QColor(colours().sunken) if pixmap.isNull() else PAPER)
    if not pixmap.isNull():
        painter.drawPixmap(area, pixmap, QRectF(pixmap.rect()))
    painter.restore()
    fill_shape(painter, area, "", RADIUS, edge=colours().border)


class PictureView(QWidget):
    """One picture as large as there is room, never larger than it is."""

    def __init__(self, image: QImage, name: str) -> None:
        super().__init__()
        self._pixmap = QPixmap.fromImage(image)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return self._pixmap.size()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def paintEvent(self, _event: QPaintEvent) -> None:
        fitted = QSizeF(self._pixmap.size())
        if fitted.width() > self.width() or fitted.height() > self.height():
            fitted.scale(QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (self.width() - fitted.width()) / 2, (self.height() - fitted.height()) / 2
        painter = QPainter(self)
        paint_picture(painter, self._pixmap, QRectF(QPointF(left, top), fitted).adjusted(0.5, 0.5, -0.5, -0.5))


class PictureDialog(QDialog):
    """A picture alone, with its words; a click, Esc or Enter closes it."""

    def __init__(self, image: QImage, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Picture"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = PictureView(image, words or self.tr("Picture without a description"))
        told = [label(words, "muted", wrap=True)] if words else []
        column((self.view, 1), *told, spacing=M, margins=(L, L, L, L), parent=self)
        room = self.screen().availableSize() * 0.9
        self.resize(self.sizeHint().boundedTo(room))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.accept()
