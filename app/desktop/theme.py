"""The theme: current color scheme, palette, type scale and style sheet, switchable at run time.

Sizes follow the system font. The style sheet is generated from the design tokens; widgets set the property `role`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from string import Template
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.desktop.tokens import DARK, LIGHT, RADIUS, Colours
from app.paths import assets_dir

_OWN: Final = """
QMainWindow, QDialog, QWidget[role="page"], QScrollArea[role="page"] > QWidget > QWidget { background: $window; }
QScrollArea[role="page"] { background: $window; border: none; }
QLabel[role="title"] { font-size: ${title}pt; font-weight: 600; color: $text; }
QLabel[role="subtitle"] { color: $muted; }
QLabel[role="heading"] { font-size: ${heading}pt; font-weight: 600; color: $text; }
QLabel[role="strong"] { font-weight: 600; color: $text; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="caption"] { color: $muted; font-size: ${caption}pt; }
QLabel[role="number"] { font-size: ${number}pt; font-weight: 600; color: $text; }
QLabel[role="address"] { color: $text; background: $sunken; border: 1px solid $border; border-radius: 6px; padding: 6px 10px; }
QLabel[role="key"] { color: $text; background: $sunken; border: 1px solid $border; border-radius: 5px; padding: 2px 7px; }
QDialog[role="ask"] { background: $surface; border: 1px solid $strong_border; }
QFrame[role="card"] { background: $surface; border: 1px solid $border; border-radius: 10px; }
QFrame[role="sidebar"] { background: $sidebar; border: none; border-right: 1px solid $border; }
QFrame[role="example"] { background: $sunken; border: none; border-radius: ${radius}px; }
QFrame[role="question"] { background: $accent_soft; border: none; border-radius: 10px; }
QFrame[role="excerpt"] { background: transparent; border: none; border-left: 3px solid $strong_border; margin-left: 12px; }
QFrame[role="excerpt"]:hover { border-left-color: $accent; }
QFrame[role="beside"] { background: $surface; border: none; border-left: 1px solid $border; }
QFrame[role="bar"] { background: $surface; border: none; border-bottom: 1px solid $border; }
QFrame[role="line"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
QFrame[role="banner"] { border-radius: ${radius}px; border: none; background: $sunken; }
QFrame[role="banner"][kind="info"] { background: $accent_soft; }
QFrame[role="banner"][kind="warning"] { background: $warning_soft; }
QFrame[role="banner"][kind="error"] { background: $danger_soft; }
QWidget[found="true"] { background: $accent_soft; border-radius: ${radius}px; }
QFrame[role="toast"] { background: $surface; border: 1px solid $strong_border; border-radius: 10px; }
QLabel[role="badge"] { border-radius: 8px; padding: 2px 9px; font-size: ${caption}pt; font-weight: 600;
  background: $sunken; color: $muted; }
QLabel[role="badge"][kind="good"] { background: $success_soft; color: $success; }
QLabel[role="badge"][kind="warning"] { background: $warning_soft; color: $warning; }
QLabel[role="badge"][kind="error"] { background: $danger_soft; color: $danger; }
QLabel[role="badge"][kind="accent"] { background: $accent_soft; color: $accent_text; }
QToolButton[role="nav"] { border: none; border-radius: ${radius}px; padding: 9px 12px; color: $muted; text-align: left;
  background: transparent; font-weight: 500; }
QToolButton[role="nav"]:hover { background: $hover; color: $text; }
QToolButton[role="nav"]:checked { background: $surface; color: $accent_text; font-weight: 600; }
QToolButton[role="nav"]:focus { border: 1px solid $accent; padding: 8px 11px; }
QLabel[role="problem"] { color: $danger; }
QLabel[role="warning"] { color: $warning; background: $warning_soft; }
QListWidget[role="sections"] { background: transparent; border: none; outline: none; }
QListWidget[role="sections"]::item { color: $muted; padding: 0 10px; border-radius: 7px; margin: 1px 0; }
QListWidget[role="sections"]::item:hover { background: $hover; color: $text; }
QListWidget[role="sections"]::item:selected { background: $accent_soft; color: $accent_text; }
QStatusBar { background: $window; border-top: 1px solid $border; color: $muted; }
QStatusBar::item { border: none; }
QSplitter::handle { background: transparent; }
QToolTip { background: $surface; color: $text; border: 1px solid $strong_border; padding: 4px 6px; }
QBalloonTip { background: $surface; }
QBalloonTip QLabel { color: $text; background: transparent; }
"""

_CONTROLS: Final = """
QPushButton { background: $surface; color: $text; border: 1px solid $strong_border; border-radius: 7px; padding: 6px 14px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $sunken; }
QPushButton:focus, QToolButton[role="icon"]:focus { border: 1px solid $accent; }
QPushButton:checked { background: $accent_soft; color: $accent_text; border-color: $accent; }
QPushButton:disabled { color: $strong_border; border-color: $border; background: transparent; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="primary"]:focus { border: 1px solid $text; }
QPushButton[role="primary"]:disabled { background: $sunken; color: $muted; border-color: $border; }
QPushButton[role="danger"] { color: $danger; }
QPushButton[role="reset"] { border: none; background: transparent; color: $accent_text; padding: 0; min-height: 24px;
  min-width: 24px; font-size: ${caption}pt; font-weight: 600; }
QPushButton[role="reset"]:hover, QPushButton[role="reset"]:focus { text-decoration: underline; }
QPushButton[role="tile"] { background: $surface; border: 1px solid $border; border-radius: 10px; padding: 0; text-align: left; }
QPushButton[role="tile"]:hover { background: $hover; }
QPushButton[role="tile"]:focus { border: 1px solid $accent; }
QPushButton[role="state"] { border: 1px solid transparent; border-radius: 4px; background: transparent; color: $muted; padding: 1px 4px;
  min-height: 20px; font-size: ${caption}pt; text-align: left; }
QPushButton[role="state"]:hover { background: $hover; color: $text; text-decoration: underline; }
QPushButton[role="state"]:focus { border: 1px solid $accent; color: $text; }
QPushButton[role="link"] { border: none; background: transparent; color: $accent_text; padding: 4px 6px; font-weight: 600; }
QPushButton[role="link"]:hover { background: $hover; }
QPushButton[role="link"]:focus { border: 1px solid $accent; padding: 3px 5px; }
QPushButton[role="pagelink"] { border: 1px solid transparent; background: transparent; color: $accent_text; padding: 1px 0;
  min-height: 20px; font-weight: 600; text-align: left; border-radius: 4px; }
QPushButton[role="pagelink"]:hover { text-decoration: underline; }
QPushButton[role="pagelink"]:focus { border: 1px solid $accent; }
QPushButton[folded="true"] { padding: 6px 8px; }
QPushButton[role="chip"] { border: 1px solid $border; border-radius: 12px; background: $sunken; color: $text; padding: 3px 11px; }
QPushButton[role="chip"]:hover { background: $hover; border-color: $strong_border; }
QPushButton[role="chip"]:focus { border: 1px solid $accent; }
QPushButton[role="line"] { border: 1px solid transparent; border-radius: 7px; background: transparent; padding: 0; text-align: left; }
QPushButton[role="line"]:hover { background: $hover; }
QPushButton[role="line"]:focus { border: 1px solid $accent; }
QPushButton[role="segment"] { border-radius: 6px; border: 1px solid transparent; background: transparent;
  color: $muted; padding: 4px 12px; }
QPushButton[role="segment"]:hover { color: $text; }
QPushButton[role="segment"]:checked { background: $surface; color: $text; border: 1px solid $strong_border; font-weight: 600; }
QPushButton[role="segment"]:focus { border: 1px solid $accent; }
QFrame[role="segments"] { background: $sunken; border: 1px solid $border; border-radius: ${radius}px; }
QToolButton[role="icon"] { border: 1px solid transparent; border-radius: 7px; padding: 5px; background: transparent; }
QToolButton[role="icon"]:hover { background: $hover; border-color: $border; }
QToolButton[role="icon"]:pressed, QToolButton[role="icon"]:checked { background: $sunken; }
QLineEdit, QPlainTextEdit, QTextEdit[role="input"], QSpinBox, QDoubleSpinBox, QComboBox {
  background: $surface; color: $text; border: 1px solid $outline; border-radius: 7px; padding: 6px 10px;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit[role="input"]:focus, QSpinBox:focus, QDoubleSpinBox:focus,
QComboBox:focus { border: 1px solid $accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  background: $sunken; color: $muted; border-color: $border; }
QLineEdit[role="palette"], QLineEdit[role="palette"]:focus { border: none; background: transparent; padding: 9px 4px;
  font-size: ${heading}pt; }
QLineEdit[role="query"] { padding: 9px 12px 9px 4px; font-size: ${heading}pt; }
QPlainTextEdit[role="beside"] { background: $surface; border: none; border-left: 1px solid $border; border-radius: 0;
  padding: 0; }
QLineEdit[role="filter"] { padding-left: 0; }
QPlainTextEdit[role="entry"] { background: $sunken; border: 1px solid $border; padding: 0; }
QPlainTextEdit[role="plain"] { background: $surface; border: none; border-radius: 0; padding: 0; }
QScrollArea[role="plain"], QWidget[role="plain"] { background: $surface; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QCheckBox { spacing: 8px; color: $text; min-height: 24px; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid $muted; border-radius: 4px; background: $surface; }
QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QCheckBox::indicator:focus { border-color: $text; }
QCheckBox::indicator:disabled { border-color: $border; background: $sunken; }
QCheckBox::indicator:checked:disabled { background: $strong_border; border-color: $strong_border; }
QCheckBox:disabled { color: $muted; }
QTreeView[role="ticks"] { background: $surface; color: $text; border: 1px solid $border; border-radius: ${radius}px; outline: none;
  padding: 4px; show-decoration-selected: 0; }
QTreeView[role="ticks"]:focus { border-color: $accent; }
QTreeView[role="ticks"]::item { padding: 2px 4px; border-radius: 4px; }
QTreeView[role="ticks"]::item:selected { background: $accent_soft; color: $text; }
QTreeView[role="ticks"]::indicator { width: 14px; height: 14px; border: 1px solid $muted; border-radius: 4px; background: $surface; }
QTreeView[role="ticks"]::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QTreeView[role="ticks"]::indicator:indeterminate { background: $accent_soft; border-color: $accent; }
QTreeView[role="ticks"]::indicator:disabled { border-color: $border; background: $sunken; }
QRadioButton { spacing: 8px; color: $text; min-height: 24px; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $muted; border-radius: 8px; background: $surface; }
QRadioButton::indicator:hover { border-color: $accent; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid $accent; }
QRadioButton::indicator:focus { border-color: $text; }
QRadioButton:disabled { color: $muted; }
QComboBox { padding-right: 26px; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$chevron"); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $surface; color: $text; border: 1px solid $strong_border; outline: none; padding: 4px;
  selection-background-color: $accent_soft; selection-color: $text; }
QSpinBox, QDoubleSpinBox { padding: 1px; }
QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { background: transparent; border: none; padding: 0; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0;
  border: none; }
QMenu { background: $surface; color: $text; border: 1px solid $strong_border; padding: 5px; }
QMenu::item { padding: 6px 22px 6px 12px; border-radius: 5px; }
QMenu::item:selected { background: $accent_soft; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $border; margin: 5px 8px; }
QTableView, QListView, QTextBrowser { background: $surface; color: $text; border: none; outline: none;
  selection-background-color: $accent_soft; selection-color: $text; }
QTextBrowser { selection-background-color: $accent; selection-color: $on_accent; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $muted; border: none; border-bottom: 1px solid $border; padding: 6px 12px;
  font-size: ${caption}pt; font-weight: 600; }
QHeaderView::section:hover { color: $text; }
QHeaderView::down-arrow, QHeaderView::up-arrow { width: 0; height: 0; }
QTableCornerButton::section { background: $surface; border: none; }
QTabWidget::pane { border: none; border-top: 1px solid $border; top: -1px; background: transparent; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; padding: 9px 4px 8px 4px; margin: 0 10px; border: none;
  border-bottom: 2px solid transparent; font-weight: 500; }
QTabBar[narrow="true"]::tab { padding: 9px 2px 8px 2px; margin: 0 3px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $accent_text; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { color: $text; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 2px; }
QScrollBar::handle { background: $strong_border; border-radius: 3px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $sunken; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
"""

NATIVE_STYLE: Final = sys.platform == "darwin"

_FALLBACK_FAMILIES: Final = frozenset({"DejaVu Sans", "Bitstream Vera Sans"})
_PREFERRED_FAMILIES: Final = ("Inter", "Cantarell", "Noto Sans", "Ubuntu", "Open Sans", "Roboto", "Liberation Sans")


def style_sheet(colours: Colours, font: QFont, *, native: bool = False) -> str:
    """Return the style sheet of a scheme. `native` leaves buttons, fields and scroll bars to the platform style."""
    base = font.pointSizeF() if font.pointSizeF() > 0 else 10.0
    dark = colours.window < "#8"
    icons = assets_dir() / "icons"
    values = {
        **asdict(colours),
        "radius": str(RADIUS),
        "caption": f"{base * 0.9:.2f}",
        "heading": f"{base * 1.12:.2f}",
        "title": f"{base * 1.65:.2f}",
        "number": f"{base * 1.9:.2f}",
        "check": (icons / ("check-dark.svg" if dark else "check-light.svg")).as_posix(),
        "chevron": (icons / ("chevron-dark.svg" if dark else "chevron-light.svg")).as_posix(),
    }
    return Template(_OWN if native else _OWN + _CONTROLS).substitute(values)


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
        self._colours = LIGHT
        self._applied = False
        self._installed = False

    @property
    def colours(self) -> Colours:
        return self._colours

    @property
    def is_dark(self) -> bool:
        return self._colours is DARK

    def install(self, application: QApplication, appearance: Appearance) -> None:
        """Set style, font and scheme, and follow the system scheme from now on."""
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
        """Apply the style sheet once at the end, because Qt restyles a widget each time it gets a parent."""
        application.setStyleSheet("")
        try:
            yield
        finally:
            application.setStyleSheet(style_sheet(self._colours, application.font(), native=NATIVE_STYLE))

    def _system_changed(self, _scheme: Qt.ColorScheme) -> None:
        application = QApplication.instance()
        if self.appearance is Appearance.SYSTEM and isinstance(application, QApplication):
            self._apply(application)

    def _apply(self, application: QApplication) -> None:
        wants_dark = self.appearance is Appearance.DARK
        if self.appearance is Appearance.SYSTEM:
            wants_dark = application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        colours = DARK if wants_dark else LIGHT
        if self._applied and colours is self._colours:
            return
        self._colours, self._applied = colours, True
        application.setPalette(palette_for(colours))
        application.setStyleSheet(style_sheet(colours, application.font(), native=NATIVE_STYLE))
        self.changed.emit()


_THEME = Theme()


def theme() -> Theme:
    return _THEME


def colours() -> Colours:
    return _THEME.colours


def palette_for(scheme: Colours) -> QPalette:
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
    """Return the interface font at a step of the type scale."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * factor)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def mono_font(factor: float = 0.95) -> QFont:
    """Return the system's fixed-width font, sized to match the interface font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * factor)
    return font


def _interface_font(system: QFont) -> QFont:
    """Return the system font, or a better installed one if it is only the fallback family."""
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
