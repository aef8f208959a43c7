"""All assistants on the three systems: the path of the file, the form of our entry, and its removal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app.clients.config_file import LANGUAGES, backups, installed_entry
from app.clients.hosts import CLIENTS
from app.clients.profile import ClientProfile, ConfigFormat, Machine, ServerCommand, System
from app.clients.registrar import PlanAction, apply_plan, client_state, plan_registration, plan_removal, remove_backups
from app.text.sentence import Sentence

Row = TypeVar("Row")

COMMAND = ServerCommand("/opt/webrag/webrag", ("mcp", "--data-dir", "/srv/größe & co"))
ARGS = ["mcp", "--data-dir", "/srv/größe & co"]
COMMON = {"command": "/opt/webrag/webrag", "args": ARGS}
WRITTEN_BY_OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "claude-desktop": ("mcpServers", COMMON),
    "claude-code": ("mcpServers", COMMON),
    "vscode": ("servers", COMMON),
    "cursor": ("mcpServers", COMMON),
    "windsurf": ("mcpServers", COMMON),
    "codex": ("mcp_servers", COMMON),
    "gemini-cli": ("mcpServers", COMMON),
    "qwen-code": ("mcpServers", COMMON),
    "zed": ("context_servers", {"source": "custom", **COMMON, "env": {}}),
    "lm-studio": ("mcpServers", COMMON),
    "goose": (
        "extensions",
        {
            "name": "webrag",
            "description": "",
            "cmd": COMMAND.command,
            "args": ARGS,
            "enabled": True,
            "envs": {},
            "type": "stdio",
            "timeout": 300,
        },
    ),
    "cline": ("mcpServers", {**COMMON, "disabled": False}),
    "opencode": ("mcp", {"type": "local", "command": [COMMAND.command, *ARGS], "environment": {}, "enabled": True}),
    "kilo-code": ("mcp", {"type": "local", "command": [COMMAND.command, *ARGS], "environment": {}, "enabled": True}),
    "copilot-cli": ("mcpServers", {"tools": ["*"], "type": "local", **COMMON}),
}
"""The entries that add-mcp 2.4.0 (npm) writes for the same command.

