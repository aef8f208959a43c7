"""Write the inline formats of AsciiDoc: emphasis, code, links, footnotes, formulas and references to attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lxml.html import HtmlElement

from app.extract.markup import Notes, formula
from app.extract.office.elements import append_text, make
from app.paths import asset_table

MAX_FILLED_CHARS: Final = 500_000  # The limit for text that references to attributes insert.
_MAX_DEPTH: Final = 8
_MAX_SPAN: Final = 1_000
_MAX_TARGET: Final = 2_000
_MAX_TRIES: Final = 5
_SIGNS: Final[Mapping[str, str]] = asset_table("markups.toml")["asciidoc"]["signs"]
_REFERENCE: Final = re.compile(r"\\?\{([\w-]{1,100})\}")
_QUOTED: Final = re.compile(r'(?<![\w`])"`([^\s`"](?:[^`"]{0,500}[^\s`"])?)`"(?!\w)')
_TAGS: Final = {"*": "strong", "_": "em", "`": "code", "#": "span", "^": "sup", "~": "sub"}
_START: Final = re.compile(
    r"[\\*_`#^~+<\[(]|(?:https?://|(?:link|xref|image|footnote|stem|latexmath|asciimath|kbd|btn|menu|pass|mailto|icon):)(?=\S)"
)
_TARGET: Final = re.compile(rf"[^\s\[\]<>]{{0,{_MAX_TARGET}}}")
_ROLE: Final = re.compile(r"\[[\w.,%#-]{1,100}\](?=[#*_`])")
_AFTER_ADDRESS: Final = ".,;:!?)'\""


class Inline:
    """Writes text with formats. `attributes` changes while the file is read."""

    def __init__(self, attributes: Mapping[str, str], notes: Notes) -> None:
        self._attributes = attributes
        self._notes = notes
        self._left = MAX_FILLED_CHARS

    def paragraph(self, text: str) -> HtmlElement:
        """Return a paragraph."""
        made = make("p")
        self.write(text, made)
        return made

    def filled(self, text: str) -> str:
        """Return the text with the values of known attributes."""

        def value(match: re.Match[str]) -> str:
            name = match[1].lower()
            said = self._attributes.get(name, _SIGNS.get(name))
            if said is None or match[0].startswith("\\") or len(said) > self._left:
                return match[0].removeprefix("\\")
            self._left -= len(said)
            return said

        return _REFERENCE.sub(value, text) if "{" in text else text

    def write(self, text: str, out: HtmlElement, depth: int = 0) -> None:
        """Append text to an element."""
        text = text if depth else self.filled(_QUOTED.sub(r"“\1”", text))
        plain: list[str] = []
        place = 0
        while match := _START.search(text, place):
            plain.append(text[place : match.start()])
            found = self._span(text, match.start(), match[0], depth) if depth < _MAX_DEPTH else None
            if found is None:
                plain.append(match[0])
                place = match.end()
                continue
            made, place = found
            if isinstance(made, str):
                plain.append(made)
            else:
                append_text(out, "".join(plain))
                plain.clear()
                out.append(made)
        append_text(out, "".join(plain) + text[place:])

    def _span(self, text: str, start: int, sign: str, depth: int) -> tuple[HtmlElement | str, int] | None:
        """Return what begins at a place, and the place after it; None if the sign is only text."""
        after = text[start + 1 : start + 2]
        if sign == "\\":
            return (after, start + 2) if after and after in "*_`#^~+<[(h\\" else None
        if sign in _TAGS:
            return self._formatted(text, start, sign, depth)
        if sign == "+":
            return _passed(text, start)
        if sign == "<":
            end = text.find(">>", start, start + _MAX_SPAN) if after == "<" else -1
            target, _, said = text[start + 2 : end].partition(",")
            return (self._link(f"#{target.lstrip('#')}", said.strip() or target, depth), end + 2) if end > 0 else None
        if sign == "[":
            if role := _ROLE.match(text, start):
                return "", role.end()
            end = text.find("]]", start, start + _MAX_SPAN) if after == "[" else -1
            return ("", end + 2) if end > 0 else None
        if sign == "(":
            hidden = text.startswith("(((", start)
            close = ")))" if hidden else "))"
            end = text.find(close, start, start + _MAX_SPAN) if after == "(" else -1
            return ("" if hidden else text[start + 2 : end], end + len(close)) if end > 0 else None
        return self._macro(text, start, sign, depth)

    def _formatted(self, text: str, start: int, sign: str, depth: int) -> tuple[HtmlElement, int] | None:
        mark = sign * 2 if text.startswith(sign * 2, start) and sign not in "^~" else sign
        begin = start + len(mark)
        is_single = mark in ("*", "_", "`", "#")
        if text[begin : begin + 1].isspace() or (is_single and start and (text[start - 1].isalnum())):
            return None
        end = begin
        for _ in range(_MAX_TRIES):
            end = text.find(mark, end + 1, begin + _MAX_SPAN)
            if end < 0:
                return None
            if not is_single or not (text[end - 1].isspace() or text[end + 1 : end + 2].isalnum()):
                break
        else:
            return None
        inner = text[begin:end]
        if sign in "^~" and any(character.isspace() for character in inner):
            return None
        made = make(_TAGS[sign])
        if sign == "`":
            append_text(made, inner[1:-1] if len(inner) > 2 and inner[0] == inner[-1] == "+" else inner)
        else:
            self.write(inner, made, depth + 1)
        return made, end + len(mark)

    def _macro(self, text: str, start: int, sign: str, depth: int) -> tuple[HtmlElement | str, int] | None:
        is_address = sign.startswith("http")
        if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
            return None
        found = _TARGET.match(text, start if is_address else start + len(sign))
        target, place = (found[0], found.end()) if found else ("", start)
        if (said := _bracketed(text, place)) is None:
            target = target.rstrip(_AFTER_ADDRESS)
            return (self._link(target, target, depth), start + len(target)) if is_address and target else None
        inner, end = said
        name = sign.rstrip(":")
        label = inner.partition(",")[0].strip('" ^') if "=" in inner or inner.endswith("^") else inner.strip('" ')
        if is_address or name in ("link", "xref", "mailto"):
            address = f"#{target.rpartition('#')[2]}" if name == "xref" and ".adoc" not in target else target
            return self._link(address, label or target.lstrip("#"), depth), end
        if name == "footnote":
            mark, note = self._notes.add()
            self.write(inner, note, depth + 1)
            return mark, end
        if name in ("stem", "latexmath", "asciimath"):
            return formula(bare_formula(inner), is_display=False), end
        if name in ("image", "icon"):
            return make("img", src=target, alt=label), end
        if name == "menu":
            return " > ".join([target, *(each.strip() for each in inner.split(">") if each.strip())]), end
        return (make("code", inner) if name == "kbd" else inner), end

    def _link(self, address: str, label: str, depth: int) -> HtmlElement:
        made = make("a", href=address)
        if address == label:
            append_text(made, label)
        else:
            self.write(label, made, depth + 1)
        return made


def bare_formula(tex: str) -> str:
    """Return a formula without the delimiters of LaTeX, which AsciiDoc does not need."""
    tex = tex.strip()
    for start, end in (("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)")):
        if tex.startswith(start) and tex.endswith(end) and len(tex) > len(start) + len(end):
            return tex[len(start) : -len(end)]
    return tex


def _passed(text: str, start: int) -> tuple[HtmlElement | str, int] | None:
    """Return text without formats between `+` signs, or a line break after the last one of a line."""
    mark = "+++" if text.startswith("+++", start) else "++" if text.startswith("++", start) else "+"
    begin = start + len(mark)
    if mark == "+" and text[start - 1 : start] == " " and text[begin : begin + 1] in ("\n", ""):
        return make("br"), begin
    end = text.find(mark, begin + 1, begin + _MAX_SPAN)
    if end < 0 or text[begin].isspace() or text[end - 1].isspace() or text[end + len(mark) : end + 4][:1].isalnum():
        return None
    return text[begin:end], end + len(mark)


def _bracketed(text: str, start: int) -> tuple[str, int] | None:
    """Return the text in the brackets at a place, and the place after them."""
    if text[start : start + 1] != "[":
        return None
    end = start
    for _ in range(_MAX_TRIES):
        end = text.find("]", end + 1, start + 4 * _MAX_SPAN)
        if end < 0 or text[end - 1] != "\\":
            break
    return (text[start + 1 : end].replace("\\]", "]"), end + 1) if end > 0 else None
