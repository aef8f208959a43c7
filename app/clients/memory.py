"""Which assistants were registered from here, remembered in one small file of the data directory."""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from app.errors import ClientConfigError

log = logging.getLogger(__name__)

MEMORY_FILE: Final = "clients.json"
OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class Registered:
    """One assistant: when its entry was last written from here (Unix time, 0 for one that was found), and in which files."""

    at: float
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """The registered assistants by name, and those that are to be left alone, entry or not."""

    clients: Mapping[str, Registered] = field(default_factory=dict)
    left: frozenset[str] = frozenset()

    def with_client(self, client: str, registered: Registered) -> Memory:
        """An assistant was registered."""
        return Memory({**self.clients, client: registered}, self.left - {client})

    def without_client(self, client: str) -> Memory:
        """An assistant is not looked after any more."""
        return Memory({name: one for name, one in self.clients.items() if name != client}, self.left | {client})


def read_memory(data_dir: Path) -> Memory:
    """What is remembered; a damaged file counts as none and is said in the log."""
    path = data_dir / MEMORY_FILE
    try:
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
        clients = {
            str(name): Registered(float(one["at"]), tuple(str(file) for file in one["files"]))
            for name, one in raw["clients"].items()
        }
        return Memory(clients, frozenset(str(name) for name in raw["left"]))
    except FileNotFoundError:
        return Memory()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("%s is not readable and begun anew: %s", path, error)
        return Memory()


def write_memory(data_dir: Path, memory: Memory) -> None:
    """Write the file in one step, for the owner only. Raises ClientConfigError."""
    path = data_dir / MEMORY_FILE
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    clients = {name: asdict(one) for name, one in memory.clients.items()}
    text = json.dumps({"clients": clients, "left": sorted(memory.left)}, indent=1)
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise ClientConfigError(
            f"{path} cannot be written: {error}", hint="Check the permissions of the data directory."
        ) from error


def remember_client(data_dir: Path, client: str, files: Iterable[str], *, at: float) -> None:
    """An assistant was registered in these files at a time. Raises ClientConfigError."""
    registered = Registered(at, tuple(sorted(files)))
    write_memory(data_dir, read_memory(data_dir).with_client(client, registered))


def forget_client(data_dir: Path, client: str) -> None:
    """An assistant was unregistered, or is to be left alone. Raises ClientConfigError."""
    write_memory(data_dir, read_memory(data_dir).without_client(client))
