"""Settings: command line over environment over file over default; one TOML file shared by every entry point."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, cast

from app import caps
from app.errors import SettingsError
from app.paths import config_file, default_data_dir

SettingValue = str | int | float | bool | tuple[str, ...] | None

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"0", "false", "no", "off"})
MAX_STALE_DAYS: Final = 3_650
_SITE: Final = re.compile(r"(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*")
_DAYS: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)

TOOL_PROFILES: Final = ("full", "research", "docs", "kb", "simple")
NAME_STYLES: Final = ("underscore", "dotted")
RESULT_MODES: Final = ("auto", "text", "structured", "both")


def _setting(
    default: Any,
    section: str,
    *env: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    check: Callable[[Any], None] | None = None,
) -> Any:
    metadata = {"section": section, "env": env, "low": low, "high": high, "choices": choices, "check": check}
    return field(default=default, metadata=metadata)


def _check_networks(value: tuple[str, ...]) -> None:
    for text in value:
        ipaddress.ip_network(text, strict=False)


def site_days(entries: Iterable[str]) -> dict[str, float]:
    """Days by host name, from entries like "docs.python.org=30". Raises ValueError."""
    return dict(_site_and_days(entry) for entry in entries)


def _site_and_days(entry: str) -> tuple[str, float]:
    site, _, days = (part.strip() for part in entry.rpartition("="))
    if not _SITE.fullmatch(site) or not _DAYS.fullmatch(days):
        raise ValueError(f"{entry!r} is not a site and its days, as in docs.python.org=30")
    if float(days) > MAX_STALE_DAYS:
        raise ValueError(f"{days} days for {site} are more than {MAX_STALE_DAYS}")
    if site.isascii():
        return site.lower(), float(days)
    import idna

    return idna.encode(site, uts46=True).decode("ascii"), float(days)


def _check_sites(value: tuple[str, ...]) -> None:
    site_days(value)


def client_choices(entries: Iterable[str], choices: tuple[str, ...]) -> dict[str, str]:
    """The choice by name of an assistant, lower case, from entries like "claude-code=research". Raises ValueError."""
    chosen: dict[str, str] = {}
    for entry in entries:
        client, _, choice = (part.strip() for part in entry.rpartition("="))
        if not client or choice not in choices:
            raise ValueError(
                f"{entry!r} is not an assistant and one of {', '.join(choices)}, as in cursor={choices[0]}"
            )
        chosen[client.lower()] = choice
    return chosen


def _check_client_profiles(value: tuple[str, ...]) -> None:
    client_choices(value, TOOL_PROFILES)


def _check_client_name_styles(value: tuple[str, ...]) -> None:
    client_choices(value, NAME_STYLES)


def _check_client_result_modes(value: tuple[str, ...]) -> None:
    client_choices(value, RESULT_MODES)


@dataclass(frozen=True, slots=True)
class Settings:
    """All non-secret settings, checked. Secrets are in app.secrets."""

    data_dir: Path = field(default_factory=default_data_dir)

    mcp_enabled: bool = _setting(True, "server", "MCP_ENABLED")
    mcp_transport: str = _setting("stdio", "server", "MCP_TRANSPORT", choices=("stdio", "streamable-http"))
    mcp_host: str = _setting("127.0.0.1", "server", "MCP_HOST")
    mcp_port: int = _setting(8765, "server", "MCP_PORT", low=0, high=65_535)
    mcp_allowed_origins: tuple[str, ...] = _setting((), "server", "MCP_ALLOWED_ORIGINS")
    mcp_allowed_hosts: tuple[str, ...] = _setting((), "server", "MCP_ALLOWED_HOSTS")
    mcp_response_token_budget: int = _setting(30_000, "server", "MCP_RESPONSE_TOKEN_BUDGET", low=500, high=200_000)
    mcp_tool_timeout: float = _setting(120.0, "server", "MCP_TOOL_TIMEOUT", low=0.1, high=3_600)
    mcp_soft_deadline: float = _setting(45.0, "server", "MCP_SOFT_DEADLINE", low=0.1, high=3_600)
    mcp_tool_name_style: str = _setting("underscore", "server", "MCP_TOOL_NAME_STYLE", choices=NAME_STYLES)
    mcp_client_name_style: tuple[str, ...] = _setting(
        (), "server", "MCP_CLIENT_NAME_STYLE", check=_check_client_name_styles
    )
    mcp_result_mode: str = _setting("auto", "server", "MCP_RESULT_MODE", choices=RESULT_MODES)
    mcp_client_result_mode: tuple[str, ...] = _setting(
        (), "server", "MCP_CLIENT_RESULT_MODE", check=_check_client_result_modes
    )
    mcp_tool_profile: str = _setting("full", "server", "MCP_TOOL_PROFILE", choices=TOOL_PROFILES)
    mcp_client_tools: tuple[str, ...] = _setting((), "server", "MCP_CLIENT_TOOLS", check=_check_client_profiles)
    repair_clients: bool = _setting(False, "server", "REPAIR_CLIENTS")
    mcp_structured_output_enabled: bool = _setting(True, "server", "MCP_STRUCTURED_OUTPUT_ENABLED")
    mcp_kb_v2_enabled: bool = _setting(True, "server", "MCP_KB_V2_ENABLED")
    mcp_http_streamable_enabled: bool = _setting(True, "server", "MCP_HTTP_STREAMABLE_ENABLED")
    mcp_http_legacy_rest_enabled: bool = _setting(False, "server", "MCP_HTTP_LEGACY_REST_ENABLED")
    mcp_legacy_tools_enabled: bool = _setting(False, "server", "MCP_LEGACY_TOOLS_ENABLED")
    mcp_rate_limit_requests: int = _setting(120, "server", "MCP_RATE_LIMIT_REQUESTS", low=1, high=100_000)
    mcp_rate_limit_window: float = _setting(60.0, "server", "MCP_RATE_LIMIT_WINDOW", low=1, high=86_400)
    project_id: str = _setting("default", "server", "WEBRAG_PROJECT_ID")
    mcp_max_search_results: int = _setting(10, "server", "MCP_MAX_SEARCH_RESULTS", low=1, high=50)
    scratch_max_mb: int = _setting(
        caps.SCRATCH_DEFAULT_MB, "server", "SCRATCH_MAX_MB", low=caps.SCRATCH_MIN_MB, high=caps.SCRATCH_MAX_MB
    )
    mcp_snippet_length: int = _setting(200, "server", "MCP_SNIPPET_LENGTH", low=20, high=1_000)

    request_timeout_ms: int = _setting(
        20_000, "crawling", "REQUEST_TIMEOUT_MS", low=100, high=caps.MAX_REQUEST_TIMEOUT_MS
    )
    concurrency: int = _setting(2, "crawling", "CONCURRENCY", low=1, high=caps.MAX_CONCURRENCY)
    robots_policy: str = _setting("auto_only", "crawling", "ROBOTS_POLICY", choices=("ignore", "auto_only", "always"))
    allow_networks: tuple[str, ...] = _setting((), "crawling", "WEBRAG_ALLOW_NETWORKS", check=_check_networks)
    allow_hosts: tuple[str, ...] = _setting((), "crawling", "WEBRAG_ALLOW_HOSTS")
    deny_hosts: tuple[str, ...] = _setting((), "crawling", "WEBRAG_DENY_HOSTS")
    stale_after_days: float = _setting(7.0, "crawling", "WEBRAG_STALE_AFTER_DAYS", low=0, high=MAX_STALE_DAYS)
    site_stale_after: tuple[str, ...] = _setting((), "crawling", "WEBRAG_SITE_STALE_AFTER", check=_check_sites)
    render_pages: bool = _setting(False, "crawling", "WEBRAG_RENDER_PAGES")

    embedding_server_url: str = _setting("", "embedder", "EMBEDDING_SERVER_URL")
    embedding_model_name: str = _setting("", "embedder", "EMBEDDING_MODEL_NAME")
    embedding_tokens_size: int = _setting(512, "embedder", "EMBEDDING_TOKENS_SIZE", low=64, high=8_192)
    similarity_threshold: float | None = _setting(None, "embedder", "SIMILARITY_THRESHOLD", low=-1, high=1)

    embed_on_battery: bool = _setting(False, "embedder", "WEBRAG_EMBED_ON_BATTERY")

    max_expansion_depth: int = _setting(2, "retrieval", "MAX_EXPANSION_DEPTH", low=0, high=caps.MAX_EXPANSION_BUDGET)
    rerank: bool = _setting(True, "retrieval", "WEBRAG_RERANK")
    graph_enabled: bool = _setting(True, "retrieval", "GRAPH_ENABLED")

    search_provider: str = _setting(
        "google", "search", "SEARCH_PROVIDER", choices=("google", "searxng", "brave", "tavily")
    )
    searxng_url: str = _setting("", "search", "SEARXNG_URL")
    google_search_engine_id: str = _setting("", "search", "GOOGLE_SEARCH_ENGINE_ID")
    google_safe_search: str = _setting("off", "search", "GOOGLE_SAFE_SEARCH", choices=("off", "moderate", "strict"))

    activity_log: bool = _setting(True, "privacy", "WEBRAG_ACTIVITY_LOG")
    mcp_log_level: str = _setting(
        "INFO", "privacy", "MCP_LOG_LEVEL", choices=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
    )
    diagnostic_logging: bool = _setting(False, "privacy", "WEBRAG_DIAGNOSTIC_LOGGING")
    debug: bool = _setting(False, "privacy", "DEBUG")

    update_feed: str = _setting("", "updates", "UPDATE_FEED")
    update_check_weekly: bool = _setting(False, "updates", "WEBRAG_UPDATE_CHECK_WEEKLY")

    appearance: str = _setting("system", "window", "WEBRAG_APPEARANCE", choices=("system", "light", "dark"))
    language: str = _setting("system", "window", "WEBRAG_LANGUAGE", choices=("system", "en", "de"))
    tray_icon: bool = _setting(True, "window", "WEBRAG_TRAY_ICON")
    close_without_tray: str = _setting(
        "ask", "window", "WEBRAG_CLOSE_WITHOUT_TRAY", choices=("ask", "minimise", "quit")
    )
    notifications: bool = _setting(True, "window", "WEBRAG_NOTIFICATIONS")


def setting_fields() -> tuple[Field[Any], ...]:
    """The declared settings, without data_dir, in the order of the file."""
    return tuple(f for f in fields(Settings) if f.metadata)


def load_settings(
    overrides: Mapping[str, Any] | None = None,
    *,
    data_dir: Path | None = None,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Merge defaults, file, environment and `overrides` (the command line; None values are skipped).

    Raises SettingsError naming the setting and where its value comes from.
    """
    environ = os.environ if environ is None else environ
    path = file if file is not None else config_file()
    values: dict[str, Any] = {}
    from_file = _read_file(path)
    for declared in setting_fields():
        name = declared.name
        section = from_file.get(declared.metadata["section"], {})
        if name in section:
            values[name] = _checked(declared, section[name], f"{path}")
        for variable in declared.metadata["env"]:
            # Empty means not set, except for a list, which it empties: that is how a network of the file is closed.
            if environ.get(variable) or (variable in environ and str(declared.type).startswith("tuple")):
                values[name] = _checked(declared, environ[variable], f"environment variable {variable}")
        if overrides and overrides.get(name) is not None:
            values[name] = _checked(declared, overrides[name], "the command line")
    settings = Settings(data_dir=data_dir.expanduser().absolute()) if data_dir is not None else Settings()
    return replace(settings, **values)


