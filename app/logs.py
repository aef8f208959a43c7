"""Logging: stderr and a rotating file, secrets redacted, never stdout (the protocol owns it)."""

from __future__ import annotations

import logging
import logging.handlers
import re
import sys
from pathlib import Path
from typing import Final

from app import caps

LOG_FILE: Final = "webrag.log"
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_SECRET = re.compile(
    r"(?i)(authorization:?\s*bearer\s+|bearer\s+|(?:api[_-]?key|token|password|secret)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,}]+"
)
_NOISY: Final = ("httpx", "httpcore", "httpx2", "httpcore2", "trafilatura", "htmldate", "mcp", "asyncio", "markdown_it")


def redact(text: str) -> str:
    """The text with every token, key and password replaced."""
    return _SECRET.sub(r"\1[redacted]", text)


class RedactingFormatter(logging.Formatter):
    """Formats a record and redacts the result, exception texts included."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


def configure_logging(level: str = "INFO", *, log_dir: Path | None = None, to_stderr: bool = True) -> None:
    """Send records to stderr (where there is one and it is wanted) and to a rotating file in `log_dir`."""
    handlers: list[logging.Handler] = []
    if to_stderr and sys.stderr is not None:
        handlers.append(logging.StreamHandler(sys.stderr))
    if log_dir is not None:
        log_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        handlers.append(
            logging.handlers.RotatingFileHandler(
                log_dir / LOG_FILE,
                maxBytes=caps.MAX_LOG_FILE_BYTES,
                backupCount=caps.MAX_OLD_LOG_FILES,
                encoding="utf-8",
                delay=True,
            )
        )
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        handler.setFormatter(RedactingFormatter(FORMAT))
        root.addHandler(handler)
    root.setLevel(level)
    for name in _NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
