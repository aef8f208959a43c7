"""The chart on one of the sample pages."""

from __future__ import annotations

from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 300
_TIMES: Final = ((1, 1.9), (2, 2.1), (4, 2.6), (8, 3.1), (16, 4.0), (32, 6.4))
_LEFT: Final = 60
_FLOOR: Final = 250


def queue_times() -> bytes:
    """Draw a bar chart with numbers as PNG."""
    from PySide6.QtCore import QBuffer, QIODevice, QRectF, Qt
    from PySide6.QtGui import QColor, QImage, QPainter

    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB888)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place, (workers, milliseconds) in enumerate(_TIMES):
        height = milliseconds * 32
        bar = QRectF(_LEFT + place * 92, _FLOOR - height, 56, height)
        painter.fillRect(bar, QColor("#2f7f86"))
        painter.setPen(QColor("#1b2027"))
        painter.drawText(bar.adjusted(-20, -24, 20, -height - 4), Qt.AlignmentFlag.AlignCenter, f"{milliseconds} ms")
        below = QRectF(bar.left() - 20, _FLOOR + 6, bar.width() + 40, 24)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, f"{workers} workers")
    painter.drawLine(_LEFT - 20, _FLOOR, WIDTH - 40, _FLOOR)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())
