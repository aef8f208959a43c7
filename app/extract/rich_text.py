"""Read RTF: headings, lists, tables, links and footnotes. Hidden and deleted text, images and objects are omitted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

from app.errors import DamagedFileError
from app.extract.characters import word_set
from app.extract.markup import Notes
from app.extract.office.elements import OpenLists, append_text, make, nested, page_of
from app.extract.page import CUT_NOTE, Metadata, Page
from app.paths import asset_table
from app.text.sentence import sentence

MAX_GROUPS: Final = 500  # The limit for groups inside each other; deeper ones are read as the text that they contain.
_TOKEN: Final = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<value>-?\d{1,9})? ?|\\'(?P<byte>[0-9A-Fa-f]{2})|\\(?P<sign>[^A-Za-z])|(?P<brace>[{}])"
    r"|(?P<text>[^\\{}\r\n]+)"
)
_LINK: Final = re.compile(r'HYPERLINK\s+(?:\\l\s+)?"([^"]+)"')
_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título) ([1-6])", re.IGNORECASE)
_CODECS: Final = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_SIGNS: Final[Mapping[str, str]] = asset_table("markups.toml")["rich_text"]["signs"]
_PLACES: Final = {
    **{word: word for word in ("fonttbl", "stylesheet", "title", "fldinst", "listtext")}, "pntext": "listtext",
    **dict.fromkeys(
        ("pict", "object", "info", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "colortbl",
         "listtable", "nonshppict", "annotation", "tc", "xe", "filetbl", "revtbl", "pntxta", "pntxtb", "ftnsep", "sp"), "nothing",
    ),
}  # fmt: skip
_CODE_PAGES: Final = frozenset({437, 850, 852, 866, 874, 932, 949, 950, *range(1250, 1259)})
_MAX_SAID_CHARS: Final = 2_000
_STARRED: Final = word_set("footnote fldinst shpinst shptxt")
_ENDS: Final = word_set("par sect page nestcell cell row")
_FLAGS: Final = {"v": "hidden", "deleted": "deleted", "b": "strong", "i": "em", "super": "sup", "sub": "sub"}
_FORMATS: Final = ("strong", "em", "sup", "sub", "code")


@dataclass(slots=True)
class _State:
    """What a group inherits. `place` is where its text belongs: the document, a table at the start of the file, or nothing."""

    place: str = "text"
    formats: frozenset[str] = frozenset()
    font: int = -1
    skipped_after: int = 1
    link: str = ""
    level: int = -1
    depth: int = 0
    is_cell: bool = False


def extract_rich_text(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of an RTF body; the file itself names its encodings. Raises EmptyPageError and UnsupportedContentError."""
    text = body.decode("latin-1")
    start = text.find("{\\rtf", 0, 1_000)
    if start < 0:
        raise DamagedFileError(sentence("{} is damaged.", url), url=url, hint="Save the file as RTF again.")
    reader = _Reader()
    reader.read(text, start)
    reader.notes.append_to(reader.content)
    notes = [sentence("Text deleted with tracked changes is not included.")] if reader.has_deleted else []
    notes += [CUT_NOTE] if reader.is_cut else []
    return page_of(reader.content, url, Metadata(" ".join(reader.title.split()), "", None, None), notes)


