"""Read manual pages with the macros man (man(7)) or mdoc (mdoc(7)), without fonts. Other pages are never included.

A line that begins with a dot is a macro; the others are text with escapes such as `\\-`. Tables (tbl) keep their source lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lxml.html import HtmlElement

from app.extract.markup import Source, code_block
from app.extract.office.elements import append_text, make
from app.extract.page import Page
from app.paths import asset_table

_ESCAPE: Final = re.compile(
    r"\\(?:\*(?:\((?P<string>..)|\[(?P<named>[^\]\n]{1,40})\]|.)|[fFmMgkYVn][+-]?(?:\(..|\[[^\]\n]{0,80}\]|.)"
    r"|s(?:[+-]?\d{1,2}|\[[^\]\n]{0,9}\])|[hvwDlLobxXZzR]'[^'\n]{0,200}'|N'(?P<code>\d{1,4})'"
    r"|\((?P<short>..)|\[(?P<long>[^\]\n]{1,40})\]|(?P<sign>.)|\n)"
)
_COMMENT: Final = re.compile(r'(?<!\\)\\["#]')
_ARGUMENT: Final = re.compile(r'"((?:[^"]|"")*+)"?|((?:\\.|[^\s\\])++)')
_TABLES: Final[Mapping[str, Any]] = asset_table("markups.toml")["manual"]
_GLYPHS: Final[Mapping[str, str]] = _TABLES["glyphs"]
_ACCENTS: Final[Mapping[str, str]] = _TABLES["accents"]
_STRINGS: Final[Mapping[str, str]] = _TABLES["strings"]
_SIGNS: Final = {"e": "\\", "\\": "\\", "~": "\xa0", "0": " ", "t": "\t"}
_NOTHING: Final = "&/,|^%:c)dupr{}!?za"  # Escapes that set no character.
_ENCLOSING: Final[Mapping[str, str]] = _TABLES["enclosing"]
_OPENING: Final[Mapping[str, str]] = _TABLES["opening"]
_CLOSING: Final[Mapping[str, str]] = _TABLES["closing"]
_SYSTEMS: Final[Mapping[str, str]] = _TABLES["systems"]
_FORMATS: Final = frozenset(_TABLES["formats"])
_AFTER: Final = frozenset(".,:;?!)]")
_NOT_ARGUMENTS: Final = _FORMATS | _AFTER | _ENCLOSING.keys()


def plain(text: str) -> str:
    """Return text without escapes and comments."""
    if "\\" not in text:
        return text
    comment = _COMMENT.search(text)
    return _ESCAPE.sub(_character, text[: comment.start()] if comment else text)


def words_of(text: str) -> list[str]:
    """Return the arguments of a macro, which are separated by spaces or quoted."""
    comment = _COMMENT.search(text)
    found = _ARGUMENT.findall(text[: comment.start()] if comment else text)
    return [plain(quoted.replace('""', '"') or bare) for quoted, bare in found]


def mdoc_text(line: str, name: str) -> str:
    """Return the text of mdoc macros and their arguments in a program named `name`."""
    written = _Written()
    macro, last_macro = "", 0
    words = words_of(line)
    last = len(words)
    while last and words[last - 1] in _AFTER:
        last -= 1
    words, after = words[:last], words[last:]
    for at, word in enumerate(words):
        ends = at + 1 == len(words) or words[at + 1] in _NOT_ARGUMENTS
        if word in _FORMATS:
            macro, last_macro = word, at
            written.is_joined |= word == "Ns"
            written.add({"Nm": name, "Fl": "-", "Ar": "file ..."}.get(word, "") if ends else "")
        elif not written.take_mark(word):
            since = at - last_macro
            if macro == "Xr" and since == 2:
                written.add(f"({word})", is_joined=True)
            elif macro == "Fn":
                written.add(f"{word}(" if since == 1 else word if since == 2 else f", {word}", is_joined=since > 1)
                if since == 1:
                    written.closers.append(")")
            else:
                written.add(f"-{word}" if macro == "Fl" and word not in _AFTER and word != "|" else word)
            written.is_joined |= macro == "Pf" and since == 1
    return written.closed() + "".join(after)


class _Written:
    """Words that are joined with spaces, but not around punctuation, and the marks that close them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.closers: list[str] = []
        self.is_joined = True

    def take_mark(self, word: str) -> bool:
        """Write a macro that stands for marks or a name. Return whether it is one."""
        if opening := _OPENING.get(word) or _ENCLOSING.get(word):
            self.add(opening[0])
            self.closers += opening[1:]
            self.is_joined = True
        elif word in _CLOSING or word in _SYSTEMS:
            self.is_joined |= word in _CLOSING
            self.add(_CLOSING.get(word) or _SYSTEMS[word])
        return bool(opening or word in _CLOSING or word in _SYSTEMS)

    def add(self, text: str, *, is_joined: bool = False) -> None:
        if text:
            self._parts.append(text if is_joined or self.is_joined or text in _AFTER else f" {text}")
            self.is_joined = text in ("(", "[")

    def closed(self) -> str:
        return "".join([*self._parts, *reversed(self.closers)])


