"""Documents know where they belong, and a scope keeps every kind of search inside."""

from __future__ import annotations

from pathlib import Path

import apsw
import numpy as np
import pytest

from app.corpus import Corpus
from app.corpus.records import FileStamp, Filter
from tests.corpus.builders import DIMENSION, MODEL, document, embed

PYTHON = "https://docs.python.org/3/library/os.html"
OLD = "https://docs.python.org/2/library/os.html"
SQLITE = "https://sqlite.org/lang.html"
NOTE = "file:///srv/fastapi/tutorial/steps.md"


@pytest.fixture
def shelf(path: Path) -> Corpus:
    corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    folder = corpus.folders.add("/srv/fastapi")
    for number, url in enumerate((PYTHON, OLD, SQLITE, NOTE)):
        stamp = FileStamp(folder.id, 1, 2) if url == NOTE else None
        made = document(url, [f"valve number {number}"], file=stamp, last_crawled=100.0 * (number + 1))
        embed(corpus, corpus.documents.store(made).new_chunk_ids, seed=number)
    return corpus


def found(corpus: Corpus, wanted: Filter) -> set[str]:
    """What passes, which must be the same for rows, words and vectors."""
    rows = {row.url for row in corpus.documents.summaries(filter=wanted, limit=9)}
    vector = np.full(DIMENSION, DIMENSION**-0.5, np.float32)
    for hits in (
        corpus.chunks.lexical(["valve"], filter=wanted, k=9),
        corpus.vectors.nearest(vector, filter=wanted, k=9),
    ):
        assert {chunk.url for chunk in corpus.chunks.by_ids([hit.chunk_id for hit in hits])} == rows
    return rows


def test_rows_and_chunks_carry_their_tag(shelf: Corpus) -> None:
    assert {row.url: row.doc_tag for row in shelf.documents.summaries(limit=9)} == {
        PYTHON: "docs.python.org/3",
        OLD: "docs.python.org/2",
        SQLITE: "sqlite.org",
        NOTE: "fastapi/tutorial",
    }
    [hit] = shelf.chunks.lexical(["valve"], filter=Filter(urls=(PYTHON,)), k=9)
    assert [chunk.doc_tag for chunk in shelf.chunks.by_ids([hit.chunk_id])] == ["docs.python.org/3"]


@pytest.mark.parametrize(
    ("wanted", "urls"),
    [
        (Filter(doc_tags=(("docs.python.org",),)), {PYTHON, OLD}),
        (Filter(doc_tags=(("docs.python.org/3",),)), {PYTHON}),
        (Filter(doc_tags=(("FastAPI", "sqlite.org"),)), {NOTE, SQLITE}),
        (Filter(doc_tags=(("docs.python.org",), ("docs.python.org/2", "sqlite.org"))), {OLD}),
        (Filter(doc_tags=(("docs.python",),)), set()),
        (Filter(doc_tags=(("docs.python.org/30",),)), set()),
        (Filter(path_prefix="3/lib"), {PYTHON}),
        (Filter(path_prefix="tutorial/"), {NOTE}),
        (Filter(changed_after=300.0), {SQLITE, NOTE}),
        (Filter(doc_tags=(("fastapi",),), changed_after=401.0), set()),
    ],
)
def test_a_scope_lets_through_what_is_in_it_and_nothing_else(shelf: Corpus, wanted: Filter, urls: set[str]) -> None:
    assert found(shelf, wanted) == urls


def test_a_renamed_folder_takes_its_documents_along(shelf: Corpus) -> None:
    [folder] = shelf.folders.all()
    shelf.folders.rename(folder.id, "Our-notes")
    assert found(shelf, Filter(doc_tags=(("our-notes/tutorial",),))) == {NOTE}
    assert found(shelf, Filter(doc_tags=(("fastapi",),))) == set()


def test_a_file_that_leaves_its_folder_is_a_single_file(shelf: Corpus) -> None:
    shelf.documents.store(document(NOTE, ["valve number 3"], file=FileStamp(None, 1, 2)))
    assert found(shelf, Filter(doc_tags=(("files",),))) == {NOTE}


def test_tags_are_found_by_their_index(shelf: Corpus, path: Path) -> None:
    shelf.close()
    con = apsw.Connection(str(path))
    for column in ("doc_tag", "doc_path", "changed_at"):
        plan = con.execute(
            f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {column} >= 'a' AND {column} < 'b'"
        ).fetchall()
        assert "USING COVERING INDEX" in plan[0][3] or "USING INDEX" in plan[0][3]
    con.close()
