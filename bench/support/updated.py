"""What a library contains, to compare it before and after an update, and the damage that an interrupted update could leave."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from app.corpus.page_texts import TEXT, add_function
from app.corpus.vector_index import coded, precise

OWN: Final = "url LIKE 'http%'"  # The guide is part of the program and changes with it.
OWN_IDS: Final = f"SELECT id FROM documents WHERE {OWN}"
CONTENTS: Final = {
    "pages": f"""SELECT id, url, title, kind, language, content_hash, etag, last_modified, published, last_crawled, note
        FROM documents WHERE {OWN} ORDER BY id""",
    "texts": f"SELECT document_id, text FROM document_texts WHERE document_id IN ({OWN_IDS}) ORDER BY document_id",
    "passages": f"""SELECT id, document_id, substr(key, 1, 16), ord, title, section_path, anchor, text, "start", "end", tokens
        FROM chunks WHERE document_id IN ({OWN_IDS}) ORDER BY id""",
    "sections": f"SELECT * FROM sections WHERE document_id IN ({OWN_IDS}) ORDER BY document_id, ord",
    "links": f"SELECT * FROM links WHERE document_id IN ({OWN_IDS}) ORDER BY document_id, ord",
    "pinned passages": "SELECT * FROM pinned_passages ORDER BY ord",
    "jobs": "SELECT id, kind, target, state, stored, failed FROM jobs ORDER BY id",
    "vectors": f"""SELECT e.chunk_id, e.vector FROM embeddings e JOIN chunks c ON c.id = e.chunk_id
        WHERE c.document_id IN ({OWN_IDS}) ORDER BY e.chunk_id""",
}
PACKED_TEXTS: Final = CONTENTS["texts"].replace(" text ", f" {TEXT} ")
SIGNS: Final = """
SELECT (SELECT count(*) FROM embeddings WHERE chunk_id NOT IN (SELECT chunk_id FROM token_vectors))
"""
PACKED_SIGNS: Final = """
SELECT count(*) FROM embeddings e WHERE NOT EXISTS (SELECT 1 FROM token_vectors t WHERE t.chunk_id = e.chunk_id)
  AND NOT EXISTS (SELECT 1 FROM token_parts p WHERE p.chunk_id = e.chunk_id){more}
"""
FILLED_SIGNS: Final = """
  AND NOT EXISTS (SELECT 1 FROM token_rows r WHERE r.id BETWEEN e.chunk_id * 4096 AND e.chunk_id * 4096 + 4095)
"""


@dataclass(frozen=True)
class Contents:
    """A count and a digest of every kind of content, and whether all migrations are applied and all pages rewritten."""

    counts: dict[str, int]
    digests: dict[str, str]
    migrations: int
    unpacked: int
    without_signs: int

    def differences(self, other: Contents) -> list[str]:
        """Return what differs, in words."""
        return [
            f"{name}: {self.counts[name]:,} became {other.counts[name]:,}"
            if self.counts[name] != other.counts[name]
            else f"{name} differ"
            for name in CONTENTS
            if self.digests[name] != other.digests[name]
        ]


def contents_of(file: Path, dimension: int = 384) -> Contents:
    """Read a library that no program has open; opening it recovers its write-ahead log."""
    with closing(apsw.Connection(str(file))) as con:
        tables = {str(name) for (name,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        counts, digests = {}, {}
        contents = CONTENTS | ({"texts": PACKED_TEXTS} if "unpacked" in tables else {})
        add_function(con)
        for name, query in contents.items():
            digest, count = hashlib.sha256(), 0
            for row in _rows(con, query, dimension if name == "vectors" else 0):
                digest.update(repr(row).encode())
                count += 1
            counts[name], digests[name] = count, digest.hexdigest()
        more = FILLED_SIGNS if "token_rows" in tables else ""
        signs = PACKED_SIGNS.format(more=more) if "token_parts" in tables else SIGNS
        return Contents(
            counts,
            digests,
            con.execute("SELECT count(*) FROM migrations").get,
            con.execute(f"SELECT count(*) FROM {'unpacked' if 'unpacked' in tables else 'token_vectors'}").get,
            con.execute(signs).get,
        )


def _rows(con: apsw.Connection, query: str, dimension: int) -> Iterator[tuple[Any, ...]]:
    for row in con.execute(query):
        if not dimension:
            yield row
            continue
        is_packed = len(row[1]) == dimension
        yield row[0], bytes(row[1]) if is_packed else coded(precise(row[1], dimension)).tobytes()


def damage_of(file: Path) -> list[str]:
    """Return what SQLite finds damaged."""
    with closing(apsw.Connection(str(file))) as con:
        found = [str(text) for (text,) in con.execute("PRAGMA quick_check") if text != "ok"]
        return found + [f"broken reference in {row[0]}" for row in con.execute("PRAGMA foreign_key_check")]
