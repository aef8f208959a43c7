"""Token vectors in rows that fill pages, and vectors of earlier versions: read as they are, rewritten step by step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus import Corpus, vectors
from app.corpus.models import KEYS
from app.corpus.page_texts import TEXT
from app.corpus.salvage import salvage
from app.corpus.vector_index import coded, sign_bits, vectors_of
from app.corpus.vectors import Bits, packed, read_token_vectors, thinned, unpacked
from app.library.packages import Package
from app.library.records import EmbeddingIn, EmbeddingModel, PassageToEmbed
from tests.corpus.builders import DIMENSION, MODEL, document, embedding, unit_vectors

WIDTH = DIMENSION // 8
PACKAGE = Package("pypi", "flask", "3.1.3")


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(1, 5)), max_size=40))
def test_packed_token_vectors_are_the_same_again(runs: list[tuple[int, int]]) -> None:
    rows = [[value] * WIDTH for value, times in runs for _ in range(times)]
    bits = np.array(rows, np.uint8).reshape(-1, WIDTH)
    assert np.array_equal(unpacked(packed(bits)), bits)


@given(st.binary(max_size=60))
def test_other_bytes_are_refused_or_read_as_rows(blob: bytes) -> None:
    with suppress(ValueError, IndexError):
        assert unpacked(blob).ndim == 2


@given(st.lists(st.floats(-1, 1, width=32), min_size=8, max_size=8))
def test_stored_vectors_keep_the_sign_code_and_stay_the_same_when_copied(values: list[float]) -> None:
    vector = np.array(values, np.float32)
    blob = coded(vector).tobytes()
    read = vectors_of([blob], 8)[0]
    assert np.array_equal(sign_bits(read), sign_bits(vector))
    assert coded(read).tobytes() == blob or not vector.any()


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL)


@pytest.fixture
def earlier(path: Path) -> Path:
    """A file whose vectors are stored as before both migrations, every third passage as between them: 30 passages of 1 to 60 tokens,
    twice the same token in a row."""
    with closing(opened(path)) as corpus:
        for page in range(6):
            ids = corpus.documents.store(
                document(f"https://example.org/{page}", [f"Part {n}." for n in range(5)])
            ).new_chunk_ids
            directions = unit_vectors(len(ids), seed=page)
            generator = np.random.default_rng(page)
            bits = [
                np.repeat(generator.integers(0, 256, (1 + 6 * n, WIDTH)).astype(np.uint8), 2, axis=0) for n in range(5)
            ]
            corpus.vectors.store([EmbeddingIn(*item) for item in zip(ids, directions, bits, strict=True)])
        model = corpus.vectors._model
        assert model is not None
        with corpus._database.write() as con:
            chunk_ids: list[Any] = con.execute("SELECT chunk_id FROM embeddings").fetchall()
            for (chunk_id,) in chunk_ids:
                whole = read_token_vectors(con, [chunk_id], model.id, DIMENSION)[chunk_id]
                if chunk_id % 3:
                    con.execute("INSERT INTO token_vectors VALUES(?, ?)", (chunk_id, whole.tobytes()))
                    con.execute(f"DELETE FROM token_rows WHERE id {vectors.OF_CHUNK.format(chunk_id)}")
                else:
                    into_parts(con, chunk_id)
                stored = con.execute("SELECT vector FROM embeddings WHERE chunk_id = ?", (chunk_id,)).get
                single = vectors_of([stored], DIMENSION)[0].astype("<f4").tobytes()
                con.execute("UPDATE embeddings SET vector = ? WHERE chunk_id = ?", (single, chunk_id))
            con.execute("UPDATE chunks SET key = printf('%-64s', key)")
            con.execute(f"UPDATE document_texts SET text = {TEXT}, packed = NULL, chars = NULL")
            con.execute("INSERT INTO unpacked SELECT id FROM documents")
    return path


def into_parts(con: apsw.Connection, chunk_id: int, prefix: str = "") -> None:
    """Store the token vectors of a chunk as the version before this one did."""
    of_chunk = vectors.OF_CHUNK.format(chunk_id)
    rows: Any = con.execute(f"SELECT bits FROM {prefix}token_rows WHERE id {of_chunk} ORDER BY id").fetchall()
    blob = b"".join(row[0] for row in rows)
    parts = [(chunk_id, part, blob[start : start + 100]) for part, start in enumerate(range(0, len(blob), 100))]
    con.executemany(f"INSERT INTO {prefix}token_parts VALUES(?, ?, ?)", parts)
    con.execute(f"DELETE FROM {prefix}token_rows WHERE id {of_chunk}")


def same(_: PassageToEmbed, bits: Bits) -> Bits:
    return bits


def seen(corpus: Corpus) -> tuple[dict[int, list[list[int]]], list[tuple[int, float]]]:
    """Return the token vectors of all chunks, and the nearest chunks of some vector."""
    signs = corpus.vectors.token_vectors(range(1, 31))
    hits = corpus.vectors.nearest(unit_vectors(1, seed=9)[0], k=10)
    return {each.chunk_id: each.token_bits.tolist() for each in signs}, [(hit.chunk_id, hit.score) for hit in hits]


def test_vectors_of_an_earlier_version_are_rewritten_through_interruptions(
    earlier: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted at random passages, with the file opened again after each: the same results all the time."""
    chance = random.Random(20)
    with closing(opened(earlier)) as corpus:
        before = seen(corpus)
        monkeypatch.setattr("app.corpus.checks.COMPACT_BYTES", 0)
        monkeypatch.setattr("app.corpus.checks.COMPACT_SHARE", 0)
        assert corpus.measure() == 0, "not before the end"
    while any(left := rows_left(earlier)):
        stop = chance.randrange(max(1, left[0]))
        calls = iter(range(30))

        def broken(_: PassageToEmbed, bits: Bits, stop: int = stop, calls: Iterator[int] = calls) -> Bits:
            if next(calls) == stop:
                raise KeyboardInterrupt
            return bits

        with closing(opened(earlier)) as corpus:
            if left[0]:
                with pytest.raises(KeyboardInterrupt):
                    corpus.vectors.pack(36, broken)
                assert rows_left(earlier) == left, "all of a call or nothing"
            done = corpus.vectors.pack(chance.randrange(1, 8), same)
            assert sum(rows_left(earlier)) == sum(left) - done
            assert seen(corpus) == before
            assert corpus.verify() == []
    with closing(opened(earlier)) as corpus:
        assert corpus.vectors.pack(30, same) == 0
        assert corpus.measure() > 4_000, "smaller rows leave their pages partly empty"
        assert {len(chunk.key) for chunk in corpus.chunks.by_ids(range(1, 31))} == {16}


