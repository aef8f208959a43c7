"""Decide which mentions of a name are one entity: those on one site, or on sites of which one links to the other.

`site_of` defines a site; pages directly below a host belong to all of its folders. `connect` on two unrelated sites is two entities. This
is derived on demand and never stored.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

import apsw

from app.library.graph_records import MAX_SITES_OF_NAME, Node
from app.library.scope import place_of, root_of, site_of

MAX_LINKS_COMPARED: Final = 20_000  # Links of one site to examine for other sites.
MAX_DERIVED: Final = 50_000  # Entries of `Derived` before it is cleared.
STATE: Final = """
SELECT (SELECT max(id) FROM documents), (SELECT max(last_crawled) FROM documents), (SELECT max(changed_at) FROM documents),
  (SELECT count(*) FROM documents), (SELECT count(*) FROM graph_waiting)
"""
"""Changes with every change of documents and mentions, but not of vectors, jobs or calls."""
IS_ONE: Final = "SELECT (SELECT min(doc_tag) FROM documents) = (SELECT max(doc_tag) FROM documents)"
TAG: Final = "SELECT doc_tag, url FROM documents WHERE id = ?"
FIRST: Final = "SELECT min(id) FROM documents WHERE doc_tag = ? OR (doc_tag > ?1 || '/' AND doc_tag < ?1 || '0')"
TAGS_OF: Final = """
SELECT DISTINCT d.doc_tag, substr(d.url, 1, 5) FROM mentions m JOIN documents d ON d.id = m.document_id
WHERE m.entity_id = ? LIMIT ?
"""
OUT: Final = """
SELECT DISTINCT url FROM (SELECT url FROM links WHERE document_id IN (SELECT id FROM documents WHERE doc_tag = ?1) LIMIT ?2)
WHERE substr(url, 1, length(?1) + 8) <> 'http://' || ?1 || '/' AND substr(url, 1, length(?1) + 9) <> 'https://' || ?1 || '/'
"""


@dataclass(slots=True)
class Derived:
    """Data derived from one state of documents and mentions, for all scopes, filled on demand. Views of this state share it."""

    state: Hashable
    is_one_site: bool
    sites: dict[int, str] = field(default_factory=dict)  # By document.
    named_on: dict[int, tuple[str, ...]] = field(default_factory=dict)  # By entity.
    groups: dict[int, dict[str, int]] = field(default_factory=dict)  # By entity.
    firsts: dict[str, int] = field(default_factory=dict)
    links: dict[str, frozenset[str]] = field(default_factory=dict)
    frequencies: dict[Node, int] = field(default_factory=dict)
    shares: dict[int, float] = field(default_factory=dict)
    pages: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, con: apsw.Connection, known: Derived | None) -> Derived:
        """Return `known` if it belongs to the current state, otherwise an empty one."""
        state = con.execute(STATE).get
        if known is not None and known.state == state and not known.is_full:
            return known
        return cls(state, bool(con.execute(IS_ONE).get))

    @property
    def is_full(self) -> bool:
        by_entity = len(self.named_on) + len(self.groups) + len(self.frequencies)
        return len(self.sites) + by_entity + len(self.shares) > MAX_DERIVED


class Sites:
    """The sites of one state of the corpus."""

    def __init__(self, con: apsw.Connection, derived: Derived) -> None:
        self._con = con
        self._derived = derived
        self._is_one = derived.is_one_site

    def of_document(self, document_id: int) -> str:
        """Return the site of a document; empty if there is only one site."""
        if self._is_one:
            return ""
        known = self._derived.sites.get(document_id)
        if known is None:
            tag, url = self._con.execute(TAG, (document_id,)).fetchone() or ("", "")
            known = self._derived.sites[document_id] = site_of(tag, url)
        return known

    def groups(self, entity_id: int) -> dict[str, int]:
        """Return the sites that name an entity with the lowest document ID of their group; empty for one group."""
        if self._is_one:
            return {}
        known = self._derived.groups.get(entity_id)
        if known is None:
            groups: list[list[str]] = []
            for site in self.named_on(entity_id):
                joined = [group for group in groups if any(self.are_one(site, other) for other in group)]
                groups = [group for group in groups if group not in joined]
                groups.append([*(each for group in joined for each in group), site])
            several = groups if len(groups) > 1 else []
            known = {site: min(map(self.first_of, group)) for group in several for site in group}
            self._derived.groups[entity_id] = known
        return known

    def named_on(self, entity_id: int) -> tuple[str, ...]:
        """Return the sites that name an entity, at most MAX_SITES_OF_NAME."""
        if self._is_one:
            return ("",)
        known = self._derived.named_on.get(entity_id)
        if known is None:
            rows = self._con.execute(TAGS_OF, (entity_id, MAX_SITES_OF_NAME))
            known = tuple(dict.fromkeys(site_of(tag, url) for tag, url in rows))
            self._derived.named_on[entity_id] = known
        return known

    def are_one(self, site: str, other: str) -> bool:
        """Whether a name on both sites is one entity."""
        if site == other:
            return True
        root, folder = root_of(site), root_of(other)
        if root == folder and root in (site, other):
            return True
        return other in self._linked(site) or site in self._linked(other)

    def _linked(self, site: str) -> frozenset[str]:
        """Return the sites that pages of this site link to."""
        known = self._derived.links.get(site)
        if known is None:
            # The part of an address that determines its site: thousands of links share a few of these.
            parts = (url.split("/", 4) for (url,) in self._con.execute(OUT, (site, MAX_LINKS_COMPARED)))
            begins = {"/".join((*each[:4], "")) if len(each) > 4 and each[3] else "/".join(each) for each in parts}
            known = self._derived.links[site] = frozenset(place_of(begin).tag.lower() for begin in begins) - {site}
        return known

    def first_of(self, site: str) -> int:
        """Return the lowest ID of its documents."""
        known = self._derived.firsts.get(site)
        if known is None:
            known = self._derived.firsts[site] = self._con.execute(FIRST, (site,)).get or 0
        return known
