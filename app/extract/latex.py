"""Read LaTeX: sections, lists, tables, code, formulas and footnotes. Unknown commands keep their text; other files are never read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from lxml.html import HtmlElement

from app.extract import tex_writer as writer
from app.extract.markup import Notes, Source, code_block, formula
from app.extract.office.elements import make
from app.extract.page import Page
from app.extract.tree import HEADINGS

_MAX_MARKS: Final = 8
_TOKEN: Final = re.compile(
    r"\\(?P<edge>begin|end)[ \t]*\{(?P<name>[A-Za-z]{1,40}\*?)\}|\\(?P<command>[A-Za-z@]+\*?)(?P<space>[ \t]*)|\\(?P<sign>[\s\S])"
    r"|(?P<comment>%[^\n]*+\n?[ \t]*+)|(?P<paragraph>\n[ \t]*+\n\s*+)|(?P<mark>\$\$|[${}&~])|(?P<ligature>---?|``|'')"
)
_ARGUMENT: Final = re.compile(r"\s*+\{([^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^{}]*+)*+)\}")
_OPTION: Final = re.compile(r"\[([^\[\]\n]{0,500})\]")
_DEFINED: Final = re.compile(r"\s*+(?:\{\\[A-Za-z@]+\}|\\[A-Za-z@]+)(?:\[[^\[\]\n]{0,200}\]|#\d){0,9}")
_ACCENTED: Final = re.compile(r"\{?\\?([A-Za-z])\}?")
_VERBATIM: Final = re.compile(r"([^\sA-Za-z*\[{])([^\n]*?)\1|\{([^{}\n]*)\}")
_LABEL: Final = re.compile(r"\\(?:label|tag)\{[^{}]*+\}[ \t]*|\\(?:nonumber|notag)\b[ \t]*")
_LANGUAGE: Final = re.compile(r"language=\{?(?:\[[^\[\]]*+\])?([\w+#-]+)")
_LIGATURES: Final = {"---": "—", "--": "–", "``": "“", "''": "”"}


def extract_latex(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a LaTeX body. Raises EmptyPageError and UnsupportedContentError."""
    source = Source(body, url=url, charset=charset)
    if source.is_data("&"):
        return source.as_written()
    _, begin, rest = source.text.partition("\\begin{document}")
    text = rest.partition("\\end{document}")[0] if begin else source.text
    content = make("body")
    title = ""
    named = re.search(r"\\title(?:\[[^\[\]\n]{0,500}\])?(?=\{)", source.text)
    if named and (found := _ARGUMENT.match(source.text, named.end())):
        heading = make("h1")
        _Reader(found[1], source, Notes(), heading, is_inline=True).read()
        title = " ".join(heading.text_content().split())
        content.append(heading)
    notes = Notes()
    _Reader(text, source, notes, content, top=2 if title else 1).read()
    notes.append_to(content)
    return source.page(content, title=title)


