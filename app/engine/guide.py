"""The bundled guide in the corpus, so that every tool has something to answer from the start."""

from __future__ import annotations

import asyncio

from app.corpus import Corpus
from app.ingest.guide import guide_pages
from app.ingest.pipeline import IngestPipeline


async def keep_guide(pipeline: IngestPipeline, corpus: Corpus) -> None:
    """Store what is new or changed of it."""
    for url, page in await asyncio.to_thread(guide_pages):
        stored = await asyncio.to_thread(corpus.document, url)
        if stored is None or stored.text != page.text:
            await pipeline.store_page(page, url=url, kind="guide")
