"""Whether the panel or taskbar with the tray is dark, which need not be what windows are."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

ALWAYS_DARK = frozenset({"GNOME", "UNITY"})
"""Desktops whose top bar is dark in both schemes."""
PERSONALIZE = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"


def is_panel_dark() -> bool:
    """By what the system says of its panel; else the scheme of windows."""
    light = _light_taskbar()
    if light is not None:
        return not light
    desktops = os.environ.get("XDG_CURRENT_DESKTOP", "").upper().split(":")
    if not ALWAYS_DARK.isdisjoint(desktops):
        return True
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


if sys.platform == "win32":
    import winreg

    def _light_taskbar() -> bool | None:
        """The taskbar's own switch; None where it was never set."""
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, PERSONALIZE) as key:
                return bool(winreg.QueryValueEx(key, "SystemUsesLightTheme")[0])
        except OSError:
            return None

else:

    def _light_taskbar() -> bool | None:
        return None
