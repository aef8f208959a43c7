"""Collections and tags: created, renamed, deleted, used as a scope, and kept when pages and the file change."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.labels import checked_name
from app.corpus.records import Label, LabelKind
from app.corpus.salvage import salvage
from app.errors import InvalidArgumentError, UnknownLabelError
from app.library.scope import Filter
from tests.corpus.builders import DIMENSION, MODEL, document

COLLECTION, TAG = LabelKind.COLLECTION, LabelKind.TAG
PUMP, VALVE, SEAL = (f"https://a.example/{name}" for name in ("pump", "valve", "seal"))


def put(corpus: Corpus, url: str, text: str = "Words of a page.", **more: object) -> int:
    return corpus.documents.store(document(url, [text], **more)).document_id


def pages(corpus: Corpus, *labels: str) -> set[str]:
    rows = corpus.documents.summaries(filter=Filter(doc_tags=(labels,)), limit=100)
    return {row.url for row in rows}


@pytest.fixture
def ids(corpus: Corpus) -> list[int]:
    """Three pages; the first two are in a collection, the first has a tag."""
    made = [put(corpus, url) for url in (PUMP, VALVE, SEAL)]
    corpus.labels.add(COLLECTION, "Thesis", made[:2])
    corpus.labels.add(TAG, "draft", made[:1])
    return made


def test_rows_have_labels_and_labels_have_pages(corpus: Corpus, ids: list[int]) -> None:
    corpus.labels.add(COLLECTION, "Empty")
    corpus.labels.add(TAG, "nothing")
    assert corpus.labels.all() == [
        Label(COLLECTION, "Empty", 0),
        Label(COLLECTION, "Thesis", 2),
        Label(TAG, "draft", 1),
    ]
    rows = {row.url: (row.collections, row.tags) for row in corpus.documents.summaries(limit=9)}
    assert rows == {PUMP: (("Thesis",), ("draft",)), VALVE: (("Thesis",), ()), SEAL: ((), ())}


def test_a_label_can_be_combined_with_sites_as_a_scope_in_any_case(corpus: Corpus, ids: list[int]) -> None:
    assert pages(corpus, "collection:thesis") == {PUMP, VALVE}
    assert pages(corpus, "tag:DRAFT") == {PUMP}
    assert pages(corpus, "tag:draft", "collection:Thesis", "b.example") == {PUMP, VALVE}
    both = Filter(doc_tags=(("tag:draft",), ("collection:Thesis",)))
    assert [row.url for row in corpus.documents.summaries(filter=both, limit=9)] == [PUMP]
    or_seal = Filter(doc_tags=(("tag:draft", ids[2]), ("a.example",)))
    assert {row.url for row in corpus.documents.summaries(filter=or_seal, limit=9)} == {PUMP, SEAL}
    corpus.labels.add(COLLECTION, "Empty")
    assert pages(corpus, "collection:Empty") == set(), "no pages, not all pages"


@pytest.mark.parametrize(("asked", "told"), [("Thesys", "'Thesis'"), ("these", "'Thesis'"), ("zzz", "spelling")])
def test_the_error_for_an_unknown_name_suggests_similar_names(
    corpus: Corpus, ids: list[int], asked: str, told: str
) -> None:
    with pytest.raises(UnknownLabelError, match=asked) as caught:
        pages(corpus, f"collection:{asked}")
    assert told in caught.value.hint


def test_names_ignore_case_and_spaces(corpus: Corpus, ids: list[int]) -> None:
    assert corpus.labels.add(COLLECTION, "  THESIS ", ids) == ids[2:]
    assert [each.name for each in corpus.labels.all()] == ["Thesis", "draft"]
    corpus.labels.rename(COLLECTION, "thesis", "Ärger")
    corpus.labels.add(COLLECTION, "ärger")
    assert corpus.labels.all()[0] == Label(COLLECTION, "Ärger", 3)
    corpus.labels.add(COLLECTION, "Other")
    with pytest.raises(InvalidArgumentError, match="already"):
        corpus.labels.rename(COLLECTION, "Other", "ÄRGER")


@pytest.mark.parametrize("name", ["", " / ", "x" * (caps.MAX_LABEL_CHARS + 1), "a\u202eb", "a\0b"])
def test_a_name_must_be_a_short_line_of_visible_text(name: str) -> None:
    with pytest.raises(InvalidArgumentError):
        checked_name(name)


def test_the_error_for_an_invisible_character_names_it_and_the_solution() -> None:
    with pytest.raises(InvalidArgumentError, match="zero width joiner") as raised:
        checked_name("Family 👨\u200d👩\u200d👧")
    assert "simple emoji" in raised.value.hint


def test_deleting_returns_the_pages_for_undo(corpus: Corpus, ids: list[int]) -> None:
    gone = corpus.labels.delete(COLLECTION, "thesis")
    assert gone == ids[:2]
    assert corpus.totals().documents == 3
    corpus.labels.add(COLLECTION, "Thesis", gone)
    assert pages(corpus, "collection:Thesis") == {PUMP, VALVE}
    assert corpus.labels.remove(TAG, "draft", ids) == ids[:1]
    assert [each.kind for each in corpus.labels.all()] == [COLLECTION], "a tag is deleted with its last page"


def test_labels_are_limited(corpus: Corpus, ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.labels.MAX_LABELS", {COLLECTION: 2, TAG: 2})
    monkeypatch.setattr(caps, "MAX_LABELS_PER_PAGE", 2)
    monkeypatch.setattr(caps, "MAX_PAGES_LABELLED", 3)
    corpus.labels.add(COLLECTION, "Two")
    with pytest.raises(InvalidArgumentError, match="maximum of 2"):
        corpus.labels.add(COLLECTION, "Three")
    with pytest.raises(InvalidArgumentError, match="2 collections and tags"):
        corpus.labels.add(COLLECTION, "Two", ids)
    assert pages(corpus, "collection:Two") == set(), "all or none"
    with pytest.raises(InvalidArgumentError, match="limit of 3"):
        corpus.labels.add(COLLECTION, "Two", [1, 2, 3, 4])


def test_refreshed_and_moved_pages_keep_their_labels(corpus: Corpus, ids: list[int]) -> None:
    put(corpus, PUMP, "Other words of the same page.")
    assert pages(corpus, "collection:Thesis") == {PUMP, VALVE}
    new = "https://a.example/valves"
    put(corpus, new, aliases=(VALVE,))
    assert pages(corpus, "collection:Thesis") == {PUMP, new}
    corpus.documents.delete(ids[:1])
    assert corpus.labels.all() == [Label(COLLECTION, "Thesis", 1)]
    assert corpus.verify() == []


def test_backup_and_salvage_keep_labels(corpus: Corpus, ids: list[int], path: Path) -> None:
    before = corpus.contents_mark()
    corpus.labels.add(COLLECTION, "Empty")
    assert corpus.contents_mark() != before, "an automatic backup follows"
    copy = path.with_name("copy.db")
    corpus.backup(copy)
    known = corpus.labels.all()
    saved = path.with_name("saved.db")
    salvage(copy, saved)
    for file in (copy, saved):
        with closing(Corpus.open(file, dimension=DIMENSION, model=MODEL)) as again:
            assert again.labels.all() == known
            assert pages(again, "collection:Thesis") == {PUMP, VALVE}
            assert again.verify() == []


def test_a_file_of_the_previous_version_gets_label_tables(path: Path) -> None:
    from app.corpus import migrations

    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(apsw.Connection(str(path))) as con:
        migrations.migrate(con, path, migrations.MIGRATIONS[:1])
    with closing(Corpus.open(path, dimension=DIMENSION, model=MODEL)) as corpus:
        corpus.labels.add(COLLECTION, "Thesis", [put(corpus, PUMP)])
        assert pages(corpus, "collection:Thesis") == {PUMP}
        assert corpus.verify() == []


def test_invalid_names_are_left_out_of_a_foreign_file(corpus: Corpus, ids: list[int], path: Path) -> None:
    with closing(apsw.Connection(str(path))) as con:
        for number, name in enumerate(("a\nb", "x" * 400, "\x9b31m", "Thése – 2 [a]*")):
            con.execute("INSERT INTO labels VALUES(NULL, 'collection', ?, ?, 1.0)", (name, str(number)))
    assert corpus.remove_inadmissible() == {"collections and tags": 3}
    assert [each.name for each in corpus.labels.all()] == ["Thése – 2 [a]*", "Thesis", "draft"]
