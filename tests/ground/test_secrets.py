from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import keyring
import keyring.core
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import InitError

from app.secrets import SecretName, SecretSource, SecretStore

WITH_KEYRING = """
from app.secrets import SecretName, SecretSource, SecretStore
store = SecretStore()
assert store.get(SecretName.GOOGLE_API_KEY).source is SecretSource.NONE
assert store.set(SecretName.GOOGLE_API_KEY, "abc") is SecretSource.KEYRING, store.note
other = SecretStore()
assert (other.get(SecretName.GOOGLE_API_KEY).value, other.note) == ("abc", "")
assert other.server_token() == SecretStore().server_token()
other.delete(SecretName.GOOGLE_API_KEY)
assert SecretStore().get(SecretName.GOOGLE_API_KEY).source is SecretSource.NONE
from app.remote.client import KeptTokens
assert KeptTokens(store, "team").write("t" * 2_500) is SecretSource.KEYRING, store.note
assert KeptTokens(SecretStore(), "team").read() == "t" * 2_500
KeptTokens(SecretStore(), "team").delete()
assert KeptTokens(SecretStore(), "team").read() == ""
print("kept")
"""


def test_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "from-environment")
    store = SecretStore()
    store.set(SecretName.GOOGLE_API_KEY, "typed")
    secret = store.get(SecretName.GOOGLE_API_KEY)
    assert (secret.value, secret.source) == ("from-environment", SecretSource.ENVIRONMENT)


def test_without_a_keyring_a_secret_lasts_for_the_session_with_a_note(own_home: Path) -> None:
    store = SecretStore()
    assert store.set(SecretName.GOOGLE_API_KEY, "s3cr3t-value") is SecretSource.SESSION
    assert store.get(SecretName.GOOGLE_API_KEY).value == "s3cr3t-value"
    assert "this session only" in store.note
    assert SecretStore().get(SecretName.GOOGLE_API_KEY).source is SecretSource.NONE
    assert not [p for p in own_home.rglob("*") if p.is_file() and b"s3cr3t-value" in p.read_bytes()]


def test_the_server_token_is_made_once_and_long() -> None:
    store = SecretStore()
    assert store.server_token() == store.server_token()
    assert len(store.server_token()) >= 40


def test_a_declined_keyring_is_requested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Locked(KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            asked.append(username)
            raise InitError("Prompt dismissed..")

        def set_password(self, service: str, username: str, password: str) -> None:
            asked.append(username)

    monkeypatch.setattr(keyring.core, "_keyring_backend", Locked())  # type: ignore[no-untyped-call]
    store = SecretStore()
    assert store.server_token() == store.server_token()
    assert store.get(SecretName.GOOGLE_API_KEY).source is SecretSource.NONE
    assert asked == ["MCP_AUTH_TOKEN"]
    assert "(Prompt dismissed)." in store.note
    assert store.set(SecretName.GOOGLE_API_KEY, "typed") is SecretSource.KEYRING, "storing a secret asks again"
    assert store.note == ""


@pytest.mark.keyring
@pytest.mark.skipif(sys.platform == "win32", reason="Linux keyring; tests/windows tests the Windows one")
def test_a_real_keyring_keeps_secrets_between_processes(own_home: Path) -> None:
    missing = [tool for tool in ("dbus-run-session", "gnome-keyring-daemon") if shutil.which(tool) is None]
    assert not missing, f"not installed: {missing}; run installer/linux/system-packages.sh"
    environment = {**os.environ, "PYTHON_KEYRING_BACKEND": ""}
    del environment["PYTHON_KEYRING_BACKEND"]
    script = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0" -c "$1"'
    command = ["dbus-run-session", "--", "bash", "-c", script, sys.executable, WITH_KEYRING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "kept", done.stderr
