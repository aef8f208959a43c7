"""Takes the documents of one store over into another, with their vectors where both have the same model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace
from operator import add
from typing import Final, Protocol

from app.errors import EmbeddingMismatchError
from app.library.protocol import LibraryWriter
from app.library.records import DocumentIn, DocumentState, EmbeddingIn

COPIED_AT_ONCE: Final = 10
"""Documents that are read at once: their texts, vectors and signs are in memory."""
MAX_CHUNKS_OF_DOCUMENT: Final = 1_000_000
BATCH_CHUNKS: Final = 2_000
BATCH_ADDRESSES: Final = 500
"""Each is locked in the database as long as its batch takes."""
BATCH_CHARS: Final = 8_000_000
BATCHES_AT_ONCE: Final = 2
"""Of a database; one more waits. They are in memory: some 30 MB each."""
FILE_SCHEME: Final = "file:"
GUIDE_ADDRESSES: Final = "webrag:"
"""Pages of the guide, which each program has and keeps by itself: they are never taken over, nor counted."""


@dataclass(frozen=True, slots=True)
class DocumentCopy:
    """A whole document. `vectors` are those of its chunks, by key, with the ids of the store that it is from."""

    id: int
    document: DocumentIn
    vectors: Mapping[str, EmbeddingIn]

    def is_there(self, content_hash: str, chunks: int, is_waiting: bool, *, with_vectors: bool) -> bool:
        """Whether what a store has under the address of the document is this text, with all vectors if there are any to be given."""
        lacks_vectors = with_vectors and self.vectors and is_waiting
        return not lacks_vectors and (content_hash, chunks) == (self.document.content_hash, len(self.document.chunks))


@dataclass(frozen=True, slots=True)
class Copied:
    """How much was taken over so far. `known` were there already, `left_out` are files of one machine."""

    documents: int = 0
    chunks: int = 0
    vectors: int = 0
    known: int = 0
    left_out: int = 0

    def __add__(self, other: Copied) -> Copied:
        return Copied(*map(add, astuple(self), astuple(other)))


class BatchTarget(LibraryWriter, Protocol):
    """A store that takes many new documents at once, all or none; thread-safe."""

    def take(self, copies: Sequence[DocumentCopy], *, with_vectors: bool) -> tuple[Copied, Sequence[DocumentCopy]]:
        """How much of a batch was taken over, and which of its documents are to be stored one by one."""


def copy_all(
    copies: Iterable[DocumentCopy], target: LibraryWriter, *, with_vectors: bool = True, with_files: bool = False
) -> Iterator[Copied]:
    """Take documents over; tells after each how far it is. A second run goes on where the first one ended.

    What the target has with the same text and all its vectors is left alone. Addresses of files are those of one machine: they are
    left out unless asked for. Pages of the guide stay where they are.
    """
    done = Copied()
    for copy in filter(_is_read, copies):
        if _is_of_machine(copy) and not with_files:
            done += Copied(left_out=1)
        elif _is_there(copy, target, with_vectors=with_vectors):
            done += Copied(known=1)
        else:
            document_id = target.documents.store(replace(copy.document, file=None)).document_id
            vectors = _copy_vectors(copy, target, document_id) if with_vectors else 0
            done += Copied(1, len(copy.document.chunks), vectors)
        yield done


def copy_in_batches(
    copies: Iterable[DocumentCopy],
    target: BatchTarget,
    *,
    with_vectors: bool = True,
    with_files: bool = False,
    at_once: int = BATCHES_AT_ONCE,
) -> Iterator[Copied]:
    """As `copy_all`, for a target that takes many documents at once; tells after each batch how far it is.

    One batch is read while `at_once` others are stored. What fails is raised once those under way have ended.
    """
    done = Copied()
    with ThreadPoolExecutor(at_once, "copy") as pool:
        under_way = deque[Future[Copied]]()
        for batch in _batches(filter(_is_read, copies)):
            if len(under_way) > at_once:
                done += under_way.popleft().result()
                yield done
            under_way.append(pool.submit(_take, batch, target, with_vectors=with_vectors, with_files=with_files))
        while under_way:
            done += under_way.popleft().result()
            yield done


def _batches(copies: Iterable[DocumentCopy]) -> Iterator[list[DocumentCopy]]:
    batch: list[DocumentCopy] = []
    chunks = addresses = chars = 0
    for copy in copies:
        batch.append(copy)
        chunks += len(copy.document.chunks)
        addresses += 1 + len(copy.document.aliases)
        chars += len(copy.document.text)
        if chunks >= BATCH_CHUNKS or addresses >= BATCH_ADDRESSES or chars >= BATCH_CHARS:
            yield batch
            batch, chunks, addresses, chars = [], 0, 0, 0
    if batch:
        yield batch


def _take(batch: Sequence[DocumentCopy], target: BatchTarget, *, with_vectors: bool, with_files: bool) -> Copied:
    wanted = [copy for copy in batch if with_files or not _is_of_machine(copy)]
    taken, left = target.take(wanted, with_vectors=with_vectors)
    *_, rest = (Copied(), *copy_all(left, target, with_vectors=with_vectors, with_files=True))
    return taken + rest + Copied(left_out=len(batch) - len(wanted))


def _is_read(copy: DocumentCopy) -> bool:
    """Whether somebody had it read; the guide came with the program."""
    return not copy.document.url.startswith(GUIDE_ADDRESSES)


def _is_of_machine(copy: DocumentCopy) -> bool:
    return copy.document.url.startswith(FILE_SCHEME)


def check_models(source: str | None, target: str | None) -> None:
    """Raise EmbeddingMismatchError where vectors of one cannot be those of the other."""
    if source and target and source != target:
        raise EmbeddingMismatchError(
            f"The vectors are of another model ({source[:12]} instead of {target[:12]}).",
            hint="Leave them out with --without-vectors: the nodes make them again.",
        )


def _is_there(copy: DocumentCopy, target: LibraryWriter, *, with_vectors: bool) -> bool:
    row = target.documents.summary(copy.document.url)
    if row is None or row.url != copy.document.url:
        return False
    content_hash = target.documents.content_hashes([row.id]).get(row.id, "")
    return copy.is_there(content_hash, row.chunks, row.state is not DocumentState.READY, with_vectors=with_vectors)


def _copy_vectors(copy: DocumentCopy, target: LibraryWriter, document_id: int) -> int:
    """Store the vectors of a stored document; how many these are."""
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
