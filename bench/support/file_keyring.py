"""A keyring in a file of the home folder, so that processes of several versions share secrets as on a desktop."""

from __future__ import annotations

import json
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError


class FileKeyring(KeyringBackend):
    """Not encrypted; for made homes only."""

    priority = 1.0

    @property
    def _file(self) -> Path:
        return Path.home() / "keyring.json"

    def _all(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self._file.read_text()) if self._file.exists() else {}
        return found

    def get_password(self, service: str, username: str) -> str | None:
        return self._all().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._all(), f"{service} {username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        known = self._all()
        if known.pop(f"{service} {username}", None) is None:
            raise PasswordDeleteError(username)
        self._file.write_text(json.dumps(known))
