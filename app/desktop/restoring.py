"""A checked backup takes the place of the corpus: the engine lets go of it, the file is swapped, the engine starts again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.paths import corpus_file

if TYPE_CHECKING:
    from app.corpus.records import Restored
    from app.corpus.replacing import Prepared
    from app.engine import Engine


async def put_in_place(engine: Engine, prepared: Prepared) -> Restored:
    """Stop the engine, then swap the files; the caller restarts it, whatever came of this.

    Raises CorpusError, CorpusBusyError, FileAccessError; a whole corpus is in place then too.
    """
    from app.corpus.replacing import swap

    await engine.stop()
    return await asyncio.to_thread(swap, prepared, corpus_file(engine.settings.data_dir))
