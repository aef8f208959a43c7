"""file:// addresses of local files, and back."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

from app.errors import FileAccessError

_DRIVE: Final = re.compile(r"/[A-Za-z]:")


def file_url(path: Path) -> str:
    """The address under which an absolute path is stored."""
    return path.as_uri()


def file_path(url: str) -> Path:
    """The path behind a file:// address. Raises FileAccessError for any other address."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        raise FileAccessError(f"{url} is not the address of a local file.")
    name = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.netloc:
        name = f"//{parts.netloc}{name}"
    elif os.name == "nt" and _DRIVE.match(name):
        name = name[1:]
    return Path(name)
