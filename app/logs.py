"""Logging to stderr and a rotating file, with secrets redacted. Never to stdout, which the protocol uses."""

from __future__ import annotations

import logging
import logging.handlers
import os
import re
import sys
import time
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Final, cast

from app import caps
from app.text.page_text import tame

DIAGNOSTIC_SECONDS: Final = 3_600.0  # Seconds after which diagnostic logging ends automatically.
MAX_LOG_FILE_BYTES: Final = 2 * caps.MIB
MAX_OLD_LOG_FILES: Final = 3
REPEAT_SECONDS: Final = 60.0
MAX_REPEATS: Final = 20  # Maximum warnings and errors of one kind within REPEAT_SECONDS, regardless of their arguments.
MAX_KINDS: Final = 1_000
MAX_KIND_CHARS: Final = 80
LOG_FILE: Final = "webrag.log"
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_SECRET = re.compile(
    r"(?i)(authorization:?\s*(?:basic|bearer)\s+|bearer\s+|(?:api[_-]?key|token|password|secret)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,}]+"
)
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")
_PARAMETER: Final = r"(?:[?&;#]|%3F|%26|%23)(?:amp;)?"
_VALUE: Final = r"(?!\[redacted])(?:(?!%26|%23)[^\s\"'<>&#)\]}])"
_SECRET_PARAMETER = re.compile(
    rf"""(?ix)({_PARAMETER}(?:
        (?:(?:[\w.-]{{0,40}}[_.-])?
            (?:access|account|admin|app|auth|client|consumer|dev|developer|functions|license|master|private|secret|service|shared
            |signing|subscription|user)[_.-]?)?key
        |(?:[\w.-]{{0,40}}[_.-])?(?:sig|signature|hmac|credentials?|jwt|passwd|passphrase|pwd)
        |[\w.-]{{0,40}}access_?(?:key_?)?id
        |[\w.-]{{0,40}}sess(?:ion)?[_.-]?(?:id|key)
        |sas|pass|passcode|otp|assertion|saml(?:request|response)
    )(?:=|%3D)){_VALUE}+"""
)
"""URL parameters that grant access: keys, signatures of shared and signed links, sessions."""
_POSSIBLE_SECRET = re.compile(
    rf"""(?ix)({_PARAMETER}(?:
        (?:(?:activation|auth|authorization|confirmation|invite|login|reset|verification)[_.-]?)?code
        |auth|sign|sid|session|ticket|invite|magic
    )(?:=|%3D))(?:(?={_VALUE}*?\d){_VALUE}{{6,}}|{_VALUE}{{16,}})"""
)
"""URL parameters that often have another meaning (`?code=404`, `?session=spring`). Redacted only if their value looks like a secret."""
_BY_ITS_LOOK = re.compile(
    r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\bgh[oprsu]_\w{20,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}|\bxox[abeprs]-[\w-]{10,}"
)
_NOISY: Final = ("httpx", "httpcore", "httpx2", "httpcore2", "trafilatura", "htmldate", "mcp", "asyncio", "markdown_it")


def redact(text: str) -> str:
    """Return the text with every token, key and password redacted, also in URLs."""
    for pattern in (_SECRET, _SECRET_PARAMETER, _POSSIBLE_SECRET):
        text = pattern.sub(r"\1[redacted]", text)
    return _CREDENTIALS.sub("[redacted]@", _BY_ITS_LOOK.sub("[redacted]", text))


class RedactingFormatter(logging.Formatter):
    """Format a record with the number of similar ones left out before it, and redact the result, including exceptions.

    The output cannot control a terminal, and only its first line looks like the start of a record, whatever text from outside it contains.
    """

    def format(self, record: logging.LogRecord) -> str:
        left_out = getattr(record, "left_out", 0)
        more = f" ({left_out} more of these were left out)" if left_out else ""
        text = tame(redact(super().format(record) + more))
        return "\n    ".join(text.splitlines())


