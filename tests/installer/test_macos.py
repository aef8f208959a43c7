"""Parts of the macOS build that other systems can check: property lists, order of signing, content of the image, notarization messages.

Small scripts replace Apple's tools and record their calls. `file` is the real program.
"""

from __future__ import annotations

import ast
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.autostart import LABEL, LaunchAgent

ROOT = Path(__file__).resolve().parents[2]
MACOS = ROOT / "installer" / "macos"
ENTITLEMENTS = MACOS / "entitlements.plist"
MACH_O = struct.pack("<IIIIIIII", 0xFEEDFACF, 0x0100000C, 0, 2, 0, 0, 0, 0)
"""Header of a 64-bit ARM program, as `file` recognizes it."""
TEXT, FLAG = str, bool
KEYS: dict[str, type] = {
    "CFBundleDisplayName": TEXT,
    "CFBundleExecutable": TEXT,
    "LSApplicationCategoryType": TEXT,
    "LSMinimumSystemVersion": TEXT,
    "LSUIElement": FLAG,
    "NSHighResolutionCapable": FLAG,
    "NSHumanReadableCopyright": TEXT,
}
"""Keys of our Info.plist, with the types from Apple's reference."""
LAUNCHD: dict[str, type] = {
    "Label": TEXT,
    "ProgramArguments": list,
    "RunAtLoad": FLAG,
    "ProcessType": TEXT,
    "LimitLoadToSessionType": TEXT,
}

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(sys.platform != "linux" or shutil.which("file") is None, reason="tried with stand-ins on Linux"),
]


