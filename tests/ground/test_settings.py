from __future__ import annotations

import errno
import re
from dataclasses import fields
from pathlib import Path
from unittest.mock import Mock

import pytest

from app import caps
from app.errors import SettingsError
from app.settings import LANGUAGES, SETTINGS, Settings, load_settings, save_setting
from app.settings_schema import DECLARED, MAX_STALE_DAYS, NAME_STYLES, RESULT_MODES, TOOL_PROFILES, site_days

ROOT = Path(__file__).parents[2]

SPEC_NAMES = {
    "MCP_TRANSPORT": "stdio",
    "MCP_HOST": "127.0.0.1",
    "MCP_PORT": 8765,
    "MCP_RESPONSE_TOKEN_BUDGET": 30_000,
    "MCP_TOOL_TIMEOUT": 120.0,
    "MCP_SOFT_DEADLINE": 45.0,
    "MCP_LOG_LEVEL": "INFO",
    "MCP_ENABLED": True,
    "MCP_MAX_SEARCH_RESULTS": 10,
    "MCP_SNIPPET_LENGTH": 200,
    "MCP_RATE_LIMIT_REQUESTS": 120,
    "MCP_RATE_LIMIT_WINDOW": 60.0,
    "MCP_TOOL_NAME_STYLE": "underscore",
    "MCP_RESULT_MODE": "auto",
    "MCP_STRUCTURED_OUTPUT_ENABLED": True,
    "MCP_KB_V2_ENABLED": True,
    "MCP_HTTP_STREAMABLE_ENABLED": True,
    "MCP_HTTP_LEGACY_REST_ENABLED": False,
    "MCP_LEGACY_TOOLS_ENABLED": False,
    "REQUEST_TIMEOUT_MS": 20_000,
    "CONCURRENCY": 2,
    "EMBEDDING_TOKENS_SIZE": 512,
    "GOOGLE_SAFE_SEARCH": "off",
    "ROBOTS_POLICY": "auto_only",
    "DEBUG": False,
}


def test_every_setting_is_used() -> None:
    sources = [file for file in (ROOT / "app").rglob("*.py") if file.name != "settings.py"]
    words = {word for file in sources for word in re.findall(r"\w+", file.read_text("utf-8"))}
    unread = set(SETTINGS) - words
    assert not unread, f"nothing in app/ reads these settings: {unread}"


def test_every_field_has_its_own_declaration() -> None:
    assert [(field.name, field.metadata["setting"].name) for field in fields(Settings) if field.metadata] == [
        (name, name) for name in DECLARED
    ]


def test_limits_and_choices_match_the_program() -> None:
    limits = {
        "scratch_max_mb": (1, caps.SCRATCH_MAX_MB),
        "concurrency": (1, caps.MAX_CONCURRENCY),
        "max_expansion_depth": (0, caps.MAX_EXPANSION_BUDGET),
        "stale_after_days": (0, MAX_STALE_DAYS),
        "pictures_max_mb": (caps.MIN_PICTURES_MB, caps.MAX_PICTURES_MB),
    }
    assert {name: (SETTINGS[name].low, SETTINGS[name].high) for name in limits} == limits
    assert SETTINGS["scratch_max_mb"].default == caps.SCRATCH_DEFAULT_MB
    choices = {"mcp_tool_profile": TOOL_PROFILES, "mcp_tool_name_style": NAME_STYLES, "mcp_result_mode": RESULT_MODES}
    assert {name: SETTINGS[name].choices for name in choices} == choices
    assert SETTINGS["language"].choices == ("system", *LANGUAGES)


def test_every_name_of_the_contract_has_its_default() -> None:
    settings = load_settings(environ={})
    by_variable = {declared.variable: name for name, declared in SETTINGS.items()}
    assert {name: getattr(settings, by_variable[name]) for name in SPEC_NAMES} == SPEC_NAMES
    for name in ("EMBEDDING_SERVER_URL", "EMBEDDING_MODEL_NAME", "SIMILARITY_THRESHOLD", "GOOGLE_SEARCH_ENGINE_ID"):
        assert name in by_variable


