"""Read the ZIP archive of an Office file or e-book, part by part within limits.

The sizes in the directory of the archive are not trusted: each part is read up to its limit. XML with more tags than MAX_TAGS is rejected
before parsing, because an archive of 80 KB can contain elements that take two gigabytes.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app import caps
from app.errors import ContentProtectedError, DamagedFileError, UnsupportedContentError
from app.extract.office.elements import declared, page_of
from app.extract.page import CUT_NOTE, READS_COMMENTS, Metadata, Page
from app.extract.safe_xml import SAFETY
from app.text.sentence import sentence

MAX_PARTS: Final = 20_000
MAX_PART_BYTES: Final = 48 * caps.MIB
MAX_READ_BYTES: Final = 160 * caps.MIB  # The limit for all parts of one file together.
MAX_TAGS: Final = 1_500_000  # The limit for one part.
_ENCRYPTED: Final = 1
_DECLARED_BYTES: Final = 64 * caps.KIB  # The part of a file in which a document type must begin, if there is one.
_DECLARES: Final = re.compile(rb"<!ENTITY|<!DOCTYPE(?![^<>\[]{0,1000}+>)")
"""Declared entities, or a document type with declarations. Old files name only the address of their document type, which is not read."""
_SURROGATE: Final = re.compile(rb"&#(?:x0*[dD][89a-fA-F][0-9a-fA-F]{2}|0*5[5-7]\d{3});")
"""Characters that damaged XML can name, but that no text can contain."""
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Relation:
    """The target of an id in a part: another part, or an address outside the file. `kind` is the last word of its type."""

    target: str
    kind: str
    is_external: bool


class Package:
    """The parts of a file by their case-insensitive names. `is_cut`: a damaged or too deep part was read as far as possible.

    Raises UnsupportedContentError for damaged files and exceeded limits, ContentProtectedError for files with a password.
    """

    def __init__(self, body: bytes, url: str) -> None:
        self.url = url
        self.is_cut = False
        self.reads_comments = READS_COMMENTS.get()
        self._left = MAX_READ_BYTES
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(body))
        except _DAMAGED as error:
            raise self.damaged() from error
        entries = self._archive.infolist()
        if len(entries) > MAX_PARTS:
            raise too_large(self.url)
        self._entries = {_key(entry.filename): entry for entry in entries}

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._entries

    def names(self, start: str, end: str) -> list[str]:
        """Return the names of parts with this start and end, in lower case."""
        return [name for name in self._entries if name.startswith(start) and name.endswith(end)]

    def entries(self) -> list[zipfile.ZipInfo]:
        """Return all entries, which may have the same name."""
        return self._archive.infolist()

    @property
    def is_protected(self) -> bool:
        """Whether entries need a password."""
        return any(entry.flag_bits & _ENCRYPTED for entry in self._entries.values())

    def read(self, name: str | zipfile.ZipInfo) -> bytes:
        """Return the content of a part. Raises KeyError if it does not exist."""
        entry = self._entries[_key(name)] if isinstance(name, str) else name
        if entry.flag_bits & _ENCRYPTED:
            raise protected(self.url)
        limit = min(MAX_PART_BYTES, self._left)
        try:
            with self._archive.open(entry) as stream:
                content = stream.read(limit + 1)
        except _DAMAGED as error:
            raise self.damaged() from error
        if len(content) > limit:
            raise too_large(self.url)
        self._left -= len(content)
        return content

    def xml(self, name: str) -> etree._Element:
        """Return the root of an XML part; of a damaged one, as much as is readable."""
        content = self._checked(name, MAX_TAGS)
        try:
            return etree.fromstring(content, etree.XMLParser(**SAFETY))
        except etree.XMLSyntaxError:
            self.is_cut = True
        content = _SURROGATE.sub(b"", content)
        try:
            root: etree._Element | None = etree.fromstring(content, etree.XMLParser(recover=True, **SAFETY))
        except etree.XMLSyntaxError:  # an empty part
            root = None
        if root is None:
            raise self.damaged()
        return root

    def stream(self, name: str, tags: Sequence[str], max_tags: int) -> Iterator[etree._Element]:
        """Yield the elements with these names in an XML part. An element is emptied once the next one is read."""
        content = self._checked(name, max_tags)
        wanted = tuple(f"{{*}}{tag}" for tag in tags)
        try:
            for _, element in etree.iterparse(io.BytesIO(content), events=("end",), tag=wanted, **SAFETY):
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
        except etree.XMLSyntaxError:
            self.is_cut = True

    def _checked(self, name: str, max_tags: int) -> bytes:
        content = self.read(name)
        if content.count(b"<") > max_tags:
            raise too_large(self.url)
        if _DECLARES.search(content[:_DECLARED_BYTES]):
            raise self.damaged()
        return content

    def relations(self, part: str) -> dict[str, Relation]:
        """Return the references of a part by id; `part` is empty for the file as a whole."""
        folder, name = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{name}.rels")
        found: dict[str, Relation] = {}
        for each in self.xml(path) if path in self else ():
            target, is_external = each.get("Target", ""), each.get("TargetMode") == "External"
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[each.get("Id", "")] = Relation(target, each.get("Type", "").rpartition("/")[2], is_external)
        return found

    def main_part(self, usual: str) -> str:
        """Return the part with the document."""
        part = related(self.relations(""), "officeDocument")
        return part if part in self else usual

    def metadata(self, part: str = "docProps/core.xml", date: str = "created") -> Metadata:
        """Return the declared title, language and date."""
        return declared(self.xml(part) if part in self else None, date)

    def page(self, body: HtmlElement, notes: Sequence[str], metadata: Metadata | None = None) -> Page:
        """Return the page that the writer makes from a tree, with the metadata of the file. Raises EmptyPageError."""
        if self.is_cut:
            notes = [*notes, CUT_NOTE]
        return page_of(body, self.url, metadata or self.metadata(), notes)

    def damaged(self) -> DamagedFileError:
        """Return the error for a damaged file."""
        hint = "Open the file in its program and save it, then add it again."
        return DamagedFileError(sentence("{} is damaged.", self.url), url=self.url, hint=hint)


def too_large(url: str) -> UnsupportedContentError:
    """Return the error for a file that exceeds a limit."""
    hint = "Split the file into smaller ones, then add those."
    return UnsupportedContentError(sentence("{} is too large to read.", url), url=url, hint=hint)


def protected(url: str) -> ContentProtectedError:
    """Return the error for a file that requires a password."""
    hint = "Remove the password in the file's program, then add the file again."
    return ContentProtectedError(sentence("{} is protected with a password.", url), url=url, hint=hint)


def related(relations: dict[str, Relation], kind: str) -> str:
    """Return the first related part of a kind; empty if there is none."""
    inner = (each for each in relations.values() if not each.is_external)
    return next((each.target for each in inner if each.kind == kind), "")


def _key(name: str) -> str:
    return name.replace("\\", "/").lower().lstrip("/")  # Some programs write names with backslashes.
