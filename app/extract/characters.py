"""Decode bytes by byte order mark, declared charset or detection, and remove invisible characters: control codes, zero-width marks, icon
glyphs.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from typing import Final

_INVISIBLE: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
_SHAPED: Final = "\u0600-\u1fff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff"
"""Scripts and pictographs in which a joiner changes the shape of its neighbors."""

_UNSEEN = re.compile(f"[{_INVISIBLE}]|(?<![{_SHAPED}])[\u200c\u200d]|[\u200c\u200d](?![{_SHAPED}])")

_NO_CHARACTER: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE: Final = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,8})(?![0-9a-fA-F])|0*([0-9]{1,9})(?![0-9]));?")


def storable(markup: str) -> str:
    """Remove the characters, and references to them, that an lxml tree cannot contain.

    The parsers accept them, but moving text inside a tree then raises ValueError, and half a surrogate pair is not valid text.
    """
    if _NO_CHARACTER.search(markup):
        markup = _NO_CHARACTER.sub(lambda found: " " if found.group() in "\x0b\x0c" else "", markup)
    return _REFERENCE.sub(_storable_reference, markup) if "&#" in markup else markup


def _storable_reference(reference: re.Match[str]) -> str:
    """Return the reference, nothing for a control code, and the replacement character if no character has the number."""
    number = int(reference.group(1), 16) if reference.group(1) else int(reference.group(2))
    if 0 < number < 32 and number not in (9, 10, 13):
        return ""
    is_character = 0 < number < 0xD800 or 0xDFFF < number < 0xFFFE or 0xFFFF < number < 0x110000
    return reference.group() if is_character else "\ufffd"


def visible(text: str) -> str:
    """Return the text without invisible characters; joiners remain where a script needs them."""
    return _UNSEEN.sub("", text)


def collapse(text: str) -> str:
    """Return visible text on one line with single spaces."""
    line = " ".join(text.split())
    return line if line.isprintable() else " ".join(visible(line).split())


_LINE_END: Final = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")


def verbatim(text: str) -> str:
    """Return visible text with its lines: line ends are unified, no-break spaces become spaces, nothing else changes."""
    return visible(_LINE_END.sub("\n", text).replace("\u00a0", " "))


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list that is written as running text."""
    return frozenset(words.split())


# --- Decoding bytes ---

