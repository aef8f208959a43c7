"""Texts as they are compared: what markup and Markdown write differently left out."""

from __future__ import annotations

import re


def letters(text: str) -> str:
    """Letters and digits alone, lower-case."""
    return re.sub(r"[\W_]+", "", text.lower())


def exact_lines(text: str) -> str:
    """Code as it is compared: ends of lines stripped, no blank lines around, everything else as it stands."""
    text = text.replace("\r\n", "\n").replace("\u00a0", " ").replace("\u200b", "").replace("\ufeff", "")
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")