def save_setting(name: str, value: SettingValue, *, file: Path | None = None) -> None:
    """Write one setting to the file, leaving every other byte of it as it is; None removes it.

    Raises SettingsError for an unknown name, an unusable value or an unreadable file.
    """
    import tomlkit

    declared = next((f for f in setting_fields() if f.name == name), None)
    if declared is None:
        raise SettingsError(f"There is no setting called {name}.")
    path = file if file is not None else config_file()
    _read_file(path)
    document = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    section = document.setdefault(declared.metadata["section"], tomlkit.table())
    if value is None:
        section.pop(name, None)
    else:
        checked = _checked(declared, value, "the settings page")
        section[name] = list(checked) if isinstance(checked, tuple) else checked
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(tomlkit.dumps(document), encoding="utf-8")
    temporary.replace(path)


def _read_file(path: Path) -> dict[str, dict[str, Any]]:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The settings file {path} is not valid TOML: {error}") from error
    known = {(f.metadata["section"], f.name) for f in setting_fields()}
    for section, content in raw.items():
        names = content if isinstance(content, dict) else {section: content}
        for name in names:
            if (section, name) not in known:
                raise SettingsError(f"Unknown setting {section}.{name} in {path}.", hint="Remove or correct this line.")
    return raw


def _checked(declared: Field[Any], value: Any, source: str) -> Any:
    try:
        result = _converted(str(declared.type), value)
        _check_range(declared, result)
        if declared.metadata["check"] is not None:
            declared.metadata["check"](result)
    except (ValueError, TypeError) as error:
        raise SettingsError(f"{declared.name} from {source}: {error}") from error
    return result


def _converted(kind: str, value: Any) -> Any:
    if kind == "bool":
        return value if isinstance(value, bool) else _boolean(str(value))
    if kind == "int":
        if isinstance(value, float | bool):
            raise ValueError(f"{value!r} is not a whole number")
        return int(value)
    if kind in ("float", "float | None"):
        return float(value)
    if kind.startswith("tuple"):
        parts = value.split(",") if isinstance(value, str) else cast("list[str]", value)
        return tuple(str(part).strip() for part in parts if str(part).strip())
    return str(value)


def _boolean(word: str) -> bool:
    if word.lower() in TRUE_WORDS:
        return True
    if word.lower() in FALSE_WORDS:
        return False
    raise ValueError(f"{word!r} is neither true nor false")


def _check_range(declared: Field[Any], value: Any) -> None:
    low, high, choices = (declared.metadata[key] for key in ("low", "high", "choices"))
    if choices and value not in choices:
        raise ValueError(f"{value!r} is not one of {', '.join(choices)}")
    if low is not None and not low <= value <= high:
        raise ValueError(f"{value} is not between {low} and {high}")
