"""What is known of a document as groups of names and values; empty facts are left out."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from app.desktop.language import spoken, translator
from app.desktop.models.library import kind_text, state_text
from app.desktop.wording import ago, counted, full_time, local_path, number, site_of, size

if TYPE_CHECKING:
    from app.corpus.records import Document, DocumentSummary, Freshness
    from app.desktop.flags import FlaggedPassage
    from app.desktop.models.document_loading import Facts

_tr = translator("DocumentFacts")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known; `tip` says what it means."""

    name: str
    value: str
    tip: str = ""
    can_copy: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Facts under a heading, and passages that belong to them."""

    title: str
    facts: tuple[Fact, ...]
    passages: tuple[FlaggedPassage, ...] = ()


def groups_of(document: Document, summary: DocumentSummary, facts: Facts | None) -> list[Group]:
    """Page, age, safety and storage, safety first where something is flagged; `facts` is None while they are being looked up."""
    found = [
        Group(_tr("Page"), _page(document)),
        Group(_tr("Age"), _age(document, facts.freshness if facts is not None else None)),
        Group(_tr("Safety"), _safety(facts), facts.flags.passages if facts is not None else ()),
        Group(_tr("In the library"), _storage(document, summary)),
    ]
    if facts is not None and facts.flags.lines():
        found.insert(0, found.pop(2))
    return [Group(each.title, tuple(fact for fact in each.facts if fact.value), each.passages) for each in found]


def _page(document: Document) -> tuple[Fact, ...]:
    return (
        Fact(_tr("Title"), document.title),
        Fact(_tr("Address"), document.url, _tr("What identifies this page, and what assistants cite"), can_copy=True),
        Fact(_tr("Source"), local_path(document.url) or site_of(document.url), _tr("The site or folder it is from")),
        Fact(_tr("Kind"), kind_text(document.kind)),
        Fact(_tr("Language"), document.language),
        Fact(_tr("Note"), spoken(document.note), _tr("What may be missing from the text")),
    )


def _age(document: Document, freshness: Freshness | None) -> tuple[Fact, ...]:
    return (
        Fact(_tr("Read"), _moment(document.last_crawled), _tr("When the page was last read from its source")),
        Fact(_tr("Text changed"), _moment(document.changed_at), _tr("When its text was last different from before")),
        Fact(
            _tr("Last modified"),
            _modified(freshness.last_modified if freshness is not None else document.last_modified),
            _tr("What the site, or the file itself, says"),
        ),
        Fact(_tr("Published"), document.published or ""),
        Fact(_tr("Last cited"), _cited(freshness), _tr("When an assistant was last given a passage of it")),
        Fact(_tr("Entity tag"), document.etag or "", _tr("By this the site tells whether the page has changed")),
    )


def _safety(facts: Facts | None) -> tuple[Fact, ...]:
    tip = _tr("Passages that speak to an assistant instead of a reader, and addresses that may carry data away")
    if facts is None:
        return (Fact(_tr("Flags"), _tr("Looking…"), tip),)
    return (Fact(_tr("Flags"), "\n".join(facts.flags.lines()) or _tr("None"), tip),)


def _storage(document: Document, summary: DocumentSummary) -> tuple[Fact, ...]:
    characters = counted(len(document.text), _tr("1 character"), _tr("{} characters"))
    tokens = counted(summary.tokens, _tr("1 token"), _tr("{} tokens"))
    length = _tr("{characters}, {tokens}, {bytes}").format(
        characters=characters, tokens=tokens, bytes=size(len(document.text.encode("utf-8", "replace")))
    )
    return (
        Fact(_tr("State"), state_text(summary), _tr("Whether search by meaning reaches all of it")),
        Fact(_tr("Size"), length, _tr("Tokens are what assistants count text in, about four characters each")),
        Fact(
            _tr("Chunks"),
            _tr("{}, {} with vectors").format(number(summary.chunks), number(summary.chunks_embedded)),
            _tr("The pieces that are searched; those with vectors are found by meaning too"),
        ),
        Fact(_tr("Sections"), number(len(document.sections))),
        Fact(_tr("Pictures"), number(len(document.images)), _tr("Their descriptions are kept, the pictures are not")),
        Fact(
            _tr("Content hash"),
            document.content_hash,
            _tr("Two texts with the same hash are the same; quotes are checked against it"),
            can_copy=True,
        ),
    )


def _moment(moment: float) -> str:
    return _tr("{} ({})").format(full_time(moment), ago(moment)) if moment > 0 else ""


def _modified(http_date: str | None) -> str:
    """An HTTP date as the person writes dates; as it is where it is none."""
    if not http_date:
        return ""
    try:
        return _moment(parsedate_to_datetime(http_date).timestamp())
    except (ValueError, OverflowError):
        return http_date


def _cited(freshness: Freshness | None) -> str:
    if freshness is None:
        return ""
    if freshness.cited_at is None:
        return _tr("Not yet")
    when = _moment(freshness.cited_at)
    if not freshness.changed_since_cited:
        return _tr("{}, unchanged since").format(when)
    changed = counted(freshness.changed_since_cited, _tr("1 passage is new"), _tr("{} passages are new"))
    return _tr("{}, since then {}").format(when, changed)
