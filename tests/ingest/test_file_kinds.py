"""One table of kinds: folders, imports, the dialog and addresses read the same files, and report the skipped ones."""

from __future__ import annotations

import json
import mimetypes
from pathlib import Path

import pytest

from app import caps
from app.errors import UnsupportedContentError
from app.extract import extract
from app.ingest.crawling.frontier import NO_TEXT
from app.ingest.files import content_type_of, file_path, is_readable
from app.ingest.folders.scan import scan_folder
from app.ingest.preparation import is_apart
from app.ingest.prepared import Body
from app.text.media_types import ARCHIVE, KINDS, READABLE, SUFFIXES, UNREAD_KINDS, left_out
from app.web.body import PAGE_TYPES
from tests.extract.office.files import book, opendocument, packed, paragraph, presentation, shape, word, workbook_file

TEXTS: dict[str, str | bytes] = {
    "Markdown": "# Valves\n\nA valve opens slowly.\n",
    "HTML": "<html><body><p>A valve opens slowly.</p></body></html>",
    "MHTML": "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>A valve opens slowly.</p>\n",
    "email": "Subject: Valves\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>A valve opens slowly.</p>\n",
    "feeds": '<?xml version="1.0"?><rss version="2.0"><channel><title>Valves</title><item><title>One</title>'
    "<description>A valve opens slowly.</description></item></channel></rss>",
    "text": "A valve opens slowly.\n",
    "reStructuredText": "Valves\n======\n\nA valve opens slowly.\n",
    "source code": "# A valve opens slowly.\n",
    "JSON and YAML": '{"note": "A valve opens slowly."}\n',
    "subtitles": "1\n00:00:01,000 --> 00:00:02,000\nA valve opens slowly.\n",
    "AsciiDoc": "= Valves\n\nA valve opens slowly.\n",
    "LaTeX": "\\section{Valves}\n\nA valve opens slowly.\n",
    "Texinfo": "@section Valves\n\nA valve opens slowly.\n",
    "manual pages": ".TH VALVES 1\n.SH NAME\nA valve opens slowly.\n",
    "DocBook and FictionBook": "<article><title>Valves</title><para>A valve opens slowly.</para></article>",
    "RTF": "{\\rtf1 A valve opens slowly.}",
    "CSV": "name\nA valve opens slowly.\n",
    "mailboxes": "From a b\nSubject: Valves\n\nA valve opens slowly.\n",
    "notebooks": json.dumps({"cells": [{"cell_type": "markdown", "source": "A valve opens slowly."}], "metadata": {}}),
    "Word": word(paragraph("A valve opens slowly.")),
    "PowerPoint": presentation(shape("title", "A valve opens slowly.")),
    "Excel": workbook_file(
        '<sheetData><row r="1"><c r="A1" t="str"><v>A valve opens slowly.</v></c></row></sheetData>'
    ),
    "OpenDocument": opendocument("<text:p>A valve opens slowly.</text:p>"),
    "ZIP": packed({"a.txt": "A valve opens slowly."}),
    "EPUB": book({"a.xhtml": "<p>A valve opens slowly.</p>"}),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for kind in KINDS:
        for suffix in kind.suffixes:
            content = TEXTS.get(kind.label, "%PDF-1.4\n")
            (tmp_path / f"a{suffix}").write_bytes(content.encode() if isinstance(content, str) else content)
    for name in ("one.png", "two.JPG", "tool.exe", "odd.xyz", "README"):
        (tmp_path / name).write_bytes(b"\x00\x01\x02\x03" * 20)
    return tmp_path


def test_a_folder_reads_every_supported_kind_and_counts_the_others(folder: Path) -> None:
    scan = scan_folder(folder)
    assert {Path(url).suffix for url in scan.files} == SUFFIXES
    assert scan.left_out == "5 files skipped: 2 images, 1 program, 1 .xyz, 1 of other kinds."


def test_each_file_of_a_folder_is_read_singly_and_by_its_address(folder: Path) -> None:
    for url in scan_folder(folder).files:
        path = file_path(url)
        kind = content_type_of(path)
        assert is_readable(path) and (kind in PAGE_TYPES or kind in ARCHIVE.types)
        if kind != "application/pdf":
            page = extract(path.read_bytes(), url=url, content_type=kind, charset=None)
            assert "A valve opens slowly." in page.text
    assert not any(is_readable(folder / name) for name in ("one.png", "tool.exe", "README", "none.md"))


@pytest.mark.parametrize("name", ["a.rs", "a.ts", "a.org", "a.sql", "a.rb", "a.json", "a.css", "Makefile"])
def test_the_type_does_not_depend_on_the_system(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mimetypes, "guess_type", lambda *_: ("video/mp2t", None))
    file = tmp_path / name
    file.write_text("select valve from taps;\n")
    assert is_readable(file)
    kind = content_type_of(file)
    assert "valve" in extract(file.read_bytes(), url=file.as_uri(), content_type=kind, charset=None).text


def test_formats_with_a_large_reader_are_read_in_the_separate_process() -> None:
    apart = {kind.label for kind in KINDS if is_apart(Body(b"text", "https://a.example/", kind.types[0]))}
    assert apart == {kind.label for kind in KINDS} - {
        "Markdown",
        "HTML",
        "source code",
        "JSON and YAML",
        "feeds",
        "text",
    }
    assert all(is_apart(Body(b"text", f"https://a.example/a{suffix}", "")) for suffix in (".eml", ".pdf", ".mht"))


def test_counts_name_few_suffixes_and_files_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_FILE_BYTES", 10 * caps.MIB)
    assert left_out({}) == ""
    assert left_out({".png": 20, ".exe": 8}, 3) == "31 files skipped: 20 images, 8 programs, 3 larger than 10 MiB."
    odd = left_out({f".q{number}": 9 - number for number in range(8)} | {".with space": 1})
    assert odd == "45 files skipped: 9 .q0, 8 .q1, 7 .q2, 6 .q3, 15 of other kinds."
    assert left_out({"link": 1}) == "1 file skipped: 1 link."


def test_no_suffix_is_both_supported_and_skipped() -> None:
    unread = [f".{suffix}" for kind in UNREAD_KINDS for suffix in kind.suffixes.split()]
    assert len(unread) == len(set(unread)) and not SUFFIXES & set(unread)
    assert not NO_TEXT & {"md", "html", "pdf", "txt", "php"}


def test_the_error_names_the_kinds_of_the_table() -> None:
    assert UnsupportedContentError("x").hint == READABLE
