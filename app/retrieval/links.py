"""Chooses the linked pages to read next: links of the pages read so far, scored by their promise for the question.

Near-duplicate addresses are ignored: other versions, languages and views of a page that was already read.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urldefrag, urlsplit

import numpy as np

from app.embed.embedder import PassageEmbedding
from app.library.protocol import Library
from app.library.records import Chunk, Document, LinkRecord
from app.retrieval.records import LinkProposal, RetrievedChunk, SubQuery
from app.retrieval.rerank import closeness, word_weights
from app.text.languages import language_of
from app.text.terms import coverage, query_terms

MAX_LINKS_NAMED: Final = 160  # Links compared by meaning, those with most words of the question.
MAX_LINKS_IN_CONTEXT: Final = 40  # The best of them are also compared with the line around them.
MAX_LINK_VECTORS: Final = 2_000
CONTEXT_CHARS: Final = 160
LABEL_ANCHORS: Final = 6
_SKIPPED: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|json|xml|zip|gz|xz|bz2|tar|tgz|whl|exe|dmg|deb|rpm|pdf|mp[34]|webm|woff2?)$",
    re.IGNORECASE,
)
Places = Mapping[int, Sequence[tuple[int, int, float]]]
"""For each document, the ranked spans of its text with their relevance."""
EmbedPassages = Callable[[Sequence[str]], list[PassageEmbedding]]
CLOSE_TO_NAME: Final = 0.3  # Weight of late interaction of the question with anchor and address.
CLOSE_TO_LINE: Final = 0.4  # Weight of late interaction with the anchor and the line around it.
NEAR_TO_LINE: Final = 0.5  # Weight of the cosine of the question and the same text.
# The meaning of a link decides; its words add little (docs/internals/measurements.md).
ANCHOR_WEIGHT: Final = 0.1
CONTEXT_WEIGHT: Final = 0.05
PLACE_WEIGHT: Final = 0.05
LISTING_SHARE: Final = 0.5  # A passage with a larger share of link text is a list of links.
MIN_PROMISE: Final = 0.06  # Below this, links lead to an answer only from short tables of contents.
FEW_TARGETS: Final = 8  # Of so few pages of a site, each is worth reading, whatever its name promises.
EXTERNAL_LOSS: Final = 0.2  # Other sites answer less often than the current one.
DEPTH_LOSS: Final = 0.05  # For each link between the named page and the page with the link.


class ScoredLinks:
    """Scores links by meaning and words of their anchor, address and surroundings; without `embed` by words only.

    `by_second` embeds them for queries by the second model.
    """

    def __init__(self, corpus: Library, embed: EmbedPassages | None, by_second: EmbedPassages | None = None) -> None:
        self._corpus = corpus
        self._vectors = {
            is_second: LinkVectors(each) for is_second, each in ((False, embed), (True, by_second)) if each
        }

    def is_listing(self, chunk: Chunk) -> bool:
        """Whether most of the chunk, or of its page, is link text: it names pages that answer but does not answer."""
        links = self._corpus.documents.links(chunk.document_id)
        document = self._corpus.documents.by_id(chunk.document_id)
        stretches = [(chunk.start, chunk.end), (0, len(document.text) if document is not None else 0)]
        for start, end in stretches:
            linked = sum(max(0, min(link.end, end) - max(link.start, start)) for link in links)
            if linked > LISTING_SHARE * (end - start):
                return True
        return False

    def propose(
        self,
        queries: Sequence[SubQuery],
        *,
        pages: Mapping[int, int],
        evidence: Sequence[RetrievedChunk],
        visited: Collection[str],
        limit: int,
    ) -> list[LinkProposal]:
        """Return the best unvisited links on `pages` (documents by depth) for any query. Raises EmbedderError."""
        order = [document_id for document_id, _ in sorted(pages.items(), key=lambda item: (item[1], item[0]))]
        found = LinkTargets(visited, places_of(evidence))
        for document in self._corpus.documents.by_ids(order):
            found.add(document, self._corpus.documents.links(document.id), pages[document.id])
        targets = found.all()
        weights = word_weights(self._corpus, queries)
        cheap = {target.url: _cheap_score(queries, weights, target) for target in targets}
        shortlist = sorted(targets, key=lambda target: -cheap[target.url])[:MAX_LINKS_NAMED]
        named = self._meaning(
            queries, weights, [f"{target.label} ({target.slug})" for target in shortlist], CLOSE_TO_NAME, 0.0
        )
        known = {target.url: cheap[target.url] + value for target, value in zip(shortlist, named, strict=True)}
        best = sorted(shortlist, key=lambda target: -known[target.url])[:MAX_LINKS_IN_CONTEXT]
        described = [f"{target.label}. {target.context}" for target in best]
        by_meaning = self._meaning(queries, weights, described, CLOSE_TO_LINE, NEAR_TO_LINE)
        scored = [(known[target.url] + value, target) for target, value in zip(best, by_meaning, strict=True)]
        is_short = sum(not target.is_external for target in targets) <= FEW_TARGETS
        worth = (pair for pair in scored if pair[0] >= MIN_PROMISE or (is_short and not pair[1].is_external))
        chosen = sorted(worth, key=lambda pair: -pair[0])[:limit]
        return [LinkProposal(target.url, target.source_url, min(1.0, max(0.0, score))) for score, target in chosen]

    def _meaning(
        self, queries: Sequence[SubQuery], weights: Mapping[str, float], texts: Sequence[str], close: float, near: float
    ) -> list[float]:
        """Score each text by its nearest query: `close` times late interaction plus `near` times the cosine."""
        embeddings = [query.embedding for query in queries if query.embedding is not None]
        vectors = self._vectors.get(queries[0].second is not None)
        if vectors is None or not embeddings:
            asked = [(query_terms(query.text), language_of(query.text)) for query in queries]
            shares = [[coverage(terms, text, weights, language) for terms, language in asked] for text in texts]
            return [(close + near) * max(share) for share in shares]
        if not texts:
            return []
        passages = vectors.of(texts)
        has_bits = all(len(passage.token_bits) for passage in passages)
        values = []
        for query in embeddings:
            cosines = np.array([float(passage.vector @ query.vector) for passage in passages])
            # The cosine replaces late interaction if the provider returns no token vectors.
            is_late = has_bits and len(query.token_vectors) > 0
            late = closeness(query, [passage.token_bits for passage in passages]) if is_late else cosines
            values.append(close * late + near * cosines)
        return [float(best) for best in np.max(values, axis=0)]


@dataclass(slots=True)
class LinkTarget:
    """A linked page: its depth, the relevance (`place`) of the passage with the link, and the line around it."""

    url: str
    source_url: str
    depth: int
    anchors: dict[str, None] = field(default_factory=dict)
    context: str = ""
    place: float = 0.0

    @property
    def label(self) -> str:
        """Return the distinct anchor texts of the page, as long as they add something."""
        return "; ".join(list(self.anchors)[:LABEL_ANCHORS])

    @property
    def slug(self) -> str:
        """Return the words in the last part of the address."""
        return re.sub(r"[\W_]+", " ", unquote(urlsplit(self.url).path).rsplit("/", 1)[-1].rsplit(".", 1)[0]).strip()

    @property
    def is_external(self) -> bool:
        return urlsplit(self.url).netloc != urlsplit(self.source_url).netloc


def _page_address(url: str) -> str:
    """Return an address without its fragment, or "" if it is invalid. Pages link to anything, and callers may name anything."""
    try:
        address = urldefrag(url).url
        return address if urlsplit(address).port != 0 else ""
    except ValueError:
        return ""


class LinkTargets:
    """The link targets of several pages, each once regardless of version, language or fragment, unless visited."""

    def __init__(self, visited: Collection[str], places: Places) -> None:
        self._visited = {page_key(address) for url in visited if (address := _page_address(url))}
        self._places = places
        self._targets: dict[str, LinkTarget] = {}

    def add(self, document: Document, links: Sequence[LinkRecord], depth: int) -> None:
        """Add the links of a page; add pages nearer to the named ones first."""
        self._visited.add(page_key(document.url))
        for link in links:
            url = _page_address(link.url)
            if not url or _SKIPPED.search(urlsplit(url).path) or is_side_view(url, document.url):
                continue
            target = self._targets.setdefault(page_key(url), LinkTarget(url, document.url, depth))
            if _shared(url, document.url) > _shared(target.url, document.url):
                target.url = url
            if link.text:
                target.anchors[link.text] = None
            stretches = self._places.get(document.id, ())
            place = max((score for start, end, score in stretches if start <= link.start < end), default=0.0)
            if not target.context or place > target.place:
                # The line of the link, up to CONTEXT_CHARS on either side.
                start = max(document.text.rfind("\n", 0, link.start) + 1, link.start - CONTEXT_CHARS)
                newline = document.text.find("\n", link.end)
                end = min(newline if newline != -1 else len(document.text), link.end + CONTEXT_CHARS)
                target.context = " ".join(document.text[start:end].split())
            target.place = max(target.place, place)

    def all(self) -> list[LinkTarget]:
        """Return the targets in the order in which their links were found."""
        return [target for key, target in self._targets.items() if key not in self._visited]


class LinkVectors:
    """Caches the MAX_LINK_VECTORS most recently used vectors. Thread-safe."""

    def __init__(self, embed: EmbedPassages) -> None:
        self._embed = embed
        self._known: OrderedDict[str, PassageEmbedding] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        """Return one embedding per text. Raises EmbedderError."""
        with self._lock:
            known = {text: self._known[text] for text in texts if text in self._known}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if missing:
            known.update(zip(missing, self._embed(missing), strict=True))
        with self._lock:
            for text in texts:
                self._known[text] = known[text]
                self._known.move_to_end(text)
            while len(self._known) > MAX_LINK_VECTORS:
                self._known.popitem(last=False)
        return [known[text] for text in texts]


def places_of(evidence: Sequence[RetrievedChunk]) -> Places:
    """Return the positions of the ranked passages."""
    places: dict[int, list[tuple[int, int, float]]] = {}
    for item in evidence:
        chunk = item.chunk
        places.setdefault(chunk.document_id, []).append((chunk.start, chunk.end, item.reranked_score))
    return places


def _shared(url: str, other: str) -> int:
    """Return the number of characters that the addresses share from the start."""
    return next((i for i, (a, b) in enumerate(zip(url, other, strict=False)) if a != b), min(len(url), len(other)))


def _cheap_score(queries: Sequence[SubQuery], weights: Mapping[str, float], target: LinkTarget) -> float:
    shown = f"{target.label} {target.slug}"
    asked = [(query_terms(query.text), language_of(query.text)) for query in queries]
    words = max(
        ANCHOR_WEIGHT * coverage(terms, shown, weights, language)
        + CONTEXT_WEIGHT * coverage(terms, target.context, weights, language)
        for terms, language in asked
    )
    return words + PLACE_WEIGHT * target.place - EXTERNAL_LOSS * target.is_external - DEPTH_LOSS * target.depth


# --- Near-duplicate addresses ---

_CODES: Final = """ar be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky
    lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh"""
LANGUAGES: Final = frozenset(_CODES.split())
_REGION: Final = re.compile(r"^([a-z]{2,3})(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?$", re.IGNORECASE)
_FILE_LANGUAGE: Final = re.compile(
    r"^(?P<stem>.+?)(?:\.(?P<before>[a-z]{2}(?:[-_][a-z]{2})?)(?P<ending>\.x?html?)"
    r"|(?P<ending2>\.x?html?)\.(?P<after>[a-z]{2}(?:[-_][a-z]{2})?)(?:\.utf-?8)?)$",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(
    r"^(?:v?\d+(?:\.\d+)+(?:[-.]?(?:x|a|b|rc|dev|alpha|beta)[-.\d]*)?|v\d+|\d+\.x|stable|latest|current|dev|devel|development|"
    r"master|main|nightly|next|canary|edge|trunk|head|unstable)$",
    re.IGNORECASE,
)
_INDEX_NAME: Final = re.compile(r"(?:index\.(?:x?html?|php|aspx?)|default\.aspx?)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"^\d{1,2}$")
_VERSIONED: Final = frozenset({"doc", "docs", "documentation", "manual", "version", "versions"})
"""Folders below which a plain number is a version; a plain number in the first folder always is."""
_TWIN_FIELDS: Final = frozenset({"lang", "hl", "language", "locale", "version", "theme", "ref", "source", "from"})
_VIEW_FIELDS: Final = frozenset(
    {"replytocom", "print", "printable", "share", "oldid", "diff", "redirect_to", "returnto"}
)
_VIEW_ACTIONS: Final = frozenset(
    {"edit", "history", "print", "login", "raw", "source", "share", "diff", "info", "signup"}
)
_VIEW_FOLDERS: Final = frozenset({"_sources", "_modules", "wp-admin"})
_REPOSITORY_FOLDERS: Final = frozenset({"blob", "tree", "raw", "edit", "blame", "commits"})
_VIEW_PAGES: Final = re.compile(
    r"^(?:print\.html?|(?:gen|py-mod|mod)index(?:\.html?)?|(?:wp-)?(?:login|signin|signup|logout|sharer|share)(?:\.(?:php|aspx?))?"
    r"|special:.*)$",
    re.IGNORECASE,
)  # Names of pages without text, except those that may be a subject of documentation (search, history).


def is_side_view(url: str, source_url: str) -> bool:
    """Whether the address has no text of its own (edit, login, print, index …) or is another language version."""
    parts = urlsplit(url)
    segments = [segment.lower() for segment in parts.path.split("/") if segment]
    if _VIEW_FOLDERS.intersection(segments) or (segments and _VIEW_PAGES.match(segments[-1])):
        return True
    if _REPOSITORY_FOLDERS.intersection(segments[2:]) and parts.netloc != urlsplit(source_url).netloc:
        return True
    fields = dict(parse_qsl(parts.query.lower(), keep_blank_values=True))
    if _VIEW_FIELDS.intersection(fields) or _VIEW_ACTIONS.intersection(
        fields.get(name, "") for name in ("action", "view", "do")
    ):
        return True
    wanted, found = _language(source_url), _language(url)
    return bool(wanted and found and wanted != found)


@lru_cache(maxsize=16_384)
def page_key(url: str) -> str:
    """Return a key that is equal for all versions and languages of a page."""
    parts = urlsplit(url)
    folders, name = _path(parts)
    place = next((i for i, folder in enumerate(folders[:3]) if _code(folder)), None)
    kept = _without_version(folders if place is None else folders[:place] + folders[place + 1 :], name)
    fields = ((k, v, k.lower()) for k, v in parse_qsl(parts.query, keep_blank_values=True))
    query = sorted((k, v) for k, v, low in fields if low not in _TWIN_FIELDS and not low.startswith("utm_"))
    match = _FILE_LANGUAGE.match(name)
    if match and (match["before"] or match["after"])[:2].lower() in LANGUAGES:
        name = match["stem"] + (match["ending"] or match["ending2"])
    name = "" if _INDEX_NAME.fullmatch(name) else name
    labels = (parts.hostname or "").split(".")
    while len(labels) > 2 and (labels[0] in {"www", "m"} or labels[0] in LANGUAGES):
        labels = labels[1:]
    return f"{'.'.join(labels)}:{parts.port or ''}/{'/'.join(kept)}/{name}?{query}"


def _path(parts: SplitResult) -> tuple[list[str], str]:
    segments = [segment for segment in unquote(parts.path).split("/") if segment]
    if segments and not parts.path.endswith("/"):
        return segments[:-1], segments[-1]
    return segments, ""


def _without_version(folders: list[str], name: str) -> list[str]:
    """Remove the first folder that names a version. Keep the last folder if it may be the page, as in /releases/4.2/."""
    for i, folder in enumerate(folders):
        is_place = i == 0 or folders[i - 1].lower() in _VERSIONED
        if is_place and _NUMBER.match(folder):
            return folders[:i] + folders[i + 1 :]
        is_page = not name and i + 1 == len(folders)
        if _VERSION.match(folder) and (is_place or not is_page or folder.isalpha()):
            return folders[:i] + folders[i + 1 :]
    return folders


def _language(url: str) -> str:
    parts = urlsplit(url)
    fields = dict(parse_qsl(parts.query.lower()))
    asked = next((fields[name] for name in ("lang", "hl", "language", "locale") if fields.get(name)), "")
    folders, name = _path(parts)
    match = _FILE_LANGUAGE.match(name)
    file_code = _code(match["before"] or match["after"]) if match else ""
    host = (parts.hostname or "").split(".")
    host_code = host[0] if len(host) > 2 and host[0] in LANGUAGES else ""
    return _code(asked) or file_code or next((code for f in folders[:3] if (code := _code(f))), "") or host_code


def _code(text: str) -> str:
    match = _REGION.match(text)
    code = match[1].lower() if match else ""
    return code if code in LANGUAGES else ""
