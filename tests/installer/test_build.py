"""build.py reports missing parts in one line, builds what it can, and writes checksums."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import build
import drawing
import elf
import facts
import nsis
import packages
import release
import sbom
import server_json
import windows_setup
from mcpb import pack

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]


def run_build(kind: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "installer" / "build.py"), kind]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environ}
    )


@pytest.mark.skipif(sys.platform == "darwin", reason="can be made here")
def test_packages_of_other_systems_are_refused_with_the_reason() -> None:
    done = run_build("dmg")
    assert done.returncode == facts.MISSING
    assert done.stderr.split() == ["dmg", "not", "built:", "this", "can", "only", "be", "built", "on", "macOS"]


def test_a_missing_tool_is_named_with_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_build("nsis", PATH="")
    assert done.returncode == facts.MISSING
    assert done.stderr.count("\n") == 1
    assert "makensis is missing (package nsis" in done.stderr


def test_a_tool_that_fails_is_not_a_missing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_kind: str) -> Path:
        raise subprocess.CalledProcessError(2, ["tool"])

    monkeypatch.setattr(packages, "build", fail)
    monkeypatch.setattr(build, "DIST", tmp_path)
    assert build.main(["deb"]) == 1
    assert "tool" in json.loads((tmp_path / release.MANIFEST).read_text("utf-8"))["missing"]["deb"]


@pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis is not installed")
@pytest.mark.parametrize("cpu", ["", windows_setup.CPU])
def test_the_installer_of_windows_compiles_without_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cpu: str
) -> None:
    (tmp_path / "_internal").mkdir()
    for name in ("webrag.exe", "webrag-desktop.exe", "_internal/a.dll"):
        (tmp_path / name).write_bytes(b"stand-in")
    monkeypatch.setenv(nsis.PAYLOAD, str(tmp_path))
    monkeypatch.setattr(nsis, "BUILD", tmp_path / "build")
    made = nsis.pack(tmp_path, tmp_path / "made" / "WebRAG-setup.exe", cpu=cpu) if cpu else nsis.build("nsis")
    head = made.read_bytes()
    assert head[:2] == b"MZ"
    machine = struct.unpack_from("<H", head, struct.unpack_from("<I", head, 0x3C)[0] + 4)[0]
    assert machine == (0x8664 if cpu else 0x14C)
    assert made.parent != facts.DIST, "an installer around a stand-in is no artefact"


def test_windows_packages_contain_the_runtime_but_no_files_of_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"webrag.exe": {"kernel32.dll", "vcruntime140.dll"}, "core.pyd": {"msvcp140.dll", "ucrtbase.dll"}}
    for name in (*wanted, "VCRUNTIME140.dll"):
        (tmp_path / name).touch()
    monkeypatch.setattr(windows_setup, "imports", lambda path: wanted.get(path.name, set()))
    assert windows_setup.faults(tmp_path) == ["msvcp140.dll is missing, and core.pyd needs it"]
    (tmp_path / "icuuc.dll").touch()
    (tmp_path / "msvcp140.dll").touch()
    assert windows_setup.faults(tmp_path) == ["icuuc.dll belongs to Windows and must not be included"]


def test_every_library_that_is_not_inside_needs_a_known_package() -> None:
    found = elf.Demands(frozenset({"libc.so.6", "libEGL.so.1", "libxcb.so.1"}), (2, 35))
    assert packages.debian_depends(found) == ["libc6 (>= 2.35)", "libegl1", "libxcb1", "xkb-data"]
    assert packages.rpm_depends(found)[:2] == ["libc.so.6(GLIBC_2.35)(64bit)", "libEGL.so.1()(64bit)"]
    with pytest.raises(facts.CannotBuildError, match=r"libnew\.so\.7"):
        packages.debian_depends(elf.Demands(frozenset({"libnew.so.7"}), (2, 35)))


def test_build_tools_are_pinned_by_hash_and_name_no_source() -> None:
    text = (ROOT / "installer" / "tools.lock").read_text("utf-8")
    assert "://" not in text
    blocks = [block for block in text.split("\n\n") if block.strip()]
    assert all("--hash=sha256:" in block and "==" in block for block in blocks)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such variable")
@pytest.mark.parametrize(("before", "after"), [("/home/ada/lib", "/home/ada/lib"), (None, "nothing")])
def test_programs_that_the_frozen_one_starts_find_the_libraries_of_the_system(before: str | None, after: str) -> None:
    code = "import os, runpy; runpy.run_path('installer/runtime_hook.py'); print(os.environ.get('LD_LIBRARY_PATH', 'nothing'))"
    environ = {"LD_LIBRARY_PATH": "/usr/lib/webrag/_internal", **({"LD_LIBRARY_PATH_ORIG": before} if before else {})}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == after


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("objdump") is None, reason="needs objdump")
def test_requirements_are_read_from_the_programs(tmp_path: Path) -> None:
    import apsw

    shutil.copy(apsw.__file__, tmp_path)
    (tmp_path / "notes.txt").write_text("no program")
    found = elf.demands(tmp_path)
    assert "libc.so.6" in found.libraries
    assert found.glibc >= (2, 17)


def test_icons_are_what_their_systems_read(tmp_path: Path) -> None:
    from PySide6.QtGui import QImageReader

    ico = drawing.write_ico(facts.ICON, tmp_path)
    reader = QImageReader(str(ico))
    assert reader.imageCount() == len(drawing.ICO_SIZES)
    for place, size in enumerate(drawing.ICO_SIZES):
        assert reader.jumpToImage(place)
        image = reader.read()
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(size // 2, size // 8).alpha() == 255, "the tile is there"
        assert image.pixelColor(0, 0).alpha() < 100, "its corners are round"
        assert image.pixelColor(size // 2, size // 8).green() > image.pixelColor(size // 2, size // 8).red(), (
            "and green"
        )
    icns = drawing.write_icns(facts.ICON, tmp_path).read_bytes()
    assert icns[:8] == b"icns" + struct.pack(">I", len(icns))


def test_the_entry_of_the_registry_names_the_bundle_by_its_sum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / pack.file_name()).write_bytes(b"bundle")
    monkeypatch.setattr(server_json, "DIST", tmp_path)
    monkeypatch.setenv(facts.REPOSITORY, "someone/webrag")
    server_json.build("registry")
    entry = json.loads((tmp_path / "server.json").read_text("utf-8"))
    package = entry["packages"][0]
    assert entry["name"] == "io.github.someone/webrag" and len(entry["title"]) <= server_json.MAX_DESCRIPTION
    assert entry["icons"][0]["sizes"] == ["any"] and package["transport"] == {"type": "stdio"}
    assert len(entry["description"]) <= server_json.MAX_DESCRIPTION
    assert package["identifier"].endswith(f"/v{facts.version()}/{pack.file_name()}")
    assert "mcp" in package["identifier"]
    (icon,) = entry["icons"]
    assert (facts.ROOT / icon["src"].partition(f"/v{facts.version()}/")[2]).is_file()
    assert package["fileSha256"] == hashlib.sha256(b"bundle").hexdigest()
    monkeypatch.delenv(facts.REPOSITORY)
    with pytest.raises(facts.CannotBuildError, match="GITHUB_REPOSITORY is not set"):
        server_json.build("registry")


def test_the_bill_of_materials_has_every_package_once() -> None:
    made = sbom.bill()
    names = [part["bom-ref"] for part in made["components"]]
    assert made["bomFormat"] == "CycloneDX"
    assert len(names) == len(set(names)) == len(made["dependencies"][0]["dependsOn"])
    assert {"onnxruntime", "PySide6_Essentials", "Python", "all-MiniLM-L6-v2"} <= {
        part["name"] for part in made["components"]
    }
    assert all("licenses" in part for part in made["components"])


def left_out() -> dict[str, frozenset[str]]:
    """Return the entries that build.spec excludes, by the name of the list."""
    assigned = [
        node for node in ast.parse((ROOT / "build.spec").read_text("utf-8")).body if isinstance(node, ast.Assign)
    ]
    lists = {ast.unparse(node.targets[0]): node.value for node in assigned if isinstance(node.value, ast.List)}
    return {
        name: frozenset(ast.literal_eval(part) for part in lists[name].elts if isinstance(part, ast.Constant))
        for name in ("UNUSED", "SERVERS_ALONE")
    }


def inside(modules: frozenset[str], name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def imports_of_the_folder(unused: frozenset[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield a module of the folder, a module that it imports, and whether it does so at load time."""
    for file in (ROOT / "app").rglob("*.py"):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if inside(unused, name):
            continue
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from ((name, alias.name, node in tree.body) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield name, node.module, node in tree.body
                yield from ((name, f"{node.module}.{alias.name}", node in tree.body) for alias in node.names)


def test_no_library_that_the_program_imports_is_left_out_of_the_folder() -> None:
    unused = left_out()["UNUSED"] | left_out()["SERVERS_ALONE"]
    libraries = frozenset(part for part in unused if not part.startswith("app."))
    assert [edge for edge in imports_of_the_folder(unused) if inside(libraries, edge[1])] == []


def test_server_only_packages_are_excluded_and_nothing_imports_them() -> None:
    servers = left_out()["SERVERS_ALONE"]
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["node"]
    modules = {"pyjwt": "jwt"}
    names = {re.split(r"[^\w-]", each)[0] for each in extra}
    assert {modules.get(name, name.replace("-", "_")) for name in names} <= servers
    assert [edge for edge in imports_of_the_folder(servers) if edge[2] and inside(servers, edge[1])] == []
