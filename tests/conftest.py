"""Every test runs in a home of its own: no settings, data or keyring of the person at the machine are touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_CLEARED = ("WEBRAG_", "MCP_", "EMBEDDING_", "GOOGLE_")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home directory, an environment without the program's variables, and a keyring that refuses."""
    for name in list(os.environ):
        if name.startswith(_CLEARED) or name in {"DATA_DIR", "DEBUG", "REQUEST_TIMEOUT_MS", "CONCURRENCY"}:
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("WEBRAG_CONFIG", str(home / "config.toml"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return home
