"""Earlier texts of a page: restored byte for byte, limited, deleted with their page, and never blocking a new text."""

from __future__ import annotations

import random
import zlib
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus import Corpus, migrations, versions
from app.corpus.restore import prepare, swap
from app.corpus.salvage import salvage
from app.errors import CorpusError
from tests.corpus.builders import DIMENSION, MODEL, document

URL = "https://example.org/guide"
PARTS = (
    "Installing the pump",
    "Running the pump\r\nwith\u2028odd ends",
    "",
    "\0",
    "Ein Märchen 🧵",
    "x" * 40,
    "\n",
    "\x85",
    "a",
)
odd = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.lists(st.sampled_from(PARTS), max_size=12).map("\n".join),
    st.lists(st.sampled_from(PARTS), max_size=12).map("".join),
)


def store(corpus: Corpus, *paragraphs: str, at: float = 100.0, url: str = URL, **fields: Any) -> int:
    return corpus.documents.store(document(url, paragraphs, last_crawled=at, **fields)).document_id


def texts(corpus: Corpus, document_id: int) -> list[str]:
    return list(corpus.versions.texts(document_id).values())


@pytest.fixture
def changed(corpus: Corpus) -> int:
    """A page that was fetched five times and changed three times."""
    for at, words in enumerate(("one", "two", "two", "three", "four"), 1):
        document_id = store(corpus, "A pump lifts water.", f"It has {words} valves.", at=float(at))
    return document_id


@given(odd, odd)
def test_a_text_is_restored_byte_for_byte(old: str, new: str) -> None:
    assert versions.restored(versions.difference(old, new), new) == old


@given(st.lists(odd, min_size=2, max_size=4))
def test_every_text_of_a_chain_is_restored(history: list[str]) -> None:
    packed = [versions.difference(old, new) for old, new in pairwise(history)]
    text = history[-1]
    for old, difference in zip(reversed(history[:-1]), reversed(packed), strict=True):
        text = versions.restored(difference, text)
        assert text == old


def test_a_small_change_takes_little_space() -> None:
    words = random.Random(1)
    lines = ["".join(words.choices("abcdefghij klmnop", k=90)) for _ in range(2_000)]
    changed = [
        *lines[:700],
        "a new line of the page",
        *lines[702:1500],
        lines[1500].upper(),
        *lines[1501:],
        *lines[3:9],
    ]
    old, new = "\n".join(lines), "\n".join(changed)
    assert len(versions.difference(old, new)) < 600 < len(zlib.compress(old.encode())) / 50


def test_the_last_three_earlier_texts_are_kept(corpus: Corpus, changed: int) -> None:
    kept = corpus.versions.of_document(changed)
    assert [(each.read_at, each.replaced_at, each.url) for each in kept] == [
        (4.0, 5.0, URL),
        (2.0, 4.0, URL),
        (1.0, 2.0, URL),
    ]
    assert [text.split()[-2] for text in texts(corpus, changed)] == ["three", "two", "one"]
    assert kept[0].content_hash == "hash of A pump lifts water.\n\nIt has three valves."
    store(corpus, "A pump lifts water.", "It has five valves.", at=6.0)
    assert [text.split()[-2] for text in texts(corpus, changed)] == ["four", "three", "two"]
    summary = corpus.documents.summary(URL)
    assert summary is not None and summary.has_versions


def test_an_unchanged_page_has_no_versions(corpus: Corpus) -> None:
    document_id = store(corpus, "The same.")
    store(corpus, "The same.", title="Another title")
    assert corpus.versions.of_document(document_id) == []
    summary = corpus.documents.summary(URL)
    assert summary is not None and not summary.has_versions


def test_deleting_a_page_deletes_its_earlier_texts(corpus: Corpus, changed: int) -> None:
    store(corpus, "Another page.", url="https://example.org/other")
    corpus.documents.delete([changed])
    with corpus._database.read() as con:
        assert con.execute("SELECT count(*) FROM versions").get == 0


def test_a_moved_page_keeps_its_earlier_texts(corpus: Corpus, changed: int) -> None:
    moved = store(corpus, "A pump lifts water.", "It has no valves.", at=7.0, url=URL + "/new", aliases=(URL,))
    assert moved != changed
    assert [text.split()[-2] for text in texts(corpus, moved)] == ["four", "three", "two"]
    assert {each.url for each in corpus.versions.of_document(moved)} == {URL}


def test_a_page_merged_with_another_keeps_its_own_earlier_texts(corpus: Corpus, changed: int) -> None:
    target = store(corpus, "Old text of the target.", url=URL + "/target")
    store(corpus, "New text of the target.", url=URL + "/target", aliases=(URL,))
    assert texts(corpus, target) == ["Old text of the target."]


