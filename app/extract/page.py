"""The result of an extraction, `Page`: clean Markdown text and its structure, and the page as full Markdown.

All offsets are character offsets into `Page.text` (code points, end exclusive), so that every quote can be checked against it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from app import caps
from app.library.records import ImageRecord, LinkRecord, SectionRecord
from app.text.markdown_blocks import fences

READS_COMMENTS: Final = ContextVar("READS_COMMENTS", default=False)
"""Whether the text of Office files includes their comments; it also applies to the files in an archive or email."""
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
    changes = _link_changes(page)
    for section in page.sections:
        if page.text.startswith("#", section.start) and _EMPHASIS.search(section.heading):
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


def _link_changes(page: Page) -> list[tuple[int, int, str]]:
    code = [(fence.start, fence.end) for fence in fences(page.text)]
    headings = [section for section in page.sections if page.text.startswith("#", section.start)]
    heading_lines = [
        (section.start, page.text.find("\n", section.start) % (len(page.text) + 1)) for section in headings
    ]
    skipped = sorted([*code, *heading_lines])
    changes = []
    number = 0
    for link in page.links:
        while number < len(skipped) and skipped[number][1] <= link.start:
            number += 1
        is_skipped = number < len(skipped) and skipped[number][0] <= link.start
        line_start = page.text.rfind("\n", 0, link.start) + 1
        is_code = page.text.count("`", line_start, link.start) % 2 == 1
        if not is_skipped and not is_code:
            target = link.url if _PLAIN_TARGET.fullmatch(link.url) else f"<{link.url}>"
            label = _BRACKET.sub(r"\\\1", link.text)
            changes.append((link.start, link.end, f"[{label}]({target})"))
    return changes
