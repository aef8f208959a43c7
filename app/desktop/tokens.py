"""Design tokens: distances in device-independent pixels, and the colors of both schemes."""

from __future__ import annotations

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


class Shade:
    """A color in the light and in the dark scheme."""

    def __init__(self, light: str, dark: str) -> None:
        self._shades = light, dark

    def __get__(self, scheme: Colours, _owner: type[Colours]) -> str:
        return self._shades[scheme.is_dark]


class Colours:
    """The colors of a scheme. Text colors have a contrast of at least 4.5 on their surfaces."""

    window = Shade("#f6f7f9", "#14181d")
    surface = Shade("#ffffff", "#1b2027")
    sunken = Shade("#f0f2f5", "#171b21")
    sidebar = Shade("#eceff3", "#101317")
    border = Shade("#e0e4ea", "#2a313b")
    strong_border = Shade("#c6cdd7", "#3f4957")
    outline = Shade("#868f9d", "#667283")  # Border of input fields; contrast of at least 3 on their surfaces.
    text = Shade("#18212d", "#e7ebf1")
    muted = Shade("#566174", "#9ca8b8")
    accent = Shade("#0d766c", "#3fbfae")
    accent_hover = Shade("#0a615a", "#5bd0c1")
    on_accent = Shade("#ffffff", "#06201d")
    accent_text = Shade("#0a665e", "#62d2c3")
    accent_soft = Shade("#d9efec", "#16362f")
    hover = Shade("#f3f5f8", "#222831")
    success = Shade("#17703f", "#6cce93")
    success_soft = Shade("#dcf2e4", "#163023")
    warning = Shade("#7d5200", "#e6bb5c")
    warning_soft = Shade("#fbeecb", "#352a12")
    danger = Shade("#b0222b", "#f28b88")
    danger_soft = Shade("#fbe3e3", "#3c1d1f")
    series_1 = Shade("#0d766c", "#3fbfae")
    series_2 = Shade("#3d6fd1", "#7ba6f2")
    series_3 = Shade("#b06f0c", "#e0b04f")
    series_4 = Shade("#8653c6", "#b998ee")
    series_5 = Shade("#c2487c", "#ec8bb0")
    series_6 = Shade("#7d6a4f", "#c4ae8d")  # Parts of a chart; contrast of at least 3 on the surface.
    mark = Shade("#ffe08a", "#6b5314")  # Background of the highlighted passage; `found` marks further matches.
    found = Shade("#fdf1c9", "#40361b")

    def __init__(self, *, is_dark: bool) -> None:
        self.is_dark = is_dark


COLOUR_NAMES: Final = tuple(name for name, value in vars(Colours).items() if isinstance(value, Shade))
LIGHT, DARK = Colours(is_dark=False), Colours(is_dark=True)
