"""Local files as pages: their type, address, content and the stamp they had; and the guide, Markdown that ships with the program and
is the first content of a new corpus.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

from app import caps
from app.containment import open_plain
from app.errors import FileAccessError
from app.extract import Page, extract
from app.extract.plain import looks_binary
from app.ingest.prepared import Body
from app.library.records import FileStamp
from app.paths import assets_dir
from app.text.media_types import kind_of
from app.text.sentence import sentence

START_BYTES: Final = 4 * caps.KIB
"""Of a file with an unknown suffix, which say whether it holds text."""
_DRIVE: Final = re.compile(r"/[A-Za-z]:")


def read_file(path: Path, folder_id: int | None) -> tuple[Body, FileStamp]:
    """The content of a file and the stamp it had while it was read. Raises FileAccessError."""
    try:
        if path.is_symlink() or not path.is_absolute():
            raise FileAccessError(sentence("{} is a link or no full path.", path))
        with os.fdopen(open_plain(path), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileAccessError(sentence("{} is not a file.", path))
            content = file.read(caps.MAX_FILE_BYTES + 1) if status.st_size <= caps.MAX_FILE_BYTES else b""
    except (OSError, ValueError) as error:
        raise FileAccessError(
            sentence("{} cannot be read ({}).", path, getattr(error, "strerror", None) or error)
        ) from error
    if max(status.st_size, len(content)) > caps.MAX_FILE_BYTES:
        raise FileAccessError(
            sentence("{} is larger than {} MiB.", path, caps.MAX_FILE_BYTES // caps.MIB),
            hint="Split it into smaller files.",
        )
    address = file_url(path)
    stamp = FileStamp(folder_id, status.st_mtime_ns, status.st_size)
    return Body(content, address, content_type_of(path), store_url=address), stamp


def named_file(path: Path) -> Path:
    """The one full path of a file that a person named; a link leads to what it stands for. Raises FileAccessError."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise FileAccessError(
            sentence("{} cannot be found ({}).", path, getattr(error, "strerror", None) or error)
        ) from error


def content_type_of(path: Path) -> str:
    """The media type that the suffix of a file stands for; empty where only the content can tell, whatever the system calls it."""
    kind = kind_of(path)
    return kind.types[0] if kind is not None else ""


def is_readable(path: Path) -> bool:
    """Whether a file that a person named is of a kind that is read, or holds text under another name. Raises OSError."""
    if not path.is_file():
        return False
    if kind_of(path) is not None:
        return True
    with path.open("rb") as file:
        start = file.read(START_BYTES)
    return bool(start) and not looks_binary(start)


def file_url(path: Path) -> str:
    """The address under which an absolute path is stored."""
    return path.as_uri()


def file_path(url: str) -> Path:
    """The path behind a file:// address. Raises FileAccessError for any other address."""
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


def guide_folder() -> Path:
    """Where the guide is."""
    return assets_dir() / "guide"


def guide_url(name: str) -> str:
    """The address of the page in a file of the guide."""
    return f"{GUIDE_SCHEME}{Path(name).stem.split('-', 1)[-1]}"


def guide_pages() -> list[tuple[str, Page]]:
    """Address and content of every guide page, in the order of the files."""
    pages = []
    for file in sorted(guide_folder().glob("*.md")):
        url = guide_url(file.name)
        pages.append((url, extract(file.read_bytes(), url=url, content_type="text/markdown", charset="utf-8")))
    return pages