class Diagnostics:
    """The switch for the most detailed log: arguments of calls and the beginning of their results.

    Initially off, and turned off again automatically. Its lines are written at any log level.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self.may_be_on = False
        """Whether it was turned on and has not been found to be off since; costs nothing to ask for each call."""
        self._log = logging.getLogger("diagnostics")
        self._log.setLevel(logging.DEBUG)

    @property
    def seconds_left(self) -> float:
        """Return the remaining seconds, 0 if it is off."""
        return max(0.0, self._until - self._clock())

    @property
    def is_on(self) -> bool:
        return self.seconds_left > 0

    def on(self, seconds: float = DIAGNOSTIC_SECONDS) -> None:
        """Turn it on for this many seconds from now."""
        self._until = self._clock() + seconds
        self.may_be_on = True
        self._log.info("diagnostic logging is on for %.0f s and includes arguments and text of calls", seconds)

    def off(self) -> None:
        """Turn it off immediately."""
        if self.is_on:
            self._log.info("diagnostic logging is off")
        self._until, self.may_be_on = 0.0, False

    def write(self, text: str) -> None:
        """Log one line if it is on."""
        self.may_be_on = self.is_on
        if self.may_be_on:
            self._log.debug("%s", text)


DIAGNOSTICS: Final = Diagnostics()  # The switch of this process.


class RepeatFilter(logging.Filter):
    """A filter that drops repeated warnings of a kind until the window ends. The next one includes their number."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind = (record.name, record.levelno, str(record.msg)[:MAX_KIND_CHARS])
        now = self._clock()
        begun, count = self._seen.get(kind, (now, 0))
        if now - begun >= REPEAT_SECONDS:
            record.left_out = max(0, count - MAX_REPEATS)
            begun, count = now, 0
        if kind not in self._seen and len(self._seen) >= MAX_KINDS:
            self._seen.clear()
        self._seen[kind] = (begun, count + 1)
        return count < MAX_REPEATS


class PrivateFileHandler(logging.handlers.RotatingFileHandler):
    """A rotating file that only its owner can read, even if an earlier version created a readable one."""

    def _open(self) -> TextIOWrapper:
        stream = open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=_private)  # noqa: SIM115
        return cast(TextIOWrapper, stream)


def open_private(path: Path) -> IO[str]:
    """Open a text file for appending that only its owner can read. Raises OSError."""
    return open(path, "a", encoding="utf-8", opener=_private)


def _private(name: str, flags: int) -> int:
    descriptor = os.open(name, flags, 0o600)
    if os.name == "posix":
        os.fchmod(descriptor, 0o600)
    return descriptor


def configure_logging(level: str = "INFO", *, log_dir: Path | None = None, to_stderr: bool = True) -> None:
    """Send records to stderr, if it exists and is wanted, and to a rotating file in `log_dir`.

    If the folder is not usable, the program continues without a file and reports that.
    """
    # Do not print a traceback for every line that a full disk or closed terminal rejects.
    logging.raiseExceptions = False
    handlers: list[logging.Handler] = []
    if to_stderr and sys.stderr is not None:
        handlers.append(logging.StreamHandler(sys.stderr))
    unusable = ""
    if log_dir is not None:
        try:
            log_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.name == "posix":
                # Includes files that were rotated earlier.
                for path in log_dir.glob("*.log*"):
                    if not path.is_symlink():
                        path.chmod(0o600)
            file = PrivateFileHandler(
                log_dir / LOG_FILE, "a", MAX_LOG_FILE_BYTES, MAX_OLD_LOG_FILES, "utf-8", delay=True
            )
            handlers.append(file)
        except OSError as error:
            unusable = f"no log file is written: {error}"
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        handler.setFormatter(RedactingFormatter(FORMAT))
        handler.addFilter(RepeatFilter())
        root.addHandler(handler)
    root.setLevel(level)
    if unusable:
        root.warning(unusable)
    for name in _NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
