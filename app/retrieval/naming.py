"""Names in a question that say where to look: sites, packages, folders, titles of pages, and the user's collections and tags.

A search first looks everywhere. The places of what it found show which names the library has, in every language and store, and only to
callers who may read them. If the question names such a place, the search is repeated there, as far as possible without the name, because
every passage there matches it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from app import caps
from app.library.protocol import Library
from app.library.records import Chunk
from app.library.scope import FILES_ROOT, GUIDE_ROOT, Filter, root_of
from app.retrieval.evidence import Evidence
from app.text.languages import STOP_WORDS, STOP_WORDS_OF, WORD
from app.text.page_text import quoted
from app.text.sentence import listing, sentence
from app.text.terms import words

COMMON: Final = 0.05  # An ordinary word is in a larger share of the passages found and from other places than it names.
LOST: Final = 0.25  # Loss of likelihood from which the answer is not in the named place.
MIN_SHORTENED: Final = 5
SHORTENED_SHARE: Final = 0.7  # Least share of its letters to which a name can be shortened: postgres, postgresql.
MIN_TITLE_WORDS: Final = 2
MAX_LABEL_WORDS: Final = 4
MAX_TITLE_CHARS: Final = 60
_OF_ANY_SITE: Final = """api app blog co com dev developer developers doc docs documentation en files github gitlab guide help io learn
    manual net official org pages project readthedocs reference release site support user version web wiki www dokumentation documentación
    handbuch guía manuel"""
_UNTELLING: Final = STOP_WORDS.union(*STOP_WORDS_OF.values(), _OF_ANY_SITE.split())
"""Words in addresses, titles and questions that do not tell sites apart."""
_TITLE_PART: Final = re.compile(r"(?<!\s)\s++[-–—|·»]\s++|:\s++|[()]")
_SEGMENT: Final = re.compile(r".+?(?:(?<![,:.;?!)])[,:.;?!)]++(?=\s|$)|(?=\()|[，：。；？！）]|$)", re.DOTALL)
_BORDER: Final = r"[^\W\u2e80-\ud7ff]"  # A letter of a word; scripts without spaces have no words.


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the library that a question names: its tags and page IDs for a filter, and the question to search it for."""

    tags: tuple[str | int, ...]
    shown: str
    question: str


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The evidence of a search with its question and scope; `place` is empty if it was not narrowed. `note` tells the reader."""

    evidence: Evidence
    question: str
    scope: Filter
    place: str = ""
    note: str = ""


def narrow(found: Narrowed, library: Library, search: Callable[[str, Filter], Evidence]) -> Narrowed:
    """Repeat a search in the place that its question names. If that finds no answer, keep what was found everywhere, and say so."""
    chunks = [item.chunk for item in found.evidence.ranked]
    place = None if found.scope.names_pages else place_named(found.question, chunks, library)
    if place is None:
        return found
    inside = replace(found.scope, doc_tags=(*found.scope.doc_tags, place.tags))
    evidence = search(place.question, inside)
    likely = evidence.likelihood or 0.0
    is_lost = found.evidence.likelihood is not None and likely < found.evidence.likelihood - LOST
    if evidence.is_none or is_lost:
        return replace(found, note=sentence("No answer found in {}; searched everywhere.", place.shown))
    note = sentence("Looked in: {}. To search everywhere, leave out this name.", place.shown)
    return Narrowed(evidence, place.question, inside, place.shown, note)


def place_named(question: str, chunks: Sequence[Chunk], library: Library) -> Place | None:
    """Return the places of these chunks, and the labels, that a question names, as one; None if it names none of them."""
    titles = {chunk.document_id: chunk.title for chunk in chunks}
    pages = {page: title for page, title in titles.items() if _is_quoted_title(title, question)}
    if pages:
        shown = listing(dict.fromkeys(quoted(title, MAX_TITLE_CHARS) for title in pages.values()))
        return Place(tuple(pages), shown, question)
    said = words(question)
    tags: dict[str, None] = {}
    rest = question
    for tag, names, inside in (*_sites(chunks), *_labels(said, chunks, library)):
        elsewhere = [chunk for chunk in chunks if chunk.document_id not in inside]
        for mention in filter(None, (_mention(name, question, said) for name in names)):
            texts = ("\n".join((each.title, *each.section_path, each.text)) for each in elsewhere)
            if sum(bool(mention.search(text)) for text in texts) <= COMMON * len(chunks):
                tags[tag] = None
                rest = _without(mention, rest)
    return Place(tuple(tags), listing(tags), rest) if tags else None


def _sites(chunks: Sequence[Chunk]) -> Iterator[tuple[str, list[str], set[int]]]:
    """Yield the source roots of chunks with their names and pages."""
    by_root: defaultdict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        by_root[root_of(chunk.doc_tag)].append(chunk)
    for root, own in by_root.items():
        if root not in (GUIDE_ROOT, FILES_ROOT, ""):
            yield root, _names_of_site(root, own), {chunk.document_id for chunk in own}


def _names_of_site(root: str, chunks: Sequence[Chunk]) -> list[str]:
    """Return the telling parts of a host, the name of a package or folder, and the end that most titles of its pages share."""
    if "@" in root[1:]:
        return [root.rpartition("@")[0].rpartition("+")[2]]
    names = root.partition(":")[0].split(".")[:-1] if chunks[0].url.startswith("http") else [root]
    titles = dict.fromkeys((chunk.document_id, chunk.title) for chunk in chunks)
    parts = Counter(part for _, title in titles for part in dict.fromkeys(_TITLE_PART.split(title)) if part)
    for part, count in parts.most_common(1):
        if count > 1 and len(titles) <= 2 * count:
            names.append(" ".join(word for word in words(part) if word.isalpha() and word not in _UNTELLING))
    return [name for name in names if name.lower() not in _UNTELLING and not name.isdigit()]


def _labels(
    said: Sequence[str], chunks: Sequence[Chunk], library: Library
) -> Iterator[tuple[str, list[str], set[int]]]:
    """Yield the labels that a question may name, with those of the chunks' pages that have them."""
    said = said[: caps.MAX_QUERY_TERMS]
    runs = {" ".join(said[i:j]) for i in range(len(said)) for j in range(i + 1, i + 1 + MAX_LABEL_WORDS)}
    known = library.documents.labels(sorted(runs - _UNTELLING)) if runs - _UNTELLING else []
    rows = library.documents.summaries_of(list({chunk.document_id for chunk in chunks})) if known else []
    for label in known:
        name = label.partition(":")[2]
        yield label, [name], {row.id for row in rows if name in (*row.collections, *row.tags)}


