"""Settings: one picture per section, and dialogs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pictures.dialogs import dialog_of
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]


def _settings(desktop: Any) -> Any:
    desktop.window.go_to("settings")
    settle(500)
    desktop.window.settings.list.setCurrentRow(1)
    settle()
    return desktop.window.grab()


def _settings_tools(desktop: Any) -> Any:
    from PySide6.QtCore import QPoint

    settings = desktop.window.settings
    desktop.window.go_to("settings")
    desktop.settings.save("mcp_client_tools", ("cursor=research",))
    wait(lambda: settings.tools.choice.counts["full"].text() != "…")
    settle(200)
    settings.area.verticalScrollBar().setValue(settings.tools.mapTo(settings.area.widget(), QPoint(0, 0)).y() - 180)
    settle()
    picture = desktop.window.grab()
    desktop.settings.save("mcp_client_tools", ())
    return picture


def _section(desktop: Any, name: str) -> Any:
    """Scroll a section to the top. `name` is its attribute, because titles are translated."""
    settings = desktop.window.settings
    desktop.window.go_to("settings")
    settings.show_section(getattr(settings, name))
    wait(lambda: settings.storage.totals is not None)
    settle(600)
    _without_own_folder(settings)
    return desktop.window.grab()


def _without_own_folder(settings: Any) -> None:
    """Hide the temporary folder of this run."""
    from app.desktop.pages.settings.layout import PathRow

    for row in settings.findChildren(PathRow):
        row.path.show_text(row.path.full_text.replace(os.environ["HOME"], "/home/ada"))


def _settings_embedder(desktop: Any) -> Any:
    test = desktop.window.settings.embedder.test
    desktop.window.go_to("settings")
    test.start()
    wait(lambda: bool(test.badge.text()))
    return _section(desktop, "embedder")


def _settings_found(desktop: Any) -> Any:
    settings = desktop.window.settings
    desktop.window.go_to("settings")
    settings.filter.setText("private networks")
    settle()
    picture = desktop.window.grab()
    settings.filter.clear()
    return picture


def _browsers(desktop: Any) -> Any:
    """Draw a paired browser, and the code for another one."""
    from app.desktop.pages.settings.sections import BrowsersSection

    section = next(each for each in desktop.window.settings.sections if isinstance(each, BrowsersSection))
    if not section.browsers.all():
        code = section.browsers.new_code()
        section.browsers.pair(code, f"chrome-extension://{'a' * 32}", "Chromium on Linux")
        section.reload()
    desktop.window.go_to("settings")
    section.code.ask.click()
    wait(lambda: bool(section.code.code.text()))
    picture = _section(desktop, "browsers")
    section.code.ask.click()
    return picture


def _restore(desktop: Any) -> Any:
    from app.desktop.dialogs.confirm import RestoreDialog

    storage = desktop.window.settings.storage
    desktop.window.go_to("settings")
    wait(lambda: storage.totals is not None)
    backup = Path(os.environ["HOME"]) / "webrag-2026-11-02.db"
    desktop.engine.submit(lambda engine: engine.maintenance.backup(backup), lambda _: storage.look_into(backup))
    wait(lambda: any(found.isVisible() for found in desktop.window.findChildren(RestoreDialog)))
    dialog = next(found for found in desktop.window.findChildren(RestoreDialog) if found.isVisible())
    dialog.path.show_text(f"/home/ada/backups/{backup.name}")
    settle()
    return dialog_of(desktop.window, RestoreDialog)


def _delete_everything(desktop: Any) -> Any:
    from app.desktop.dialogs.confirm import DeleteDialog

    desktop.window.go_to("settings")
    desktop.window.settings.privacy.ask_delete()
    settle()
    return dialog_of(desktop.window, DeleteDialog)


def _licences(desktop: Any) -> Any:
    from app.desktop.pages.settings.about import LicencesDialog

    desktop.window.go_to("settings")
    dialog = desktop.window.settings.about.show_licences()
    wait(lambda: dialog.list.count() > 0)
    settle()
    return dialog_of(desktop.window, LicencesDialog)


def scenes() -> dict[str, Scene]:
    """Return the scenes of sections and dialogs."""
    return {
        "settings": _settings,
        "settings-tools": _settings_tools,
        "settings-crawling": lambda desktop: _section(desktop, "crawling"),
        "settings-embedder": _settings_embedder,
        "settings-browsers": _browsers,
        "settings-storage": lambda desktop: _section(desktop, "storage"),
        "settings-secrets": lambda desktop: _section(desktop, "secrets"),
        "settings-privacy": lambda desktop: _section(desktop, "privacy"),
        "settings-about": lambda desktop: _section(desktop, "about"),
        "settings-found": _settings_found,
        "restore": _restore,
        "delete-everything": _delete_everything,
        "licences": _licences,
    }