_HEAD_BYTES: Final = 16_384
_FEW_BROKEN: Final = 0.002
"""The share of undecodable characters up to which a declared charset is accepted and the rest replaced."""
_FEW_BROKEN_FOREIGN: Final = 0.05  # The same as a share of non-ASCII characters.
_MIN_DIFFERENT: Final = 4
"""Text in another encoding has fewer different characters that are valid in UTF-8, or more than half as many invalid ones."""
_JAPANESE_ESCAPE: Final = b"\x1b$B"
_WHATWG: Final = {
    "ascii": "cp1252", "us-ascii": "cp1252", "iso-8859-1": "cp1252", "iso8859-1": "cp1252",
    "latin-1": "cp1252", "latin1": "cp1252", "iso-8859-9": "cp1254", "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "big5": "big5hkscs", "x-x-big5": "big5hkscs",
    "utf8": "utf-8", "unicode": "utf-16", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman", "mac": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic", "x-mac-ukrainian": "mac-cyrillic", "windows-874": "cp874",
    "dos-874": "cp874", "iso8859-11": "cp874", "x-euc-jp": "euc-jp",
    "iso-8859-8-i": "iso8859-8", "logical": "iso8859-8", "windows-949": "cp949",
}  # fmt: skip
_ONE_BYTE: Final = ("cp125", "cp874", "iso8859", "koi8", "mac")
_MARKUP: Final = b"<+AGE->"  # Not the same in EBCDIC and UTF-7, which browsers do not read.
_ASCII: Final = frozenset(map(chr, range(128))) | {"\ufffd"}
_META: Final = re.compile(rb"<meta\b[^<>]*?\bcharset\s*+=\s*+[\"']?+\s*+([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip


_SAMPLE_BYTES: Final = 65_536
_WIDE_SAMPLE_BYTES: Final = 1_024
_WIDE_SHARE: Final = 0.3
_MIN_ZEROS: Final = 4
_NO_TEXT: Final = re.compile("[\x00-\x08\x0e-\x1f\ufffd\ufffe\uffff]")
_NO_TEXT_SHARE: Final = 0.01
_WIDE_TEXTS: Final = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROL_SHARE: Final = 0.03
_MIN_WIDE_BYTES: Final = 24
_TEXT_SHARE: Final = 0.95
_COMMON: Final = re.compile("[\t\n\r -~\xa0-\xff\u2010-\u203a€]")
_WIDE_SCRIPTS: Final = tuple(
    re.compile(f"[{letters}]")
    for letters in (
        "\u0370-\u03ff\u1f00-\u1fff", "\u0400-\u052f", "\u0590-\u06ff", "\u0900-\u0dff", "\u0e00-\u0eff",
        "\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef",
    )
)  # fmt: skip
_MIN_HANGUL_SHARE: Final = 0.5
_HANGUL: Final = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_UTF8_PAIR: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
_C1: Final = re.compile(rb"[\x80-\x9f]")
_LANGUAGE: Final = re.compile(rb"<html\b[^<>]*?\blang\s*+=\s*+[\"']?([a-z]{2})", re.IGNORECASE)
_CENTRAL_EUROPEAN: Final = frozenset({b"pl", b"cs", b"sk", b"hu", b"sl", b"hr", b"bs", b"ro", b"sq"})
_WESTERN: Final = frozenset({"cp1252", "iso8859-1", "iso8859-15"})
_WITH_SIGNS_FOR_CONTROLS: Final = {
    "iso8859-1": "cp1252", "iso8859-2": "cp1250", "iso8859-5": "cp1251", "iso8859-7": "cp1253", "iso8859-8": "cp1255",
    "iso8859-9": "cp1254", "iso8859-13": "cp1257", "iso8859-15": "cp1252",
}  # fmt: skip
"""ISO 8859 has control codes where the Windows code pages have quotes and letters; no text contains the former."""


def decode(body: bytes, charset: str | None, *, is_markup: bool = True) -> str:
    """Decode a body. Order: byte order mark, UTF-16 pattern, header, declaration in the document, UTF-8, detection.

    Charset names have the same meaning as in browsers (latin-1 is windows-1252). NUL bytes are dropped, and invalid bytes become U+FFFD.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return _finish(body[len(mark) :].decode(encoding, "replace"))
    if (wide := wide_encoding(body)) is not None:
        return _finish(body.decode(wide, "replace"))
    # Decoding UTF-8 with a declared one- or two-byte encoding often succeeds, with other letters.
    text = body.decode("utf-8", "replace")
    broken, foreign = _counts(text)
    if 2 * broken <= foreign and len(set(text) - _ASCII) >= _MIN_DIFFERENT and _JAPANESE_ESCAPE not in body:
        return _finish(text)
    declared = [form.search(body[:_HEAD_BYTES]) for form in (_META, _XML_ENCODING) if is_markup]
    labels = [charset, *(match.group(1).decode("ascii") for match in declared if match)]
    named = [name for name in map(_codec, labels) if name]
    if len(named) > 1 and named[0] == "cp1252" and _codec(detect(body)) not in _WESTERN:
        del named[0]  # The default of a server, which knows less than the document.
    # UTF-8 comes before any single-byte encoding: non-ASCII text that is valid UTF-8 is almost always UTF-8. On the other hand,
    # ISO-2022-JP is valid ASCII. A document whose declaration is readable as ASCII is not in UTF-16, whatever it declares.
    one_byte = next((place for place, name in enumerate(named) if name.startswith(_ONE_BYTE)), len(named))
    named.insert(one_byte, "utf-8")
    if _JAPANESE_ESCAPE in body:
        named.insert(0, "iso2022_jp")
    names = list(dict.fromkeys(sorted(named, key=lambda name: name.startswith("utf-16"))))
    for name in names:
        with contextlib.suppress(UnicodeError):
            return _finish(body.decode(name))
    for name in names:
        # Few broken characters may remain in a declared encoding. Text in another encoding has few sequences that are valid in UTF-8:
        # most in Shift JIS, for one character in three.
        text = body.decode(name, "replace")
        broken, foreign = _counts(text)
        most = foreign if name == "utf-8" else max(len(text) * _FEW_BROKEN, foreign * _FEW_BROKEN_FOREIGN)
        if broken <= most and (name != "utf-8" or foreign):
            return _finish(text)
    return _finish(body.decode(_codec(detect(body)) or "cp1252", "replace"))


def _counts(text: str) -> tuple[int, int]:
    """Return the numbers of undecodable and of other non-ASCII characters."""
    broken = text.count("\ufffd")
    return broken, len(text) - len(text.encode("ascii", "ignore")) - broken


def _codec(name: str | None) -> str | None:
    if not name:
        return None
    label = name.strip().strip("\"'").lower()
    label = _WHATWG.get(label, label)
    try:
        codec = codecs.lookup(label)
        name = codec.name.replace("_", "-")
        is_text = getattr(codec, "_is_text_encoding", True)  # unlike `zlib`
        is_readable = is_text and (name.startswith("utf-16") or codec.decode(_MARKUP)[0] == _MARKUP.decode())
    except (LookupError, ValueError):
        return None
    return _WHATWG.get(name, codec.name) if is_readable else None


def _finish(text: str) -> str:
    return text.replace("\x00", "").removeprefix("\ufeff")


def wide_encoding(body: bytes) -> str | None:
    """Return UTF-16 or UTF-32 for a body without a mark: most bytes at every second position are zero, or most letters of one script."""
    sample = body[:_WIDE_SAMPLE_BYTES]
    low, high = sample[::2].count(0), sample[1::2].count(0)
    many = max(low, high)
    if many < _MIN_ZEROS or many <= _WIDE_SHARE * len(sample) / 2 or min(low, high) * 4 > many:
        # Text in narrow encodings has no such control codes.
        is_wide = len(sample) >= _MIN_WIDE_BYTES and len(_CONTROL.findall(sample)) > _CONTROL_SHARE * len(sample)
        return next((name for name in _WIDE_TEXTS if is_wide and _is_text_in(sample, name)), None)
    encoding = "utf-16-be" if low > high else "utf-16-le"
    text = sample.decode(encoding, "replace")
    return encoding if len(_NO_TEXT.findall(text)) <= _NO_TEXT_SHARE * len(text) else None


def _is_text_in(sample: bytes, encoding: str) -> bool:
    """Whether a sample is text in a wide encoding: of UTF-32, most bytes are no character at all."""
    width = 4 if encoding.startswith("utf-32") else 2
    text = sample[: len(sample) // width * width].decode(encoding, "replace")
    if len(_NO_TEXT.findall(text)) > _NO_TEXT_SHARE * len(text):
        return False
    letters = max(len(script.findall(text)) for script in _WIDE_SCRIPTS)
    return width == 4 or (letters > len(text) / 2 and letters + len(_COMMON.findall(text)) > _TEXT_SHARE * len(text))


def detect(body: bytes) -> str:
    """Return the most probable encoding of a body that is not UTF-8."""
    from resiliparse.parse.encoding import detect_encoding

    sample = body[:_SAMPLE_BYTES]
    found = str(detect_encoding(sample) or "cp1252")
    if found == "utf-8":
        is_utf8 = _UTF8_PAIR.search(sample) is not None
        # Most non-ASCII bytes are pairs that KS X 1001 assigns to Hangul.
        is_korean = 2 * len(_HANGUL.findall(sample)) > _MIN_HANGUL_SHARE * len(_HIGH.findall(sample))
        found = "cp949" if is_korean else "utf-8" if is_utf8 else "cp1252"
    if found in _WESTERN:
        language = _LANGUAGE.search(sample)
        if language and language.group(1).lower() in _CENTRAL_EUROPEAN:
            found = "iso8859-2"
    if found == "koi8-r":
        return "koi8-u"  # The Ukrainian letters replace signs for drawing.
    if found in _WITH_SIGNS_FOR_CONTROLS and _C1.search(sample):
        return _WITH_SIGNS_FOR_CONTROLS[found]
    return found