def rows_left(path: Path) -> tuple[int, int, int]:
    """Return the numbers of passages in both earlier forms, and of pages, that are not rewritten yet."""
    with closing(apsw.Connection(str(path))) as con:
        found: tuple[int, int, int] = con.execute(
            "SELECT (SELECT count(*) FROM token_vectors), (SELECT count(DISTINCT chunk_id) FROM token_parts),"
            " (SELECT count(*) FROM unpacked)"
        ).get
        return found


def test_token_vectors_are_merged_as_the_program_makes_them_now(earlier: Path) -> None:
    def first(passage: PassageToEmbed, bits: Bits) -> Bits:
        assert passage.text.startswith("Head: Part")
        return np.repeat(bits[:1], len(bits), axis=0)

    with closing(opened(earlier)) as corpus:
        assert corpus.vectors.pack(8, first) == 8
        found = corpus.vectors.token_vectors(range(1, 31))
        assert [len({bytes(row) for row in each.token_bits}) == 1 for each in found][:7] == [
            n != 3 for n in range(1, 8)
        ]
        assert len(found) == 30


def test_a_page_with_longer_keys_keeps_its_passages(earlier: Path) -> None:
    with closing(opened(earlier)) as corpus:
        parts = [f"Part {n}." for n in range(5)]
        again = corpus.documents.store(document("https://example.org/0", [*parts[1:], "New."]))
        assert (again.kept, again.removed, len(again.new_chunk_ids)) == (4, 1, 1)
        assert len(corpus.vectors.token_vectors(range(1, 31))) == 29


def test_rows_fill_the_pages_of_the_file(path: Path) -> None:
    """In the order of their numbers, after pages were deleted, and with passages embedded out of order."""
    with closing(opened(path)) as corpus:
        ids = [
            each
            for page in range(40)
            for each in corpus.documents.store(
                document(f"https://example.org/{page}", [f"Part {n}." for n in range(10)])
            ).new_chunk_ids
        ]
        generator = np.random.default_rng(1)
        sizes = generator.integers(1, 700, len(ids))
        embeddings = [
            EmbeddingIn(each, unit_vectors(1)[0], generator.integers(0, 256, (size, WIDTH)).astype(np.uint8))
            for each, size in zip(ids, sizes, strict=True)
        ]
        for start in range(0, 300, 10):
            corpus.vectors.store([*embeddings[start : start + 10 : 2], *embeddings[start + 1 : start + 10 : 2]])
        assert unused(corpus) < 0.01
        corpus.documents.delete(range(3, 30, 4))
        corpus.compact()
        assert unused(corpus) < 0.05
        corpus.vectors.store(embeddings[350:])
        corpus.vectors.store(embeddings[300:350])
        corpus.compact()
        assert unused(corpus) < 0.05
        assert corpus.verify() == []
        found = corpus.vectors.token_vectors([each.chunk_id for each in embeddings])
        given = {each.chunk_id: each.token_bits for each in embeddings}
        assert len(found) == 330 and all(np.array_equal(each.token_bits, given[each.chunk_id]) for each in found)


