"""The deployment files of a shared library pass common linter rules, and the things that they name exist."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from app import __version__
from app.engine import node
from app.settings import SETTINGS
from app.settings_schema import LIBRARY_VARIABLE

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
TEAM = ROOT / "installer" / "team"

PINNED = re.compile(r"[a-z0-9][a-z0-9-]*(/[a-z0-9][a-z0-9-]*)?:(?!latest)[A-Za-z0-9._-]*\d[A-Za-z0-9._-]*")
"""An image without a registry and with a version."""
SERVICE = frozenset(
    [
        "build",
        "cap_add",
        "cap_drop",
        "command",
        "depends_on",
        "environment",
        "healthcheck",
        "image",
        "logging",
        "mem_limit",
        "networks",
        "pids_limit",
        "ports",
        "read_only",
        "restart",
        "security_opt",
        "shm_size",
        "stop_grace_period",
        "tmpfs",
        "volumes",
    ]
)
"""Used keys of the Compose specification."""
OTHER_VARIABLES = frozenset(
    {"POSTGRES_DB", "POSTGRES_PASSWORD", "NODE_PASSWORD", "PGPASSWORD", "WEBRAG_SITE", "WEBRAG_NODES"}
)
SECRET = re.compile(r"(?i)(password|token|secret|key)\w*[=:][ ]*(?!$|%L)\S")
LINES = {path.name: path.read_text("utf-8") for path in TEAM.iterdir() if path.is_file() and path.name != ".env"}
"""The files, without local settings."""


def settings_of_a_node() -> set[str]:
    """Return the variables that the program reads."""
    own = {value for name, value in vars(node).items() if name.endswith("_VARIABLE")}
    return own | {LIBRARY_VARIABLE, "MCP_AUTH_TOKEN"} | {each.variable for each in SETTINGS.values()}


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile in order."""
    lines = [line for line in LINES["Dockerfile"].splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(line.split(None, 1)[0], " ".join(line.split(None, 1)[1].split())) for line in joined.splitlines()]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return YAML(typ="safe").load(LINES["compose.yaml"])


def test_no_file_contains_a_secret_or_names_a_registry() -> None:
    for name, text in LINES.items():
        code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("#", "--")))
        # A variable that is set elsewhere is not a secret.
        assert not (found := SECRET.search(re.sub(r"\$\{[^}]*\}", "", code))), (name, found)
        assert not re.search(r"docker\.io|ghcr\.io|quay\.io|:latest", text), name
        assert text.endswith("\n") and "\t\n" not in text and " \n" not in text, name


