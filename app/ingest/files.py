"""Read local files as pages: type, address, content and stamp. Also the guide: bundled Markdown, the first content of a new corpus."""

from __future__ import annotations

import os
import re
import stat
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

from app import caps
from app.containment import open_plain
from app.errors import FileAccessError
from app.extract import Page, extract
from app.extract.plain import looks_binary
from app.ingest.prepared import Body
from app.library.packages import PACKAGE_SCHEME
from app.library.records import FileStamp
from app.paths import assets_dir
from app.text.media_types import kind_of
from app.text.sentence import sentence

START_BYTES: Final = 4 * caps.KIB
"""The first bytes of a file with an unknown suffix, which show whether it contains text."""
_DRIVE: Final = re.compile(r"/[A-Za-z]:")


def read_file(path: Path, folder_id: int | None) -> tuple[Body, FileStamp]:
    """Return the content of a file and its stamp at the time of reading. Raises FileAccessError."""
    try:
        if path.is_symlink() or not path.is_absolute():
            raise FileAccessError(
                sentence("{} is a link or not an absolute path.", path), hint="Use the full path of the file itself."
            )
        with os.fdopen(open_plain(path), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileAccessError(sentence("{} is not a regular file.", path))
            content = file.read(caps.MAX_FILE_BYTES + 1) if status.st_size <= caps.MAX_FILE_BYTES else b""
    except (OSError, ValueError) as error:
        raise FileAccessError(
            sentence("{} cannot be read ({}).", path, getattr(error, "strerror", None) or error)
        ) from error
    if max(status.st_size, len(content)) > caps.MAX_FILE_BYTES:
        raise FileAccessError(
            sentence("{} is larger than {} MiB.", path, caps.MAX_FILE_BYTES // caps.MIB),
            hint="Split the file into smaller ones.",
        )
    address = file_url(path)
    stamp = FileStamp(folder_id, status.st_mtime_ns, status.st_size)
    return Body(content, address, content_type_of(path), store_url=address), stamp


def named_file(path: Path) -> Path:
    """Return the full path of a file named by the user, with links resolved. Raises FileAccessError."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise FileAccessError(
            sentence("{} was not found ({}).", path, getattr(error, "strerror", None) or error)
        ) from error


def content_type_of(path: Path) -> str:
    """Return the media type for a file's suffix, independent of the system; empty if only the content can tell."""
    kind = kind_of(path)
    return kind.types[0] if kind is not None else ""


def is_readable(path: Path) -> bool:
    """Whether a file named by the user has a supported kind, or contains text under another suffix. Raises OSError."""
    if not path.is_file():
        return False
    if kind_of(path) is not None:
        return True
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    return bool(start) and not looks_binary(start)


def file_url(path: Path) -> str:
    """Return the address under which an absolute path is stored."""
    return path.as_uri()


def file_path(url: str) -> Path:
    """Return the path of a file:// address. Raises FileAccessError for any other address."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        raise FileAccessError(sentence("{} is not the address of a local file.", url))
    name = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.netloc:
        name = f"//{parts.netloc}{name}"
    elif os.name == "nt" and _DRIVE.match(name):
        name = name[1:]
    return Path(name)


GUIDE_SCHEME: Final = "webrag://guide/"
OWN_SCHEMES: Final = (GUIDE_SCHEME, PACKAGE_SCHEME)
"""The beginnings of addresses that are not fetched: pages of the guide and of packages."""


def guide_folder() -> Path:
    """Return the folder of the guide."""
    return assets_dir() / "guide"


def guide_url(name: str) -> str:
    """Return the address of the page in a guide file."""
    return f"{GUIDE_SCHEME}{Path(name).stem.split('-', 1)[-1]}"


@cache
def guide_pages() -> tuple[tuple[str, Page], ...]:
    """Return address and content of every guide page, in the order of the files."""
    files = [(guide_url(file.name), file.read_bytes()) for file in sorted(guide_folder().glob("*.md"))]
    return tuple((url, extract(body, url=url, content_type="text/markdown", charset="utf-8")) for url, body in files)
