"""Charsets from header, mark, declaration and detection; XHTML; trees that are too deep."""

from __future__ import annotations

import pytest

from app import caps
from app.extract import extract
from app.extract.decode import decode, parse

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
    ],
)
def test_charsets(head: str, encoding: str, charset: str | None) -> None:
    text = decode(TEXT.format(head).encode(encoding), charset)
    assert "Grüße “quoted” – naïve" in text
    assert not text.startswith("\ufeff")


def test_other_scripts_by_declaration() -> None:
    body = '<meta charset="shift_jis"><p>日本語のテキスト'.encode("cp932")
    assert "日本語のテキスト" in decode(body, None)


def test_a_few_broken_bytes_do_not_change_the_charset() -> None:
    body = ("<p>" + "Größe " * 500).encode() + b"\xff</p>"
    text = decode(body, "utf-8")
    assert text.count("Größe") == 500
    assert text.count("\ufffd") == 1


def test_xhtml_with_prolog_and_namespace() -> None:
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>T</title></head>'
        "<body><h1>Über</h1><p>a<br/>b</p></body></html>"
    )
    page = extract(body.encode(), url="https://h.example/x", content_type="application/xhtml+xml", charset=None)
    assert (page.text, page.language) == ("# Über\n\na\nb", "de")


@pytest.mark.parametrize("tags", ["div", "span", "ul,li", "table,tr,td", "blockquote", "b", "dl,dd", "nosuchtag"])
@pytest.mark.parametrize("depth", [caps.MAX_DOM_DEPTH * 2, 5000])
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
