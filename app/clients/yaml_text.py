"""Values as YAML text, in the plain style of configuration files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

_PLAIN: Final = re.compile(r"[A-Za-z_/][\w./ +@,()-]*(?<! )")
_NOT_TEXT: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def member_lines(key: str, value: Any, column: int) -> list[str]:
    """The lines of a key with its value, as a block that begins at a column."""
    indent = " " * column
    if isinstance(value, Mapping) and value:
        lines = [line for name, one in value.items() for line in member_lines(str(name), one, column + 2)]
        return [f"{indent}{flow(key)}:", *lines]
    if isinstance(value, list | tuple) and value:
        return [f"{indent}{flow(key)}:", *(f"{indent}  - {flow(one)}" for one in value)]
    return [f"{indent}{flow(key)}: {flow(value)}"]


def flow(value: Any, *, inside: bool = False) -> str:
    """A value on one line. `inside` brackets a comma would end a plain text."""
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT and not (inside and "," in value)
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        members = ", ".join(f"{flow(str(key), inside=True)}: {flow(one, inside=True)}" for key, one in value.items())
        return f"{{{members}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(one, inside=True) for one in value)}]"
    return json.dumps(value)
