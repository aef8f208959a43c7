"""The language of the window: translation catalogs, loaded before the first widget, and formatting of numbers, times and addresses."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from html import escape
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import SplitResult, urlsplit

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLibraryInfo, QLocale, QTime, QTranslator, QUrl
from PySide6.QtGui import QKeySequence, Qt

from app.client_limits import GENERIC, limits_of
from app.errors import WebRAGError
from app.paths import assets_dir
from app.settings import LANGUAGES
from app.text.sentence import Sentence

SYSTEM = "system"
SOURCE = "en"  # The source language, which does not need a catalog.
RECOGNISED: Final = 1_024  # Number of texts from other packages whose translation is cached for repaints of tables.
MOST_CHARS: Final = 1_000  # Maximum length of a text to match with sentence templates.
MOST_SENTENCES: Final = 8  # Maximum number of sentences to match one by one.
MAX_TITLE_CHARS: Final = 60  # Maximum length of a page title in a message.
LEAST_CHARS: Final = 12  # Minimum number of literal characters in a template that is matched by its text.

_AMOUNT: Final = re.compile(r"([0-9]{1,9}\.[0-9]) ([kMGT]?B)")
"""Byte sizes, and below counts, in the format of other packages."""
_COUNT: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,5}")

_installed: Final[list[Path]] = []  # The file with the sentence templates of the language, if any.

log = logging.getLogger(__name__)


def install_language(application: QCoreApplication, choice: str) -> str:
    """Load the catalogs of `choice`, a key of LANGUAGES or `system`, and return the language.

    Visible text is not updated, so a change takes effect at the next start.
    """
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.setParent(None)
    language = system_language() if choice == SYSTEM else choice
    _installed.clear()
    _recognised.cache_clear()
    QLocale.setDefault(locale_of(language))
    if language != SOURCE:
        _load(application, f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        _load(application, f"webrag_{language}", str(assets_dir() / "translations"))
        _installed.append(assets_dir() / "translations" / f"webrag_{language}.json")
    return language


def system_language() -> str:
    """Return the first system language with a catalog, or the source language."""
    wanted = (name.replace("_", "-").split("-", 1)[0] for name in QLocale.system().uiLanguages())
    return next((name for name in wanted if name in LANGUAGES), SOURCE)


def locale_of(language: str) -> QLocale:
    """Return the locale for numbers and dates: the language with the formats of the system's country."""
    system = QLocale.system()
    kind = QLocale(language).language()
    if system.language() is QLocale.Language.C:
        # Without a country, use day before month and 24 hours, like most of the world.
        return QLocale("en_GB") if language == SOURCE else QLocale(kind)
    return system if system.language() is kind else QLocale(kind, system.territory())


def translator(context: str) -> Callable[[str], str]:
    """Return a `_tr(text)` function for modules without a QObject; `context` is the context in the catalog."""
    return partial(QCoreApplication.translate, context)


def speak(error: WebRAGError) -> WebRAGError:
    """Return the error with title, hint and, if it is a Sentence, message in the window's language.

    `str(error)`, used by logs and assistants, stays in English.
    """
    error.message, error.hint = spoken(error.message), spoken(error.hint)
    error.title = QCoreApplication.translate("Errors", error.title)
    return error


def declared_text(text: str) -> str:
    """Translate a text of the Settings page that its files in assets/ declare."""
    return QCoreApplication.translate("Settings", text) if text else ""


def spoken(text: str) -> str:
    """Translate a sentence of another package, even if it was stored or sent as plain text. Unknown text is returned unchanged."""
    if not isinstance(text, Sentence):
        said = _said(text)
        return _recognised(text) if said == text else said
    return _filled(text.template, text.values)


def _filled(template: str, values: Sequence[str]) -> str:
    said = _said(template)
    return said.format(*map(_value, values)) if values else said


def _value(text: str) -> str:
    """Format a value of a sentence. A single plain word is a name and is not translated, because a library can be called `no`."""
    if amount := _AMOUNT.fullmatch(text):
        return f"{decimal(float(amount[1]), 1)} {amount[2]}"
    if _COUNT.fullmatch(text):
        return number(int(text.replace(",", "")))
    return spoken(text) if isinstance(text, Sentence) or " " in text else text


def _said(text: str) -> str:
    """Translate a report of another package, or the hint of an error."""
    said = QCoreApplication.translate("Notes", text) if text else ""
    return QCoreApplication.translate("Errors", text) if text and said == text else said


