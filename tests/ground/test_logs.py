from __future__ import annotations

import errno
import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.logs import configure_logging, redact


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
    ],
)
def test_secrets_do_not_survive(text: str) -> None:
    assert "abc123DEF" not in redact(text) and "[redacted]" in redact(text)


def test_honest_text_is_left_alone() -> None:
    assert redact("indexed 12 tokens of 3 pages") == "indexed 12 tokens of 3 pages"


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


def test_a_folder_that_cannot_be_used_costs_only_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    in_the_way = tmp_path / "logs"
    in_the_way.write_text("no folder")
    configure_logging("INFO", log_dir=in_the_way)
    logging.getLogger("app.test").info("goes on")
    err = capfd.readouterr().err
    assert "no log file is written" in err and "goes on" in err


class FullDisk(io.StringIO):
    """Takes nothing."""

    def write(self, text: str, /) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_takes_no_line_costs_the_line_and_no_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    configure_logging(log_dir=tmp_path, to_stderr=False)
    (handler,) = logging.getLogger().handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(FullDisk())
    logging.getLogger("a").warning("a line")
    told = capfd.readouterr()
    assert told.err == told.out == ""
