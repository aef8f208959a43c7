"""Cursors of searches: how far a search was shown, signed with the secret of its session, so that they end with it."""

from __future__ import annotations

import base64
import binascii
import hmac
from typing import Final

from app.errors import InvalidArgumentError

_MAC_BYTES: Final = 16
_PLACE_BYTES: Final = 2


def cursor_behind(secret: bytes, search: bytes, place: int) -> str:
    """A cursor that goes on behind so many results of a search; `search` tells it from all others."""
    behind = place.to_bytes(_PLACE_BYTES, "big")
    return base64.urlsafe_b64encode(behind + _mac(secret, search, behind)).decode().rstrip("=")


def place_of(secret: bytes, search: bytes, cursor: str) -> int:
    """How many results lie before the cursor. Raises InvalidArgumentError for one that is not of this session and search."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _unknown() from None
    behind = raw[:_PLACE_BYTES]
    if len(raw) != _PLACE_BYTES + _MAC_BYTES or not hmac.compare_digest(
        raw[_PLACE_BYTES:], _mac(secret, search, behind)
    ):
        raise _unknown()
    return int.from_bytes(behind, "big")


def _mac(secret: bytes, search: bytes, behind: bytes) -> bytes:
    return hmac.digest(secret, search + behind, "sha256")[:_MAC_BYTES]


def _unknown() -> InvalidArgumentError:
    return InvalidArgumentError(
        "The cursor is not of this search, or its session is over.",
        hint="Repeat the search with the same arguments, or start it again without a cursor.",
    )
