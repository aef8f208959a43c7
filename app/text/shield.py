"""Detect passages that address the assistant instead of the reader, and addresses that may carry data away.

Flagged text is never dropped: the flag warns the assistant and the user. The wordings are phrases searched in lowercase text with single
spaces. All repetitions are bounded, so that no text takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from app.paths import asset_table
from app.text.scripts import normalized
from app.text.sentence import sentence
from app.text.wordings import filled

MAX_FLAGS_REMEMBERED: Final = 1_024  # The number of texts whose flags are cached: the same passages appear repeatedly.
ENCODED_RUN_CHARS: Final = 150  # The length from which encoded text is flagged; a SHA-512 in hexadecimal is shorter.
ESCAPED_RUN_UNITS: Final = 24  # The number of consecutive escaped characters from which a passage is flagged.
ENCODED_PATH_CHARS: Final = 130
ENCODED_VALUE_CHARS: Final = 96
LONG_QUERY_CHARS: Final = 400
SPEAKS: Final = sentence("speaks to the assistant")
POSES: Final = sentence("poses as part of the conversation")
CALLS: Final = sentence("asks for a tool call")
HIDES: Final = sentence("asks to hide something from the user")
SENDS: Final = sentence("asks to send data away")
ENCODED: Final = sentence("long encoded text")
LONG_QUERY: Final = sentence("long query string")
ENCODED_QUERY: Final = sentence("encoded query string")
ENCODED_PATH: Final = sentence("encoded path")
MIXED_SHARE: Final = 0.28
"""The share of adjacent characters that differ in case or by being a digit: 0.45 in hexadecimal, 0.6 in Base64, below 0.2 in names."""
UNREADABLE_CHARS: Final = 8
SECTION_NAMES: Final = (
    "SOURCES", "EVIDENCE", "IMAGES", "EXPANSION TRACE", "CITATIONS", "STATS", "ERROR", "CORPUS STATUS", "INGESTED",
)  # fmt: skip
"""Section names in tool results, in brackets on their own line."""
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_COMBINING: Final = re.compile("[\u0300-\u036f\u20d0-\u20ff]")
_LOOKALIKES: Final = str.maketrans(
    "АВЕКМНОРСТХУІЈЅԀԌԚԜаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινΕᴀᴄᴅᴇɪᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢｏᎪᏟᎬᎻᎷᎢᏒᏚꓮꓚꓓꓰꓲꓠꓳꓑꓣꓢꓔꓴ🅰🅲🅳🅴🅸🅽🅾🅿🆁🆂🆃🆄"
    "【〔〖〘〚⟦⟨❲⦋⁅「『﹝】〕〗〙〛⟧⟩❳⦌⁆」』﹞",
    "ABEKMHOPCTXYIJSDGQWaeopcyxijsdhqwABEZHIKMNOPTYXoivEACDEIMNOPRSTUVWZoACEHMTRSACDEINOPRSTUACDEINOPRSTU"
    "[[[[[[[[[[[[[]]]]]]]]]]]]]",
)
"""Letters and brackets of other scripts that look like the ones in these names. NFKC handles the others."""
_DIGITS_FOR_LETTERS: Final = str.maketrans("013457$", "OIEASTS")
_BETWEEN: Final = re.compile(r"[\W_]+")
_SECTIONS: Final = frozenset(_BETWEEN.sub("", name) for name in SECTION_NAMES)
_BEFORE: Final = r"(?m:^)(?:[^\w\[\n]|_|\d{1,4}[.)]){0,24}"
"""The characters that may precede a bracket: spaces, list, heading and quotation marks, emphasis, a number."""
_BRACKETED: Final = re.compile(rf"{_BEFORE}\[(?P<inside>[^\[\]\n]{{3,60}})\](?P<after>[(\[:]?)")
_RESULT_LINE: Final = re.compile(
    rf"{_BEFORE}(?:source[\s*_`~]{{0,4}}\[\s{{0,2}}\d{{1,4}}\s{{0,2}}\][\s*_`~]{{0,4}}[(:]"
    r"|\[\s{0,2}\d{1,4}\s{0,2}\]\s(?:[^\n]{0,300}\(hash\s[0-9a-f]{4,}\)|[^\n]{1,200}\s—\s{1,2}(?:https?|file|webrag)://\S{1,2000}$)"
    r"|\[\s{0,2}\d{1,4}\s{0,2}\]\s{1,4}[01]\.\d{1,4}\s{1,4}passage\s|\(score:?\s[01]\.\d"
    r"|excerpt\s{1,4}of\s{1,4}\S{1,200},\s{1,4}characters\s|session\s{1,4}[\w-]{16,64}\s{0,4};)",
    re.IGNORECASE | re.MULTILINE,
)
_ENCODED_LINES: Final = re.compile(r"[A-Za-z0-9+/_-]{56,}(?:[ \t]*\n[ \t>]*[A-Za-z0-9+/_-]{56,})*")
_PERCENT_RUN: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}){8,}")


@lru_cache(maxsize=MAX_FLAGS_REMEMBERED)
def instruction_flags(text: str) -> tuple[str, ...]:
    """Return descriptions of suspicious content that honest text does not have; empty for nearly all text."""
    plain = text if text.isascii() else _UNSEEN.sub("", normalized("NFKC", text))
    words = " ".join(["", *plain.lower().replace("’", "'").split(), ""])
    found = [flag for flag, wordings in _PHRASES if _any_in(wordings, words)]
    # A line may look like one of a tool result (a section, a source, a passage), with any prefix.
    lines = "\n".join(plain.splitlines())
    if not lines.isascii():
        lines = _COMBINING.sub("", normalized("NFKD", lines)).translate(_LOOKALIKES)
    if _any_in(POSING, plain) or _RESULT_LINE.search(lines) or any(map(_is_section, _BRACKETED.finditer(lines))):
        found.append(POSES)
    runs = ("".join(run.group().split()) for run in _ENCODED_LINES.finditer(plain))
    is_encoded = _any_in(ESCAPED, plain) or any(_is_encoded(run, ENCODED_RUN_CHARS) for run in runs)
    if is_encoded or (not text.isascii() and _any_in(HIDDEN, text)):
        found.append(ENCODED)
    return tuple(found)


def _is_section(brackets: re.Match[str]) -> bool:
    """Whether brackets contain a section name. In a link, a reference or a log level, only capitals count."""
    name = _BETWEEN.sub("", brackets["inside"].translate(_DIGITS_FOR_LETTERS))
    return name.upper() in _SECTIONS and (not brackets["after"] or (name.isupper() and name != "ERROR"))


def address_flags(url: str) -> tuple[str, ...]:
    """Return descriptions of suspicious data in an address: too long or unreadable. Empty if it is not an address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    query = unquote(parts.query)
    values = [part for pair in parse_qsl(parts.query, keep_blank_values=True) for part in pair]
    found = (
        (LONG_QUERY, len(query) > LONG_QUERY_CHARS),
        (ENCODED_QUERY, any(map(_is_unreadable, values))),
        (ENCODED_PATH, any(_is_encoded(part, ENCODED_PATH_CHARS) for part in unquote(parts.path).split("/"))),
    )
    return tuple(flag for flag, matched in found if matched)


