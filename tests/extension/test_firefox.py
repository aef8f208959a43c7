"""The extension in a real headless Firefox, controlled with Marionette: pairing with a typed code, saving a page, asking about it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.extension.application import App
from tests.extension.pages import fill
from tests.support.site import Site

pytestmark = pytest.mark.real

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox") or ""
if not PROGRAM:
    pytest.skip("no Firefox on this machine (Debian: apt install firefox-esr)", allow_module_level=True)

HOST = "12345678-1234-4234-9234-123456789abc"
"""Address of the extension in this profile. A browser normally chooses it randomly."""
PATIENCE = 120.0
ENTER = "\ue007"


class Firefox:
    """One process and its session."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        known = json.dumps({"webrag@webrag.desktop": HOST})
        preferences = {
            "marionette.port": 0,
            "extensions.webextensions.uuids": known,
            "intl.locale.requested": "en-US",
            "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (folder / "user.js").write_text("\n".join(lines))
        flags = ("--headless", "--marionette", "-remote-allow-system-access", "--no-remote", "--profile", str(folder))
        self._process = subprocess.Popen(
            [PROGRAM, *flags],
            env={**os.environ, "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        try:
            self._socket = self._connected(folder / "MarionetteActivePort")
            self._stream = self._socket.makefile("rb")
            self._read()
            self.call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
        except BaseException:
            self.stop()
            raise

    def call(self, name: str, parameters: dict[str, Any]) -> Any:
        """Return the result of a command. Raises AssertionError with the browser's message."""
        self._number += 1
        data = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(str(len(data)).encode() + b":" + data)
        _, _, error, result = self._read()
        assert not error, (name, error)
        return result

    def run(self, script: str) -> Any:
        """Return the result of an asynchronous function body."""
        body = f"const done = arguments[0]; (async () => {{ {script} }})().then(done, (error) => done(`failed: ${{error}}`));"
        given = {"script": body, "args": [], "scriptTimeout": 1_000 * PATIENCE}
        return self.call("WebDriver:ExecuteAsyncScript", given)["value"]

    def wait(self, condition: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.run(f"return Boolean({condition});"):
            assert time.monotonic() < deadline, condition
            time.sleep(0.1)

    def type(self, selector: str, text: str) -> None:
        """Type text into an element."""
        found = self.call("WebDriver:FindElement", {"using": "css selector", "value": selector})["value"]
        (element,) = found.values()
        self.call("WebDriver:ElementSendKeys", {"id": element, "text": text})

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _connected(self, port: Path) -> socket.socket:
        """Connect to the port that Firefox chose and wrote into its profile."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return socket.create_connection(("127.0.0.1", int(port.read_text())), PATIENCE)
            except (OSError, ValueError):
                assert time.monotonic() < deadline, "Firefox did not start"
                time.sleep(0.2)

    def _read(self) -> Any:
        length = b""
        while (digit := self._stream.read(1)) not in (b":", b""):
            length += digit
        return json.loads(self._stream.read(int(length)))


@contextmanager
def running(folder: Path) -> Iterator[Firefox]:
    browser = Firefox(folder)
    try:
        yield browser
    finally:
        browser.stop()


def test_firefox_is_paired_keeps_a_page_and_asks_about_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import extension

    monkeypatch.setattr(extension, "DIST", tmp_path / "dist")
    monkeypatch.setattr(extension, "BUILD", tmp_path / "build")
    package = extension.build("firefox")
    app = App(tmp_path)
    try:
        with Site() as site, running(tmp_path / "profile") as browser:
            fill(site)
            browser.call("Addon:Install", {"path": str(package), "temporary": True})
            browser.call("WebDriver:Navigate", {"url": site.url("/shadow")})
            opened = browser.call("WebDriver:NewWindow", {"type": "tab"})["handle"]
            browser.call("WebDriver:SwitchToWindow", {"handle": opened})
            browser.call("WebDriver:Navigate", {"url": f"moz-extension://{HOST}/popup.html"})
            browser.wait("!document.getElementById('pairing').hidden")
            browser.type("#code", f"{app.code()}{ENTER}")
            browser.wait("document.getElementById('pairing').hidden")
            tab = "const [tab] = await chrome.tabs.query({url: 'http://127.0.0.1/*'});"
            ask = "return (await chrome.runtime.sendMessage({tab: {id: tab.id}, "
            kept = browser.run(f"{tab} {ask} task: 'keep'}})).result;")
            state = browser.run(f"{tab} {ask} task: 'state'}})).result;")
            found = browser.run(
                f"{tab} {ask} task: 'ask', question: 'Which word does the closed root hold?'}})).result;"
            )
            is_private = browser.run("return await chrome.extension.isAllowedIncognitoAccess();")
            text = app.kept(site.url("/shadow"))
        (paired,) = app.browsers.all()
    finally:
        app.stop()
    assert (paired.name, paired.origin) == ("Firefox on Linux", f"moz-extension://{HOST}")
    assert (kept["change"], state["state"], is_private) == ("stored", "kept", False)
    assert text.index("AVOCET-3") < text.index("BITTERN-4") < text.index("CURLEW-5")
    assert "CURLEW-5" in found["hits"][0]["text"]
