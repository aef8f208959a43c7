"""Every artifact has the version of the sources, and a manifest describes each file of a release."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import extension
import facts
import packages
import release
import windows_setup
from app import __version__
from mcpb import pack

ROOT = Path(__file__).resolve().parents[2]


def test_every_artifact_has_the_version_of_the_sources(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" in project["project"]["dynamic"] and project["tool"]["hatch"]["version"] == {
        "path": "app/__init__.py"
    }
    named = {
        "facts": facts.version(),
        "deb": packages.file_name("deb").split("_")[1],
        "rpm": packages.file_name("rpm").split("-")[2],
        "mcpb": pack.manifest()["version"],
        "chromium": extension.manifest("chromium")["version"],
        "firefox": extension.manifest("firefox")["version"],
        "setup": windows_setup.setup_file(facts.version()).name.split("-")[1],
        "metainfo": re.findall(
            r'release version="(.*?)"',
            packages.filled("org.webrag.desktop.metainfo.in.xml", tmp_path / "a").read_text(),
        )[0],
        "manual": re.findall(r"WebRAG Desktop (\d\S+)\"", packages.filled("webrag.1", tmp_path / "b").read_text())[0],
        "changelog": re.findall(
            r"^## \[(.*?)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
        )[0],
        **{
            file: re.findall(r"webrag-node:(\S+)", (ROOT / "installer" / "team" / file).read_text("utf-8"))[0]
            for file in ("compose.yaml", "Dockerfile")
        },
    }
    assert {name: number for name, number in named.items() if number != __version__} == {}


def described(folder: Path, missing: dict[str, str] | None = None, **contents: str) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    built = {kind: folder / f"webrag.{kind}" for kind in contents}
    for kind, path in built.items():
        path.write_text(contents[kind], "utf-8")
    return release.describe(folder, built, missing or {})


def test_a_manifest_describes_each_file_and_what_is_missing(tmp_path: Path) -> None:
    described(
        tmp_path, {"dmg": "this can only be built on macOS", "rpm": "nfpm is missing"}, deb="package", wheel="old"
    )
    made = described(tmp_path, {}, wheel="wheel", rpm="rpm")
    assert made == release.read(tmp_path) == release.verify(tmp_path)
    assert [(each["kind"], each["bytes"]) for each in made["files"]] == [("deb", 7), ("rpm", 3), ("wheel", 5)]
    assert made["files"][0]["sha256"] == hashlib.sha256(b"package").hexdigest()
    assert made["missing"] == {"dmg": "this can only be built on macOS"}
    assert made["version"] == __version__ and "pyinstaller" in made["files"][0]["built"]
    sums = dict(reversed(line.split("  ")) for line in (tmp_path / release.CHECKSUMS).read_text("utf-8").splitlines())
    assert set(sums) == {"webrag.deb", "webrag.rpm", "webrag.wheel", release.MANIFEST}
    assert all(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest for name, digest in sums.items())
    (tmp_path / "webrag.deb").write_text("other", "utf-8")
    with pytest.raises(ValueError, match=r"webrag\.deb is not the file"):
        release.verify(tmp_path)


def test_manifests_of_several_systems_become_one(tmp_path: Path) -> None:
    described(tmp_path / "linux", {"nsis": "only on Windows", "dmg": "only on macOS"}, deb="package")
    described(tmp_path / "windows", {"deb": "only on Linux"}, nsis="setup")
    arguments = ["merge", str(tmp_path / "all"), str(tmp_path / "linux"), str(tmp_path / "windows")]
    assert release.main(arguments) == 0
    whole = release.verify(tmp_path / "all")
    assert [each["kind"] for each in whole["files"]] == ["deb", "nsis"]
    assert whole["missing"] == {"dmg": "only on macOS"}
    other = release.read(tmp_path / "windows")
    with pytest.raises(ValueError, match="different versions or commits"):
        release.merged([whole, {**other, "commit": "0" * 40}])
    with pytest.raises(ValueError, match=r"two different files are named webrag\.nsis"):
        release.merged([whole, json.loads(json.dumps(other).replace(other["files"][0]["sha256"], "0" * 64))])