def unused(corpus: Corpus) -> float:
    query = "SELECT CAST(sum(unused) AS REAL) / sum(pgsize) FROM dbstat WHERE name = 'token_rows' AND aggregate = 1"
    with corpus._database.inspect() as con:
        return float(con.execute(query).get)


def test_token_vectors_of_a_second_model_are_rewritten_too(path: Path) -> None:
    with closing(Corpus.open(path, dimension=DIMENSION, model=MODEL, second=EmbeddingModel("model-b", 32))) as corpus:
        assert corpus.second is not None
        ids = corpus.documents.store(document("https://example.org/a", ["One.", "Two."])).new_chunk_ids
        for view, width in ((corpus, DIMENSION), (corpus.second, 32)):
            view.vectors.store([embedding(each, unit_vectors(1, dimension=width)[0], 90) for each in ids])
        before = [
            [each.token_bits.tolist() for each in view.vectors.token_vectors(ids)] for view in (corpus, corpus.second)
        ]
        with corpus._database.write() as con:
            for prefix in KEYS:
                into_parts(con, ids[0], prefix)
            con.execute("INSERT INTO unpacked SELECT id FROM documents")
        assert corpus.verify() == []
        assert corpus.vectors.pack(9, same) == 3
        after = [
            [each.token_bits.tolist() for each in view.vectors.token_vectors(ids)] for view in (corpus, corpus.second)
        ]
        assert after == before and len(after[1]) == 2
        assert corpus.verify() == []
    with closing(apsw.Connection(str(path))) as con:
        assert (
            con.execute("SELECT (SELECT count(*) FROM token_parts) + (SELECT count(*) FROM second_token_parts)").get
            == 0
        )
        assert con.execute("SELECT count(*) FROM second_token_rows").get >= 2


def test_full_token_vectors_of_packages_are_read_and_then_thinned(corpus: Corpus) -> None:
    """Both forms are in files of versions before this one."""
    number = corpus.packages.add(PACKAGE, "installed")
    page = document(f"{PACKAGE.address}a", ["One two three four.", "Five six."], package_id=number)
    first, second = corpus.documents.store(page).new_chunk_ids
    full = np.arange(7 * WIDTH, dtype=np.uint8).reshape(7, WIDTH)
    thin = thinned(full)
    corpus.vectors.store([EmbeddingIn(each, unit_vectors(1)[0], full) for each in (first, second)])
    with corpus._database.write() as con:
        con.execute("DELETE FROM token_rows")
        con.execute("INSERT INTO unpacked SELECT id FROM documents")
        con.execute("INSERT INTO token_vectors VALUES(?, ?), (?, ?)", (first, full.tobytes(), second, thin.tobytes()))
    for expected in ([full, thin], [thin, thin]):
        found = corpus.vectors.token_vectors([first, second])
        assert [each.token_bits.tolist() for each in found] == [each.tolist() for each in expected]
        corpus.vectors.pack(3, same)
    assert corpus.verify() == []


def test_a_half_rewritten_file_can_be_copied_and_salvaged(earlier: Path, tmp_path: Path) -> None:
    with closing(opened(earlier)) as corpus:
        corpus.vectors.pack(13, same)
        before = seen(corpus)
        corpus.backup(tmp_path / "copy.db")
        copies = {copy.document.url: copy.vectors for copy in corpus.copies()}
    with closing(opened(tmp_path / "copy.db")) as copied:
        assert seen(copied) == before
        assert copied.verify() == []
    assert sum(map(len, copies.values())) == 30
    assert salvage(earlier, tmp_path / "salvaged.db").documents == 6
    with closing(apsw.Connection(str(tmp_path / "salvaged.db"))) as con:
        assert con.execute("SELECT count(*) FROM waiting").get == 30


def test_each_step_reads_only_the_vectors_that_it_rewrites(earlier: Path) -> None:
    with closing(apsw.Connection(str(earlier))) as con:
        con.execute("ANALYZE")
        con.execute("DELETE FROM sqlite_stat1")
        statistics = [("documents", "documents_by_tag", "162 81"), ("chunks", "chunks_by_document", "4700 29 1 1")]
        con.executemany("INSERT INTO sqlite_stat1 VALUES(?, ?, ?)", statistics)
    with closing(apsw.Connection(str(earlier))) as con:
        plan = [
            str(row[3]) for row in con.execute(f"EXPLAIN QUERY PLAN {vectors.UNPACKED_CHUNKS.format(p='')}", (1, 32))
        ]
    assert plan[0].startswith("SEARCH c USING INDEX")
    assert not any(step.startswith("SCAN") for step in plan)
