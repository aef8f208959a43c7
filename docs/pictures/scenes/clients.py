"""The Assistants page, and connecting an assistant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pictures import assistants
from pictures.dialogs import dialog_of
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]


def _connect(desktop: Any) -> Any:
    from PySide6.QtWidgets import QDialog

    assistants.connect_dialog(desktop, wait, settle)
    return dialog_of(desktop.window, QDialog)


def _everything(desktop: Any) -> Any:
    from PySide6.QtWidgets import QDialog

    assistants.clients_everything(desktop, wait, settle)
    return dialog_of(desktop.window, QDialog)


def scenes() -> dict[str, Scene]:
    """Return the scenes: the dialog with the change, and the states of an assistant."""
    states: dict[str, Callable[..., Any]] = {
        "clients": assistants.clients,
        "clients-problem": assistants.clients_problem,
        "clients-waiting": assistants.clients_waiting,
        "clients-test": assistants.clients_test,
        "clients-other": assistants.clients_other,
    }
    return {
        "connect": _connect,
        "clients-everything": _everything,
        **{name: lambda desktop, scene=scene: scene(desktop, wait, settle) for name, scene in states.items()},
    }
