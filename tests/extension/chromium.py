"""A real headless Chromium with the extension, controlled with DevTools through a pipe. Standard library only."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from typing import Any

PATIENCE = 60.0
FLAGS = (
    *(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-unsafe-extension-debugging",
        "--remote-debugging-pipe",
    ),
    *("--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update"),
    *(
        "--disable-sync",
        "--disable-default-apps",
        "--disable-domain-reliability",
        "--metrics-recording-only",
        "--mute-audio",
    ),
    *(
        "--disable-dev-shm-usage",
        "--disable-features=OptimizationHints,Translate,MediaRouter,InterestFeedContentSuggestions",
    ),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


def program() -> str:
    """Return the path of the browser, or an empty string."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
    )


class BrowserError(AssertionError):
    """The browser rejected a call, or a script failed, with its message."""


class Chromium:
    """One process. Calls wait for their responses; events of pages are ignored."""

    def __init__(self, folder: Path) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def pipes() -> None:
            os.dup2(to_browser, 203)
            os.dup2(from_browser, 204)
            os.dup2(203, 3)
            os.dup2(204, 4)

        self._process = subprocess.Popen(
            [program(), *FLAGS, f"--user-data-dir={folder}", "--lang=en", "about:blank"],
            preexec_fn=pipes,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder), "LANGUAGE": "en", "LANG": "C.UTF-8"},
        )
        os.close(to_browser)
        os.close(from_browser)
        self._numbers = itertools.count(1)
        self._answers: dict[int, Queue[dict[str, Any]]] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def call(self, method: str, params: Mapping[str, Any] | None = None, session: str = "") -> dict[str, Any]:
        """Return the result of a method. Raises BrowserError."""
        number = next(self._numbers)
        answer: Queue[dict[str, Any]] = Queue()
        self._answers[number] = answer
        message = {
            "id": number,
            "method": method,
            "params": dict(params or {}),
            **({"sessionId": session} if session else {}),
        }
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        try:
            told = answer.get(timeout=PATIENCE)
        except Empty:
            raise BrowserError(f"{method} was not answered") from None
        if "error" in told:
            raise BrowserError(f"{method}: {told['error']}")
        return dict(told["result"])

    def open(self, url: str) -> Tab:
        """Return a new tab with its loaded page."""
        tab = self.attach(self.call("Target.createTarget", {"url": url})["targetId"])
        tab.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
        return tab

    def attach(self, target: str) -> Tab:
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        return Tab(self, target, session)

    def targets(self) -> list[dict[str, Any]]:
        return list(self.call("Target.getTargets")["targetInfos"])

    def stop(self) -> None:
        with suppress(OSError):
            os.close(self._out)
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _listen(self) -> None:
        held = b""
        while piece := os.read(self._in, 1 << 20):
            *whole, held = (held + piece).split(b"\0")
            for line in whole:
                message = json.loads(line)
                if (waiting := self._answers.pop(message.get("id", 0), None)) is not None:
                    waiting.put(message)
        os.close(self._in)


class Tab:
    """One page of the browser."""

    def __init__(self, browser: Chromium, target: str, session: str) -> None:
        self._browser = browser
        self.target = target
        self._session = session

    def run(self, script: str) -> Any:
        """Return the value of an expression and wait for promises."""
        given = {"expression": script, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        told = self._browser.call("Runtime.evaluate", given, self._session)
        if "exceptionDetails" in told:
            raise BrowserError(f"{script}: {told['exceptionDetails']}")
        return told["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression is true, also during loading."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(BrowserError):
                if self.run(f"Boolean({condition})"):
                    return
            time.sleep(0.05)
        raise AssertionError(f"never true: {condition}")

    def type(self, text: str) -> None:
        """Type text into the focused element."""
        self._browser.call("Input.insertText", {"text": text}, self._session)

    def press_enter(self) -> None:
        for kind in ("keyDown", "keyUp"):
            key = {"type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
            self._browser.call(
                "Input.dispatchKeyEvent", key if kind == "keyDown" else {**key, "text": ""}, self._session
            )

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse."""
        box = self.run(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": box[0], "y": box[1], "button": "left", "clickCount": 1}
            self._browser.call("Input.dispatchMouseEvent", event, self._session)

    def close(self) -> None:
        self._browser.call("Target.closeTarget", {"targetId": self.target})


@contextmanager
def running(folder: Path) -> Iterator[Chromium]:
    """Yield a browser with its own profile and stop it at the end."""
    browser = Chromium(folder)
    try:
        yield browser
    finally:
        browser.stop()
