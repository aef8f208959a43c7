"""The search index of the Settings page: its sections, rows and buttons with synonyms, available before the page is built.

The synonyms of declared settings are in assets/settings.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app import __version__
from app.desktop.wording import translator
from app.settings import SETTINGS

_tr = translator("SettingsIndex")


@dataclass(frozen=True, slots=True)
class Findable:
    """A row with the index of its section, its title, synonyms and buttons."""

    place: int
    title: str
    words: str
    buttons: tuple[str, ...] = ()


def section_titles() -> tuple[str, ...]:
    """Return the section titles in order."""
    return tuple(_sections().values())


def findable() -> list[Findable]:
    """Return all rows in the order of the sections."""
    places = {group: place for place, group in enumerate(_sections())}
    declared = [
        Findable(places[spec.group], _said("Settings", spec.title), _said("Settings", spec.words))
        for setting in SETTINGS.values()
        if (spec := setting.row) is not None
    ]
    own = [Findable(places[group], title, words, buttons) for group, title, words, buttons in _own()]
    return sorted((*declared, *own), key=lambda row: row.place)


def words_of_section(title: str) -> dict[str, str]:
    """Return the synonyms of the rows of a section by row title."""
    place = section_titles().index(title) if title in section_titles() else -1
    return {row.title: row.words.casefold() for row in findable() if row.place == place}


def _sections() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "general": translate("GeneralSection", "General"),
        "server": translate("ServerSection", "Server"),
        "tools": translate("ToolsSection", "Tools"),
        "browsers": translate("BrowsersSection", "Browsers"),
        "crawling": translate("CrawlingSection", "Crawling"),
        "answers": translate("AnswersSection", "Answers"),
        "graph": translate("GraphSection", "Graph"),
        "provider": translate("ProviderSection", "Search provider"),
        "libraries": translate("LibrariesSection", "Shared libraries"),
        "embedder": translate("EmbedderSection", "Search model"),
        "storage": translate("StorageSection", "Storage"),
        "secrets": translate("SecretsSection", "API keys"),
        "privacy": translate("PrivacySection", "Privacy"),
        "about": translate("AboutSection", "About"),
    }


GROUPS = {
    "LoginRow": "general",
    "AddressRow": "server",
    "TokenRow": "server",
    "CodeRow": "browsers",
    "PairedRow": "browsers",
    "LibrariesSection": "libraries",
    "JoinedRow": "libraries",
    "StateRow": "embedder",
    "Models": "embedder",
    "TestRow": "embedder",
    "UseRow": "storage",
    "StorageSection": "storage",
    "AutomaticRow": "storage",
    "SecretsSection": "secrets",
    "PrivacySection": "privacy",
    "DiagnosticsRow": "privacy",
    "AboutSection": "about",
    "UpdateRow": "about",
}
"""The section of each class with rows that do not declare a setting. The classes are the contexts of the translations."""


def _own() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield section, title, synonyms and buttons of the rows without a declared setting."""
    keys = "Test|Set…|Remove"
    for context, title, buttons, words in (
        ("LoginRow", "Start when you log in", "", _tr("startup autostart launch boot login run automatically")),
        ("AddressRow", "Address", "Copy", _tr("url endpoint localhost host mcp connect")),
        (
            "TokenRow",
            "Access token",
            "Copy|Replace…",
            _tr("password authentication credentials bearer security login key"),
        ),
        (
            "CodeRow",
            "Pair a browser",
            "Show code|Get extension",
            _tr("extension add-on plugin chrome firefox edge connect browser"),
        ),
        ("PairedRow", "Paired browsers", "", _tr("extension devices unpair disconnect remove browser")),
        (
            "LibrariesSection",
            "Join a library",
            "Join library…",
            _tr("team share sharing collaborate invite colleagues server"),
        ),
        ("JoinedRow", "Joined libraries", "", _tr("team leave sign in sign out account members")),
        ("StateRow", "Model", "", _tr("ai artificial intelligence embedding vectors language model semantic")),
        ("Models", "Choose a model", "Use this model|Folder…", _tr("download multilingual languages embedding folder")),
        ("TestRow", "Self-test", "Self-test", _tr("benchmark speed performance check model")),
        ("UseRow", "Storage use", "", _tr("disk space usage size statistics")),
        ("StorageSection", "Folder", "Open folder", _tr("location path directory data folder where files database")),
        ("StorageSection", "Backup", "Back up…", _tr("back up copy save snapshot")),
        (
            "AutomaticRow",
            "Automatic backups",
            "Restore latest|Delete backups",
            _tr("restore newest copies snapshots history"),
        ),
        ("StorageSection", "Restore", "Restore…", _tr("recover import load backup undo")),
        ("StorageSection", "Check", "Check now", _tr("verify integrity corruption test library")),
        ("StorageSection", "Repair", "Repair library", _tr("fix damaged corrupt rescue recover")),
        ("StorageSection", "Start over", "Start empty…", _tr("reset start over empty clear new library")),
        ("StorageSection", "Compact", "Compact", _tr("shrink vacuum clean up free disk space")),
        ("StorageSection", "Export", "Export all…", _tr("markdown download files convert")),
        ("SecretsSection", "Keyring", "", _tr("keychain password manager wallet credentials")),
        ("SecretsSection", "Embedding server key", keys, _tr("api key openai embedding password")),
        ("SecretsSection", "Google API key", keys, _tr("api key google password")),
        ("SecretsSection", "Brave API key", keys, _tr("api key brave password")),
        ("SecretsSection", "Tavily API key", keys, _tr("api key tavily password")),
        ("PrivacySection", "Recorded calls", "Erase…", _tr("clear history delete activity forget")),
        ("PrivacySection", "Saved questions", "Erase…", _tr("clear history delete questions forget")),
        ("DiagnosticsRow", "Diagnostic logging", "", _tr("debug troubleshooting support verbose")),
        ("PrivacySection", "Log folder", "Open folder", _tr("logs log file location path")),
        (
            "PrivacySection",
            "Delete everything",
            "Delete…",
            _tr("erase all wipe factory reset uninstall remove data account"),
        ),
        ("AboutSection", "WebRAG Desktop {}", "Copy details", _tr("version build release system information")),
        ("UpdateRow", "Check for updates", "Check now", _tr("upgrade new version latest download")),
        ("AboutSection", "Licenses", "Show…", _tr("licence open source legal credits")),
        ("AboutSection", "Setup", "Show setup", _tr("wizard welcome tutorial onboarding first run setup")),
        ("AboutSection", "Settings file", "Open folder", _tr("configuration config toml path")),
    ):
        said = tuple(
            _said("SecretRow" if buttons == keys else context, each) for each in filter(None, buttons.split("|"))
        )
        yield GROUPS[context], _said(context, title).format(__version__), words, said


def _said(context: str, text: str) -> str:
    return QCoreApplication.translate(context, text) if text else ""
