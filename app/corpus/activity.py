"""The bounded record of tool calls, newest first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, Final

import apsw

from app import events
from app.corpus.database import Store, id_list
from app.corpus.records import ActivityRecord, DayUsage, PassageGiven
from app.logs import redact

_VALUE: Final = re.compile(r"(?:, not |: ).*", re.DOTALL)  # The part of an argument error that quotes the given value.
MAX_ACTIVITY_ROWS: Final = 20_000
MAX_USAGE_ROWS: Final = 1_000  # Most rows, one for each day and assistant, that sum up calls.
MAX_CALLS_FOLLOWED: Final = 200  # Running calls whose passages are remembered until the calls are recorded.
LAST_ID: Final = 2**63 - 1
COLUMNS: Final = "started_at, client, tool, duration_ms, outcome, tokens, characters, pages, saved, verdict"
PAGES: Final = 8
"""Position of the pages in a row, after the ID: a JSON object with `pages`, `reads` and `failure`, or a list of addresses in older rows."""
CALLS: Final = f"SELECT id, {COLUMNS} FROM activity"
PER_DAY: Final = f"""
SELECT date(started_at, 'unixepoch', 'localtime') AS day, client, COUNT(*), SUM(tokens),
  SUM(COALESCE(json_array_length(pages, '$.pages'), json_array_length(pages))), SUM(saved),
  SUM(tool IN {events.QUESTION_TOOLS} AND NOT (
    outcome IN {events.MISTAKES} AND COALESCE(json_extract(pages, '$.failure.url'), '') NOT LIKE '{events.OF_THE_WEB}%'))
FROM activity WHERE started_at >= ? GROUP BY day, client ORDER BY day DESC, SUM(tokens) DESC, client LIMIT ?
"""
STORED_PAGES: Final = """
SELECT asked.value, d.id, d.url, (SELECT COALESCE(SUM(tokens), 0) FROM chunks WHERE document_id = d.id)
FROM json_each(?) AS asked JOIN documents AS d ON d.id = COALESCE(
  (SELECT id FROM documents WHERE url = asked.value), (SELECT document_id FROM aliases WHERE url = asked.value)
)
"""
COUNTED_TODAY: Final = """
SELECT json_extract(page.value, '$.document_id') FROM activity, json_each(activity.pages, '$.reads') AS page
WHERE activity.id > COALESCE((SELECT id FROM activity WHERE started_at < ? ORDER BY id DESC LIMIT 1), 0)
  AND json_extract(page.value, '$.whole') > 0
"""
"""Searches backward from the newest call for the last one before today, so that only today's calls are read."""
GIVEN: Final = """
SELECT a.started_at + a.duration_ms / 1000.0 AS ended_at, a.client, read.value
FROM activity a, json_each(a.pages, '$.reads') AS read
WHERE ended_at >= ?1 AND instr(a.pages, '"document_id": ' || ?2)
AND json_extract(read.value, '$.document_id') = ?2 ORDER BY a.id DESC LIMIT ?3
"""
"""Uses the end time of calls: a call that fetches a page begins before the page has its text. Parses only rows that contain the ID as
`_details` writes it."""


class ActivityLog(Store):
    """The calls of assistants."""

    def add(self, entry: ActivityRecord, named: Sequence[str] = ()) -> ActivityRecord:
        """Record a call, delete the oldest beyond the limit, and return it with its ID, pages and saved tokens.

        `named` are the addresses in the call. Those that returned text count as read, otherwise only the best page; each page counts once
        a day. Removes secrets from addresses and values from errors. `entry.reads` lists the used passages by address.
        """
        with self._database.write() as con:
            reads = _counted(con, entry, named)
            is_counted = any(page.document_id for page in reads) and events.reads_pages(
                entry.tool, entry.outcome, entry.tokens
            )
            saved = sum(page.whole for page in reads) - entry.tokens if is_counted else 0
            kept = replace(entry, pages=tuple(map(redact, entry.pages)), reads=reads, saved=saved)
            if entry.failure is not None and entry.failure.argument:
                # An argument value can be part of a question, and questions are not recorded here.
                kept = replace(kept, failure=replace(entry.failure, text=_VALUE.sub(".", entry.failure.text)))
            values = {name: getattr(kept, name) for name in COLUMNS.split(", ")} | {"pages": _details(kept)}
            con.execute(f"INSERT INTO activity({COLUMNS}) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", tuple(values.values()))
            stored = con.last_insert_rowid()
            con.execute("DELETE FROM activity WHERE id <= ?", (stored - MAX_ACTIVITY_ROWS,))
        return replace(kept, id=stored)

    def record(
        self, event: events.CallFinished, named: Sequence[str], passages: Sequence[events.PageRead] = ()
    ) -> ActivityRecord:
        """Record a finished call with the addresses that it named and the passages that it used."""
        known = {each.name: getattr(event, each.name) for each in fields(ActivityRecord) if hasattr(event, each.name)}
        return self.add(ActivityRecord(id=0, reads=tuple(passages), **known), named)

    def recent(self, limit: int, before_id: int | None = None) -> list[ActivityRecord]:
        """Return calls, newest first, from before `before_id`."""
        query = f"{CALLS} WHERE id < ? ORDER BY id DESC LIMIT ?"
        return [_entry(row) for row in self._rows(query, LAST_ID if before_id is None else before_id, limit)]

    def passages_given(self, document_id: int, since: float, limit: int) -> list[PassageGiven]:
        """Return the parts of a page that the newest `limit` calls that ended since this time gave to assistants."""
        with self._database.read() as con:
            return passages_given(con, document_id, since, limit)

    def between(self, first: float, last: float, limit: int, verdict: str = "") -> list[ActivityRecord]:
        """Return the latest calls that began in [first, last), newest first; with `verdict`, only those with it."""
        query = f"{CALLS} WHERE started_at >= ?1 AND started_at < ?2 AND (?4 = '' OR verdict = ?4) ORDER BY id DESC LIMIT ?3"
        return [_entry(row) for row in self._rows(query, first, last, limit, verdict)]

    def of(self, call_ids: Sequence[int]) -> list[ActivityRecord]:
        """Return these calls if recorded, newest first."""
        query = f"{CALLS} WHERE id IN (SELECT value FROM carray(?)) ORDER BY id DESC"
        return [_entry(row) for row in self._rows(query, id_list(call_ids))]

    def usage(self, since: float) -> list[DayUsage]:
        """Return calls, tokens, pages and saved tokens by assistant and day since this time, newest day first."""
        return [DayUsage(*row) for row in self._rows(PER_DAY, since, MAX_USAGE_ROWS)]

    def clear(self) -> None:
        """Delete all calls and citation times: both reveal what the user read."""
        with self._database.write() as con:
            con.execute("DELETE FROM activity")
            con.execute("UPDATE documents SET cited_at = NULL, cited_hash = NULL WHERE cited_at IS NOT NULL")


