"""The list of skipped files survives the program, even if it was killed while reading a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.corpus.unread_files import NOTES_FILE, UnreadFiles

URL, STAMP, LATER = "file:///notes/a.md", (1, 10), (2, 10)


def test_an_unreadable_file_is_skipped_until_it_changes(tmp_path: Path) -> None:
    notes = UnreadFiles(tmp_path / NOTES_FILE)
    assert not notes.begin(URL, STAMP)
    notes.end(URL, STAMP, "It took too long.")
    for each in (notes, UnreadFiles(tmp_path / NOTES_FILE)):
        assert each.why_not(URL, STAMP) == "It took too long."
        assert not each.why_not(URL, LATER)
        assert [(file.url, file.reason) for file in each.below("file:///notes/")] == [(URL, "It took too long.")]
    notes.forget_others("file:///other/", ())
    assert notes.below()
    notes.forget_others("file:///notes/", {URL})
    assert notes.below()
    notes.forget_others("file:///notes/", ())
    assert not UnreadFiles(tmp_path / NOTES_FILE).below()


def test_a_file_that_crashed_the_program_is_known_at_the_next_start(tmp_path: Path) -> None:
    killed = UnreadFiles(tmp_path / NOTES_FILE)
    killed.begin(URL, STAMP)
    assert not killed.why_not(URL, STAMP), "a running attempt is not a failure"
    second = UnreadFiles(tmp_path / NOTES_FILE)
    assert not second.why_not(URL, STAMP)
    assert second.begin(URL, STAMP), "the previous attempt was interrupted"
    assert URL in UnreadFiles(tmp_path / NOTES_FILE).why_not(URL, STAMP)
    assert not UnreadFiles(tmp_path / NOTES_FILE).begin(URL, LATER)
    assert URL in UnreadFiles(tmp_path / NOTES_FILE, unfinished=1).why_not(URL, LATER)


def test_readable_files_are_not_recorded(tmp_path: Path) -> None:
    notes = UnreadFiles(tmp_path / NOTES_FILE)
    for _ in range(3):
        notes.begin(URL, STAMP)
        notes.end(URL, STAMP)
    assert not notes.below() and not UnreadFiles(tmp_path / NOTES_FILE).begin(URL, STAMP)


NO_NUMBER = b'[{"url": "", "mtime_ns": 1e999, "bytes": 1, "tries": 1, "reason": ""}]'


@pytest.mark.parametrize("content", [b"", b"\xff", b"{}", b"[1]", b'[{"url": 1}]', NO_NUMBER, b"[" * 100_000])
def test_with_damaged_records_every_file_is_read(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NOTES_FILE).write_bytes(content)
    assert not UnreadFiles(tmp_path / NOTES_FILE).below()
