"""Read Texinfo: sections, lists, tables, examples, definitions and inline commands. Other files are never included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.markup import MAX_DEPTH, Notes, Source, code_block
from app.extract.office.elements import append_text, make
from app.extract.page import Page
from app.paths import asset_table

_TABLES: Final[Mapping[str, Any]] = asset_table("markups.toml")["texinfo"]
_LEVELS: Final = {name: level for level, names in enumerate(_TABLES["levels"], 1) for name in names.split()}
_CODE: Final = frozenset(_TABLES["code"])
_SETTINGS: Final = frozenset(_TABLES["settings"])
_UNREAD: Final = frozenset(_TABLES["unread"])
_BLOCKS: Final = frozenset(_TABLES["blocks"])
_NO_BLOCKS: Final = frozenset({"definfoenclose", "defindex", "defcodeindex"})
_LISTS: Final[Mapping[str, str]] = _TABLES["lists"]
_LINE: Final = re.compile(r"[ \t]*@([a-zA-Z]++)(?:[ \t]++([^\n]*+)|[ \t]*+)")
_TOKEN: Final = re.compile(
    r"@c(?:omment)?(?![a-zA-Z{])[^\n]*+|@([a-zA-Z]++)(\{?)|@([^a-zA-Z\s])|@[\s]|([{}])|``|''|---?"
)
_SIGNS: Final = {"``": "“", "''": "”", "---": "—", "--": "–"}
_WORDS: Final[Mapping[str, str]] = _TABLES["words"]
_TAGS: Final = {
    **dict.fromkeys(word_set("code samp kbd command option file env var verb key t"), "code"),
    **dict.fromkeys(("emph", "i", "slanted", "dfn", "cite"), "em"),
    **dict.fromkeys(("strong", "b"), "strong"),
}
_LINKS: Final = frozenset({"url", "uref", "email", "ref", "xref", "pxref", "inforef"})
_UNSEEN: Final = word_set("anchor image shortcaption hyphenation errormsg label value U")
_PHRASES: Final = {"xref": "See ", "pxref": "see "}


def extract_texinfo(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a Texinfo file. Raises EmptyPageError and UnsupportedContentError."""
    source = Source(body, url=url, charset=charset)
    if source.is_data():
        return source.as_written()
    reader = _Reader(source)
    lines = source.text.partition("\n@bye")[0].split("\n")
    begin = next((at + 1 for at, line in enumerate(lines) if line.startswith("@c %**end of header")), 0)
    begin = begin or int(lines[0].startswith("\\input "))
    for command in map(_LINE.fullmatch, lines[:begin]):
        if command:
            reader.take_setting(command[1], command[2] or "")
    reader.write(lines[begin:], reader.content, 0)
    reader.notes.append_to(reader.content)
    return source.page(reader.content, title=reader.title)


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._values: dict[str, str] = {}
        self.content = make("body")
        self.notes = Notes()
        self.title = ""
        self._anchor = ""

    def write(self, lines: list[str], out: HtmlElement, depth: int) -> None:
        """Write lines, which are the whole file or the content of a block."""
        paragraph: list[str] = []
        endless: set[str] = set()
        place = 0
        while place < len(lines):
            line = lines[place]
            command = _LINE.fullmatch(line)
            name, rest = (command[1], (command[2] or "").strip()) if command else ("", "")
            place += 1
            is_other = name.startswith(("def", "if")) and not name.endswith("x") and name not in _NO_BLOCKS
            if name in _CODE | _UNREAD | _LISTS.keys() or (place < len(lines) and (is_other or name in _BLOCKS)):
                self._write_paragraph(paragraph, out)
                end = len(lines) if name in endless else _end_of(lines, place, name)
                if name in _UNREAD and end == len(lines):
                    endless.add(name)  # Only its line is omitted.
                else:
                    self._write_block(name, rest, lines[place:end], out, depth)
                    place = end + 1
            elif not line.strip() or name in _LEVELS or name in ("sp", "page", "noindent", "indent", "node", "center"):
                self._write_paragraph(paragraph, out)
                if name == "node":
                    self._anchor = rest.partition(",")[0].strip()
                elif name in _LEVELS:
                    heading = make(f"h{min(_LEVELS[name], 6)}", id=self._anchor.replace(" ", "-"))
                    out.append(self._filled(heading, rest))
                    self._anchor = ""
                elif name == "center":
                    out.append(self._filled(make("p"), rest))
            elif not self.take_setting(name, rest):
                paragraph.append(line)
        self._write_paragraph(paragraph, out)

    def take_setting(self, name: str, rest: str) -> bool:
        """Whether the line sets something or means nothing in the text."""
        if name == "set":
            key, _, value = rest.partition(" ")
            self._values[key] = value.strip()
        elif name in ("settitle", "title") and not self.title:
            self.title = self._text(rest)
        elif name == "include":
            self._source.included += 1
        return name in _SETTINGS or name.endswith("index")

    def _write_paragraph(self, lines: list[str], out: HtmlElement) -> None:
        if lines:
            out.append(self._filled(make("p"), "\n".join(lines)))
            lines.clear()

    def _write_block(self, name: str, rest: str, lines: list[str], out: HtmlElement, depth: int) -> None:
        if name in _UNREAD:
            return
        if name in _CODE:
            kept = lines if name == "verbatim" else [self._text(line) for line in lines if not _LINE.fullmatch(line)]
            out.append(code_block("\n".join(kept)))
        elif depth >= MAX_DEPTH:
            commands = [(_LINE.fullmatch(line), line) for line in lines]
            self._write_paragraph([command[2] or "" if command else line for command, line in commands], out)
        elif name in _LISTS:
            self._write_list(name, rest, lines, out, depth)
        elif name.startswith("def"):
            out.append(make("p", "", make("code", self._text(rest))))
            for line in lines:
                if (also := _LINE.fullmatch(line)) is not None and also[1].startswith("def") and also[1].endswith("x"):
                    out.append(make("p", "", make("code", self._text(also[2] or ""))))
            self.write([line for line in lines if not re.match(r"@def\w*x\b", line)], out, depth + 1)
        else:
            inner = make("blockquote" if name.endswith("quotation") else "div")
            out.append(inner)
            self.write(lines, inner, depth + 1)

    def _write_list(self, name: str, said: str, lines: list[str], out: HtmlElement, depth: int) -> None:
        made, style = make(_LISTS[name]), re.match(r"@[a-zA-Z]+", said)
        items: list[tuple[str, str, list[str]]] = []
        before: list[str] = []
        place = 0
        while place < len(lines):
            command = _LINE.fullmatch(lines[place])
            end = place + 1
            if command and command[1] in ("item", "itemx", "headitem"):
                items.append((command[1], command[2] or "", []))
            else:
                if command and command[1] in _CODE | _UNREAD | _LISTS.keys():
                    end = _end_of(lines, end, command[1]) + 1
                (items[-1][2] if items else before).extend(lines[place:end])
            place = end
        self.write(before, out, depth + 1)
        out.append(made)
        for kind, first, rest in items:
            if made.tag == "table":
                cells = re.split(r"(?:^|[ \t])@tab\b[ \t]*", "\n".join([first, *rest]), flags=re.MULTILINE)
                tag = "th" if kind == "headitem" else "td"
                made.append(make("tr", "", *(self._filled(make(tag), cell.strip()) for cell in cells)))
            elif made.tag == "dl":
                made.extend([self._filled(make("dt"), f"{style[0]}{{{first}}}" if style else first), make("dd")])
                self.write(rest, made[-1], depth + 1)
            else:
                made.append(make("li"))
                self.write([first, *rest] if first else rest, made[-1], depth + 1)

    def _text(self, text: str) -> str:
        return str(self._filled(make("span"), text).text_content())

    def _filled(self, out: HtmlElement, text: str) -> HtmlElement:
        """Return the element with a text, whose inline commands become elements."""
        stack: list[tuple[str, HtmlElement]] = [("", out)]
        codes, place, texts = 0, 0, list[str]()
        for token in _TOKEN.finditer(text):
            texts.append(text[place : token.start()])
            place = token.end()
            name, brace, sign, mark = token.groups()
            if (name and brace and len(stack) < MAX_DEPTH) or (mark == "}" and len(stack) > 1):
                append_text(stack[-1][1], "".join(texts))
                texts.clear()
                if mark:
                    codes -= stack[-1][1].tag == "code"
                    self._close(*stack.pop(), stack[-1][1])
                else:
                    made = shown = make("a" if name in _LINKS else _TAGS.get(name, "span"))
                    if name == "footnote":
                        shown, made = self.notes.add()
                    if name not in _UNSEEN:
                        stack[-1][1].append(shown)
                    stack.append((name, made))
                    codes += made.tag == "code"
            elif token[0] in _SIGNS:
                texts.append(token[0] if codes else _SIGNS[token[0]])
            else:
                texts.append(sign.strip("*:/|") if sign else "")
        texts.append(text[place:])
        append_text(stack[-1][1], "".join(texts))
        return out

    def _close(self, name: str, made: HtmlElement, out: HtmlElement) -> None:
        if name in _WORDS:
            append_text(made, _WORDS[name])
        elif name == "value":
            append_text(out, self._values.get(made.text_content().strip(), ""))
        elif name == "U":
            code = re.fullmatch(r"[0-9A-Fa-f]{2,6}", made.text_content().strip())
            append_text(out, chr(int(code[0], 16)) if code and int(code[0], 16) < 0x110000 else "")
        elif name in _LINKS or name in ("acronym", "abbr"):
            parts = [" ".join(part.split()) for part in made.text_content().split(",")]
            shown = next((part for part in parts[1:3] if part), parts[0])
            for inner in list(made):
                made.remove(inner)
            made.text = _PHRASES.get(name, "") + shown
            if name in ("url", "uref"):
                made.set("href", parts[0])


def _end_of(lines: list[str], place: int, name: str) -> int:
    """Return the place of the line that ends a block; blocks of the same name can be nested in it."""
    depth = 1
    for at in range(place, len(lines)):
        words = lines[at].split(None, 2)[:2]
        if words[:1] == [f"@{name}"]:
            depth += name != "verbatim"
        elif words == ["@end", name]:
            depth -= 1
        if not depth:
            return at
    return len(lines)