def bundle_arguments() -> dict[str, Any]:
    """Return the literal arguments of BUNDLE in build.spec."""
    calls = [
        node for node in ast.walk(ast.parse((ROOT / "build.spec").read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    [call] = [call for call in calls if ast.unparse(call.func) == "BUNDLE"]
    return {
        word.arg: ast.literal_eval(word.value)
        for word in call.keywords
        if word.arg and not isinstance(word.value, ast.Name)
    }


def test_the_application_is_described_by_the_rules() -> None:
    given = bundle_arguments()
    info = given["info_plist"]
    assert plistlib.loads(plistlib.dumps(info)) == info
    assert {name: type(value) for name, value in info.items()} == KEYS
    assert re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+", given["bundle_identifier"])
    assert given["bundle_identifier"] == LABEL, "the start at login belongs to the application"
    assert given["name"].endswith(".app")
    assert re.fullmatch(r"\d+\.\d+", info["LSMinimumSystemVersion"])
    assert info["LSApplicationCategoryType"].startswith("public.app-category.")
    assert info["LSUIElement"], "it lives in the menu bar"
    assert f'"{info["CFBundleExecutable"]}"' in (ROOT / "build.spec").read_text("utf-8")


def test_the_entitlements_are_read_by_the_strictest_reader() -> None:
    assert plistlib.loads(ENTITLEMENTS.read_bytes()) == {"com.apple.security.cs.allow-unsigned-executable-memory": True}
    assert b"<!--" not in ENTITLEMENTS.read_bytes(), "the reader of codesign refuses comments that plutil takes"


def test_the_agent_of_launchd_is_described_by_the_rules(tmp_path: Path) -> None:
    command = ["/Applications/WebRAG.app/Contents/MacOS/webrag-desktop", "--hidden", "--data-dir", '/a "b" & <c>']
    agent = LaunchAgent(command, tmp_path / "Library" / "LaunchAgents")
    agent.enable()
    written = plistlib.loads(agent.path.read_bytes())
    assert {name: type(value) for name, value in written.items()} == LAUNCHD
    assert (agent.path.name, written["ProgramArguments"]) == (f"{written['Label']}.plist", command)
    if plutil := shutil.which("plistutil"):
        done = subprocess.run([plutil, "-i", agent.path, "-o", tmp_path / "binary"], capture_output=True, check=False)
        assert (done.returncode, (tmp_path / "binary").read_bytes()[:8]) == (0, b"bplist00")


# --- The image ---

Tools = Callable[..., tuple[subprocess.CompletedProcess[str], list[str]]]


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    """Run a script with stand-ins for Apple's tools, and return its output and their calls."""
    folder, calls = tmp_path / "tools", tmp_path / "calls"
    folder.mkdir()
    bodies = {
        "codesign": "",
        "ditto": 'cp -R "$1" "$2"',
        "hdiutil": f'while [ "$1" != -srcfolder ]; do shift; done; cp -R "$2" {tmp_path}/image; for last; do :; done; : >"$last"',
        "xcrun": '[ "$2" != submit ] || printf %s \'{"id": "7", "status": "\'"$STATUS"\'"}\'; [ "$2" != log ] || echo reasons',
        "plutil": f'exec {sys.executable} -c "import json, sys; print(json.load(sys.stdin)[sys.argv[1]])" "$2"',
        "spctl": "",
    }
    for name, body in bodies.items():
        (folder / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{calls}\n{body}\n')
        (folder / name).chmod(0o755)

    def run(script: str, *arguments: str | Path, **environ: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        done = subprocess.run(
            ["bash", MACOS / script, *arguments],
            env={"PATH": f"{folder}:{os.environ['PATH']}", "STATUS": "Accepted", **environ},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return done, calls.read_text().replace(f"{tmp_path}/", "").splitlines()

    return run


@pytest.fixture
def application(tmp_path: Path) -> Path:
    """Create the layout of PyInstaller: programs, libraries, and resources with links to libraries."""
    contents = tmp_path / "WebRAG.app" / "Contents"
    for name in ("MacOS/webrag", "MacOS/webrag-desktop", "Frameworks/libpython.dylib", "Frameworks/numpy/core.so"):
        (contents / name).parent.mkdir(parents=True, exist_ok=True)
        (contents / name).write_bytes(MACH_O)
    (contents / "Resources").mkdir()
    (contents / "Resources" / "model.onnx").write_text("data")
    (contents / "Frameworks" / "model.onnx").symlink_to("../Resources/model.onnx")
    (contents / "Frameworks" / "notes.txt").write_text("data")
    return contents.parent


def signed(calls: list[str]) -> list[str]:
    return [call.split()[-1] for call in calls if call.startswith("codesign --force")]


def test_the_application_is_signed_from_the_inside_out(tools: Tools, application: Path, tmp_path: Path) -> None:
    done, calls = tools("build_dmg.sh", application, tmp_path / "WebRAG.dmg")
    assert (done.returncode, done.stderr) == (0, "")
    inside = "WebRAG.app/Contents"
    order = signed(calls)
    assert set(order[:2]) == {f"{inside}/Frameworks/libpython.dylib", f"{inside}/Frameworks/numpy/core.so"}
    assert set(order[2:4]) == {f"{inside}/MacOS/webrag", f"{inside}/MacOS/webrag-desktop"}
    assert order[4:] == ["WebRAG.app"]
    with_rights = [call for call in calls if "--entitlements" in call]
    assert len(with_rights) == 3 and not any("Frameworks" in call for call in with_rights)
    assert not any("--timestamp" in call or "xcrun" in call for call in calls), (
        "without an identity for this machine only"
    )
    assert calls.index("codesign --verify --deep --strict WebRAG.app") < len(calls) - 1


def test_the_image_contains_the_application_next_to_a_link_to_applications(
    tools: Tools, application: Path, tmp_path: Path
) -> None:
    tools("build_dmg.sh", application, tmp_path / "WebRAG.dmg")
    image = tmp_path / "image"
    assert sorted(path.name for path in image.iterdir()) == ["Applications", "WebRAG.app"]
    assert (image / "Applications").readlink() == Path("/Applications")
    assert (image / "WebRAG.app" / "Contents" / "Frameworks" / "model.onnx").is_symlink()


def test_with_an_identity_the_image_is_signed_and_notarized(tools: Tools, application: Path, tmp_path: Path) -> None:
    given = {"SIGNING_IDENTITY": "Developer ID Application: Ada (X)", "NOTARY_PROFILE": "ada"}
    done, calls = tools("build_dmg.sh", application, tmp_path / "WebRAG.dmg", **given)
    assert done.returncode == 0
    assert all("--timestamp --options runtime" in call for call in calls if call.startswith("codesign --force"))
    last = [" ".join(call.split()[:3]) for call in calls[-6:]]
    assert last == [
        "codesign --sign Developer",
        "xcrun notarytool submit",
        "plutil -extract id",
        "plutil -extract status",
        "xcrun stapler staple",
        "spctl --assess --type",
    ]


def test_an_image_that_apple_refuses_is_reported_and_not_stapled(tools: Tools, tmp_path: Path) -> None:
    done, calls = tools("notarize.sh", tmp_path / "WebRAG.dmg", NOTARY_PROFILE="ada", STATUS="Invalid")
    assert done.returncode == 1
    assert "reasons" in done.stderr and "did not accept" in done.stderr and "Invalid" in done.stderr
    assert not any("stapler" in call for call in calls)