class _Reader(writer.TexWriter):
    """Reads source text into a container."""

    def __init__(
        self, text: str, source: Source, notes: Notes, out: HtmlElement, *, top: int = 1, is_inline: bool = False
    ) -> None:
        super().__init__(out, is_inline=is_inline)
        self._text, self._source, self._notes = text, source, notes
        self._place = 0
        self._missing: set[str] = set()
        used = [name for name in writer.SECTIONS if re.search(rf"\\{name}(?:\*?\{{|\[)", text)]
        first = writer.SECTIONS.index(used[0]) if used else 0
        self._levels = {name: min(top + max(at - first, 0), 6) for at, name in enumerate(writer.SECTIONS)}

    def read(self) -> None:
        """Read all text."""
        while token := _TOKEN.search(self._text, self._place):
            self._parts.append(self._text[self._place : token.start()])
            self._place = token.end()
            if token["edge"]:
                bare = token["name"].rstrip("*")
                if token["edge"] == "begin":
                    self._begin(token["name"], bare)
                elif any(frame.name == bare for frame in self._frames):
                    while self._frames[-1].name != bare:
                        self._close()
                    self._close()
                    self._end_paragraph()
            elif token["command"]:
                self._command(token["command"].rstrip("*"), is_spaced=bool(token["space"]))
            elif token["sign"]:
                self._sign(token["sign"])
            elif token["paragraph"]:
                self._end_paragraph()
            elif token["ligature"]:
                self._parts.append(_LIGATURES[token["ligature"]])
            elif token["mark"]:
                self._mark(token["mark"])
        self._parts.append(self._text[self._place :])
        self._flush()
        while self._frames:
            self._close()

    def _open_group(self, element: HtmlElement, block: HtmlElement | None = None) -> None:
        """Write the next group into an element; `block` is the one with it that stands apart."""
        if self._text.startswith("{", self._place):
            self._place += 1
            if block is None:
                self._append(element)
            else:
                self._append_block(block)
            self._open("{", target=element)

    # --- Arguments ---

    def _taken(self, match: Callable[[str, int], re.Match[str] | None]) -> re.Match[str] | None:
        """Return what follows and move after it; None for anything else."""
        if found := match(self._text, self._place):
            self._place = found.end()
        return found

    def _argument(self) -> str:
        return found[1].strip() if (found := self._taken(_ARGUMENT.match)) else ""

    def _option(self) -> str:
        return found[1] if (found := self._taken(_OPTION.match)) else ""

    def _until(self, end: str) -> str | None:
        """Return the text before the next `end` and move after it; None if there is none."""
        found = -1 if end in self._missing else self._text.find(end, self._place)
        if found < 0:
            self._missing.add(end)
            return None
        text = self._text[self._place : found]
        self._place = found + len(end)
        return text

    # --- Tokens ---

    def _mark(self, sign: str) -> None:
        if sign[0] == "$":
            start = self._place
            tex = self._until(sign)
            if tex is None or "\n\n" in tex:
                self._place = start
                self._parts.append(sign)
            else:
                while tex.endswith("\\") and (more := self._until(sign)) is not None:
                    tex += sign + more
                self._write_formula(tex, is_display=sign == "$$")
        elif sign == "{":
            self._open("{")
        elif sign == "}":
            if self._dropped:
                self._dropped -= 1
            elif self._frames and self._frames[-1].name == "{":
                self._close()
        elif sign == "&" and (frame := self._environment(writer.TABLES)) is not None and frame.made is not None:
            self._open_cell(frame.made[-1])
        else:
            self._parts.append("\u00a0" if sign == "~" else sign)

    def _write_formula(self, tex: str, *, is_display: bool) -> None:
        if tex := _LABEL.sub("", tex).strip():
            (self._append_block if is_display else self._append)(formula(tex, is_display=is_display))

    def _sign(self, sign: str) -> None:
        if sign == "\\":
            self._option()
            if (frame := self._environment(writer.TABLES)) is not None:
                self._open_row(frame)
            else:
                self._append(make("br"))
        elif sign in "([":
            tex = self._until("\\)" if sign == "(" else "\\]")
            if tex is not None:
                self._write_formula(tex, is_display=sign == "[")
        elif sign in writer.ACCENTS and (letter := self._taken(_ACCENTED.match)):
            self._parts.append(unicodedata.normalize("NFC", letter[1] + writer.ACCENTS[sign]))
        elif sign not in "/-!@)]":
            self._parts.append(" " if sign in ",;: \n\t" else sign)

    def _begin(self, name: str, bare: str) -> None:
        option = self._option()
        if bare in writer.CODE_ENVIRONMENTS | writer.SKIPPED_ENVIRONMENTS | writer.FORMULAS.keys():
            language = self._argument() if bare == "minted" else ""
            if (text := self._until(f"\\end{{{name}}}")) is None:
                return
            if bare in writer.FORMULAS:
                inner = writer.FORMULAS[bare]
                tex = f"\\begin{{{inner}}}{text}\\end{{{inner}}}" if inner else text
                self._write_formula(tex, is_display=bare != "math")
            elif bare in writer.CODE_ENVIRONMENTS:
                said = _LANGUAGE.search(option)
                self._append_block(code_block(text, language or (said[1].lower() if said else "")))
            return
        if bare == "abstract":
            self._append_block(make(f"h{min(self._levels.values())}", "Abstract"))
        tag = "table" if bare in writer.TABLES else writer.LISTS.get(bare) or writer.BLOCKS.get(bare, "div")
        made = make(tag)
        for _ in range(writer.SKIPPED_ARGUMENTS.get(bare, 0)):
            self._argument()
            option = option or self._option()
        self._append_block(made)
        frame = self._open(bare, container=made)
        self._is_inline = made.tag == "pre"
        self._target = made if self._is_inline else self._target
        if frame is not None and bare in (*writer.TABLES, *writer.LISTS):
            frame.made = made
            if bare in writer.TABLES:
                self._open_row(frame)

    def _command(self, name: str, *, is_spaced: bool) -> None:
        """Read a command. Of an unknown one, skip the option; its arguments are groups and remain as text."""
        if name in writer.SYMBOLS:
            self._parts.append(writer.SYMBOLS[name])
        elif name in self._levels:
            self._option()
            heading = make(f"h{self._levels[name]}")
            self._open_group(heading, heading)
        elif name in writer.STYLES:
            self._open_group(make(writer.STYLES[name]))
        elif name == "tabularnewline":
            self._sign("\\")
        elif name == "par":
            self._end_paragraph()
        elif name.startswith("index"):
            while self._argument():
                pass
        elif name in _HANDLERS:
            _HANDLERS[name](self, name)
        else:
            if not is_spaced:
                self._option()
            for _ in range(writer.SKIPPED_ARGUMENTS.get(name, 0)):
                self._argument()
                self._option()

    def write_code(self, name: str) -> None:
        self._option()
        if name == "mintinline":
            self._argument()
        if found := self._taken(_VERBATIM.match):
            self._append(make("code", found[2] if found[1] else found[3]))

    def refer(self, name: str) -> None:
        while self._option():
            pass
        key = self._argument()
        self._parts.append(f"[{key}]" if name in writer.CITATIONS else key)

    def write_link(self, name: str) -> None:
        address = self._argument().replace("\\", "")
        if name == "href":
            self._open_group(make("a", href=address))
        else:
            self._append(make("a", address, href="" if name == "path" else address))

    def write_note(self, _: str) -> None:
        self._option()
        if self._text.startswith("{", self._place) and len(self._frames) < writer.MAX_OPEN:
            self._place += 1
            mark, note = self._notes.add()
            self._append(mark)
            self._open("{", container=note)

    def write_caption(self, _: str) -> None:
        self._option()
        strong = make("strong")
        self._open_group(strong, make("p", "", strong))

    def write_image(self, _: str) -> None:
        self._option()
        self._append(make("img", src=self._argument()))

    def skip_include(self, _: str) -> None:
        self._option()
        self._argument()
        self._source.included += 1

    def skip_definition(self, _: str) -> None:
        self._taken(_DEFINED.match)
        self._argument()

    def write_accent(self, name: str) -> None:
        if letter := self._taken(_ACCENTED.match):
            self._parts.append(unicodedata.normalize("NFC", letter[1] + writer.LETTER_ACCENTS[name]))

    def widen_cell(self, _: str) -> None:
        wide = self._argument()
        self._argument()
        if self._container.tag == "td" and wide.isdecimal() and len(wide) < 4:
            self._container.set("colspan", wide)

    def end_repeated_rows(self, name: str) -> None:
        """Drop the rows before a mark, which a long table repeats on each page, except its first header."""
        frame = self._environment(writer.TABLES)
        if frame is not None and frame.made is not None and frame.marks < _MAX_MARKS:
            frame.marks += 1
            if name != "endfirsthead" and (name != "endhead" or frame.mark):
                del frame.made[frame.mark :]
                frame.count = frame.mark
            frame.mark = frame.count
            self._open_row(frame)

    def open_item(self, name: str) -> None:
        frame = self._environment(frozenset(writer.LISTS))
        label = self._argument() if name == "bibitem" else self._option()
        if frame is None or frame.made is None:
            self._parts.append(f" {label} ")
            return
        self._flush()
        if frame.made.tag == "dl":
            term = make("dt")
            _Reader(label, self._source, self._notes, term, is_inline=True).read()
            frame.made.append(term)
        item = make("dd" if frame.made.tag == "dl" else "li")
        frame.made.append(item)
        self._container, self._target, self._is_inline = item, None, False
        if label and item.tag == "li":
            self._parts.append(f"[{label}] " if name == "bibitem" else f"{label} ")

    def set_anchor(self, _: str) -> None:
        """Give a label to the heading before it."""
        label = self._argument()
        last = next(self._container.iterchildren(reversed=True), None)
        if last is not None and last.tag in HEADINGS and self._target is None:
            last.set("id", label)


