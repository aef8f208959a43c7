"""What the tools of the knowledge base can name: kept passages, stored pages by either address, sections by the id of their chunk."""

from __future__ import annotations

import re
from typing import Final

from app.corpus import Corpus
from app.kb.passages import passage_of
from app.scratch.resources import PAGE_TEMPLATE, Artifact, ResourceResolver, of_passage
from app.scratch.store import ScratchStore

_SECTION_ID: Final = re.compile(r"[1-9][0-9]{0,15}")
"""A passage id has 17 characters."""


class NamedTexts(ResourceResolver):
    """ResourceResolver, and the sections that results name; a section becomes a passage of the one who asks."""

    def __init__(self, corpus: Corpus, store: ScratchStore) -> None:
        super().__init__(corpus, store)
        self._library = corpus
        self._kept = store

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Artifact:
        """A passage by id or address, a page by the web's address or ours, a section by id. Raises PassageExpiredError."""
        name = id_or_uri.strip()
        return self._section(owner, name, session_id) or super().find(owner, self._address(name), session_id)

    def _address(self, name: str) -> str:
        """Our address of a stored page for that of the web; else the name."""
        if not name.startswith(("http://", "https://")):
            return name
        page = self._library.documents.summary(name.partition("#")[0])
        return PAGE_TEMPLATE.format(page_id=page.id) if page is not None else name

    def _section(self, owner: str, name: str, session_id: str | None) -> Artifact | None:
        """The passage of a chunk, kept like those of a search; None for what is no section_id of a stored chunk."""
        if not _SECTION_ID.fullmatch(name):
            return None
        for chunk in self._library.chunks.by_ids([int(name)]):
            document_hash = self._library.documents.content_hashes([chunk.document_id]).get(chunk.document_id, "")
            session = self._kept.session(owner, session_id)
            return of_passage(self._kept.put(owner, session, passage_of(chunk, document_hash)))
        return None
