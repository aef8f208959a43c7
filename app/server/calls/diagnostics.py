"""What diagnostic logging tells of a call: its arguments, how much of the budget each part took, how the result begins."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from app import caps
from app.logs import DIAGNOSTICS, redact
from app.server.render.budget import Budget
from app.server.render.text import one_line

_SECTION: Final = re.compile(r"^\[([A-Z][A-Z ]*)\]$", re.MULTILINE)


def note_arguments(call_id: int, tool: str, arguments: Mapping[str, Any] | None) -> None:
    """The arguments as they came, shortened and without secrets."""
    if DIAGNOSTICS.is_on:
        text = json.dumps(arguments or {}, ensure_ascii=False, default=str)
        DIAGNOSTICS.write(f"call {call_id}: {tool} {_shown(text, caps.MAX_DIAGNOSTIC_PARAMETER_CHARS)}")


def note_result(call_id: int, text: str, tokens: int, budget: Budget) -> None:
    """What was used of the budget, section by section, and the first characters."""
    if DIAGNOSTICS.is_on:
        used = f"{tokens}/{budget.tokens} tokens, {len(text)}/{budget.characters} characters"
        sizes = ", ".join(f"{name.lower()} {size}" for name, size in section_sizes(text))
        DIAGNOSTICS.write(f"call {call_id}: {used}{f'; characters by section: {sizes}' if sizes else ''}")
        DIAGNOSTICS.write(f"call {call_id}: begins with {_shown(text, caps.MAX_DIAGNOSTIC_PREVIEW_CHARS)}")


def section_sizes(text: str) -> list[tuple[str, int]]:
    """The sections of a result and their characters, in order."""
    found = list(_SECTION.finditer(text))
    ends = (*(match.start() for match in found), len(text))[1:]
    return [(match.group(1), end - match.start()) for match, end in zip(found, ends, strict=False)]


def _shown(text: str, limit: int) -> str:
    return one_line(redact(text), limit)
