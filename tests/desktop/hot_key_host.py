"""The application with a fake engine on a real X display, with key presses through the XTEST extension.

Takes the data folder as argument and prints the result as one JSON object.
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.desktop.hot_key.keys import HotKeyRefusedError, keys_of
from app.desktop.hot_key.x11 import X11Grabber
from tests.desktop.fake_engine import FakeParts
from tests.desktop.window import make, take_away, wait_running, wait_until

CONTROL, ALT, SPACE, CAPS = "Control_L", "Alt_L", "space", "Caps_Lock"


class Keyboard:
    """Presses keys that the X server cannot distinguish from real ones."""

    def __init__(self) -> None:
        self._x11, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XStringToKeysym.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(None))

    def press(self, *names: str) -> None:
        """Press keys together and release them."""
        codes = [
            self._x11.XKeysymToKeycode(self._display, ctypes.c_ulong(self._x11.XStringToKeysym(name.encode())))
            for name in names
        ]
        for is_down, keys in ((1, codes), (0, codes[::-1])):
            for code in keys:
                self._test.XTestFakeKeyEvent(self._display, code, is_down, ctypes.c_ulong(0))
        self._x11.XFlush(self._display)


def main() -> int:
    """Press the shortcut, type a question and press it again."""
    application = QApplication([])
    desktop = make(Path(sys.argv[1]), FakeParts(6))
    desktop.start()
    wait_running(desktop)
    seen: dict[str, object] = {"platform": application.platformName(), "problem": desktop.hot_key.problem}
    keyboard = Keyboard()
    asking = desktop._make_asking()
    begun = time.perf_counter()
    keyboard.press(CONTROL, ALT, SPACE)
    wait_until(lambda: asking.isVisible() and asking.box.hasFocus())
    seen["opened in ms"] = round(1000 * (time.perf_counter() - begun))
    for letter in "pears":
        keyboard.press(letter)
    wait_until(lambda: asking.hits.query == "pears" and asking.page.reader.preview.marks != [])
    seen["typed"] = asking.box.text()
    try:
        X11Grabber(lambda: None).take(keys_of("Ctrl+Alt+Space"))  # type: ignore[arg-type]
    except HotKeyRefusedError as refused:
        seen["taken by another"] = str(refused)
    time.sleep(0.4)
    keyboard.press(CONTROL, ALT, SPACE)
    wait_until(lambda: not asking.isVisible())
    desktop.settings.save("ask_hot_key", "Ctrl+Alt+K")
    keyboard.press(CAPS)
    time.sleep(0.4)
    keyboard.press(CONTROL, ALT, "k")
    wait_until(asking.isVisible)
    seen["with caps lock"] = True
    keyboard.press(CAPS)
    take_away(desktop)
    X11Grabber(lambda: None).take(keys_of("Ctrl+Alt+K"))  # type: ignore[arg-type]
    seen["given back"] = True
    sys.stdout.write(json.dumps(seen) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
