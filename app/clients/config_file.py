"""Read a client's configuration file, find our entry in it, change it, back it up and replace it, or leave it unchanged."""

from __future__ import annotations

import codecs
import contextlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app import caps
from app.clients import json_edit, toml_edit, yaml_edit
from app.clients.profile import AS_MODULE, SERVER_NAME, ClientProfile, ConfigFormat, Place, ServerCommand, is_ours
from app.clients.syntax import NotAnObjectError, SyntaxProblem, find_value
from app.errors import ClientConfigError
from app.text.sentence import sentence

MAX_CONFIG_BACKUPS: Final = 5
CONFIG_LEFTOVER_SECONDS: Final = 600.0  # Age after which temporary files next to a configuration file are leftovers.
CONFIG_REPLACE_TRIES: Final = 5
CONFIG_REPLACE_PAUSE_SECONDS: Final = 0.1  # Windows refuses to replace a file while another program reads it.


@dataclass(frozen=True, slots=True)
class Language:
    """Operations on a text: load it, set a member, remove a member. All raise SyntaxProblem and NotAnObjectError.

    `max_bytes` is the size that is read within seconds. Some files in JSON include a history.
    """

    title: str
    max_bytes: int
    load: Callable[[str], Any]
    set_member: Callable[[str, Sequence[str], Mapping[str, Any]], str]
    remove_member: Callable[[str, Sequence[str]], str]


