"""Output of the command line: results to stdout, everything else to stderr."""

from __future__ import annotations

import codecs
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from app.errors import WebRAGError
from app.text.page_text import one_line, tame, tame_json

if TYPE_CHECKING:
    from app.ingest.outcome import IngestedPage

CLEAR_LINE = "\r\x1b[K"
PLAIN_SIGNS: Final = {
    "✓": "+", "✗": "x", "–": "-", "—": "-", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "•": "*", "→": "->",
    "\N{NO-BREAK SPACE}": " ",
}  # fmt: skip
"""Replacements for characters that the terminal cannot encode; others become a question mark."""
_PLAIN: Final = "webrag-plain"


@dataclass(frozen=True, slots=True)
class Failure:
    """An error to print. A running instance sends its errors in this form."""

    code: str
    title: str
    message: str
    hint: str

    @classmethod
    def of(cls, error: WebRAGError) -> Failure:
        """Convert an error."""
        return cls(error.code.value, error.title, error.message, error.hint)


WRONG_COMMAND_LINE: Final = 2  # Exit status of an invalid command line.


class CommandFailedError(Exception):
    """An error that ends a command with an exit status."""

    def __init__(self, failure: Failure, *, status: int = 1) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.status = status


def say(text: str) -> None:
    """Print lines of the result. Text from pages and file names cannot control the terminal."""
    _put(tame(text))


def say_json(value: Any) -> None:
    """Print the result as JSON."""
    _put(tame_json(json.dumps(value, ensure_ascii=False, indent=2)))


def tell(result: object, text: str, *, as_json: bool) -> None:
    """Print a result as JSON, or as text unless that is empty."""
    if as_json:
        from app.serialise import to_jsonable

        say_json(to_jsonable(result))
    elif text:
        say(text)


def port_lost_text(port: int, url: str) -> str:
    """Explain that another program uses the configured port."""
    return (
        f"Another program uses port {port}. Assistants with the old address reach that program and send it the token. "
        f"Change their address to {url}, or quit that program and restart WebRAG."
    )


def remark(text: str) -> None:
    """Print a line for the user that is not part of the result."""
    if sys.stderr is not None:
        sys.stderr.write(f"{tame(text)}\n")
        sys.stderr.flush()


def show_failure(failure: Failure, *, as_json: bool = False) -> None:
    """Print an error and its hint."""
    if as_json:
        say_json({"error": asdict(failure)})
        return
    remark(f"error: {failure.message}")
    if failure.hint:
        remark(f"hint: {failure.hint}")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Format rows as columns; every cell is a single line."""
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(max(map(len, rows), default=0))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _put(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def tolerate_encoding() -> None:
    """Replace characters that the terminal cannot encode, instead of failing."""
    codecs.register_error(_PLAIN, _in_plain_signs)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_PLAIN)


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN_SIGNS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


class ProgressLine:
    """A progress line on stderr, shown only on a terminal."""

    def __init__(self, *, shown: bool = True) -> None:
        self._shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self._used = False

    def show(self, text: str) -> None:
        """Replace the line."""
        if self._shown:
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"{CLEAR_LINE}{one_line(text)[:width]}")
            sys.stderr.flush()
            self._used = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._used:
            sys.stderr.write(CLEAR_LINE)
            sys.stderr.flush()


def print_failures(pages: Iterable[IngestedPage], *, as_json: bool) -> int:
    """Print the failed pages, unless the JSON result contains them, and return the exit status."""
    failed = [page for page in pages if page.is_failed]
    if not as_json:
        for page in failed:
            message = f"{one_line(page.url)}: {one_line(page.failure_reason)} ({page.failure_code})"
            show_failure(Failure(page.failure_code, "", message, page.note))
    return 1 if failed else 0
