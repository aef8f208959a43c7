"""Language of the window: selected, detected from the system, and visible on the screen."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.clients.checks import Check, CheckEvent
from app.clients.hosts import CLIENTS
from app.clients.monitor import restart_due
from app.clients.profile import ConfigLocation, ServerCommand
from app.clients.registrar import ClientState
from app.desktop import wording
from app.desktop.dialogs.add.pages import warnings_of
from app.desktop.flags import flagged
from app.desktop.models.assistants import Assistant, explanation, report_text
from app.desktop.models.document import _moment
from app.desktop.sidebar import BESIDE, SIDEBAR_WIDTH, Sidebar
from app.desktop.wording import LANGUAGES, SOURCE, SYSTEM, install_language, key_name, key_text, size, speak, spoken
from app.errors import AddressDeniedError, FetchTimeoutError
from app.extract.html import NOT_FOUND_NOTE
from app.ingest.crawling.preview import PagePreview
from app.settings import SETTINGS, Settings
from app.text.sentence import joined, sentence
from app.text.shield import SPEAKS
from app.web.address import AddressPolicy
from app.web.exchange import deny_redirect, status_error, transport_error
from catalogue_file import read_catalogue, write_catalogue
from catalogue_strings import Message
from translate import build_catalogue

CLAUDE_DESKTOP = next(profile for profile in CLIENTS if profile.name == "claude-desktop")

WORDS = {
    ("TrayMenu", "Quit", ""): "Beenden",
    ("Sidebar", "Pages", ""): "Seiten",
    ("Errors", FetchTimeoutError.title, ""): "Die Website hat nicht rechtzeitig geantwortet",
    ("Errors", FetchTimeoutError.default_hint, ""): "Versuchen Sie es später noch einmal.",
    ("Notes", "Put the entry back. {}", ""): "Den Eintrag wiederherstellen. {}",
    ("Notes", "Start {0} in {1}.", ""): "In {1} {0} starten.",
    ("Notes", "encoded path", ""): "codierter Pfad",
    ("Notes", SPEAKS, ""): "richtet sich an den Assistenten",
    ("Notes", "readable", ""): "lesbar",
    ("Notes", "{}, {} free", ""): "{}, {} frei",
    ("Notes", "{} files skipped: {}.", ""): "{} Dateien übersprungen: {}.",
    ("Notes", "no", ""): "nein",
    ("Notes", NOT_FOUND_NOTE, ""): "Die Seite wurde nicht gefunden.",
    ("Notes", "{} has not read its new configuration yet.", ""): "{} kennt den Eintrag noch nicht.",
    ("Notes", CLAUDE_DESKTOP.after_change, ""): "Claude Desktop neu starten.",
    ("Notes", "{} refused the connection.", ""): "{} hat die Verbindung abgelehnt.",
    ("Notes", "{} is blocked: it leads to {}{}.", ""): "{} ist gesperrt: Die Adresse führt zu {}{}.",
    ("Notes", "a private network", ""): "einem privaten Netz",
    ("Notes", "{} redirects to a blocked address. {}", ""): "{} leitet zu einer gesperrten Adresse. {}",
    ("Notes", "{} has no page at this address (404).", ""): "{} hat unter dieser Adresse keine Seite (404).",
}


class TrayMenu(QObject):
    """Looks texts up like the real menu."""


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a folder with a small German catalogue in the same way as the program's."""
    folder = tmp_path_factory.mktemp("assets")
    source = folder / "translations" / "webrag_de.ts"
    write_catalogue(source, "de_DE", [Message(*key, "x.py") for key in WORDS], WORDS)
    build_catalogue(source)
    return folder


@pytest.fixture
def application(qapp: QCoreApplication, assets: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QCoreApplication]:
    monkeypatch.setattr(wording, "assets_dir", lambda: assets)
    yield qapp
    install_language(qapp, SOURCE)
    QLocale.setDefault(QLocale("en_US"))


def test_german_applies_to_our_texts_qt_texts_numbers_and_errors(application: QCoreApplication, qtbot: QtBot) -> None:
    assert install_language(application, "de") == "de"
    assert TrayMenu().tr("Quit") == "Beenden"
    assert TrayMenu().tr("not translated") == "not translated"
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.buttons()[0].text().replace("&", "") == "Abbrechen"
    assert QLocale().toString(1234567) == "1.234.567"
    error = speak(FetchTimeoutError("No answer within 20 s."))
    assert error.title == "Die Website hat nicht rechtzeitig geantwortet"
    assert error.message == "No answer within 20 s."
    assert FetchTimeoutError.title != error.title, "assistants still get the English title"


