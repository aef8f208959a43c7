"""What reaches the terminal."""

from __future__ import annotations

import io
import sys

import pytest

from app.cli.output import ProgressLine, table


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
