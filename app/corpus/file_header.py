"""What the first bytes of a file say: whether it is a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x57524147
"""ASCII "WRAG", in the header of the file."""

_MAGIC: Final = b"SQLite format 3\0"
_PLACE: Final = slice(68, 72)
"""Where SQLite keeps the application id, big-endian (https://www.sqlite.org/fileformat.html)."""


def is_corpus_file(path: Path) -> bool:
    """Whether a file claims to be a corpus or a backup of one. Raises OSError."""
    with path.open("rb") as stream:
        head = stream.read(_PLACE.stop)
    return head.startswith(_MAGIC) and int.from_bytes(head[_PLACE], "big") == APPLICATION_ID
