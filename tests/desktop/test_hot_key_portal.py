"""Tests of the global shortcut on Wayland with a fake portal on a real session bus."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.hot_key.hot_key import HotKey
from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, keys_of
from app.desktop.hot_key.portal import PATH, PORTAL, SESSION, SHORTCUTS, PortalGrabber, trigger
from app.desktop.settings_store import SettingsStore
from app.settings import load_settings

if sys.platform != "linux" or shutil.which("dbus-daemon") is None:
    pytest.skip("needs dbus-daemon", allow_module_level=True)

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")


class FakePortal:
    """A fake portal. `code` 1 means that the user refused, `given` is the shortcut that the desktop assigned."""

    def __init__(self) -> None:
        self.code, self.given = 0, "Ctrl+Alt+Space"
        self.is_there = True
        self.answers = True
        self.asked: list[tuple[str, str]] = []
        self.sessions: list[str] = []
        self._connection = open_dbus_connection("SESSION")
        self._guard = threading.Lock()
        self.come()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def come(self) -> None:
        self._send(new_method_call(BUS, "RequestName", "su", (PORTAL, 4)))

    def go(self) -> None:
        self._send(new_method_call(BUS, "ReleaseName", "s", (PORTAL,)))

    def press(self, shortcut: str = "ask", session: str = "", **facts: tuple[str, str]) -> None:
        body = (session or self.sessions[-1], shortcut, 5, facts)
        self._send(new_signal(DBusAddress(PATH, interface=SHORTCUTS), "Activated", "osta{sv}", body))

    def take_back(self) -> None:
        self._send(new_signal(DBusAddress(self.sessions[-1], interface=SESSION), "Closed"))

    def stop(self) -> None:
        self._connection.sock.shutdown(2)
        self._thread.join(60)
        self._connection.close()

    def _send(self, message: Any) -> None:
        with self._guard:
            self._connection.send_message(message)

    def _serve(self) -> None:
        while True:
            try:
                message = self._connection.receive()
            except OSError:
                return
            if message.header.message_type is MessageType.method_call:
                self._answer(message)

    def _answer(self, message: Any) -> None:
        fields = message.header.fields
        method, body = fields[HeaderFields.member], message.body
        if not self.is_there or method not in ("CreateSession", "BindShortcuts"):
            self._send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", ("no such method",)))
            return
        sender = fields[HeaderFields.sender][1:].replace(".", "_")
        options = body[-1]
        handle = f"{PATH}/request/{sender}/{options['handle_token'][1]}"
        self._send(new_method_return(message, "o", (handle,)))
        results: dict[str, Any] = {}
        if method == "CreateSession":
            self.sessions.append(f"{PATH}/session/{sender}/{options['session_handle_token'][1]}")
            results = {"session_handle": ("s", self.sessions[-1])}
        else:
            assert body[0] == self.sessions[-1]
            ((name, wanted),) = body[1]
            self.asked.append((name, wanted["preferred_trigger"][1]))
            if not self.answers:
                return
            results = {"shortcuts": ("a(sa{sv})", [(name, {"trigger_description": ("s", self.given)})])}
        code = self.code if method == "BindShortcuts" else 0
        answer = new_signal(DBusAddress(handle, interface="org.freedesktop.portal.Request"), "Response", "ua{sv}")
        answer.header.fields[HeaderFields.destination] = fields[HeaderFields.sender]
        answer.body = (code, {} if code else results)
        self._send(answer)


@pytest.fixture(scope="module")
def bus() -> Iterator[str]:
    """The address of a separate session bus."""
    command = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        yield daemon.stdout.readline().strip()
        daemon.terminate()


@pytest.fixture
def portal(bus: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePortal]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus)
    made = FakePortal()
    yield made
    made.stop()


class Held:
    """A grabber and its messages."""

    def __init__(self) -> None:
        self.presses = 0
        self.said: list[tuple[str, str]] = []
        self.grabber = PortalGrabber(self._press, lambda problem, note: self.said.append((problem, note)))

    def _press(self) -> None:
        self.presses += 1


@pytest.fixture
def held(qtbot: QtBot) -> Iterator[Held]:
    made = Held()
    yield made
    made.grabber.release()


KEYS = keys_of("Ctrl+Alt+Space") or Keys(0, 0, False, False, False, False)


def decided(held: Held, qtbot: QtBot) -> tuple[str, str]:
    """Wait for the result of the last request."""
    qtbot.waitUntil(lambda: bool(held.said) and "may ask you" not in held.said[-1][1])
    return held.said[-1]


def test_a_shortcut_is_requested_and_its_presses_are_reported(
    portal: FakePortal, held: Held, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "")
    held.grabber.take(KEYS)
    assert held.said == [("", "WebRAG asked the desktop for this shortcut. The desktop may ask you to confirm.")]
    assert decided(held, qtbot) == ("", "Shortcut set by the desktop: Ctrl+Alt+Space")
    assert portal.asked == [("ask", "CTRL+ALT+space")]
    portal.press("another")
    portal.press(session=f"{PATH}/session/of/another")
    portal.press(activation_token=("s", "token-1"))
    qtbot.waitUntil(lambda: held.presses == 1)
    import os

    assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-1"
    held.grabber.take(keys_of("Meta+K") or KEYS)
    qtbot.waitUntil(lambda: len(portal.asked) == 2 and held.said[-1][1].startswith("Shortcut set"))
    assert portal.asked[-1] == ("ask", "LOGO+k")
    portal.press(session=portal.sessions[0])
    portal.press()
    qtbot.waitUntil(lambda: held.presses == 2)


def test_the_decision_of_the_user_or_desktop_is_shown(portal: FakePortal, held: Held, qtbot: QtBot) -> None:
    portal.code = 1
    held.grabber.take(KEYS)
    problem, note = decided(held, qtbot)
    assert problem.startswith("The desktop rejected this shortcut. Choose a different one") and not note
    portal.code, portal.given = 0, ""
    held.grabber.take(KEYS)
    assert decided(held, qtbot)[0].startswith("The desktop did not assign a shortcut.")
    portal.given = "Super+J"
    held.grabber.take(KEYS)
    assert decided(held, qtbot) == ("", "Shortcut set by the desktop: Super+J")
    portal.take_back()
    qtbot.waitUntil(lambda: held.said[-1][0].startswith("The desktop removed the shortcut of the Ask window."))


def test_a_desktop_without_portal_support_is_reported(
    portal: FakePortal, held: Held, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    portal.is_there = False
    held.grabber.take(KEYS)
    assert decided(held, qtbot)[0].startswith("WebRAG cannot register a shortcut on this desktop.")
    portal.go()
    held.grabber.take(KEYS)
    assert "webrag-desktop --ask" in decided(held, qtbot)[0]
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    held.grabber.take(KEYS)
    assert "webrag-desktop --ask" in decided(held, qtbot)[0]


def test_a_restarted_portal_receives_the_request_again(portal: FakePortal, held: Held, qtbot: QtBot) -> None:
    held.grabber.take(KEYS)
    decided(held, qtbot)
    portal.go()
    portal.come()
    qtbot.waitUntil(lambda: len(portal.asked) == 2)
    portal.press()
    qtbot.waitUntil(lambda: held.presses == 1)


def test_a_pending_shortcut_request_is_canceled_immediately(portal: FakePortal, held: Held, qtbot: QtBot) -> None:
    """The desktop's dialog can stay open for hours."""
    portal.answers = False
    held.grabber.take(KEYS)
    qtbot.waitUntil(lambda: bool(portal.asked))
    said = list(held.said)
    held.grabber.release()
    qtbot.waitUntil(lambda: all(each.name != "hot key" for each in threading.enumerate()))
    assert held.said == said


