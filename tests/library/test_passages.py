"""Passages: keyword ranking, reading by ID, and neighbors."""

from __future__ import annotations

import pytest

from app.library.protocol import LibraryWriter
from tests.corpus.builders import document

BASE = "https://example.org/"


def found(library: LibraryWriter, terms: list[str], k: int = 10) -> list[str]:
    hits = library.chunks.lexical(terms, k=k)
    return [chunk.url.removeprefix(BASE) for chunk in library.chunks.by_ids([hit.chunk_id for hit in hits])]


def test_a_rare_word_counts_more_than_a_common_one(library: LibraryWriter) -> None:
    for number in range(20):
        library.documents.store(document(f"{BASE}{number}", [f"common words number {number}"]))
    library.documents.store(document(BASE + "rare", ["one rare thing among words"]))
    library.documents.store(document(BASE + "common", ["one common thing among words"]))
    ranking = found(library, ["rare", "common"], k=30)
    assert ranking[0] == "rare"
    assert len(ranking) == 22


def test_a_word_counts_more_in_a_short_passage_and_when_repeated(library: LibraryWriter) -> None:
    library.documents.store(document(BASE + "filler", ["Something else is written here."]))
    library.documents.store(document(BASE + "long", ["pump " + "and many other things " * 30]))
    library.documents.store(document(BASE + "short", ["pump and one other thing"]))
    library.documents.store(document(BASE + "twice", ["pump and one other pump"]))
    assert found(library, ["pump"]) == ["twice", "short", "long"]


def test_search_follows_replacements_and_deletions(library: LibraryWriter) -> None:
    outcome = library.documents.store(document(BASE + "a", ["valve", "pump"]))
    assert library.chunks.document_frequencies(["valve"]) == {"valve": 1}
    library.documents.store(document(BASE + "a", ["pump", "filter"]))
    assert (found(library, ["valve"]), found(library, ["filter"])) == ([], ["a"])
    library.documents.delete([outcome.document_id])
    assert found(library, ["pump", "filter"]) == []
    assert library.chunks.document_frequencies(["pump"]) == {"pump": 0}


def test_chunks_are_returned_in_the_requested_or_text_order(library: LibraryWriter) -> None:
    ids = library.documents.store(document(BASE, [f"Paragraph {number}" for number in range(6)])).new_chunk_ids
    library.documents.store(document(BASE + "b", ["Other"]))
    assert [chunk.id for chunk in library.chunks.by_ids([ids[3], 2**40, ids[0], ids[5]])] == [ids[3], ids[0], ids[5]]
    first = library.documents.summary(BASE)
    assert first is not None
    assert [chunk.id for chunk in library.chunks.of_document(first.id, limit=2, offset=3)] == list(ids[3:5])


@pytest.mark.parametrize(
    ("place", "before", "after", "around"),
    [(2, 1, 1, [1, 3]), (0, 2, 2, [1, 2]), (5, 1, 3, [4]), (2, 0, 0, []), (3, 99, 99, [0, 1, 2, 4, 5])],
)
def test_neighbors_are_in_the_same_document_without_the_chunk_itself(
    library: LibraryWriter, place: int, before: int, after: int, around: list[int]
) -> None:
    library.documents.store(document(BASE + "before", ["Other"]))
    ids = library.documents.store(document(BASE, [f"Paragraph {number}" for number in range(6)])).new_chunk_ids
    library.documents.store(document(BASE + "after", ["Other"]))
    assert [chunk.id for chunk in library.chunks.neighbours(ids[place], before, after)] == [ids[at] for at in around]
    assert library.chunks.neighbours(2**40, 1, 1) == []


def test_common_neighbors_of_passages_are_returned_once(library: LibraryWriter) -> None:
    ids = library.documents.store(document(BASE + "a", ["One", "Two", "Three", "Four"])).new_chunk_ids
    others = library.documents.store(document(BASE + "b", ["Five", "Six"])).new_chunk_ids
    assert library.chunks.beside([ids[2], 2**40, ids[0], others[0]]) == [ids[1], ids[3], others[1]]
    assert library.chunks.beside([]) == []
