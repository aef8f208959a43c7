"""Browsers that may send pages. Each is paired by a code from the window and has its own revocable token.

`browsers.json` in the data folder, accessible to its owner only, contains SHA-256 digests instead of tokens and codes. It is read at every
request, so that revoking a token takes effect immediately.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from app.errors import PairingError
from app.paths import replace_file
from app.serialise import from_jsonable
from app.text.sentence import sentence

BROWSERS_FILE: Final = "browsers.json"
MAX_BROWSERS: Final = 16
MAX_BROWSERS_BYTES: Final = 64 * 1024
MAX_BROWSER_NAME_CHARS: Final = 60
CODE_CHARS: Final = 8
CODE_SECONDS: Final = 300.0
MAX_CODE_TRIES: Final = 5  # Wrong attempts after which the code expires.
MAX_NONCE_CHARS: Final = 64
CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # Letters and digits that are not easily confused.
EXTENSION_ORIGIN: Final = re.compile(
    r"chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""The `Origin` that a browser sends for an extension. Pages cannot send it."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LOCK: Final = threading.Lock()
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Browser:
    """A paired browser. `key` is the digest of its token, `paired` a Unix time. Only this `origin` may use the token."""

    id: str
    name: str
    origin: str
    key: str
    paired: float


@dataclass(frozen=True, slots=True)
class Pairing:
    """The ID and token that a browser receives once."""

    id: str
    token: str


@dataclass(frozen=True, slots=True)
class _Code:
    """The current code: its digest, its expiry time, and the remaining wrong attempts."""

    digest: str
    until: float
    tries: int


@dataclass(frozen=True, slots=True)
class _State:
    browsers: tuple[Browser, ...] = ()
    code: _Code | None = None


class PairedBrowsers:
    """The paired browsers of a data folder. Blocking; safe on any thread of this process, which owns the folder."""

    def __init__(self, data_dir: Path, clock: Callable[[], float] = time.time) -> None:
        self._file = data_dir / BROWSERS_FILE
        self._clock = clock

    def all(self) -> tuple[Browser, ...]:
        """Return the paired browsers, oldest first. Raises PairingError."""
        return self._read().browsers

    def new_code(self) -> str:
        """Create a code for one browser, valid for CODE_SECONDS, and invalidate the previous one. Raises PairingError."""
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_CHARS))
        with _LOCK:
            state = self._read()
            if len(state.browsers) >= MAX_BROWSERS:
                raise PairingError(
                    sentence("{} browsers are already paired.", MAX_BROWSERS), hint="Remove an unused one."
                )
            self._write(replace(state, code=_Code(_digest(code), self._clock() + CODE_SECONDS, MAX_CODE_TRIES)))
        return f"{code[: CODE_CHARS // 2]}-{code[CODE_CHARS // 2 :]}"

    def drop_code(self) -> None:
        """Invalidate the current code."""
        with _LOCK:
            state = self._read()
            if state.code is not None:
                self._write(replace(state, code=None))

    def pair(self, code: str, origin: str, name: str) -> Pairing:
        """Redeem the code and return a token for the extension at `origin`. Raises PairingError.

        A code works once and expires after MAX_CODE_TRIES wrong attempts. Replaces a browser with the same origin.
        """
        given = _digest(re.sub(r"[\s-]", "", code).upper())
        with _LOCK:
            state = self._read()
            known = state.code
            if known is None or not 0 <= known.until - self._clock() <= CODE_SECONDS or known.tries < 1:
                raise PairingError(sentence("There is no valid pairing code."))
            if not hmac.compare_digest(known.digest, given):
                self._write(replace(state, code=replace(known, tries=known.tries - 1)))
                raise PairingError(sentence("The code is wrong."), hint="Enter the code that WebRAG shows.")
            pairing = Pairing(secrets.token_hex(8), secrets.token_urlsafe(32))
            browser = Browser(pairing.id, _shown(name), origin, _digest(pairing.token), self._clock())
            others = tuple(each for each in state.browsers if each.origin != origin)
            self._write(_State((*others, browser)))
        return pairing

    def revoke(self, browser_id: str) -> None:
        """Revoke the token of a browser."""
        with _LOCK:
            state = self._read()
            self._write(replace(state, browsers=tuple(each for each in state.browsers if each.id != browser_id)))

    def holder_of(self, token: str, origin: str) -> Browser | None:
        """Return the browser with this token if the request comes from its extension. Raises PairingError."""
        key, found = _digest(token), None
        for browser in self.all():
            if hmac.compare_digest(browser.key, key) and browser.origin == origin:
                found = browser
        return found

    def proof(self, browser_id: str, origin: str, nonce: str, port: int) -> str:
        """Prove to the extension that this is the program it was paired with, before it sends its token. Empty for unknown browsers.

        Raises PairingError.
        """
        if not 0 < len(nonce) <= MAX_NONCE_CHARS:
            return ""
        browser = next((each for each in self.all() if each.id == browser_id and each.origin == origin), None)
        if browser is None:
            return ""
        said = f"{nonce}|{port}".encode("utf-8", "replace")
        return hmac.new(bytes.fromhex(browser.key), said, hashlib.sha256).hexdigest()

    def _read(self) -> _State:
        """Read the file, without entries of an unknown format. Raises PairingError."""
        try:
            with self._file.open("rb") as stream:
                raw = json.loads(stream.read(MAX_BROWSERS_BYTES))
        except (FileNotFoundError, NotADirectoryError):
            return _State()
        except OSError as error:
            # A temporary read error must not look like revoked browsers or lead to overwriting the file.
            reason = error.strerror or str(error)
            raise PairingError(
                sentence("Cannot read the list of browsers ({}).", reason), hint="Try again in a few seconds."
            ) from error
        except (ValueError, RecursionError):
            return _State()
        if not isinstance(raw, dict):
            return _State()
        entries = raw.get("browsers")
        known = [_made(Browser, entry) for entry in entries[:MAX_BROWSERS]] if isinstance(entries, list) else []
        ours = (each for each in known if each is not None and EXTENSION_ORIGIN.fullmatch(each.origin))
        found = (replace(each, name=_shown(each.name)) for each in ours if _DIGEST.fullmatch(each.key))
        code = _made(_Code, raw.get("code"))
        return _State(tuple(found), code if code is not None and _DIGEST.fullmatch(code.digest) else None)

    def _write(self, state: _State) -> None:
        """Replace the file atomically. Raises PairingError."""
        try:
            replace_file(self._file, json.dumps(asdict(state)), mode=0o600)
        except OSError as error:
            reason = error.strerror or str(error)
            raise PairingError(
                sentence("Cannot save the list of browsers ({}).", reason),
                hint="Check the permissions of the data folder.",
            ) from error


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _shown(name: str) -> str:
    """Return a name as one line without invisible characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(printable.split())[:MAX_BROWSER_NAME_CHARS] or "Browser"


def _made(kind: type[Entry], entry: Any) -> Entry | None:
    try:
        return from_jsonable(kind, entry)
    except ValueError:
        return None