def _is_quoted_title(title: str, question: str) -> bool:
    """Whether the question contains the title of a page as it is written, without the name of its site."""
    head = _TITLE_PART.split(title, 1)[0]
    is_inside = head in question and bool(re.search(rf"(?<!{_BORDER}){re.escape(head)}(?!{_BORDER})", question))
    return is_inside and len(words(head)) >= MIN_TITLE_WORDS and not head.islower()


def _mention(name: str, question: str, said: Sequence[str]) -> re.Pattern[str] | None:
    """Return the pattern of a name as it is in the question, whole or shortened; None if it is not."""
    known = words(name)
    if len(known) == 1:
        enough = max(MIN_SHORTENED, SHORTENED_SHARE * len(known[0]))
        known = [next((word for word in said if known[0].startswith(word) and len(word) >= enough), known[0])]
    pattern = _spoken(tuple(known)) if known else None
    return pattern if pattern is not None and pattern.search(question) else None


@lru_cache(maxsize=256)
def _spoken(parts: tuple[str, ...]) -> re.Pattern[str]:
    name = r"[\W_]*".join(map(re.escape, parts))
    return re.compile(rf"(?<!{_BORDER}){name}(?:['’]s)?(?!{_BORDER})", re.IGNORECASE)


def _without(mention: re.Pattern[str], question: str) -> str:
    """Return the question without the parts that only say where to look: `In postgres, …`, `… (postgres)`, `… in postgres?`."""
    segments = [each.group() for each in _SEGMENT.finditer(question)]
    kept = "".join(each for each in segments if not mention.search(each) or _tells(mention.sub(" ", each))).strip(" (")
    last = [match for match in mention.finditer(kept) if not words(kept[match.end() :])]
    if last:
        said = list(WORD.finditer(kept, 0, last[-1].start()))
        while said and said[-1].group().lower() in _UNTELLING:
            said.pop()
        kept = kept[: said[-1].end()] + kept[last[-1].end() :] if said else kept
    return kept if _tells(kept) else question


def _tells(text: str) -> bool:
    """Whether a text says more than where to look."""
    return any(word not in _UNTELLING for word in words(text))