def test_the_container_file_builds_as_little_as_it_can_and_runs_as_an_ordinary_user() -> None:
    found = instructions()
    names = [name for name, _ in found]
    known = {"ARG", "FROM", "WORKDIR", "ENV", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert set(names) <= known and names.count("FROM") == 2
    default = dict(value.split("=", 1) for name, value in found if name == "ARG")
    for name, value in found:
        if name == "FROM":
            assert PINNED.fullmatch(value.split()[0].replace("${PYTHON}", default["PYTHON"])), value
        elif name == "WORKDIR":
            assert value.startswith("/")
        elif name == "CMD":
            assert json.loads(value)[:2] == ["webrag", "serve"]
        elif name == "HEALTHCHECK":
            # Docker before 25 and Buildah in Debian 12 do not know this option and reject the file.
            assert "--start-interval" not in value
            assert "/readyz" in value and json.loads(value.partition("CMD")[2])[0] == "python"
        elif name == "RUN":
            assert "sudo" not in value and "curl" not in value and "apt-get" not in value
            for install in re.findall(r"pip[^&]* (?:install|wheel) [^&]*", value):
                assert "--no-cache-dir" in install and ("--require-hashes" in install or "--no-index" in install)
        elif name == "COPY" and not value.startswith("--from"):
            *sources, _ = value.split()
            allowed = {line[1:] for line in LINES["Dockerfile.dockerignore"].splitlines() if line.startswith("!")}
            assert all((ROOT / source).exists() and source in allowed for source in sources), value
    last_stage = found[len(names) - 1 - names[::-1].index("FROM") :]
    [user] = [value for name, value in last_stage if name == "USER"]
    assert re.fullmatch(r"[1-9]\d{4}:[1-9]\d{4}", user)
    assert names.count("CMD") == names.count("HEALTHCHECK") == 1


def test_the_services_are_pinned_closed_in_and_start_in_order(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(compose) <= {"name", "services", "volumes", "networks", "x-node", "x-log"}
    assert set(services) == {"database", "init", "node1", "node2", "proxy"}
    for name, service in services.items():
        assert set(service) <= SERVICE, name
        assert PINNED.fullmatch(service["image"]), name
        assert service["logging"]["options"]["max-size"], name
        assert "no-new-privileges:true" in service["security_opt"] and not service.get("privileged")
        assert set(service["networks"]) <= set(compose["networks"])
        for other, how in service.get("depends_on", {}).items():
            condition = how["condition"]
            assert other in services and condition in ("service_healthy", "service_completed_successfully")
        for volume in service.get("volumes", ()):
            source, _, _ = volume.partition(":")
            assert source in compose["volumes"] or source == "./certificates" or (TEAM / source).is_file(), volume
            assert not source.startswith("./") or volume.endswith(":ro")
        for variable, value in service.get("environment", {}).items():
            assert variable in settings_of_a_node() | OTHER_VARIABLES | {"WEBRAG_TLS"}, variable
            assert isinstance(value, str)
    for name in ("init", "node1", "node2"):
        each = services[name]
        assert each["read_only"] and each["cap_drop"] == ["ALL"] and each["image"].endswith(f":{__version__}")
        assert "ports" not in each
        # User and port must match the Dockerfile.
        user = dict(instructions())["USER"].split(":")[0]
        assert all(f"uid={user}" in folder and "mode=0700" in folder for folder in each["tmpfs"])
    assert compose["networks"]["inside"]["internal"] and services["database"]["networks"] == ["inside"]
    assert [name for name, each in services.items() if "ports" in each] == ["proxy"]
    # HTTP/3 uses UDP, so announce it only if UDP is published too.
    assert not any("udp" in port for port in services["proxy"]["ports"])
    assert re.search(r"\bprotocols h1 h2$", LINES["Caddyfile"], re.MULTILINE)
    exposed = dict(instructions())["EXPOSE"]
    assert services["proxy"]["environment"]["WEBRAG_NODES"] == f"node1:{exposed} node2:{exposed}"
    major, minor, patch, server = re.findall(r"\d+", services["database"]["image"].partition(":")[2])
    assert (int(major), int(minor), int(patch)) >= (0, 8, 4) and server == "18"
    # Several processes build the vector index in shared memory of this size.
    [memory] = [word for word in services["database"]["command"] if word.startswith("maintenance_work_mem=")]
    assert int(services["database"]["shm_size"].rstrip("g")) > int(memory.partition("=")[2].rstrip("GB"))
    # Images of PostgreSQL 18 store data one folder higher than older ones.
    assert "database:/var/lib/postgresql" in services["database"]["volumes"]


def test_the_example_names_what_has_to_be_filled_in() -> None:
    wanted = re.findall(r"\$\{(\w+)(:\?)?", LINES["compose.yaml"])
    rows = re.findall(r"^(#?)(\w+)=(.*)$", LINES["env.example"], re.MULTILINE)
    given = {name: not hidden for hidden, name, _ in rows}
    assert set(given) == {name for name, _ in wanted}
    for name, is_required in wanted:
        assert given[name] or not is_required, name
    assert all(not value for hidden, _, value in rows if not hidden)


def test_the_example_for_the_unit_names_what_a_node_reads() -> None:
    rows = re.findall(r"^(#?)(\w+)=(.*)$", LINES["node.env.example"], re.MULTILINE)
    assert {name for _, name, _ in rows} <= settings_of_a_node() | {"PGPASSWORD"}
    assert {name for hidden, name, _ in rows if not hidden} >= {LIBRARY_VARIABLE, "PGPASSWORD", "MCP_AUTH_TOKEN"}
    assert all(not value for hidden, _, value in rows if not hidden)
    unit = LINES["webrag-node@.service"]
    assert "EnvironmentFile=/etc/webrag/node.env" in unit and "node.env.example" in unit


def test_the_unit_is_one_that_systemd_takes_and_hardens(tmp_path: Path) -> None:
    unit = LINES["webrag-node@.service"]
    assert [line for line in unit.splitlines() if line.startswith("[")] == ["[Unit]", "[Service]", "[Install]"]
    assert all(re.fullmatch(r"[A-Z]\w+=.*", line) for line in unit.splitlines() if line and line[0] not in "[#")
    assert "StartLimitIntervalSec=0" in unit and "Restart=always" in unit
    for needed in ("DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet=\n"):
        assert needed in unit
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    # Replace the program, which only exists on the server.
    program = Path(sys.executable)
    made = re.sub(r"^ExecStart=\S+", f"ExecStart={program}", unit, flags=re.MULTILINE)
    file = tmp_path / "webrag-node@.service"
    file.write_text(re.sub(r"^Documentation=.*\n", "", made, flags=re.MULTILINE), "utf-8")
    quiet = {**os.environ, "SYSTEMD_PAGER": "", "LC_ALL": "C"}
    verified = subprocess.run(
        [analyze, "verify", file], capture_output=True, text=True, env=quiet, check=False, timeout=60
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    scored = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", "--no-pager", file],
        capture_output=True,
        text=True,
        env=quiet,
        check=False,
        timeout=60,
    )
    assert scored.returncode == 0, scored.stdout[-300:] + scored.stderr


def test_the_proxy_takes_its_file(tmp_path: Path) -> None:
    caddy = shutil.which("caddy")
    if caddy is None:
        pytest.skip("caddy is not installed")
    environ = {"WEBRAG_SITE": "library.example.org", "WEBRAG_NODES": "node1:8765 node2:8765", "HOME": str(tmp_path)}
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", TEAM / "Caddyfile"]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
