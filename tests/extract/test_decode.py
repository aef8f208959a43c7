"""Charsets from header, byte order mark, declaration and detection; XHTML; very deep trees."""

from __future__ import annotations

import pytest

from app.extract import extract
from app.extract.characters import decode, wide_encoding
from app.extract.plain import looks_binary
from app.extract.tree import parse
from app.extract.writer.sink import MAX_DOM_DEPTH

TEXT = "<html><head>{}<title>Käse</title></head><body><p>Grüße “quoted” – naïve</p></body></html>"


@pytest.mark.parametrize(
    ("head", "encoding", "charset"),
    [
        ("", "utf-8", "utf-8"),
        ("", "utf-8", None),
        ("", "cp1252", "iso-8859-1"),
        ("", "cp1252", "windows-1252"),
        ('<meta charset="windows-1252">', "cp1252", None),
        ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', "cp1252", None),
        ('<meta charset="utf-8">', "cp1252", "utf-8"),
        ("", "cp1252", None),
        ("", "utf-16", None),
        ("", "utf-8-sig", "iso-8859-1"),
        ('<meta charset="no-such-charset">', "utf-8", "neither-this"),
        ('<meta charset="zlib">', "cp1252", "bz2"),
    ],
)
def test_charsets(head: str, encoding: str, charset: str | None) -> None:
    text = decode(TEXT.format(head).encode(encoding), charset)
    assert "Grüße “quoted” – naïve" in text
    assert not text.startswith("\ufeff")


def test_other_scripts_by_declaration() -> None:
    body = '<meta charset="shift_jis"><p>日本語のテキスト'.encode("cp932")
    assert "日本語のテキスト" in decode(body, None)


SCRIPTS = {
    "windows-1252": "Grüße aus Köln – “quoted” café naïve €",
    "iso-8859-2": "Zażółć gęślą jaźń, Pchnąć w tę łódź jeża",
    "windows-1251": "Съешь ещё этих мягких французских булок",
    "koi8-r": "Съешь ещё этих мягких французских булок",
    "shift_jis": "日本語の文章です。これはテストです。",
    "euc-jp": "日本語の文章です。これはテストです。",
    "gb18030": "这是一个中文测试页面，包含简体字。",
    "big5": "這是一個中文測試頁面，包含繁體字。",
    "euc-kr": "한국어 문장입니다. 이것은 시험입니다.",
    "utf-16-le": "Grüße 日本語",
    "utf-16-be": "Grüße 日本語",
    "utf-8": "Grüße 日本語 😀",
}


@pytest.mark.parametrize("encoding", SCRIPTS)
@pytest.mark.parametrize("told", ["header", "meta", "prolog", "nothing", "lie"])
def test_the_text_is_the_same_in_every_encoding(encoding: str, told: str) -> None:
    words = SCRIPTS[encoding]
    language = ' lang="pl"' if encoding == "iso-8859-2" else ""
    declared = {"meta": encoding, "lie": "utf-8"}.get(told)
    meta = f'<meta charset="{declared}">' if declared else ""
    prolog = f'<?xml version="1.0" encoding="{encoding}"?>' if told == "prolog" else ""
    sentences = "".join(f"<p>{words} {number}.</p>" for number in range(8))
    markup = f"{prolog}<html{language}><head>{meta}<title>{words}</title></head><body>{sentences}</body></html>"
    charset = {"header": encoding, "lie": "utf-8"}.get(told)
    page = extract(markup.encode(encoding), url="https://h.example/", content_type="text/html", charset=charset)
    assert page.title == words
    assert page.text.split("\n\n") == [f"{words} {number}." for number in range(8)]


def test_utf_8_is_detected_despite_a_wrong_single_byte_header() -> None:
    assert "Grüße" in decode("<p>Grüße</p>".encode(), "iso-8859-1")


def test_one_odd_quote_is_not_replaced() -> None:
    assert "don’t" in decode(("<p>" + "plain words " * 200 + "don’t</p>").encode("cp1252"), "utf-8")


def test_a_readable_declaration_of_utf_16_is_ignored() -> None:
    assert "plain" in decode(b'<meta charset="utf-16"><p>plain text</p>', "utf-16")


def test_zeros_are_not_utf_16() -> None:
    assert wide_encoding(bytes(range(8)) * 100) is None
    assert wide_encoding(b"\x01\x00\x02\x00" * 100) is None
    assert wide_encoding("ab".encode("utf-16-le")) is None


def test_a_few_broken_bytes_do_not_change_the_charset() -> None:
    body = ("<p>" + "Größe " * 500).encode() + b"\xff</p>"
    text = decode(body, "utf-8")
    assert text.count("Größe") == 500
    assert text.count("\ufffd") == 1


