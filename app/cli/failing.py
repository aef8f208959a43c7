"""Pages and files that could not be read or written, each as an error of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.cli.output import Failure, show_failure

if TYPE_CHECKING:
    from app.ingest.outcome import IngestedPage


def told_failures(pages: Iterable[IngestedPage], *, as_json: bool) -> int:
    """Show what could not be read, unless the JSON of the result has said it; the exit status."""
    from app.server.render.text import one_line

    failed = [page for page in pages if page.is_failed]
    if not as_json:
        for page in failed:
            message = f"{one_line(page.url)}: {one_line(page.failure_reason)} ({page.failure_code})"
            show_failure(Failure(page.failure_code, "", message, page.note), as_json=False)
    return 1 if failed else 0
