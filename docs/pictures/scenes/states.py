"""Problems of the computer: each scene brings a second application with its own folder into a real error state."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pictures.loop import settle, wait

Scene = Callable[[Any], Any]

_MADE: list[Any] = []
"""Windows stay referenced: the process ends if the garbage collector destroys one on the thread of an engine."""
SHOWN_HOME = "/home/ada"
SHOWN_FOLDER = "/media/ada/Backup/webrag"
"""Shown instead of the temporary folders of this run."""
PAGES = ("Queues", "Retries", "Dead letters", "Webhooks")


@contextmanager
def _started(name: str, **given: Any) -> Iterator[Any]:
    """Show an application whose engine has started or failed to start."""
    from PySide6.QtWidgets import QApplication

    from app.desktop.application import DesktopApp
    from app.desktop.backend import Phase
    from app.desktop.theme import theme
    from app.settings import load_settings

    appearance = theme().appearance
    settings = load_settings({"mcp_port": 0, "appearance": appearance.value, **given}, data_dir=_folder(name))
    made = DesktopApp(QApplication.instance(), settings)
    _MADE.append(made)
    made.engine.start()
    made.window.show()
    try:
        wait(lambda: made.status.phase in (Phase.RUNNING, Phase.FAILED))
        settle(600)
        yield made
    finally:
        made.window.hide()
        made.engine.stop()


def _folder(name: str) -> Path:
    return Path(os.environ["HOME"]) / "states" / name


def _grab(application: Any) -> Any:
    """Draw Home without the list of first steps."""
    application.window.home.checklist.keep_hidden()
    application.window.go_to("home")
    settle(500)
    _without_own_folder(application.window.home.problems)
    settle(100)
    return application.window.grab()


def _without_own_folder(banners: Any) -> None:
    from PySide6.QtWidgets import QLabel

    for words in banners.findChildren(QLabel):
        words.setText(words.text().replace(os.environ["HOME"], SHOWN_HOME))


def _fill(application: Any) -> None:
    """Store some embedded notes in the library."""
    notes = _folder("notes")
    notes.mkdir(parents=True, exist_ok=True)
    for title in PAGES:
        text = f"# {title}\n\nNotes for everyone on call about {title.lower()}, with last year's figures.\n"
        (notes / f"{title.lower().replace(' ', '-')}.md").write_text(text)
        application.engine.submit(
            lambda engine, title=title: engine.add_file(notes / f"{title.lower().replace(' ', '-')}.md")
        )
    wait(lambda: application.window.library.model.total >= len(PAGES) and not application.status.waiting)
    settle(600)


def _disk_full(_desktop: Any) -> Any:
    """Draw the state in which SQLite cannot extend its file."""
    with _started("full") as made, patch("app.corpus.database.has_room", lambda *_: False):
        _fill(made)
        writer = made.status.engine._corpus._database._writer
        writer.pragma("max_page_count", writer.pragma("page_count"))
        note = _folder("notes") / "long.md"
        note.write_text("# Long\n\n" + "\n\n".join(f"Line {number} of a long note. " * 40 for number in range(200)))
        made.engine.submit(lambda engine: engine.add_file(note), failed=lambda _error: None)
        wait(lambda: bool(made.status.health.refusal))
        return _grab(made)


def _damaged_file(name: str) -> None:
    """Overwrite most of a file that was in use."""
    with _started(name) as made:
        _fill(made)
        engine = made.status.engine
        from app.corpus import restore

        with patch.object(restore, "ROOM_BESIDE_BACKUPS", 0):
            restore.back_up_if_due(engine._corpus)
    file = _folder(name) / "corpus.db"
    with file.open("r+b") as stream:
        stream.seek(0)
        stream.write(os.urandom(file.stat().st_size))


def _damaged(_desktop: Any) -> Any:
    if not (_folder("damaged") / "corpus.db").exists():
        _damaged_file("damaged")
    with _started("damaged") as made:
        return _grab(made)


def _port_taken(_desktop: Any) -> Any:
    with ExitStack() as open_sockets:
        other = open_sockets.enter_context(socket.socket())
        other.bind(("127.0.0.1", 0))
        other.listen()
        made = open_sockets.enter_context(_started("port", mcp_port=other.getsockname()[1]))
        _fill(made)
        return _grab(made)


def _no_keyring(_desktop: Any) -> Any:
    """Draw the state with an assistant connected by address, which needs the token."""
    import json

    import keyring
    from keyring.backends.fail import Keyring

    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    file = Path(os.environ["HOME"]) / ".cursor" / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"webrag-http": {"url": "http://127.0.0.1:8765/mcp"}}}))
    try:
        with _started("keyring") as made:
            _fill(made)
            return _grab(made)
    finally:
        keyring.set_keyring(before)


def _no_model(_desktop: Any) -> Any:
    """Draw the state with an unreadable model."""
    broken = _folder("assets")
    if not broken.exists():
        from app.paths import assets_dir

        (broken / "model").mkdir(parents=True)
        for each in (assets_dir() / "model").iterdir():
            (broken / "model" / each.name).write_bytes(each.read_bytes()[:50_000])
    with patch("app.embed.model_dir", lambda: broken / "model"), _started("model") as made:
        note = _folder("notes") / "queues.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("# Queues\n\nA queue keeps every message until a worker has confirmed it.\n")
        made.engine.submit(lambda engine: engine.add_file(note))
        wait(lambda: made.window.library.model.total >= 1)
        settle(600)
        return _grab(made)


def _no_data_folder(_desktop: Any) -> Any:
    """Draw the state with a file in place of the data folder."""
    from app.desktop.dialogs.confirm import DataFolderDialog
    from app.errors import DataFolderError
    from app.instance import hold_instance

    folder = _folder("a-file") / "webrag"
    folder.parent.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.write_text("no folder")
    try:
        with hold_instance(folder):
            raise RuntimeError("the folder can be used")
    except DataFolderError as error:
        error.message = error.message.replace(str(folder), SHOWN_FOLDER)
        dialog = DataFolderDialog(error, Path(SHOWN_FOLDER), is_remembered=True)
    dialog.show()
    settle()
    picture = dialog.grab()
    dialog.deleteLater()
    return picture


def scenes() -> dict[str, Scene]:
    """Return the scenes: Home in each state."""
    return {
        "state-disk-full": _disk_full,
        "state-damaged": _damaged,
        "state-port": _port_taken,
        "state-keyring": _no_keyring,
        "state-embedder": _no_model,
        "state-data-folder": _no_data_folder,
    }
