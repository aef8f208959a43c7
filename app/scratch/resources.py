"""Everything with a webrag:// address (saved passages, stored pages, guide pages): lookup by address, lists by time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app import caps
from app.library.records import PRIVATE, Document, ImageRecord, KeptPicture, PassageIn
from app.library.scope import LIBRARY_PAGE_TEMPLATE, PAGE_ADDRESS, PAGE_TEMPLATE, PICTURE_ADDRESS, PICTURE_PART, SCHEME
from app.scratch.passage import Passage
from app.scratch.store import ScratchStore, unknown

if TYPE_CHECKING:
    from app.corpus.pictures import PictureStore
    from app.library.protocol import Library

GUIDE: Final = f"{SCHEME}://guide/"
MARKDOWN: Final = "text/markdown"
_GUIDE_PAGE: Final = re.compile(rf"{GUIDE}[a-z0-9][a-z0-9-]{{0,80}}")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A text with its address. `id` is the key of the owner's reading position, `modified_at` is seconds since the epoch."""

    uri: str
    id: str
    content: PassageIn
    modified_at: float
    size_bytes: int


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A saved image with its address and the page that shows it. `title` is its text on the page."""

    uri: str
    title: str
    page: Artifact
    picture: KeptPicture


@dataclass(frozen=True, slots=True)
class NamedPicture:
    """An image as shown on its page, with the address of the saved copy."""

    uri: str
    image: ImageRecord

    @property
    def title(self) -> str:
        """The text of the image on the page."""
        return self.image.caption or self.image.alt


@dataclass(frozen=True, slots=True)
class ArtifactEntry:
    """An artifact in a list, without its text."""

    uri: str
    title: str
    source_uri: str
    media_type: str
    modified_at: float
    size_bytes: int


Elsewhere = Callable[[str, int], Artifact]
"""Loads a page of a joined library by the library's name and the page's ID there. Raises LibraryNotJoinedError."""


@dataclass(eq=False, slots=True)
class ResourceResolver:
    """Blocks on queries of the corpus: call it from worker threads."""

    corpus: Library
    store: ScratchStore
    pictures: PictureStore | None = None
    elsewhere: Elsewhere | None = None

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Artifact:
        """Return a passage by ID or address, or a page by address. Raises one PassageExpiredError for all others."""
        if match := PAGE_ADDRESS.fullmatch(id_or_uri):
            if self.elsewhere is not None and match["library"] not in (None, PRIVATE, self.corpus.name):
                return self.elsewhere(match["library"], int(match["id"]))
            return self._page(self._document(match))
        if _GUIDE_PAGE.fullmatch(id_or_uri):
            return self._page(self.corpus.documents.get(id_or_uri))
        return self._passage(owner, id_or_uri, session_id)

    def _passage(self, owner: str, id_or_uri: str, session_id: str | None) -> Artifact:
        return of_passage(self.store.find(owner, id_or_uri, session_id))

    def picture(self, uri: str) -> PagePicture | None:
        """Return a saved image; None if this is not an image address. Raises PassageExpiredError if the image is not saved."""
        if (match := PICTURE_ADDRESS.fullmatch(uri)) is None:
            return None
        document = self._document(match)
        number = int(match["number"]) - 1
        if document is None or self.pictures is None or number >= len(document.images):
            raise unknown()
        image = document.images[number]
        kept = self.pictures.picture(document.url, image.url)
        if kept is None:
            raise unknown()
        return PagePicture(uri, image.caption or image.alt, self._page(document), kept)

    def pictures_of(self, page: Artifact) -> list[tuple[str, str]]:
        """Return the addresses of a page's saved images, with their texts."""
        document_id = page.content.document_id
        document = self.corpus.documents.by_id(document_id) if document_id is not None else None
        if document is None or page.content.media_type != MARKDOWN:
            return []
        return [(picture.uri, picture.title) for picture in self.kept_pictures(document.url)]

    def kept_pictures(self, url: str) -> list[NamedPicture]:
        """Return the saved images of the page at an address, in page order. Raises CorpusError."""
        kept = self.pictures.shown_by(url) if self.pictures is not None else ()
        document = self.corpus.documents.get(url) if kept else None
        if document is None:
            return []
        address = _address(document.id, self.corpus.name)
        return [
            NamedPicture(address + PICTURE_PART.format(number=number), image)
            for number, image in enumerate(document.images, 1)
            if image.url in kept
        ]

    def pages(self, limit: int, offset: int = 0) -> list[ArtifactEntry]:
        """Return stored pages, most recently fetched first."""
        rows = self.corpus.documents.summaries(limit=limit, offset=offset)
        sizes = self.corpus.documents.text_bytes([row.id for row in rows])
        return [
            ArtifactEntry(uri, row.title, row.url, MARKDOWN, row.changed_at, sizes.get(row.id, 0))
            for row in rows
            for uri in [page_uri(row.id, row.url, self.corpus.name)]
        ]

    def pinned(self) -> list[ArtifactEntry]:
        """Return pinned passages, newest first."""
        return [
            ArtifactEntry(each.uri, text.title, text.source_uri, text.media_type, each.created_at, each.size_bytes)
            for each in self.store.pinned()
            for text in [each.content]
        ]

    def known_addresses(self, prefix: str, limit: int) -> list[str]:
        """Return addresses of stored pages with this prefix, or of the latest pages without a prefix."""
        if not prefix:
            return [row.url for row in self.corpus.documents.summaries(limit=limit)]
        begins = [prefix] if "://" in prefix else [prefix, *(f"{scheme}://{prefix}" for scheme in ("https", "http"))]
        found = [
            url for begin in begins for url in self.corpus.documents.urls_below(begin[: caps.MAX_URL_CHARS], limit)
        ]
        return list(dict.fromkeys(found))[:limit]

    def _document(self, address: re.Match[str]) -> Document | None:
        if (address["library"] or PRIVATE) != self.corpus.name:
            return None
        return self.corpus.documents.by_id(int(address["id"]))

    def _page(self, document: Document | None) -> Artifact:
        if document is None:
            raise unknown()
        row = self.corpus.documents.summary(document.url)
        return of_document(document, row.doc_tag if row is not None else "", self.corpus.name)


def of_passage(passage: Passage) -> Artifact:
    """Return a saved passage as an artifact."""
    return Artifact(passage.uri, passage.id, passage.content, passage.created_at, passage.size_bytes)


def of_document(document: Document, doc_tag: str, library: str) -> Artifact:
    """Return a stored page of a library as an artifact with its whole text."""
    content = PassageIn(
        section_id="",
        doc_tag=doc_tag,
        title=document.title,
        text=document.text,
        source_uri=document.url,
        media_type=MARKDOWN,
        document_id=document.id,
        document_hash=document.content_hash,
        end=len(document.text),
    )
    uri = page_uri(document.id, document.url, library)
    return Artifact(uri, uri, content, document.changed_at, len(document.text.encode()))


def page_uri(document_id: int, url: str, library: str) -> str:
    """Return the address of a page in a library. Guide pages have addresses of their own."""
    return url if _GUIDE_PAGE.fullmatch(url) else _address(document_id, library)


def _address(document_id: int, library: str) -> str:
    if library == PRIVATE:
        return PAGE_TEMPLATE.format(page_id=document_id)
    return LIBRARY_PAGE_TEMPLATE.format(library=library, page_id=document_id)