GERMAN = "<p>Größe und Höhe der Lampe, dazu ein Café in Zürich.</p>"
BROKEN = {
    "a comment in another encoding, five times": GERMAN.encode() * 100 + b"<p>Gr\xf6\xdfe \xfcber\xe4ll</p>" * 5,
    "Russian": "<p>Мастерская ведёт подробный журнал каждой лампы.</p>".encode() * 20 + b"<p>\xff \xd0 \xe9</p>",
    "Polish": "<p>Zażółć gęślą jaźń</p>".encode() * 10 + b"\xbf\xe6\xb3",
    "one byte in a short Chinese page": "<p>作坊为每一盏灯保存详细的记录</p>".encode() * 5 + b"\xb5",
    "descriptions cut inside a letter": "".join(
        f'<meta name="{name}" content="Die Lampe der Gr\udcc3">' for name in ("description", "og", "twitter")
    ).encode("utf-8", "surrogateescape")
    + GERMAN.encode(),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("charset", ["utf-8", None])
@pytest.mark.parametrize("meta", [b'<meta charset="utf-8">', b""])
def test_broken_bytes_of_utf_8_are_replaced_and_the_rest_is_read(body: bytes, charset: str | None, meta: bytes) -> None:
    text = decode(meta + body, charset)
    assert text.replace("\ufffd", "") == (meta + body).decode("utf-8", "ignore")


@pytest.mark.parametrize("header", ["iso-8859-1", "windows-1252", "ISO-8859-15", "iso-8859-2"])
@pytest.mark.parametrize("meta", ["utf-8", "UTF8", "iso-8859-1", ""])
def test_valid_utf_8_is_read_despite_any_single_byte_header(header: str, meta: str) -> None:
    body = (f"<meta charset={meta}>" if meta else "") + "<p>Größe</p>"
    assert decode(body.encode(), header) == body


@pytest.mark.parametrize(
    "header", ["gbk", "euc-kr", "big5", "shift_jis", "utf-7", "ibm037", "unicode_escape", "palmos"]
)
@pytest.mark.parametrize(
    "words", ["Größe und Höhe: „Öl“, weiß", "Мастерская ведёт журнал", "Zażółć gęślą jaźń", "تحتفظ الورشة بسجل"]
)
def test_utf_8_is_read_despite_a_header_in_which_it_is_other_text(header: str, words: str) -> None:
    assert words in decode(f"<p>{words} +AGE-</p>".encode(), header)
    assert decode(b"<p>plain +AGE-</p>", header) == "<p>plain +AGE-</p>"


def test_broken_utf_8_is_read_despite_a_header_in_which_every_byte_is_a_letter() -> None:
    assert "Größe und Höhe" in decode(GERMAN.encode() + b"\xe9\xff", "iso-8859-1")


@pytest.mark.parametrize("encoding", ["windows-1251", "iso-8859-2", "euc-jp", "gb18030", "big5", "euc-kr"])
def test_the_declaration_of_a_document_overrules_a_default_of_the_server(encoding: str) -> None:
    body = f"<html lang=pl><meta charset={encoding}><p>{SCRIPTS[encoding]}</p>"
    assert decode(body.encode(encoding), "iso-8859-1") == body


def test_a_declaration_after_a_long_style_is_read() -> None:
    body = f"<head><style>{'p{color:red}' * 800}</style><meta charset=macintosh><p>Größe</p>"
    assert decode(body.encode("mac-roman"), None) == body


@pytest.mark.parametrize("charset", [None, "utf-8", "iso-2022-jp"])
def test_japanese_in_seven_bits_is_detected_by_its_escapes(charset: str | None) -> None:
    body = "<p>日本語の文章です。</p>"
    assert decode(body.encode("iso-2022-jp"), charset) == body


def test_a_broken_byte_in_a_declared_encoding_of_two_bytes_is_replaced() -> None:
    body = '<meta charset="shift_jis"><p>日本語の文章です。これはテストです。'.encode("cp932") + b"\x81\n</p>"
    assert "日本語の文章です。これはテストです。\ufffd" in decode(body, None)


def test_xhtml_with_prolog_and_namespace() -> None:
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>T</title></head>'
        "<body><h1>Über</h1><p>a<br/>b</p></body></html>"
    )
    page = extract(body.encode(), url="https://h.example/x", content_type="application/xhtml+xml", charset=None)
    assert (page.text, page.language) == ("# Über\n\na\nb", "de")


@pytest.mark.real
@pytest.mark.parametrize("tags", ["div", "span", "ul,li", "table,tr,td", "blockquote", "b", "dl,dd", "nosuchtag"])
@pytest.mark.parametrize("depth", [MAX_DOM_DEPTH * 2, 5000])
def test_deep_trees_keep_their_text(tags: str, depth: int) -> None:
    names = tags.split(",")
    opening = "".join(f"<{name}>" for name in names) * depth
    closing = "".join(f"</{name}>" for name in reversed(names)) * depth
    body = f"<html><title>Deep</title><body>{opening}bottom text{closing}<p>after</p></body></html>".encode()
    text = extract(body, url="https://h.example/x", content_type="text/html", charset=None).text
    assert "bottom text" in text
    assert "after" in text
    assert len(text) < 200


def test_an_empty_document_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="empty"):
        parse("  ")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text",
    ["Съешь же ещё этих мягких булок.\n", "Αυτό είναι κείμενο.\n", "これは日本語の文章です。\n",
     "这是一个中文的句子。\n", "이것은 한국어 문장입니다.\n",
     "Über die Straße.\n"],
)  # fmt: skip
def test_wide_encodings_without_a_mark_are_found(text: str, encoding: str) -> None:
    body = (text * 3).encode(encoding)
    assert decode(body, None, is_markup=False) == text * 3
    assert not looks_binary(body)


def test_binary_data_is_not_taken_for_a_wide_encoding() -> None:
    for body in (
        bytes(range(256)) * 8,
        b"a\x01\x02 few words with control codes" * 30,
        b"\x00\x01\x02\x03\x04\x05\x06\x07" * 200,
    ):
        assert wide_encoding(body) is None
        assert looks_binary(body)


def test_ukrainian_letters_of_koi8_are_read() -> None:
    text = "Жебракують філософи при ґанку церкви в Гадячі, ще й шатро їхнє п'яне знаємо.\n"
    assert decode(text.encode("koi8-u"), None, is_markup=False) == text
