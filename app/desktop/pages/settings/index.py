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


def _own() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield section, title, synonyms and buttons of the rows without a declared setting."""
    for group, context, title, words, buttons in (
        (
            "general",
            "LoginRow",
            "Start when you log in",
            _tr("startup autostart launch boot login run automatically"),
            (),
        ),
        ("server", "AddressRow", "Address", _tr("url endpoint localhost host mcp connect"), ["Copy"]),
        (
            *("server", "TokenRow", "Access token"),
            _tr("password authentication credentials bearer security login key"),
            ["Copy", "Replace…"],
        ),
        (
            *("browsers", "CodeRow", "Pair a browser"),
            _tr("extension add-on plugin chrome firefox edge connect browser"),
            ["Show code", "Get extension"],
        ),
        ("browsers", "PairedRow", "Paired browsers", _tr("extension devices unpair disconnect remove browser"), ()),
        (
            *("libraries", "LibrariesSection", "Join a library"),
            _tr("team share sharing collaborate invite colleagues server"),
            ["Join library…"],
        ),
        ("libraries", "JoinedRow", "Joined libraries", _tr("team leave sign in sign out account members"), ()),
        (
            "embedder",
            "StateRow",
            "Model",
            _tr("ai artificial intelligence embedding vectors language model semantic"),
            (),
        ),
        ("embedder", "TestRow", "Self-test", _tr("benchmark speed performance check model"), ["Self-test"]),
        ("storage", "UseRow", "Storage use", _tr("disk space usage size statistics"), ()),
        (
            *("storage", "StorageSection", "Folder"),
            _tr("location path directory data folder where files database"),
            ["Open folder"],
        ),
        ("storage", "StorageSection", "Backup", _tr("back up copy save snapshot"), ["Back up…"]),
        (
            *("storage", "AutomaticRow", "Automatic backups"),
            _tr("restore newest copies snapshots history"),
            ["Restore latest", "Delete backups"],
        ),
        ("storage", "StorageSection", "Restore", _tr("recover import load backup undo"), ["Restore…"]),
        ("storage", "StorageSection", "Check", _tr("verify integrity corruption test library"), ["Check now"]),
        ("storage", "StorageSection", "Repair", _tr("fix damaged corrupt rescue recover"), ["Repair library"]),
        ("storage", "StorageSection", "Start over", _tr("reset start over empty clear new library"), ["Start empty…"]),
        ("storage", "StorageSection", "Compact", _tr("shrink vacuum clean up free disk space"), ["Compact"]),
        ("storage", "StorageSection", "Export", _tr("markdown download files convert"), ["Export all…"]),
        ("secrets", "SecretsSection", "Keyring", _tr("keychain password manager wallet credentials"), ()),
        *(
            ("secrets", "SecretsSection", title, words, ["Test", "Set…", "Remove"])
            for title, words in (
                ("Embedding server key", _tr("api key openai embedding password")),
                ("Google API key", _tr("api key google password")),
                ("Brave API key", _tr("api key brave password")),
                ("Tavily API key", _tr("api key tavily password")),
            )
        ),
        ("privacy", "PrivacySection", "Recorded calls", _tr("clear history delete activity forget"), ["Erase…"]),
        (*("privacy", "PrivacySection", "Saved questions"), _tr("clear history delete questions forget"), ["Erase…"]),
        ("privacy", "DiagnosticsRow", "Diagnostic logging", _tr("debug troubleshooting support verbose"), ()),
        ("privacy", "PrivacySection", "Log folder", _tr("logs log file location path"), ["Open folder"]),
        (
            *("privacy", "PrivacySection", "Delete everything"),
            _tr("erase all wipe factory reset uninstall remove data account"),
            ["Delete…"],
        ),
        (
            "about",
            "AboutSection",
            "WebRAG Desktop {}",
            _tr("version build release system information"),
            ["Copy details"],
        ),
        ("about", "UpdateRow", "Check for updates", _tr("upgrade new version latest download"), ["Check now"]),
        ("about", "AboutSection", "Licenses", _tr("licence open source legal credits"), ["Show…"]),
        ("about", "AboutSection", "Setup", _tr("wizard welcome tutorial onboarding first run setup"), ["Show setup"]),
        ("about", "AboutSection", "Settings file", _tr("configuration config toml path"), ["Open folder"]),
    ):
        of_buttons = "SecretRow" if group == "secrets" else context
        said = tuple(_said(of_buttons, each) for each in buttons)
        yield group, _said(context, title).format(__version__), words, said


def _said(context: str, text: str) -> str:
    return QCoreApplication.translate(context, text) if text else ""