@lru_cache(maxsize=RECOGNISED)
def _recognised(text: str) -> str:
    """Translate plain text by its template or, failing that, its last sentences by the catalog. Returns unknown text unchanged."""
    if len(text) > MOST_CHARS or not _installed:
        return text
    cuts = [(text[: end.start() + 1], text[end.end() :]) for end in re.finditer(r"\. ", text)]
    for head, rest in cuts:
        if (said := _said(rest)) != rest:
            return f"{spoken(head)} {said}"
    for head, rest in cuts[:MOST_SENTENCES]:
        made = _made_from(head)
        if made is not None and made[0].endswith(".") and (said := spoken(rest)) != rest:
            return f"{_filled(*made)} {said}"
    made = _made_from(text)
    return text if made is None else _filled(*made)


def _made_from(text: str) -> tuple[str, list[str]] | None:
    """Find the template of a text and return it with the values."""
    for template, parts in _templates(_installed[0]):
        if (values := _values(text, parts)) is not None:
            return template, values
    return None


def _values(text: str, parts: Sequence[str]) -> list[str] | None:
    """Return the values of a text between the parts of a template, or None if it does not match."""
    if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return None
    values, at = [], len(parts[0])
    for part in parts[1:-1]:
        found = text.find(part, at + 1)
        if found < 0:
            return None
        values.append(text[at:found])
        at = found + len(part)
    end = len(text) - len(parts[-1])
    return [*values, text[at:end]] if at < end else None


@lru_cache(maxsize=1)
def _templates(file: Path) -> list[tuple[str, list[str]]]:
    """Return the templates with values in order, split at the values, longest first. assets/translate.py writes the file."""
    try:
        sources = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        log.warning("WebRAG cannot translate recorded sentences: %s", error)
        return []
    known = [(source, re.split(r"\{\d*\}", source)) for source in sources]
    known = [each for each in known if len("".join(each[1])) >= LEAST_CHARS and all(each[1][1:-1])]
    return sorted(known, key=lambda each: -len("".join(each[1])))


def _load(application: QCoreApplication, name: str, folder: str) -> None:
    """Load a catalog. If it is missing, texts stay in English."""
    catalogue = QTranslator(application)
    if catalogue.load(name, folder):
        application.installTranslator(catalogue)


_tr = translator("Wording")

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


def _local(moment: float) -> datetime:
    return datetime.fromtimestamp(moment, tz=UTC).astimezone()


def counted(count: int, one: str, many: str) -> str:
    """`one` for a single thing, else `many` with the count in the place of its braces."""
    return one if count == 1 else many.format(number(count))


def number(value: int) -> str:
    """Format a number for the user's locale, such as 1,234,567."""
    return QLocale().toString(value)


def decimal(value: float, digits: int | None = None) -> str:
    """A number with so many decimal places, as few as say it exactly unless given."""
    return QLocale().toString(
        value, "f", QLocale.FloatingPointPrecisionOption.FloatingPointShortest if digits is None else digits
    )


def percent(share: float, digits: int = 0) -> str:
    """A share of 1 as 62 %."""
    return _tr("{}%").format(decimal(100 * share, digits))


def short_number(value: int) -> str:
    """1234567 as 1.2 M, for tiles."""
    if value < 10_000:
        return number(value)
    if value < 1_000_000:
        return f"{decimal(value / 1000, 1)} k"
    return f"{decimal(value / 1_000_000, 1)} M"


