"""Passages of the scratchpad as a table. Reloads on changes, and regularly while visible, because reading extends their lifetime."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Final

from PySide6.QtCore import QObject

from app.desktop.engine_thread import Engine, EngineThread
from app.desktop.models.details import first_words
from app.desktop.models.rows import Column, LoadedModel, moment
from app.desktop.qt import repeating, single_shot
from app.desktop.wording import assistant_title, clock, counted, local_path, site_of, size, translator
from app.durations import time_span
from app.events import Event, ScratchChanged
from app.library.records import PassageIn
from app.scratch.passage import PINNED, Passage
from app.scratch.store import ScratchCounters, ScratchStore

MAX_SCRATCH_SHOWN: Final = 5_000
"""Maximum number of listed passages, the most recently used ones; pinned passages are listed additionally."""

_tr = translator("ScratchModel")

RELOAD_MS = 300  # Milliseconds within which changes are shown together.
WATCH_MS = 5_000  # Milliseconds between updates of the times while the table is visible.
SHOWN_TITLE_CHARS: Final = 200
SHOWN_WORDS_CHARS: Final = 60  # Length of the first words of a passage in front of the page title.
JSON_TYPE: Final = "application/json"
MAX_JSON_CHARS: Final = 200_000  # Longer JSON is shown unchanged, without line breaks.

TITLE, FROM, CLIENT, SIZE, FOUND, KEPT = range(6)


@dataclass(frozen=True, slots=True)
class KeptPassage:
    """A passage and its owner. `expires_at` is in seconds since the epoch, None for pinned passages."""

    passage: Passage = field(repr=False)
    client: str
    is_pinned: bool
    expires_at: float | None

    @property
    def id(self) -> str:
        return self.passage.id

    @property
    def content(self) -> PassageIn:
        return self.passage.content


@dataclass(frozen=True, slots=True)
class ScratchListing:
    """Snapshot of the scratchpad. `is_cut`: more passages exist than are listed."""

    rows: tuple[KeptPassage, ...]
    counters: ScratchCounters
    is_cut: bool


@dataclass(frozen=True, slots=True)
class SessionGroup:
    """Passages of a session, or the pinned ones. `began` is in seconds since the epoch, `first` is its first row."""

    id: str
    client: str
    began: float
    count: int
    bytes: int
    first: int

    @property
    def title(self) -> str:
        """The assistant and the start of the session."""
        if self.id == PINNED:
            return _tr("Pinned: kept permanently")
        return _tr("{client}, since {time}").format(
            client=assistant_title(self.client) or _tr("Unknown assistant"), time=clock(self.began)
        )

    @property
    def words(self) -> str:
        """Title, number of passages and size."""
        passages = counted(self.count, _tr("1 passage"), _tr("{} passages"))
        return f"{self.title}  ·  {passages}  ·  {size(self.bytes)}"


def session_of(row: KeptPassage) -> str:
    """Return the group of a passage: its session, or PINNED."""
    return PINNED if row.is_pinned else row.passage.session_id


async def kept_passages(engine: Engine) -> ScratchListing:
    """Load the pinned passages and the most recently used others."""

    def listing(store: ScratchStore) -> ScratchListing:
        pinned = store.pinned()
        pins = {passage.id for passage in pinned}
        others = [passage for passage in store.everything(MAX_SCRATCH_SHOWN + len(pins)) if passage.id not in pins]
        shown = others[:MAX_SCRATCH_SHOWN]
        now, rows = time.time(), list[KeptPassage]()
        for passage in (*pinned, *shown):
            client, ends = "", None if passage.id in pins else now
            if (holding := store.holding(passage.id)) is not None:
                # The connection ID in the owner grants read access, so it is not shown.
                client, ends = holding.owner.partition("\0")[0], now + holding.seconds_left
            rows.append(KeptPassage(passage, client, passage.id in pins, ends))
        return ScratchListing(tuple(rows), store.counters, len(others) > len(shown))

    return await asyncio.to_thread(listing, engine.scratch)


def title_text(row: KeptPassage) -> str:
    """Return the heading or first words of the passage, then the page title."""
    content = row.content
    title = " ".join(content.title[:SHOWN_TITLE_CHARS].split())
    first = content.text.lstrip()[:SHOWN_TITLE_CHARS].partition("\n")[0]
    heading = first_words(first.lstrip("# ")) if first.startswith("#") else ""
    own = heading if heading != title else ""
    if not own and content.media_type != JSON_TYPE:
        own = shorten(first_words(content.text), SHOWN_WORDS_CHARS, placeholder="…")
    return " – ".join(filter(None, (own, title))) or _tr("Untitled")


def source_text(row: KeptPassage) -> str:
    """Return the text of the From column: the site or folder."""
    content = row.content
    if content.source_uri:
        return site_of(content.source_uri)
    return _tr("Web search") if content.media_type == JSON_TYPE else "–"


def kept_text(row: KeptPassage, *, now: float | None = None) -> str:
    """Return the text of the Expires column: pinned, or the remaining time."""
    if row.is_pinned:
        return _tr("Pinned")
    left = (row.expires_at or 0.0) - (time.time() if now is None else now)
    return time_span(left) if left > 0 else _tr("Expired")


def kept_tip(row: KeptPassage) -> str:
    if row.is_pinned:
        return _tr("Kept permanently. All assistants on this computer can read it.")
    return _tr("Expires at {} unless an assistant reads it before.").format(clock(row.expires_at or 0.0))


def readable(content: PassageIn) -> str:
    """Return the text as Markdown. JSON gets line breaks and becomes code."""
    if content.media_type != JSON_TYPE:
        return content.text
    text = content.text
    if len(text) <= MAX_JSON_CHARS:
        try:
            text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        except (ValueError, RecursionError):
            text = content.text
    # An indented code block cannot be closed by its content, unlike a fenced one.
    return "\n".join(f"    {line}" for line in text.splitlines())


class ScratchModel(LoadedModel[KeptPassage]):
    """One row per passage."""

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        self.groups: list[SessionGroup] = []
        columns: list[Column[KeptPassage]] = [
            Column(
                _tr("Title"),
                title_text,
                lambda r: title_text(r).casefold(),
                tip=lambda r: first_words(r.content.text) or title_text(r),
            ),
            Column(_tr("Source"), source_text, tip=lambda r: local_path(r.content.source_uri) or r.content.source_uri),
            Column(
                _tr("Assistant"),
                lambda r: assistant_title(r.client) or "–",
                lambda r: assistant_title(r.client).casefold(),
            ),
            Column(_tr("Size"), lambda r: size(r.passage.size_bytes), lambda r: r.passage.size_bytes, right=True),
            moment(_tr("Found"), lambda r: r.passage.created_at),
            Column(
                _tr("Expires in"),
                kept_text,
                lambda r: (r.is_pinned, r.expires_at or 0.0),
                tip=kept_tip,
                mark=lambda r: ("pin", "accent_text") if r.is_pinned else ("clock", "muted"),
            ),
        ]
        super().__init__(thread, columns, parent)
        self._hidden: set[str] = set()
        self._only_pinned = False
        self._changes = single_shot(self, RELOAD_MS, self.reload)
        self._watch = repeating(self, WATCH_MS, self.reload)
        self.listing: ScratchListing | None = None

    def session_rows(self, session: str) -> list[KeptPassage]:
        """Return all passages of a group, also filtered ones."""
        return [record for record in self.everything if session_of(record) == session]

    def _arranged(self) -> list[KeptPassage]:
        """Sort by group: pinned first, then by newest passage. Groups are in the order of the table."""
        found: dict[str, list[KeptPassage]] = {}
        for record in super()._arranged():
            found.setdefault(session_of(record), []).append(record)
        newest = {session: max(row.passage.created_at for row in rows) for session, rows in found.items()}
        order = sorted(found, key=lambda session: (session != PINNED, -newest[session]))
        rows: list[KeptPassage] = []
        self.groups = []
        for session in order:
            group = found[session]
            began = min(row.passage.created_at for row in group)
            total = sum(row.passage.size_bytes for row in group)
            self.groups.append(SessionGroup(session, group[0].client, began, len(group), total, len(rows)))
            rows += group
        return rows

    def haystack(self, record: KeptPassage) -> str:
        source = record.content.source_uri
        return f"{title_text(record)}\n{local_path(source) or source}\n{assistant_title(record.client)}\n{record.client}".casefold()

    def accepts(self, record: KeptPassage) -> bool:
        return record.id not in self._hidden and (record.is_pinned or not self._only_pinned)

    @property
    def total(self) -> int:
        return len(self._all) - len(self._hidden & self._all.keys())

    @property
    def everything(self) -> Iterable[KeptPassage]:
        return [record for record in self._all.values() if record.id not in self._hidden]

    def find(self, passage_id: str) -> KeptPassage | None:
        """Return a passage, also a filtered one, or None if it no longer exists."""
        return self._all.get(passage_id) if passage_id not in self._hidden else None

    def watch(self, on: bool) -> None:
        """Start or stop following changes. Nothing is loaded while the table is not visible."""
        if on and not self._watch.isActive():
            self._watch.start()
            self.reload()
        elif not on:
            self._watch.stop()
            self._changes.stop()

    def on_events(self, events: list[Event]) -> None:
        """Reload shortly after passages were added or removed."""
        is_wanted = self._watch.isActive() and not self._changes.isActive()
        if is_wanted and any(isinstance(event, ScratchChanged) for event in events):
            self._changes.start()

    def set_only_pinned(self, on: bool) -> None:
        if on != self._only_pinned:
            self._only_pinned = on
            self.rearrange()

    def hide(self, ids: Iterable[str]) -> None:
        """Hide passages without deleting them."""
        self._hidden.update(ids)
        self.rearrange()

    def unhide(self, ids: Iterable[str]) -> None:
        """Show hidden passages again."""
        self._hidden.difference_update(ids)
        self.rearrange()

    def reload(self) -> None:
        def take(listing: ScratchListing) -> None:
            self.listing = listing
            self.replace(listing.rows)

        self._load(kept_passages, take)
