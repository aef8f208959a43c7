"""Pages of TypeScript declarations (`.d.ts`) with their comments. The text is split into declarations, not resolved."""

from __future__ import annotations

import re
from typing import Final

from app import caps

MAX_DECLARATION_CHARS: Final = 1_500
_DECLARATION: Final = re.compile(
    r"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?"
    r"(function|class|interface|type|enum|const|let|var|namespace|module)\s+([\w$.]+)"
)
_SIGN: Final = re.compile(r"[()\[\]<>;{\n]")
_MEMBER: Final = re.compile(r"(?:public\s+|static\s+|readonly\s+|abstract\s+|get\s+|set\s+)*([\w$]+)\??\s*[(:<]")
_STAR: Final = re.compile(r"^[ \t]*\*? ?", re.MULTILINE)
_LINK: Final = re.compile(r"\{@link(?:code|plain)?\s+([^}\n]{1,200})\}")
_TAG: Final = re.compile(r"^@(\w+)[ \t]*", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^\*\*example\*\*[ \t]*$", re.MULTILINE)


def declarations_page(source: str, title: str) -> tuple[str, int] | None:
    """Return the Markdown page of the documented declarations, and their number; None without any comment."""
    parts: list[str] = []
    outer, place, count = "", 0, 0
    while count < caps.MAX_API_SYMBOLS and (start := source.find("/**", place)) >= 0:
        end = source.find("*/", start + 3)
        if end < 0:
            break
        outer = _outer(source[place:start], outer)
        comment, place = source[start + 3 : end], end + 2
        declared = _declared(source, place)
        name = _name(declared, outer)
        if name:
            count += 1
            parts.append(f"## {name}\n\n```ts\n{declared}\n```\n\n{_text(comment)}".rstrip())
    return (f"# {title}\n\n" + "\n\n".join(parts) + "\n", count) if count else None


def _declared(source: str, start: int) -> str:
    """Return the declaration after a comment: to its semicolon or body, with line breaks as written."""
    depth = 0
    end = min(len(source), start + MAX_DECLARATION_CHARS)
    for found in _SIGN.finditer(source, start, end):
        sign, place = found[0], found.start()
        before = source[place - 1]
        depth += (sign in "([<") - (sign in ")]" or (sign == ">" and before not in "=-"))
        is_body = sign == "{" and source[start:place].rstrip()[-1:] not in (":", "=", "|", "&", ">")
        if depth <= 0 and (sign == ";" or is_body or (sign == "\n" and before in ",}")):
            end = place
            break
    lines = [line.rstrip() for line in source[start:end].strip().split("\n")]
    return "\n".join(line for line in lines if line)


def _name(declared: str, outer: str) -> str:
    found = _DECLARATION.match(declared)
    if found is not None:
        return found[2]
    member = _MEMBER.match(declared)
    if member is None or declared.startswith(("import", "export {", "export *")):
        return ""
    return f"{outer}.{member[1]}" if outer else member[1]


def _outer(between: str, outer: str) -> str:
    """Return the class or interface whose body is open at the end of this text."""
    for line in between.split("\n"):
        found = _DECLARATION.match(line.lstrip())
        if found is not None and found[1] in ("class", "interface", "namespace", "module"):
            outer = found[2]
        elif line.startswith("}"):
            outer = ""
    return outer


def _text(comment: str) -> str:
    """Return the comment as Markdown."""
    plain = _LINK.sub(r"`\1`", _STAR.sub("", comment)).strip()
    return _EXAMPLE.sub("Example:", _TAG.sub(r"**\1** ", plain))
