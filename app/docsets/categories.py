"""To which category a page belongs: as sidebar.md groups it, else its first folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from app import caps
from app.docsets.markdown import plain

SIDEBAR: Final = "sidebar.md"
"""The page that groups the others; at the top of its folder, in any case of letters."""

_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+]|\d+[.)])[ \t]+(.*)")
_TITLE: Final = re.compile(r" {0,3}(?:#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?|(\*\*.+\*\*|__.+__):?)[ \t]*")
_TARGET: Final = re.compile(r"\[(?P<text>[^\[\]]*)\]\(\s*<?(?P<path>[^()\s<>]+)[^()]*\)")
_FOREIGN: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


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