_JSON: Final = Language("JSON", 32 * caps.MIB, json_edit.load, json_edit.set_member, json_edit.remove_member)
LANGUAGES: Final[Mapping[ConfigFormat, Language]] = {
    ConfigFormat.JSON: _JSON,
    ConfigFormat.JSONC: _JSON,
    ConfigFormat.TOML: Language("TOML", 4 * caps.MIB, toml_edit.load, toml_edit.set_member, toml_edit.remove_member),
    ConfigFormat.YAML: Language("YAML", caps.MIB // 4, yaml_edit.load, yaml_edit.set_member, yaml_edit.remove_member),
}

BACKUP_MARK: Final = ".webrag-bak-"
TEMPORARY_MARK: Final = ".webrag-new-"
NEW_FILE_MODE: Final = 0o600


class ConfigChangedError(ClientConfigError):
    """The file changed after it was read. Nothing was written."""


@dataclass(frozen=True, slots=True)
class ConfigText:
    """The content of a file when it was read. `content` is None for a missing file."""

    path: Path
    content: bytes | None
    text: str = ""
    has_mark: bool = False
    format: ConfigFormat = ConfigFormat.JSON

    @property
    def language(self) -> Language:
        return LANGUAGES[self.format]

    def encoded(self, text: str) -> bytes:
        """Encode another text like this file."""
        return (codecs.BOM_UTF8 if self.has_mark else b"") + text.encode("utf-8")


def read_config(path: Path, language: ConfigFormat = ConfigFormat.JSON) -> ConfigText:
    """Read a configuration file. Raises ClientConfigError if it is not readable UTF-8."""
    most = LANGUAGES[language].max_bytes
    try:
        with path.open("rb") as stream:
            content = stream.read(most + 1)
    except FileNotFoundError:
        return ConfigText(path, None, format=language)
    except OSError as error:
        raise ClientConfigError(
            sentence("Cannot read {} ({}).", path, error.strerror or error), hint="Check its permissions."
        ) from error
    if len(content) > most:
        words = sentence("{} is larger than {} MiB, so WebRAG did not read it.", path, f"{most / caps.MIB:g}")
        raise ClientConfigError(words, hint="Add the entry manually.")
    return _decode(path, content, language)


def _decode(path: Path, content: bytes, language: ConfigFormat) -> ConfigText:
    has_mark = content.startswith(codecs.BOM_UTF8)
    try:
        text = content[len(codecs.BOM_UTF8) if has_mark else 0 :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise ClientConfigError(
            sentence("{} is not UTF-8 text ({}).", path, error), hint="Save the file as UTF-8."
        ) from error
    return ConfigText(path, content, text, has_mark, language)


def data_of(config: ConfigText) -> Any:
    """Return the whole file as data. Raises ClientConfigError if its syntax is invalid."""
    with _explain_errors(config):
        return config.language.load(config.text)


def entry_of(config: ConfigText, keys: tuple[str, ...]) -> object | None:
    """Return the value at a path of keys, or None. Raises ClientConfigError if the file is invalid."""
    data = data_of(config)
    with _explain_errors(config):
        for depth, key in enumerate(keys):
            if data is None and depth and config.format is ConfigFormat.YAML:
                return None
            if not isinstance(data, Mapping):
                raise NotAnObjectError(keys[depth - 1] if depth else "")
            if key not in data:
                return None
            data = data[key]
    found: object | None = data
    return found


def with_entry(config: ConfigText, keys: tuple[str, ...], value: Mapping[str, Any]) -> str:
    """Return the text with the value at a path of keys. Raises ClientConfigError if that is not possible safely."""
    expected = _with_value(data_of(config), keys, value)
    with _explain_errors(config):
        text = config.language.set_member(config.text, keys, value)
    try:
        # The meaning of all other content must be unchanged.
        is_same = _meaning(config.language.load(text)) == _meaning(expected)
    except (SyntaxProblem, ValueError, RecursionError) as error:  # Numbers and nesting can be too large to compare.
        raise _unsafe(config) from error
    if not is_same:
        raise _unsafe(config)
    return text


def without_entry(
    config: ConfigText, keys: tuple[str, ...], is_ours: Callable[[object], bool] = lambda _entry: True
) -> str | None:
    """Return the text without the member, exactly as before it was added if nothing else has changed since.

    Restores a foreign entry that was replaced. None means that the file did not exist before.
    """
    value = entry_of(config, keys)
    for backup in reversed(backups(config.path)):
        with contextlib.suppress(OSError, ClientConfigError):
            before = _decode(backup, backup.read_bytes(), config.format)
            existing = entry_of(before, keys)
            if (existing is None or not is_ours(existing)) and _explains(before, keys, value, config.text):
                return before.text
    # The file contains only the entry, in the form that a new file gets.
    if not config.has_mark and _explains(ConfigText(config.path, None, format=config.format), keys, value, config.text):
        return None
    with _explain_errors(config):
        text = config.language.remove_member(config.text, keys)
    if entry_of(ConfigText(config.path, b"", text, config.has_mark, config.format), keys) is not None:
        raise _unsafe(config)
    return text


def replace_config(before: ConfigText, text: str, *, delete: bool = False) -> Path | None:
    """Replace the file that was read with the text, and return the backup, or None for a new file.

    Raises ConfigChangedError if the file has changed since it was read, or another ClientConfigError. Then nothing is written.
    """
    # Symbolic links stay: their target is replaced.
    target = Path(os.path.realpath(before.path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        _sweep(before.path)
        temporary = _write_beside(target, before.encoded(text), target)
        try:
            backup = None
            if before.content is not None:
                stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
                backup = before.path.with_name(f"{before.path.name}{BACKUP_MARK}{stamp}")
                _write_beside(backup, before.content, target).replace(backup)
            _put(before, target, None if delete else temporary, backup)
        finally:
            temporary.unlink(missing_ok=True)
        for old in backups(before.path)[:-MAX_CONFIG_BACKUPS]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise ClientConfigError(
            sentence("Cannot write {} ({}).", before.path, error.strerror or error), hint="Check its permissions."
        ) from error
    return backup


def _put(before: ConfigText, target: Path, temporary: Path | None, backup: Path | None) -> None:
    """Replace the file right after a final check, because some programs write theirs constantly."""
    try:
        if (target.read_bytes() if target.exists() else None) != before.content:
            raise ConfigChangedError(
                sentence("{} was changed by another program.", before.path), hint="Review the change, then try again."
            )
        if temporary is None:
            target.unlink()
        else:
            _replace(temporary, target)
    except (OSError, ClientConfigError):
        if backup is not None:
            backup.unlink(missing_ok=True)
        raise


def backups(path: Path) -> list[Path]:
    """Return our backups of a file, oldest first."""
    return sorted(path.parent.glob(f"{path.name}{BACKUP_MARK}*"))


def _explains(before: ConfigText, keys: tuple[str, ...], value: object | None, text: str) -> bool:
    """Whether adding the value to an earlier text results in this text."""
    return isinstance(value, Mapping) and with_entry(before, keys, value) == text


def _with_value(data: Any, keys: tuple[str, ...], value: Mapping[str, Any]) -> Any:
    """Return data with the value at a path of keys. If another value blocks the path, returns it unchanged; the edit then fails."""
    if not keys:
        return dict(value)
    if not isinstance(data, Mapping | None):
        return data
    own = dict(data or {})
    own[keys[0]] = _with_value(own.get(keys[0]), keys[1:], value)
    return own


def _meaning(value: Any) -> str:
    """Return data as text, independent of the order of keys. As text, NaN equals itself."""
    if isinstance(value, Mapping):
        return f"{{{','.join(sorted(f'{key!r}:{_meaning(one)}' for key, one in value.items()))}}}"
    if isinstance(value, list):
        return f"[{','.join(_meaning(one) for one in value)}]"
    return repr(value)


def _unsafe(config: ConfigText) -> ClientConfigError:
    return ClientConfigError(
        sentence("WebRAG cannot change {} without affecting other content.", config.path),
        hint="Add the entry manually.",
    )


def _sweep(target: Path) -> None:
    """Remove temporary files that an interrupted program left next to the file."""
    for left in target.parent.glob(f"{target.name}*{TEMPORARY_MARK}*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > CONFIG_LEFTOVER_SECONDS:
                left.unlink()


def _replace(temporary: Path, target: Path) -> None:
    """Replace the file atomically. Waits for readers that block it."""
    for left in reversed(range(CONFIG_REPLACE_TRIES)):
        try:
            temporary.replace(target)
        except PermissionError:
            if not left:
                raise
            time.sleep(CONFIG_REPLACE_PAUSE_SECONDS)
        else:
            return


def _write_beside(place: Path, content: bytes, like: Path) -> Path:
    """Write a complete, synced file next to a path, with the mode and owner of the existing file, if any."""
    temporary = place.with_name(f"{place.name}{TEMPORARY_MARK}{secrets.token_hex(4)}.tmp")
    status = like.stat() if like.exists() else None
    mode = stat.S_IMODE(status.st_mode) if status else NEW_FILE_MODE
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if sys.platform != "win32" and os.geteuid() == 0:
            # As root, for example under sudo, keep the user's ownership of the file.
            owner = status or place.parent.stat()
            os.chown(temporary, owner.st_uid, owner.st_gid)
        temporary.chmod(mode)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


@contextlib.contextmanager
def _explain_errors(config: ConfigText) -> Iterator[None]:
    """Convert a syntax problem to an error that names file, line and column."""
    try:
        yield
    except SyntaxProblem as error:
        where = sentence("line {}, column {}: {}", error.line, error.column, error.expected)
        raise ClientConfigError(
            sentence("{} is not valid {} ({}).", config.path, config.language.title, where)
        ) from error
    except NotAnObjectError as error:
        words = sentence("The top-level value in {} is not an object.", config.path)
        if error.key:
            words = sentence('In {}, "{}" is not an object.', config.path, error.key)
        raise ClientConfigError(words) from error


@dataclass(frozen=True, slots=True)
class InstalledEntry:
    """Our entry in a file. `name` is its actual or intended name; `entry` is None if it is missing.

    `others` are the names of other entries that start a bridge of this product.
    """

    config: ConfigText
    place: Place
    name: str
    entry: object | None
    others: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The path of keys to the entry."""
        return (*self.place.keys, self.name)

    @property
    def command(self) -> ServerCommand | None:
        """The current command of the entry."""
        return self.place.shape.read(self.entry)

    @property
    def ours(self) -> bool:
        """Whether the entry starts a bridge of this product."""
        return is_ours(self.command)


def installed_entry(profile: ClientProfile, path: Path) -> InstalledEntry:
    """Return our entry in a file. Raises ClientConfigError."""
    config = read_config(path, profile.format)
    place = _place(profile, data_of(config))
    servers = entry_of(config, place.keys)
    if servers is not None and not isinstance(servers, Mapping):
        raise ClientConfigError(sentence('In {}, "{}" is not an object.', path, place.keys[-1]))
    name = SERVER_NAME
    if not servers or name not in servers:
        # Our entry can have another name if the user wrote it.
        name = next(_others(place, servers or {}, name), name)
    return InstalledEntry(config, place, name, (servers or {}).get(name), tuple(_others(place, servers or {}, name)))


def _place(profile: ClientProfile, data: Any) -> Place:
    """Return the second place if the file uses it, unless our entry is already in the first."""
    nested = profile.nested
    own = find_value(data, (*profile.place.keys, SERVER_NAME))
    if nested is None or is_ours(profile.place.shape.read(own)):
        return profile.place
    servers = find_value(data, nested.keys)
    return nested if isinstance(servers, Mapping) and nested.shape.read(servers) is None else profile.place


def _others(place: Place, servers: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yield our entries under other names. They must start our program, because many projects have a package `app` that serves tools."""
    for other, entry in servers.items():
        command = place.shape.read(entry)
        if other != name and command is not None and command.args[:2] != AS_MODULE and is_ours(command):
            yield other
