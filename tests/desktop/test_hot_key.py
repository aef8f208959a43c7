"""Tests of the global shortcut: valid keys, error messages, a real key on a real X display, and fake Windows and macOS."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.hot_key.hot_key import HotKey
from app.desktop.hot_key.keys import HotKeyRefusedError, Keys, Say, keys_of, keys_problem
from app.desktop.hot_key.macos import CODES, HANDLER, TAKEN, MacGrabber, key_code
from app.desktop.hot_key.windows import HOT_KEY_MESSAGE, NUMBER, WindowsGrabber, _Message
from app.desktop.hot_key.x11 import CONTROL, KEY_PRESS, KEY_RELEASE, MOD1, MOD4, SHIFT, X11Grabber
from app.desktop.settings_store import SettingsStore
from app.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("Ctrl+Alt+Space", Keys(0x20, 0, True, True, False, False)),
        ("meta + shift + k", Keys(ord("K"), 0, False, False, True, True)),
        ("Alt+F12", Keys(0, 12, False, True, False, False)),
        ("Ctrl+/", Keys(ord("/"), 0, True, False, False, False)),
        ("K", None),
        ("Shift+K", None),
        ("Ctrl+", None),
        ("Ctrl+F13", None),
        ("Ctrl+ä", None),
        ("Hyper+K", None),
        ("Ctrl+K+L", None),
    ],
)
def test_keys_need_a_modifier_and_one_key(written: str, keys: Keys | None) -> None:
    assert keys_of(written) == keys
    assert (keys_problem(written) == "") is (keys is not None)


class FakeGrabber:
    """Accepts every shortcut except F5."""

    def __init__(self, pressed: Callable[[], object]) -> None:
        self.pressed = pressed
        self.held: Keys | None = None

    def take(self, keys: Keys) -> None:
        if keys.function == 5:
            raise HotKeyRefusedError("Taken.")
        self.held = keys

    def release(self) -> None:
        self.held = None


def test_the_shortcut_follows_the_setting_and_a_held_key_counts_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[FakeGrabber] = []

    def make(pressed: Callable[[], object], _say: Say) -> FakeGrabber:
        made.append(FakeGrabber(pressed))
        return made[-1]

    owner = QObject()
    store = SettingsStore(load_settings(data_dir=tmp_path), parent=owner)
    monkeypatch.setattr("app.desktop.hot_key.hot_key.grabber", make)
    key = HotKey(store, owner)
    pressed: list[bool] = []
    key.pressed.connect(lambda: pressed.append(True))
    key.follow()
    assert made[0].held == keys_of("Ctrl+Alt+Space") and not key.problem
    for _ in range(5):
        made[0].pressed()
    assert pressed == [True]
    store.save("ask_hot_key", "Ctrl+F5")
    assert key.problem == "Taken." and made[0].held is None
    store.save("ask_hot_key", "")
    assert key.problem == "" and made[0].held is None
    store.save("ask_hot_key", "Ctrl+J")
    assert made[0].held == keys_of("Ctrl+J") and len(made) == 1


def test_settings_and_tray_show_why_a_shortcut_does_not_work(desktop: DesktopApp) -> None:
    row = desktop.window.settings.sections[0].setting_rows["ask_hot_key"]
    usual = row.text.text()
    assert row.problem.isHidden() and not desktop.tray.menu.key.isVisible()
    desktop.status.set_key_problem("Another program uses this shortcut.")
    assert row.problem.text() == "Another program uses this shortcut." and not row.problem.isHidden()
    assert desktop.tray.menu.key.isVisible()
    desktop.status.set_key_problem("", "Shortcut set by the desktop: Super+K")
    assert row.problem.isHidden() and row.text.text() == f"{usual} Shortcut set by the desktop: Super+K"
    assert not desktop.tray.menu.key.isVisible()
    desktop.status.set_key_problem("")
    assert row.text.text() == usual


def test_a_new_shortcut_that_is_in_use_shows_an_error_in_its_row(desktop: DesktopApp) -> None:
    desktop.hot_key._grabber = FakeGrabber(lambda: None)
    row = desktop.window.settings.sections[0].setting_rows["ask_hot_key"]
    row.save("Ctrl+F5")
    assert row.problem.text() == "Taken." and not row.problem.isHidden()
    row.save("Ctrl+F6")
    assert row.problem.isHidden()


class FakeUser32:
    """Registers one shortcut; rejects F5."""

    def __init__(self) -> None:
        self.held: list[tuple[int, int]] = []

    def RegisterHotKey(self, _window: None, _number: int, held: int, key: int) -> int:
        if key == 0x74:
            return 0
        self.held.append((held, key))
        return 1

    def UnregisterHotKey(self, _window: None, _number: int) -> int:
        self.held.pop()
        return 1


def test_windows_registers_the_shortcut_and_its_message_is_a_press(qtbot: QtBot) -> None:
    pressed: list[bool] = []
    user32 = FakeUser32()
    grabber = WindowsGrabber(lambda: pressed.append(True), user32)
    grabber.take(Keys(0x20, 0, True, True, False, False))
    assert user32.held == [(0x4000 | 2 | 1, 0x20)]
    for message, number in ((HOT_KEY_MESSAGE, NUMBER), (HOT_KEY_MESSAGE, 9), (0x0100, NUMBER)):
        seen = _Message(None, message, number, 0)
        grabber.nativeEventFilter(b"windows_generic_MSG", ctypes.addressof(seen))
    assert pressed == [True]
    with pytest.raises(HotKeyRefusedError, match="Another program"):
        grabber.take(Keys(0, 5, True, False, False, False))
    assert user32.held == []


class FakeCarbon:
    """Registers one shortcut; another program uses F5, and the system rejects F6."""

    def __init__(self) -> None:
        self.held: list[tuple[int, int, int]] = []
        self.handler: Callable[..., int] | None = None

    def GetApplicationEventTarget(self) -> int:
        return 7

    def InstallEventHandler(
        self, target: int, handler: Callable[..., int], count: int, _types: object, _data: None, _made: object
    ) -> int:
        assert (target, count) == (7, 1)
        self.handler = handler
        return 0

    def RegisterEventHotKey(self, code: int, held: int, _id: object, target: int, _options: int, made: object) -> int:
        if code in (0x60, 0x61):
            return TAKEN if code == 0x60 else -50
        made._obj.value = 99  # type: ignore[attr-defined]
        self.held.append((code, held, target))
        return 0

    def UnregisterEventHotKey(self, held: ctypes.c_void_p) -> int:
        assert held.value == 99
        self.held.pop()
        return 0


def test_macos_registers_the_shortcut_and_its_event_is_a_press() -> None:
    pressed: list[bool] = []
    carbon = FakeCarbon()
    grabber = MacGrabber(lambda: pressed.append(True), carbon)
    assert isinstance(carbon.handler, HANDLER)
    carbon.handler(None, None, None)
    assert pressed == [], "no shortcut is registered yet"
    grabber.take(Keys(0x20, 0, True, True, False, True))
    assert carbon.held == [(0x31, 0x1000 | 0x800 | 0x100, 7)]
    assert carbon.handler(None, None, None) == 0 and pressed == [True]
    for function, words in ((5, "Another program"), (6, "error -50")):
        with pytest.raises(HotKeyRefusedError, match=words):
            grabber.take(Keys(0, function, True, False, False, False))
    assert carbon.held == []
    with pytest.raises(HotKeyRefusedError, match="does not have this key"):
        grabber.take(Keys(ord("!"), 0, True, False, False, False))


def test_macos_uses_key_positions() -> None:
    """Compare with Carbon's Events.h, because a wrong code would be a different key."""
    known = {"A": 0, "S": 1, "V": 9, "B": 11, "1": 18, "5": 23, "0": 29, "P": 35, "L": 37, "M": 46, ".": 47, "`": 50}
    assert {letter: CODES[letter] for letter in known} == known
    assert len(CODES) == 48 and [key_code(Keys(0, n, True, False, False, False)) for n in (1, 12)] == [0x7A, 0x6F]