def test_sentences_of_other_packages_are_translated(application: QCoreApplication) -> None:
    inner = sentence("Start {0} in {1}.", "a {}", "Zed")
    said = sentence("Put the entry back. {}", inner)
    assert spoken(said) == said == "Put the entry back. Start a {} in Zed."
    install_language(application, "de")
    assert spoken(said) == "Den Eintrag wiederherstellen. In Zed a {} starten."
    assert spoken(joined([inner, "unknown {}"])) == "In Zed a {} starten. unknown {}"
    assert spoken("encoded path") == "codierter Pfad", "a stored text is recognized by its words"
    assert spoken(FetchTimeoutError.default_hint) == "Versuchen Sie es später noch einmal."
    assert spoken("") == "" and said == "Put the entry back. Start a {} in Zed."


def test_a_stored_or_received_sentence_is_recognized_by_its_words(application: QCoreApplication) -> None:
    stored = "a.test redirects to a blocked address. 10.0.0.7 is blocked: it leads to a private network."
    hint = FetchTimeoutError.default_hint
    assert spoken(stored) == stored
    install_language(application, "de")
    assert (
        spoken(stored)
        == "a.test leitet zu einer gesperrten Adresse. 10.0.0.7 is blocked: it leads to a private network."
    )
    assert spoken(f"a.test refused the connection. {hint}").startswith("a.test hat die Verbindung abgelehnt. Versuchen")
    assert spoken(f"b.test has no page at this address (404). {hint}").endswith(
        "keine Seite (404). Versuchen Sie es später noch einmal."
    )
    assert spoken("Start the engine in peace.") == "Start the engine in peace.", "too few words to recognize it"
    for text in ("", " ", "x" * 5_000, "Nobody knows this. Nor that.", ". . . "):
        assert spoken(text) == text


def test_names_in_sentences_stay_and_adjacent_sentences_are_recognized_separately(
    application: QCoreApplication,
) -> None:
    install_language(application, "de")
    both = ("no refused the connection.", "{0} %1 <b> refused the connection.")
    said = ("no hat die Verbindung abgelehnt.", "{0} %1 <b> hat die Verbindung abgelehnt.")
    assert spoken(sentence("{} refused the connection.", "no")) == said[0], "a name that is also a word in the catalog"
    assert spoken(sentence("{} refused the connection.", sentence("no"))) == "nein hat die Verbindung abgelehnt."
    assert tuple(map(spoken, both)) == said
    assert spoken(" ".join(both)) == " ".join(said)
    assert spoken(f"{' '.join(both)} Nobody knows this.") == f"{' '.join(both)} Nobody knows this."


async def test_the_reason_of_a_failed_page_is_translated_in_the_window_and_english_for_assistants(
    application: QCoreApplication,
) -> None:
    install_language(application, "de")
    refused = httpx.ConnectError("failed")
    refused.__cause__ = ConnectionRefusedError()
    with pytest.raises(AddressDeniedError) as denied:
        await AddressPolicy().resolve("10.0.0.7", 80)
    met = (
        (
            transport_error(refused, "https://a.test/", 20),
            "a.test hat die Verbindung abgelehnt.",
            "refused the connection",
        ),
        (
            status_error(404, "https://a.test/", None),
            "a.test hat unter dieser Adresse keine Seite (404).",
            "has no page",
        ),
        (
            denied.value,
            "10.0.0.7 ist gesperrt: Die Adresse führt zu einem privaten Netz.",
            "leads to a private network.",
        ),
        (
            deny_redirect(denied.value, "https://a.test/", "http://10.0.0.7/"),
            "a.test leitet zu einer gesperrten Adresse. 10.0.0.7 ist gesperrt: Die Adresse führt zu einem privaten Netz.",
            "a.test redirects to a blocked address. 10.0.0.7 is blocked: it leads to a private network.",
        ),
    )
    for error, german, english in reversed(met):
        assert english in error.message
        assert speak(error).message == german
        assert english in str(error)


def test_the_window_translates_reports_of_other_packages(application: QCoreApplication, tmp_path: Path) -> None:
    install_language(application, "de")
    assert flagged((SPEAKS,)).endswith("richtet sich an den Assistenten")
    look = PagePreview("https://a.test/", "A", "en", 1, 1, 0, "", note=NOT_FOUND_NOTE, flags=(SPEAKS,))
    (note, flags) = (text for _, text in warnings_of(look, look.url))
    assert note == "Die Seite wurde nicht gefunden." and "richtet sich an den Assistenten" in flags
    assert "lesbar" in report_text([CheckEvent("Zed", "/file", Check("file", True, sentence("readable")))])
    finding = restart_due(CLAUDE_DESKTOP, ConfigLocation(tmp_path / "file", tmp_path))
    state = ClientState("claude-desktop", "Claude Desktop", True, ())
    shown = Assistant("claude-desktop", "Claude Desktop", CLAUDE_DESKTOP, state, ServerCommand("webrag", ()), finding)
    assert explanation(shown) == "Claude Desktop kennt den Eintrag noch nicht. Claude Desktop neu starten."


