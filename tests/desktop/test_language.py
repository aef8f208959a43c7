"""The language of the window: chosen, found by the system, and really on the screen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.desktop import language
from app.desktop.language import LANGUAGES, SOURCE, SYSTEM, install_language, speak
from app.errors import FetchTimeoutError
from app.settings import Settings, setting_fields
from catalogue_file import write_catalogue
from catalogue_strings import Message

WORDS = {
    ("TrayMenu", "Quit", ""): "Beenden",
    ("Sidebar", "Pages", ""): "Seiten",
    ("Errors", FetchTimeoutError.title, ""): "Die Website hat nicht rechtzeitig geantwortet",
    ("Errors", FetchTimeoutError.default_hint, ""): "Versuchen Sie es später noch einmal.",
}


class TrayMenu(QObject):
    """Looks texts up as the real one does."""


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small German catalogue, built as the program's is."""
    folder = tmp_path_factory.mktemp("assets")
    source = folder / "translations" / "webrag_de.ts"
    write_catalogue(source, "de_DE", [Message(*key, "x.py") for key in WORDS], WORDS)
    lrelease = Path(sys.executable).with_name("pyside6-lrelease")
    subprocess.run([lrelease, "-silent", source, "-qm", source.with_suffix(".qm")], check=True, timeout=60)
    return folder


@pytest.fixture
def application(qapp: QCoreApplication, assets: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QCoreApplication]:
    monkeypatch.setattr(language, "assets_dir", lambda: assets)
    yield qapp
    install_language(qapp, SOURCE)
    QLocale.setDefault(QLocale("en_US"))


def test_german_reaches_our_texts_qts_own_numbers_and_errors(application: QCoreApplication, qtbot: QtBot) -> None:
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
    assert FetchTimeoutError.title != error.title, "the class stays as assistants know it"


def test_going_back_to_english_leaves_nothing_behind(application: QCoreApplication) -> None:
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
def test_system_language_is_the_first_that_there_is(
    preferred: list[str], taken: str, application: QCoreApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Locale(QLocale):
        def uiLanguages(self) -> list[str]:
            return preferred

    monkeypatch.setattr(language.QLocale, "system", staticmethod(Locale))
    assert install_language(application, SYSTEM) == taken


def test_catalogue_that_is_missing_leaves_english(
    application: QCoreApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "assets_dir", lambda: tmp_path)
    install_language(application, "de")
    assert TrayMenu().tr("Quit") == "Quit"


def test_every_language_can_be_chosen() -> None:
    declared = next(field for field in setting_fields() if field.name == "language")
    assert declared.metadata["choices"] == (SYSTEM, *LANGUAGES)
    assert Settings().language == SYSTEM
