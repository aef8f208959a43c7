"""Takes the documents of one store over into another, with their vectors where both have the same model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from app.errors import EmbeddingMismatchError
from app.library.protocol import LibraryWriter
from app.library.records import DocumentIn, DocumentState, EmbeddingIn

COPIED_AT_ONCE: Final = 10
"""Documents that are read at once: their texts, vectors and signs are in memory."""
MAX_CHUNKS_OF_DOCUMENT: Final = 1_000_000
FILE_SCHEME: Final = "file:"


@dataclass(frozen=True, slots=True)
class DocumentCopy:
    """A whole document. `vectors` are those of its chunks, by key, with the ids of the store that it is from."""

    id: int
    document: DocumentIn
    vectors: Mapping[str, EmbeddingIn]


@dataclass(frozen=True, slots=True)
class Copied:
    """How much was taken over so far. `known` were there already, `left_out` are files of one machine."""

    documents: int = 0
    chunks: int = 0
    vectors: int = 0
    known: int = 0
    left_out: int = 0


def copy_all(
    copies: Iterable[DocumentCopy], target: LibraryWriter, *, with_vectors: bool = True, with_files: bool = False
) -> Iterator[Copied]:
    """Take documents over; tells after each how far it is. A second run goes on where the first one ended.

    What the target has with the same text and all its vectors is left alone. Addresses of files are those of one machine: they are
    left out unless asked for.
    """
    done = Copied()
    for copy in copies:
        if copy.document.url.startswith(FILE_SCHEME) and not with_files:
            done = replace(done, left_out=done.left_out + 1)
        elif _is_there(copy, target, with_vectors=with_vectors):
            done = replace(done, known=done.known + 1)
        else:
            vectors = _copy(copy, target) if with_vectors else _store(copy, target)[0]
            done = replace(
                done,
                documents=done.documents + 1,
                chunks=done.chunks + len(copy.document.chunks),
                vectors=done.vectors + vectors,
            )
        yield done


def check_models(source: str | None, target: str | None) -> None:
    """Raise EmbeddingMismatchError where vectors of one cannot be those of the other."""
    if source and target and source != target:
        raise EmbeddingMismatchError(
            f"The vectors are of another model ({source[:12]} instead of {target[:12]}).",
            hint="Leave them out with `--without-vectors`: the nodes make them anew.",
        )


def _is_there(copy: DocumentCopy, target: LibraryWriter, *, with_vectors: bool) -> bool:
    row = target.documents.summary(copy.document.url)
    if row is None or row.url != copy.document.url or row.chunks != len(copy.document.chunks):
        return False
    lacks_vectors = with_vectors and copy.vectors and row.state is not DocumentState.READY
    return not lacks_vectors and target.documents.content_hashes([row.id]).get(row.id) == copy.document.content_hash


def _copy(copy: DocumentCopy, target: LibraryWriter) -> int:
    """Store a document with its vectors; how many these are."""
    _, document_id = _store(copy, target)
    waiting = set(target.vectors.waiting_ids([document_id]))
    chunks = target.chunks.of_document(document_id, limit=MAX_CHUNKS_OF_DOCUMENT)
    items = [
        EmbeddingIn(chunk.id, copy.vectors[chunk.key].vector, copy.vectors[chunk.key].token_bits)
        for chunk in chunks
        if chunk.id in waiting and chunk.key in copy.vectors
    ]
    if items:
        target.vectors.store(items)
    return len(items)


def _store(copy: DocumentCopy, target: LibraryWriter) -> tuple[int, int]:
    """Store a document without vectors; none, and its id."""
    return 0, target.documents.store(replace(copy.document, file=None)).document_id
