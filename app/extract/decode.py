"""From bytes to text: byte order mark, declared charset, detection; and the parsed tree."""

from __future__ import annotations

import codecs
import re
from typing import Final

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from app.extract.detect import detect, wide_encoding
from app.extract.mend import mend_markup, mend_tree

_HEAD_BYTES: Final = 4096
_FEW_BROKEN: Final = 0.002
"""Share of undecodable characters up to which a declared charset is believed and the rest replaced."""

_WHATWG: Final = {
    "ascii": "cp1252", "us-ascii": "cp1252", "iso-8859-1": "cp1252", "iso8859-1": "cp1252",
    "latin-1": "cp1252", "latin1": "cp1252", "iso-8859-9": "cp1254", "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "big5": "big5hkscs", "x-x-big5": "big5hkscs",
    "utf8": "utf-8", "unicode": "utf-16", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman", "windows-874": "cp874", "dos-874": "cp874", "iso8859-11": "cp874", "x-euc-jp": "euc-jp",
    "iso-8859-8-i": "iso8859-8", "logical": "iso8859-8", "windows-949": "cp949",
}  # fmt: skip
_ONE_BYTE: Final = ("cp125", "cp874", "iso8859", "koi8", "mac")
"""Every text is valid in these, while no text of theirs is valid UTF-8 but by design; so UTF-8 is tried first."""
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_META: Final = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PROLOG: Final = re.compile(r"\A\s*<\?xml[^>]*\?>", re.IGNORECASE)
_DEEP_WRAPPERS: Final = re.compile(
    r"</?(?:div|section|article|span|font|center|b|i|em|strong|small|big|u)\b[^>]*>", re.IGNORECASE
)
_HEAD: Final = re.compile(r"<(head|script|style|title)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TITLE: Final = re.compile(r"<title\b.*?</title\s*>", re.IGNORECASE | re.DOTALL)
_NESTING_TAG: Final = re.compile(r"<(?!/?(?:h[1-6]|pre|p|a|br)\b)/?[a-z!?][^>]*>", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"<[^>]*>")


def decode(body: bytes, charset: str | None, *, is_markup: bool = True) -> str:
    """Text of a body. Order: byte order mark, the pattern of UTF-16, header, declaration in the document, UTF-8, detection.

    Charset names mean what browsers take them to mean (latin-1 is windows-1252). NUL bytes are dropped.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return _finish(body[len(mark) :].decode(encoding, "replace"))
    wide = wide_encoding(body)
    if wide is not None:
        return _finish(body.decode(wide, "replace"))
    declared = [charset, *(_declarations(body) if is_markup else ())]
    named = [name for name in map(_codec, declared) if name]
    first = ["utf-8"] if all(name.startswith(_ONE_BYTE) for name in named) else []
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    names = dict.fromkeys(sorted([*first, *named, "utf-8"], key=lambda name: name.startswith("utf-16")))
    for name in names:
        text = _try(body, name)
        if text is not None:
            return _finish(text)
    for name in names:
        text = body.decode(name, "replace")
        if _is_slightly_broken(text, name):
            return _finish(text)
    return _finish(body.decode(_codec(detect(body)) or "cp1252", "replace"))


def _is_slightly_broken(text: str, encoding: str) -> bool:
    """Whether a text with replaced characters still is one of that encoding.

    In UTF-8 that is sure only when there are more whole foreign characters than broken ones.
    """
    broken = text.count("\ufffd")
    if broken > len(text) * _FEW_BROKEN:
        return False
    return encoding != "utf-8" or len(_FOREIGN.findall(text)) > 2 * broken


def parse(text: str) -> HtmlElement:
    """The tree of an HTML or XHTML document. Raises ValueError when there is nothing in it.

    libxml2 stops at 2,048 nested elements; such pages are parsed again without their wrappers.
    """
    markup = mend_markup(_PROLOG.sub("", text, count=1))
    for reduced in (_same, _without_wrappers, _flat, _without_tags):
        tree, is_cut = _parse(reduced(markup))
        if not is_cut:
            break
    mend_tree(tree)
    return tree


def _same(markup: str) -> str:
    return markup


def _without_wrappers(markup: str) -> str:
    return _DEEP_WRAPPERS.sub("<p>", markup)


def _flat(markup: str) -> str:
    """The markup with nothing but its head and elements that never hold one another."""
    return _head(markup) + _NESTING_TAG.sub("<p>", _HEAD.sub("", markup))


def _without_tags(markup: str) -> str:
    return _head(markup) + _ANY_TAG.sub(" ", _HEAD.sub("", markup))


def _head(markup: str) -> str:
    title = _TITLE.search(markup)
    return title.group() if title else ""


def _parse(markup: str) -> tuple[HtmlElement, bool]:
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError as error:
        raise ValueError("the document is empty") from error
    is_cut = any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log)
    return tree, is_cut


def _declarations(body: bytes) -> list[str]:
    """The encodings that a document names itself, in its head and in its XML prolog."""
    head = body[:_HEAD_BYTES]
    return [match.group(1).decode("ascii") for form in (_META, _XML_ENCODING) if (match := form.search(head))]


def _codec(name: str | None) -> str | None:
    if not name:
        return None
    label = name.strip().strip("\"'").lower()
    label = _WHATWG.get(label, label)
    try:
        codec = codecs.lookup(label)
    except LookupError:
        return None
    name = codec.name.replace("_", "-")
    return _WHATWG.get(name, codec.name) if getattr(codec, "_is_text_encoding", True) else None


def _try(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except (UnicodeDecodeError, UnicodeError):
        return None


def _finish(text: str) -> str:
    return text.replace("\x00", "").removeprefix("\ufeff")
