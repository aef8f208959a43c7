"""The packages: few permissions, no external code, both browser families from one source, texts in both languages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

import extension

SOURCE = extension.SOURCE
SCRIPTS = sorted(SOURCE.glob("*.js"))
KINDS = sorted(extension.FAMILIES)


def messages(language: str) -> dict[str, Any]:
    return dict(json.loads((SOURCE / "_locales" / language / "messages.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("kind", KINDS)
def test_the_permissions_are_the_least(kind: str) -> None:
    made = extension.manifest(kind)
    assert made["manifest_version"] == 3
    assert set(made["permissions"]) == {"activeTab", "scripting", "storage", "contextMenus"}
    assert made["host_permissions"] == ["http://127.0.0.1/*"]
    assert not {"content_scripts", "web_accessible_resources", "externally_connectable", "optional_permissions"} & set(
        made
    )
    policy = made["content_security_policy"]["extension_pages"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy


def test_the_firefox_manifest_declares_no_data_collection() -> None:
    gecko = extension.manifest("firefox")["browser_specific_settings"]["gecko"]
    assert gecko["data_collection_permissions"] == {"required": ["none"]}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_code_and_no_markup_comes_from_elsewhere(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert not re.search(
        r"\beval\b|new Function|innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|importScripts", text
    )
    assert set(re.findall(r"https?://[^`\"/]*", text)) <= {"http://127.0.0.1", "http://127.0.0.1:${port}"}
    assert all(name.startswith("./") for name in re.findall(r"from \"([^\"]+)\"", text))


def test_every_text_exists_in_both_languages() -> None:
    english, german = messages("en"), messages("de")
    assert english.keys() == german.keys()
    sources = [path.read_text(encoding="utf-8") for path in (*SCRIPTS, SOURCE / "popup.html", SOURCE / "manifest.json")]
    used = {name for text in sources for name in re.findall(r"[\"_](\w+)[\"_]", text)}
    assert not [name for name in english if name not in used]


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_contains_everything_in_its_manifest(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extension, "DIST", tmp_path / "dist")
    monkeypatch.setattr(extension, "BUILD", tmp_path / "build")
    made = extension.build(kind)
    first = made.read_bytes()
    assert made.suffix == {"chromium": ".zip", "firefox": ".xpi"}[kind]
    assert extension.build(kind).read_bytes() == first
    with zipfile.ZipFile(made) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("manifest.json"))
    assert {
        *manifest["icons"].values(),
        "popup.html",
        "popup.js",
        "background.js",
        "_locales/de/messages.json",
    } <= names
    assert manifest["version"].replace(".", "").isdecimal()


def test_the_scripts_are_modules_that_can_be_read() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    for script in SCRIPTS:
        command = [node, "--check", "--input-type=module"]
        done = subprocess.run(command, input=script.read_bytes(), capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, (script.name, done.stderr)
