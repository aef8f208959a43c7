"""The pages that links lead to: links of one page gathered, with the words around them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urldefrag, urlsplit

from app.corpus.records import Document, LinkRecord
from app.retrieval.links.twins import is_side_view, page_key
from app.retrieval.records import RetrievedChunk

CONTEXT_CHARS: Final = 160
LABEL_ANCHORS: Final = 6
_SKIPPED: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|json|xml|zip|gz|xz|bz2|tar|tgz|whl|exe|dmg|deb|rpm|pdf|mp[34]|webm|woff2?)$",
    re.IGNORECASE,
)

Places = Mapping[int, Sequence[tuple[int, int, float]]]
"""For each document the stretches of its text that were ranked, with their relevance."""


@dataclass(slots=True)
class LinkTarget:
    """A page that links lead to. `depth` counts links from a named page to the linking page, `place` is the relevance of the
    passage the link stands in, `context` the line around it there."""

    url: str
    source_url: str
    depth: int
    anchors: dict[str, None] = field(default_factory=dict)
    context: str = ""
    place: float = 0.0

    @property
    def label(self) -> str:
        """The distinct anchor texts that lead to the page, as long as they add something."""
        return "; ".join(list(self.anchors)[:LABEL_ANCHORS])

    @property
    def slug(self) -> str:
        """The words of the last part of the address."""
        return re.sub(r"[\W_]+", " ", unquote(urlsplit(self.url).path).rsplit("/", 1)[-1].rsplit(".", 1)[0]).strip()

    @property
    def is_external(self) -> bool:
        return urlsplit(self.url).netloc != urlsplit(self.source_url).netloc


class LinkTargets:
    """Gathers the targets of the links of several pages, each page once whatever the version, language or part.

    Nothing in `visited` is a target, nor is another version or language of it.
    """

    def __init__(self, visited: Collection[str], places: Places) -> None:
        self._visited = {page_key(urldefrag(url).url) for url in visited}
        self._places = places
        self._targets: dict[str, LinkTarget] = {}

    def add(self, document: Document, links: Sequence[LinkRecord], depth: int) -> None:
        """Take the links of a page; pages nearer to the named ones come first."""
        self._visited.add(page_key(document.url))
        for link in links:
            url = urldefrag(link.url).url
            if _SKIPPED.search(urlsplit(url).path) or is_side_view(url, document.url):
                continue
            target = self._targets.setdefault(page_key(url), LinkTarget(url, document.url, depth))
            if _shared(url, document.url) > _shared(target.url, document.url):
                target.url = url
            self._describe(target, document, link)

    def all(self) -> list[LinkTarget]:
        """In the order their links were met."""
        return [target for key, target in self._targets.items() if key not in self._visited]

    def _describe(self, target: LinkTarget, document: Document, link: LinkRecord) -> None:
        if link.text:
            target.anchors[link.text] = None
        stretches = self._places.get(document.id, ())
        place = max((score for start, end, score in stretches if start <= link.start < end), default=0.0)
        if not target.context or place > target.place:
            target.context = _around(document.text, link)
        target.place = max(target.place, place)


def places_of(evidence: Sequence[RetrievedChunk]) -> Places:
    """Where the ranked passages stand."""
    places: dict[int, list[tuple[int, int, float]]] = {}
    for item in evidence:
        chunk = item.chunk
        places.setdefault(chunk.document_id, []).append((chunk.start, chunk.end, item.reranked_score))
    return places


def _around(text: str, link: LinkRecord) -> str:
    """The line the link stands in, at most CONTEXT_CHARS to either side."""
    start = max(text.rfind("\n", 0, link.start) + 1, link.start - CONTEXT_CHARS)
    newline = text.find("\n", link.end)
    end = min(newline if newline != -1 else len(text), link.end + CONTEXT_CHARS)
    return " ".join(text[start:end].split())


def _shared(url: str, other: str) -> int:
    """How many characters the addresses have in common from the start."""
    return next((i for i, (a, b) in enumerate(zip(url, other, strict=False)) if a != b), min(len(url), len(other)))
