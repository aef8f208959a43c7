"""Find and draw dialogs."""

from __future__ import annotations

from typing import Any

from pictures.loop import settle


def grab_dialog(_desktop: Any, dialog: Any) -> Any:
    """Draw a dialog once its layout is stable, then close it."""
    settle(300)
    picture = dialog.grab()
    dialog.reject()
    dialog.deleteLater()
    settle(50)
    return picture


def dialog_of(window: Any, kind: type) -> Any:
    """Return the open dialog of this class."""
    dialog = next(found for found in window.findChildren(kind) if found.isVisible())
    picture = dialog.grab()
    dialog.reject()
    dialog.deleteLater()
    settle(50)
    return picture
