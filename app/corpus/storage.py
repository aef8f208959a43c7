"""How many bytes of the file hold what."""

from __future__ import annotations

from typing import Final

import apsw

from app.corpus.records import StorageUse

TEXTS: Final = frozenset(
    (
        *("documents", "document_texts", "aliases", "sections", "links", "images", "chunks", "navigation"),
        *("folders", "docsets", "doc_pages", "doc_texts"),
    )
)
VECTORS: Final = frozenset(("embeddings", "embedding_bits", "token_vectors"))
PINS: Final = frozenset(("pinned_passages",))
RECORDS: Final = frozenset(("activity", "jobs", "job_items"))


def use(con: apsw.Connection) -> StorageUse:
    """Bytes by what they hold; whatever is not named above serves the search. Reads every page of the file."""
    sums = dict.fromkeys(("texts", "vectors", "pins", "records", "indexes"), 0)
    for name, pages in con.execute("SELECT name, pgsize FROM dbstat WHERE aggregate = 1"):
        sums[_kind(name)] += pages
    unused = con.pragma("freelist_count") * con.pragma("page_size")
    return StorageUse(**sums, unused=unused)


def _kind(name: str) -> str:
    for kind, names in (("texts", TEXTS), ("vectors", VECTORS), ("pins", PINS), ("records", RECORDS)):
        if name in names:
            return kind
    return "indexes"
