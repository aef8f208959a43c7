"""The outline of a Markdown file: its title, its headings with the lines they stand on, and the category it belongs to.

The category is the one under which sidebar.md groups the page, else its first folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from typing import Final
from urllib.parse import unquote

from app import caps
from app.corpus.docsets import DocSection
from app.extract.markdown_source import read_front_matter
from app.text.markdown_blocks import FENCE_MARK

MAX_DOC_SECTIONS: Final = 5_000

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE: Final = re.compile(rf" {{0,3}}{FENCE_MARK}")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_NO_PARAGRAPH: Final = re.compile(r"(?:[ \t]*$| {4}|\t|[ \t]*(?:[-*+>|#<]|\d+[.)][ \t]|:{3}|[`~]{3}))")
_RAW_BLOCK: Final = re.compile(r" {0,3}<(pre|script|style|textarea)\b", re.IGNORECASE)
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]|[\w-]+=)[^{}]*\}[ \t]*$")
_ANCHOR: Final = re.compile(r"#([\w.:-]+)")
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_MARKS: Final = re.compile(
    r"(`+)(?P<code>.+?)\1|</?[A-Za-z][^<>]*>|\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)"
    r"|\\(?=[!-/:-@\[-`{-~])"
)
SIDEBAR: Final = "sidebar.md"
"""The page that groups the others; at the top of its folder, in any case of letters."""
_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+]|\d+[.)])[ \t]+(.*)")
_TITLE: Final = re.compile(r" {0,3}(?:#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?|(\*\*.+\*\*|__.+__):?)[ \t]*")
_TARGET: Final = re.compile(r"\[(?P<text>[^\[\]]*)\]\(\s*<?(?P<path>[^()\s<>]+)[^()]*\)")
_FOREIGN: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outline:
    """Title and headings of a page; the heading that is the title is no section."""

    title: str
    sections: tuple[DocSection, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    level: int
    text: str
    line: int


def outline(content: str, path: str) -> Outline:
    """The title is that of the front matter, else the first heading of level one, else the first heading, else the file's name.

    What looks like a heading inside code, comments and front matter is none.
    """
    front, body = read_front_matter(content)
    skipped = content[: len(content) - len(body)].count("\n")
    lines = body.split("\n")
    found = [replace(each, line=each.line + skipped) for each in _headings(lines)]
    own = next((each for each in found if each.level == 1), None)
    title = front.title or plain(own.text if own else found[0].text if found else "") or _name(path)
    rest = [each for each in found if each is not own or (front.title and plain(own.text) != front.title)]
    last = skipped + len(lines) - (1 if lines[-1] == "" and len(lines) > 1 else 0)
    return Outline(title[: caps.MAX_TITLE_CHARS], tuple(_sections(rest[:MAX_DOC_SECTIONS], last)))


def plain(heading: str) -> str:
    """A heading without its attributes, links and marks of emphasis."""
    text = _MARKS.sub(lambda mark: mark["code"] or "", _LINK.sub(r"\1", _ATTRIBUTES.sub("", heading)))
    return " ".join(unescape(text).split())


def _headings(lines: list[str]) -> Iterator[_Found]:
    end: re.Pattern[str] | None = None
    before = ""
    for number, raw in enumerate(lines, start=1):
        line = raw.removesuffix("\r")
        if end is not None:
            end = None if end.search(line) else end
            before = ""
        elif (end := _opened(line)) is not None:
            before = ""
        elif heading := _HEADING.fullmatch(line):
            yield _Found(len(heading.group(1)), heading.group(2) or "", number)
            before = ""
        elif before and (underline := _UNDERLINE.fullmatch(line)):
            yield _Found(1 if "=" in underline.group(1) else 2, before.strip(), number - 1)
            before = ""
        else:
            # Only a paragraph of one line can be underlined: the second line of one is no heading.
            before = "" if _NO_PARAGRAPH.match(line) or (number > 1 and lines[number - 2].strip()) else line


def _opened(line: str) -> re.Pattern[str] | None:
    """What ends the block of code or comment that begins with this line."""
    if fence := _FENCE.fullmatch(line):
        mark = fence.group(1)
        return re.compile(rf"^ {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t]*$")
    if line.lstrip().startswith("<!--") and "-->" not in line:
        return re.compile("-->")
    if (raw := _RAW_BLOCK.match(line)) and f"</{raw.group(1).lower()}>" not in line.lower():
        return re.compile(f"</{raw.group(1)}>", re.IGNORECASE)
    return None


def _sections(found: list[_Found], last_line: int) -> Iterator[DocSection]:
    """Each heading with the lines up to the next one of its level or a higher one."""
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


def _name(path: str) -> str:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return " ".join(re.split(r"[-_\s]+", stem)) or path


def is_sidebar(path: str) -> bool:
    return path.casefold() == SIDEBAR


def category_of(path: str, groups: Mapping[str, str]) -> str:
    """The category of a page; empty for one that is in no group and in no folder."""
    known = groups.get(path.casefold())
    return known if known is not None else path.rpartition("/")[0].partition("/")[0]


def sidebar_groups(sidebar: str) -> dict[str, str]:
    """The category of each page that the sidebar links to, by its path in lower case.

    A page belongs to the item that its own item is nested in, else to the heading or bold line above it.
    """
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
                if path := _path(target["path"]):
                    groups.setdefault(path, label)
            above.append((depth, _label(item.group(2))))
        elif heading := _TITLE.fullmatch(line):
            title, above = _label(heading.group(1) or heading.group(2)), []
    return groups


def _label(text: str) -> str:
    return plain(text).rstrip(":")[: caps.MAX_HEADING_CHARS]


def _path(target: str) -> str:
    """The page that a link of the sidebar leads to, in lower case; empty for one that leads elsewhere."""
    if _FOREIGN.match(target):
        return ""
    path = posixpath.normpath(unquote(target.partition("#")[0].partition("?")[0])).lstrip("/")
    if not path or path == "." or path.startswith(".."):
        return ""
    return path.casefold() if posixpath.splitext(path)[1] else f"{path.casefold()}.md"
