"""The encoding of a body that does not say it, or that says something untrue."""

from __future__ import annotations

import re
from typing import Final

_SAMPLE_BYTES: Final = 65_536
_WIDE_SAMPLE_BYTES: Final = 1_024
_WIDE_SHARE: Final = 0.3
_MIN_ZEROS: Final = 4
_NO_TEXT: Final = re.compile("[\x00-\x08\x0e-\x1f\ufffd\ufffe\uffff]")
_NO_TEXT_SHARE: Final = 0.01
_MIN_HANGUL_SHARE: Final = 0.5
_HANGUL: Final = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_C1: Final = re.compile(rb"[\x80-\x9f]")
_LANGUAGE: Final = re.compile(rb"<html\b[^>]*?\blang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)
_CENTRAL_EUROPEAN: Final = frozenset({b"pl", b"cs", b"sk", b"hu", b"sl", b"hr", b"bs", b"ro", b"sq"})
_WESTERN: Final = frozenset({"cp1252", "iso8859-1", "iso8859-15"})
_WITH_SIGNS_FOR_CONTROLS: Final = {
    "iso8859-1": "cp1252", "iso8859-2": "cp1250", "iso8859-5": "cp1251", "iso8859-7": "cp1253", "iso8859-8": "cp1255",
    "iso8859-9": "cp1254", "iso8859-13": "cp1257", "iso8859-15": "cp1252",
}  # fmt: skip
"""ISO 8859 has control codes where the Windows pages have quotes and letters; no text holds the former."""


def wide_encoding(body: bytes) -> str | None:
    """UTF-16 of one of the byte orders when every second byte is mostly zero, as in markup and Latin text."""
    sample = body[:_WIDE_SAMPLE_BYTES]
    low, high = sample[::2].count(0), sample[1::2].count(0)
    many = max(low, high)
    if many < _MIN_ZEROS or many <= _WIDE_SHARE * len(sample) / 2 or min(low, high) * 4 > many:
        return None
    encoding = "utf-16-be" if low > high else "utf-16-le"
    text = sample.decode(encoding, "replace")
    return encoding if len(_NO_TEXT.findall(text)) <= _NO_TEXT_SHARE * len(text) else None


def detect(body: bytes) -> str:
    """Name of the most probable encoding of a body that is not UTF-8."""
    from resiliparse.parse.encoding import detect_encoding

    sample = body[:_SAMPLE_BYTES]
    found = str(detect_encoding(sample) or "cp1252")
    if found == "utf-8":
        found = "cp949" if _is_korean(sample) else "cp1252"
    if found in _WESTERN:
        language = _LANGUAGE.search(sample)
        if language and language.group(1).lower() in _CENTRAL_EUROPEAN:
            found = "iso8859-2"
    if found in _WITH_SIGNS_FOR_CONTROLS and _C1.search(sample):
        return _WITH_SIGNS_FOR_CONTROLS[found]
    return found


def _is_korean(sample: bytes) -> bool:
    """Whether most bytes beyond ASCII are pairs that KS X 1001 gives to Hangul."""
    return 2 * len(_HANGUL.findall(sample)) > _MIN_HANGUL_SHARE * len(_HIGH.findall(sample))
