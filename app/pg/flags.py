"""Flags of pages whose text addresses the assistant.

Nodes share the work. A page with a new flag is hidden until an owner shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from app.library.protocol import Upkeep
from app.pg.connections import Connections, Store
from app.pg.sessions import Connection, Rights
from app.text.shield import instruction_flags

LEASE_SECONDS: Final = 300  # Seconds that a node has for its claimed documents; then another node can claim them.
CLAIM: Final = """
WITH claimed AS (
  UPDATE flags_waiting SET leased_by = $2, lease_until = now() + make_interval(secs => $3) WHERE document_id IN (
    SELECT w.document_id FROM flags_waiting w
    WHERE w.collection_id = ANY($1) AND (w.leased_by IS NULL OR w.leased_by = $2 OR w.lease_until < now())
    ORDER BY w.document_id LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING document_id
)
SELECT d.id, d.collection_id, d.content_hash,
  (SELECT array_agg(c.text ORDER BY c.ord) FROM chunks c WHERE c.collection_id = ANY($1) AND c.document_id = d.id) AS passages
FROM claimed JOIN documents d ON d.id = claimed.document_id WHERE d.collection_id = ANY($1) ORDER BY d.id
"""
STILL: Final = """
SELECT w.document_id FROM flags_waiting w JOIN documents d ON d.id = w.document_id
WHERE w.collection_id = $1 AND w.document_id = $2 AND w.leased_by = $3 AND d.content_hash = $4 FOR NO KEY UPDATE OF d
"""
"""A document that was neither deleted nor stored again since it was claimed. A writer locks the document first, then its row here;
locking both here could cause a deadlock."""
HIDE: Final = """
UPDATE documents d SET is_quarantined = true WHERE d.collection_id = $1 AND d.id = $2 AND starts_with(d.added_by, 'user:')
  AND NOT $3::text[] <@ coalesce((SELECT f.flags FROM document_flags f WHERE f.collection_id = $1 AND f.document_id = $2), '{}')
  AND NOT EXISTS (SELECT FROM grants g WHERE g.collection_id = $1 AND g.principal = d.added_by AND g.role = 'owner')
"""
"""Hide a page with new flags until an owner reviews it, unless an owner added it. Pages that an owner has shown stay visible."""
STORE_FLAGS: Final = """
INSERT INTO document_flags(document_id, collection_id, flags) VALUES($1, $2, $3)
ON CONFLICT (document_id) DO UPDATE SET flags = excluded.flags
"""


class PgFlags(Store, Upkeep):
    """The documents whose flags are not known yet, within the rights of the call."""

    def __init__(self, connections: Connections, rights_of: Callable[[], Rights], worker: str) -> None:
        super().__init__(connections, rights_of)
        self._worker = worker

    def count_waiting(self) -> int:
        return int(self._fetch("SELECT count(*) FROM flags_waiting WHERE collection_id = ANY($1)")[0][0])

    def fill(self, limit: int) -> int:
        """Find the flags of leased waiting documents, unless they change before; return their number."""
        values = (self._worker, LEASE_SECONDS, limit)
        rows = self._write(lambda con, rights: con.fetch(CLAIM, list(rights.writable), *values))
        for document in rows:
            found = dict.fromkeys(flag for passage in document["passages"] or () for flag in instruction_flags(passage))
            self._write(partial(self._store, document, list(found)))
        return len(rows)

    async def _store(self, document: Any, flags: Sequence[str], con: Connection, _rights: Rights) -> None:
        own = (document["collection_id"], document["id"])
        if await con.fetchval(STILL, *own, self._worker, document["content_hash"]) is None:
            return
        if flags:
            await con.execute(HIDE, *own, flags)
            await con.execute(STORE_FLAGS, document["id"], document["collection_id"], flags)
        else:
            await con.execute("DELETE FROM document_flags WHERE collection_id = $1 AND document_id = $2", *own)
        await con.execute("DELETE FROM flags_waiting WHERE collection_id = $1 AND document_id = $2", *own)