def _character(escape: re.Match[str]) -> str:
    if code := escape["code"]:
        return chr(int(code))
    if sign := escape["sign"]:
        return _SIGNS.get(sign, "" if sign in _NOTHING else sign)
    if string := escape["string"] or escape["named"]:
        return _STRINGS.get(string, "")
    name = escape["short"] or escape["long"] or ""
    if re.fullmatch(r"u[0-9A-F]{4,6}", name) and int(name[1:], 16) < 0x110000:
        return chr(int(name[1:], 16))
    if name not in _GLYPHS and len(name) == 2 and name[0] in _ACCENTS:
        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    return _GLYPHS.get(name, "")


MAX_START_CHARS: Final = 20_000  # The title follows at most this much of comments and definitions.
_START: Final = re.compile(r"^\.[ \t]*+(?:TH|Dd|Dt)[ \t]|\A\.so[ \t]", re.MULTILINE)
_CONDITION: Final = re.compile(r"[.'][ \t]*+(?:(if|ie)\b|el[ \t]*+(?:\\\{)?+[ \t]*+)")
_NUMBER: Final = re.compile(r"[\[(]?\d{1,3}[.)\]]?")
_BULLETS: Final = ("", "•", "-", "*", "o", "·", "–")
_MAX_TERM_CHARS: Final = 100


