"""The pages about installation, privacy and security name existing commands, settings and folders."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import pytest

from app.cli.parser import build_parser
from app.paths import config_file, default_data_dir
from app.secrets import SecretName
from app.settings import SETTINGS

pytestmark = pytest.mark.real

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / name for name in ("install.md", "privacy.md", "security.md")]
OUTSIDE = {
    "LOCALAPPDATA",
    "APPDATA",
    "VERSION",
    "SHA256SUMS",
    "FILE",
    "WEBRAG_CONFIG",
    "WEBRAG_DATA_DIR",
    "XDG_CACHE_HOME",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_settings_are_known(page: Path) -> None:
    text = page.read_text("utf-8")
    parser = build_parser()
    [commands] = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    named = set(re.findall(r"(?:`|^|/)webrag ([a-z][a-z-]+)", text, re.MULTILINE))
    assert named
    assert named <= set(commands)
    variables = {declared.variable for declared in SETTINGS.values()} | set(SecretName)
    quoted = set(re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", text))
    assert quoted <= variables | OUTSIDE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("system", "home", "variables", "data", "settings"),
    [
        ("linux", "/home/ada", {}, "~/.local/share/webrag", "~/.config/webrag"),
        ("darwin", "/Users/ada", {}, "~/Library/Application Support/WebRAG", "~/Library/Preferences/WebRAG"),
        ("win32", "/C", {"LOCALAPPDATA": "/C/L", "APPDATA": "/C/R"}, r"%LOCALAPPDATA%\WebRAG", r"%APPDATA%\WebRAG"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths are written otherwise")
def test_places_are_those_of_the_program(
    monkeypatch: pytest.MonkeyPatch, system: str, home: str, variables: dict[str, str], data: str, settings: str
) -> None:
    for name in ("WEBRAG_CONFIG", "WEBRAG_DATA_DIR", "DATA_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", home)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("app.paths.sys.platform", system)

    def written(path: Path) -> str:
        text = str(path)
        for name, value in variables.items():
            text = text.replace(value, f"%{name}%").replace("/", "\\") if text.startswith(value) else text
        return text.replace(home, "~") if not variables else text

    found = written(default_data_dir()), written(config_file().parent)
    assert found == (data, settings)
    table = (DOCS / "install.md").read_text("utf-8")
    assert f"`{data}`" in table
    assert f"`{settings}`" in table


def test_every_artefact_is_described() -> None:
    from build import KINDS

    table = (DOCS / "internals" / "results" / "tried.md").read_text("utf-8")
    words = {
        "nsis": "Windows installer",
        "dmg": "disk image",
        "appimage": "AppImage",
        "chromium": ".zip",
        "firefox": ".xpi",
        "wheel": "Wheel",
        "programs": "Program folder",
        "sbom": "SBOM",
        "licenses": "licenses",
        "registry": "`server.json`",
    }
    assert all(words.get(kind, f".{kind}") in table for kind in KINDS)
