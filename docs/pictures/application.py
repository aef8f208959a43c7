"""The running application in a new home folder, with a filled library and two connected assistants."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pictures.calls import attach
from pictures.filling import fill
from pictures.loop import wait

ATTACHED = ("claude-ai/0.14", "cursor-vscode/1.9")


@contextmanager
def application(language: str = "en") -> Iterator[tuple[Any, Any]]:
    """Run the application with a filled library and two connected assistants, and yield it with the web it reads."""
    from app.desktop.application import DesktopApp
    from app.settings import load_settings, save_setting
    from pictures.site import SmallWeb

    with home(language) as (folder, qt), SmallWeb() as web:
        save_setting("keep_questions", True)
        save_setting("keep_pictures", True)
        settings = load_settings(data_dir=folder / ".local" / "share" / "webrag")
        desktop = DesktopApp(qt, settings)
        desktop.start()
        try:
            wait(lambda: bool(desktop.status.url))
            lines = [attach(desktop.status.url, name) for name in ATTACHED]
            fill(desktop, web)
            wait(lambda: len(desktop.status.clients) == len(lines))
            yield desktop, web
        finally:
            desktop.quit()


@contextmanager
def home(language: str = "en") -> Iterator[tuple[Path, Any]]:
    """Yield a separate home folder with settings, assistants and a keyring, and the Qt application."""
    import keyring
    from PySide6.QtWidgets import QApplication

    from app.clients import profile
    from app.desktop.application import make_qt_application
    from app.settings import save_setting
    from pictures.assistants import install_assistants

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder) / "ada"
        (home / ".config" / "Claude").mkdir(parents=True)
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.environ.pop(name, None)
        install_assistants(home)
        profile.program = lambda *_: ["/usr/bin/webrag"]  # type: ignore[assignment]
        os.environ.update(
            HOME=str(home),
            WEBRAG_CONFIG=str(home / "config.toml"),
        )
        keyring.set_keyring(_memory_keyring())
        save_setting("allow_networks", ("127.0.0.0/8",))
        save_setting("language", language)
        yield home, QApplication.instance() or make_qt_application(["webrag-desktop"])


def _memory_keyring() -> Any:
    """Return a keyring for this run only, so that the user's keyring is not changed."""
    from keyring.backend import KeyringBackend

    class MemoryKeyring(KeyringBackend):
        priority = 1
        kept: dict[tuple[str, str], str]

        def __init__(self) -> None:
            super().__init__()
            self.kept = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del self.kept[service, username]

    return MemoryKeyring()