def passages_given(con: apsw.Connection, document_id: int, since: float, limit: int) -> list[PassageGiven]:
    """Return the result of `ActivityLog.passages_given`, within a transaction."""
    rows: list[Any] = con.execute(GIVEN, (since, document_id, limit)).fetchall()
    reads = ((moment, client, _read(json.loads(value))) for moment, client, value in rows)
    return [PassageGiven(moment, client, *span) for moment, client, read in reads if read for span in read.ranges]


def _counted(con: apsw.Connection, entry: ActivityRecord, named: Sequence[str]) -> tuple[events.PageRead, ...]:
    """Return the pages of a call, then other stored pages that it named, with the sizes of those that count as read."""
    ranges = {page.url: page.ranges for page in entry.reads}
    asked = list(dict.fromkeys((*entry.pages, *(named if entry.pages else ()))))
    rows = con.execute(STORED_PAGES, (json.dumps(asked),)).fetchall()
    stored = {
        str(each): events.PageRead(str(url), int(str(number)), int(str(size))) for each, number, url, size in rows
    }
    reads: dict[int | str, events.PageRead] = {}
    for url in asked:
        page = stored.get(url)
        if page is not None or url in entry.pages:
            used = ranges.get(url) or ranges.get(page.url if page is not None else url, ())
            number = page.document_id if page is not None else 0
            reads.setdefault(number or url, events.PageRead(redact(url), number, 0, used))
    if events.reads_pages(entry.tool, entry.outcome, entry.tokens):
        given = {stored[url].document_id for url in entry.pages if url in stored}
        of_named = [stored[url] for url in named if url in stored and stored[url].document_id in given]
        wanted = of_named or [stored[url] for url in entry.pages[:1] if url in stored]
        # Pages that count as read since local midnight are not counted again.
        midnight = (
            datetime.fromtimestamp(entry.started_at).astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        )
        rows = con.execute(COUNTED_TODAY, (midnight.timestamp(),)).fetchall() if wanted else []
        before = {int(str(number)) for (number,) in rows}
        for page in wanted:
            if page.document_id in reads and page.document_id not in before:
                reads[page.document_id] = replace(reads[page.document_id], whole=page.whole)
    return tuple(reads.values())


def _details(entry: ActivityRecord) -> str:
    details: dict[str, Any] = {"pages": entry.pages}
    if entry.reads:
        details["reads"] = [asdict(page) for page in entry.reads]
    if entry.failure is not None:
        details["failure"] = asdict(entry.failure)
    return json.dumps(details)


def _entry(row: Any) -> ActivityRecord:
    """Build the record of a row. The file can be foreign, so only JSON values of the right type are used."""
    details = json.loads(row[PAGES])
    if not isinstance(details, dict):
        details = {"pages": details}
    failure = None
    if isinstance(told := details.get("failure"), dict):
        names = ("title", "text", "hint", "url", "argument")
        failure = events.CallFailure(*(value if isinstance(value := told.get(name), str) else "" for name in names))
    return replace(
        ActivityRecord(*row),
        pages=tuple(url for url in _list(details.get("pages")) if isinstance(url, str)),
        reads=tuple(filter(None, map(_read, _list(details.get("reads"))))),
        failure=failure,
    )


def _read(page: Any) -> events.PageRead | None:
    if not isinstance(page, dict) or not isinstance(page.get("url"), str):
        return None
    number, whole = (value if type(value := page.get(name)) is int else 0 for name in ("document_id", "whole"))
    pairs = (tuple(pair) for pair in _list(page.get("ranges")) if isinstance(pair, list))
    ranges = tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2 and all(type(each) is int for each in pair))
    return events.PageRead(page["url"], number, whole, ranges)


def _list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else ()


class UsedPassages:
    """Passages used by running calls until the calls are recorded; at most MAX_CALLS_FOLLOWED calls."""

    def __init__(self) -> None:
        self._known: dict[int, list[events.PageRead]] = {}

    def note(self, event: events.EvidenceTraced) -> None:
        """Remember the passages of one page."""
        self._known.setdefault(event.call_id, []).append(events.PageRead(event.url, event.document_id, 0, event.ranges))
        while len(self._known) > MAX_CALLS_FOLLOWED:
            self._known.pop(next(iter(self._known)))

    def of(self, call_id: int) -> list[events.PageRead]:
        """Return and forget the passages of a call."""
        return self._known.pop(call_id, [])
