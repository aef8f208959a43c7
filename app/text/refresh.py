"""Read addresses in pages as browsers do."""

from __future__ import annotations

import re
from typing import Final

_DELAY: Final = re.compile(r"[0-9.]*+")
_BETWEEN: Final = " \t\r\n\f;,"
_PATH: Final = re.compile(r"[^?#]*+")


def with_slashes(reference: str) -> str:
    """Return a reference with slashes for the backslashes in its path."""
    return _PATH.sub(lambda path: path[0].replace("\\", "/"), reference, count=1) if "\\" in reference else reference


def refresh_target(content: str, *, at_once: bool = False) -> str:
    """Return the target of a refresh as written, or an empty text.

    With `at_once`, a refresh with a delay is ignored. `url=` and quotes around the address are optional, as in the HTML standard ("shared
    declarative refresh steps").
    """
    content = content.strip()
    delay = _DELAY.match(content)
    assert delay is not None
    rest = content[delay.end() :]
    if not delay.group() or rest[:1] not in _BETWEEN or (at_once and delay.group().partition(".")[0].strip("0")):
        return ""
    rest = rest.lstrip(_BETWEEN)
    if rest[:3].lower() == "url" and rest[3:].lstrip().startswith("="):
        rest = rest[3:].lstrip()[1:].lstrip()
    if rest[:1] in ("'", '"'):
        rest = rest[1:].partition(rest[0])[0]
    return rest.strip()
