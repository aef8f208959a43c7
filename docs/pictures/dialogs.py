"""Dialogs, found and drawn."""

from __future__ import annotations

from typing import Any

from pictures.loop import settle


def grab_dialog(_desktop: Any, dialog: Any) -> Any:
    """A dialog after it came to rest, and away with it."""
    settle(300)
    picture = dialog.grab()
    dialog.reject()
    dialog.deleteLater()
    settle(50)
    return picture


def dialog_of(window: Any, kind: type) -> Any:
    """The open dialog alone."""
    dialog = next(found for found in window.findChildren(kind) if found.isVisible())
    picture = dialog.grab()
    dialog.reject()
    dialog.deleteLater()
    settle(50)
    return picture
