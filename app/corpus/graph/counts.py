"""How large the graph is."""

from __future__ import annotations

from typing import Final

from app.corpus.binding import id_list, ids_of
from app.corpus.graph.reading import Reading
from app.corpus.graph.records import EdgeType, GraphCounts

IN_SCOPE: Final = "SELECT value FROM carray(?1)"
ALL: Final = "SELECT id FROM documents"
COUNTS: Final = """
WITH allowed(id) AS MATERIALIZED ({documents})
SELECT (SELECT count(*) FROM documents WHERE id IN allowed),
  (SELECT count(*) FROM sections WHERE document_id IN allowed),
  (SELECT count(DISTINCT document_id) FROM sections WHERE document_id IN allowed),
  (SELECT count(*) FROM links WHERE document_id IN allowed),
  (SELECT count(*) FROM mentions WHERE document_id IN allowed AND defines = 0),
  (SELECT count(*) FROM mentions WHERE document_id IN allowed AND defines = 1),
  (SELECT count(*) FROM graph_waiting WHERE document_id IN allowed)
"""
ENTITIES: Final = """
WITH allowed(id) AS MATERIALIZED ({documents})
SELECT count(*) FILTER (WHERE kind = 'symbol'), count(*) FILTER (WHERE kind = 'term') FROM entities
WHERE id IN (SELECT entity_id FROM mentions WHERE document_id IN allowed)
"""
ALL_ENTITIES: Final = """
SELECT count(*) FILTER (WHERE kind = 'symbol'), count(*) FILTER (WHERE kind = 'term') FROM entities
"""


def counted(reading: Reading) -> GraphCounts:
    """Nodes and stored edges in scope; LINKS_TO counts links of the text to anywhere, CONTAINS and NEXT follow from the sections."""
    allowed = None if reading.allowed is None else id_list(ids_of(sorted(reading.allowed)))
    documents, values = (ALL, ()) if allowed is None else (IN_SCOPE, (allowed,))
    row = reading.con.execute(COUNTS.format(documents=documents), values).get
    pages, sections, with_sections, links, mentioned, defined, waiting = row
    entities = ALL_ENTITIES if allowed is None else ENTITIES.format(documents=documents)
    symbols, terms = reading.con.execute(entities, values).get
    edges = {
        EdgeType.CONTAINS: sections,
        EdgeType.NEXT: sections - with_sections,
        EdgeType.LINKS_TO: links,
        EdgeType.MENTIONS: mentioned,
        EdgeType.DEFINES: defined,
    }
    return GraphCounts(pages, sections, symbols, terms, edges, waiting)
