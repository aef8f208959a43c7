"""The addresses of kept passages: one strict form, nothing else is read as one."""

from __future__ import annotations

import re
import secrets
import string
from typing import Final

from app.scratch.records import ALIAS_SCHEME, PINNED, SCHEME

TEMPLATE: Final = f"{SCHEME}://scratch/{{session_id}}/{{passage_id}}"

_ALPHABET: Final = string.ascii_letters + string.digits
_PASSAGE_ID_CHARS: Final = 17
"""Of 62 letters and digits: 101 random bits. No sign that a command line or a model could take for something else."""
_SESSION_BYTES: Final = 16
_SESSION_CHARS: Final = 22
_ADDRESS: Final = re.compile(
    rf"(?:{SCHEME}|{ALIAS_SCHEME})://scratch/"
    rf"(?P<session>{PINNED}|[A-Za-z0-9_-]{{{_SESSION_CHARS}}})/(?P<passage>[A-Za-z0-9]{{{_PASSAGE_ID_CHARS}}})"
)


def new_session_id() -> str:
    return secrets.token_urlsafe(_SESSION_BYTES)


def new_passage_id() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_PASSAGE_ID_CHARS))


def split(uri: str) -> tuple[str, str] | None:
    """Session and passage of an address, None for any other spelling."""
    match = _ADDRESS.fullmatch(uri)
    return (match["session"], match["passage"]) if match else None


def is_address(text: str) -> bool:
    """Whether the text is meant as an address, right or wrong, and not as a bare id."""
    return "/" in text or ":" in text
