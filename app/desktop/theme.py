"""The theme: current color scheme, palette, type scale, style sheet and icons, switchable at run time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.desktop.tokens import COLOUR_NAMES, DARK, LIGHT, RADIUS, Colours
from app.paths import assets_dir

CONTROLS_MARK: Final = "/* Controls */"
NATIVE_STYLE: Final = sys.platform == "darwin"

_FALLBACK_FAMILIES: Final = frozenset({"DejaVu Sans", "Bitstream Vera Sans"})
_PREFERRED_FAMILIES: Final = ("Inter", "Cantarell", "Noto Sans", "Ubuntu", "Open Sans", "Roboto", "Liberation Sans")


def style_sheet(colours: Colours, font: QtGui.QFont, *, native: bool = False) -> str:
    """Return the style sheet of a scheme. `native` leaves buttons, fields and scroll bars to the platform style."""
    base = font.pointSizeF() if font.pointSizeF() > 0 else 10.0
    icons = assets_dir() / "icons"
    own, _, controls = (assets_dir() / "style.qss").read_text("utf-8").partition(CONTROLS_MARK)
    values = {
        **{name: getattr(colours, name) for name in COLOUR_NAMES},
        "radius": str(RADIUS),
        "caption": f"{base * 0.9:.2f}",
        "heading": f"{base * 1.12:.2f}",
        "title": f"{base * 1.65:.2f}",
        "number": f"{base * 1.9:.2f}",
        "check": (icons / ("check-dark.svg" if colours.is_dark else "check-light.svg")).as_posix(),
        "chevron": (icons / ("chevron-dark.svg" if colours.is_dark else "chevron-light.svg")).as_posix(),
    }
    return Template(own if native else own + controls).substitute(values)


class Appearance(StrEnum):
    """The choices of the setting `appearance`."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The current scheme. Emits `changed` after replacing the palette and style sheet of the application."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.appearance = Appearance.SYSTEM
        self.colours: Colours = LIGHT
        self._applied = False
        self._installed = False

    @property
    def is_dark(self) -> bool:
        return self.colours is DARK

    def install(self, application: QApplication, appearance: Appearance) -> None:
        """Set style, font and scheme, and follow the system scheme from now on."""
        if self._installed:
            self.select(appearance)
            return
        self._installed = True
        if not NATIVE_STYLE:
            application.setStyle(QStyleFactory.create("Fusion"))
            font = application.font()
            # The fallback family of a desktop is replaced by a better installed one.
            if sys.platform.startswith("linux") and QtGui.QFontInfo(font).family() in _FALLBACK_FAMILIES:
                installed = set(QtGui.QFontDatabase.families())
                font.setFamily(next((name for name in _PREFERRED_FAMILIES if name in installed), font.family()))
                font.setPointSizeF(max(font.pointSizeF(), 9.75))
            application.setFont(font)
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.select(appearance)

    def select(self, appearance: Appearance) -> None:
        """Apply the chosen scheme to all open windows immediately."""
        self.appearance = appearance
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            return
        wanted = {
            Appearance.SYSTEM: Qt.ColorScheme.Unknown,
            Appearance.LIGHT: Qt.ColorScheme.Light,
            Appearance.DARK: Qt.ColorScheme.Dark,
        }[appearance]
        # The hint affects native title bars and dialogs, but not the palette on all platforms.
        application.styleHints().setColorScheme(wanted)
        self._apply(application)

    @contextmanager
    def styled_at_the_end(self, application: QApplication) -> Iterator[None]:
        """Apply the style sheet once at the end. Qt restyles a widget each time it gets a parent, and is slow to replace a sheet."""
        application.setStyleSheet("")
        try:
            yield
        finally:
            application.setStyleSheet(style_sheet(self.colours, application.font(), native=NATIVE_STYLE))

    def _system_changed(self, _scheme: Qt.ColorScheme) -> None:
        application = QApplication.instance()
        if self.appearance is Appearance.SYSTEM and isinstance(application, QApplication):
            self._apply(application)

    def _apply(self, application: QApplication) -> None:
        wants_dark = self.appearance is Appearance.DARK
        if self.appearance is Appearance.SYSTEM:
            wants_dark = application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        colours = DARK if wants_dark else LIGHT
        if self._applied and colours is self.colours:
            return
        self.colours, self._applied = colours, True
        with self.styled_at_the_end(application):
            application.setPalette(palette_for(colours))
        self.changed.emit()


_THEME = Theme()


def theme() -> Theme:
    return _THEME


def colours() -> Colours:
    return _THEME.colours


def palette_for(scheme: Colours) -> QtGui.QPalette:
    role = QtGui.QPalette.ColorRole
    palette = QtGui.QPalette()
    for colour, roles in (
        (scheme.window, (role.Window,)),
        (scheme.text, (role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.HighlightedText)),
        (scheme.surface, (role.Base, role.Button, role.ToolTipBase, role.Light)),
        (scheme.sunken, (role.AlternateBase,)),
        (scheme.muted, (role.PlaceholderText,)),
        (scheme.danger, (role.BrightText,)),
        (scheme.accent_soft, (role.Highlight,)),
        (scheme.accent, (role.Accent,)),
        (scheme.accent_text, (role.Link, role.LinkVisited)),
        (scheme.hover, (role.Midlight,)),
        (scheme.border, (role.Mid,)),
        (scheme.strong_border, (role.Dark, role.Shadow)),
    ):
        for target in roles:
            palette.setColor(target, QtGui.QColor(colour))
    front, back = QtGui.QColor(scheme.muted), QtGui.QColor(scheme.window)
    parts = (QtGui.QColor.redF, QtGui.QColor.greenF, QtGui.QColor.blueF)
    disabled = QtGui.QColor.fromRgbF(*(0.65 * part(front) + 0.35 * part(back) for part in parts))
    for target in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QtGui.QPalette.ColorGroup.Disabled, target, disabled)
    return palette