def test_command_line_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[server]\nmcp_port = 1000\nmcp_host = '::1'\n[crawling]\nconcurrency = 3\n")
    environ = {"MCP_PORT": "2000", "CONCURRENCY": "4"}
    settings = load_settings({"mcp_port": 3000, "concurrency": None}, file=file, environ=environ)
    assert (settings.mcp_port, settings.concurrency, settings.mcp_host, settings.mcp_tool_timeout) == (
        3000,
        4,
        "::1",
        120,
    )


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("MCP_PORT", "seventy", "mcp_port"),
        ("MCP_PORT", "70000", "between"),
        ("MCP_TRANSPORT", "sse", "streamable-http"),
        ("MCP_ENABLED", "perhaps", "mcp_enabled"),
        ("WEBRAG_ALLOW_NETWORKS", "10.0.0.0/99", "allow_networks"),
        ("SIMILARITY_THRESHOLD", "2", "between"),
        ("WEBRAG_SITE_STALE_AFTER", "docs.example.org", "docs.python.org=30"),
        ("WEBRAG_SITE_STALE_AFTER", "https://docs.example.org=3", "site_stale_after"),
        ("WEBRAG_SITE_STALE_AFTER", "docs.example.org=soon", "site_stale_after"),
        ("WEBRAG_SITE_STALE_AFTER", "docs.example.org=nan", "site_stale_after"),
        ("WEBRAG_SITE_STALE_AFTER", "docs.example.org=-1", "site_stale_after"),
        ("WEBRAG_SITE_STALE_AFTER", "docs.example.org=99999", "exceed the maximum of 3650"),
        ("WEBRAG_SITE_STALE_AFTER", "ok.example=1, =2", "site_stale_after"),
    ],
)
def test_an_unusable_value_names_the_setting_and_its_source(variable: str, value: str, named: str) -> None:
    with pytest.raises(SettingsError, match=named) as caught:
        load_settings(environ={variable: value})
    assert variable in str(caught.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[crawling]\nconcurrency = 'many'", "concurrency from .*: 'many' is not a whole number"),
        ("[crawling]\nconcurrency = [1]", r"\[1\] is not a whole number"),
        ("[crawling]\nstale_after_days = 'a week'", "'a week' is not a number"),
        (f"[crawling]\nstale_after_days = {'9' * 400}", "9 is not a number"),
        ("[crawling]\nallow_networks = 5", "5 is not a list"),
        ("[crawling]\nallow_networks = {a = 1}", "is not a list"),
        ("[embedder]\nembedding_model_name = ['small']", r"\['small'\] is not a text"),
    ],
)
def test_a_value_of_the_wrong_type_is_described(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(line)
    with pytest.raises(SettingsError, match=said):
        load_settings(file=file, environ={})


def test_days_of_individual_sites() -> None:
    settings = load_settings(
        environ={"WEBRAG_SITE_STALE_AFTER": "Docs.Python.org=30, localhost = 0.5,Bücher.example=0"}
    )
    expected = {"docs.python.org": 30.0, "localhost": 0.5, "xn--bcher-kva.example": 0.0}
    assert site_days(settings.site_stale_after) == expected


def test_a_misspelled_setting_in_the_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[server]\nmcp_prot = 1\n")
    with pytest.raises(SettingsError, match="mcp_prot"):
        load_settings(file=file, environ={})


def test_a_file_from_a_windows_editor_is_read_and_written(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(b'\xef\xbb\xbf# mine\r\n[window]\r\nlanguage = "de"\r\n')
    assert load_settings(file=file).language == "de"
    save_setting("language", "en", file=file)
    assert load_settings(file=file).language == "en"
    assert "# mine" in file.read_text(encoding="utf-8")


def test_broken_toml_gives_its_position(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[server\n")
    with pytest.raises(SettingsError, match="line 1"):
        load_settings(file=file, environ={})


def test_saving_keeps_comments_and_other_settings(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("# mine\n[server]\nmcp_port = 9000  # chosen\n")
    save_setting("mcp_host", "127.0.0.2", file=file)
    save_setting("allow_networks", ("10.0.0.0/8", "192.168.0.0/16"), file=file)
    text = file.read_text()
    assert "# mine" in text and "mcp_port = 9000  # chosen" in text
    settings = load_settings(file=file, environ={})
    assert settings.mcp_host == "127.0.0.2" and settings.allow_networks == ("10.0.0.0/8", "192.168.0.0/16")
    save_setting("mcp_host", None, file=file)
    assert load_settings(file=file, environ={}).mcp_host == "127.0.0.1"


def test_saving_an_unusable_value_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[server]\nmcp_port = 9000\n")
    before = file.read_bytes()
    for name, value in (("mcp_port", 99_999), ("no_such_setting", 1)):
        with pytest.raises(SettingsError):
            save_setting(name, value, file=file)
    assert file.read_bytes() == before


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "app.paths.open", Mock(side_effect=OSError(errno.EROFS, "Read-only file system")), raising=False
    )
    with pytest.raises(SettingsError, match=r"Cannot write .*config.toml \(Read-only file system\)."):
        save_setting("mcp_port", 9000, file=tmp_path / "config.toml")


def test_data_dir_from_environment_and_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "old"))
    assert load_settings().data_dir == tmp_path / "old"
    monkeypatch.setenv("WEBRAG_DATA_DIR", str(tmp_path / "new"))
    assert load_settings().data_dir == tmp_path / "new"
    assert load_settings(data_dir=tmp_path / "given").data_dir == tmp_path / "given"


def test_an_empty_variable_empties_a_list_of_the_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[crawling]\nallow_networks = ['10.0.0.0/8']\nconcurrency = 3\nrobots_policy = 'always'\n")
    environ = {"WEBRAG_ALLOW_NETWORKS": "", "CONCURRENCY": "", "ROBOTS_POLICY": ""}
    settings = load_settings(file=file, environ=environ)
    assert (settings.allow_networks, settings.concurrency, settings.robots_policy) == ((), 3, "always")
    assert load_settings(file=file, environ={}).allow_networks == ("10.0.0.0/8",)
