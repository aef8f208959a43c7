"""One document saved as a Markdown file where the person wants it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import CorpusError, FileAccessError

if TYPE_CHECKING:
    from app.engine import Engine


async def save_markdown(engine: Engine, document_id: int, path: Path) -> Path:
    """Write the document as `webrag export` does. Raises FileAccessError, CorpusError when it is gone."""
    from app.server.control.exporting import markdown_file

    document = await engine.documents.get(document_id)
    if document is None:
        raise CorpusError("This page is no longer stored.", hint="Read it again.")
    text = await asyncio.to_thread(markdown_file, document, await engine.documents.links(document_id))
    try:
        await asyncio.to_thread(path.write_text, text, "utf-8", "replace", "\n")
    except OSError as error:
        raise FileAccessError(f"{path} cannot be written: {error.strerror}.", hint="Choose another place.") from error
    return path
