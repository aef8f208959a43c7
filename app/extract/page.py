"""What extraction makes of a fetched body: clean Markdown text with its structure beside it.

All offsets are character offsets into `Page.text` (code points, end exclusive), so that every quote can be checked against it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, or a defined term with an anchor of its own, and the text up to the next one.

    `start` is the first character of its line (`## Title`, or `**term**: …` for a term).
    """

    level: int
    heading: str
    anchor: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink in the main content; `start` and `end` enclose its anchor text in the page text."""

    url: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the main content; it leaves no mark in the page text. `position` is where it stood."""

    url: str
    alt: str
    caption: str
    position: int


@dataclass(frozen=True, slots=True)
class Page:
    """The readable content of one document.

    `text` is Markdown without link targets, images and heading anchors; those are in `links`, `images` and `sections`.
    `canonical_url` is set only when the page names one on its own host. `note` tells the reader what may be missing
    (for instance a sign-in wall or a JavaScript skeleton), empty when nothing is. `navigation` holds the absolute addresses of
    all other links of the page (menus, footers) for crawls, in reading order; `noindex` and `nofollow` are what the page asks of
    robots; `markdown_url` is a Markdown version of the page that it names.
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
