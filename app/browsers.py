"""The browsers that may send pages: paired by a code that the window shows, each with a token of its own that can be revoked.

`browsers.json` in the data folder, readable by its owner alone, holds SHA-256 digests: neither a token nor a code can be read from it.
It is read anew at each question, so that a revoked token is void at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from app.errors import PairingError
from app.serialise import from_jsonable

BROWSERS_FILE: Final = "browsers.json"
MAX_BROWSERS: Final = 16
MAX_BROWSERS_BYTES: Final = 64 * 1024
MAX_BROWSER_NAME_CHARS: Final = 60
CODE_CHARS: Final = 8
CODE_SECONDS: Final = 300.0
MAX_CODE_TRIES: Final = 5
"""Wrong codes after which the one that is shown is void."""
MAX_NONCE_CHARS: Final = 64
CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits that nobody mistakes for each other."""
EXTENSION_ORIGIN: Final = re.compile(
    r"chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""What a browser sends as the `Origin` of an extension; no page can."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Browser:
    """A paired browser. `key` is the digest of its token, `paired` seconds since the epoch; only this `origin` may use the token."""

    id: str
    name: str
    origin: str
    key: str
    paired: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a browser gets once: who it is, and its token."""

    id: str
    token: str


@dataclass(frozen=True, slots=True)
class _Code:
    """The code that is shown: its digest, until when it counts, and how many wrong ones may still be tried."""

    digest: str
    until: float
    tries: int


@dataclass(frozen=True, slots=True)
class _State:
    browsers: tuple[Browser, ...] = ()
    code: _Code | None = None


class PairedBrowsers:
    """Those of one data folder. Blocking; safe on any thread of this process, which holds the folder alone."""

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self._file = data_dir / BROWSERS_FILE
        self._clock = clock

    def all(self) -> tuple[Browser, ...]:
        """The paired browsers, the first one first. Raises PairingError."""
        return self._read().browsers

    def new_code(self) -> str:
        """A code for one browser, in place of one given before; good for CODE_SECONDS. Raises PairingError."""
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_CHARS))
        with _LOCK:
            state = self._read()
            if len(state.browsers) >= MAX_BROWSERS:
                raise PairingError(f"{MAX_BROWSERS} browsers are paired already.", hint="Remove one that is not used.")
            self._write(replace(state, code=_Code(_digest(code), self._clock() + CODE_SECONDS, MAX_CODE_TRIES)))
        return f"{code[: CODE_CHARS // 2]}-{code[CODE_CHARS // 2 :]}"

    def drop_code(self) -> None:
        """No code is shown any more."""
        with _LOCK:
            state = self._read()
            if state.code is not None:
                self._write(replace(state, code=None))

    def pair(self, code: str, origin: str, name: str) -> Pairing:
        """Take the code and give a token to the extension at `origin`. Raises PairingError.

        A code serves once; after MAX_CODE_TRIES wrong ones it is void. The browser that had this origin before is replaced.
        """
        given = _digest(re.sub(r"[\s-]", "", code).upper())
        with _LOCK:
            state = self._read()
            known = state.code
            if known is None or not 0 <= known.until - self._clock() <= CODE_SECONDS or known.tries < 1:
                raise PairingError("No code is waiting for a browser.")
            if not hmac.compare_digest(known.digest, given):
                self._write(replace(state, code=replace(known, tries=known.tries - 1)))
                raise PairingError("This is not the code that WebRAG shows.")
            pairing = Pairing(secrets.token_hex(8), secrets.token_urlsafe(32))
            browser = Browser(pairing.id, _shown(name), origin, _digest(pairing.token), self._clock())
            others = tuple(each for each in state.browsers if each.origin != origin)
            self._write(_State((*others, browser)))
        return pairing

    def revoke(self, browser_id: str) -> None:
        """Make the token of a browser void."""
        with _LOCK:
            state = self._read()
            self._write(replace(state, browsers=tuple(each for each in state.browsers if each.id != browser_id)))

    def holder_of(self, token: str, origin: str) -> Browser | None:
        """The browser with this token, if the request comes from its extension. Raises PairingError."""
        key, found = _digest(token), None
        for browser in self.all():
            if hmac.compare_digest(browser.key, key) and browser.origin == origin:
                found = browser
        return found

    def proof(self, browser_id: str, origin: str, nonce: str, port: int) -> str:
        """Shows the extension that this is the program that it was paired with, before it sends its token; empty for others.

        Raises PairingError.
        """
        if not 0 < len(nonce) <= MAX_NONCE_CHARS:
            return ""
        known = (each for each in self.all() if each.id == browser_id and each.origin == origin)
        browser = next(known, None)
        if browser is None:
            return ""
        said = f"{nonce}|{port}".encode("utf-8", "replace")
        return hmac.new(bytes.fromhex(browser.key), said, hashlib.sha256).hexdigest()

    def _read(self) -> _State:
        """What the file says. Entries that this program does not write are left out: they open nothing. Raises PairingError."""
        try:
            with self._file.open("rb") as stream:
                raw = json.loads(stream.read(MAX_BROWSERS_BYTES))
        except (FileNotFoundError, NotADirectoryError):
            return _State()
        except OSError as error:
            # Nothing may be taken for removed, or written over, because the file could not be opened just now.
            reason = error.strerror or str(error)
            raise PairingError(
                f"The list of browsers could not be read ({reason}).", hint="Try again in a few seconds."
            ) from error
        except (ValueError, RecursionError):
            return _State()
        if not isinstance(raw, dict):
            return _State()
        entries = raw.get("browsers")
        found = [_browser(entry) for entry in entries[:MAX_BROWSERS]] if isinstance(entries, list) else []
        return _State(tuple(each for each in found if each is not None), _code(raw.get("code")))

    def _write(self, state: _State) -> None:
        """Replace the file in one step. Raises PairingError."""
        temporary = self._file.with_name(f"{BROWSERS_FILE}.{os.getpid()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                json.dump(asdict(state), stream)
            temporary.replace(self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            reason = error.strerror or str(error)
            raise PairingError(f"The list of browsers could not be written ({reason}).") from error


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _shown(name: str) -> str:
    """A name on one line, without what is not to be seen."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(printable.split())[:MAX_BROWSER_NAME_CHARS] or "Browser"


def _browser(entry: Any) -> Browser | None:
    try:
        made = from_jsonable(Browser, entry)
    except ValueError:
        return None
    is_ours = _DIGEST.fullmatch(made.key) and EXTENSION_ORIGIN.fullmatch(made.origin)
    return replace(made, name=_shown(made.name)) if is_ours else None


def _code(entry: Any) -> _Code | None:
    try:
        made = from_jsonable(_Code, entry)
    except ValueError:
        return None
    return made if _DIGEST.fullmatch(made.digest) else None
