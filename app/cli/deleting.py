"""`delete`: forget stored pages."""

from __future__ import annotations

import argparse

from app.cli.asking import asked
from app.errors import InvalidArgumentError


def delete(options: argparse.Namespace) -> int:
    """Forget the pages at these addresses. Raises InvalidArgumentError when none of them is stored."""
    deleted = asked(options, "delete", {"urls": options.urls}, list[str], lambda gone, *_: deleted_text(gone))
    if not deleted:
        raise InvalidArgumentError(
            "Nothing is indexed at these addresses.", hint="Run `webrag status` to see the addresses."
        )
    return 0


def deleted_text(deleted: list[str]) -> str:
    """One line a page."""
    return "\n".join(f"Deleted: {url}" for url in deleted)
