"""Small files that the program reads at its start. A damaged one counts as missing or is a clear error, never a traceback."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.browsers import BROWSERS_FILE, PairedBrowsers
from app.clients.registrar import REGISTERED_FILE, read_registered
from app.errors import WebRAGError
from app.instance import (
    RUNTIME_FILE,
    InstanceConnection,
    RuntimeInfo,
    ask_to_end,
    find_instance,
    hold_instance,
    lost_port,
    read_runtime,
    write_runtime,
)
from app.paths import chosen_data_dir, config_file
from app.remote.joined import JoinedLibraries
from app.settings import load_settings

SOUND = {"url": "http://127.0.0.1:9/mcp", "token": "token", "pid": 7, "version": "1.0", "wanted_port": 0}
DAMAGED = [
    b"",
    b"\0",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"a = " + b"[" * 100_000,
    b"null",
    b"7",
    b"NaN",
    b'"text"',
    b"[]",
    b"[[], {}, 7, null]",
    b"{}",
    b"9" * 10_000,
    b'{"clients": {"x": {"at": 1e999, "files": 7}}, "left": 7}',
    b'{"browsers": [7, null, {"id": [], "name": 1, "origin": 2, "key": 3, "paired": 1e999}], "code": 7}',
    b'{"code": {"digest": "x", "until": 1e999, "tries": 1e999}}',
    b"/\0",
    b'"\\ud800"',
]
FIELDS = {
    "url": [
        "",
        7,
        None,
        [],
        "http://[::1",
        "http://127.0.0.1:99999/mcp",
        "http://127.0.0.1:-1/mcp",
        "http://127.0.0.1:x/mcp",
        "http:///mcp",
        "127.0.0.1:80",
        "file:///etc/passwd",
        "http://a b:80/mcp",
        "http://" + "a" * 64 + ".example:80/",
        "http://a..b:80/",
        "http://[fe80::1%\n]:80/",
        "http://\ud800:80/mcp",
        "http://127.0.0.1:80/\ud800",
        "http://ｅｘample:80/mcp",
    ],
    "token": ["\ud800", "a\r\nb: c", "ü"],
    "pid": [None, [], "x", float("nan"), float("inf"), 10**400, -1, 0, 2**64],
    "version": ["\ud800", "1\n2"],
    "wanted_port": [float("inf"), float("nan"), 10**400, -1, 70_000, [], None],
}


def use(info: RuntimeInfo) -> None:
    """Return everything that a reader uses before it opens a connection."""
    InstanceConnection(info, timeout=0.1).close()
    lost_port(1, info.url)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in FIELDS for value in FIELDS[name] if value is not None]
)
def test_runtime_file_with_an_impossible_value_is_no_instance(name: str, value: object, tmp_path: Path) -> None:
    (tmp_path / RUNTIME_FILE).write_text(json.dumps(SOUND | {name: value}))
    assert read_runtime(tmp_path) is None
    assert find_instance(tmp_path) is None


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[fe80::1%eth0]", "localhost", "my-host_1.example.org"])
def test_runtime_file_of_an_instance_is_read(host: str, tmp_path: Path) -> None:
    (tmp_path / RUNTIME_FILE).write_text(json.dumps(SOUND | {"url": f"http://{host}:8765/mcp"}))
    info = read_runtime(tmp_path)
    assert info is not None and info.port == 8765
    use(info)


def _runtime(folder: Path) -> None:
    assert read_runtime(folder) is None
    assert find_instance(folder) is None


READERS: dict[str, Callable[[Path], object]] = {
    RUNTIME_FILE: _runtime,
    BROWSERS_FILE: lambda folder: PairedBrowsers(folder).all(),
    REGISTERED_FILE: read_registered,
    "libraries.json": lambda folder: JoinedLibraries(folder).all(),
    "config.toml": lambda folder: load_settings(data_dir=folder),
    "data-folder.txt": lambda _: chosen_data_dir(),
}


@pytest.mark.parametrize("name", READERS)
def test_damaged_file_is_ignored_or_a_clear_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBRAG_CONFIG", str(tmp_path / "config.toml"))
    assert config_file().parent == tmp_path
    file = tmp_path / name
    for content in DAMAGED:
        file.write_bytes(content)
        read(name, tmp_path)
    file.unlink()
    file.mkdir()
    read(name, tmp_path)


def read(name: str, folder: Path) -> None:
    """Allow errors with a message for users. All others fail the test."""
    with contextlib.suppress(WebRAGError):
        READERS[name](folder)


def test_instance_replaces_a_folder_with_the_name_of_its_file(tmp_path: Path) -> None:
    (tmp_path / RUNTIME_FILE).mkdir()
    info = RuntimeInfo(**SOUND)  # type: ignore[arg-type]
    with hold_instance(tmp_path):
        write_runtime(tmp_path, info)
        assert read_runtime(tmp_path) == info
        assert not ask_to_end(info)