def test_the_setting_shows_a_late_decision_of_the_portal(
    portal: FakePortal, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtCore import QObject

    owner = QObject()
    store = SettingsStore(load_settings(data_dir=tmp_path), parent=owner)
    monkeypatch.setattr("app.desktop.hot_key.hot_key.grabber", PortalGrabber)
    key = HotKey(store, owner)
    portal.code = 2
    key.follow()
    assert not key.problem and "may ask you" in key.note
    qtbot.waitUntil(lambda: key.problem.startswith("The desktop rejected"))
    portal.code = 0
    store.save("ask_hot_key", "Ctrl+J")
    qtbot.waitUntil(lambda: not key.problem and key.note.startswith("Shortcut set by the desktop"))
    pressed: list[bool] = []
    key.pressed.connect(lambda: pressed.append(True))
    portal.press()
    qtbot.waitUntil(lambda: pressed == [True])
    key.release()


@pytest.mark.parametrize(
    ("written", "named"),
    [("Ctrl+Shift+F5", "CTRL+SHIFT+F5"), ("Meta+/", "LOGO+slash"), ("Alt+7", "ALT+7"), ("Ctrl+Alt+Q", "CTRL+ALT+q")],
)
def test_shortcuts_are_written_in_portal_syntax(written: str, named: str) -> None:
    keys = keys_of(written)
    assert keys is not None and trigger(keys) == named


def test_a_symbol_without_a_name_is_rejected() -> None:
    with pytest.raises(HotKeyRefusedError, match="does not have this key"):
        trigger(Keys(ord("~"), 0, True, False, False, False))
