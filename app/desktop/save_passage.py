"""One kept passage saved as a file where the person wants it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.errors import FileAccessError

if TYPE_CHECKING:
    from app.scratch.passage import PassageIn

_UNUSABLE: Final = re.compile(r"[^\w.-]+")
_ENDINGS: Final = {"application/json": ".json", "text/html": ".html", "text/plain": ".txt"}
NAME_CHARS: Final = 80


def file_name(content: PassageIn) -> str:
    """A name to offer, made of the title; texts are Markdown unless they say otherwise."""
    ending = ".md" if content.document_id is not None else _ENDINGS.get(content.media_type, ".md")
    return f"{_UNUSABLE.sub('-', content.title[: 2 * NAME_CHARS]).strip('-.')[:NAME_CHARS] or 'passage'}{ending}"


def save_text(content: PassageIn, path: Path) -> Path:
    """Write the text as it is; blocking. Raises FileAccessError."""
    try:
        with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(content.text)
    except OSError as error:
        raise FileAccessError(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from error
    return path
