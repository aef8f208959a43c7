"""Behavior that only a Windows system, or Wine, has: its registry, rules for files in use, device names and consoles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.autostart import RUN_KEY, VALUE_NAME, RunKey
from app.clients.hosts import CLIENTS
from app.clients.profile import Machine, ServerCommand
from app.clients.registrar import apply_plan, plan_registration, plan_removal
from app.containment import contained
from app.corpus import Corpus
from app.errors import CorpusError, FileAccessError
from app.instance import RUNTIME_FILE, RuntimeInfo, read_runtime, write_runtime
from app.settings import load_settings
from tests.corpus.builders import DIMENSION, MODEL, document

CLAUDE_DESKTOP = next(profile for profile in CLIENTS if profile.name == "claude-desktop")

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="made for Windows")

WAIT_SECONDS = 90.0
COMMAND = ServerCommand(r"C:\Programs\WebRAG\webrag.exe", ("mcp",))


def command_line(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    with subprocess.Popen(
        [sys.executable, "-m", "app", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            said, complained = process.communicate(timeout=WAIT_SECONDS)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, said, complained)


# --- Command line ---


def test_the_version_is_printed() -> None:
    assert command_line("--version").stdout.startswith(b"webrag ")


# --- Containment ---


@pytest.mark.parametrize(
    "name",
    [
        "CON", "nul.md", "sub/COM1.txt", "aux .md", "LPT¹", "CONIN$", r"\\?\C:\windows\win.ini", "//server/share/a.md",
        r"\\server\share\a.md", "a.md:stream", "a.md::$DATA", "C:a.md", "C:/windows/win.ini", "a.md.", "a.md ", "sub/../../b.md",
    ],
)  # fmt: skip
def test_names_with_a_special_meaning_on_windows_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        contained(tmp_path, name)


def test_case_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "Guide.md").write_text("text", encoding="utf-8")
    assert contained(tmp_path, "gUIDE.MD").read_text(encoding="utf-8") == "text"
    assert contained(Path(str(tmp_path).upper()), "guide.md").read_text(encoding="utf-8") == "text"


# --- Files in use, and writing files ---


def test_a_file_that_another_program_reads_is_replaced_or_unchanged(tmp_path: Path) -> None:
    first, second = (RuntimeInfo(f"http://127.0.0.1:{port}/mcp", "token", os.getpid(), "1") for port in (1111, 2222))
    write_runtime(tmp_path, first)
    with (tmp_path / RUNTIME_FILE).open("rb"):
        try:
            write_runtime(tmp_path, second)
        except PermissionError:
            assert read_runtime(tmp_path) == first
    write_runtime(tmp_path, second)
    assert read_runtime(tmp_path) == second
    assert not [file.name for file in tmp_path.iterdir() if file.name.startswith(f"{RUNTIME_FILE}.")]


def test_settings_with_a_utf8_mark_and_windows_line_ends_are_read(own_home: Path, tmp_path: Path) -> None:
    (own_home / "config.toml").write_bytes(b'\xef\xbb\xbf[window]\r\nlanguage = "de"\r\n')
    assert load_settings(data_dir=tmp_path).language == "de"


# --- Claude Desktop ---


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("packaged", [False, True])
def test_claude_desktop_is_registered_in_its_own_file(mark: bytes, packaged: bool) -> None:
    local, roaming = Path(os.environ["LOCALAPPDATA"]), Path(os.environ["APPDATA"])
    folder = local / "Packages" / "Claude_abc" / "LocalCache" / "Roaming" / "Claude" if packaged else roaming / "Claude"
    folder.mkdir(parents=True)
    file = folder / "claude_desktop_config.json"
    before = mark + b'{\r\n  "theme": "d\xc3\xa4mmrig",\r\n  "mcpServers": {}\r\n}\r\n'
    file.write_bytes(before)
    machine = Machine.here()
    for plan in plan_registration(CLAUDE_DESKTOP, COMMAND, machine):
        apply_plan(plan)
    written = file.read_bytes()
    assert written.startswith(mark) and b"\n" not in written.replace(b"\r\n", b"")
    entry = json.loads(written.decode("utf-8-sig"))
    assert entry["mcpServers"]["webrag"]["command"] == COMMAND.command and entry["theme"] == "dämmrig"
    for plan in plan_removal(CLAUDE_DESKTOP, machine):
        apply_plan(plan)
    assert json.loads(file.read_bytes().decode("utf-8-sig"))["theme"] == "dämmrig"
    assert b"webrag" not in file.read_bytes()


# --- Registry ---


def test_start_at_login_is_a_registry_value_of_the_user() -> None:
    winreg: Any = pytest.importorskip("winreg")
    entry = RunKey([r"C:\Program Files\WebRAG\webrag-desktop.exe", "--background"])
    states = [entry.is_enabled]
    entry.enable()
    try:
        states.append(entry.is_enabled)
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, RUN_KEY) as key:
            line = winreg.QueryValueEx(key, VALUE_NAME)[0]
        needs_repair = [entry.needs_repair, RunKey(["elsewhere.exe"]).needs_repair]
    finally:
        entry.disable()
    assert [*states, entry.is_enabled] == [False, True, False]
    assert line == r'"C:\Program Files\WebRAG\webrag-desktop.exe" --background'
    assert needs_repair == [False, True]


# --- SQLite ---

WRITER = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("writing", flush=True)
sys.stdin.read(1)
connection.execute("COMMIT")
"""


def test_reading_and_backup_continue_during_writes_of_another_process(tmp_path: Path) -> None:
    path, copy = tmp_path / "corpus.db", tmp_path / "copy.db"
    corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    corpus.documents.store(document("https://example.org/a", ("One.",)))
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None and writer.stdout.readline().strip() == b"writing"
        assert corpus.documents.get("https://example.org/a") is not None
        corpus.backup(copy)
        writer.communicate(b"x", timeout=WAIT_SECONDS)
    corpus.documents.store(document("https://example.org/b", ("Two.",)))
    corpus.close()
    restored = Corpus.open(copy, dimension=DIMENSION, model=MODEL)
    assert restored.documents.get("https://example.org/a") is not None
    restored.close()
    with pytest.raises(CorpusError):
        corpus.documents.get("https://example.org/a")
