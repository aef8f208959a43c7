"""Logging: stderr and a rotating file, secrets redacted, never stdout (the protocol owns it)."""

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

DIAGNOSTIC_SECONDS: Final = 3_600.0
"""Diagnostic logging ends by itself after this long."""
MAX_LOG_FILE_BYTES: Final = 2 * caps.MIB
MAX_OLD_LOG_FILES: Final = 3

REPEAT_SECONDS: Final = 60.0
MAX_REPEATS: Final = 20
"""Warnings and errors of one kind that are written within REPEAT_SECONDS; what one of them carries makes no difference."""
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
"""Parameters of addresses that give access to whoever has them: keys, signatures of shared and signed links, sessions."""
_POSSIBLE_SECRET = re.compile(
    rf"""(?ix)({_PARAMETER}(?:
        (?:(?:activation|auth|authorization|confirmation|invite|login|reset|verification)[_.-]?)?code
        |auth|sign|sid|session|ticket|invite|magic
    )(?:=|%3D))(?:(?={_VALUE}*?\d){_VALUE}{{6,}}|{_VALUE}{{16,}})"""
)
"""Parameters that often say something else (`?code=404`, `?session=spring`): a secret only by the look of their values."""
_BY_ITS_LOOK = re.compile(
    r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\bgh[oprsu]_\w{20,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}|\bxox[abeprs]-[\w-]{10,}"
)
_NOISY: Final = ("httpx", "httpcore", "httpx2", "httpcore2", "trafilatura", "htmldate", "mcp", "asyncio", "markdown_it")


def redact(text: str) -> str:
    """The text with every token, key and password replaced, those inside of addresses too."""
    for pattern in (_SECRET, _SECRET_PARAMETER, _POSSIBLE_SECRET):
        text = pattern.sub(r"\1[redacted]", text)
    return _CREDENTIALS.sub("[redacted]@", _BY_ITS_LOOK.sub("[redacted]", text))


class RedactingFormatter(logging.Formatter):
    """Formats a record, says how many were left out before it, and redacts the result, exception texts included.

    Nothing in it steers a terminal, and only its first line begins as records do, whatever somebody else had a part in.
    """

    def format(self, record: logging.LogRecord) -> str:
        left_out = getattr(record, "left_out", 0)
        more = f" ({left_out} more of these were left out)" if left_out else ""
        text = tame(redact(super().format(record) + more))
        return "\n    ".join(text.splitlines())


class Diagnostics:
    """The switch for what the log otherwise never holds: arguments of calls and the beginning of their results.

    Off at first, and off again by itself. What is written passes whatever level the rest of the log has.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self._log = logging.getLogger("diagnostics")
        self._log.setLevel(logging.DEBUG)

    @property
    def seconds_left(self) -> float:
        """How long it stays on; 0 when it is off."""
        return max(0.0, self._until - self._clock())

    @property
    def is_on(self) -> bool:
        return self.seconds_left > 0

    def on(self, seconds: float = DIAGNOSTIC_SECONDS) -> None:
        """Switch on, for so long from now."""
        self._until = self._clock() + seconds
        self._log.info("diagnostic logging is on for %.0f s: arguments and text of calls are written here", seconds)

    def off(self) -> None:
        """Switch off at once."""
        if self.is_on:
            self._log.info("diagnostic logging is off")
        self._until = 0.0

    def write(self, text: str) -> None:
        """One line, if it is on."""
        if self.is_on:
            self._log.debug("%s", text)


DIAGNOSTICS: Final = Diagnostics()
"""The switch of this process."""


class RepeatFilter(logging.Filter):
    """Lets the first warnings of a kind pass and then, until the window is over, none; the next one says how many there were."""

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
    """A rotating file that only its owner can read, also where an earlier version left one that others could."""

    def _open(self) -> TextIOWrapper:
        stream = open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=_private)  # noqa: SIM115
        return cast(TextIOWrapper, stream)


def open_private(path: Path) -> IO[str]:
    """A text file to append to that only its owner can read. Raises OSError."""
    return open(path, "a", encoding="utf-8", opener=_private)


def _private(name: str, flags: int) -> int:
    descriptor = os.open(name, flags, 0o600)
    if os.name == "posix":
        os.fchmod(descriptor, 0o600)
    return descriptor


def _log_file(folder: Path) -> logging.Handler:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        # Also the files that were rotated before.
        for path in folder.glob("*.log*"):
            if not path.is_symlink():
                path.chmod(0o600)
    return PrivateFileHandler(
        folder / LOG_FILE,
        maxBytes=MAX_LOG_FILE_BYTES,
        backupCount=MAX_OLD_LOG_FILES,
        encoding="utf-8",
        delay=True,
    )


def configure_logging(level: str = "INFO", *, log_dir: Path | None = None, to_stderr: bool = True) -> None:
    """Send records to stderr (where there is one and it is wanted) and to a rotating file in `log_dir`.

    Where that folder cannot be used the program goes on without the file, and says so.
    """
    # A full disk or a closed terminal is no reason to print a traceback for every line that cannot be written.
    logging.raiseExceptions = False
    handlers: list[logging.Handler] = []
    if to_stderr and sys.stderr is not None:
        handlers.append(logging.StreamHandler(sys.stderr))
    unusable = ""
    if log_dir is not None:
        try:
            handlers.append(_log_file(log_dir))
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