def test_x11_has_its_own_modifier_mask() -> None:
    assert Keys(0x20, 0, True, True, True, True).flags(CONTROL, MOD1, SHIFT, MOD4) == 4 | 8 | 1 | 64


class FakeDisplay:
    """Reports key events with type and time."""

    def __init__(self, *events: tuple[int, int]) -> None:
        self._events = [(ctypes.c_uint8 * 32)(kind, 65, 0, 0, *moment.to_bytes(4, "little")) for kind, moment in events]

    def xcb_poll_for_event(self, _connection: None) -> object:
        return self._events.pop(0) if self._events else None

    def xcb_connection_has_error(self, _connection: None) -> int:
        return 0

    def free(self, _event: object) -> None:
        pass


def test_a_key_repeated_by_x11_counts_as_one_press() -> None:
    """The first repetition comes late enough to count as a second press, which would hide the window."""
    pressed: list[bool] = []
    grabber = X11Grabber.__new__(X11Grabber)
    grabber._pressed = lambda: pressed.append(True)
    held = [(KEY_PRESS, 1000), *((kind, moment) for moment in (1660, 1700) for kind in (KEY_RELEASE, KEY_PRESS))]
    display = FakeDisplay(*held, (KEY_RELEASE, 1720), (KEY_PRESS, 2500))
    grabber._xcb, grabber._libc, grabber._connection, grabber._released = display, display, None, b""
    grabber._read()
    assert len(pressed) == 2


@pytest.mark.real
@pytest.mark.desktop
def test_a_real_key_press_opens_and_focuses_the_window(display: str, tmp_path: Path) -> None:
    try:
        ctypes.CDLL("libXtst.so.6")
    except OSError:
        pytest.skip("needs libXtst.so.6 to press keys")
    environment = {
        **os.environ,
        "DISPLAY": display,
        "QT_QPA_PLATFORM": "xcb",
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("WAYLAND_DISPLAY", None)
    host = [sys.executable, str(ROOT / "tests" / "desktop" / "hot_key_host.py"), str(tmp_path / "data")]
    result = subprocess.run(
        ["dbus-run-session", "--", *host], env=environment, capture_output=True, text=True, check=False, timeout=250
    )
    assert result.returncode == 0, result.stderr
    seen = json.loads(result.stdout.splitlines()[-1])
    sys.stderr.write(result.stdout)
    assert seen["platform"] == "xcb"
    assert seen["problem"] == ""
    assert seen["typed"] == "pears"
    assert seen["taken by another"] == "Another program uses this shortcut. Choose a different one."
    assert seen["with caps lock"] and seen["given back"]
