"""Copying a library: all data is copied, a second run continues, and files of one computer stay there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from app.corpus import Corpus
from app.errors import EmbeddingMismatchError
from app.library.copying import Copied, check_models, copy_all
from app.library.protocol import LibraryWriter
from app.library.records import ChunkIn, DocumentIn, ImageRecord, LinkRecord, SectionRecord
from tests.corpus.builders import DIMENSION, MODEL, document, embed, unit_vectors

SITE = "https://example.org/"
DOCUMENTS, CHUNKS = 20, 50


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """A thousand passages, and a page with all possible parts."""
    opened = Corpus.open(tmp_path_factory.mktemp("private") / "corpus.db", dimension=DIMENSION, model=MODEL)
    for number in range(DOCUMENTS):
        made = document(f"{SITE}{number}", [f"Passage {place} of page {number}" for place in range(CHUNKS)])
        embed(opened, opened.documents.store(made).new_chunk_ids, seed=number)
    opened.documents.store(FULL)
    opened.documents.store(document("file:///home/me/notes.md", ["Mine alone"], kind="file"))
    yield opened
    opened.close()


TEXT = "Naïve \U0001f600 text"
FULL = DocumentIn(
    url=SITE + "full",
    title="Full ü",
    text=TEXT,
    content_hash="hash",
    kind="web",
    chunks=(ChunkIn("key", ("A", "b"), "a", f"Head {TEXT}", 0, len(TEXT), 5, 0, 3, identifiers="foo bar"),),
    sections=(SectionRecord(1, "A", "a", 0, 5), SectionRecord(2, "b", None, 5, len(TEXT))),
    links=(LinkRecord(SITE + "1#x", "Naïve", 0, 5),),
    images=(ImageRecord(SITE + "p.png", "alt", "caption", 3),),
    aliases=(SITE + "old", SITE + "older"),
    language="de",
    etag='"1"',
    last_modified="Mon, 01 Jan 2024 00:00:00 GMT",
    published="2024-01-01",
    last_crawled=123.5,
    note="a note",
    navigation=(SITE + "menu", SITE + "foot"),
)


def test_a_copy_contains_all_data_and_counts(library: LibraryWriter, corpus: Corpus) -> None:
    interrupted = list(islice(copy_all(corpus.copies(), library), 8))
    assert interrupted[-1] == Copied(documents=8, chunks=400, vectors=400)
    *_, done = copy_all(corpus.copies(), library)
    assert done == Copied(documents=13, chunks=601, vectors=600, known=8, left_out=1)
    mine, theirs = library.totals(), corpus.totals()
    assert (mine.documents, mine.chunks, mine.chunks_embedded) == (21, 1_001, 1_000)
    assert (theirs.documents, theirs.chunks, theirs.chunks_embedded) == (22, 1_002, 1_000)
    *_, again = copy_all(corpus.copies(), library)
    assert again == Copied(known=21, left_out=1)
    assert library.vectors.count_waiting() == 1

    copies = {copy.document.url: copy for copy in corpus.copies()}
    back = {copy.document.url: copy for copy in library.copies()}  # type: ignore[attr-defined]
    assert back[FULL.url].document == copies[FULL.url].document == FULL
    assert back.keys() == copies.keys() - {"file:///home/me/notes.md"}
    for url, copy in back.items():
        assert copy.document == copies[url].document
        assert copy.vectors.keys() == copies[url].vectors.keys()
        for key, each in copy.vectors.items():
            assert np.dot(each.vector, copies[url].vectors[key].vector) > 0.999
            assert np.array_equal(each.token_bits, copies[url].vectors[key].token_bits)
    query = unit_vectors(1, seed=7)[0]
    expected = corpus.chunks.by_ids([hit.chunk_id for hit in corpus.vectors.nearest(query, k=5)])
    given = library.chunks.by_ids([hit.chunk_id for hit in library.vectors.nearest(query, k=5)])
    assert [chunk.key for chunk in given] == [chunk.key for chunk in expected]


def test_changed_documents_are_copied_again(library: LibraryWriter, corpus: Corpus) -> None:
    some = list(islice(corpus.copies(), 2))
    list(copy_all(some, library))
    library.documents.store(document(some[0].document.url, ["Changed"]))
    *_, done = copy_all(some, library)
    assert (done.documents, done.known, done.vectors) == (1, 1, CHUNKS)
    assert library.totals().chunks == 2 * CHUNKS


def test_vectors_and_files_are_optional(library: LibraryWriter, corpus: Corpus) -> None:
    *_, done = copy_all(islice(corpus.copies(), 3), library, with_vectors=False)
    assert (done.documents, done.vectors, library.vectors.count_waiting()) == (3, 0, 3 * CHUNKS)
    *_, again = copy_all(islice(corpus.copies(), 3), library, with_vectors=False)
    assert again == Copied(known=3)
    files = [copy for copy in corpus.copies() if copy.document.url.startswith("file:")]
    *_, done = copy_all(files, library, with_files=True)
    assert done.documents == 1
    assert replace(done, documents=0, chunks=0) == Copied()


def test_vectors_of_another_model_are_refused() -> None:
    check_models(MODEL, MODEL)
    check_models(None, MODEL)
    with pytest.raises(EmbeddingMismatchError) as caught:
        check_models(MODEL, "other")
    assert "--without-vectors" in str(caught.value.hint)
