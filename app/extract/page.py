"""The result of an extraction, `Page`: clean Markdown text and its structure, and the page as full Markdown; and declared metadata.

All offsets are character offsets into `Page.text` (code points, end exclusive), so that every quote can be checked against it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, TypeAlias

from lxml.html import HtmlElement

from app import caps
from app.extract.addresses import Resolver, host_of
from app.extract.characters import collapse, word_set
from app.extract.tree import elements, holds, strings
from app.library.records import ImageRecord, LinkRecord, SectionRecord
from app.paths import asset_table
from app.text.markdown_blocks import fences
from app.text.sentence import sentence

READS_COMMENTS: Final = ContextVar("READS_COMMENTS", default=False)
"""Whether the text of Office files includes their comments; it also applies to the files in an archive or email."""
CUT_NOTE: Final = sentence("The file is damaged. Only the text before the damage was read.")
_PLAIN_TARGET: Final = re.compile(r"[^\s()<>]+")
_BRACKET: Final = re.compile(r"(?<!\\)([\[\]])")
_EMPHASIS: Final = re.compile(r"([*_`<\[\]])")


Section: TypeAlias = SectionRecord
Link: TypeAlias = LinkRecord
Image: TypeAlias = ImageRecord


@dataclass(frozen=True, slots=True)
class Page:
    """The readable content of one document.

    `text` is Markdown without link targets, images and heading anchors; those are in `links`, `images` and `sections`. `canonical_url` is
    set only if the page names one on its own host. `note` describes what may be missing (for example behind a sign-in wall or
    JavaScript), empty if nothing is. `navigation` contains the absolute addresses of all other links of the page (menus, footers) for
    crawls, in reading order. `noindex` and `nofollow` are the page's rules for robots; `markdown_url` is a Markdown version of the page
    that it names.
    """

    url: str
    title: str
    text: str
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    language: str = ""
    canonical_url: str | None = None
    published: str | None = None
    note: str = ""
    navigation: tuple[str, ...] = ()
    noindex: bool = False
    nofollow: bool = False
    markdown_url: str | None = None


@dataclass(slots=True)
class PageParts:
    """A text under construction: its blocks with the blank lines between them, and its sections, which are not closed yet."""

    blocks: list[str] = field(default_factory=list)
    length: int = 0
    sections: list[Section] = field(default_factory=list)

    def add(self, block: str) -> int:
        """Append a block and return its offset."""
        if self.blocks:
            self.blocks.append("\n\n")
            self.length += 2
        start = self.length
        self.blocks.append(block)
        self.length += len(block)
        return start

    def open(self, level: int, heading: str, anchor: str | None, start: int) -> None:
        """Begin a section; a preceding one without text is removed."""
        if self.sections and self.sections[-1].start == start:
            self.sections.pop()
        self.sections.append(Section(level, heading[: caps.MAX_HEADING_CHARS].rstrip(), anchor, start, start))


def closed(sections: Sequence[Section], length: int) -> tuple[Section, ...]:
    """Return the sections in order, each with its end: the start of the next one, or the length of the text."""
    ends = [*(section.start for section in sections[1:]), length]
    return tuple(replace(section, end=end) for section, end in zip(sections, ends, strict=False))


def moved(page: Page, by: int) -> Page:
    """Return a page whose offsets are larger."""
    return replace(
        page,
        sections=tuple(replace(each, start=each.start + by, end=each.end + by) for each in page.sections),
        links=tuple(replace(each, start=each.start + by, end=each.end + by) for each in page.links),
        images=tuple(replace(each, position=each.position + by) for each in page.images),
    )


def page_markdown(page: Page) -> str:
    """Return the text of the page with `[text](target)` for every link outside code, and with emphasis escaped in headings."""
    code = [(fence.start, fence.end) for fence in fences(page.text)]
    headings = [section for section in page.sections if page.text.startswith("#", section.start)]
    ends = (page.text.find("\n", section.start) % (len(page.text) + 1) for section in headings)
    skipped = sorted([*code, *zip((section.start for section in headings), ends, strict=True)])
    changes = []
    number = 0
    for link in page.links:
        while number < len(skipped) and skipped[number][1] <= link.start:
            number += 1
        is_skipped = number < len(skipped) and skipped[number][0] <= link.start
        line_start = page.text.rfind("\n", 0, link.start) + 1
        if not is_skipped and page.text.count("`", line_start, link.start) % 2 == 0:
            target = link.url if _PLAIN_TARGET.fullmatch(link.url) else f"<{link.url}>"
            label = _BRACKET.sub(r"\\\1", link.text)
            changes.append((link.start, link.end, f"[{label}]({target})"))
    for section in headings:
        if _EMPHASIS.search(section.heading):
            start = section.start + section.level + 1
            changes.append((start, start + len(section.heading), _EMPHASIS.sub(r"\\\1", section.heading)))
    parts: list[str] = []
    position = 0
    for start, end, replacement in sorted(changes):
        if start >= position:
            parts += [page.text[position:start], replacement]
            position = end
    parts.append(page.text[position:])
    return "".join(parts)


_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_LANGUAGE_NAMES: Final = ("lang", "{http://www.w3.org/XML/1998/namespace}lang", "xml:lang")
_DATE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_JSON_DATE: Final = re.compile(r'"datePublished"\s*:\s*"([^"]{8,40})"')
_JSON_TYPE: Final = re.compile(r'"@type"\s*+:\s*+(\[[^\[\]]*+\]|"[^"]*")')
_DATE_NAMES: Final = word_set(asset_table("pages.toml")["names"]["date_names"])
_ROBOTS_NAMES: Final = frozenset({"robots", "webrag", "webrag-desktop"})
_ROBOTS_WORD: Final = re.compile(r"[a-z]+")
_METAS: Final = elements("//meta[@content]")
_JSON_LD: Final = elements("//script[@type='application/ld+json']")
_LOADS_SCRIPTS: Final = holds("//script[@src]")
_TIMES: Final = strings("(//time[@datetime and (@pubdate or contains(@itemprop, 'datePublished'))]/@datetime)[1]")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The declared metadata; empty or None if missing.

    `published` is an ISO date, `generator` and `page_type` (og:type) are lower case, `schema_types` are the types of JSON-LD.
    `is_scripted`: the page loads scripts. `markdown_url` is a Markdown version on the same host.
    """

    title: str
    language: str
    canonical_url: str | None
    published: str | None
    base_href: str | None = None
    generator: str = ""
    page_type: str = ""
    schema_types: frozenset[str] = frozenset()
    is_scripted: bool = False
    noindex: bool = False
    nofollow: bool = False
    markdown_url: str | None = None


