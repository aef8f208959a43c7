"""Read the outline of a Markdown file: its title, its headings with their lines, and its category.

The category is the page's group in sidebar.md, otherwise its first folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from typing import Final
from urllib.parse import unquote

from app import caps
from app.corpus.docsets import DocSection
from app.extract.markdown_source import read_front_matter
from app.text.markdown_blocks import CODE_SPAN, FENCE_MARK

MAX_DOC_SECTIONS: Final = 5_000
_HEADING_SOURCE_CHARS: Final = 4 * caps.KIB  # The part of a heading's line to read.
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*))?")
_FENCE: Final = re.compile(rf" {{0,3}}{FENCE_MARK}")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_NO_PARAGRAPH: Final = re.compile(r"(?:[ \t]*$| {4}|\t|[ \t]*(?:[-*+>|#<]|\d+[.)][ \t]|:{3}|[`~]{3}))")
_RAW_BLOCK: Final = re.compile(r" {0,3}<(pre|script|style|textarea)\b", re.IGNORECASE)
_ATTRIBUTES: Final = re.compile(r"\{:?[ \t]*(?:[#.][\w-]|[\w-]+=)[^{}]*\}[ \t]*$")
_ANCHOR: Final = re.compile(r"#([\w.:-]+)")
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_MARKS: Final = re.compile(
    rf"{CODE_SPAN}|</?[A-Za-z][^<>]*>|\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)"
    r"|\\(?=[!-/:-@\[-`{-~])"
)
SIDEBAR: Final = "sidebar.md"  # The page that groups the others, in the top folder, in upper or lower case.
_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+]|\d+[.)])[ \t]++(.*)")
_BOLD_TITLE: Final = re.compile(r" {0,3}(\*\*.+\*\*|__.+__):?")
_TARGET: Final = re.compile(r"\[[^\[\]]*\]\(\s*+<?(?P<path>[^()\s<>]++)[^()]*+\)")
_FOREIGN: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outline:
    """The title and headings of a page; the heading used as the title is not a section."""

    title: str
    sections: tuple[DocSection, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    level: int
    text: str
    line: int


def outline(content: str, path: str) -> Outline:
    """Take the title from the front matter, the first level-one heading, any heading or the file name. Code and comments have none."""
    front, body = read_front_matter(content)
    skipped = content[: len(content) - len(body)].count("\n")
    lines = body.split("\n")
    found = [replace(each, line=each.line + skipped) for each in _headings(lines)]
    own = next((each for each in found if each.level == 1), None)
    title = front.title or plain(own.text if own else found[0].text if found else "")
    title = title or " ".join(re.split(r"[-_\s]+", path.rpartition("/")[2].rpartition(".")[0])) or path
    rest = [each for each in found if each is not own or (front.title and plain(own.text) != front.title)]
    last = skipped + len(lines) - (1 if lines[-1] == "" and len(lines) > 1 else 0)
    return Outline(title[: caps.MAX_TITLE_CHARS], tuple(_sections(rest[:MAX_DOC_SECTIONS], last)))


def plain(heading: str) -> str:
    """Return a heading without its attributes, links and emphasis marks."""
    source = _ATTRIBUTES.sub("", heading[:_HEADING_SOURCE_CHARS])
    text = _MARKS.sub(lambda mark: mark["code"] or "", _LINK.sub(r"\1", source))
    return " ".join(unescape(text).split())


def _headings(lines: list[str]) -> Iterator[_Found]:
    ends: Callable[[str], bool] | None = None
    before = ""
    for number, raw in enumerate(lines, start=1):
        line = raw.removesuffix("\r")
        if ends is not None:
            ends = None if ends(line) else ends
            before = ""
        elif (ends := _opened(line)) is not None:
            before = ""
        elif heading := _HEADING.fullmatch(line):
            yield _Found(len(heading.group(1)), _without_closing(heading.group(2) or ""), number)
            before = ""
        elif before and (underline := _UNDERLINE.fullmatch(line)):
            yield _Found(1 if "=" in underline.group(1) else 2, before.strip(), number - 1)
            before = ""
        else:
            # Only a single-line paragraph can be underlined: the second line of a paragraph is not a heading.
            before = "" if _NO_PARAGRAPH.match(line) or (number > 1 and lines[number - 2].strip()) else line


def _without_closing(heading: str) -> str:
    """Return a heading without its closing `#` marks."""
    text = heading.rstrip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if bare.endswith((" ", "\t")) else text


def _opened(line: str) -> Callable[[str], bool] | None:
    """Return a test for the line that ends the code block or comment beginning here, or None."""
    if fence := _FENCE.fullmatch(line):
        mark = fence.group(1)
        end = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
        return lambda later: end.fullmatch(later) is not None
    if line.lstrip().startswith("<!--") and "-->" not in line:
        return lambda later: "-->" in later
    if raw := _RAW_BLOCK.match(line):
        closing = f"</{raw.group(1).lower()}>"
        return None if closing in line.lower() else lambda later: closing in later.lower()
    return None


def _sections(found: list[_Found], last_line: int) -> Iterator[DocSection]:
    """Yield each heading with the lines up to the next one of the same or a higher level."""
    ends = [last_line] * len(found)
    open_ones: list[int] = []
    for index, each in enumerate(found):
        while open_ones and found[open_ones[-1]].level >= each.level:
            ends[open_ones.pop()] = each.line - 1
        open_ones.append(index)
    for each, end in zip(found, ends, strict=True):
        attributes = _ATTRIBUTES.search(each.text)
        anchor = _ANCHOR.search(attributes.group()) if attributes else None
        heading = plain(each.text)[: caps.MAX_HEADING_CHARS]
        yield DocSection(each.level, heading, each.line, end, anchor.group(1) if anchor else "")


def is_sidebar(path: str) -> bool:
    return path.casefold() == SIDEBAR


def category_of(path: str, groups: Mapping[str, str]) -> str:
    """Return the category of a page; empty for a page without a group or folder."""
    known = groups.get(path.casefold())
    return known if known is not None else path.rpartition("/")[0].partition("/")[0]


def sidebar_groups(sidebar: str) -> dict[str, str]:
    """Return the category of each linked page by lowercase path: the parent of its item, otherwise the heading or bold line above."""
    groups: dict[str, str] = {}
    title = ""
    above: list[tuple[int, str]] = []
    for raw in sidebar.split("\n"):
        line = raw.rstrip()
        if item := _ITEM.fullmatch(line):
            depth = len(item.group(1).expandtabs(4))
            above = [each for each in above if each[0] < depth]
            label = above[-1][1] if above else title
            for target in _TARGET.finditer(item.group(2)):
                if _FOREIGN.match(target["path"]):
                    continue
                path = posixpath.normpath(unquote(target["path"].partition("#")[0].partition("?")[0])).lstrip("/")
                if path and path != "." and not path.startswith(".."):
                    is_file = posixpath.splitext(path)[1]
                    groups.setdefault(path.casefold() if is_file else f"{path.casefold()}.md", label)
            above.append((depth, _label(item.group(2))))
        elif (heading := _HEADING.fullmatch(line)) and heading.group(2):
            title, above = _label(_without_closing(heading.group(2))), []
        elif bold := _BOLD_TITLE.fullmatch(line):
            title, above = _label(bold.group(1)), []
    return groups


def _label(text: str) -> str:
    return plain(text).rstrip(":")[: caps.MAX_HEADING_CHARS]
