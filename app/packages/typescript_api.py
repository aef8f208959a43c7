"""Declarations of TypeScript (`.d.ts`) with their comments, and pages of them. The text is split into statements, not resolved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from app import caps
from app.library.packages import Symbol
from app.packages.python_names import summary_of

MAX_DECLARATION_CHARS: Final = 1_500
_DECLARATION: Final = re.compile(
    r"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(function|class|interface|type|const\s+enum|enum|const|let|var|namespace|module)\s+([\w$.]+|[\"'][^\"'\n]{1,200}[\"'])"
)
_FILE: Final = re.compile(r"[\"'](?:node:)?([\w/-]+)[\"']")
"""A module as Node.js names it. Others are files of a package, whose names users do not write."""
_GLOBAL: Final = re.compile(r"(?:export\s+)?(?:declare\s+)?global\s*")
_MEMBER: Final = re.compile(
    r"(?:(?:public|protected|static|readonly|abstract|declare|override|accessor|get|set)\s+)*(?:([\w$]+)|[\"']([^\"'\n]{1,100})[\"'])"
    r"[?!]?\s*(?=[(<:=]|\Z)"
)
_HIDDEN: Final = re.compile(
    r"(?:\w++\s++){0,3}?(?:private\s|#)|(?:import|export)\b\s*+(?:[\w=]*+\s*+[{*]|(?:[\w=]++\s++)?from)|export\s+as\s|new\s*[(<]"
)
_BASES: Final = re.compile(r"\b(?:extends|implements)\s+((?:(?!\b(?:extends|implements)\b)[\w$.,\s])+)")
_TOKEN: Final = re.compile(
    r"//[^\n]*|/\*|\"(?:[^\"\\\n]|\\.){0,1000}+\"|'(?:[^'\\\n]|\\.){0,1000}+'|`(?:[^`\\]|\\.){0,1000}+`|=>|[\w$]++|[^\s]|\n"
)
_KINDS: Final = {"const": "constant", "let": "variable", "var": "variable", "module": "namespace"}
_BODIES: Final = {name: name for name in ("class", "interface", "namespace", "enum")} | {"module": "namespace"}
_GOES_ON: Final = frozenset(
    {"=", "|", "&", ":", ",", "=>", "(", "<", "[", "{", "?", "extends", "keyof", "typeof", "is", "infer"}
)
"""A line that ends so does not end its statement."""
_CONTINUES: Final = (*"|&?:.=,)>]{", "extends ", "implements ")  # A line that begins so does not begin a statement.
_STAR: Final = re.compile(r"^[ \t]*\*? ?", re.MULTILINE)
_LINK: Final = re.compile(r"\{@link(?:code|plain)?\s+([^}\n]{1,200})\}")
_TAG: Final = re.compile(r"^@(\w+)[ \t]*", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^\*\*example\*\*[ \t]*$", re.MULTILINE)


@dataclass(slots=True)
class Declaration:
    """A declaration as written, without the body of a class; all overloads of a function. `text` is Markdown."""

    name: str
    kind: str
    signature: str
    text: str
    line: int
    bases: tuple[str, ...] = ()


def declarations_page(declarations: Iterable[Declaration], title: str) -> str | None:
    """Return the Markdown page of the documented declarations; None without any comment."""
    parts = [
        f"## {each.name}\n\n```ts\n{each.signature}\n```\n\n{each.text}".rstrip() for each in declarations if each.text
    ]
    return f"# {title}\n\n" + "\n\n".join(parts) + "\n" if parts else None


def declared_symbols(declarations: Iterable[Declaration], file: str, page: str) -> Iterator[Symbol]:
    """Yield the symbols of a file; `page` is the address of its page, or empty."""
    for each in declarations:
        address = f"{page}#{quote(each.name)}" if page and each.text else page
        yield Symbol(each.name, each.kind, each.signature, summary_of(each.text), file, each.line, address, each.bases)


def read_declarations(source: str) -> list[Declaration]:
    """Return the declarations of a file and the members of its classes, interfaces, namespaces and enumerations."""
    found: dict[tuple[str, str], Declaration] = {}
    for each in _Reader(source).statements():
        known = found.setdefault((each.name, each.kind), each)
        if known is not each and len(known.signature) + len(each.signature) < MAX_DECLARATION_CHARS:
            known.signature = f"{known.signature}\n{each.signature}"
            known.text = known.text or each.text
        if len(found) >= caps.MAX_API_SYMBOLS:
            break
    return list(found.values())


@dataclass(slots=True)
class _Reader:
    """Splits a source into statements in one pass; `outer` are the names and kinds of the open bodies."""

    source: str
    outer: list[tuple[str, str]] = field(default_factory=list)
    start: int = -1
    depth: int = 0
    comment: str = ""
    last: str = ""
    lines: int = 1
    counted: int = 0

    def statements(self) -> Iterator[Declaration]:
        place = 0
        while (token := _TOKEN.search(self.source, place)) is not None:
            place, text = token.end(), token[0]
            if text == "/*":
                place = self.source.find("*/", place)
                if place < 0:
                    break
                place += 2
                if self.start < 0 and self.source.startswith("*", token.end()) and place - token.end() > 3:
                    self.comment = self.source[token.end() + 1 : place - 2]
                continue
            if not text.startswith("//"):
                yield from self._take(text, token.start())
        yield from self._end(len(self.source))

    def _take(self, text: str, place: int) -> Iterator[Declaration]:
        """Take one token; yield the statement that it ends."""
        if text == "export" and place and self.source[place - 1] == "\n":
            # A file with unbalanced brackets is read on from here.
            yield from self._end(place)
            self.outer, self.depth = [], 0
        if self.depth:
            self.depth += (text in ("(", "[", "<", "{")) - (text in (")", "]", ">", "}"))
        elif text in (";", "}") or (text == "," and self.outer and self.outer[-1][1] in ("interface", "enum")):
            yield from self._end(place)
            if text == "}":
                self.comment = ""
                del self.outer[-1:]
            return
        elif text == "\n":
            rest = self.source[place : place + 200].lstrip()
            if self.start >= 0 and self.last not in _GOES_ON and not rest.startswith(_CONTINUES):
                yield from self._end(place)
            return
        elif text == "{" and (body := self._body(place)):
            yield from self._end(place)
            self.outer.append(body)
            return
        elif text in ("(", "[", "<", "{"):
            self.depth = 1
        if text != "\n":
            if self.start < 0:
                self.start = place
            self.last = text

    def _body(self, place: int) -> tuple[str, str] | None:
        """Return the name and kind of the class, interface, namespace or enumeration whose body begins here."""
        head = self.source[max(self.start, place - MAX_DECLARATION_CHARS) : place] if self.start >= 0 else ""
        found = _DECLARATION.match(head)
        kind = _BODIES.get(found[1].split()[-1], "") if found is not None else ""
        if found is not None and kind:
            file = _FILE.fullmatch(found[2])
            name = file[1] if file is not None else "" if found[2].startswith(('"', "'")) else found[2]
            return self._full(name).rstrip("."), kind
        return ("", "namespace") if _GLOBAL.fullmatch(head) else None

    def _full(self, name: str) -> str:
        outer = self.outer[-1][0] if self.outer else ""
        return f"{outer}.{name}" if outer else name

    def _end(self, place: int) -> Iterator[Declaration]:
        """Yield the declaration between the start of the statement and this place."""
        if self.start < 0:
            return
        start, comment, self.start, self.comment, self.last = self.start, self.comment, -1, "", ""
        text = self.source[start : min(place, start + MAX_DECLARATION_CHARS)].strip()
        kind, name = self._kind_and_name(text)
        if name:
            self.lines += self.source.count("\n", self.counted, start)
            self.counted = start
            signature = "\n".join(line for each in text.split("\n") if (line := each.rstrip()))
            bases = tuple(_names(text)) if kind in ("class", "interface") else ()
            plain = _LINK.sub(r"`\1`", _STAR.sub("", comment)).strip()
            shown = _EXAMPLE.sub("Example:", _TAG.sub(r"**\1** ", plain))
            yield Declaration(self._full(name), kind, signature, shown, self.lines, bases)

    def _kind_and_name(self, text: str) -> tuple[str, str]:
        outer = self.outer[-1][1] if self.outer else "namespace"
        if outer == "namespace":
            found = _DECLARATION.match(text)
            if found is None or found[2].startswith(('"', "'")):
                return "", ""
            kind = found[1].split()[-1]
            return _KINDS.get(kind, kind), found[2]
        member = _MEMBER.match(text)
        if member is None or _HIDDEN.match(text):
            return "", ""
        is_method = text[member.end() : member.end() + 1] in ("(", "<")
        return "constant" if outer == "enum" else "method" if is_method else "property", member[1] or member[2]


def _names(text: str) -> Iterator[str]:
    """Yield the names of bases, without their parameters."""
    depth, flat = 0, ""
    for sign in text:
        depth += (sign == "<") - (sign == ">")
        flat += sign if depth == 0 and sign != ">" else ""
    for found in _BASES.finditer(flat):
        yield from (each.strip() for each in found[1].split(",") if each.strip())
