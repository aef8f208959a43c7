"""An update removes the program's files under a running bridge."""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.instance import read_runtime
from tests.bridge.fake_instance import FakeInstance
from tests.bridge.process import ROOT, BridgeProcess

pytestmark = pytest.mark.real

OF_OTHER_SYSTEMS = {"fcntl"} if sys.platform == "win32" else {"msvcrt", "ctypes"}
OF_TABLES = {"tomllib"}  # For the tables in assets, which bridges do not read.
BRIDGE = [*sorted((ROOT / "app" / "bridge").glob("*.py")), ROOT / "app" / "instance.py", ROOT / "app" / "paths.py"]


def imported(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_every_imported_module_is_loaded_soon_after_the_start() -> None:
    code = (
        "import sys, app.bridge.pump, app.bridge.stdio, app.bridge as whole\n"
        "whole.load_all(0).join(); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    named = {name for path in BRIDGE for name in imported(path)} - OF_OTHER_SYSTEMS - OF_TABLES
    assert "subprocess" in named
    assert named - set(done.stdout.split()) == set()


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps files in use")
def test_a_bridge_works_and_starts_a_program_after_its_files_were_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    ignored = shutil.ignore_patterns("__pycache__", "desktop", "engine", "retrieval", "extract")
    shutil.copytree(ROOT / "app", program / "app", ignore=ignored)
    monkeypatch.setattr("tests.bridge.process.ROOT", program)
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    with FakeInstance(data_dir) as instance, BridgeProcess(data_dir) as bridge:
        bridge.initialize()
        time.sleep(2.5)
        shutil.rmtree(program)
        bridge.call("echo", {"text": "still here"}, id=1)
        assert bridge.receive()["result"]["content"][0]["text"] == "still here"
        instance.stop()
        bridge.call("echo", {"text": "of the stand-in only"}, id=2)
        answer = bridge.receive()
        info = read_runtime(data_dir)
        assert info is not None
        os.kill(info.pid, signal.SIGKILL)
    # The real program has responded: it was found and started.
    assert "Unknown tool: echo" in json.dumps(answer)
