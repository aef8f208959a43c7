"""Settings from the command line, the environment, one TOML file and the defaults, in that order of precedence.

`Settings` declares the name and type of each setting; assets/settings.toml declares its default, limits, row on the Settings page and
line in the guide (docs/make_settings_table.py). Rows of one group appear in the order of that file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from app.errors import SettingsError
from app.paths import config_file, default_data_dir, replace_file
from app.serialise import read_toml
from app.settings_schema import DECLARED, Setting, SettingValue, setting
from app.text.sentence import sentence

LANGUAGES: Final[Mapping[str, str]] = DECLARED["language"]["row"]["names"]
"""The native name of each window language, by language code."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All validated settings. Secrets are in app.secrets."""

    data_dir: Path = field(default_factory=default_data_dir)

    # Server and tools
    mcp_enabled: bool = setting("mcp_enabled")
    mcp_transport: str = setting("mcp_transport")
    mcp_host: str = setting("mcp_host")
    mcp_port: int = setting("mcp_port")
    mcp_allowed_hosts: tuple[str, ...] = setting("mcp_allowed_hosts")
    mcp_allowed_origins: tuple[str, ...] = setting("mcp_allowed_origins")
    mcp_http_streamable_enabled: bool = setting("mcp_http_streamable_enabled")
    mcp_http_legacy_rest_enabled: bool = setting("mcp_http_legacy_rest_enabled")
    mcp_response_token_budget: int = setting("mcp_response_token_budget")
    mcp_soft_deadline: float = setting("mcp_soft_deadline")
    mcp_tool_timeout: float = setting("mcp_tool_timeout")
    mcp_rate_limit_requests: int = setting("mcp_rate_limit_requests")
    mcp_rate_limit_window: float = setting("mcp_rate_limit_window")
    mcp_tool_profile: str = setting("mcp_tool_profile")
    mcp_client_tools: tuple[str, ...] = setting("mcp_client_tools")
    mcp_add_packages: str = setting("mcp_add_packages")
    mcp_client_library: tuple[str, ...] = setting("mcp_client_library")
    mcp_tool_name_style: str = setting("mcp_tool_name_style")
    mcp_client_name_style: tuple[str, ...] = setting("mcp_client_name_style")
    mcp_result_mode: str = setting("mcp_result_mode")
    mcp_client_result_mode: tuple[str, ...] = setting("mcp_client_result_mode")
    mcp_structured_output_enabled: bool = setting("mcp_structured_output_enabled")
    mcp_kb_v2_enabled: bool = setting("mcp_kb_v2_enabled")
    mcp_legacy_tools_enabled: bool = setting("mcp_legacy_tools_enabled")
    mcp_snippet_length: int = setting("mcp_snippet_length")
    scratch_max_mb: int = setting("scratch_max_mb")
    repair_clients: bool = setting("repair_clients")
    project_id: str = setting("project_id")

    # Crawling
    request_timeout_ms: int = setting("request_timeout_ms")
    concurrency: int = setting("concurrency")
    stale_after_days: float = setting("stale_after_days")
    site_stale_after: tuple[str, ...] = setting("site_stale_after")
    render_pages: bool = setting("render_pages")
    robots_policy: str = setting("robots_policy")
    deny_hosts: tuple[str, ...] = setting("deny_hosts")
    allow_hosts: tuple[str, ...] = setting("allow_hosts")
    allow_networks: tuple[str, ...] = setting("allow_networks")

    # Embedder
    embed_on_battery: bool = setting("embed_on_battery")
    embed_threads: int = setting("embed_threads")
    embedding_model_folder: str = setting("embedding_model_folder")
    reranker_model: str = setting("reranker_model")
    embedding_model_mirror: str = setting("embedding_model_mirror")
    embedding_server_url: str = setting("embedding_server_url")
    embedding_model_name: str = setting("embedding_model_name")
    embedding_query_prefix: str = setting("embedding_query_prefix")
    embedding_passage_prefix: str = setting("embedding_passage_prefix")
    embedding_tokens_size: int = setting("embedding_tokens_size")
    similarity_threshold: float | None = setting("similarity_threshold")

    # Answers and graph
    max_expansion_depth: int = setting("max_expansion_depth")
    rerank: bool = setting("rerank")
    mcp_max_search_results: int = setting("mcp_max_search_results")
    graph_enabled: bool = setting("graph_enabled")

    # Search provider
    search_provider: str = setting("search_provider")
    google_search_engine_id: str = setting("google_search_engine_id")
    searxng_url: str = setting("searxng_url")
    google_safe_search: str = setting("google_safe_search")

    # Storage
    auto_backup: bool = setting("auto_backup")
    read_comments: bool = setting("read_comments")
    keep_pictures: bool = setting("keep_pictures")
    pictures_max_mb: int = setting("pictures_max_mb")

    # Privacy
    activity_log: bool = setting("activity_log")
    keep_questions: bool = setting("keep_questions")
    mcp_log_level: str = setting("mcp_log_level")
    diagnostic_logging: bool = setting("diagnostic_logging")
    debug: bool = setting("debug")

    # Updates
    update_check_weekly: bool = setting("update_check_weekly")
    update_feed: str = setting("update_feed")

    # Window
    appearance: str = setting("appearance")
    language: str = setting("language")
    tray_icon: bool = setting("tray_icon")
    ask_hot_key: str = setting("ask_hot_key")
    close_without_tray: str = setting("close_without_tray")
    notifications: bool = setting("notifications")
    starters: tuple[str, ...] = setting("starters")


