"""The workflows are well-formed, use existing files, pin external actions, and do not need secrets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def parsed(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = YAML(typ="safe", pure=True).load(path.read_text("utf-8"))
    return loaded


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_sound(path: Path) -> None:
    workflow = parsed(path)
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 65
    for step in steps(workflow):
        assert ("run" in step) != ("uses" in step)
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@v\d+\.\d+\.\d+", step["uses"]), step["uses"]
    text = path.read_text("utf-8")
    assert "secrets." not in text
    for name in re.findall(r"\b(?:installer|assets|\.ci)/[\w./-]*\w", text):
        assert (ROOT / name).exists(), name
    assert workflow["permissions"] == {"contents": "read"}


def test_every_system_and_python_is_tested() -> None:
    jobs = parsed(ROOT / ".github" / "workflows" / "test.yml")["jobs"]
    pythons = ["3.11", "3.12", "3.13"]
    assert all(job["strategy"]["matrix"]["python"] == pythons for job in jobs.values())
    systems = [jobs["linux"]["runs-on"], *jobs["others"]["strategy"]["matrix"]["system"]]
    assert [system.split("-")[0] for system in systems] == ["ubuntu", "macos", "windows"]


def test_the_release_makes_every_artefact() -> None:
    from build import KINDS

    jobs = parsed(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    made = {kind for row in jobs["build"]["strategy"]["matrix"]["include"] for kind in row["artefacts"].split()}
    bundle = " ".join(step.get("run", "") for step in jobs["bundle"]["steps"])
    made |= set(re.findall(r"\w+", re.findall(r"installer/build\.py (.*)", bundle)[0]))
    assert made | {"programs"} == set(KINDS)
    assert jobs["release"]["needs"] == ["build", "bundle"]
