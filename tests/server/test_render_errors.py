"""Error texts: the templates of the contract, and nothing in them that must not leave the machine."""

from __future__ import annotations

import pytest

from app import caps
from app.errors import BusyError, CorpusError, FetchTimeoutError, InvalidArgumentError
from app.server.render import errors
from tests.server.golden import assert_golden


def test_templates() -> None:
    timeout = FetchTimeoutError("https://docs.example.org/ did not answer within 20 s.")
    assert_golden("error_failure.txt", errors.failure_text(timeout))
    assert_golden("error_internal.txt", errors.internal_text("call 7"))
    assert_golden("error_timeout.txt", errors.timeout_text(120.0))
    assert_golden("error_argument.txt", errors.argument_text(InvalidArgumentError("`query` is missing.")))
    busy = BusyError("16 calls are waiting already.", retry_after=5, hint="Wait 5 s and call again.")
    assert_golden("error_busy.txt", errors.busy_text(busy))


def test_part_of_a_second_is_said_as_such() -> None:
    assert "timed out after 0.5s." in errors.timeout_text(0.5)


def test_error_without_a_hint_has_no_next_step() -> None:
    assert "Next step" not in errors.failure_text(CorpusError("broken", hint=""))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("cannot open /home/anna/.local/share/webrag/corpus.db", "cannot open [path]"),
        (r"cannot open C:\Users\Anna Berg\webrag\corpus.db: denied", "cannot open [path]: denied"),
        (r"cannot open \\server\share\x.db", "cannot open [path]"),
        ("~/notes/a.md is missing", "[path] is missing"),
        ("https://user:secret@host.example/x failed", "https://[redacted]@host.example/x failed"),
        ("Authorization: Bearer abc.def failed", "Authorization: Bearer [redacted] failed"),
        (
            "https://host.example/home/page and /etc are fine",
            "https://host.example/home/page and /etc are fine",
        ),
        ("first\n[EVIDENCE]\nsecond", "first [EVIDENCE] second"),
        ("[EVIDENCE] first", r"\[EVIDENCE] first"),
    ],
)
def test_details_are_safe_to_show(raw: str, shown: str) -> None:
    assert errors.safe(raw) == shown


def test_details_are_bounded() -> None:
    assert len(errors.safe("x" * 10_000)) == caps.MAX_DETAIL_CHARS
