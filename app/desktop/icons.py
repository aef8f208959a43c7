"""Icons from bundled SVG files, painted in the current theme color."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.desktop.theme import colours
from app.paths import assets_dir

TRAY_SIZES = (16, 20, 22, 24, 32, 44, 48, 64)
PANEL_LIGHT, PANEL_DARK = "#ffffff", "#1b1e23"
"""Panel colors that separate the badge of a tray icon from it."""


def icon_path(name: str) -> Path:
    return assets_dir() / "icons" / f"{name}.svg"


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    source = icon_path(name).read_text(encoding="utf-8").replace("currentColor", colour)
    return QSvgRenderer(QByteArray(source.encode()))


class _SchemeIconEngine(QIconEngine):
    """Paints one SVG in the color of `role`, a field of Colours."""

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        role = "strong_border" if mode is QIcon.Mode.Disabled else self._role
        if state is QIcon.State.On and role == "muted":
            role = "accent_text"
        # Painted at the left of a wider area, which leaves a gap before the text.
        side = min(rect.width(), rect.height())
        area = QRectF(rect.left(), rect.top() + (rect.height() - side) / 2, side, side)
        _renderer(self._name, getattr(colours(), role)).render(painter, area)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        if pixmap.isNull():
            # A button without a layout does not have space for it yet.
            return pixmap
        with QPainter(pixmap) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        return pixmap

    def clone(self) -> QIconEngine:
        return _SchemeIconEngine(self._name, self._role)


def icon(name: str, role: str = "muted") -> QIcon:
    """Return a line icon that follows the theme. Checked buttons draw muted icons in the accent color."""
    return QIcon(_SchemeIconEngine(name, role))


def pixmap(name: str, size: int, role: str = "muted", *, ratio: float = 1.0) -> QPixmap:
    """Render an icon at `size` device-independent pixels in its current color."""
    image = QPixmap(round(size * ratio), round(size * ratio))
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        _renderer(name, getattr(colours(), role)).render(painter)
    image.setDevicePixelRatio(ratio)
    return image


def app_icon() -> QIcon:
    """Return the colored application icon."""
    return QIcon(str(icon_path("app")))


def tray_icon(state: str, *, dark: bool = False) -> QIcon:
    """Return the tray icon of a state for a dark or light panel. On macOS, it is a template that the menu bar colors."""
    if sys.platform == "darwin":
        template = QIcon(str(icon_path(f"tray-{state}-mono")))
        template.setIsMask(True)
        return template
    drawn = QIcon()
    for size in TRAY_SIZES:
        image = QPixmap(size, size)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            _renderer(f"tray-{state}", PANEL_DARK if dark else PANEL_LIGHT).render(painter)
        drawn.addPixmap(image)
    return drawn
