"""Backup, restore, check and compact: ended at any step they leave what was there; sizes add up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.corpus.restore import describe, kept_copies, prepare, put_in_place
from app.corpus.watch import Watch
from app.errors import CorpusError, FileAccessError, WorkCancelledError
from tests.corpus.builders import document


def filled(path: Path, count: int, words: int = 400) -> Path:
    corpus = Corpus.open(path, dimension=8, model="m")
    for number in range(count):
        text = " ".join(f"word{number}x{place}" for place in range(words))
        corpus.documents.store(document(f"https://a.example/{number}", [text]))
    corpus.close()
    return path


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of some hundred pages of the file."""
    return filled(tmp_path_factory.mktemp("big") / "corpus.db", 60)


class EndsAt(Watch):
    """Ends the work once a share of it is done."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.seen: list[float] = []
        self._last = share

    def at(self, share: float) -> None:
        self.seen.append(share)
        if share >= self._last:
            self.cancel()
        super().at(share)

    def part(self, start: float, end: float) -> Watch:
        part = Watch(lambda share: self.at(start + share * (end - start)))
        part._cancelled = self._cancelled
        return part


def test_a_backup_tells_how_far_it_is(big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.PAGES_COPIED_AT_ONCE", 8)
    seen: list[float] = []
    corpus = Corpus.open(big, dimension=8, model="m")
    corpus.backup(tmp_path / "b.db", Watch(seen.append))
    corpus.close()
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert seen[-1] == 1
    assert describe(tmp_path / "b.db").documents == 60


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 0.95))
def test_a_backup_that_is_ended_leaves_the_older_one_whole(big: Path, tmp_path: Path, share: float) -> None:
    target = tmp_path / "b.db"
    filled(target, 1) if not target.exists() else None
    before = target.read_bytes()
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.caps.PAGES_COPIED_AT_ONCE", 4)
        with pytest.raises(WorkCancelledError):
            corpus.backup(target, EndsAt(share))
    corpus.close()
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.db"]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_restore_that_is_ended_changes_nothing(
    big: Path, tmp_path: Path, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.caps.BYTES_COPIED_AT_ONCE", 64 * 1024)
    corpus = filled(tmp_path / "corpus.db", 1)
    before = corpus.read_bytes()
    with pytest.raises(WorkCancelledError):
        put_in_place(big, corpus, EndsAt(share))
    assert corpus.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.db"]


def test_a_restore_is_prepared_while_the_corpus_is_in_use(big: Path, tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=8, model="m")
    prepared = prepare(big, tmp_path / "corpus.db")
    corpus.documents.store(document("https://a.example/meanwhile", ["Words."]))
    assert corpus.totals().documents == 1
    assert prepared.totals.documents == 60
    prepared.discard()
    corpus.close()
    assert not list(tmp_path.glob(".restore*"))


def test_a_check_can_be_ended_in_its_midst(big: Path) -> None:
    corpus = Corpus.open(big, dimension=8, model="m")
    watch = Watch()
    watch.cancel()
    with pytest.raises(WorkCancelledError):
        corpus.verify(watch)
    assert corpus.verify() == []
    corpus.close()


def test_compacting_gives_room_back_and_keeps_everything(tmp_path: Path) -> None:
    corpus = Corpus.open(filled(tmp_path / "corpus.db", 60), dimension=8, model="m")
    for row in corpus.documents.summaries(limit=50):
        corpus.documents.delete([row.id])
    assert corpus.storage().unused > 100_000
    left = [row.url for row in corpus.documents.summaries(limit=50)]
    done = corpus.compact()
    assert done.after < done.before - 100_000
    assert corpus.storage().unused == 0
    assert corpus.verify() == []
    assert [row.url for row in corpus.documents.summaries(limit=50)] == left
    corpus.close()


class EndsAtLook(Watch):
    """Ends the work when it is looked at for the n-th time."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._left = looks

    @property
    def is_cancelled(self) -> bool:
        self._left -= 1
        return self._left <= 0


@pytest.mark.parametrize("looks", [1, 2, 20, 200])
def test_compacting_that_is_ended_keeps_everything(big: Path, looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.watch.STEPS_BETWEEN_LOOKS", 50)
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.raises(WorkCancelledError):
        corpus.compact(EndsAtLook(looks))
    assert corpus.verify() == []
    assert corpus.totals().documents == 60
    corpus.close()


def test_compacting_is_refused_where_there_is_no_room(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.COMPACT_ROOM", 1e12)
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.raises(CorpusError, match="too little free space"):
        corpus.compact()
    corpus.close()


def test_sizes_add_up_to_the_file(big: Path) -> None:
    corpus = Corpus.open(big, dimension=8, model="m")
    use = corpus.storage()
    corpus.close()
    assert use.total == big.stat().st_size
    assert use.texts > 0 and use.indexes > 0
    assert use.vectors == 3 * 8192, "nothing is embedded: the empty tables only"


def test_describing_a_backup_changes_nothing(big: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.db"
    copy.write_bytes(big.read_bytes())
    facts = describe(copy)
    assert (facts.documents, facts.file_bytes) == (60, copy.stat().st_size)
    assert facts.newest > 0
    assert [path.name for path in tmp_path.iterdir()] == ["b.db"]
    assert copy.read_bytes() == big.read_bytes()


@pytest.mark.parametrize("content", [b"", b"notes" * 100, None])
def test_what_is_no_backup_is_not_described(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "b.db"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(FileAccessError):
        describe(file)


def test_only_copies_of_the_corpus_count_as_such(tmp_path: Path) -> None:
    for name in ("corpus.db", "corpus-before-20250101-101010.db", "corpus.db.v2.backup", "corpus-notes.db", "other.db"):
        (tmp_path / name).write_bytes(b"x")
    assert [path.name for path in kept_copies(tmp_path / "corpus.db")] == [
        "corpus-before-20250101-101010.db",
        "corpus.db.v2.backup",
    ]
