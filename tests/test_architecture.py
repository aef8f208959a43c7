"""The program matches its documented architecture: layers, cheap imports, SQL in one package, and a matching lock file."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "docs" / "internals" / "architecture.md"
HEAVY = {
    *(
        "PySide6",
        "apsw",
        "httpx",
        "lxml",
        "mcp",
        "mcp_types",
        "numpy",
        "onnxruntime",
        "starlette",
        "tokenizers",
    ),
    *("trafilatura", "uvicorn"),
}
BRIDGE_NEEDS = {"app", "app.caps", "app.errors", "app.instance", "app.paths"}
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s+\w+|"
    r"(CREATE|DROP|ALTER)\s+(VIRTUAL\s+)?(TABLE|INDEX|TRIGGER|VIEW)\s)",
    re.DOTALL,
)


def python(code: str) -> str:
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def modules_after(statement: str) -> set[str]:
    """Return the modules that a new interpreter loads for a statement."""
    return set(python(f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)").split())


def test_imports_only_point_to_lower_layers() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    options = ["--no-logo", "--no-cache"]
    result = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def layers_of_the_contract() -> list[set[str]]:
    """Return the layers of the import contract, lowest layer first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = (each for each in project["tool"]["importlinter"]["contracts"] if each["id"] == "layers")
    layers = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    return [layer for layer in reversed(layers) if layer != {"__main__"}]


def layers_of_the_map() -> list[set[str]]:
    """Return the layers of the documented table, lowest first. Each row is a layer; its second cell names the packages."""
    text = ARCHITECTURE.read_text("utf-8")
    rows = re.findall(r"^\| (\d) \| (.+?) \|", text.split("## The map", 1)[1].split("\n## ", 1)[0], re.MULTILINE)
    return [{name.strip("/") for name in re.findall(r"`([\w/]+)`", cell)} for _, cell in sorted(rows)]


def test_the_documented_layers_are_the_import_contract() -> None:
    assert layers_of_the_map() == layers_of_the_contract(), (
        "the layers of docs/internals/architecture.md and pyproject.toml differ"
    )
    rows = re.findall(r"^\| \d \| (.+?) \|", ARCHITECTURE.read_text("utf-8"), re.MULTILINE)
    folders = set(re.findall(r"`(\w+)/`", " ".join(rows)))
    assert folders == {init.parent.name for init in (ROOT / "app").glob("*/__init__.py")}, "`name/` is a folder of app/"
    assert len(layers_of_the_contract()) <= 9


def test_developer_pages_name_existing_files_and_functions() -> None:
    pages = [ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "internals").glob("*.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    named = set(re.findall(r"`((?:app|assets|bench|docs|installer|tests|training)/[\w./-]+)", text))
    made = {name for name in named if name.startswith("assets/model/") or "NAME" in name}
    assert len(named) > 40
    assert not [name for name in named - made if not (ROOT / name).exists()]
    for name, file in re.findall(r"`(\w+)(?:\(\))?` (?:in|\() ?`(app/[\w./]+\.py)`", text):
        assert re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")), f"{file} has no {name}"


@pytest.mark.parametrize("module", ["app", "app.cli", "app.bridge"])
def test_entry_points_import_nothing_heavy(module: str) -> None:
    loaded = {name.split(".")[0] for name in modules_after(f"import {module}")}
    assert not loaded & HEAVY


def test_the_application_shows_its_version_before_it_reads_settings() -> None:
    loaded = modules_after("import app.desktop.__main__")
    assert not {"PySide6", "app.instance", "app.logs", "app.settings", "http.client"} & loaded


def test_bridge_needs_only_the_standard_library_and_the_instance_file() -> None:
    loaded = modules_after("import app.bridge")
    own = {name for name in loaded if name.split(".")[0] == "app"}
    assert {name for name in own if not name.startswith("app.bridge")} <= BRIDGE_NEEDS
    assert not {name for name in loaded - own if name.split(".")[0] not in sys.stdlib_module_names}


def test_the_command_line_shows_its_help_without_the_stores() -> None:
    loaded = modules_after("import app.cli.parser; app.cli.parser.build_parser()")
    slow = ("asyncpg", "app.pg", "app.corpus", "app.library", "app.events")
    assert not {name for name in loaded if name.startswith(slow)}


def sql_in(source: str) -> list[str]:
    """Yield string literals with an SQL statement."""
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [text for text in texts if isinstance(text, str) and SQL.search(text)]


def test_sql_is_recognized() -> None:
    assert sql_in('query = "SELECT id\\n FROM chunks WHERE id = ?"')
    assert sql_in('f"DELETE FROM {table}"')
    assert not sql_in('text = "Select a page from the list"')


def test_only_the_stores_contain_sql() -> None:
    stores = {"corpus", "pg"}
    others = [path for path in (ROOT / "app").rglob("*.py") if stores.isdisjoint(path.relative_to(ROOT).parts)]
    assert others
    assert not {str(path.relative_to(ROOT)): found for path in others if (found := sql_in(path.read_text("utf-8")))}


def locked_versions() -> dict[str, set[str]]:
    pins = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    versions: dict[str, set[str]] = {}
    for name, version in pins:
        versions.setdefault(canonicalize_name(name), set()).add(version)
    return versions


def project_requirements() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = (line for group in project["dependency-groups"].values() for line in group if isinstance(line, str))
    return [Requirement(line) for line in (*project["project"]["dependencies"], *groups)]


def test_lock_satisfies_the_project() -> None:
    locked = locked_versions()
    for requirement in project_requirements():
        versions = locked.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement.name} is not in requirements.lock: run make lock"
        assert all(requirement.specifier.contains(version, prereleases=True) for version in versions), requirement


def test_lock_pins_by_hash_and_names_no_source() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    assert not re.search(r"://|^--|\s@\s", text, re.MULTILINE)
    blocks = re.split(r"^(?=\S+==)", text, flags=re.MULTILINE)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
