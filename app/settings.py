"""Settings: command line over environment over file over default; one TOML file shared by every entry point.

Each setting is declared once, in `Settings`. Its row on the Settings page, its line in `webrag settings` and in the guide's table
(docs/make_settings_table.py) come from the declaration. Rows of one group stand in the order of their declarations.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from app import caps
from app.errors import SettingsError
from app.paths import config_file, default_data_dir
from app.settings_schema import (
    MAX_STALE_DAYS,
    NAME_STYLES,
    RESULT_MODES,
    TOOL_PROFILES,
    RowSpec,
    Setting,
    SettingValue,
    check_client_choices,
    check_client_libraries,
    check_networks,
    check_sites,
    setting,
)

MAX_REQUEST_TIMEOUT_MS: Final = 120_000
SCRATCH_MIN_MB: Final = 1

LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""Every language of the window, by its own name."""
_PRIVATE_WARNING: Final = (
    "Assistants can have WebRAG read what stands there, such as routers, printers and internal sites."
    " Allow only what you would show them."
)


@dataclass(frozen=True, slots=True)
class Settings:
    """All non-secret settings, checked. Secrets are in app.secrets."""

    data_dir: Path = field(default_factory=default_data_dir)

    # Server and tools

    mcp_enabled: bool = setting(
        True,
        "server",
        "MCP_ENABLED",
        "whether assistants are served at all",
        row=RowSpec(
            "server",
            "Serve assistants",
            "Off: WebRAG is a library for you alone, and no assistant can reach it.",
            words="mcp server turn on turn off enable disable offline",
        ),
    )
    mcp_transport: str = setting(
        "stdio",
        "server",
        "MCP_TRANSPORT",
        "what `webrag serve` speaks: `stdio` or `streamable-http`",
        choices=("stdio", "streamable-http"),
    )
    mcp_host: str = setting("127.0.0.1", "server", "MCP_HOST", "address the server listens on")
    mcp_port: int = setting(
        8765,
        "server",
        "MCP_PORT",
        "port of the local server; the next free one is used when it is taken",
        low=0,
        high=65_535,
        row=RowSpec(
            "server",
            "Port",
            "0 takes any free one. A taken port gives way to the next free one.",
            format="port",
            words="port number tcp listen firewall",
        ),
    )
    mcp_allowed_hosts: tuple[str, ...] = setting(
        (), "server", "MCP_ALLOWED_HOSTS", "further names under which the server may be called"
    )
    mcp_allowed_origins: tuple[str, ...] = setting(
        (), "server", "MCP_ALLOWED_ORIGINS", "web pages that may call the server"
    )
    mcp_http_streamable_enabled: bool = setting(
        True,
        "server",
        "MCP_HTTP_STREAMABLE_ENABLED",
        "whether assistants may connect by address; off leaves the bridges",
        row=RowSpec(
            "server",
            "Connections over HTTP",
            "Off: only assistants that start WebRAG's bridge program themselves are served.",
            words="remote connection url network transport",
        ),
    )
    mcp_http_legacy_rest_enabled: bool = setting(
        False,
        "server",
        "MCP_HTTP_LEGACY_REST_ENABLED",
        "an older interface that this program does not have; switching it on only leaves a line in the log",
    )
    mcp_response_token_budget: int = setting(
        30_000,
        "server",
        "MCP_RESPONSE_TOKEN_BUDGET",
        "largest answer in tokens",
        low=500,
        high=200_000,
        row=RowSpec(
            "server",
            "Largest answer",
            "Texts are cut to this size. A token is about four letters.",
            suffix=" tokens",
            words="answer length token limit context size",
        ),
    )
    mcp_soft_deadline: float = setting(
        45.0,
        "server",
        "MCP_SOFT_DEADLINE",
        "seconds after which `answer` returns what it has",
        low=0.1,
        high=3_600,
        row=RowSpec(
            "server",
            "Answer at the latest after",
            "An answer that is still reading pages by then comes with what it has found.",
            suffix=" s",
            words="timeout slow wait seconds",
        ),
    )
    mcp_tool_timeout: float = setting(
        120.0,
        "server",
        "MCP_TOOL_TIMEOUT",
        "seconds after which a call is ended",
        low=0.1,
        high=3_600,
        row=RowSpec(
            "server",
            "Time limit of a call",
            "A call that takes longer is ended with an error.",
            suffix=" s",
            words="timeout hang stop seconds",
        ),
    )
    mcp_rate_limit_requests: int = setting(
        120,
        "server",
        "MCP_RATE_LIMIT_REQUESTS",
        "calls of one assistant within the window of time that the next setting gives",
        low=1,
        high=100_000,
    )
    mcp_rate_limit_window: float = setting(
        60.0, "server", "MCP_RATE_LIMIT_WINDOW", "that window, in seconds", low=1, high=86_400
    )
    mcp_tool_profile: str = setting(
        "full",
        "server",
        "MCP_TOOL_PROFILE",
        "tools that assistants are offered: `full`, `standard`, `research`, `docs`, `kb`, `simple`",
        choices=TOOL_PROFILES,
        is_live=True,
        row=RowSpec(
            "tools",
            "Tools offered",
            "Fewer tools leave an assistant more room for the conversation. Takes effect at once.",
            format="custom",
            words="tool profile functions permissions capabilities",
        ),
    )
    mcp_client_tools: tuple[str, ...] = setting(
        (),
        "server",
        "MCP_CLIENT_TOOLS",
        "the same for single assistants: `claude-code=research`",
        check=check_client_choices(TOOL_PROFILES),
        is_live=True,
        row=RowSpec(
            "tools",
            "Tools by assistant",
            "For assistants that should get others than these: name=tools, separated by commas.",
            placeholder="claude-code=research, lm-studio=simple",
            format="custom",
            words="tool profile per assistant override claude cursor",
        ),
    )
    mcp_client_library: tuple[str, ...] = setting(
        (),
        "server",
        "MCP_CLIENT_LIBRARY",
        "which libraries single assistants ask unless they name one: `claude-code=private`, `=shared`, `=all` (the default) or a name",
        check=check_client_libraries,
        is_live=True,
    )
    mcp_tool_name_style: str = setting(
        "underscore",
        "server",
        "MCP_TOOL_NAME_STYLE",
        "names of tools: `kb_search` or, with `dotted`, `kb.search`",
        choices=NAME_STYLES,
    )
    mcp_client_name_style: tuple[str, ...] = setting(
        (),
        "server",
        "MCP_CLIENT_NAME_STYLE",
        "the same for single assistants",
        check=check_client_choices(NAME_STYLES),
    )
    mcp_result_mode: str = setting(
        "auto",
        "server",
        "MCP_RESULT_MODE",
        "results as `text`, `structured`, `both`, or what suits the assistant",
        choices=RESULT_MODES,
    )
    mcp_client_result_mode: tuple[str, ...] = setting(
        (),
        "server",
        "MCP_CLIENT_RESULT_MODE",
        "the same for single assistants",
        check=check_client_choices(RESULT_MODES),
    )
    mcp_structured_output_enabled: bool = setting(
        True, "server", "MCP_STRUCTURED_OUTPUT_ENABLED", "whether results may be structured data beside text"
    )
    mcp_kb_v2_enabled: bool = setting(True, "server", "MCP_KB_V2_ENABLED", "whether the `kb` tools are offered")
    mcp_legacy_tools_enabled: bool = setting(
        False,
        "server",
        "MCP_LEGACY_TOOLS_ENABLED",
        "whether older names of tools are listed; they can be called in any case",
    )
    mcp_snippet_length: int = setting(
        200, "server", "MCP_SNIPPET_LENGTH", "letters of text that `search_docs` shows of each page", low=20, high=1_000
    )
    scratch_max_mb: int = setting(
        caps.SCRATCH_DEFAULT_MB,
        "server",
        "SCRATCH_MAX_MB",
        "memory for passages that tools keep for assistants",
        low=SCRATCH_MIN_MB,
        high=caps.SCRATCH_MAX_MB,
        row=RowSpec(
            "server",
            "Memory for kept passages",
            "Passages that tools found are kept for assistants for half an hour; the oldest go first.",
            suffix=" MB",
            words="memory ram cache limit",
        ),
    )
    repair_clients: bool = setting(
        False,
        "server",
        "REPAIR_CLIENTS",
        "whether an entry that was removed from an assistant's configuration is put back by itself",
        is_live=True,
        row=RowSpec(
            "tools",
            "Repair connections by itself",
            "When another program removes WebRAG from an assistant's configuration, it is put back at once."
            " Off: you are told and decide.",
            words="reconnect fix broken connection configuration",
        ),
    )
    project_id: str = setting(
        "default", "server", "WEBRAG_PROJECT_ID", "name of this library for assistants that ask within a project"
    )

    # Crawling

    request_timeout_ms: int = setting(
        20_000,
        "crawling",
        "REQUEST_TIMEOUT_MS",
        "time for one page, in milliseconds",
        low=100,
        high=MAX_REQUEST_TIMEOUT_MS,
        row=RowSpec(
            "crawling",
            "Time for one page",
            "A page that takes longer counts as not readable.",
            suffix=" s",
            factor=1000,
            words="timeout slow page load seconds",
        ),
    )
    concurrency: int = setting(
        2,
        "crawling",
        "CONCURRENCY",
        "requests at the same time",
        low=1,
        high=caps.MAX_CONCURRENCY,
        row=RowSpec(
            "crawling",
            "Requests at the same time",
            "Over all sites. One site is never asked faster than it wants.",
            words="parallel downloads speed bandwidth simultaneous threads",
        ),
    )
    stale_after_days: float = setting(
        7.0,
        "crawling",
        "WEBRAG_STALE_AFTER_DAYS",
        "age after which a stored page is checked again",
        low=0,
        high=MAX_STALE_DAYS,
        row=RowSpec(
            "crawling",
            "Check pages again after",
            "An answer asks the site first whether an older page has changed.",
            suffix=" days",
            words="refresh update interval age expire cache",
        ),
    )
    site_stale_after: tuple[str, ...] = setting(
        (),
        "crawling",
        "WEBRAG_SITE_STALE_AFTER",
        "the same for single sites, in days: `docs.python.org=30, news.example.com=0.5`; subdomains other than `www.`"
        " are sites of their own",
        check=check_sites,
        row=RowSpec(
            "crawling",
            "Other times for single sites",
            "Days by site; subdomains other than www. are sites of their own.",
            placeholder="docs.python.org=30, news.example.com=0.5",
            words="refresh update interval schedule per site",
        ),
    )
    render_pages: bool = setting(
        False,
        "crawling",
        "WEBRAG_RENDER_PAGES",
        "whether pages that are built by JavaScript are rendered, if the renderer is installed",
        row=RowSpec(
            "crawling",
            "Pages built by JavaScript",
            "Opens such pages in a hidden browser and reads what it shows. Slower; needs the optional renderer.",
            words="javascript js dynamic headless browser render spa",
        ),
    )
    robots_policy: str = setting(
        "auto_only",
        "crawling",
        "ROBOTS_POLICY",
        "whether robots.txt is obeyed: never (`ignore`), for automatic fetching (`auto_only`), `always`",
        choices=("ignore", "auto_only", "always"),
        row=RowSpec(
            "crawling",
            "Wishes of sites (robots.txt)",
            "Pages that a person or assistant names can be read like in a browser.",
            labels={"ignore": "Do not ask", "auto_only": "Obey for followed links", "always": "Always obey"},
            words="robots.txt crawler rules scraping permission",
        ),
    )
    deny_hosts: tuple[str, ...] = setting(
        (),
        "crawling",
        "WEBRAG_DENY_HOSTS",
        "sites that are never read, with their subdomains",
        is_live=True,
        row=RowSpec(
            "crawling",
            "Blocked sites",
            "Never read, with all their subdomains.",
            placeholder="example.com, ads.example.org",
            format="hosts",
            words="block blacklist blocklist ban exclude domains",
        ),
    )
    allow_hosts: tuple[str, ...] = setting(
        (),
        "crawling",
        "WEBRAG_ALLOW_HOSTS",
        "sites that may be read although their address is private",
        row=RowSpec(
            "crawling",
            "Allowed sites in private networks",
            "May be read although their address is private. All other private addresses are blocked.",
            placeholder="wiki.example.lan",
            warning=_PRIVATE_WARNING,
            format="hosts",
            words="whitelist intranet local lan exception",
        ),
    )
    allow_networks: tuple[str, ...] = setting(
        (),
        "crawling",
        "WEBRAG_ALLOW_NETWORKS",
        "private networks that may be read",
        check=check_networks,
        row=RowSpec(
            "crawling",
            "Allowed private networks",
            "Every address in them may be read, this computer's own services included.",
            placeholder="192.168.1.0/24, 127.0.0.0/8",
            warning=_PRIVATE_WARNING,
            words="proxy vpn lan intranet local network ip localhost firewall",
        ),
    )

    # Embedder

    embed_on_battery: bool = setting(
        False,
        "embedder",
        "WEBRAG_EMBED_ON_BATTERY",
        "whether passages that no question waits for are prepared for search by meaning on battery power",
        row=RowSpec(
            "embedder",
            "Work on battery",
            "Off: new pages are found by their words only until the computer is plugged in. Questions always work.",
            words="battery power saving laptop energy",
        ),
    )
    embedding_server_url: str = setting(
        "",
        "embedder",
        "EMBEDDING_SERVER_URL",
        "a server of your own that makes the vectors; its key is kept as a secret",
        row=RowSpec(
            "embedder",
            "Server for search by meaning",
            "Address of an OpenAI-compatible server; empty uses the built-in model. Texts of pages are sent there.",
            placeholder="https://…/v1",
            format="url",
            words="openai ollama cloud api embedding server hosted",
        ),
    )
    embedding_model_name: str = setting(
        "",
        "embedder",
        "EMBEDDING_MODEL_NAME",
        "the model that is asked of that server",
        row=RowSpec(
            "embedder",
            "Model of the hosted server",
            "As the server names it.",
            placeholder="text-embedding-3-small",
            words="embedding model openai ollama hosted",
        ),
    )
    embedding_tokens_size: int = setting(
        512,
        "embedder",
        "EMBEDDING_TOKENS_SIZE",
        "most tokens that the model of that server reads at once",
        low=64,
        high=8_192,
    )
    similarity_threshold: float | None = setting(
        None,
        "embedder",
        "SIMILARITY_THRESHOLD",
        "likeness from which on a passage counts as related",
        low=-1,
        high=1,
        unset="the model's own",
    )

    # Answers and graph

    max_expansion_depth: int = setting(
        2,
        "retrieval",
        "MAX_EXPANSION_DEPTH",
        "rounds of links that `answer` follows",
        low=0,
        high=caps.MAX_EXPANSION_BUDGET,
        row=RowSpec(
            "answers",
            "Rounds of followed links",
            "How far an answer may go beyond the pages it was given. 0 stays on them.",
            words="link depth follow links crawl depth hops",
        ),
    )
    rerank: bool = setting(
        True,
        "retrieval",
        "WEBRAG_RERANK",
        "whether passages are compared with the question word by word",
        row=RowSpec(
            "answers",
            "Compare word by word",
            "Puts the passages that answer best first. More exact, a few milliseconds slower.",
            words="rerank ranking quality accuracy precision",
        ),
    )
    mcp_max_search_results: int = setting(
        10,
        "server",
        "MCP_MAX_SEARCH_RESULTS",
        "most pages that `search_docs` gives",
        low=1,
        high=50,
        row=RowSpec(
            "answers",
            "Results from documentation",
            "Most pages that a search in stored documentation gives.",
            words="number of results limit documentation",
        ),
    )
    graph_enabled: bool = setting(
        True,
        "retrieval",
        "GRAPH_ENABLED",
        "whether the graph of pages, names and terms is made and used",
        row=RowSpec(
            "graph",
            "Use the graph",
            "Assistants can walk from page to page, and searches look at the neighbours of what they found."
            " Off: those tools answer that the graph is switched off. Nothing stored is lost.",
            words="knowledge graph links related pages",
        ),
    )

    # Search provider

    search_provider: str = setting(
        "searxng",
        "search",
        "SEARCH_PROVIDER",
        "who searches the web for assistants: `searxng`, `brave`, `tavily`, `google`",
        choices=("searxng", "brave", "tavily", "google"),
        row=RowSpec(
            "provider",
            "Provider",
            "SearXNG is a server of your own and needs no key; Google takes no new customers.",
            names={"searxng": "SearXNG", "brave": "Brave", "tavily": "Tavily", "google": "Google"},
            words="web search engine internet google brave tavily searxng",
        ),
    )
    google_search_engine_id: str = setting(
        "",
        "search",
        "GOOGLE_SEARCH_ENGINE_ID",
        "the number of a Programmable Search Engine",
        row=RowSpec(
            "provider",
            "Google search engine ID",
            "From the control panel of Google's Programmable Search Engine; needed for Google only.",
            words="google cse cx programmable search",
        ),
    )
    searxng_url: str = setting(
        "",
        "search",
        "SEARXNG_URL",
        "address of a SearXNG server",
        row=RowSpec(
            "provider",
            "SearXNG address",
            "May stand in a private network; needed for SearXNG only.",
            placeholder="https://search.example.lan",
            format="url",
            words="searx self-hosted url",
        ),
    )
    google_safe_search: str = setting(
        "off",
        "search",
        "GOOGLE_SAFE_SEARCH",
        "`off`, `moderate` or `strict`, for every provider",
        choices=("off", "moderate", "strict"),
        row=RowSpec(
            "provider",
            "Safe search",
            "For every provider, unless the assistant asks otherwise.",
            labels={"off": "Off", "moderate": "Moderate", "strict": "Strict"},
            words="adult filter family explicit content",
        ),
    )

    # Storage

    auto_backup: bool = setting(
        True,
        "storage",
        "WEBRAG_AUTO_BACKUP",
        "whether the library is backed up each day on which it changed; the newest three are kept",
        is_live=True,
        row=RowSpec(
            "storage",
            "Back up each day",
            "After a day on which the library changed it is copied beside itself. The newest three copies are kept.",
            words="automatic backup daily schedule copy",
        ),
    )
    keep_pictures: bool = setting(
        False,
        "storage",
        "WEBRAG_KEEP_PICTURES",
        "whether the pictures of pages are fetched after the page and kept; never those of private networks; off deletes them",
        row=RowSpec(
            "storage",
            "Keep the pictures of pages",
            "They are fetched after a page is read, from the sites that it names, and shown with it. None of private networks."
            " Off deletes those that are kept.",
            words="images photos download save pictures",
        ),
    )
    pictures_max_mb: int = setting(
        500,
        "storage",
        "WEBRAG_PICTURES_MAX_MB",
        "megabytes for kept pictures; the oldest go first",
        low=caps.MIN_PICTURES_MB,
        high=caps.MAX_PICTURES_MB,
        row=RowSpec(
            "storage",
            "Room for pictures",
            "When it is full, the oldest go first.",
            suffix=" MB",
            words="image storage limit quota disk space",
        ),
    )

    # Privacy

    activity_log: bool = setting(
        True,
        "privacy",
        "WEBRAG_ACTIVITY_LOG",
        "whether calls are recorded for Activity, without questions and texts",
        is_live=True,
        row=RowSpec(
            "privacy",
            "Record calls",
            "Time, assistant, tool, pages and sizes of every call, for the Activity page. No questions or texts.",
            words="history activity log tracking telemetry statistics",
        ),
    )
    keep_questions: bool = setting(
        False,
        "privacy",
        "WEBRAG_KEEP_QUESTIONS",
        "whether the questions of assistants are kept beside the record of calls, for 90 days",
        is_live=True,
        row=RowSpec(
            "privacy",
            "Keep questions",
            "What assistants ask, for 90 days and on this computer only, so that Activity reads as a conversation.",
            words="history questions privacy save conversation",
        ),
    )
    mcp_log_level: str = setting(
        "INFO",
        "privacy",
        "MCP_LOG_LEVEL",
        "how much the log file tells",
        choices=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        row=RowSpec(
            "privacy",
            "Log file",
            "How much the log file tells. Tokens and keys never appear in it.",
            labels={
                "DEBUG": "Everything",
                "INFO": "What happens",
                "WARNING": "Only warnings",
                "ERROR": "Only errors",
                "CRITICAL": "Almost nothing",
            },
            words="log level verbose debug",
        ),
    )
    diagnostic_logging: bool = setting(
        False,
        "privacy",
        "WEBRAG_DIAGNOSTIC_LOGGING",
        "whether arguments and texts of calls are logged; better `webrag diagnostics on`, which ends after an hour",
        is_live=True,
    )
    debug: bool = setting(
        False, "privacy", "DEBUG", "everything in the log, and documentation folders read anew for each search"
    )

    # Updates

    update_check_weekly: bool = setting(
        False,
        "updates",
        "WEBRAG_UPDATE_CHECK_WEEKLY",
        "whether a newer version is looked for once a week by itself; nothing is downloaded",
        is_live=True,
        row=RowSpec(
            "about",
            "Check once a week",
            "Sends nothing but the request itself. A new version is announced here and in the window.",
            words="automatic updates auto-update upgrade",
        ),
    )
    update_feed: str = setting(
        "",
        "updates",
        "UPDATE_FEED",
        "where the check for a newer version looks",
        is_live=True,
        row=RowSpec(
            "about",
            "Address to ask",
            "A small list of versions; empty asks nobody.",
            placeholder="https://example.org/releases.json",
            format="url",
            words="update server url feed",
        ),
    )

    # Window

    appearance: str = setting(
        "system",
        "window",
        "WEBRAG_APPEARANCE",
        "`light`, `dark` or what the system uses",
        choices=("system", "light", "dark"),
        is_live=True,
        row=RowSpec(
            "general",
            "Colours",
            "Light or dark, or what the system uses.",
            labels={"system": "Like the system", "light": "Light", "dark": "Dark"},
            words="theme dark mode light mode night appearance color scheme look",
        ),
    )
    language: str = setting(
        "system",
        "window",
        "WEBRAG_LANGUAGE",
        "`en`, `de` or what the system uses",
        choices=("system", *LANGUAGES),
        is_live=True,
        row=RowSpec(
            "general",
            "Language",
            "The window changes when WebRAG starts again.",
            labels={"system": "Like the system"},
            names=LANGUAGES,
            words="language locale english german translation",
        ),
    )
    tray_icon: bool = setting(
        True,
        "window",
        "WEBRAG_TRAY_ICON",
        "whether WebRAG shows itself in the tray and stays there when the window is closed",
        is_live=True,
        row=RowSpec(
            "general",
            "Icon in the tray",
            "Closing the window leaves WebRAG running there, and assistants are still served.",
            words="system tray menu bar minimise to tray background hide",
        ),
    )
    ask_hot_key: str = setting(
        "Ctrl+Alt+Space",
        "window",
        "WEBRAG_ASK_HOT_KEY",
        "the key that opens the ask window from anywhere, nothing for none",
        is_live=True,
        row=RowSpec(
            "general",
            "Key of the ask window",
            "Opens it over any program. Leave it empty for none.",
            placeholder="Ctrl+Alt+Space",
            format="keys",
            words="shortcut hotkey keyboard key combination global",
        ),
    )
    close_without_tray: str = setting(
        "ask",
        "window",
        "WEBRAG_CLOSE_WITHOUT_TRAY",
        "what closing the window does where there is no tray: `ask`, `minimise`, `quit`",
        choices=("ask", "minimise", "quit"),
        is_live=True,
        row=RowSpec(
            "general",
            "Closing the window without a tray",
            "What the close button does where there is no tray icon.",
            labels={"ask": "Ask", "minimise": "Minimise the window", "quit": "Quit WebRAG"},
            words="close quit exit minimise window button",
        ),
    )
    notifications: bool = setting(
        True,
        "window",
        "WEBRAG_NOTIFICATIONS",
        "messages of the desktop about what matters",
        is_live=True,
        row=RowSpec(
            "general",
            "Notifications",
            "Only for what matters: a finished crawl, an assistant that lost its connection, an error.",
            words="alerts messages pop-ups popups notify sound",
        ),
    )
    starters: tuple[str, ...] = setting(
        (),
        "window",
        "WEBRAG_STARTERS",
        "addresses of sites that are offered to begin with, besides those that come with the program",
        is_live=True,
        row=RowSpec(
            "general",
            "Sites to start with",
            "Addresses that are offered besides those that come with WebRAG, separated by commas. Counts from the next start.",
            placeholder="https://docs.example.org/",
            words="suggestions favourites bookmarks start page examples",
        ),
    )


