"""Threads and processes that share one file, and processes killed while writing."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.library.records import DocumentState
from tests.corpus.builders import DIMENSION, MODEL, document, embed, unit_vectors
from tests.corpus.worker import PARTS

ROOT = Path(__file__).resolve().parents[2]
URL = "https://example.org/guide"
KILLS = 5

CREATE = """
import sys, time
from pathlib import Path
from app.corpus import Corpus
folder, start = Path(sys.argv[1]), float(sys.argv[2])
for number in range(20):
    while time.time() < start + 0.04 * number:
        pass
    Corpus.open(folder / f"{number}.db", dimension=8, model="m").close()
"""


def start(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.corpus.worker", str(path), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


@pytest.mark.real
def test_several_processes_can_create_and_write_the_same_file(path: Path) -> None:
    workers = [start(path, name, 15) for name in ("one", "two", "three")]
    for worker in workers:
        finish(worker)
    corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    assert corpus.verify() == []
    rows = corpus.documents.summaries(limit=99)
    assert len(rows) == 3 * (15 - 3)
    assert {row.chunks for row in rows} == {PARTS}
    assert {row.state for row in rows} == {DocumentState.READY}
    corpus.close()


@pytest.mark.real
def test_several_processes_can_create_a_file_at_the_same_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CREATE, str(tmp_path), str(time.time() + 1)]
    creators = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for creator in creators:
        finish(creator)


def test_a_process_sees_the_changes_of_another(corpus: Corpus, path: Path) -> None:
    query = unit_vectors(1, seed=3)[0]
    assert corpus.vectors.nearest(query, k=5) == []
    finish(start(path, "other", 4))
    assert corpus.totals().documents == 4
    assert corpus.documents.summary("https://other.example/3") is not None
    assert len(corpus.vectors.nearest(query, k=5)) == len(corpus.chunks.lexical(["part"], k=5)) == 5


@pytest.mark.real
def test_a_process_killed_while_writing_leaves_an_intact_corpus(path: Path) -> None:
    documents = 0
    for kill in range(KILLS):
        worker = start(path, f"run{kill}", 0)
        assert worker.stdout is not None
        assert worker.stdout.readline() == "0\n"
        time.sleep(0.03 + 0.047 * kill)
        worker.kill()
        worker.communicate()
        corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
        assert corpus.verify() == []
        rows = corpus.documents.summaries(limit=9_999)
        assert {row.chunks for row in rows} == {PARTS}
        assert len(rows) > documents
        documents = len(rows)
        embed(corpus, [passage.chunk_id for passage in corpus.vectors.waiting(9_999)])
        assert corpus.vectors.count_waiting() == 0
        corpus.close()


def test_readers_see_complete_documents_during_replacements(corpus: Corpus) -> None:
    """Each version contains its number in its text and its number of chunks."""
    versions = {count: document(URL, [f"v{count} part {n}" for n in range(count)]) for count in (3, 8)}
    corpus.documents.store(versions[3])
    stop, wrong, seen = threading.Event(), list[object](), set[int]()

    def look() -> None:
        try:
            while not stop.is_set():
                row, whole = corpus.documents.summary(URL), corpus.documents.get(URL)
                hits = {len(corpus.chunks.lexical([f"v{count}"], k=20)) for count in versions}
                assert row is not None
                assert whole is not None
                assert whole.text == versions[whole.text.count("part")].text
                assert hits <= {0, *versions}
                seen.add(row.chunks)
        except BaseException as error:
            wrong.append(error)
            raise

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    deadline = time.monotonic() + 60
    rounds = 0
    while (rounds < 60 or seen != set(versions)) and time.monotonic() < deadline:
        outcome = corpus.documents.store(versions[(3, 8)[rounds % 2]])
        embed(corpus, outcome.new_chunk_ids)
        rounds += 1
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert seen == set(versions)


def test_threads_can_search_while_others_store(corpus: Corpus) -> None:
    """Several threads read and update the index in memory at the same time."""
    query = unit_vectors(1, seed=3)[0]
    stop, wrong = threading.Event(), list[BaseException]()

    def search() -> None:
        try:
            while not stop.is_set():
                hits = corpus.vectors.nearest(query, k=50)
                assert len({hit.chunk_id for hit in hits}) == len(hits)
                assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        except BaseException as error:
            wrong.append(error)
            raise

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(40):
        stored = corpus.documents.store(document(f"{URL}/{number}", [f"{number} part {n}" for n in range(10)]))
        embed(corpus, stored.new_chunk_ids, seed=number)
        if number % 3 == 2:
            corpus.documents.delete([stored.document_id - 1])
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(corpus.vectors.nearest(query, k=9_999)) == corpus.totals().chunks == 10 * (40 - 13)
