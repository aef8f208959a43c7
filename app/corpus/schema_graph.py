"""The graph: entities and the sections that mention them. All other edges follow from sections and links.

An entity goes with its last mention. Documents stored before wait for their mentions.
"""

from __future__ import annotations

from typing import Final

import apsw

TABLES: Final = """
CREATE TABLE entities(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  tail TEXT
) STRICT;
-- Two symbols are one when their names are equal, two terms when they fold alike.
CREATE UNIQUE INDEX symbols_by_name ON entities(name) WHERE kind = 'symbol';
CREATE UNIQUE INDEX terms_by_folded ON entities(folded) WHERE kind = 'term';
CREATE INDEX symbols_by_folded ON entities(folded) WHERE kind = 'symbol';
CREATE INDEX entities_by_tail ON entities(tail) WHERE tail IS NOT NULL;

-- `section` is the ord of the section, -1 for what stands before the first heading.
CREATE TABLE mentions(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  section INTEGER NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities(id),
  count INTEGER NOT NULL,
  defines INTEGER NOT NULL,
  PRIMARY KEY(document_id, section, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_entity ON mentions(entity_id, defines, count, document_id, section);

CREATE TABLE graph_waiting(
  document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE
) STRICT;
"""

TRIGGERS: Final = """
CREATE TRIGGER mentions_deleted AFTER DELETE ON mentions BEGIN
  DELETE FROM entities WHERE id = old.entity_id
    AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity_id = old.entity_id);
END;
"""


def extend(con: apsw.Connection) -> None:
    """The tables, in the caller's transaction; every document there is waits."""
    con.execute(TABLES)
    con.execute(TRIGGERS)
    con.execute("INSERT INTO graph_waiting(document_id) SELECT id FROM documents")
