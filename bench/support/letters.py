"""Normalize texts that markup and Markdown write differently."""

from __future__ import annotations

import re


def letters(text: str) -> str:
    """Return only letters and digits, in lower case."""
    return re.sub(r"[\W_]+", "", text.lower())


def exact_lines(text: str) -> str:
    """Return code for comparison: without spaces at line ends and blank lines around it."""
    text = text.replace("\r\n", "\n").replace("\u00a0", " ").replace("\u200b", "").replace("\ufeff", "")
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")
