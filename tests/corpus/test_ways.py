"""The origin of pages: recorded on first storage, replaced by a stronger one, used to find removable pages."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from app.corpus import Corpus, migrations
from app.corpus.records import LabelKind
from app.library.records import CameBy
from tests.corpus.builders import DIMENSION, MODEL, document

PUMP, VALVE, SEAL = (f"https://a.example/{name}" for name in ("pump", "valve", "seal"))


def put(corpus: Corpus, url: str, came_by: CameBy = CameBy.LINK, **more: object) -> int:
    return corpus.documents.store(document(url, ["Words of a page."], came_by=came_by, **more)).document_id


def way(corpus: Corpus, url: str) -> CameBy:
    row = corpus.documents.summary(url)
    assert row is not None
    return row.came_by


def test_the_origin_stays_when_a_page_is_stored_again(corpus: Corpus) -> None:
    put(corpus, PUMP, CameBy.ASSISTANT)
    put(corpus, PUMP, CameBy.CRAWL)
    assert way(corpus, PUMP) is CameBy.ASSISTANT


@pytest.mark.parametrize(
    ("first", "then", "counts"),
    [
        (CameBy.LINK, CameBy.PERSON, CameBy.PERSON),
        (CameBy.LINK, CameBy.ASSISTANT, CameBy.ASSISTANT),
        (CameBy.UNKNOWN, CameBy.PERSON, CameBy.PERSON),
        (CameBy.UNKNOWN, CameBy.LINK, CameBy.UNKNOWN),
        (CameBy.CRAWL, CameBy.ASSISTANT, CameBy.CRAWL),
        (CameBy.CRAWL, CameBy.BROWSER, CameBy.BROWSER),
        (CameBy.PERSON, CameBy.LINK, CameBy.PERSON),
    ],
)
def test_a_page_named_by_the_user_gets_that_origin(corpus: Corpus, first: CameBy, then: CameBy, counts: CameBy) -> None:
    changed = corpus.documents.claim(put(corpus, PUMP, first), then)
    assert way(corpus, PUMP) is counts and changed == (counts is not first)


def test_a_moved_page_keeps_its_origin(corpus: Corpus) -> None:
    put(corpus, PUMP, CameBy.PERSON)
    put(corpus, VALVE, aliases=(PUMP,))
    assert way(corpus, VALVE) is CameBy.PERSON


def test_unused_pages_came_only_through_links(corpus: Corpus) -> None:
    alone, cited, labelled = put(corpus, PUMP), put(corpus, VALVE), put(corpus, SEAL)
    put(corpus, f"{SEAL}/mine", CameBy.PERSON)
    corpus.documents.note_cited([cited], 1.0)
    corpus.labels.add(LabelKind.TAG, "draft", [labelled])
    assert corpus.documents.unused() == [alone]


def test_older_pages_get_their_origin_from_kind_and_jobs(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    at = [each.__name__ for each in migrations.MIGRATIONS].index("ways_noted")
    with closing(apsw.Connection(str(path))) as con:
        con.pragma("journal_mode", "wal")
        migrations.migrate(con, path, migrations.MIGRATIONS[:at])
        columns = "id, url, title, kind, language, content_hash, last_crawled, changed_at, note"
        rows = [
            (1, PUMP, "web"),
            (2, VALVE, "web"),
            (3, "file:///a.md", "file"),
            (4, SEAL, "browser"),
            (5, f"{SEAL}/5", "web"),
        ]
        for number, url, kind in rows:
            values = (number, url, "Page", kind, "en", "x", 1.0, 1.0, "")
            con.execute(f"INSERT INTO documents({columns}) VALUES({', '.join('?' * 9)})", values)
            con.execute("INSERT INTO document_texts(document_id, text) VALUES(?, '')", (number,))
        jobs = "INSERT INTO jobs(id, kind, target, options, state, detail, created_at) VALUES(?, ?, ?, '{}', 'done', '', 1.0)"
        for job, kind, target, url in [
            (1, "crawl", PUMP, PUMP),
            (2, "pages", "bookmarks", VALVE),
            (3, "pages", f"{SEAL}/5", f"{SEAL}/5"),
        ]:
            con.execute(jobs, (job, kind, target))
            con.execute(
                "INSERT INTO job_items(job_id, url, depth, state, reason) VALUES(?, ?, 0, 'stored', '')", (job, url)
            )
    with closing(Corpus.open(path, dimension=DIMENSION, model=MODEL)) as corpus:
        found = {row.id: row.came_by for row in corpus.documents.summaries(limit=9)}
    assert found == {
        1: CameBy.CRAWL,
        2: CameBy.PERSON,
        3: CameBy.PERSON,
        4: CameBy.BROWSER,
        5: CameBy.UNKNOWN,
    }
