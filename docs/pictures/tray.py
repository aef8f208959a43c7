"""The tray icon on a virtual display with a panel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from pictures.application import application
from pictures.loop import settle, wait
from pictures.png import save

TRAY_SIZE = (560, 380)


def tray_on_virtual_display(program: Path) -> int:
    """Run `program --tray` on a virtual display. Also returns 0 if none is available."""
    needed = ("xvfb-run", "openbox", "trayer")
    missing = [name for name in needed if shutil.which(name) is None]
    if missing:
        print(f"tray.png left out: {', '.join(missing)} not installed")
        return 0
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", sys.executable, str(program), "--tray"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    return subprocess.run(command, env=environment, check=False).returncode


def draw_tray() -> int:
    """Draw the icon and its open menu on a virtual display with a panel."""
    panel = [
        "trayer",
        "--edge",
        "bottom",
        "--align",
        "right",
        "--widthtype",
        "percent",
        "--width",
        "100",
        "--height",
        "36",
        "--iconspacing",
        "10",
        "--padding",
        "6",
        "--SetDockType",
        "true",
    ]
    helpers = [
        subprocess.Popen(["openbox"]),
        subprocess.Popen([*panel, "--tint", "0x1b2027", "--transparent", "true", "--alpha", "0"]),
    ]
    try:
        with application() as (desktop, _):
            from PySide6.QtCore import QPoint
            from PySide6.QtGui import QGuiApplication

            wait(desktop.tray.check)
            desktop.window.hide()
            background = _wallpaper()
            settle(800)
            place = desktop.tray.icon.geometry().center()
            menu = desktop.tray.menu
            menu.popup(QPoint(place.x() - menu.sizeHint().width() + 20, place.y() - menu.sizeHint().height() - 26))
            menu.setActiveAction(menu.actions()[2])
            settle(600)
            screen = QGuiApplication.primaryScreen()
            area = screen.geometry()
            save(
                screen.grabWindow(0, area.right() - TRAY_SIZE[0] + 1, area.bottom() - TRAY_SIZE[1] + 1, *TRAY_SIZE),
                "tray",
            )
            background.hide()
            menu.hide()
    finally:
        for helper in helpers:
            helper.terminate()
    return 0


def _wallpaper() -> Any:
    """Return a plain background for the empty root window."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QWidget

    widget = QWidget()
    widget.setAttribute(Qt.WidgetAttribute.WA_X11NetWmWindowTypeDesktop)
    widget.setGeometry(QGuiApplication.primaryScreen().geometry())
    widget.setStyleSheet("background: qlineargradient(x1: 0, y1: 0, x2: 1, y2: 1, stop: 0 #8fb7bd, stop: 1 #2d4a5e);")
    widget.show()
    return widget