def _any_in(wordings: Iterable[Wording], text: str) -> bool:
    return any(wording.is_in(text) for wording in wordings)


def _is_unreadable(value: str) -> bool:
    """Whether a query value, decoded once, is long and still unreadable."""
    binary = sum(not letter.isprintable() or letter == "\ufffd" for letter in value)
    is_escaped = binary > UNREADABLE_CHARS or _PERCENT_RUN.search(value) is not None
    return is_escaped or _is_encoded(value, ENCODED_VALUE_CHARS)


def _is_encoded(run: str, more_than: int) -> bool:
    """Whether a run of letters and digits is longer than this and mixes them more than words and paths do."""
    if len(run) <= more_than or " " in run:
        return False
    kinds = [1 if letter.isdigit() else 2 if letter.islower() else 3 if letter.isupper() else 0 for letter in run]
    changes = sum(a != b and a * b > 0 for a, b in pairwise(kinds))
    return changes > MIXED_SHARE * len(run)


@dataclass(frozen=True, slots=True)
class Wording:
    """A pattern, tested only if the text contains one of the triggers, or always if it has none."""

    triggers: tuple[str, ...]
    pattern: re.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Whether the text contains the wording."""
        tried = not self.triggers or any(trigger in text for trigger in self.triggers)
        return tried and self.pattern.search(text) is not None


def _any(triggers: tuple[str, ...], *patterns: str) -> Wording:
    return Wording(triggers, re.compile("|".join(patterns)))


def _wordings(name: str) -> tuple[Wording, ...]:
    table = asset_table("shield.toml")
    return tuple(_any(tuple(each["triggers"]), filled(each["patterns"], table["parts"])) for each in table[name])


_PHRASES: Final = (
    (SPEAKS, _wordings("speaking")), (CALLS, _wordings("calling")), (HIDES, _wordings("hiding")), (SENDS, _wordings("sending")),
)  # fmt: skip
POSING: Final = _wordings("posing")
ESCAPED: Final = (
    _any(("%",), rf"(?:%[0-9A-Fa-f]{{2}}){{{ESCAPED_RUN_UNITS},}}"),
    _any((r"\x",), rf"(?:\\x[0-9A-Fa-f]{{2}}){{{ESCAPED_RUN_UNITS},}}"),
    _any((r"\u",), rf"(?:\\u[0-9A-Fa-f]{{4}}){{{ESCAPED_RUN_UNITS},}}"),
    _any(("&#",), rf"(?:&#x?[0-9A-Fa-f]{{1,6}};){{{ESCAPED_RUN_UNITS},}}"),
)
HIDDEN: Final = (_any((), "[\U000e0020-\U000e007f]{8,}", "[\U000e0100-\U000e01ef]{8,}"),)
"""Tag letters and variation selectors, which are invisible and can spell any text; flags of countries have at most six."""
