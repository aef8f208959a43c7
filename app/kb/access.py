"""Resolve the names in a knowledge base call within its scope: documents, pages, saved passages, sections."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from app.errors import PassageExpiredError, ScopeViolationError
from app.kb.records import Asking
from app.library.protocol import Library
from app.library.records import Chunk, PassageIn
from app.library.scope import Filter, Narrowing, Scope, admits, filter_of
from app.scratch.passage import chunk_of_passage
from app.scratch.resources import Artifact, ResourceResolver, of_passage, page_uri
from app.scratch.store import ScratchStore, unknown
from app.text.sentence import sentence

ANYTHING: Final = Narrowing()
_NO_DOCUMENT: Final = -1
_SECTION_ID: Final = re.compile(r"[1-9][0-9]{0,15}")  # Shorter than a passage ID, which has 17 characters.


def filter_for(scratch: ScratchStore, owner: str, scope: Scope, narrowing: Narrowing = ANYTHING) -> Filter:
    """Return the documents in scope, or with a saved passage of the owner if the scope is the session only."""
    allowed = filter_of(scope, narrowing)
    if not scope.is_session_only:
        return allowed
    found = (passage.content.document_id for passage in scratch.listing(owner))
    kept = {document_id for document_id in found if document_id is not None}
    return replace(allowed, document_ids=tuple(sorted(kept)) or (_NO_DOCUMENT,))


def check_in_scope(corpus: Library, asking: Asking, artifact: Artifact) -> None:
    """Raise ScopeViolationError for a passage or page outside the scope of the call, and UnknownLabelError."""
    document_id = artifact.content.document_id
    if admits(asking.scope, artifact.content.doc_tag):
        return
    if not asking.scope.has_labels or document_id is None:
        raise outside()
    if not corpus.documents.counts(replace(filter_of(asking.scope), document_ids=(document_id,)))[0]:
        raise outside()


def outside() -> ScopeViolationError:
    """Return the error for a page or passage outside the scope of its call."""
    return ScopeViolationError(
        sentence("This passage or page is outside the scope of the call."), hint="Use another scope, or none."
    )


def passage_of(chunk: Chunk, document_hash: str) -> PassageIn:
    """Return the text of a chunk with its ID as section and its position in the page (none in a joined library)."""
    if chunk.id < 0:
        return PassageIn("", chunk.doc_tag, chunk.title, chunk.text, chunk.url, chunk.anchor)
    has_anchor = chunk.anchor and chunk.url.startswith(("http", "file:"))
    return PassageIn(
        section_id=str(chunk.id),
        doc_tag=chunk.doc_tag,
        title=chunk.title,
        text=chunk.text,
        source_uri=f"{chunk.url}#{chunk.anchor}" if has_anchor else chunk.url,
        anchor=chunk.anchor,
        document_id=chunk.document_id,
        document_hash=document_hash,
        start=chunk.start,
        end=chunk.end,
    )


class NamedTexts(ResourceResolver):
    """A ResourceResolver that also finds the sections named in results; a section becomes a passage of the caller."""

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Artifact:
        """Return a passage by ID or address, a page by its URL or webrag:// address, or a section by ID. Raises PassageExpiredError."""
        name = id_or_uri.strip()
        if (section := self._section(owner, name, session_id)) is not None:
            return section
        address = name
        if name.startswith(("http://", "https://")):
            known = self.corpus.documents.summary
            # Pages saved by a browser differ in their fragments.
            page = (known(name) if "#" in name else None) or known(name.partition("#")[0])
            address = page_uri(page.id, page.url, self.corpus.name) if page is not None else name
        try:
            return super().find(owner, address, session_id)
        except PassageExpiredError:
            chunk_id = chunk_of_passage(name) if self.store.ids_name_chunks else None
            again = self._section(owner, str(chunk_id), None) if chunk_id is not None else None
            if again is None:
                raise
            return again

    def _passage(self, owner: str, id_or_uri: str, session_id: str | None) -> Artifact:
        """Return a saved passage; in a shared library, only if its owner can still read its page."""
        found = super()._passage(owner, id_or_uri, session_id)
        page = found.content.document_id
        if self.store.ids_name_chunks and page is not None and not self.corpus.documents.content_hashes([page]):
            raise unknown()
        return found

    def _section(self, owner: str, name: str, session_id: str | None) -> Artifact | None:
        """Save a chunk as a passage, like a search. Return None if this is not the section_id of a stored chunk."""
        if not _SECTION_ID.fullmatch(name):
            return None
        for chunk in self.corpus.chunks.by_ids([int(name)]):
            document_hash = self.corpus.documents.content_hashes([chunk.document_id]).get(chunk.document_id, "")
            session = self.store.session(owner, session_id)
            return of_passage(self.store.put(owner, session, passage_of(chunk, document_hash)))
        return None
