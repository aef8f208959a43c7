"""Where an asking may look: its scope over documents, and over single passages and pages."""

from __future__ import annotations

from typing import Final

from app.corpus.records import Filter
from app.errors import ScopeViolationError
from app.kb.records import Asking
from app.retrieval.scope import Narrowing, Scope, admits, filter_of
from app.scratch.resources import Artifact
from app.scratch.store import ScratchStore

ANYTHING: Final = Narrowing()
_NO_DOCUMENT: Final = -1


def filter_for(scratch: ScratchStore, owner: str, scope: Scope, narrowing: Narrowing = ANYTHING) -> Filter:
    """The documents in scope; with a scope of the session only, those that the owner's kept passages are from."""
    allowed = filter_of(scope, narrowing)
    if not scope.is_session_only:
        return allowed
    kept = {passage.content.document_id for passage in scratch.listing(owner)} - {None}
    ids = tuple(sorted(document_id for document_id in kept if document_id is not None)) or (_NO_DOCUMENT,)
    return Filter(
        document_ids=ids,
        url_prefix=allowed.url_prefix,
        doc_tags=allowed.doc_tags,
        path_prefix=allowed.path_prefix,
        changed_after=allowed.changed_after,
    )


def check_in_scope(asking: Asking, artifact: Artifact) -> None:
    """Raise ScopeViolationError for a passage or page outside the tags of the asking's scope."""
    if not admits(asking.scope, artifact.content.doc_tag):
        raise outside()


def outside() -> ScopeViolationError:
    """What is said of a page or passage outside the scope of its call."""
    return ScopeViolationError(
        "This passage or page is outside the scope of the call.", hint="Call with another scope, or without one."
    )