_HANDLERS: Final[Mapping[str, Callable[[_Reader, str], None]]] = {
    **dict.fromkeys(("item", "bibitem"), _Reader.open_item),
    **dict.fromkeys(("verb", "lstinline", "mintinline"), _Reader.write_code),
    **dict.fromkeys((*writer.CITATIONS, *writer.REFERENCES), _Reader.refer),
    **dict.fromkeys(("url", "nolinkurl", "path", "href"), _Reader.write_link),
    **dict.fromkeys(("footnote", "thanks", "footnotetext"), _Reader.write_note),
    **dict.fromkeys(
        ("input", "include", "subfile", "lstinputlisting", "verbatiminput", "import"), _Reader.skip_include
    ),
    **dict.fromkeys(
        ("newcommand", "renewcommand", "providecommand", "def", "DeclareMathOperator"), _Reader.skip_definition
    ),
    **dict.fromkeys(writer.LETTER_ACCENTS, _Reader.write_accent),
    **dict.fromkeys(("endfirsthead", "endhead", "endfoot", "endlastfoot"), _Reader.end_repeated_rows),
    "label": _Reader.set_anchor,
    "caption": _Reader.write_caption,
    "includegraphics": _Reader.write_image,
    "multicolumn": _Reader.widen_cell,
}
