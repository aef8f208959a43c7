"""Draw the icon of the program from its SVG in every format that a system needs."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

LINUX_SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES: Final = (16, 24, 32, 48, 64, 256)
ICNS_TYPES: Final = {b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic08": 256, b"ic13": 256, b"ic09": 512, b"ic14": 512}
PNG_FROM: Final = 256
"""Minimum size for PNG in a Windows icon. Smaller images are bitmaps, for older readers."""


def png(svg: Path, size: int) -> bytes:
    """Return the icon as PNG."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QImageWriter

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(_image(svg, size))
    return bytes(buffer.data().data())


def write_ico(svg: Path, folder: Path) -> Path:
    """Write a Windows icon file."""
    images = [png(svg, size) if size >= PNG_FROM else bitmap(svg, size) for size in ICO_SIZES]
    place = 6 + 16 * len(images)
    head, body = struct.pack("<HHH", 0, 1, len(images)), b""
    for size, image in zip(ICO_SIZES, images, strict=True):
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), place + len(body))
        body += image
    path = folder / "webrag.ico"
    path.write_bytes(head + body)
    return path


def write_icns(svg: Path, folder: Path) -> Path:
    """Write a macOS icon file."""
    drawn = {size: png(svg, size) for size in set(ICNS_TYPES.values())}
    parts = [kind + struct.pack(">I", 8 + len(drawn[size])) + drawn[size] for kind, size in ICNS_TYPES.items()]
    body = b"".join(parts)
    path = folder / "webrag.icns"
    path.write_bytes(b"icns" + struct.pack(">I", 8 + len(body)) + body)
    return path


def bitmap(svg: Path, size: int) -> bytes:
    """Return the icon as the bitmap of an icon file: rows from the bottom in blue, green, red, alpha, then an empty mask."""
    from PySide6.QtGui import QImage

    image = _image(svg, size).convertToFormat(QImage.Format.Format_ARGB32)
    pixels = memoryview(image.constBits()).tobytes()
    rows = [pixels[4 * size * row : 4 * size * (row + 1)] for row in reversed(range(size))]
    mask = bytes((size + 31) // 32 * 4 * size)
    header = struct.pack("<IiiHHIIiiII", 40, size, 2 * size, 1, 32, 0, 4 * size * size + len(mask), 0, 0, 0, 0)
    return header + b"".join(rows) + mask


def _image(svg: Path, size: int) -> QImage:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    return image
