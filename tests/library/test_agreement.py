"""Stores agree: the same words and vectors find the same passages, in nearly the same order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from app.corpus import Corpus
from app.library.protocol import LibraryWriter
from app.library.records import short_key
from app.library.scope import EVERYTHING, Filter
from app.paths import assets_dir
from tests.corpus.builders import DIMENSION, MODEL, document, unit_vectors
from tests.corpus.builders import embedding as embedding_of

SITE = "https://guide.example/"
DEPTH = 10
PERSISTENCE = 0.9


@pytest.fixture(scope="module")
def pages() -> dict[str, list[str]]:
    """The paragraphs of the bundled guide, by page."""
    found = {}
    for path in sorted((assets_dir() / "guide").glob("*.md")):
        paragraphs = [each.strip() for each in path.read_text("utf-8").split("\n\n")]
        found[path.stem] = list(dict.fromkeys(each for each in paragraphs if each))
    return found


@pytest.fixture(scope="module")
def questions(pages: dict[str, list[str]]) -> list[list[str]]:
    """Words of headings, some with a phrase."""
    headings = [each for page in pages.values() for each in page if each.startswith("#")]
    asked = [re.findall(r"\w{4,}", heading.lower()) for heading in headings]
    return [[*words, " ".join(words[:2])] for words in asked if len(words) > 1]


@pytest.fixture(scope="module")
def reference(pages: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    corpus = Corpus.open(tmp_path_factory.mktemp("reference") / "corpus.db", dimension=DIMENSION, model=MODEL)
    fill(corpus, pages)
    yield corpus
    corpus.close()


@pytest.fixture(scope="module")
def filled(opened: LibraryWriter, pages: dict[str, list[str]]) -> LibraryWriter:
    fill(opened, pages)
    return opened


def fill(library: LibraryWriter, pages: dict[str, list[str]]) -> None:
    """Store the pages; each passage gets the same vector in every store."""
    for number, (name, paragraphs) in enumerate(pages.items()):
        ids = library.documents.store(document(SITE + name, paragraphs, title=paragraphs[0].lstrip("# "))).new_chunk_ids
        made = unit_vectors(len(ids), seed=number)
        library.vectors.store([embedding_of(*pair) for pair in zip(ids, made, strict=True)])


def keys(library: LibraryWriter, ids: Sequence[int]) -> list[str]:
    return [short_key(chunk.key) for chunk in library.chunks.by_ids(ids)]


def overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the rank-biased overlap of two rankings up to DEPTH, 1 for equal ones."""
    shares = [len({*first[:depth]} & {*second[:depth]}) / depth for depth in range(1, DEPTH + 1)]
    weights = [PERSISTENCE**depth for depth in range(DEPTH)]
    return sum(share * weight for share, weight in zip(shares, weights, strict=True)) / sum(weights)


@pytest.mark.parametrize("within", [EVERYTHING, Filter(url_prefix=SITE + "0")], ids=["all", "scope"])
def test_words_find_the_same_passages(
    filled: LibraryWriter, reference: Corpus, questions: list[list[str]], within: Filter
) -> None:
    found = []
    for terms in questions:
        expected = [hit.chunk_id for hit in reference.chunks.lexical(terms, filter=within, k=DEPTH)]
        given = [hit.chunk_id for hit in filled.chunks.lexical(terms, filter=within, k=DEPTH)]
        if len(expected) == DEPTH:
            found.append(overlap(keys(reference, expected), keys(filled, given)))
    assert len(found) > 20
    assert np.mean(found) >= 0.9
    assert min(found) >= 0.5


def test_word_frequencies_are_similar(filled: LibraryWriter, reference: Corpus, questions: list[list[str]]) -> None:
    asked = sorted({term for terms in questions for term in terms})
    expected, given = reference.chunks.document_frequencies(asked), filled.chunks.document_frequencies(asked)
    differing = [term for term in asked if expected[term] != given[term]]
    assert len(differing) <= len(asked) / 20


def test_vectors_find_the_same_passages(filled: LibraryWriter, reference: Corpus) -> None:
    shares = []
    for query in unit_vectors(20, seed=99):
        expected = {*keys(reference, [hit.chunk_id for hit in reference.vectors.nearest(query, k=DEPTH)])}
        given = {*keys(filled, [hit.chunk_id for hit in filled.vectors.nearest(query, k=DEPTH)])}
        shares.append(len(expected & given) / DEPTH)
    assert np.mean(shares) >= 0.98
