"""Tests of readable colors, existing icons and switching schemes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.desktop import theme as icons
from app.desktop.application import DesktopApp
from app.desktop.pages.settings.rows import SettingRow
from app.desktop.status import TrayState
from app.desktop.theme import Appearance, palette_for, style_sheet, theme
from app.desktop.tokens import DARK, LIGHT, Colours

pytestmark = pytest.mark.styled

SOURCE = Path(icons.__file__).parent
PAIRS = [
    *((text, ground) for text in ("text", "muted") for ground in ("window", "surface", "sunken", "sidebar", "hover")),
    *(("text", "accent_soft"), ("muted", "accent_soft"), ("accent_text", "accent_soft"), ("accent_text", "surface")),
    *(("on_accent", "accent"), ("on_accent", "accent_hover"), ("danger", "surface"), ("danger", "window")),
    *((kind, f"{kind}_soft") for kind in ("success", "warning", "danger")),
    *(("text", f"{kind}_soft") for kind in ("success", "warning", "danger")),
    *((kind, "surface") for kind in ("success", "warning")),
]


def luminance(colour: QColor) -> float:
    """Return the relative luminance as defined by WCAG 2."""
    parts = [colour.redF(), colour.greenF(), colour.blueF()]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_defined() -> None:
    assert contrast(QColor("#ffffff"), QColor("#000000")) == pytest.approx(21.0)
    assert contrast(QColor("#777777"), QColor("#ffffff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_enough_contrast(scheme: Colours) -> None:
    weak = {
        f"{text} on {ground}": round(ratio, 2)
        for text, ground in PAIRS
        if (ratio := contrast(QColor(getattr(scheme, text)), QColor(getattr(scheme, ground)))) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["surface", "window", "sunken", "sidebar"])
def test_icons_marks_and_the_focus_have_enough_contrast(ground: str, scheme: Colours) -> None:
    for graphic in ("accent", "success", "warning", "danger", "muted", "text"):
        assert contrast(QColor(getattr(scheme, graphic)), QColor(getattr(scheme, ground))) >= 3.0, graphic


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_input_fields_have_a_visible_border(scheme: Colours) -> None:
    for ground in ("surface", "window"):
        assert contrast(QColor(scheme.outline), QColor(getattr(scheme, ground))) >= 3.0


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_palette_has_enough_contrast(scheme: Colours) -> None:
    palette, role = palette_for(scheme), QPalette.ColorRole
    for text, ground in (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.ButtonText, role.Button),
        (role.HighlightedText, role.Highlight),
        (role.ToolTipText, role.ToolTipBase),
        (role.PlaceholderText, role.Base),
        (role.Link, role.Base),
    ):
        assert contrast(palette.color(text), palette.color(ground)) >= 4.5, text


def used_icons() -> Iterator[str]:
    pattern = re.compile(r"""(?:icon|pixmap|ThemedIcon|EmptyState|icon_button|show_icon)\(\s*"([a-z]+)\"""")
    marks = re.compile(r"""(?:return|else) \(?"([a-z]+)", "(?:muted|success|danger|warning|accent_text)\"""")
    for file in SOURCE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        yield from pattern.findall(text)
        yield from marks.findall(text)
        yield from re.findall(r'icon_name = "([a-z]+)"', text)


def test_every_used_icon_exists_and_is_not_empty(qtbot: QtBot) -> None:
    names = set(used_icons())
    assert {"library", "search", "ok", "busy", "refresh"} <= names
    for name in names:
        assert icons.icon_path(name).is_file(), name
        image = icons.pixmap(name, 24).toImage()
        assert any(image.pixelColor(x, y).alpha() for x in range(24) for y in range(24)), name


def test_tray_states_differ_in_shape_and_not_only_in_color(qtbot: QtBot) -> None:
    shapes = set()
    for state in TrayState:
        image = icons.tray_icon(state.value).pixmap(QSize(64, 64)).toImage()
        grey = tuple(image.pixelColor(x, y).lightness() > 200 for x in range(0, 64, 2) for y in range(0, 64, 2))
        shapes.add(grey)
        assert icons.icon_path(f"tray-{state.value}-mono").is_file()
    assert len(shapes) == len(TrayState)


def test_icons_follow_the_scheme(qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme().install(application, Appearance.LIGHT)
    icon = icons.icon("home", "text")

    def darkest() -> int:
        image = icon.pixmap(QSize(32, 32)).toImage()
        opaque = [image.pixelColor(x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200]
        return min(colour.lightness() for colour in opaque)

    light = darkest()
    theme().select(Appearance.DARK)
    dark = darkest()
    theme().select(Appearance.LIGHT)
    assert light < 80 < 180 < dark


def test_copies_of_an_icon_outlive_the_original(qtbot: QtBot) -> None:
    copies = [QIcon(icons.icon("home")) for _ in range(50)]
    import gc

    gc.collect()
    assert all(not copy.pixmap(16, 16).isNull() for copy in copies)


def test_the_style_sheet_is_complete(qtbot: QtBot) -> None:
    sheet = style_sheet(DARK, QApplication.font())
    assert "$" not in sheet
    for file in re.findall(r'url\("([^"]+)"\)', sheet):
        assert Path(file).is_file()
    assert "QPushButton" not in style_sheet(DARK, QApplication.font(), native=True)


@pytest.mark.parametrize("appearance", [Appearance.LIGHT, Appearance.DARK])
def test_the_balloon_of_the_tray_is_readable(desktop: DesktopApp, appearance: Appearance) -> None:
    """Qt makes its balloon yellow with black text, which a style sheet for all labels made white."""

    class QBalloonTip(QWidget):
        """Qt finds the rules of its private class by this name."""

    balloon = QBalloonTip()
    palette = balloon.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor("#ffffe1"))
    palette.setColor(QPalette.ColorRole.WindowText, QColor("black"))
    balloon.setPalette(palette)
    text = QLabel("WebRAG is still running", balloon)
    theme().select(appearance)
    for widget in (balloon, text):
        widget.ensurePolished()
    ground, pen = balloon.palette().window().color(), text.palette().windowText().color()
    assert contrast(pen, ground) >= 4.5
    theme().select(Appearance.SYSTEM)


def test_the_appearance_of_the_open_window_changes_immediately(desktop: DesktopApp, own_home: Path) -> None:
    control = next(
        each for each in desktop.window.settings.findChildren(SettingRow) if each.setting == "appearance"
    ).control
    assert isinstance(control, QComboBox)
    control.setCurrentIndex(control.findData("dark"))
    assert theme().is_dark
    dark = desktop.window.grab().toImage().pixelColor(600, 300).lightness()
    control.setCurrentIndex(control.findData("light"))
    light = desktop.window.grab().toImage().pixelColor(600, 300).lightness()
    assert dark < 60 < 200 < light
    assert tomllib.loads((own_home / "config.toml").read_text())["window"]["appearance"] == "light"
    assert desktop.window.settings.banners.notices == ()
