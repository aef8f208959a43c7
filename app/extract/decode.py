"""From bytes to text: byte order mark, declared charset, detection; and the parsed tree."""

from __future__ import annotations

import codecs
import re
from typing import Final

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

_HEAD_BYTES: Final = 4096
_SAMPLE_BYTES: Final = 65_536
_FEW_BROKEN: Final = 0.002
"""Share of undecodable characters up to which a declared charset is believed and the rest replaced."""

_WHATWG: Final = {
    "ascii": "cp1252", "us-ascii": "cp1252", "iso-8859-1": "cp1252", "iso8859-1": "cp1252",
    "latin-1": "cp1252", "latin1": "cp1252", "iso-8859-9": "cp1254", "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932", "sjis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "big5": "big5hkscs", "x-x-big5": "big5hkscs",
    "utf8": "utf-8", "unicode": "utf-16", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
}  # fmt: skip
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
_ANY_TAG: Final = re.compile(r"<[^>]*>")


def decode(body: bytes, charset: str | None, *, is_markup: bool = True) -> str:
    """Text of a body. Order: byte order mark, header, declaration in the document, UTF-8, detection.

    Charset names mean what browsers take them to mean (latin-1 is windows-1252). NUL bytes are dropped.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return _finish(body[len(mark) :].decode(encoding, "replace"))
    declared = [charset, _declared(body) if is_markup else None]
    named = [name for name in map(_codec, declared) if name]
    for name in dict.fromkeys([*named, "utf-8"]):
        text = _try(body, name)
        if text is not None:
            return _finish(text)
    for name in dict.fromkeys([*named, "utf-8"]):
        text = body.decode(name, "replace")
        if text.count("\ufffd") <= len(text) * _FEW_BROKEN:
            return _finish(text)
    return _finish(body.decode(_detect(body), "replace"))


def parse(text: str) -> HtmlElement:
    """The tree of an HTML or XHTML document. Raises ValueError when there is nothing in it.

    libxml2 stops at 2,048 nested elements; such pages are parsed again without their wrappers.
    """
    markup = _PROLOG.sub("", text, count=1)
    tree, is_cut = _parse(markup)
    if is_cut:
        tree, is_cut = _parse(_DEEP_WRAPPERS.sub("<p>", markup))
    if is_cut:
        tree, _ = _parse(_ANY_TAG.sub(" ", _HEAD.sub("", markup)))
    return tree


def _parse(markup: str) -> tuple[HtmlElement, bool]:
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError as error:
        raise ValueError("the document is empty") from error
    is_cut = any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log)
    return tree, is_cut


def _declared(body: bytes) -> str | None:
    from bs4.dammit import EncodingDetector

    return EncodingDetector.find_declared_encoding(body[:_HEAD_BYTES], is_html=True)


def _codec(name: str | None) -> str | None:
    if not name:
        return None
    label = name.strip().strip("\"'").lower()
    label = _WHATWG.get(label, label)
    try:
        codec = codecs.lookup(label)
    except LookupError:
        return None
    return codec.name if getattr(codec, "_is_text_encoding", True) else None


def _try(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except (UnicodeDecodeError, UnicodeError):
        return None


def _detect(body: bytes) -> str:
    from resiliparse.parse.encoding import detect_encoding

    return _codec(detect_encoding(body[:_SAMPLE_BYTES])) or "cp1252"


def _finish(text: str) -> str:
    return text.replace("\x00", "").removeprefix("\ufeff")
