"""The files of the Linux packages in addition to the program."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "installer" / "linux"

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform != "linux", reason="for Linux")]


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def run(*command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=60)


def test_the_desktop_entry_is_valid() -> None:
    done = run(tool("desktop-file-validate"), str(LINUX / "webrag.desktop"))
    assert (done.returncode, done.stdout) == (0, "")


def test_the_metadata_is_valid(tmp_path: Path) -> None:
    from packages import METAINFO, filled

    file = filled("org.webrag.desktop.metainfo.in.xml", tmp_path / METAINFO)
    done = run(tool("appstreamcli"), "validate", "--no-net", str(file))
    assert done.returncode == 0, done.stdout
    assert "@" not in file.read_text("utf-8")


def test_the_manual_page_is_well_formed(tmp_path: Path) -> None:
    from packages import filled

    page = filled("webrag.1", tmp_path / "webrag.1")
    done = run(tool("groff"), "-man", "-ww", "-z", "-Tutf8", str(page))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_manual_page_names_existing_commands(tmp_path: Path) -> None:
    from app.cli.parser import build_parser

    [known] = [each.choices for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction)]
    page = (LINUX / "webrag.1").read_text("utf-8").partition("The most common commands are:")[2].partition(".SH")[0]
    named = re.findall(r"^\.(?:B|BI) ([a-z, ]+)", page, re.MULTILINE)
    words = {word.strip() for line in named for word in line.split(",")}
    assert len(words) > 10
    assert words <= set(known)


def test_the_licence_is_whole(tmp_path: Path) -> None:
    from packages import filled

    text = filled("copyright", tmp_path / "copyright").read_text("utf-8")
    assert "WITHOUT WARRANTY OF ANY KIND" in text
    assert not re.search(r"^\S.*WARRANTY", text, re.MULTILINE), "continued lines begin with a space"


@pytest.mark.parametrize("script", sorted(ROOT.glob("installer/**/*.sh")), ids=lambda path: path.name)
def test_scripts_are_clean(script: Path) -> None:
    first = script.read_text("utf-8").splitlines()[0]
    assert run(first.split()[-1].removeprefix("#!"), "-n", str(script)).returncode == 0
    done = run(tool("shellcheck"), str(script))
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "program"),
    [
        ([], "webrag-desktop"),
        (["--hidden", "--data-dir", "/x"], "webrag-desktop"),
        (["https://example.org/a"], "webrag-desktop"),
        (["mcp", "--data-dir", "/x"], "webrag"),
        (["--selftest"], "webrag"),
        (["--data-dir", "/x", "mcp"], "webrag"),
    ],
)
def test_the_image_starts_the_program_that_is_meant(tmp_path: Path, arguments: list[str], program: str) -> None:
    folder = tmp_path / "usr" / "lib" / "webrag"
    folder.mkdir(parents=True)
    for name in ("webrag", "webrag-desktop"):
        (folder / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
        (folder / name).chmod(0o755)
    shutil.copy(LINUX / "AppRun", tmp_path)
    done = run(str(tmp_path / "AppRun"), *arguments)
    assert done.stdout.split() == [program, *arguments]


def test_an_update_stops_an_application_whose_file_was_already_replaced(tmp_path: Path) -> None:
    text = (LINUX / "before-removal.sh").read_text("utf-8")
    script = re.sub(r"(?m)^FOLDER=.*", f"FOLDER={tmp_path}", text)
    shutil.copy(tool("sleep"), tmp_path / "webrag")
    with subprocess.Popen([tmp_path / "webrag", "60"]) as application:
        shutil.copy(tool("sleep"), tmp_path / "new")
        (tmp_path / "new").replace(tmp_path / "webrag")
        assert run("sh", "-c", script, "before-removal.sh", "1").returncode == 0
        assert application.wait(10) != 0