SETTINGS: Final[Mapping[str, Setting]] = {
    declared.name: replace(declared.metadata["setting"], name=declared.name, kind=str(declared.type))
    for declared in fields(Settings)
    if declared.metadata
}
"""All settings by name, except data_dir."""


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    data_dir: Path | None = None,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Merge defaults, file, environment and `overrides` (the command line; None values are skipped).

    Raises SettingsError, which names the setting and the source of its value.
    """
    environ = os.environ if environ is None else environ
    path = file if file is not None else config_file()
    values: dict[str, Any] = {}
    from_file = _read_file(path)
    for name, declared in SETTINGS.items():
        section, variable = from_file.get(declared.section, {}), declared.variable
        if name in section:
            values[name] = declared.checked(section[name], f"{path}")
        # An empty variable means "not set", but empties a list, so that it can remove the networks that the file allows.
        if environ.get(variable) or (variable in environ and declared.kind.startswith("tuple")):
            values[name] = declared.checked(environ[variable], f"environment variable {variable}")
        if overrides and overrides.get(name) is not None:
            values[name] = declared.checked(overrides[name], "the command line")
    settings = Settings(data_dir=data_dir.expanduser().absolute()) if data_dir is not None else Settings()
    return replace(settings, **values)


def save_setting(
    name: str, value: SettingValue, *, file: Path | None = None, source: str = "the settings page"
) -> None:
    """Write one setting to the file without changing its other lines; None removes it. `source` names the place of an invalid value.

    Raises SettingsError for an unknown name, an invalid value or an unreadable file.
    """
    import tomlkit

    declared = SETTINGS.get(name)
    if declared is None:
        raise SettingsError(sentence("There is no setting named {}.", name))
    path = file if file is not None else config_file()
    _read_file(path)
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if path.exists() else tomlkit.document()
    section = document.setdefault(declared.section, tomlkit.table())
    if value is None:
        section.pop(name, None)
    else:
        checked = declared.checked(value, source)
        section[name] = list(checked) if isinstance(checked, tuple) else checked
    try:
        replace_file(path, tomlkit.dumps(document))
    except OSError as error:
        raise SettingsError(
            sentence("Cannot write {} ({}).", path, error.strerror or error),
            hint="Check the free disk space and the permissions of the folder.",
        ) from error


def _read_file(path: Path) -> dict[str, dict[str, Any]]:
    try:
        # Some Windows editors write a byte order mark.
        raw = read_toml(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(sentence("Cannot read the settings file {}: {}", path, error)) from error
    except ValueError as error:
        raise SettingsError(
            sentence("The settings file {} is not valid TOML: {}", path, error),
            hint="Correct the file, or rename it to use the default settings.",
        ) from error
    known = {(declared.section, name) for name, declared in SETTINGS.items()}
    for section, content in raw.items():
        names = content if isinstance(content, dict) else {section: content}
        for name in names:
            if (section, name) not in known:
                raise SettingsError(
                    sentence("Unknown setting {} in {}.", name if names is not content else f"{section}.{name}", path),
                    hint="Correct or remove this line. If a newer version of WebRAG wrote it, update WebRAG.",
                )
    return raw