def size(value: int) -> str:
    """Bytes as kB, MB, GB."""
    return QLocale().formattedDataSize(value, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def rough_size(value: int) -> str:
    """An estimate of bytes with two digits: 2.1 MB, 530 kB."""
    rounded = round(value, 2 - len(str(value)))
    decimals = int(len(str(rounded)) % 3 == 1)
    return QLocale().formattedDataSize(rounded, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)


def key_text(keys: str) -> str:
    """Ctrl+K as the language and the system write it: Strg+K, ⌘K. Other texts stay as they are."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) or keys


def key_name(written: str) -> str:
    """Ctrl+K for keys as `key_text` writes them. Other texts stay as they are."""
    keys = QKeySequence.fromString(written, QKeySequence.SequenceFormat.NativeText)
    return keys.toString(QKeySequence.SequenceFormat.PortableText) or written


def duration(milliseconds: float) -> str:
    """A wall time: 38 ms, 1.2 s, 2 min 5 s."""
    if round(milliseconds) < 1000:
        return f"{number(round(milliseconds))} ms"
    seconds = milliseconds / 1000
    if round(seconds, 1) < 60:
        return f"{decimal(seconds, 1)} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{number(minutes)} min {number(rest)} s"


def ago(moment: float, *, now: float | None = None) -> str:
    """How long ago, in the largest unit that says enough."""
    if moment <= 0:
        return _tr("never")
    passed = max(0.0, (time.time() if now is None else now) - moment)
    if passed < MINUTE:
        return _tr("just now")
    if passed < HOUR:
        return counted(int(passed // MINUTE), _tr("1 minute ago"), _tr("{} minutes ago"))
    if passed < DAY:
        return counted(int(passed // HOUR), _tr("1 hour ago"), _tr("{} hours ago"))
    if passed < 30 * DAY:
        return counted(int(passed // DAY), _tr("yesterday"), _tr("{} days ago"))
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(moment)).date(), QLocale.FormatType.ShortFormat)


def clock(moment: float) -> str:
    """The time of a call in the user's locale: today 14:03:27, else 20 Nov 14:03."""
    when = _local(moment)
    time_of_day = QTime(when.hour, when.minute, when.second)
    minutes = QLocale().timeFormat(QLocale.FormatType.ShortFormat)
    if when.date() == _local(time.time()).date():
        return QLocale().toString(time_of_day, minutes if "s" in minutes else minutes.replace("mm", "mm:ss"))
    return f"{day_and_month(when.date())} {QLocale().toString(time_of_day, minutes)}"


def playing_time(seconds: int) -> str:
    """Return a position in a recording as in the headings of subtitles: 01:02:00."""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def has_twelve_hours() -> bool:
    """Whether times of the user's locale end in AM or PM, and so are longer."""
    return "a" in QLocale().timeFormat(QLocale.FormatType.ShortFormat).lower()


def day_and_month(day: date) -> str:
    """20 Nov, for a day of these weeks."""
    return QLocale().toString(QDate(day.year, day.month, day.day), _tr("d MMM"))


def long_day(day: date) -> str:
    """A day with its weekday, month and year in words."""
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


def full_time(moment: float) -> str:
    """Date and time in the user's locale."""
    if moment <= 0:
        return _tr("never")
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(moment)), QLocale.FormatType.ShortFormat)


def local_path(url: str) -> str:
    """The path of a local file by its address; nothing for any other address."""
    return QUrl(url).toLocalFile() if url.startswith("file:") else ""


def file_or_address(target: str) -> str:
    """A path with ~ for the home folder, an address without its scheme."""
    return short_path(local_path(target) or plain_address(target))


def short_path(path: str) -> str:
    """A path with ~ in the place of the home folder, to be read; not to be opened."""
    home = Path.home().as_posix()
    return f"~{path[len(home) :]}" if path.replace("\\", "/").startswith(f"{home}/") else path


def with_short_paths(text: str) -> str:
    """A sentence with ~ in the place of the home folder."""
    home = str(Path.home())
    return text.replace(f"{home}/", "~/").replace(f"{home}\\", "~\\")


def site_of(url: str) -> str:
    """The host as people know it, without www; the folder of a local file."""
    if path := local_path(url):
        return PurePath(path).parent.name or path
    host = split_address(url).hostname or url
    return host.removeprefix("www.")


def split_address(url: str) -> SplitResult:
    """The parts of an address; all of a malformed one, as an assistant can give it, is its path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def short_title(title: str) -> str:
    """A title on one line as a message names it, cut at its end."""
    words = " ".join(title.split())
    return words if len(words) <= MAX_TITLE_CHARS else f"{words[:MAX_TITLE_CHARS]}…"


def plain_address(url: str) -> str:
    """The address without its scheme."""
    return url.split("://", 1)[-1].rstrip("/")


@lru_cache(maxsize=256)
def assistant_title(client: str) -> str:
    """The name people know an assistant by, from the one it gives: Claude Desktop for claude-ai. Unknown ones stay."""
    limits = limits_of(client)
    return client if limits is GENERIC else limits.title


def plain_tip(text: str) -> str:
    """A tooltip of these very characters; Qt guesses by the beginning whether a text is HTML, and would load images."""
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>' if Qt.mightBeRichText(text) else text
