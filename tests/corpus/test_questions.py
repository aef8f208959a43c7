"""Recorded questions: read with their calls, limited, and deleted from the disk when erased."""

from __future__ import annotations

import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app import caps
from app.corpus.questions import FREED_AT_ONCE, QuestionLog
from app.errors import CorpusDamagedError, CorpusError

DAY = 86_400.0
NOW = 200 * DAY


@pytest.fixture
def log(tmp_path: Path) -> QuestionLog:
    return QuestionLog(tmp_path / "questions.db", clock=lambda: NOW)


def fill(log: QuestionLog, count: int) -> None:
    for number in range(1, count + 1):
        log.add(number, NOW + number, f"question-{number}-about-bees")


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_the_file_does_not_exist_without_questions(log: QuestionLog, tmp_path: Path) -> None:
    assert log.everything() == {}
    log.erase_one(1)
    log.expire()
    log.erase_all()
    assert list(tmp_path.iterdir()) == []


def test_questions_are_listed_newest_first(log: QuestionLog, tmp_path: Path) -> None:
    fill(log, 3)
    assert list(log.everything()) == [3, 2, 1]
    assert log.of([2, 9]) == {2: (NOW + 2, "question-2-about-bees")}
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "questions.db").stat().st_mode) == 0o600


def test_erased_questions_are_no_longer_on_the_disk(log: QuestionLog, tmp_path: Path) -> None:
    fill(log, 300)
    log.erase_one(17)
    assert b"question-17-about" not in bytes_of(tmp_path) and b"question-18-about" in bytes_of(tmp_path)
    log.erase(NOW + 100, NOW + 200)
    left = bytes_of(tmp_path)
    assert not any(f"question-{number}-about".encode() in left for number in range(100, 200))
    assert all(f"question-{number}-about".encode() in left for number in (99, 200))
    log.erase(0.0, NOW + 301)
    assert list(tmp_path.iterdir()) == []


def test_a_question_of_a_call_running_when_all_were_erased_is_not_recorded(log: QuestionLog, tmp_path: Path) -> None:
    log.erase_all()
    log.add(1, NOW - 5.0, "question-1-about-bees")
    assert list(tmp_path.iterdir()) == []
    log.add(2, NOW + 1.0, "question-2-about-bees")
    assert list(log.everything()) == [2]


def test_a_question_of_a_call_running_when_its_day_was_erased_is_not_recorded(log: QuestionLog) -> None:
    log.erase(NOW - 100.0, NOW + 100.0)
    log.add(1, NOW - 5.0, "question-1-about-bees")
    log.add(2, NOW - 101.0, "question-2-about-bees")
    log.add(3, NOW + 1.0, "question-3-about-bees")
    assert list(log.everything()) == [3, 2]


def test_erasing_waits_for_a_question_that_is_being_written(
    log: QuestionLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, goes_on = threading.Event(), threading.Event()
    real = log._add

    def slowly(call_id: int, asked_at: float, text: str) -> None:
        written.set()
        assert goes_on.wait(60)
        real(call_id, asked_at, text)

    monkeypatch.setattr(log, "_add", slowly)
    with ThreadPoolExecutor(2) as pool:
        adding = pool.submit(log.add, 1, NOW + 1.0, "question-1-about-bees")
        assert written.wait(60)
        erasing = pool.submit(log.erase_all)
        goes_on.set()
        adding.result(60)
        erasing.result(60)
    assert list(tmp_path.iterdir()) == []


def test_the_oldest_questions_are_erased_beyond_the_limit(
    log: QuestionLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_QUESTIONS", FREED_AT_ONCE + 20)
    fill(log, FREED_AT_ONCE + 21)
    assert len(log.everything()) == 20 and FREED_AT_ONCE + 21 in log.everything()
    assert b"question-5-about" not in bytes_of(tmp_path)


def test_questions_expire(log: QuestionLog, tmp_path: Path) -> None:
    log.add(1, NOW - caps.QUESTION_DAYS * DAY - 1, "too-old")
    log.add(2, NOW - caps.QUESTION_DAYS * DAY + 1, "still-there")
    log.expire()
    assert [text for _, text in log.everything().values()] == ["still-there"]
    assert b"too-old" not in bytes_of(tmp_path)


def test_a_damaged_file_is_reported_erased_and_replaced(log: QuestionLog, tmp_path: Path) -> None:
    (tmp_path / "questions.db").write_bytes(b"no database" * 1_000)
    with pytest.raises(CorpusError):
        log.everything()
    log.add(1, NOW, "after the damage")
    assert list(log.everything()) == [1]
    (tmp_path / "questions.db").write_bytes(b"no database" * 1_000)
    log.erase_all()
    assert log.everything() == {}


def test_damage_does_not_blame_the_library_or_keep_erased_questions(log: QuestionLog, tmp_path: Path) -> None:
    """The library is intact: the error must not suggest restoring it."""
    file = tmp_path / "questions.db"
    file.write_bytes(b"no database" * 1_000)
    with pytest.raises(CorpusError) as caught:
        log.everything()
    assert not isinstance(caught.value, CorpusDamagedError) and "Privacy" in caught.value.hint
    log.erase(0.0, NOW)
    assert not file.exists()
    file.write_bytes(b"no database" * 1_000)
    log.expire()
    assert not file.exists()
