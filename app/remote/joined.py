"""The list of joined shared libraries: one small file next to the corpus, without secrets."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from app.errors import InvalidArgumentError, LibraryNotJoinedError, SettingsError, WebRAGError
from app.library.exchange import LOOPBACK, is_secure
from app.library.records import ALL, PRIVATE, SHARED
from app.paths import joined_file, replace_file
from app.serialise import from_jsonable
from app.settings_schema import LIBRARY_NAME
from app.text.sentence import sentence

MAX_LIBRARIES: Final = 16
MAX_FILE_BYTES: Final = 64 * 1024
MAX_TITLE_CHARS: Final = 80
MAX_FIELD_CHARS: Final = 1_000  # Longest value of every other field, such as a sign-in address or a user's name.


@dataclass(frozen=True, slots=True)
class SignIn:
    """How a user signs in. Without an issuer, by one token from the library's administrator."""

    issuer: str = ""
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    client_id: str = ""
    scope: str = ""
    resource: str = ""
    names_itself: bool = False
    """The issuer identifies itself in its answers (RFC 9207): an answer without that is from someone else."""


@dataclass(frozen=True, slots=True)
class JoinedLibrary:
    """A joined library. `name` is its name in tools, `title` its display name, `collection` the target of shared pages ("": none).

    WebRAG sends requests only if `is_on`.
    """

    name: str
    address: str
    title: str = ""
    collection: str = ""
    is_on: bool = True
    who: str = ""
    sign_in: SignIn = SignIn()


class JoinedLibraries:
    """The file. Every method reads or writes it completely; of concurrent changes by programs, the last one wins."""

    def __init__(self, data_dir: Path) -> None:
        self._file = joined_file(data_dir)
        self.changing = threading.RLock()
        """Held between reading the list and writing it."""

    @property
    def stamp(self) -> tuple[int, int]:
        """Return a value that changes with the file; zeros if it does not exist."""
        try:
            found = self._file.stat()
        except OSError:
            return 0, 0
        # Each state is a new file, but two written at the same moment can have the same time.
        return found.st_mtime_ns, found.st_ino

    def all(self) -> tuple[JoinedLibrary, ...]:
        """Return every joined library by name. Raises SettingsError if the file cannot be read."""
        try:
            with self._file.open("rb") as stream:
                rows = json.loads(stream.read(MAX_FILE_BYTES))
            return tuple(sorted((_library(row) for row in rows[:MAX_LIBRARIES]), key=lambda each: each.name))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, WebRAGError) as error:
            raise SettingsError(
                sentence("Cannot read {}, the list of joined libraries.", self._file),
                hint="Delete the file and join the libraries again.",
            ) from error

    def get(self, name: str) -> JoinedLibrary:
        """Return the library with this name. Raises InvalidArgumentError."""
        found = next((each for each in self.all() if each.name == name), None)
        if found is None:
            raise InvalidArgumentError(
                sentence("You have not joined a library named {}.", repr(name)), hint=LibraryNotJoinedError.default_hint
            )
        return found

    def put(self, library: JoinedLibrary) -> None:
        """Add a library, or replace the one with its name. Raises SettingsError, and InvalidArgumentError if there are too many."""
        with self.changing:
            others = [each for each in self.all() if each.name != library.name]
            if len(others) >= MAX_LIBRARIES:
                raise InvalidArgumentError(
                    sentence("You can join at most {} libraries.", MAX_LIBRARIES), hint="Leave one of them first."
                )
            self._write([*others, library])

    def remove(self, name: str) -> JoinedLibrary:
        """Remove a library and return it. Raises InvalidArgumentError."""
        with self.changing:
            library = self.get(name)
            self._write([each for each in self.all() if each.name != name])
        return library

    def _write(self, libraries: list[JoinedLibrary]) -> None:
        rows = [asdict(each) for each in libraries]
        for row in (*rows, *(row["sign_in"] for row in rows)):
            if any(isinstance(value, str) and len(value) > MAX_FIELD_CHARS for value in row.values()):
                said = sentence("A name or address from the library is too long.")
                raise InvalidArgumentError(said, hint="Contact the library's administrator.")
        text = json.dumps(rows, indent=1)
        if len(text) > MAX_FILE_BYTES:
            raise InvalidArgumentError(sentence("The list of libraries is too large."), hint="Leave one of them first.")
        try:
            replace_file(self._file, text)
        except OSError as error:
            raise SettingsError(
                sentence("Cannot save the joined libraries to {} ({}).", self._file, error.strerror),
                hint="Check the free disk space and the permissions of the folder.",
            ) from error


def name_for(title: str, taken: frozenset[str]) -> str:
    """Return a free name made from a library's title or host: lower case, digits and hyphens."""
    made = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "library"
    names = (made if number == 1 else f"{made}-{number}" for number in range(1, MAX_LIBRARIES + 4))
    return next(name for name in names if name not in taken and name not in (PRIVATE, ALL, SHARED))


def checked_address(text: str) -> str:
    """Return the base address of a library, without extra parts that a user may have copied.

    Raises InvalidArgumentError unless it is https, or http on this computer.
    """
    given = text.strip()
    try:
        parts = urlsplit(given if "://" in given else f"https://{given}")
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if (
        not host
        or not host.isprintable()
        or " " in host
        or parts.scheme not in ("http", "https")
        or parts.username is not None
    ):
        raise InvalidArgumentError(
            sentence("This is not the address of a library."), hint="Enter it in the form https://library.example.org."
        )
    if not is_secure(parts.scheme, host):
        raise InvalidArgumentError(
            sentence("The address must start with https://."),
            hint="Ask your library's administrator for its HTTPS address.",
        )
    shown = f"[{host}]" if ":" in host else host
    path = parts.path.rstrip("/")
    for known in ("/library/v1", "/library", "/mcp"):
        path = path.removesuffix(known)
    return f"{parts.scheme}://{shown}{f':{port}' if port else ''}{path.rstrip('/')}"


def may_be_asked(url: str, library: str) -> bool:
    """Whether WebRAG may use a sign-in address from a library: https, or http if both are on this computer."""
    try:
        parts, own = urlsplit(url), urlsplit(library)
    except ValueError:
        return False
    if parts.username is not None or not parts.hostname:
        return False
    return is_secure(parts.scheme, parts.hostname) and (parts.scheme == "https" or own.hostname in LOOPBACK)


def _library(row: Any) -> JoinedLibrary:
    library = from_jsonable(JoinedLibrary, row)
    if not LIBRARY_NAME.fullmatch(library.name) or library.name in (PRIVATE, ALL, SHARED):
        raise ValueError(library.name)
    return replace(library, address=checked_address(library.address), title=library.title[:MAX_TITLE_CHARS])
