"""Home, setup, search palette, and the window when paused or empty."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pictures.dialogs import dialog_of
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]


WIZARD_STEPS = ("welcome", "storage", "model", "assistants", "question")


def _wizard(desktop: Any, place: int) -> Any:
    """Draw a step of the setup after its automatic actions."""
    desktop.window.go_to("home")
    desktop.window.show_wizard()
    wizard = desktop.window.wizard
    wizard.show_step(place)
    settle(800)
    if place == 4:
        wizard.first_question.chips[0].click()
        settle(800)
    return wizard


def _wizard_scene(place: int) -> Callable[[Any], Any]:
    def scene(desktop: Any) -> Any:
        from PySide6.QtWidgets import QDialog

        from app.desktop.theme import theme

        wizard = _wizard(desktop, place)
        home = os.environ["HOME"]
        # Hide the temporary folder of this run.
        wizard.storage.place.show_text("/home/ada/.local/share/webrag")
        for made in wizard.assistants.rows:
            made.text.show_text(made.text.full_text.replace(home, "/home/ada"))
        theme().changed.emit()
        settle(50)
        return dialog_of(desktop.window, QDialog)

    return scene


def _palette(desktop: Any) -> Any:
    desktop.window.go_to("library")
    finder = desktop.window.finder
    finder.open_up()
    settle(300)
    finder.box.setText("retries")
    finder.finder.type("retries")
    wait(lambda: any(entry.group.value == "passages" and entry.key != "search" for entry in finder.list.entries))
    settle(200)
    picture = desktop.window.grab()
    finder.close_up()
    return picture


def _palette_empty(desktop: Any) -> Any:
    desktop.window.go_to("home")
    finder = desktop.window.finder
    finder.open_up()
    settle(300)
    picture = desktop.window.grab()
    finder.close_up()
    return picture


def _shortcuts(desktop: Any) -> Any:
    from PySide6.QtWidgets import QDialog

    desktop.window.go_to("home")
    desktop.window.show_shortcuts()
    settle()
    return dialog_of(desktop.window, QDialog)


def _home_fresh(desktop: Any) -> Any:
    """Draw a second application with an empty library."""
    from PySide6.QtWidgets import QApplication

    from app.desktop.application import DesktopApp
    from app.desktop.theme import theme
    from app.settings import load_settings

    folder, appearance = Path(os.environ["HOME"]) / "fresh", theme().appearance
    given = {"mcp_port": 0, "appearance": appearance.value}
    fresh = DesktopApp(QApplication.instance(), load_settings(given, data_dir=folder))
    fresh.engine.start()
    fresh.window.show()
    wait(lambda: fresh.status.embedder is not None and fresh.window.home.checklist.isVisible())
    settle(600)
    picture = fresh.window.grab()
    fresh.window.hide()
    fresh.engine.stop()
    return picture


def _home(desktop: Any) -> Any:
    desktop.window.go_to("home")
    settle()
    return desktop.window.grab()


def _paused(desktop: Any) -> Any:
    from app.desktop.backend import Phase

    desktop.engine.set_paused(True)
    wait(lambda: desktop.status.phase is Phase.PAUSED)
    picture = _home(desktop)
    desktop.engine.set_paused(False)
    wait(lambda: desktop.status.phase is Phase.RUNNING)
    return picture


def _empty(desktop: Any) -> Any:
    window = desktop.window
    window.go_to("search")
    window.search.query.clear()
    window.search.forget()
    settle()
    return window.grab()


def scenes() -> dict[str, Scene]:
    """Return the scenes of Home, setup, search palette and keyboard shortcuts."""
    return {
        "home": _home,
        "home-fresh": _home_fresh,
        **{f"wizard-{name}": _wizard_scene(place) for place, name in enumerate(WIZARD_STEPS)},
        "palette": _palette,
        "palette-empty": _palette_empty,
        "shortcuts": _shortcuts,
    }


def last_scenes() -> dict[str, Scene]:
    """Return the scenes that change the window for later scenes."""
    return {"paused": _paused, "empty": _empty}
