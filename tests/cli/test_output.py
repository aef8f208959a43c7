"""Output on the terminal."""

from __future__ import annotations

import io
import json
import sys

import pytest

from app.cli.output import Failure, ProgressLine, remark, say, say_json, show_failure, table, tolerate_encoding


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_on_a_terminal_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "20")
    with ProgressLine() as line:
        line.show("x" * 100)
    shown = terminal.getvalue()
    assert "\n" not in shown
    assert shown.count("x") == 19
    assert shown.endswith("\r\x1b[K")


def test_progress_is_silent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, terminal = io.StringIO(), Terminal()
    monkeypatch.setattr(sys, "stderr", plain)
    with ProgressLine() as line:
        line.show("text")
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressLine(shown=False) as line:
        line.show("text")
    assert plain.getvalue() == terminal.getvalue() == ""


def test_a_table_has_aligned_columns_and_no_trailing_blanks() -> None:
    assert table([("a", "bb", ""), ("ccc", "d", "e")]) == "a    bb\nccc  d   e"


EVIL = "\x1b[2J\x9b1m\u202etitle\r"


def test_page_content_cannot_control_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(f"first\n\tsecond {EVIL}")
    remark(EVIL)
    show_failure(Failure("X", "", EVIL, EVIL), as_json=False)
    printed = capsys.readouterr()
    assert printed.out == "first\n\tsecond [2J1mtitle\n"
    assert printed.err == "[2J1mtitle\nerror: [2J1mtitle\nhint: [2J1mtitle\n"
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressLine() as line:
        line.show(f"{EVIL}\nreading")
    assert terminal.getvalue().removeprefix("\r\x1b[K").removesuffix("\r\x1b[K") == "[2J1mtitle reading"


def test_json_keeps_every_character_without_sending_it_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"title": EVIL})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"title": EVIL}
    assert all(letter.isprintable() for letter in printed.replace("\n", ""))


def test_a_cell_of_a_table_is_one_line() -> None:
    assert table([("a\nb", EVIL), ("c", "d")]) == "a b  [2J1mtitle\nc    d"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("cp437", "+ x - caf\xe9 ... ?"),
        ("cp1252", "+ x – caf\xe9 … ?"),
        ("ascii", "+ x - caf? ... ?"),
        ("utf-8", "✓ ✗ – café … 中"),
    ],
)
def test_marks_remain_distinct_in_a_limited_console(encoding: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    tolerate_encoding()
    say("✓ ✗ – café … 中")
    assert written.getvalue().decode(encoding).strip() == shown
