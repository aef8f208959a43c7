"""A third-party OpenID provider, its users, and a keyring: the environment of a sign-in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import httpx

from tests.conformance import tools
from tests.extension import chromium
from tests.support.postgres import ends_with
from tests.support.tls_proxy import free_port

SCRIPT: Final = Path(__file__).with_name("provider.mjs")
SECONDS: Final = 120.0
MAX_STEPS: Final = 20
LOOPBACK: Final = "127.0.0.1"


def patiently(happened: Callable[[], bool], what: Callable[[], str] = str) -> None:
    """Wait for a condition."""
    ends = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < ends, what()
        time.sleep(0.05)


class Provider:
    """The process of the provider. It reads `settings` again for each token."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self._file, self._log = folder / "provider.json", folder / "provider.log"
        self.set(resources={}, groups={}, seconds=600)
        command = [tools.node(), str(SCRIPT), str(tools.MODULES), str(self.port), str(self._file)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=ends_with()
            )
        patiently(lambda: "listening" in self._log.read_text(), self._log.read_text)

    def set(self, **settings: Any) -> None:
        """Change some of its settings."""
        known = json.loads(self._file.read_text()) if self._file.exists() else {}
        made = self._file.with_suffix(".new")
        made.write_text(json.dumps({**known, **settings}))
        made.replace(self._file)

    def change_key(self) -> None:
        """Sign with another key."""
        before = self._log.read_text().count("another key")
        self._process.send_signal(signal.SIGHUP)
        patiently(lambda: self._log.read_text().count("another key") > before, self._log.read_text)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(SECONDS)


class _Form(HTMLParser):
    """Return the target and the fields of the first form of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action: str | None = None
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and self.action is None:
            self.action = given.get("action") or ""
        elif tag == "input" and self.action is not None and given.get("name"):
            self.fields[str(given["name"])] = given.get("value") or ""


def sign_in_by_forms(url: str, person: str, *, to_the_end: bool = True) -> str:
    """Fill in the forms of the provider and return the address to which it redirects. Visits that address only `to_the_end`."""
    with httpx.Client(trust_env=False, timeout=SECONDS) as browser:
        answer, start = browser.get(url), urlsplit(url).netloc
        for _ in range(MAX_STEPS):
            if answer.is_redirect:
                url = urljoin(str(answer.url), answer.headers["location"])
                if urlsplit(url).netloc != start:
                    if to_the_end:
                        assert browser.get(url).status_code == 200
                    return url
                answer = browser.get(url)
                continue
            form = _Form(answer.text)
            assert answer.is_success and form.action is not None, answer.text[:2_000]
            known = {"login": person, "password": "any"}
            filled = {name: known.get(name, value) for name, value in form.fields.items()}
            answer = browser.post(urljoin(str(answer.url), form.action), data=filled)
    raise AssertionError("the forms have no end")


def sign_in_by_browser(url: str, person: str, folder: Path) -> str:
    """Do the same in Chromium, and return the text of the page at the end."""
    with chromium.running(folder) as browser:
        tab = browser.open(url)
        tab.wait("document.querySelector('input[name=login]')")
        tab.run("document.querySelector('input[name=login]').focus()")
        tab.type(person)
        tab.run("document.querySelector('input[name=password]').focus()")
        tab.type("any")
        tab.press_enter()
        tab.wait("document.querySelector('input[name=prompt][value=consent]')")
        tab.run("setTimeout(() => document.querySelector('button[type=submit]').click(), 0)")
        tab.wait("location.pathname === '/callback' && document.querySelector('h1')")
        return str(tab.run("document.body.innerText"))


@contextmanager
def keyring(folder: Path) -> Iterator[Mapping[str, str]]:
    """Return the variables that give programs their own keyring."""
    script = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >"$0" 2>&1; echo "$DBUS_SESSION_BUS_ADDRESS"; cat'
    environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "share")}
    process = subprocess.Popen(
        ["dbus-run-session", "--", "bash", "-c", script, str(folder / "keyring.log")],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=ends_with(),
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield {"DBUS_SESSION_BUS_ADDRESS": process.stdout.readline().strip()}
    finally:
        process.stdin.close()
        process.wait(SECONDS)


class Joining:
    """Run `webrag shared join` and return its sign-in address."""

    def __init__(self, command: list[str], environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            env={**environ, "BROWSER": "true"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=ends_with(),
        )
        assert self._process.stderr is not None
        ending = threading.Timer(SECONDS, self._process.kill)
        ending.start()
        self._said = ""
        for line in self._process.stderr:
            self._said += line
            if line.startswith("Sign in at "):
                break
        ending.cancel()
        self.address = self._said.rpartition("Sign in at ")[2].strip()
        assert self.address, self._said

    def ended(self) -> str:
        """Return the complete output."""
        out, said = self._process.communicate(timeout=SECONDS)
        assert self._process.returncode == 0, self._said + said
        return self._said + out + said