def read_metadata(tree: HtmlElement, url: str) -> Metadata:
    """Return the metadata of a parsed document found at `url`."""
    metas = _METAS(tree)
    named: dict[str, str] = {}
    for meta in metas:
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv") or ""
        named.setdefault(name.lower(), collapse(meta.get("content") or ""))
    asked = [meta.get("content") or "" for meta in metas if (meta.get("name") or "").lower() in _ROBOTS_NAMES]
    robots = frozenset(_ROBOTS_WORD.findall(" ".join(asked).lower()))
    scripts = [script.text or "" for script in _JSON_LD(tree)]
    types = (match.group(1) for script in scripts for match in _JSON_TYPE.finditer(script))
    dates = [value for name, value in named.items() if name in _DATE_NAMES]
    dates += [match.group(1) for script in scripts if (match := _JSON_DATE.search(script))]
    dates += [str(value) for value in _TIMES(tree)]
    base = tree.find(".//base[@href]")
    base_href = base.get("href") if base is not None else None
    declared = [*map(tree.get, _LANGUAGE_NAMES), named.get("content-language")]
    languages = (match[0] for each in declared if (match := _LANGUAGE.match((each or "").strip())))
    title = collapse(tree.findtext(".//head/title") or tree.findtext(".//title") or "") or named.get("og:title", "")
    return Metadata(
        title=title[: caps.MAX_TITLE_CHARS].rstrip(),
        language=next(languages, "").replace("_", "-"),
        canonical_url=_linked(tree, "canonical", url, base_href),
        published=next((found for value in dates if (found := iso_date(value))), None),
        base_href=base_href,
        generator=named.get("generator", "").lower(),
        page_type=named.get("og:type", "").lower(),
        is_scripted=_LOADS_SCRIPTS(tree),
        noindex=not robots.isdisjoint({"noindex", "none"}),
        nofollow=not robots.isdisjoint({"nofollow", "none"}),
        markdown_url=_linked(tree, "alternate", url, base_href, kind="text/markdown"),
        schema_types=frozenset(name for names in types for name in re.findall(r"\w+", names)),
    )


def _linked(tree: HtmlElement, relation: str, url: str, base_href: str | None, *, kind: str = "") -> str | None:
    """Return the address on the same host in a `link` with this relation (and media type), without its fragment."""
    for link in tree.iterfind(".//link[@href]"):
        given = (link.get("type") or "").partition(";")[0].strip().lower()
        if relation in (link.get("rel") or "").lower().split() and kind in ("", given):
            target = Resolver(url, base_href)(link.get("href") or "")
            if target is not None and host_of(target) == host_of(url):
                return target.partition("#")[0]
    return None


def iso_date(value: str) -> str | None:
    """Return `2024-05-06` from a date or timestamp that starts with it; None if it is not a valid date."""
    match = _DATE.match(value.strip().replace("/", "-"))
    try:
        return date.fromisoformat(match.group()).isoformat() if match else None
    except ValueError:
        return None
