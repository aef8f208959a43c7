"""Secrets: environment variable, else the OS keyring, else this session's memory with a visible note. Never a plain file."""

from __future__ import annotations

import os
import secrets as _random
import threading
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.text.sentence import sentence

SERVICE: Final = "WebRAG Desktop"
MADE_TOKEN_PREFIX: Final = "made-"  # Prefix of server tokens that the program generated.


class SecretName(StrEnum):
    """Secrets of the program. The value is the environment variable that overrides the keyring."""

    MCP_AUTH_TOKEN = "MCP_AUTH_TOKEN"
    EMBEDDING_SERVER_API_KEY = "EMBEDDING_SERVER_API_KEY"
    GOOGLE_API_KEY = "GOOGLE_API_KEY"
    BRAVE_API_KEY = "BRAVE_API_KEY"
    TAVILY_API_KEY = "TAVILY_API_KEY"


@dataclass(frozen=True, slots=True)
class LibrarySecret:
    """The credentials of a shared library, in parts that fit every keyring. The value is the key there; no variable overrides it."""

    library: str
    part: int = 0

    @property
    def value(self) -> str:
        return f"library {self.library} {self.part}"


class SecretSource(StrEnum):
    """The source of a secret."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    SESSION = "session only"
    NONE = "not set"


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret's value and its source."""

    value: str
    source: SecretSource


class SecretStore:
    """The store of secrets. `note` says why the keyring is not usable, or is empty.

    A locked keyring may ask the user for its password. After a refusal, it is used again only to store or delete a secret.
    """

    def __init__(self) -> None:
        self._session: dict[SecretName | LibrarySecret, str] = {}
        self._lock = threading.Lock()
        self._is_closed = False
        self.note: str = ""
        self.spare_token: Final = MADE_TOKEN_PREFIX + _random.token_urlsafe(32)
        """The access token while the keyring does not respond. It stays in use if the keyring has no token."""

    @property
    def session_keys(self) -> tuple[SecretName, ...]:
        """Keys that the user entered and that are lost after this session."""
        return tuple(
            name for name in self._session if isinstance(name, SecretName) and name is not SecretName.MCP_AUTH_TOKEN
        )

    @property
    def is_token_for_session(self) -> bool:
        """Whether the endpoint will have another token after the next start."""
        return SecretName.MCP_AUTH_TOKEN in self._session

    def get(self, name: SecretName | LibrarySecret) -> Secret:
        """Return the secret, or an empty value with source NONE."""
        if isinstance(name, SecretName) and (value := os.environ.get(name.value)):
            return Secret(value, SecretSource.ENVIRONMENT)
        with self._lock:
            if name in self._session:
                return Secret(self._session[name], SecretSource.SESSION)
            stored = self._read_keyring(name)
        return Secret(stored, SecretSource.KEYRING) if stored else Secret("", SecretSource.NONE)

    def set(self, name: SecretName | LibrarySecret, value: str) -> SecretSource:
        """Store a secret, and return whether it outlives this session."""
        import keyring.errors

        with self._lock:
            try:
                keyring.set_password(SERVICE, name.value, value)
            except keyring.errors.KeyringError as error:
                self._refused(error)
                self._session[name] = value
                return SecretSource.SESSION
            self._session.pop(name, None)
            self._is_closed = False
            self.note = ""
            return SecretSource.KEYRING

    def delete(self, name: SecretName | LibrarySecret) -> None:
        """Delete a secret from all places of this store."""
        import keyring.errors

        with self._lock:
            self._session.pop(name, None)
            self._is_closed = False
            if self._read_keyring(name):
                try:
                    keyring.delete_password(SERVICE, name.value)
                except keyring.errors.KeyringError as error:
                    self._refused(error)

    def server_token(self) -> str:
        """Return the access token of the HTTP endpoint. Created and stored at the first call."""
        known = self.get(SecretName.MCP_AUTH_TOKEN)
        if known.value:
            return known.value
        token = self.spare_token
        if self._is_closed:
            with self._lock:
                self._session[SecretName.MCP_AUTH_TOKEN] = token
        else:
            self.set(SecretName.MCP_AUTH_TOKEN, token)
        return token

    def _read_keyring(self, name: SecretName | LibrarySecret) -> str:
        import keyring.errors

        if self._is_closed:
            return ""
        try:
            return keyring.get_password(SERVICE, name.value) or ""
        except keyring.errors.KeyringError as error:
            self._is_closed = True
            self._refused(error)
            return ""

    def _refused(self, error: Exception) -> None:
        import keyring.errors

        if isinstance(error, keyring.errors.NoKeyringError):
            self.note = sentence("No system keyring found. New secrets are kept for this session only.")
        else:
            said = str(error).rstrip(".") or type(error).__name__
            self.note = sentence(
                "The system keyring is not usable ({}). New secrets are kept for this session only.", said
            )
