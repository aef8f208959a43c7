"""The bundle for Claude Desktop, checked by the program of its format."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mcpb import pack
from tests.conformance import tools

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(tools.missing()), reason=tools.missing())]


def run(*arguments: object) -> str:
    command = [tools.node(), str(tools.BUNDLER), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=tools.CALL_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_manifest_and_the_icon_fit_the_format(tmp_path: Path) -> None:
    (tmp_path / "layout").mkdir()
    folder = pack.lay_out(tmp_path / "layout")
    said = run("validate", folder / "manifest.json")
    assert "Manifest schema validation passes!" in said and "Icon validation passed" in said
    pack.pack(folder, tmp_path / "one.mcpb")
    run("unpack", tmp_path / "one.mcpb", tmp_path / "unpacked")
    assert (tmp_path / "unpacked/manifest.json").read_bytes() == (folder / "manifest.json").read_bytes()
