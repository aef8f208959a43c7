"""Copy the documents of one store to another, with their vectors if both stores use the same model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace
from operator import add
from typing import Final, Protocol

from app.errors import EmbeddingMismatchError
from app.library.protocol import LibraryWriter
from app.library.records import DocumentIn, DocumentState, EmbeddingIn, short_key
from app.text.sentence import sentence

COPIED_AT_ONCE: Final = 10  # Documents read at a time. Their texts, vectors and token vectors are held in memory.
MAX_CHUNKS_OF_DOCUMENT: Final = 1_000_000
BATCH_CHUNKS: Final = 2_000
BATCH_ADDRESSES: Final = 500  # Addresses in a batch. The database locks each of them for the duration of the batch.
BATCH_CHARS: Final = 8_000_000
BATCHES_AT_ONCE: Final = 2  # Batches stored in parallel; one more is waiting. Each takes about 30 MB of memory.
FILE_SCHEME: Final = "file:"
GUIDE_ADDRESSES: Final = "webrag:"  # Guide pages are never copied or counted: every program has its own.


@dataclass(frozen=True, slots=True)
class DocumentCopy:
    """A whole document. `vectors` holds the vectors of its chunks by chunk key, with the IDs of the source store."""

    id: int
    document: DocumentIn
    vectors: Mapping[str, EmbeddingIn]

    def is_there(self, content_hash: str, chunks: int, is_waiting: bool, *, with_vectors: bool) -> bool:
        """Whether the copy stored at this address has the same text and, if vectors are available, all of them."""
        lacks_vectors = with_vectors and self.vectors and is_waiting
        return not lacks_vectors and (content_hash, chunks) == (self.document.content_hash, len(self.document.chunks))


@dataclass(frozen=True, slots=True)
class Copied:
    """Progress so far. `known` counts documents that already existed, `left_out` files of one computer."""

    documents: int = 0
    chunks: int = 0
    vectors: int = 0
    known: int = 0
    left_out: int = 0

    def __add__(self, other: Copied) -> Copied:
        return Copied(*map(add, astuple(self), astuple(other)))


class BatchTarget(LibraryWriter, Protocol):
    """A store that takes a batch of new documents in one transaction. Thread-safe."""

    def take(self, copies: Sequence[DocumentCopy], *, with_vectors: bool) -> tuple[Copied, Sequence[DocumentCopy]]:
        """Store a batch; return the progress and the documents that have to be stored one by one."""


def copy_all(
    copies: Iterable[DocumentCopy], target: LibraryWriter, *, with_vectors: bool = True, with_files: bool = False
) -> Iterator[Copied]:
    """Copy missing documents, files only `with_files`, and yield the progress after each. Can be repeated."""
    done = Copied()
    for copy in filter(_is_read, copies):
        if copy.document.url.startswith(FILE_SCHEME) and not with_files:
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
    """Copy like `copy_all` in parallel batches; yield the progress after each, errors after all have ended."""
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
    wanted = [copy for copy in batch if with_files or not copy.document.url.startswith(FILE_SCHEME)]
    taken, left = target.take(wanted, with_vectors=with_vectors)
    *_, rest = (Copied(), *copy_all(left, target, with_vectors=with_vectors, with_files=True))
    return taken + rest + Copied(left_out=len(batch) - len(wanted))


def _is_read(copy: DocumentCopy) -> bool:
    """Whether this is a page that was fetched, not a guide page that came with the program."""
    return not copy.document.url.startswith(GUIDE_ADDRESSES)


def check_models(source: str | None, target: str | None) -> None:
    """Raise EmbeddingMismatchError if the vectors of one model cannot be used with the other."""
    if source and target and source != target:
        raise EmbeddingMismatchError(
            sentence("The source library has another embedding model ({} instead of {}).", source[:12], target[:12]),
            hint="Use --without-vectors; the nodes then embed the pages again.",
        )


def _is_there(copy: DocumentCopy, target: LibraryWriter, *, with_vectors: bool) -> bool:
    row = target.documents.summary(copy.document.url)
    if row is None or row.url != copy.document.url:
        return False
    content_hash = target.documents.content_hashes([row.id]).get(row.id, "")
    return copy.is_there(content_hash, row.chunks, row.state is not DocumentState.READY, with_vectors=with_vectors)


def _copy_vectors(copy: DocumentCopy, target: LibraryWriter, document_id: int) -> int:
    waiting = set(target.vectors.waiting_ids([document_id]))
    chunks = target.chunks.of_document(document_id, limit=MAX_CHUNKS_OF_DOCUMENT)
    vectors = {short_key(key): item for key, item in copy.vectors.items()}
    items = [
        EmbeddingIn(chunk.id, found.vector, found.token_bits)
        for chunk in chunks
        if chunk.id in waiting and (found := vectors.get(short_key(chunk.key)))
    ]
    if items:
        target.vectors.store(items)
    return len(items)