SETTINGS: Final[Mapping[str, Setting]] = {
    declared.name: replace(declared.metadata["setting"], name=declared.name, kind=str(declared.type))
    for declared in fields(Settings)
    if declared.metadata
}
"""Every setting by its name, without data_dir."""


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
    for name, declared in SETTINGS.items():
        section, variable = from_file.get(declared.section, {}), declared.variable
        if name in section:
            values[name] = declared.checked(section[name], f"{path}")
        # Empty means not set, except for a list, which it empties: that is how a network of the file is closed.
        if environ.get(variable) or (variable in environ and declared.kind.startswith("tuple")):
            values[name] = declared.checked(environ[variable], f"environment variable {variable}")
        if overrides and overrides.get(name) is not None:
            values[name] = declared.checked(overrides[name], "the command line")
    settings = Settings(data_dir=data_dir.expanduser().absolute()) if data_dir is not None else Settings()
    return replace(settings, **values)


def save_setting(name: str, value: SettingValue, *, file: Path | None = None) -> None:
    """Write one setting to the file, leaving every other byte of it as it is; None removes it.

    Raises SettingsError for an unknown name, an unusable value or an unreadable file.
    """
    import tomlkit

    declared = SETTINGS.get(name)
    if declared is None:
        raise SettingsError(f"There is no setting called {name}.")
    path = file if file is not None else config_file()
    _read_file(path)
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if path.exists() else tomlkit.document()
    section = document.setdefault(declared.section, tomlkit.table())
    if value is None:
        section.pop(name, None)
    else:
        checked = declared.checked(value, "the settings page")
        section[name] = list(checked) if isinstance(checked, tuple) else checked
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(tomlkit.dumps(document), encoding="utf-8")
    temporary.replace(path)


def _read_file(path: Path) -> dict[str, dict[str, Any]]:
    try:
        # Some editors of Windows begin a file with a byte order mark.
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"The settings file {path} is not valid TOML: {error}") from error
    known = {(declared.section, name) for name, declared in SETTINGS.items()}
    for section, content in raw.items():
        names = content if isinstance(content, dict) else {section: content}
        for name in names:
            if (section, name) not in known:
                raise SettingsError(f"Unknown setting {section}.{name} in {path}.", hint="Remove or correct this line.")
    return raw
