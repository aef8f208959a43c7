"""How a running question tells its listeners where it is."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol


class ProgressCallback(Protocol):
    """Called at each phase with the wording of the contract; `iteration` and `total` count expansion rounds."""

    def __call__(
        self, phase: str, detail: str, iteration: int | None = None, total: int | None = None
    ) -> Awaitable[None]: ...


async def no_progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
    """Tell nobody."""