@pytest.mark.parametrize("place", ["versions", "savepoint"])
def test_a_new_text_is_stored_even_if_the_version_cannot_be_kept(
    corpus: Corpus, changed: int, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "versions":
        with corpus._database.write() as con:
            con.execute("CREATE TRIGGER broken BEFORE INSERT ON versions BEGIN SELECT RAISE(ABORT, 'no'); END")
    else:
        monkeypatch.setattr(versions, "INSERT", "INSERT INTO versions VALUES('a row that does not fit')")
    store(corpus, "Nothing like before.", at=9.0)
    with corpus._database.write() as con:
        con.execute("DROP TRIGGER IF EXISTS broken")
    stored = corpus.documents.get(URL)
    assert stored is not None and stored.text == "Nothing like before."
    assert corpus.versions.of_document(changed) == []  # they depended on the text that could not be kept


def test_a_text_that_is_too_large_is_dropped_with_its_dependents(
    corpus: Corpus, changed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MAX_VERSIONED_CHARS", 1_000)
    store(corpus, "long " * 300)
    assert corpus.versions.of_document(changed) == []
    store(corpus, "short")
    assert corpus.versions.of_document(changed) == []


def test_the_oldest_versions_are_deleted_beyond_the_limit(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = random.Random(2)
    monkeypatch.setattr(versions, "VERSIONS_BYTES", 5_000)
    for page in range(8):
        for _ in range(3):
            text = "".join(chr(noise.randrange(0x4E00, 0x9FFF)) for _ in range(300))
            store(corpus, text, url=f"{URL}/{page}")
    with corpus._database.read() as con:
        query = "SELECT bytes, octet_length(difference), document_id FROM versions ORDER BY id"
        sizes: list[Any] = con.execute(query).fetchall()
    assert all(size == real for size, real, _ in sizes)
    assert 3_000 < sum(size for size, _, _ in sizes) <= 5_000
    assert sizes[-1][2] == corpus.documents.summary(f"{URL}/7").id  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "packed", [b"", b"no", zlib.compress(b"[[0,1"), zlib.compress(b"[[0,-1,3]]\nabc"), zlib.compress(b'{"a":1}\n')]
)
def test_a_damaged_difference_is_reported(packed: bytes) -> None:
    with pytest.raises(CorpusError):
        versions.restored(packed, "A text.")


def test_a_difference_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(CorpusError, match="too long"):
        versions.restored(zlib.compress(bytes(versions.MAX_UNPACKED_BYTES + 1)), "")
    places = ",".join(["[0,1000000,0]"] * 3)
    with pytest.raises(CorpusError):
        versions.restored(zlib.compress(f"[{places}]\n".encode()), "a" * 1_000_000)


def test_an_earlier_text_with_a_wrong_checksum_is_not_shown(path: Path) -> None:
    with closing(Corpus.open(path, dimension=DIMENSION, model=MODEL)) as corpus:
        for words in ("first", "second", "third", "fourth"):
            document_id = store(corpus, words)
        with corpus._database.write() as con:
            con.execute("UPDATE versions SET checksum = x'00' WHERE id = 2")
        assert texts(corpus, document_id) == ["third"]
        assert [each.check for each in corpus.verify()] == ["versions"]


def test_earlier_texts_survive_backup_restore_and_salvage(corpus: Corpus, changed: int, tmp_path: Path) -> None:
    backup, restored, saved = (tmp_path / name for name in ("backup.db", "restored.db", "saved.db"))
    expected = corpus.versions.texts(changed)
    corpus.backup(backup)
    swap(prepare(backup, restored), restored)
    salvage(backup, saved)
    for copy in (restored, saved):
        with closing(Corpus.open(copy, dimension=DIMENSION, model=MODEL)) as opened:
            assert opened.versions.texts(changed) == expected
            assert opened.versions.of_document(changed) == corpus.versions.of_document(changed)
            assert opened.verify() == []


def test_oversized_versions_are_left_out_of_a_foreign_backup(corpus: Corpus, changed: int) -> None:
    with corpus._database.write() as con:
        con.execute("UPDATE versions SET bytes = 1000000000000 WHERE id = 1")
        con.execute("UPDATE versions SET title = ? WHERE id = 2", ("x" * 1_000_000,))
    assert corpus.remove_inadmissible() == {"earlier versions of pages": 2}
    assert len(texts(corpus, changed)) == 1


def test_a_file_without_versions_gets_the_table(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(apsw.Connection(str(path))) as con:
        migrations.migrate(con, path, migrations.MIGRATIONS[:1])
    with closing(Corpus.open(path, dimension=DIMENSION, model=MODEL)) as corpus:
        store(corpus, "before")
        document_id = store(corpus, "after")
        assert texts(corpus, document_id) == ["before"]
        assert corpus.verify() == []
