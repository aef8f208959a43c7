"""The look: the scheme in force, palette and type scale, and switching between schemes while running."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.desktop.stylesheet import style_sheet
from app.desktop.tokens import DARK, LIGHT, Colours

NATIVE_STYLE: Final = sys.platform == "darwin"

_FALLBACK_FAMILIES: Final = frozenset({"DejaVu Sans", "Bitstream Vera Sans"})
_PREFERRED_FAMILIES: Final = (
    "Inter",
    "Cantarell",
    "Noto Sans",
    "Ubuntu",
    "Open Sans",
    "Roboto",
    "Liberation Sans",
)


class Appearance(StrEnum):
    """The three choices of the setting `appearance`."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The scheme in force. `changed` is emitted after palette and style sheet of the application were replaced."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._appearance = Appearance.SYSTEM
        self._colours = LIGHT
        self._applied = False
        self._installed = False

    @property
    def colours(self) -> Colours:
        return self._colours

    @property
    def is_dark(self) -> bool:
        return self._colours is DARK

    @property
    def appearance(self) -> Appearance:
        return self._appearance

    def install(self, application: QApplication, appearance: Appearance) -> None:
        """Set style and font once, then the scheme; follows the system's scheme from here on."""
        if self._installed:
            self.select(appearance)
            return
        self._installed = True
        if not NATIVE_STYLE:
            application.setStyle(QStyleFactory.create("Fusion"))
            application.setFont(_interface_font(application.font()))
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.select(appearance)

    def select(self, appearance: Appearance) -> None:
        """Show the chosen scheme at once in every open window."""
        self._appearance = appearance
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            return
        wanted = {
            Appearance.SYSTEM: Qt.ColorScheme.Unknown,
            Appearance.LIGHT: Qt.ColorScheme.Light,
            Appearance.DARK: Qt.ColorScheme.Dark,
        }[appearance]
        # The hint reaches native title bars and dialogs; it does not change the palette on every platform.
        application.styleHints().setColorScheme(wanted)
        self._apply(application)

    @contextmanager
    def styled_at_the_end(self, application: QApplication) -> Iterator[None]:
        """What is made inside gets the style sheet when it stands: Qt styles a widget anew each time it moves in."""
        application.setStyleSheet("")
        try:
            yield
        finally:
            application.setStyleSheet(style_sheet(self._colours, application.font(), native=NATIVE_STYLE))

    def _system_changed(self, _scheme: Qt.ColorScheme) -> None:
        application = QApplication.instance()
        if self._appearance is Appearance.SYSTEM and isinstance(application, QApplication):
            self._apply(application)

    def _apply(self, application: QApplication) -> None:
        colours = DARK if self._wants_dark(application) else LIGHT
        if self._applied and colours is self._colours:
            return
        self._colours, self._applied = colours, True
        application.setPalette(palette_for(colours))
        application.setStyleSheet(style_sheet(colours, application.font(), native=NATIVE_STYLE))
        self.changed.emit()

    def _wants_dark(self, application: QApplication) -> bool:
        if self._appearance is Appearance.SYSTEM:
            return application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._appearance is Appearance.DARK


_THEME = Theme()


def theme() -> Theme:
    """The one theme of this process."""
    return _THEME


def colours() -> Colours:
    """The colours in force now."""
    return _THEME.colours


def palette_for(scheme: Colours) -> QPalette:
    """The Qt palette of a scheme."""
    role = QPalette.ColorRole
    palette = QPalette()
    for target, value in (
        (role.Window, scheme.window),
        (role.WindowText, scheme.text),
        (role.Base, scheme.surface),
        (role.AlternateBase, scheme.sunken),
        (role.Text, scheme.text),
        (role.PlaceholderText, scheme.muted),
        (role.Button, scheme.surface),
        (role.ButtonText, scheme.text),
        (role.BrightText, scheme.danger),
        (role.ToolTipBase, scheme.surface),
        (role.ToolTipText, scheme.text),
        (role.Highlight, scheme.accent_soft),
        (role.HighlightedText, scheme.text),
        (role.Accent, scheme.accent),
        (role.Link, scheme.accent_text),
        (role.LinkVisited, scheme.accent_text),
        (role.Light, scheme.surface),
        (role.Midlight, scheme.hover),
        (role.Mid, scheme.border),
        (role.Dark, scheme.strong_border),
        (role.Shadow, scheme.strong_border),
    ):
        palette.setColor(target, QColor(value))
    for target in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, _mix(scheme.muted, scheme.window, 0.35))
    return palette


def scaled_font(factor: float, *, bold: bool = False) -> QFont:
    """The interface font at a step of the type scale."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def mono_font(factor: float = 0.95) -> QFont:
    """The system's fixed-width font beside the interface font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * factor)
    return font


def _interface_font(system: QFont) -> QFont:
    """The system's font; where that is the last-resort family, a better installed one."""
    font = QFont(system)
    if sys.platform.startswith("linux") and QFontInfo(font).family() in _FALLBACK_FAMILIES:
        installed = set(QFontDatabase.families())
        font.setFamily(next((name for name in _PREFERRED_FAMILIES if name in installed), font.family()))
        font.setPointSizeF(max(font.pointSizeF(), 9.75))
    return font


def _mix(foreground: str, background: str, share: float) -> QColor:
    front, back = QColor(foreground), QColor(background)
    return QColor.fromRgbF(
        front.redF() * (1 - share) + back.redF() * share,
        front.greenF() * (1 - share) + back.greenF() * share,
        front.blueF() * (1 - share) + back.blueF() * share,
    )
