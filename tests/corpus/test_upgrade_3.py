"""A file of version 3 that was made before calls had what they saved."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from app.corpus import Corpus, schema_activity
from app.corpus.database import connect
from app.corpus.migrations import MIGRATIONS
from tests.corpus.builders import DIMENSION, MODEL


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL)


def columns(con: apsw.Connection) -> list[str]:
    return [str(row[1]) for row in con.execute("PRAGMA table_info(activity)")]


def test_the_missing_column_is_added_and_calls_are_kept(path: Path) -> None:
    with closing(opened(path)) as corpus:
        corpus.record_activity(started_at=1.0, client="c", tool="t", duration_ms=1.0, outcome="ok", tokens=7)
    with closing(connect(path)) as con:
        con.execute("ALTER TABLE activity DROP COLUMN saved")
        assert schema_activity.is_missing(con)
        assert con.pragma("user_version") == len(MIGRATIONS)
    with closing(opened(path)) as corpus:
        assert [(call.tokens, call.saved) for call in corpus.activity(9)] == [(7, 0)]
        assert corpus.verify() == []
        corpus.record_activity(started_at=2.0, client="c", tool="t", duration_ms=1.0, outcome="ok", reads=True)
    with closing(connect(path)) as con:
        assert columns(con).count("saved") == 1
