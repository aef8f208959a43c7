"""The language of the window: our catalogue and that of Qt's own dialogs, loaded before the first widget is made."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.errors import WebRAGError
from app.paths import assets_dir
from app.settings import LANGUAGES
from app.text.sentence import Sentence

SYSTEM = "system"
SOURCE = "en"
"""The language that the program is written in: it needs no catalogue."""


def install_language(application: QCoreApplication, choice: str) -> str:
    """Load the catalogues of `choice`, a key of LANGUAGES or `system`; gives the language that was taken.

    What is on the screen already keeps its words, so a change counts from the next start.
    """
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.setParent(None)
    language = system_language() if choice == SYSTEM else choice
    QLocale.setDefault(locale_of(language))
    if language != SOURCE:
        _load(application, f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        _load(application, f"webrag_{language}", str(assets_dir() / "translations"))
    return language


def system_language() -> str:
    """The first language of the computer that there is a catalogue for, else the source language."""
    wanted = (name.replace("_", "-").split("-", 1)[0] for name in QLocale.system().uiLanguages())
    return next((name for name in wanted if name in LANGUAGES), SOURCE)


def locale_of(language: str) -> QLocale:
    """Numbers and dates: the language's words in the habits of the computer's country."""
    system = QLocale.system()
    kind = QLocale(language).language()
    if system.language() is QLocale.Language.C:
        # A computer that names no country gets days before months and 24 hours, as most of the world writes them.
        return QLocale("en_GB") if language == SOURCE else QLocale(kind)
    return system if system.language() is kind else QLocale(kind, system.territory())


def translator(context: str) -> Callable[[str], str]:
    """What a module says by `_tr(text)` where no QObject has a `tr` of its own; `context` is that of the catalogue."""
    return partial(QCoreApplication.translate, context)


def speak(error: WebRAGError) -> WebRAGError:
    """The error with title and hint in the window's language, and its message where that is a sentence; `str(error)`, which the log and
    assistants get, stays as it is."""
    error.message = spoken(error.message)
    error.title = QCoreApplication.translate("Errors", error.title)
    error.hint = QCoreApplication.translate("Errors", error.hint) if error.hint else ""
    return error


def spoken(text: str) -> str:
    """A sentence of another package in the window's language; what no catalogue knows stays as it is."""
    if not isinstance(text, Sentence):
        return _said(text)
    template = _said(text.template)
    return template.format(*map(spoken, text.values)) if text.values else template


def _said(text: str) -> str:
    """What other packages report, or the hint of an error that is passed on as a report."""
    said = QCoreApplication.translate("Notes", text) if text else ""
    return QCoreApplication.translate("Errors", text) if text and said == text else said


def _load(application: QCoreApplication, name: str, folder: str) -> None:
    """A catalogue that is missing leaves its texts in English."""
    catalogue = QTranslator(application)
    if catalogue.load(name, folder):
        application.installTranslator(catalogue)
