"""A client's configuration file: read, changed in one place, backed up and replaced, or left alone."""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app import caps
from app.clients import edit, jsonc
from app.errors import ClientConfigError

BACKUP_MARK: Final = ".webrag-bak-"
NEW_FILE_MODE: Final = 0o600


@dataclass(frozen=True, slots=True)
class ConfigText:
    """The content of a file when it was read. `content` is None for a missing file."""

    path: Path
    content: bytes | None
    text: str = ""
    has_mark: bool = False

    def encoded(self, text: str) -> bytes:
        """Another text as this file would hold it."""
        return (codecs.BOM_UTF8 if self.has_mark else b"") + text.encode("utf-8")


def read_config(path: Path) -> ConfigText:
    """The file as it is. Raises ClientConfigError when it cannot be read as UTF-8."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return ConfigText(path, None)
    except OSError as error:
        raise ClientConfigError(f"{path} cannot be read: {error}") from error
    return _decoded(path, content)


def _decoded(path: Path, content: bytes) -> ConfigText:
    has_mark = content.startswith(codecs.BOM_UTF8)
    try:
        text = content[len(codecs.BOM_UTF8) if has_mark else 0 :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise ClientConfigError(f"{path} is not UTF-8 text: {error}", hint="Save it as UTF-8.") from error
    return ConfigText(path, content, text, has_mark)


def entry_of(config: ConfigText, keys: tuple[str, ...]) -> object | None:
    """The value at a path of keys, None when it is not there. Raises ClientConfigError for invalid JSON."""
    with _explained(config.path):
        found = edit.find(config.text, keys)
    return None if found is None else found[1].value.value


def with_entry(config: ConfigText, keys: tuple[str, ...], value: Any) -> str:
    """The text with the value at a path of keys. Raises ClientConfigError for invalid JSON."""
    with _explained(config.path):
        return edit.set_member(config.text, keys, value)


def without_entry(config: ConfigText, keys: tuple[str, ...]) -> str:
    """The text without the member: as it was before it was put in, if nothing else has happened since."""
    value = entry_of(config, keys)
    for backup in reversed(backups(config.path)):
        with contextlib.suppress(OSError, ClientConfigError):
            before = _decoded(backup, backup.read_bytes())
            if entry_of(before, keys) is None and with_entry(before, keys, value) == config.text:
                return before.text
    with _explained(config.path):
        return edit.remove_member(config.text, keys)


def replace_config(before: ConfigText, text: str) -> Path | None:
    """Put the text in the place of what was read; the result is the backup, None for a new file.

    Raises ClientConfigError, with nothing written, when the file is no longer as it was read.
    """
    # A link stays a link: what it leads to is replaced.
    target = Path(os.path.realpath(before.path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else NEW_FILE_MODE
        temporary = _write_beside(target, before.encoded(text), mode)
        try:
            if _content(target) != before.content:
                raise ClientConfigError(f"{before.path} was changed meanwhile.", hint="Look at the change again.")
            backup = _back_up(before, mode)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ClientConfigError(f"{before.path} cannot be written: {error}", hint="Check its permissions.") from error
    return backup


def backups(path: Path) -> list[Path]:
    """Our backups of a file, oldest first."""
    return sorted(path.parent.glob(f"{path.name}{BACKUP_MARK}*"))


def _back_up(before: ConfigText, mode: int) -> Path | None:
    if before.content is None:
        return None
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    backup = before.path.with_name(f"{before.path.name}{BACKUP_MARK}{stamp}")
    _write_beside(backup, before.content, mode).replace(backup)
    for old in backups(before.path)[: -caps.MAX_CONFIG_BACKUPS]:
        old.unlink(missing_ok=True)
    return backup


def _write_beside(target: Path, content: bytes, mode: int) -> Path:
    """A complete, synced file next to the target."""
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.chmod(mode)
    return temporary


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what the text is lacking into an error that names file, line and column."""
    try:
        yield
    except jsonc.JsoncError as error:
        raise ClientConfigError(f"{path} is not valid JSON: {error}.") from error
    except edit.NotAnObjectError as error:
        where = f'"{error.key}"' if error.key else "the outermost value"
        raise ClientConfigError(f"In {path}, {where} is not an object.") from error
