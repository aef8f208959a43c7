"""Disk errors while reading, writing or flushing, and read-only files: a clear error, and no data is lost."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.errors import CorpusError
from tests.corpus.builders import DIMENSION, MODEL, document, embed, unit_vectors
from tests.support.failing_files import CALLS, FailingFiles, failing_files

PAGES = 6
QUERY = unit_vectors(1, seed=3)[0]


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL)


def page(number: int, version: int) -> list[str]:
    return [f"Page {number} in version {version}, part {part}. " + "Water runs. " * 60 for part in range(8)]


def url(number: int) -> str:
    return f"https://example.org/{number}"


@pytest.fixture
def files() -> Iterator[FailingFiles]:
    with failing_files() as layer:
        yield layer


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed corpus with some embedded pages, each replaced once so that all later work is the same."""
    path = tmp_path_factory.mktemp("whole") / "corpus.db"
    for version in (0, 1):
        with closing(opened(path)) as corpus:
            for number in range(PAGES):
                embed(corpus, corpus.documents.store(document(url(number), page(number, version))).new_chunk_ids)
    return path


@pytest.fixture
def stored(whole: Path, path: Path, files: FailingFiles) -> Path:
    path.parent.mkdir()
    return Path(shutil.copy(whole, path))


def work(corpus: Corpus, version: int, told: dict[int, int], backup: Path) -> None:
    """Write and read in every way; record in `told` the versions that were stored."""
    for number in range(PAGES):
        outcome = corpus.documents.store(document(url(number), page(number, version)))
        told[number] = version
        embed(corpus, outcome.new_chunk_ids)
        assert corpus.documents.get(url(number)) is not None
        assert corpus.vectors.nearest(QUERY, k=5)
        assert corpus.chunks.lexical(["water"], k=5)
    found = corpus.documents.summary(url(0))
    assert found is not None
    told[0] = 0
    corpus.documents.delete([found.id])
    corpus.backup(backup)
    assert corpus.verify() == []
    corpus.compact()


def check(path: Path, told: dict[int, int]) -> None:
    """Check that the file is intact and that every page is one complete version, at least the recorded one."""
    with closing(opened(path)) as corpus:
        assert corpus.verify() == []
        for number in range(PAGES):
            found = corpus.documents.get(url(number))
            versions = {"\n\n".join(page(number, version)): version for version in (1, 2, 3)}
            least = told.get(number, 1)
            assert found is not None or number == 0
            assert found is None or versions[found.text] >= least


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("share", [0.03, 0.3, 0.55, 0.8, 0.97])
def test_a_disk_failure_raises_a_clear_error_without_data_loss(
    stored: Path, files: FailingFiles, call: str, share: float
) -> None:
    """Runs the same work twice: once to count its system calls, then with one of them failing."""
    before = files.calls[call]
    told: dict[int, int] = {}
    with closing(opened(stored)) as corpus:
        work(corpus, 2, told, stored.with_name("backup"))
    files.fail(call, max(1, round((files.calls[call] - before) * share)))
    with suppress(CorpusError), closing(opened(stored)) as corpus:
        work(corpus, 3, told, stored.with_name("backup"))
    assert files.failed == 1
    check(stored, told)


@pytest.mark.parametrize(
    ("call", "turns"), [("xRead", (1, 2, 5, 9, 14, 20)), ("xWrite", (1, 5, 20)), ("xSync", (1, 2, 3))]
)
def test_work_continues_in_the_same_process_after_the_failure(
    stored: Path, files: FailingFiles, call: str, turns: tuple[int, ...]
) -> None:
    """The error has a message even if a failed read has already ended its transaction."""
    backup = stored.with_name("backup")
    with closing(opened(stored)) as corpus:
        for nth in turns:
            files.fail(call, nth)
            with suppress(CorpusError):
                work(corpus, 2, {}, backup)
            assert files.failed
            files.heal()
            work(corpus, 3, {}, backup)
        assert corpus.verify() == []


def test_a_read_only_file_is_reported_and_unchanged(stored: Path, files: FailingFiles) -> None:
    before = stored.read_bytes()
    files.read_only = True
    with pytest.raises(CorpusError, match="Cannot read or write"), closing(opened(stored)) as corpus:
        corpus.documents.store(document(url(9), page(9, 1)))
    files.read_only = False
    assert stored.read_bytes() == before
    check(stored, {})


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_read_only_folder_is_reported_and_unchanged(stored: Path) -> None:
    before = stored.read_bytes()
    stored.chmod(0o400)
    stored.parent.chmod(0o500)
    try:
        with pytest.raises(CorpusError), closing(opened(stored)) as corpus:
            corpus.documents.store(document(url(9), page(9, 1)))
    finally:
        stored.parent.chmod(0o700)
        stored.chmod(0o600)
    assert stored.read_bytes() == before
    check(stored, {})
