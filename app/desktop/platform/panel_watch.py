"""Panels of Linux say on D-Bus when they come and go, so that nobody has to ask all the time."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject

SERVICE = "org.kde.StatusNotifierWatcher"


def watch_panel(came: Callable[[], object], went: Callable[[], object], parent: QObject) -> bool:
    """Call `came` and `went` as long as `parent` lives; false where panels do not tell."""
    if not sys.platform.startswith(("linux", "freebsd")):
        return False
    from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    watcher = QDBusServiceWatcher(SERVICE, bus, QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange, parent)
    watcher.serviceRegistered.connect(lambda _name: came())
    watcher.serviceUnregistered.connect(lambda _name: went())
    return True