class _Reader:
    def __init__(self) -> None:
        self.content = make("body")
        self.notes = Notes()
        self.title = ""
        self.has_deleted = False
        self.is_cut = False
        self._state = _State()
        self._groups: list[_State] = []
        self._bytes = bytearray()
        self._codec = "cp1252"
        self._codecs: dict[int, str] = {}
        self._mono: set[int] = set()
        self._levels: dict[int, int] = {}
        self._style = -1
        self._said: dict[str, str] = {}
        self._skip = 0
        self._half = 0
        self._paragraph = make("p")
        self._run = (frozenset({""}), "", self._paragraph)
        self._texts: list[str] = []
        self._outer: tuple[int, HtmlElement] | None = None
        self._lists = OpenLists(self.content)
        self._cells: list[HtmlElement] = [make("td")]

    def read(self, text: str, place: int) -> None:
        """Read all groups."""
        is_first = is_starred = False
        deeper = 0
        while token := _TOKEN.search(text, place):
            place = token.end()
            word, run = token["word"], token["text"] or ""
            if token["brace"] and (deeper or (token["brace"] == "{" and len(self._groups) >= MAX_GROUPS)):
                deeper += 1 if token["brace"] == "{" else -1
            elif token["brace"]:
                self._flush()
                self._skip = 0
                if token["brace"] == "{":
                    self._groups.append(copy(self._state))
                else:
                    self._close()
            elif word == "bin":
                size = int(token["value"] or 0)
                place += size if 0 < size <= len(text) - place else 0
            elif word and is_starred and word not in _STARRED:
                self._state.place = "nothing"
            elif word:
                self._flush()
                self._word(word, int(token["value"]) if token["value"] else 1, is_off=token["value"] == "0")
            elif self._skip and not token["sign"]:
                self._bytes += run[self._skip :].encode("latin-1")
                self._skip = max(self._skip - len(run or " "), 0)
            elif token["sign"]:
                self._flush()
                self._add("\n" if token["sign"] in "\r\n" else _SIGNS.get(token["sign"], ""))
            else:
                self._bytes += bytes.fromhex(token["byte"]) if token["byte"] else run.encode("latin-1")
            # A star in the middle of a group says nothing.
            is_starred = token["sign"] == "*" and is_first
            is_first = token["brace"] == "{"
        self._flush()
        self.is_cut = bool(self._groups)
        self._end_paragraph()
        self._end_cell("cell")
        if any(len(cell) for cell in self._cells):
            self._end_cell("row")

    def _flush(self) -> None:
        if self._bytes:
            text = bytes(self._bytes).decode(self._codecs.get(self._state.font, self._codec), "replace")
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        """Write text where the group says: into the paragraph, or into the name of a style, the address of a field or the title."""
        state = self._state
        if state.place != "text":
            if len(self._said.setdefault(state.place, "")) < _MAX_SAID_CHARS and state.place != "nothing":
                self._said[state.place] += text
        elif "deleted" in state.formats:
            self.has_deleted = True
        elif "hidden" not in state.formats and text:
            key = (state.formats | {"code"} if state.font in self._mono else state.formats, state.link)
            if self._run[:2] != key:
                self._write_run()
                target = nested(self._paragraph, *(tag for tag in _FORMATS if tag in key[0]))
                if state.link:
                    target.append(make("a", href=state.link))
                    target = target[-1]
                self._run = (*key, target)
            self._texts.append(text)

    def _close(self) -> None:
        before = self._state.place
        self._state = self._groups.pop() if self._groups else _State()
        if before == "title" != self._state.place:
            self.title = self._said.pop("title", "")
        elif before == "stylesheet" and (name := _HEADING.search(self._said.pop("stylesheet", ""))):
            self._levels.setdefault(self._style, int(name[1]) - 1)
        elif self._outer is not None and len(self._groups) < self._outer[0]:
            self._begin(self._outer[1])
            self._outer = None

    def _write_run(self) -> None:
        append_text(self._run[2], "".join(self._texts))
        self._texts.clear()

    def _begin(self, paragraph: HtmlElement) -> None:
        self._write_run()
        self._paragraph = paragraph
        self._run = (frozenset({""}), "", paragraph)

    def _word(self, word: str, value: int, *, is_off: bool) -> None:
        state = self._state
        if word in _SIGNS:
            self._add(_SIGNS[word])
        elif word == "u":
            unit, self._skip = value % 65536, state.skipped_after
            if 0xD800 <= unit < 0xDC00:  # the first half of a character of UTF-16
                self._half = unit
            elif 0xDC00 <= unit < 0xE000:
                self._add(chr(0x10000 + (self._half - 0xD800) * 1024 + unit - 0xDC00) if self._half else "\ufffd")
                self._half = 0
            else:
                self._add(chr(unit))
        elif word in _FLAGS:
            state.formats = state.formats - {_FLAGS[word]} if is_off else state.formats | {_FLAGS[word]}
        elif word in _ENDS:
            self._end_paragraph()
            self._end_cell(word)
        elif word in _PLACES:
            state.place = _PLACES[word]
        elif word == "fldrslt":
            said = _LINK.search(self._said.pop("fldinst", ""))
            state.link = said[1] if said else ""
        elif word == "footnote" and self._outer is None and state.place == "text":
            mark, note = self.notes.add()
            self._write_run()
            self._paragraph.append(mark)
            self._outer = (len(self._groups), self._paragraph)
            self._begin(note)
        else:
            self._property(word, value)

    def _property(self, word: str, value: int) -> None:
        """Read a property of the encoding, the font or the paragraph."""
        state = self._state
        if state.place in ("fonttbl", "stylesheet"):
            self._define(word, value)
        elif word == "ansicpg" and value in _CODE_PAGES:
            self._codec = f"cp{value}"
        elif word == "f":
            state.font = value
        elif word == "uc":
            state.skipped_after = min(max(value, 0), 8)
        elif word == "plain":
            state.formats, state.font = frozenset(), -1
        elif word == "nosupersub":
            state.formats -= {"sup", "sub"}
        elif word == "pard":
            state.level, state.depth, state.is_cell = -1, 0, False
        elif word in ("s", "outlinelevel"):
            state.level = self._levels.get(value, -1) if word == "s" else value
        elif word == "ilvl":
            state.depth = min(max(value, 0), 9)
        elif word == "intbl":
            state.is_cell = True

    def _define(self, word: str, value: int) -> None:
        """Read a property of a font or of a style in the tables at the start of the file."""
        if word == "f":
            self._state.font = value
        elif word == "fcharset" and value in _CODECS:
            self._codecs[self._state.font] = _CODECS[value]
        elif word == "fmodern":
            self._mono.add(self._state.font)
        elif word == "s":
            self._style = value
        elif word == "outlinelevel":
            self._levels[self._style] = value

    def _end_paragraph(self) -> None:
        if self._outer is not None:
            self._add(" ")
            return
        self._write_run()
        made, state = self._paragraph, self._state
        label = self._said.pop("listtext", "").strip()
        self._begin(make("p"))
        if not (text := made.text_content()).strip():
            return
        out = self._cells[-1] if state.is_cell else self.content
        last = next(out.iterchildren(reversed=True), None)
        if label:
            # The depth of the paragraph selects the list inside the last item.
            number = label.rstrip(".):").lstrip("(")
            if self._lists.out is not out:
                self._lists = OpenLists(out)
            count = int(number) if number.isdecimal() else 1
            item = self._lists.add_item(state.depth, is_ordered=number.isalnum(), count=count)
            item.text = made.text
            item.extend(made)
            return
        self._lists.close()
        if 0 <= state.level < 9 and not state.is_cell:
            made.tag = f"h{min(state.level + 1, 6)}"
            for bold in list(made.iterchildren("strong")):
                bold.drop_tag()
        elif not made.text and all(part.tag == "code" and not part.tail for part in made):
            if last is not None and last.tag == "pre":
                append_text(last, f"\n{text}")
                return
            made = make("pre", text)
        out.append(made)

    def _end_cell(self, word: str) -> None:
        if word == "cell":
            self._lists.close()
            self._cells.append(make("td"))
        elif word == "row":
            last = next(self.content.iterchildren(reversed=True), None)
            table = last if last is not None and last.tag == "table" else make("table")
            if table is not last:
                self.content.append(table)
                for cell in self._cells:
                    cell.tag = "th"
            table.append(make("tr", "", *self._cells[:-1]))
            self._cells = [make("td")]
