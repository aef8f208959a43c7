"""A Page as full Markdown with its link targets."""

from __future__ import annotations

import re
from typing import Final

from app.extract.page import Link, Page

_FENCE: Final = re.compile(r"^[ \t>]*(?:[-*+]\s+|\d+\.\s+)*(`{3,}|~{3,})", re.MULTILINE)
_PLAIN_TARGET: Final = re.compile(r"[^\s()<>]+")
_EMPHASIS: Final = re.compile(r"([*_`<\[\]])")


def to_markdown(page: Page) -> str:
    """Text of the page with `[text](target)` for every link outside of code, and headings safe from
    emphasis.
    """
    changes = [*_link_changes(page), *_heading_changes(page)]
    parts: list[str] = []
    position = 0
    for start, end, replacement in sorted(changes):
        if start >= position:
            parts += [page.text[position:start], replacement]
            position = end
    parts.append(page.text[position:])
    return "".join(parts)


def _link_changes(page: Page) -> list[tuple[int, int, str]]:
    fences = _fences(page.text)
    headings = [section for section in page.sections if page.text.startswith("#", section.start)]
    heading_lines = [
        (section.start, page.text.find("\n", section.start) % (len(page.text) + 1)) for section in headings
    ]
    skipped = sorted([*fences, *heading_lines])
    changes = []
    number = 0
    for link in page.links:
        while number < len(skipped) and skipped[number][1] <= link.start:
            number += 1
        is_skipped = number < len(skipped) and skipped[number][0] <= link.start
        if not is_skipped and not _in_code_span(page.text, link):
            changes.append((link.start, link.end, f"[{_label(link.text)}]({_target(link.url)})"))
    return changes


def _heading_changes(page: Page) -> list[tuple[int, int, str]]:
    changes = []
    for section in page.sections:
        if page.text.startswith("#", section.start) and _EMPHASIS.search(section.heading):
            start = section.start + section.level + 1
            end = start + len(section.heading)
            changes.append((start, end, _EMPHASIS.sub(r"\\\1", section.heading)))
    return changes


def _fences(text: str) -> list[tuple[int, int]]:
    ranges = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match.start(), match.group(1)
        elif match.group(1).startswith(opened[1]):
            ranges.append((opened[0], match.end()))
            opened = None
    return ranges


def _in_code_span(text: str, link: Link) -> bool:
    line_start = text.rfind("\n", 0, link.start) + 1
    return text.count("`", line_start, link.start) % 2 == 1


def _label(text: str) -> str:
    return text if "[" not in text and "]" not in text else re.sub(r"(?<!\\)([\[\]])", r"\\\1", text)


def _target(url: str) -> str:
    return url if _PLAIN_TARGET.fullmatch(url) else f"<{url}>"
