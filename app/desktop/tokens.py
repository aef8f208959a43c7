"""Design tokens: distances in device-independent pixels, and the colors of both schemes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

XS: Final = 4
S: Final = 8
M: Final = 12
L: Final = 16
XL: Final = 24
DIALOG: Final = (XL, XL, XL, L)  # Margins of a dialog: left, top, right, bottom.
RADIUS: Final = 8
ROW: Final = 38  # Height of a table row in device-independent pixels.
COMPACT_ROW: Final = 27  # Row height in long lists.
TALL_ROW: Final = 52  # Row height with a second line.
SERIES: Final = ("series_1", "series_2", "series_3", "series_4", "series_5")
"""Colors to distinguish items of the same kind, such as assistants or chart bars."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colors of a scheme. Text colors have a contrast of at least 4.5 on their surfaces."""

    window: str
    surface: str
    sunken: str
    sidebar: str
    border: str
    strong_border: str
    outline: str  # Border of input fields; contrast of at least 3 on their surfaces.
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_text: str
    accent_soft: str
    hover: str
    success: str
    success_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    series_1: str
    series_2: str
    series_3: str
    series_4: str
    series_5: str
    series_6: str  # Parts of a chart; contrast of at least 3 on the surface.
    mark: str  # Background of the highlighted passage; `found` marks further matches.
    found: str


_LIGHT_AND_DARK: Final = {
    "window": ("#f6f7f9", "#14181d"),
    "surface": ("#ffffff", "#1b2027"),
    "sunken": ("#f0f2f5", "#171b21"),
    "sidebar": ("#eceff3", "#101317"),
    "border": ("#e0e4ea", "#2a313b"),
    "strong_border": ("#c6cdd7", "#3f4957"),
    "outline": ("#868f9d", "#667283"),
    "text": ("#18212d", "#e7ebf1"),
    "muted": ("#566174", "#9ca8b8"),
    "accent": ("#0d766c", "#3fbfae"),
    "accent_hover": ("#0a615a", "#5bd0c1"),
    "on_accent": ("#ffffff", "#06201d"),
    "accent_text": ("#0a665e", "#62d2c3"),
    "accent_soft": ("#d9efec", "#16362f"),
    "hover": ("#f3f5f8", "#222831"),
    "success": ("#17703f", "#6cce93"),
    "success_soft": ("#dcf2e4", "#163023"),
    "warning": ("#7d5200", "#e6bb5c"),
    "warning_soft": ("#fbeecb", "#352a12"),
    "danger": ("#b0222b", "#f28b88"),
    "danger_soft": ("#fbe3e3", "#3c1d1f"),
    "series_1": ("#0d766c", "#3fbfae"),
    "series_2": ("#3d6fd1", "#7ba6f2"),
    "series_3": ("#b06f0c", "#e0b04f"),
    "series_4": ("#8653c6", "#b998ee"),
    "series_5": ("#c2487c", "#ec8bb0"),
    "series_6": ("#7d6a4f", "#c4ae8d"),
    "mark": ("#ffe08a", "#6b5314"),
    "found": ("#fdf1c9", "#40361b"),
}

LIGHT: Final = Colours(**{name: light for name, (light, _) in _LIGHT_AND_DARK.items()})
DARK: Final = Colours(**{name: dark for name, (_, dark) in _LIGHT_AND_DARK.items()})
