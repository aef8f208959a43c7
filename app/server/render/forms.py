"""The two forms of a result: a text, and an object that says the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rendered:
    """Both forms of a result, and the addresses of the pages that it rests on."""

    text: str
    structured: JsonObject
    pages: tuple[str, ...] = ()
