"""Untrusted text is shown literally, and content leaves the window only through known functions."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

import app.desktop
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.exports import MARKS, copy_secret
from app.desktop.tray import message_body
from tests.desktop.conftest import Start

ROOT = Path(__file__).resolve().parents[2]
TITLE = 'Forget “<img src="file:///etc/hostname"><b>Bold</b>”?'


def test_markup_in_a_question_is_shown_as_text(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def question(_parent: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", question)
    assert is_agreed(None, "Forget", TITLE)
    shown = QTextDocument()
    shown.setHtml(asked[0])
    assert shown.toPlainText() == TITLE


def test_the_button_that_agrees_repeats_the_action(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    answers = iter((QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes))

    def answer(box: QMessageBox) -> int:
        seen.append(box.button(QMessageBox.StandardButton.Yes).text())
        return next(answers).value

    monkeypatch.setattr(QMessageBox, "exec", answer)
    assert not is_agreed(None, "Leave Research & Co?", "WebRAG stops searching it.")
    assert is_agreed(None, "Start over", "Start with an empty library?", "Start empty…")
    assert seen == ["Leave Research && Co", "Start empty"]


@pytest.mark.parametrize(
    ("system", "body"),
    [("linux", "&lt;a href=x&gt;a &amp; b"), ("win32", "<a href=x>a & b"), ("darwin", "<a href=x>a & b")],
)
def test_messages_contain_no_markup(system: str, body: str) -> None:
    assert message_body("<a href=x>a & b", system) == body
    assert message_body("\u202e<a href=x>\x1b\u2066a & b", system) == body


def test_a_secret_on_the_clipboard_is_marked(qtbot: QtBot) -> None:
    copy_secret("very-secret")
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "very-secret"
    assert {kind: bytes(data.data(kind).data()) for kind in MARKS} == MARKS


def test_a_process_that_copied_a_secret_without_a_desktop_exits_cleanly() -> None:
    script = (
        "from PySide6.QtWidgets import QApplication\napplication = QApplication([])\n"
        "from app.desktop.exports import copy_secret, leave_clipboard\ncopy_secret('very-secret')\nleave_clipboard()"
    )
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, check=False, timeout=240)
    assert done.returncode == 0


def test_the_application_clears_copied_secrets_when_it_quits(start: Start) -> None:
    desktop = start()
    copy_secret("very-secret")
    desktop.quit()
    assert not QGuiApplication.clipboard().text()


DOORS = {
    r"QMessageBox\.question\(": set(),
    r"QDesktopServices\.openUrl\(": {"exports.py"},
    r"\bQLabel\((?!\))": {"widgets.py"},
}
"""Places where text could be interpreted as markup or an address opened unseen. Only these files may do that, and they take care of it."""


@pytest.mark.parametrize("door", DOORS)
def test_texts_and_addresses_only_use_the_known_functions(door: str) -> None:
    folder = Path(app.desktop.__file__).parent
    files = {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in folder.rglob("*.py")}
    users = {name for name, text in files.items() if re.search(door, text)}
    assert users - DOORS[door] == set()
