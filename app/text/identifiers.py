"""The words inside names of code, so that `random forest` finds `RandomForestClassifier`."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = re.compile(r"\b_*[A-Za-z]+[A-Z0-9_]\w*")
_BORDER: Final = re.compile(
    r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])"
)
_MIN_PART: Final = 2


def split_identifiers(text: str) -> str:
    """Distinct lower-case parts of all CamelCase, snake_case and numbered names in the text, in order,
    space-separated.

        Names that have no parts give nothing, they are in the text as they are; single letters are left out.
    """
    found: dict[str, None] = {}
    for name in _NAME.findall(text):
        parts = [part.lower() for part in _BORDER.split(name) if len(part) >= _MIN_PART]
        if len(parts) > 1 or (parts and parts[0] != name.lower()):
            found.update(dict.fromkeys(parts))
    return " ".join(found)
