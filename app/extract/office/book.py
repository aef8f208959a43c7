"""Read e-books (.epub): the chapters in reading order. The anchor of a section is the path of its file, followed by `#` and its id."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from lxml import etree
from lxml.html import HtmlElement

from app.errors import ContentProtectedError
from app.extract.characters import decode, storable
from app.extract.clean import remove_unseen
from app.extract.office.elements import attribute, declared, make
from app.extract.office.package import Package
from app.extract.page import Page
from app.extract.safe_xml import read_xml
from app.extract.tree import HEADINGS, body_of, parse
from app.extract.writer.blocks import own_anchor
from app.extract.writer.document import assemble, write_text
from app.text.sentence import sentence

CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_CONTENT_CIPHERS: Final = "xmlenc#"
"""Part of the names of content encryption methods; fonts are obfuscated by other methods."""
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def extract_book(package: Package) -> Page:
    """Return the page of an e-book. Raises EmptyPageError, UnsupportedContentError and ContentProtectedError."""
    book = _Book(package)
    written = write_text(book.chapters(), package.url)
    notes = (sentence("Chapters missing from the file: {}.", f"{book.missing:,}"),) if book.missing else ()
    return assemble(written, url=package.url, metadata=book.metadata, notes=notes)


class _Book:
    """The package document of a book and the parts it names. `missing` counts chapters that are not in the file."""

    def __init__(self, package: Package) -> None:
        self.missing = 0
        self._package = package
        if _ENCRYPTION in package and any(
            _CONTENT_CIPHERS in attribute(method, "Algorithm")
            for method in self._root(_ENCRYPTION).iter("{*}EncryptionMethod")
        ):
            hint = "Get a copy without copy protection, then add that file."
            message = sentence("{} is copy-protected (DRM).", package.url)
            raise ContentProtectedError(message, url=package.url, hint=hint)
        rootfile = next(self._root(CONTAINER).iter("{*}rootfile"), None)
        self._document = self._root(attribute(rootfile, "full-path"))
        self.metadata = declared(self._document, "date")
        self._folder = posixpath.dirname(attribute(rootfile, "full-path"))
        self._items = {attribute(item, "id"): item for item in self._document.iter("{*}item")}
        self._titles = self._read_titles()

    def chapters(self) -> Iterator[HtmlElement]:
        """Yield the content of each chapter once, read lazily."""
        keys = dict.fromkeys(attribute(reference, "idref") for reference in self._document.iter("{*}itemref"))
        for item in map(self._items.get, keys):
            if item is None or "html" not in attribute(item, "media-type") or _is_contents(item):
                continue
            path = self._path(self._folder, attribute(item, "href"))
            if path in self._package:
                yield self._chapter(path)
            else:
                self.missing += 1

    def _chapter(self, path: str) -> HtmlElement:
        tree = parse(decode(self._package.read(path), None) or "<p></p>")
        remove_unseen(tree)
        content = body_of(tree)
        for heading in content.iter(*HEADINGS):
            own = own_anchor(heading) or (heading.getparent().get("id") if heading.getparent() is not None else None)
            heading.set("id", f"{path}#{own}" if own else path)
        if path in self._titles and next(content.iter("h1", "h2", "h3"), None) is None:
            content.insert(0, make("h1", self._titles[path], id=path))
        folder = posixpath.dirname(path)
        for link in content.iter("a"):
            target = link.get("href", "")
            if target.startswith("#"):
                link.set("href", f"#{path}{target}")
            elif target and not _SCHEME.match(target):
                link.set("href", f"#{self._path(folder, target)}")
        return content

    def _read_titles(self) -> dict[str, str]:
        """Return the titles of files from the table of contents. An old table is read only if there is no new one."""
        titles: dict[str, str] = {}
        for item in sorted(self._items.values(), key=_is_contents, reverse=True):
            path = self._path(self._folder, attribute(item, "href"))
            folder = posixpath.dirname(path)
            if path not in self._package:
                continue
            if _is_contents(item):
                tree = parse(decode(self._package.read(path), None) or "<p></p>")
                for link in tree.iter("a"):
                    titles.setdefault(self._path(folder, link.get("href", "")), " ".join(link.text_content().split()))
            elif attribute(item, "media-type") == "application/x-dtbncx+xml" and not titles:
                for point in self._root(path).iter("{*}navpoint", "{*}navPoint"):
                    target = attribute(next(point.iter("{*}content"), None), "src")
                    text = next(point.iter("{*}text"), None)
                    if text is not None and text.text:
                        titles.setdefault(self._path(folder, target), text.text.strip())
        return {path: title for path, title in titles.items() if title}

    def _root(self, part: str) -> etree._Element:
        """Return the root of a part of the book; document types in books are allowed but not read."""
        root = read_xml(self._package.read(part))[0] if part in self._package else None
        if root is None:
            raise self._package.damaged()
        return root

    @staticmethod
    def _path(folder: str, target: str) -> str:
        return posixpath.normpath(posixpath.join(folder, storable(unquote(target.partition("#")[0]))))


def _is_contents(item: etree._Element) -> bool:
    return "nav" in attribute(item, "properties").split()