It does not know LM Studio, which uses Cursor's entry, and Kilo Code, which uses OpenCode's. The last entry is from `copilot mcp add`.
"""

PLACES: dict[str, tuple[str, str, str]] = {
    "claude-desktop": (
        ".config/Claude/claude_desktop_config.json",
        "Library/Application Support/Claude/claude_desktop_config.json",
        "AppData/Roaming/Claude/claude_desktop_config.json",
    ),
    "claude-code": (".claude.json",) * 3,
    "vscode": (
        ".config/Code/User/mcp.json",
        "Library/Application Support/Code/User/mcp.json",
        "AppData/Roaming/Code/User/mcp.json",
    ),
    "cursor": (".cursor/mcp.json",) * 3,
    "windsurf": (".codeium/windsurf/mcp_config.json",) * 3,
    "codex": (".codex/config.toml",) * 3,
    "gemini-cli": (".gemini/settings.json",) * 3,
    "qwen-code": (".qwen/settings.json",) * 3,
    "zed": (".config/zed/settings.json", ".config/zed/settings.json", "AppData/Roaming/Zed/settings.json"),
    "lm-studio": (".lmstudio/mcp.json",) * 3,
    "goose": (
        ".config/goose/config.yaml",
        ".config/goose/config.yaml",
        "AppData/Roaming/Block/goose/config/config.yaml",
    ),
    "cline": (
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "AppData/Roaming/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ),
    "opencode": (".config/opencode/opencode.jsonc",) * 3,
    "kilo-code": (".config/kilo/kilo.jsonc",) * 3,
    "copilot-cli": (".copilot/mcp-config.json",) * 3,
}
FILLED = {
    ConfigFormat.JSON: '\ufeff{\r\n\t"theme": "dark",\r\n\t"%s": {"files": {"command": "npx"}}\r\n}\r\n',
    ConfigFormat.JSONC: '// mine\n{\n  "theme": "dark", // not light\n  "%s": {\n    "a": {"command": "x"}, // last\n  },\n}',
    ConfigFormat.TOML: '# mine\nmodel = "x" # why\n\n[%s.files]\ncommand = "npx"\n\n[tui]\ntheme = "dark"\n',
    ConfigFormat.YAML: "MODEL: x # mine\n%s:\n  files:\n    enabled: true\n    cmd: npx\n# end\nother: [1, 2]\n",
}

every_client = pytest.mark.parametrize("profile", CLIENTS, ids=lambda profile: profile.name)


def register(profile: ClientProfile, machine: Machine, command: ServerCommand = COMMAND) -> list[PlanAction]:
    return [apply_plan(plan).action for plan in plan_registration(profile, command, machine, force=True)]


def first_file(profile: ClientProfile, machine: Machine, content: str | None = None) -> Path:
    path = profile.locate(machine)[0].path
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is not None:
        path.write_bytes(content.encode())
    return path


def row_of(table: Mapping[str, Row], profile: ClientProfile) -> Row:
    """Return the expected values of a client from the tables of this module."""
    if profile.name not in table:
        pytest.fail(f"add {profile.name} to PLACES and WRITTEN_BY_OTHERS in tests/clients/test_hosts.py", pytrace=False)
    return table[profile.name]


def data(profile: ClientProfile, path: Path) -> Any:
    return LANGUAGES[profile.format].load(path.read_text("utf-8-sig"))


@every_client
@pytest.mark.parametrize("page", ["README.md", "docs/connect.md", "assets/guide/02-connect.md"])
def test_the_guides_name_every_assistant(profile: ClientProfile, page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    assert profile.title in text, f"name {profile.title} in {page}"


@every_client
@pytest.mark.parametrize("system", System)
def test_the_file_is_where_the_assistant_reads_it(profile: ClientProfile, system: System, tmp_path: Path) -> None:
    machine = Machine(system, tmp_path, {})
    expected = row_of(PLACES, profile)[(System.LINUX, System.MACOS, System.WINDOWS).index(system)]
    assert profile.locate(machine)[0].path == tmp_path / expected
    assert not client_state(profile, machine).found
    assert profile.title and profile.after_change


@every_client
def test_a_new_file_has_the_form_that_others_write_for_the_assistant(profile: ClientProfile, linux: Machine) -> None:
    assert register(profile, linux) == [PlanAction.ADD]
    path = profile.locate(linux)[0].path
    key, entry = row_of(WRITTEN_BY_OTHERS, profile)
    written = data(profile, path)
    assert set(written) == {key}
    own = written[key]["webrag"]
    if profile.name == "goose":
        # Goose shows the description. The other tool leaves it empty.
        assert own["description"]
        own = {**own, "description": ""}
    assert own == entry
    golden = Path(__file__).parent / "golden" / f"{profile.name}{path.suffix}"
    assert golden.exists(), f"write {golden.name} in tests/clients/golden/: the whole file with a single entry"
    assert path.read_text("utf-8") == golden.read_text("utf-8")
    assert [apply_plan(plan).action for plan in plan_removal(profile, linux)] == [PlanAction.REMOVE]
    assert not path.exists(), "the file was created for the entry only"


@every_client
def test_an_entry_of_other_tools_for_the_same_command_counts_as_ours(profile: ClientProfile, linux: Machine) -> None:
    key, entry = row_of(WRITTEN_BY_OTHERS, profile)
    path = first_file(profile, linux, LANGUAGES[profile.format].set_member("", (key, "webrag"), entry))
    before = path.read_bytes()
    assert register(profile, linux) == [PlanAction.NOTHING]
    assert path.read_bytes() == before
    assert client_state(profile, linux).registered


@every_client
def test_other_content_stays_and_the_file_is_restored(profile: ClientProfile, linux: Machine) -> None:
    text = FILLED[profile.format] % profile.place.keys[0]
    path = first_file(profile, linux, text)
    register(profile, linux)
    changed = path.read_bytes().decode()
    for line in text.splitlines():
        assert line.rstrip(",}") in changed
    for comment in ("// mine", "// not light", "// last", "# mine", "# why", "# end"):
        assert changed.count(comment) == text.count(comment)
    expected = data(profile, path)
    own = expected[profile.place.keys[0]].pop("webrag")
    assert profile.place.shape.read(own) == COMMAND
    assert expected == LANGUAGES[profile.format].load(text.removeprefix("\ufeff"))
    assert register(profile, linux) == [PlanAction.NOTHING]
    apply_plan(plan_removal(profile, linux)[0])
    assert path.read_bytes().decode() == text
    # Without our backups, the entry is cut out of the text, with the same result.
    register(profile, linux)
    assert remove_backups(profile, linux) > 0
    assert not backups(path)
    apply_plan(plan_removal(profile, linux)[0])
    assert path.read_bytes().decode() == text


@every_client
def test_a_repair_keeps_the_user_s_additions(profile: ClientProfile, linux: Machine) -> None:
    moved = ServerCommand("/old/webrag", ("mcp", "--data-dir", "/old data", "--tools", "docs"))
    path = first_file(profile, linux, FILLED[profile.format] % profile.place.keys[0])
    register(profile, linux, moved)
    shape = profile.place.shape
    keys = (*profile.place.keys, "webrag")
    entry = {**data(profile, path)[keys[0]]["webrag"], shape.env: {"A": "1"}, "note": "x"}
    text = path.read_text("utf-8-sig")
    path.write_text(LANGUAGES[profile.format].set_member(text, keys, entry), "utf-8")
    assert register(profile, linux) == [PlanAction.UPDATE]
    found = installed_entry(profile, path)
    assert found.command == ServerCommand(COMMAND.command, (*COMMAND.args, "--tools", "docs"))
    assert shape.variables(found.entry) == {"A": "1"}
    assert isinstance(found.entry, dict) and found.entry["note"] == "x"
    assert register(profile, linux) == [PlanAction.NOTHING]


@every_client
@pytest.mark.parametrize("content", ["", "\n", "\ufeff", "COMMENT\n", "COMMENT"])
def test_a_file_without_any_value_is_filled_and_restored(profile: ClientProfile, content: str, linux: Machine) -> None:
    sign = "//" if profile.format in {ConfigFormat.JSON, ConfigFormat.JSONC} else "#"
    content = content.replace("COMMENT", f"{sign} mine")
    path = first_file(profile, linux, content)
    assert register(profile, linux) == [PlanAction.ADD]
    assert path.read_bytes().startswith(content.strip("\n").encode())
    assert client_state(profile, linux).registered
    apply_plan(plan_removal(profile, linux)[0])
    assert path.read_bytes().decode() == content


def named(name: str) -> ClientProfile:
    return next(profile for profile in CLIENTS if profile.name == name)


@pytest.mark.parametrize("profile", CLIENTS, ids=lambda profile: profile.name)
def test_the_next_step_can_be_translated(profile: ClientProfile) -> None:
    assert isinstance(profile.after_change, Sentence), profile.name


def test_every_edition_and_profile_of_vs_code_is_written(linux: Machine) -> None:
    user = linux.home / ".config" / "Code" / "User"
    insiders = linux.home / ".config" / "Code - Insiders" / "User"
    for folder in (user / "profiles" / "-1a2b", user / "profiles" / "shares", insiders):
        folder.mkdir(parents=True)
    (user / "profiles" / "-1a2b" / "mcp.json").write_text('{"servers": {}}')
    assert register(named("vscode"), linux) == [PlanAction.ADD] * 3
    written = {path.relative_to(linux.home / ".config").as_posix() for path in linux.home.rglob("mcp.json")}
    assert written == {
        "Code/User/mcp.json",
        "Code/User/profiles/-1a2b/mcp.json",
        "Code - Insiders/User/mcp.json",
    }
    portable = Machine(linux.system, linux.home, {"VSCODE_PORTABLE": str(linux.home / "stick")})
    assert named("vscode").locate(portable)[0].path == linux.home / "stick" / "user-data" / "User" / "mcp.json"


@pytest.mark.parametrize(
    ("name", "variable", "place"),
    [
        ("codex", "CODEX_HOME", "config.toml"),
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("goose", "XDG_CONFIG_HOME", "goose/config.yaml"),
        ("zed", "XDG_CONFIG_HOME", "zed/settings.json"),
        ("gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("cline", "CLINE_DIR", "data/settings/cline_mcp_settings.json"),
    ],
)
def test_a_folder_chosen_by_the_user_is_found(name: str, variable: str, place: str, tmp_path: Path) -> None:
    machine = Machine(System.LINUX, tmp_path, {variable: str(tmp_path / "own")})
    assert tmp_path / "own" / place in [location.path for location in named(name).locate(machine)]


def test_opencode_keeps_the_existing_file_and_layout(linux: Machine) -> None:
    profile = named("opencode")
    path = linux.home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"mcp": {"servers": {"a": {"type": "local", "command": ["x"]}}}}')
    assert register(profile, linux) == [PlanAction.ADD]
    own = data(profile, path)["mcp"]["servers"]["webrag"]
    assert own == {"type": "local", "command": [COMMAND.command, *ARGS], "environment": {}}
    assert client_state(profile, linux).registered


def test_an_entry_of_ours_under_another_name_is_updated_not_duplicated(linux: Machine) -> None:
    profile = named("cursor")
    path = first_file(profile, linux, '{"mcpServers": {"My WebRAG": {"command": "/old/webrag", "args": ["mcp"]}}}')
    assert register(profile, linux) == [PlanAction.UPDATE]
    assert data(profile, path) == {"mcpServers": {"My WebRAG": COMMON}}
    assert [apply_plan(plan).action for plan in plan_removal(profile, linux)] == [PlanAction.REMOVE]
    assert data(profile, path) == {"mcpServers": {}}


def test_an_entry_that_is_turned_off_stays_off_and_is_reported(linux: Machine) -> None:
    profile = named("cline")
    path = first_file(profile, linux)
    register(profile, linux)
    path.write_text(path.read_text().replace("false", "true").replace("/opt/", "/old/"))
    assert client_state(profile, linux).files[0].switched_off
    register(profile, linux)
    assert client_state(profile, linux).files[0].switched_off
