"""What of a call counts towards the token ledger."""

from __future__ import annotations

from typing import Final

STORING: Final = frozenset({"ingest"})
"""Tools whose pages are put away and not read by the assistant."""


def reads_pages(tool: str, outcome: str, tokens: int) -> bool:
    """Whether the assistant got something out of the pages of a call; `tokens` were returned."""
    return outcome == "ok" and tokens > 0 and tool not in STORING