def extract_manual(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a manual page; of other text under such a name, the plain text. Raises EmptyPageError."""
    source = Source(body, url=url, charset=charset)
    if source.is_data():
        return source.as_written()
    if not _START.search(source.text, 0, MAX_START_CHARS):
        return source.plain()
    reader = _Reader(source)
    reader.read(source.text.replace("\\\n", "").split("\n"))
    return source.page(reader.content, title=reader.title)


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.content = make("body")
        self.title = ""
        self._name = ""
        self._block: list[str] = []
        """The lines of the current paragraph."""
        self._list: HtmlElement | None = None
        self._lines: list[str] | None = None
        """Lines that keep their spaces, inside of such."""
        self._is_term = False
        """Whether the next text is the term of a list."""
        self._macro_end = ""
        """The line that ends the definition of a macro, inside of one."""
        self._braces = 0
        """Open braces of conditions that are not met: `.if` and `.ie`. `.el` applies."""
        self._last: dict[str, int] = {}
        """The last place of each line that is still to come: a definition without an end is not one."""
        self._place = 0
        self._in_synopsis = False

    def read(self, lines: Sequence[str]) -> None:
        self._last = {line.rstrip(): place for place, line in enumerate(lines)}
        closing = next((place for place in range(len(lines) - 1, -1, -1) if "\\}" in lines[place]), -1)
        for self._place, line in enumerate(lines):
            if self._macro_end:
                self._macro_end = "" if line.rstrip() == self._macro_end else self._macro_end
            elif self._braces or ((condition := _CONDITION.match(line)) and condition[1]):
                braces = self._braces + line.count("\\{") - line.count("\\}")
                self._braces = max(0, braces) if self._place < closing else 0
            else:
                line = line[condition.end() :] if condition else line
                name, _, rest = line[1:].strip().partition(" ") if line[:1] in (".", "'") else ("", "", "")
                if not name:
                    self._add_text(plain(line))
                elif action := _ACTIONS.get(name):
                    action(self, name, rest.strip())
        self.end_code()

    def begin_macro(self, name: str, rest: str) -> None:
        words = rest.split()
        end = next(iter(words if name == "ig" else words[1:]), ".")
        self._macro_end = f".{end}" if self._last.get(f".{end}", -1) > self._place else ""

    def count_included(self, _name: str, _rest: str) -> None:
        self._source.included += 1

    def write_title(self, _name: str, rest: str) -> None:
        words = words_of(rest)
        if words and not self.title:
            name = words[0].lower() if words[0].isupper() else words[0]
            self.title = f"{name}({words[1]})" if len(words) > 1 else name
            self.content.append(make("h1", self.title))

    def write_heading(self, name: str, rest: str) -> None:
        self.end_paragraph("PP", "")
        text = " ".join(words_of(rest))
        self._in_synopsis = text == "SYNOPSIS"
        text = text.capitalize() if text.isupper() else text
        self.content.append(make("h2" if name in ("SH", "Sh") else "h3", text))

    def end_paragraph(self, name: str, _rest: str) -> None:
        """End a paragraph; some macros also end a list. In preformatted text, they are an empty line."""
        if self._lines is not None:
            self._lines.append("")
        else:
            self._end_block()
            self._list = None if name in ("P", "PP", "LP", "HP", "Bl", "El") else self._list

    def begin_indent(self, _name: str, _rest: str) -> None:
        """Indented text after a short line is the explanation of that line, as generators write it."""
        if self._list is None and len(self._block) == 1 and len(self._block[0]) <= _MAX_TERM_CHARS:
            self._begin_list("dl").extend([make("dt", self._block.pop()), make("dd")])
        self._end_block()

    def begin_code(self, name: str, rest: str) -> None:
        self._end_block()
        if name != "Bd" or "-literal" in rest or "-unfilled" in rest:
            self._lines = self._lines or []

    def end_code(self, _name: str = "", _rest: str = "") -> None:
        self._end_block()
        if self._lines is not None and any(line.strip() for line in self._lines):
            self._where().append(code_block("\n".join(self._lines).strip("\n")))
        self._lines = None

    def write_example(self, _name: str, rest: str) -> None:
        self._end_block()
        self._where().append(code_block(mdoc_text(rest, self._name)))

    def begin_item(self, name: str, rest: str) -> None:
        self.end_code()
        words = words_of(rest)
        is_tagged = name in ("TP", "TQ")
        term = "" if is_tagged else mdoc_text(rest, self._name) if name == "It" else words[0] if words else ""
        if name == "IP" and not term:
            return
        if is_tagged or (term not in _BULLETS and not _NUMBER.fullmatch(term)):
            self._begin_list("dl").extend([make("dt", term), make("dd")])
        else:
            self._begin_list("ol" if term and term not in _BULLETS else "ul").append(make("li"))
        self._is_term = is_tagged

    def write_alternating(self, name: str, rest: str) -> None:
        """Write text in one font, or in two that alternate from word to word without spaces."""
        self._add_text(("" if name in _ALTERNATING else " ").join(words_of(rest)))

    def write_optional(self, _name: str, rest: str) -> None:
        self._add_text(f"[{' '.join(words_of(rest))}]")

    def write_mdoc(self, name: str, rest: str) -> None:
        if name == "Nm":
            self._name = self._name or next(iter(words_of(rest)), "")
            if self._in_synopsis:
                self._end_block()
        self._add_text(f"— {mdoc_text(rest, self._name)}" if name == "Nd" else mdoc_text(f"{name} {rest}", self._name))

    def _begin_list(self, tag: str) -> HtmlElement:
        if self._list is None or self._list.tag != tag:
            self._list = make(tag)
            self.content.append(self._list)
        return self._list

    def _where(self) -> HtmlElement:
        """Return the element for the next paragraph: the last item of a list, or the page."""
        return self._list[-1] if self._list is not None else self.content

    def _add_text(self, text: str) -> None:
        if self._lines is not None:
            self._lines.append(text.rstrip())
        elif not text.strip():
            self._end_block()
        elif self._is_term and self._list is not None:
            append_text(self._list[-2], text.strip())
            self._is_term = False
        else:
            self._block.append(text.strip())

    def _end_block(self) -> None:
        if self._block:
            self._where().append(make("p", "\n".join(self._block)))
            self._block = []


_ALTERNATING: Final = ("BR", "BI", "RB", "RI", "IB", "IR")
_ACTIONS: Final[Mapping[str, Callable[[_Reader, str, str], None]]] = {
    name: action
    for action, names in {
        _Reader.begin_macro: "de am ig",
        _Reader.count_included: "so",
        _Reader.write_title: "TH Dt",
        _Reader.write_heading: "SH SS Sh Ss",
        _Reader.end_paragraph: "P PP LP HP Pp Lp Sp sp RE Bl El",
        _Reader.begin_indent: "RS",
        _Reader.begin_code: "nf EX TS SY Vb Bd",
        _Reader.end_code: "fi EE TE YS Ve Ed",
        _Reader.begin_item: "TP TQ IP It",
        _Reader.write_alternating: f"B I R SM SB UR MT UE ME URL MTO {' '.join(_ALTERNATING)}",
        _Reader.write_optional: "OP",
        _Reader.write_example: "D1 Dl",
        _Reader.write_mdoc: "Nd Nm Ar Cm Ic Li Em Sy Ev Pa Va Vt Fa Ft Er Dv Tn In No An Lb St Mt Lk Cd Ad Fn Xr Fl Pf "
        "Ux Bx Fx Nx Ox Dq Sq Qq Ql Aq Bq Brq Pq Op Do Dc Oo Oc Po Pc Bo Bc Ao Ac Qo Qc So Sc Bro Brc",
    }.items()
    for name in names.split()
}
"""What each macro does; all others are layout."""
