"""MDX: the parts of JavaScript in a Markdown file taken out or written as HTML, code left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

_FENCE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*+(`{3,}|~{3,})", re.MULTILINE)
_IMPORT: Final = re.compile(
    r"^import\s+(?:[\w$*{][^;'\"`()]{0,2000}?\s+from\s+)?(['\"])[^'\"\n]+\1[ \t]*;?[ \t]*$\n?", re.MULTILINE
)
_EXPORT: Final = re.compile(
    r"^export\s+(?:default|const|let|var|function|async|class|\{)[^\n]*\n(?:[^\n]+\n)*", re.MULTILINE
)
_COMMENT_START: Final = re.compile(r"\{\s*/\*")
_COMMENT_END: Final = re.compile(r"\*/\s*\}")
_SPACE: Final = re.compile(r"\{\s*(['\"`])(\s+)\1\s*\}")
_SPAN: Final = re.compile(r"(?<!`)(`++).{1,2000}?(?<!`)\1(?!`)", re.DOTALL)
_TAG: Final = re.compile(r"<(/?)([A-Z][\w.]*|(?=>))")
_BRACE_ATTRIBUTE: Final = re.compile(r"(<[a-z][^<>{}]*?)\s[\w-]+=\{(?:[^{}]|\{[^{}]*\})*\}")
_MAX_BRACE_ATTRIBUTES: Final = 20
"""More of them in one tag stay."""
_ATTRIBUTE: Final = re.compile(r"\b([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|\{\s*['\"`]([^'\"`]*)['\"`]\s*\})")
_MAX_TAG_CHARS: Final = 8_000
_MAX_CHARS: Final = 1_000_000
"""A longer file is no page that someone wrote with components."""
_ENDLESS: Final = -1
_NOTICES: Final = {
    "note": "note", "tip": "tip", "info": "info", "warning": "warning", "caution": "caution", "danger": "danger",
    "callout": "note", "admonition": "note", "alert": "note", "check": "tip", "aside": "note",
}  # fmt: skip
_TABS: Final = frozenset({"tab", "tabitem"})
_TITLED: Final = frozenset({"card", "linkcard", "step", "accordion", "accordionitem", "details", "update"})


def is_mdx(source: str, url: str) -> bool:
    """Whether a file is MDX by its name or imports modules, and of a size that one has."""
    if len(source) > _MAX_CHARS:
        return False
    return url.partition("#")[0].lower().endswith(".mdx") or bool(_IMPORT.search(_without_fences(source)))


def to_markdown(source: str) -> str:
    """The source without imports, exports and components; what components say in attributes stays."""
    return "".join(part if is_code else _plain(part) for part, is_code in _parts(source))


def _without_fences(source: str) -> str:
    return "".join(part for part, is_code in _parts(source) if not is_code)


def _parts(source: str) -> Iterator[tuple[str, bool]]:
    """Stretches of the source and whether each is a fenced block."""
    start = 0
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(source):
        if opened is None:
            opened = (match.start(), match.group(1))
            continue
        line_end = source.find("\n", match.end())
        line_end = len(source) if line_end < 0 else line_end + 1
        if match.group(1).startswith(opened[1]) and not source[match.end() : line_end].strip():
            yield source[start : opened[0]], False
            yield source[opened[0] : line_end], True
            start, opened = line_end, None
    end = opened[0] if opened else len(source)
    yield source[start:end], False
    yield source[end:], True


def _plain(text: str) -> str:
    text = _EXPORT.sub("\n", _IMPORT.sub("", text))
    text = _SPACE.sub(r"\2", _without_comments(text))
    pieces: list[str] = []
    position = 0
    for span in _SPAN.finditer(text):
        pieces += [_without_tags(text[position : span.start()]), span.group()]
        position = span.end()
    pieces.append(_without_tags(text[position:]))
    return "".join(pieces)


def _without_comments(text: str) -> str:
    pieces: list[str] = []
    position = 0
    while (start := _COMMENT_START.search(text, position)) and (end := _COMMENT_END.search(text, start.end())):
        pieces.append(text[position : start.start()])
        position = end.end()
    pieces.append(text[position:])
    return "".join(pieces)


def _without_tags(text: str) -> str:
    """The text with the tags of components replaced, and without attributes in braces."""
    pieces: list[str] = []
    position = 0
    while (match := _TAG.search(text, position)) is not None:
        end = _tag_end(text, match.end())
        if end == _ENDLESS:
            break
        if end is None:
            pieces.append(text[position : match.end()])
            position = match.end()
            continue
        pieces += [text[position : match.start()], _replacement(match, text[match.end() : end])]
        position = end + 1
    pieces.append(text[position:])
    return _without_brace_attributes("".join(pieces))


def _replacement(match: re.Match[str], attributes: str) -> str:
    """What stands for the tag of a component."""
    name = match.group(2).rpartition(".")[2].lower()
    is_end = bool(match.group(1))
    if name in _NOTICES:
        return "\n\n</div>\n\n" if is_end else _notice(name, attributes)
    values = {found.group(1): next(filter(None, found.groups()[1:]), "") for found in _ATTRIBUTE.finditer(attributes)}
    label = values.get("label") or values.get("title") or (values.get("value") if name in _TABS else "") or ""
    if is_end or not label or name not in _TABS | _TITLED:
        return "\n\n" if name in _TABS | _TITLED else ""
    target = values.get("href") or values.get("to")
    return f"\n\n[{label}]({target})\n\n" if target else f"\n\n**{label}**\n\n"


def _notice(name: str, attributes: str) -> str:
    values = {found.group(1): next(filter(None, found.groups()[1:]), "") for found in _ATTRIBUTE.finditer(attributes)}
    kind = (values.get("type") or _NOTICES[name]).lower()
    title = f'<p class="admonition-title">{escape(values["title"])}</p>' if values.get("title") else ""
    end = "\n\n</div>" if attributes.rstrip().endswith("/") else ""
    return f'\n\n<div class="admonition {escape(kind)}">{title}{end}\n\n'


def _tag_end(text: str, start: int) -> int | None:
    """Place of the `>` that ends a tag, past strings and braces; None when this is no tag, _ENDLESS when it has no end."""
    depth = 0
    quote = ""
    for place in range(start, min(len(text), start + _MAX_TAG_CHARS)):
        character = text[place]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'`" and (depth or text[place - 1] == "="):
            quote = character
        elif character in "{}":
            depth += 1 if character == "{" else -1
        elif depth <= 0 and character in "<>":
            return place if character == ">" else None
    return _ENDLESS


def _without_brace_attributes(text: str) -> str:
    """The text without attributes such as `style={{…}}` of HTML elements."""
    for _ in range(_MAX_BRACE_ATTRIBUTES):
        text, count = _BRACE_ATTRIBUTE.subn(r"\1", text)
        if not count:
            break
    return text
