from __future__ import annotations

import errno
import io
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.logs import MAX_REPEATS, REPEAT_SECONDS, RepeatFilter, configure_logging, redact


@pytest.fixture(autouse=True)
def restore_root() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in list(root.handlers):
        if handler not in handlers:
            handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abc123DEF",
        "api_key=abc123DEF&x=1",
        '{"token": "abc123DEF"}',
        "password: abc123DEF",
        "Authorization: Basic abc123DEF",
        "https://a.example/x?key=abc123DEF",
        "https://a.example/x?q=1&amp;maps_api-key=abc123DEF",
        "https://a.example/x?subscription-key=abc123DEF#top",
        "https://a.example/x?authKey=abc123DEF",
        "https://a.example/b?sv=2024&sp=r&sig=abc123DEF%2B1%3D",
        "https://a.example/o?Expires=1&signature=abc123DEF",
        "https://a.example/o?X-Amz-Signature=abc123DEF&X-Amz-Expires=900",
        "https://a.example/o?X-Amz-Credential=abc123DEF%2F20260101",
        "https://a.example/o?X-Goog-Signature=abc123DEF",
        "https://a.example/o?AWSAccessKeyId=abc123DEF",
        "https://a.example/o?GoogleAccessId=abc123DEF",
        "https://a.example/f?sas=abc123DEF",
        "https://a.example/f?code=abc123DEF",
        "https://a.example/f?auth_code=abc123DEF",
        "https://a.example/f?session=abc123DEF",
        "https://a.example/f?sessionid=abc123DEF",
        "https://a.example/f;jsessionid=abc123DEF?x=1",
        "https://a.example/f?PHPSESSID=abc123DEF",
        "https://a.example/f#ticket=abc123DEF",
        "https://a.example/f?SAMLResponse=abc123DEF",
        "https://a.example/go?to=https%3A%2F%2Fb.example%2Fx%3Fa%3D1%26sig%3Dabc123DEF",
        "the file https://a.example/f?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxabc123DEF.c2lnbmF0dXJl was read",
        "https://a.example/f?x=ghp_0123456789abcdefghijabc123DEF",
    ],
)
def test_secrets_are_redacted(text: str) -> None:
    assert "abc123DEF" not in redact(text) and "[redacted]" in redact(text)


def test_redacted_text_is_unchanged() -> None:
    once = redact("see https://a.example/x?key=abc123DEF&sig=abc123DEF%3D&code=abc123DEF&page=2 (closed)")
    assert once == "see https://a.example/x?key=[redacted]&sig=[redacted]&code=[redacted]&page=2 (closed)"
    assert redact(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "indexed 12 tokens of 3 pages",
        "https://a.example/errors?code=404",
        "https://a.example/where?country_code=de&zip=12345",
        "https://a.example/talks?session=spring&sort_key=published&keyword=sqlite",
        "https://a.example/list?sid=12&design=1&monkey=capuchin-2024&assign=ada-lovelace-1",
        "https://a.example/doc?author=ada&auth=basic#code-of-conduct",
        "the signature = the name of a function; the code: 12345678",
    ],
)
def test_harmless_text_is_unchanged(text: str) -> None:
    assert redact(text) == text


def test_redacting_a_long_text_takes_a_single_pass() -> None:
    """Text chosen by a page cannot make the patterns scan it repeatedly."""
    for part in ("&x.", "&access_", "%26sessionid", "?code=", "-eyJaaaaaaaa", "&aaaaaaaa="):
        redact(part * 50_000)


def test_the_file_gets_redacted_records_and_stdout_gets_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    configure_logging("INFO", log_dir=tmp_path)
    try:
        raise ValueError("token=abc123DEF")
    except ValueError:
        logging.getLogger("app.test").exception("failed")
    out, err = capfd.readouterr()
    written = (tmp_path / "webrag.log").read_text()
    assert "failed" in written and "abc123DEF" not in written + err and out == ""


def test_outside_text_cannot_control_the_terminal_or_start_a_log_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    configure_logging("INFO", log_dir=tmp_path)
    name = "x\x1b]0;owned\x07\x1b[2J\u202e\x9b1m\r\n2026-01-01 00:00:00,000 ERROR app: forged\x85also forged"
    logging.getLogger("app.test").warning("a call from %s", name)
    try:
        raise ValueError(name)
    except ValueError:
        logging.getLogger("app.test").exception("failed")
    for written in (capfd.readouterr().err, (tmp_path / "webrag.log").read_text()):
        assert "forged" in written and all(letter.isprintable() for letter in written.replace("\n", ""))
        begun = [line for line in written.splitlines() if line[:1].strip()]
        assert len(begun) == 2 and not any("ERROR app: forged" in line for line in begun)


def test_an_unusable_folder_only_costs_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    in_the_way = tmp_path / "logs"
    in_the_way.write_text("no folder")
    configure_logging("INFO", log_dir=in_the_way)
    logging.getLogger("app.test").info("goes on")
    err = capfd.readouterr().err
    assert "no log file is written" in err and "goes on" in err


class FullDisk(io.StringIO):
    """A stream that accepts no output."""

    def write(self, text: str, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_costs_the_line_without_a_traceback(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    configure_logging(log_dir=tmp_path, to_stderr=False)
    (handler,) = logging.getLogger().handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(FullDisk())
    logging.getLogger("a").warning("a line")
    told = capfd.readouterr()
    assert told.err == told.out == ""


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_log_files_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.logs.MAX_LOG_FILE_BYTES", 200)
    for name in ("webrag.log", "webrag.log.2", "crash.log"):
        (tmp_path / name).write_text("older")
        (tmp_path / name).chmod(0o644)
    configure_logging("INFO", log_dir=tmp_path, to_stderr=False)
    for number in range(20):
        logging.getLogger("app.test").info("line %d that fills the file", number)
    found = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert {"webrag.log", "webrag.log.1", "webrag.log.2", "crash.log"} <= set(found)
    assert set(found.values()) == {0o600}


def test_a_flood_of_one_warning_is_counted_and_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("app.logs.RepeatFilter", lambda: RepeatFilter(lambda: now[0]))
    configure_logging("INFO", log_dir=tmp_path, to_stderr=False)
    log = logging.getLogger("app.test")
    for number in range(1_000):
        log.warning("accept: too many files (%d)", number)
    log.warning("something else")
    for _ in range(MAX_REPEATS + 5):
        log.info("a page was read")
    now[0] = REPEAT_SECONDS
    log.warning("accept: too many files (%d)", 1_000)
    lines = (tmp_path / "webrag.log").read_text().splitlines()
    assert sum("accept" in line for line in lines) == MAX_REPEATS + 1
    assert lines[-1].endswith(f"({1_000 - MAX_REPEATS} more of these were left out)")
    assert sum("something else" in line for line in lines) == 1
    assert sum("page was read" in line for line in lines) == MAX_REPEATS + 5
