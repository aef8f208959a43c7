"""Token estimate for texts when no tokenizer is at hand."""

from __future__ import annotations


def estimate_tokens(text: str) -> int:
    """A quarter of the UTF-8 length, rounded up."""
    return -(-len(text.encode("utf-8")) // 4)