def scaled_font(factor: float, *, bold: bool = False) -> QtGui.QFont:
    """Return the interface font at a step of the type scale."""
    font = QtGui.QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    if bold:
        font.setWeight(QtGui.QFont.Weight.DemiBold)
    return font


def mono_font(factor: float = 0.95) -> QtGui.QFont:
    """Return the system's fixed-width font, sized to match the interface font."""
    font = QtGui.QFontDatabase.systemFont(QtGui.QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * factor)
    return font


LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def fill_shape(
    painter: QtGui.QPainter, area: QRect | QRectF, fill: str, radius: float, *, edge: str = "", width: float = 1
) -> None:
    """Draw a rounded rectangle; an empty color omits the fill or border."""
    painter.setPen(QtGui.QPen(QtGui.QColor(edge), width) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(fill) if fill else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(area), radius, radius)


def draw_words(
    painter: QtGui.QPainter,
    area: QRect | QRectF,
    text: str,
    colour: str,
    align: Qt.AlignmentFlag = LEFT,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    *,
    scale: float = 0,
    bold: bool = False,
) -> float:
    """Draw one line of text, elided to fit the area, in the font of the painter or of a size. Return its width."""
    if scale:
        painter.setFont(scaled_font(scale, bold=bold))
    painter.setPen(QtGui.QColor(colour))
    metrics = QtGui.QFontMetricsF(painter.font())
    shown = metrics.elidedText(text, mode, area.width())
    painter.drawText(QRectF(area), align, shown)
    return metrics.horizontalAdvance(shown)


def draw_share(painter: QtGui.QPainter, track: QRectF, share: float, colour: str) -> None:
    """Draw a bar filled from the left; `share` is from 0 to 1."""
    radius = track.height() / 2
    fill_shape(painter, track, colours().border, radius)
    if share > 0:
        filled = QRectF(track)
        filled.setWidth(max(track.height(), track.width() * min(1.0, share)))
        fill_shape(painter, filled, colour, radius)


TRAY_SIZES = (16, 20, 22, 24, 32, 44, 48, 64)
PANEL_LIGHT, PANEL_DARK = "#ffffff", "#1b1e23"
"""Panel colors that separate the badge of a tray icon from it."""


def icon_path(name: str) -> Path:
    return assets_dir() / "icons" / f"{name}.svg"


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    source = icon_path(name).read_text(encoding="utf-8").replace("currentColor", colour)
    return QSvgRenderer(QByteArray(source.encode()))


@lru_cache(maxsize=512)
def _picture(name: str, colour: str, width: int, height: int, ratio: float = 1.0) -> QtGui.QPixmap:
    """Render an icon into the given number of pixels, at the left of a wider area."""
    picture = QtGui.QPixmap(width, height)
    picture.fill(Qt.GlobalColor.transparent)
    # A button without a layout does not have space for it yet.
    if not picture.isNull():
        with QtGui.QPainter(picture) as painter:
            _render(painter, picture.rect(), name, colour)
    picture.setDevicePixelRatio(ratio)
    return picture


def _render(painter: QtGui.QPainter, rect: QRect, name: str, colour: str) -> None:
    # Painted at the left of a wider area, which leaves a gap before the text.
    side = min(rect.width(), rect.height())
    area = QRectF(rect.left(), rect.top() + (rect.height() - side) / 2, side, side)
    _renderer(name, colour).render(painter, area)


class _SchemeIconEngine(QtGui.QIconEngine):
    """Paints one SVG in the color of `role`, a field of Colours."""

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QtGui.QPainter, rect: QRect, mode: QtGui.QIcon.Mode, state: QtGui.QIcon.State) -> None:
        _render(painter, rect, self._name, self._colour(mode, state))

    def pixmap(self, size: QSize, mode: QtGui.QIcon.Mode, state: QtGui.QIcon.State) -> QtGui.QPixmap:
        return _picture(self._name, self._colour(mode, state), size.width(), size.height())

    def _colour(self, mode: QtGui.QIcon.Mode, state: QtGui.QIcon.State) -> str:
        role = "strong_border" if mode is QtGui.QIcon.Mode.Disabled else self._role
        if state is QtGui.QIcon.State.On and role == "muted":
            role = "accent_text"
        return str(getattr(colours(), role))

    def clone(self) -> QtGui.QIconEngine:
        return _SchemeIconEngine(self._name, self._role)


def icon(name: str, role: str = "muted") -> QtGui.QIcon:
    """Return a line icon that follows the theme. Checked buttons draw muted icons in the accent color."""
    return QtGui.QIcon(_SchemeIconEngine(name, role))


def pixmap(name: str, size: int, role: str = "muted", *, ratio: float = 1.0) -> QtGui.QPixmap:
    """Render an icon at `size` device-independent pixels in its current color."""
    return _picture(name, getattr(colours(), role), side := round(size * ratio), side, ratio)


def app_icon() -> QtGui.QIcon:
    return QtGui.QIcon(str(icon_path("app")))


def tray_icon(state: str, *, dark: bool = False) -> QtGui.QIcon:
    """Return the tray icon of a state for a dark or light panel. On macOS, it is a template that the menu bar colors."""
    if sys.platform == "darwin":
        template = QtGui.QIcon(str(icon_path(f"tray-{state}-mono")))
        template.setIsMask(True)
        return template
    drawn = QtGui.QIcon()
    for size in TRAY_SIZES:
        drawn.addPixmap(_picture(f"tray-{state}", PANEL_DARK if dark else PANEL_LIGHT, size, size))
    return drawn
