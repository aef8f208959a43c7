"""Text that a person may pass on: without home folders, user names, and what addresses carry behind a question mark."""

from __future__ import annotations

import getpass
import re
from pathlib import Path
from typing import Final

from app.logs import redact

_QUERY: Final = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>?#]*)[?#][^\s\"'<>]*", re.IGNORECASE)
_HOMES: Final = re.compile(r"(?i)(/home/|/Users/|\\Users\\|\\\\Users\\\\)[^/\\\s\"':]+")
LEAST_NAME_CHARS: Final = 3
"""A shorter user name stands in too many words."""


def impersonal(text: str) -> str:
    """The text without secrets, home folders, user name and query strings."""
    home = str(Path.home())
    text = redact(text)
    if len(home) > 1:
        text = text.replace(home, "~").replace(home.replace("\\", "\\\\"), "~")
    text = _HOMES.sub(r"\1[user]", text)
    text = _QUERY.sub(r"\1?[removed]", text)
    name = _user_name()
    if len(name) >= LEAST_NAME_CHARS:
        text = re.sub(rf"(?i)(?<![\w]){re.escape(name)}(?![\w])", "[user]", text)
    return text


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
