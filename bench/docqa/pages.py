"""The visible text of a page of the set and its links, without the program's extraction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree, html

BASE: Final = "http://site.invalid/"
NOT_SHOWN: Final = frozenset({"script", "style", "noscript", "template", "head"})
_BLOCK_TAGS = """address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul"""
BLOCKS: Final = frozenset(_BLOCK_TAGS.split())
INVISIBLE: Final = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff¶")


def one_line(text: str) -> str:
    """Return the text with single spaces, in the form for comparing spans."""
    return " ".join(text.split())


class SitePages:
    """The pages of one unpacked site, each parsed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.text = lru_cache(maxsize=256)(self._text)
        self.links = lru_cache(maxsize=256)(self._links)

    def paths(self) -> list[str]:
        """Return every page, sorted."""
        return sorted(str(file.relative_to(self.folder)) for file in self.folder.rglob("*.*htm*") if file.is_file())

    def has(self, path: str) -> bool:
        return (self.folder / path).is_file()

    def title(self, path: str) -> str:
        title = self._tree(path).findtext(".//title")
        return one_line(title or "")

    def _text(self, path: str) -> str:
        """Return the visible text, one line per block. Lines of code stay lines."""
        body = self._tree(path).find(".//body")
        shown = "".join(_shown(body if body is not None else self._tree(path))).translate(INVISIBLE)
        return "\n".join(line.rstrip() for line in shown.splitlines() if line.strip())

    def _links(self, path: str) -> dict[str, str]:
        """Return the linked pages of the site, with the text of the first link to each."""
        found: dict[str, str] = {}
        for anchor in self._tree(path).iter("a"):
            try:
                address = urlsplit(urljoin(BASE + path, anchor.get("href") or ""))
            except ValueError:
                continue
            target = unquote(address.path.lstrip("/"))
            if address.netloc == "site.invalid" and target != path and self.has(target):
                found.setdefault(target, one_line("".join(map(str, anchor.itertext()))))
        return found

    def _tree(self, path: str) -> html.HtmlElement:
        return html.document_fromstring((self.folder / path).read_bytes() or b"<html></html>")


def _shown(element: etree._Element, *, in_code: bool = False) -> Iterator[str]:
    """Yield the text of an element and its descendants, with a line break around blocks."""
    if element.tag in NOT_SHOWN or callable(element.tag) or "headerlink" in (element.get("class") or ""):
        return
    in_code = in_code or element.tag == "pre"
    line_break = "\n" if element.tag in BLOCKS else ""
    yield line_break
    yield _folded(element.text, in_code=in_code)
    for child in element:
        yield from _shown(child, in_code=in_code)
        yield _folded(child.tail, in_code=in_code)
    yield line_break


def _folded(text: str | None, *, in_code: bool) -> str:
    """Replace runs of white space with one space outside code, also at the ends."""
    return text or "" if in_code else re.sub(r"\s+", " ", text or "")
