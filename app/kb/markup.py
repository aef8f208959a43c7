"""Markdown as a reader sees it: the same text without its marks."""

from __future__ import annotations

import re
from typing import Final

from app.text.markdown_blocks import fences

_CODE: Final = re.compile(r"(?P<mark>`+)(?P<code>[^`\n]+)(?P=mark)")
_LINK: Final = re.compile(r"!?\[(?P<text>[^\[\]\n]*)\]\([^()\s]{0,2048}(?:\s\"[^\"\n]*\")?\)")
_LINE_MARK: Final = re.compile(r"^(?:[ \t]*>)*[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+)?", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t]*\|?[ \t:|-]{3,}\|?[ \t]*$", re.MULTILINE)
_EMPHASIS: Final = re.compile(
    r"(?<!\\)(?:(?<![\w*])(?P<open>\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?P<close>\*{1,3}|_{1,3})(?![\w*]))|~~"
)
_ESCAPE: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_SPACE: Final = re.compile(r"[\s\u00a0\u200b\ufeff\u00ad]+")
_KEPT: Final = re.compile("\0(\\d+)\0")


def squeezed(text: str) -> str:
    """The text with every run of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def tells(text: str) -> bool:
    """Whether there is a letter or a digit; the rule of a table and other markup alone have none."""
    return any(character.isalnum() for character in text)


def as_seen(text: str) -> str:
    """The text without Markdown's marks and with single spaces; what is code stays as it is."""
    codes: list[str] = []

    def keep(code: str) -> str:
        codes.append(code)
        return f"\0{len(codes) - 1}\0"

    text = text.replace("\0", "")
    parts: list[str] = []
    place = 0
    for fence in fences(text):
        parts += [text[place : fence.start], keep(fence.content(text))]
        place = fence.end
    plain = _CODE.sub(lambda found: keep(found["code"]), "".join([*parts, text[place:]]))
    plain = _LINK.sub(lambda found: found["text"], plain)
    plain = _RULE.sub("", plain)
    plain = _LINE_MARK.sub("", plain).replace("|", " ")
    plain = _ESCAPE.sub("", _EMPHASIS.sub("", plain)).replace("`", "")
    for _ in range(2):
        plain = _KEPT.sub(lambda found: codes[int(found[1])], plain)
    return squeezed(plain)