def test_switching_back_to_english_removes_all_translations(application: QCoreApplication) -> None:
    install_language(application, "de")
    install_language(application, "en")
    assert TrayMenu().tr("Quit") == "Quit"
    assert QLocale().toString(1234567) == "1,234,567"


@pytest.mark.parametrize(
    ("preferred", "taken"),
    [
        (["de-AT", "de", "en-GB"], "de"),
        (["de_CH"], "de"),
        (["fr-FR", "de-DE"], "de"),
        (["en-GB", "de-DE"], "en"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_system_language_is_the_first_available_one(
    preferred: list[str], taken: str, application: QCoreApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Locale(QLocale):
        def uiLanguages(self) -> list[str]:
            return preferred

    monkeypatch.setattr(wording.QLocale, "system", staticmethod(Locale))
    assert install_language(application, SYSTEM) == taken


def test_a_missing_catalogue_leaves_texts_in_english(
    application: QCoreApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wording, "assets_dir", lambda: tmp_path)
    install_language(application, "de")
    assert TrayMenu().tr("Quit") == "Quit"


def test_german_page_names_fit_the_sidebar(qapp: QApplication) -> None:
    catalogue = read_catalogue(wording.assets_dir() / "translations" / "webrag_de.ts")
    names = ("Home", "Library", "Search", "Scratch", "Activity", "Clients", "Settings")
    titles = ("Home", "Library", "Search", "Recent passages", "Activity", "Assistants", "Settings")
    bold = QFont(qapp.font())
    bold.setBold(True)
    shown = [catalogue[f"{name}Page", title, ""] for name, title in zip(names, titles, strict=True)]
    wide = [each for each in shown if QFontMetrics(bold).horizontalAdvance(f"  {each}") + BESIDE > SIDEBAR_WIDTH]
    assert wide == []


SLIPS = {
    "a space before the ellipsis of a command": re.compile(r"\w …(?:$|[.:)])"),
    "a decimal point": re.compile(r"(?<![\w.])\d+\.\d+(?= ?(?:[kMGT]i?B|%|ms?|s|k|M|Sekunden|Minuten)\b)"),
    "keys with their English names": re.compile(r"\bCtrl\b|\bShift\+|\bDel\b|\+Space\b"),
    "no space before the percent sign": re.compile(r"[\d}]%"),
    "“startet” of what is started": re.compile(r"^Startet…"),
    "variables and extras of the package": re.compile(r"\b[A-Z]{3,}_[A-Z]+|\w\[[a-z]+\]"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_german_texts_format_numbers_keys_and_ellipses_consistently(slip: str) -> None:
    catalogue = read_catalogue(wording.assets_dir() / "translations" / "webrag_de.ts")
    assert [text for text in catalogue.values() if SLIPS[slip].search(text)] == []


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("Neue Sammlung …", "a space before the ellipsis of a command"),
        ("Noch 69.5 GB frei", "a decimal point"),
        ("Mit Ctrl+K suchen", "keys with their English names"),
        ("Privat (WEBRAG_ALLOW_NETWORKS)", "variables and extras of the package"),
        ("webrag-desktop[render] installieren", "variables and extras of the package"),
    ],
)
def test_such_inconsistencies_are_found(text: str, slip: str) -> None:
    assert SLIPS[slip].search(text)


def test_keys_and_amounts_are_formatted_in_the_language(application: QCoreApplication) -> None:
    assert install_language(application, "de") == "de"
    assert key_text("Ctrl+Alt+Space") == "Strg+Alt+Leertaste"
    assert key_name("Strg+Alt+Leertaste") == key_name("Ctrl+Alt+Space") == "Ctrl+Alt+Space"
    assert (key_text("no key at all"), key_name("")) == ("no key at all", "")
    sidebar = Sidebar([SimpleNamespace(name="home", title="Start", icon_name="home")])
    assert sidebar.buttons["home"].toolTip() == "Start (Strg+1)"
    assert spoken(sentence("{}, {} free", "/srv", "69.5 GB")) == "/srv, 69,5 GB frei"
    assert spoken(sentence("{} files skipped: {}.", "1,031", sentence("{} {}", "1,031", "x"))).startswith("1.031 ")
    assert spoken(sentence("The folder {} was removed.", "3.11")).count("3.11") == 1, "a name is not translated"
    assert size(35_600_000) == "35,6 MB"


def test_a_date_is_shown_once(application: QCoreApplication) -> None:
    install_language(application, "de")
    long_ago = datetime(2022, 12, 28, 12, 0, tzinfo=UTC).timestamp()
    assert _moment(long_ago).count("28.12.22") == 1
    assert _moment(time.time() - 7_300).endswith(")"), "a short age follows the date"


def test_every_language_can_be_selected() -> None:
    assert SETTINGS["language"].choices == (SYSTEM, *LANGUAGES)
    assert Settings().language == SYSTEM
