"""Which places of a name are one entity: those on one site, and those on sites of which one links to the other.

A site is what a document's tag names: a host with the first folder of its pages, or a whole folder of files. The pages right below a
host belong to all of its folders. `connect` on two sites that do not know each other is two entities; nothing of this is stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import apsw

from app.text.doc_tags import place_of

MAX_SITES_OF_NAME: Final = 24
"""So many sites of a name are told apart."""
MAX_LINKS_COMPARED: Final = 20_000
"""Links of one site that are looked at for other sites."""
MAX_SITES_KNOWN: Final = 10_000
_WEB: Final = frozenset({"http", "https"})

STAMP: Final = "SELECT max(id), max(last_crawled), max(changed_at) FROM documents"
IS_ONE: Final = "SELECT min(doc_tag) = max(doc_tag) FROM documents"
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


class SiteLinks:
    """The sites that each site links to, as far as it was asked; forgotten when documents were stored since."""

    def __init__(self) -> None:
        self._stamp: object = None
        self._out: dict[str, frozenset[str]] = {}

    def read(self, con: apsw.Connection, site: str) -> frozenset[str]:
        """The sites that pages of the site link to."""
        stamp = con.execute(STAMP).fetchone()
        if stamp != self._stamp:
            self._stamp, self._out = stamp, {}
        found = self._out.get(site)
        if found is None:
            rows = con.execute(OUT, (site, MAX_LINKS_COMPARED))
            found = frozenset(place_of(url).tag.lower() for (url,) in rows) - {site}
            if len(self._out) < MAX_SITES_KNOWN:
                self._out[site] = found
        return found


class Sites:
    """The sites of one state of the corpus. `links` is shared between states."""

    def __init__(self, con: apsw.Connection, links: SiteLinks) -> None:
        self._con = con
        self._links = links
        self._of_document: dict[int, str] = {}
        self._of_entity: dict[int, dict[str, int]] = {}
        self._first: dict[str, int] = {}
        self._is_one = bool(con.execute(IS_ONE).get)

    def of_document(self, document_id: int) -> str:
        """The site of a document, empty where there is only one."""
        if self._is_one:
            return ""
        known = self._of_document.get(document_id)
        if known is None:
            tag, url = self._con.execute(TAG, (document_id,)).fetchone() or ("", "")
            known = self._of_document[document_id] = _site(tag, url)
        return known

    def groups(self, entity_id: int) -> dict[str, int]:
        """The sites that name an entity, each with the number of its group; empty where all of them are one group.

        The number is the lowest id of a document of the group's first site.
        """
        if self._is_one:
            return {}
        known = self._of_entity.get(entity_id)
        if known is None:
            known = self._of_entity[entity_id] = self._grouped(self.named_on(entity_id))
        return known

    def named_on(self, entity_id: int) -> tuple[str, ...]:
        """The sites that name an entity, at most MAX_SITES_OF_NAME."""
        if self._is_one:
            return ("",)
        rows = self._con.execute(TAGS_OF, (entity_id, MAX_SITES_OF_NAME))
        return tuple(dict.fromkeys(_site(tag, url) for tag, url in rows))

    def are_one(self, site: str, other: str) -> bool:
        """Whether a name on both is one entity."""
        if site == other:
            return True
        root, folder = _root(site), _root(other)
        if root == folder and root in (site, other):
            return True
        return other in self._links.read(self._con, site) or site in self._links.read(self._con, other)

    def _grouped(self, sites: Iterable[str]) -> dict[str, int]:
        groups: list[list[str]] = []
        for site in sites:
            joined = [group for group in groups if any(self.are_one(site, other) for other in group)]
            groups = [group for group in groups if group not in joined]
            groups.append([*(each for group in joined for each in group), site])
        if len(groups) < 2:
            return {}
        return {site: min(map(self._first_of, group)) for group in groups for site in group}

    def _first_of(self, site: str) -> int:
        known = self._first.get(site)
        if known is None:
            known = self._first[site] = self._con.execute(FIRST, (site,)).get or 0
        return known


def _site(tag: str, url: str) -> str:
    """The tag of a page, lower case as tags compare; the root of the tag for what is no page of the web."""
    return tag.lower() if url.partition(":")[0] in _WEB else _root(tag.lower())


def _root(site: str) -> str:
    return site.partition("/")[0]
