"""Prepare Markdown before parsing: front matter, MDX, notices in the dialects of generators, and parts of limited length.

Notices: `!!! note "Title"` (MkDocs), `::: tip Title` (VitePress, Docusaurus), `/// note | Title` (blocks), fenced `{note}` (MyST). A long
source is parsed in parts because a parser's tokens take a hundred times its memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from app import caps
from app.extract.characters import collapse
from app.extract.page import iso_date
from app.extract.writer.notices import KINDS
from app.text.markdown_blocks import CODE_SPAN

MAX_DESCRIPTION_CHARS: Final = 600

_BLOCK: Final = re.compile(
    r"\A[\ufeff\n]*+(?:---[ \t]*\n(?:#[^\n]*+\n)*+(?!---|\.\.\.)(.*?)\n(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?)\n\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
_FIELD: Final = re.compile(r"^([A-Za-z][\w-]*)[ \t]*[:=][ \t]*+(.*)$", re.MULTILINE)
_MAX_BLOCK_CHARS: Final = 50_000
_BLOCK_SCALAR: Final = re.compile(r"[>|][+-]?\d?")
_FOLDED: Final = re.compile(r"(?:\n(?:[ \t]+.*|[ \t]*$))*", re.MULTILINE)
MAX_NESTING: Final = 60
"""The levels of blocks in each other that the parser reads; it drops the text in deeper ones. A list in a list has two."""
STRETCH_CHARS: Final = 192 * 1024  # A part ends at the first good place after this many characters.
_FORCED_CHARS: Final = 2 * STRETCH_CHARS  # A part ends at any line or word after this many characters.
_DENSE: Final = 0.3
_TINY_LINE_CHARS: Final = 7
_SIGNS: Final = re.compile(r"[\[\]*_`!$&]|<(?![a-zA-Z/])")
_FENCE_LINE: Final = re.compile(r"[ \t]*(?:>[ \t]?)*+(`{3,}|~{3,})([^`]*)")
_TABLE_RULE: Final = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)++\|?[ \t]*+")
_BAR: Final = re.compile(r"(?<!\\)\|")
_LAST_BAR: Final = re.compile(r"(?<!\\)\|\Z")
_CODE_SPAN: Final = re.compile(CODE_SPAN)
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*\S[^\n]{0,2000}$", re.MULTILINE)
_FOOTNOTE: Final = re.compile(
    r"^((?: {0,3}>){0,8} {0,3})(\[\^[^\]\n]{1,300}\]:[ \t]*)(?:(https?://[^\s<>]{1,2000})[ \t]*$)?"
)
"""The beginning of a footnote. One of a single word or address would be the definition of a link, which is not shown."""
_MAX_DEFINITIONS: Final = 5_000
_MAX_HEADER_CHARS: Final = 2_000
_NAMED_FENCE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*+(`{3,}|~{3,})[ \t]*(\{?[\w-]*\}?)")
_INDENTED: Final = re.compile(
    r"^([ \t]*)(?:(?:!!!|\?\?\?\+?)[ \t]++([\w-]++)[^\"\n]*+|===[!+]?[ \t]++(?=\"))(?:\"([^\"]*+)\")?+[ \t]*+$"
)
"""A notice or a tab whose text is indented."""
_COLONS: Final = re.compile(r"^([ \t]*):{3,}+[ \t]*+\{?+([A-Za-z][\w-]*+)\}?+(?:\[([^\]]*+)\]|[ \t]++(.*))?+[ \t]*+$")
_BRACES: Final = re.compile(r"^([ \t]*):{3,}+[ \t]*+\{[^{}.]*+\.(?:callout-)?+([A-Za-z][\w-]*+)([^{}]*+)\}[ \t]*+$")
_TITLE: Final = re.compile(r"title=\"([^\"]*+)\"")
_TEMPLATE_TAG: Final = re.compile(
    r"^[ \t]*+\{(?:%-?|\{[<%])[ \t]*+(/|end)?[ \t]*+(highlight|hint|notice|tabs?)\b[ \t]*+(?:style=)?+\"?+([\w+#-]*+)"
    r"([^{}]*+)\}\}?+[ \t]*+$"
)
_HIGHLIGHT: Final = "~" * 7  # Longer than the fences of code that contains some.
_OPTION: Final = re.compile(r"^[ \t]*:[\w-]+:.*$")
_CODE_DIRECTIVES: Final = frozenset({"{code}", "{code-block}", "{code-cell}", "{sourcecode}"})
_ENDING: Final = re.compile(r"^[ \t]*(?::{3,}|/{3,})[ \t]*$")
_SLASHES: Final = re.compile(r"^([ \t]*)/{3,}+[ \t]++([A-Za-z][\w-]*+)[ \t]*+(?:\|[ \t]*+(.*))?+[ \t]*+$")
_FENCE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*+(`{3,}|~{3,})", re.MULTILINE)
_IMPORT: Final = re.compile(
    r"^import\s+(?:[\w$*{](?:[^;'\"`()\n]|\n(?!import\b)){0,2000}?(?<!\s)\s++from\s++)?(['\"])[^'\"\n]+\1[ \t]*;?[ \t]*$\n?",
    re.MULTILINE,
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
_MAX_BRACE_ATTRIBUTES: Final = 20  # Further attributes in one tag remain.
_ATTRIBUTE: Final = re.compile(
    r"(?<![\w-])([\w-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|\{\s*['\"`]([^'\"`]*)['\"`]\s*\})"
)
_MAX_TAG_CHARS: Final = 8_000
_MAX_CHARS: Final = 1_000_000  # A longer file was not written by hand with components.
_ENDLESS: Final = -1
_NOTICES: Final = {
    "note": "note", "tip": "tip", "info": "info", "warning": "warning", "caution": "caution", "danger": "danger",
    "callout": "note", "admonition": "note", "alert": "note", "check": "tip", "aside": "note",
}  # fmt: skip
_TABS: Final = frozenset({"tab", "tabitem"})
_TITLED: Final = frozenset({"card", "linkcard", "step", "accordion", "accordionitem", "details", "update"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values of the fields; empty or None if missing."""

    title: str = ""
    description: str = ""
    language: str = ""
    published: str | None = None


def read_front_matter(source: str) -> tuple[FrontMatter, str]:
    """Return the fields of a YAML or TOML block at the start, and the source without it."""
    match = _BLOCK.match(source, 0, _MAX_BLOCK_CHARS)
    block = (match[1] or match[2] or "") if match else ""
    if match is None or not _FIELD.match(block):
        return FrontMatter(), source
    fields: dict[str, str] = {}
    for field in _FIELD.finditer(block):
        value = field.group(2).rstrip(" \t")
        if _BLOCK_SCALAR.fullmatch(value):
            value = " ".join(_FOLDED.match(block, field.end()).group().split())  # type: ignore[union-attr]
        is_quoted = len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]
        fields.setdefault(field.group(1).lower(), value[1:-1] if is_quoted else value)
    front = FrontMatter(
        title=collapse(fields.get("title", ""))[: caps.MAX_TITLE_CHARS],
        description=collapse(fields.get("description", ""))[:MAX_DESCRIPTION_CHARS].rstrip(),
        language=fields.get("lang", "") or fields.get("language", ""),
        published=iso_date(fields.get("date", "")) or iso_date(fields.get("published", "")),
    )
    return front, source[match.end() :]


def stretches(source: str) -> Iterator[str]:
    """Yield the source in order, cut before headings, paragraphs, items and rows, otherwise before lines; table headers are repeated."""
    if len(source) <= _FORCED_CHARS:
        yield source
        return
    scan = _Scan()
    begin = place = 0
    opening = ""
    while place < len(source):
        # A very long line is cut too, between words if possible.
        end = source.find("\n", place) + 1 or len(source)
        if end - place > STRETCH_CHARS:
            word = source.rfind(" ", place + STRETCH_CHARS // 2, place + STRETCH_CHARS) + 1
            end = word or place + STRETCH_CHARS
        line, size = source[place:end], place - begin
        if size > STRETCH_CHARS and scan.may_cut(line, is_forced=size > _FORCED_CHARS):
            yield opening + source[begin:place]
            begin, opening = place, scan.header_before(line)
        scan.see(line)
        place = end
    yield opening + source[begin:]


def definitions(source: str) -> str:
    """Return the link definitions of a source that is parsed in parts, because they apply to all of them."""
    found = (match.group() for match in _DEFINITION.finditer(source))
    return "\n".join(line for line, _ in zip(found, range(_MAX_DEFINITIONS), strict=False))


def is_dense(stretch: str) -> bool:
    """Whether a part is full of marks without meaning, or of tiny lines: data or noise, which slows the parser down."""
    has_tiny_lines = stretch.count("\n") * _TINY_LINE_CHARS > len(stretch)
    return has_tiny_lines or len(_SIGNS.findall(stretch)) > _DENSE * len(stretch)


class _Scan:
    """The state between two lines: within a fence, after a blank line, in a table."""

    def __init__(self) -> None:
        self._fence = ""
        self._header = ""
        self._last = ""

    def see(self, line: str) -> None:
        mark = _FENCE_LINE.match(line)
        if self._fence:
            is_end = mark and mark.group(1).startswith(self._fence) and not mark.group(2).strip()
            self._fence = "" if is_end else self._fence
        elif mark:
            self._fence = mark.group(1)
        elif "|" not in line:
            self._header = ""
        elif not self._header and "|" in self._last and _TABLE_RULE.fullmatch(line.rstrip("\n")):
            self._header = self._last + line
        self._last = line

    def may_cut(self, line: str, *, is_forced: bool) -> bool:
        is_start = line.startswith(("#", "- ", "* ", "+ ", "|" if self._header else "#"))
        is_paragraph = not self._last.strip() and not line[0].isspace()
        return not self._fence and (is_start or is_forced or is_paragraph)

    def header_before(self, line: str) -> str:
        """Return the header of the table that a line continues."""
        return self._header if "|" in line and len(self._header) <= _MAX_HEADER_CHARS else ""


_TERM_TEXT: Final = re.compile(r" {0,3}:[ \t]++[^\s:]")
_BLOCK_MARK: Final = re.compile(r"\s*(?:#|\||[-=*_`~]{3}|<)")
_RAW: Final = re.compile(r" {0,3}(?:<(pre|script|style|textarea)\b|\$\$)", re.IGNORECASE)


def to_html_blocks(source: str) -> str:
    """Return the source with every notice, tab and container wrapped in HTML; code fences are unchanged."""
    out: list[str] = []
    open_fence = ""
    body_indent: list[int] = []
    directives: list[str] = []
    is_named = False
    columns = 0
    last = ""
    terms = _Terms()
    for line in source.split("\n"):
        line = _as_fence(line, open_fence)
        fence = _NAMED_FENCE.match(line)
        if is_named and _OPTION.match(line):
            continue  # an option of the directive
        is_named = False
        if open_fence:
            out.append(_dedent(line, body_indent))
            if fence and fence.group(1).startswith(open_fence) and not line.strip().strip("`~"):
                open_fence = ""
            continue
        _close_indented(line, body_indent, out)
        if fence:
            mark, name, rest = *fence.groups(), line[fence.end() :]
            is_named = name.startswith("{")
            if is_named and name.strip("{}").lower() in KINDS and ">" not in line[: fence.start(1)]:
                directives.append(mark)
                out.extend(_opening(line[: fence.start(1)], name.strip("{}"), rest))
            elif directives and mark == directives[-1] and not (name + rest).strip():
                directives.pop()
                out.extend(_END)
            else:
                open_fence = mark
                line = line[: fence.start(2)] + rest.strip() if name in _CODE_DIRECTIVES else line
                out.append(_dedent(line, body_indent))
            continue
        opened = _INDENTED.match(line)
        if opened and (opened[2] or "note").lower() in KINDS:
            width = len(opened[1].expandtabs(4))
            out.extend(_opening(" " * (width - 4 * len(body_indent)), opened[2] or "", opened[3]))
            body_indent.append(width + 4)
            continue
        line = _FOOTNOTE.sub(lambda note: f"{note[1]}\\{note[2]}" + (f"<{note[3]}>" if note[3] else ""), line)
        terms.see(line, out, is_table=columns > 0)
        if "|" not in line:
            columns = 0
        elif columns:
            line = _whole_row(line, columns)
        elif "|" in last and _TABLE_RULE.fullmatch(line):
            columns = line.strip().strip("|").count("|") + 1
        last = line
        out.extend(_marked(_dedent(line, body_indent)))
    _close_indented("x", body_indent, out)
    return "\n".join(out)


class _Terms:
    """Keeps a definition (`: text`) on a line of its own below its term. Raw HTML, formulas and tables remain unchanged."""

    def __init__(self) -> None:
        self._last = self._raw_end = ""

    def see(self, line: str, out: list[str], *, is_table: bool) -> None:
        """Notice the next line, before it is written. `is_table`: the line before it belongs to a table."""
        last, self._last, start = self._last, line.strip(), 0
        if not self._raw_end and (raw := _RAW.match(line)):
            self._raw_end, start = f"</{raw[1].lower()}" if raw[1] else "$$", raw.end()
        elif not self._raw_end and not is_table and last and _TERM_TEXT.match(line):
            is_term = out[-1].strip() == last and not last.endswith("\\") and not _BLOCK_MARK.match(last)
            out[-1] += "\\" * is_term
        if self._raw_end and self._raw_end in line[start:].lower():
            self._raw_end = ""


def _as_fence(line: str, open_fence: str) -> str:
    """Return a fence for a tag that begins or ends code; in other code, it is text."""
    tag = _TEMPLATE_TAG.match(line)
    if tag and tag[2] == "highlight" and open_fence == (_HIGHLIGHT if tag[1] else ""):
        return line[: line.index("{")] + _HIGHLIGHT + ("" if tag[1] else tag[3])
    return line


def _whole_row(line: str, columns: int) -> str:
    """Return a table row with surplus cells in the last one, because the parser drops them. Bars in code do not begin a cell."""
    for row in (line, _CODE_SPAN.sub(lambda code: _BAR.sub(r"\\|", code[0]), line)):
        text = row.strip()
        cells = _BAR.split(text[text.startswith("|") : len(text) - bool(_LAST_BAR.search(text))])
        if len(cells) <= columns:
            return row
    kept = [*cells[: columns - 1], "\\|".join(cells[columns - 1 :])]
    return f"{line[: len(line) - len(line.lstrip())]}|{'|'.join(kept)}|"


_END: Final = ("", "</div>", "")


def _marked(line: str) -> Sequence[str]:
    """Convert a line of the dialects that have an explicit end."""
    if braces := _BRACES.match(line):
        title = _TITLE.search(braces[3])
        return _opening(braces[1], braces[2], title[1] if title else None)
    colons = _COLONS.match(line)
    if colons and (colons[2].lower() in KINDS or colons.group(3, 4) == (None, None)):
        return _opening(colons[1], colons[2], colons[3] or colons[4])
    if slashes := _SLASHES.match(line):
        return _opening(*slashes.groups())
    if tag := _TEMPLATE_TAG.match(line):
        end, name, word, rest = tag.groups()
        title = _TITLE.search(word + rest)
        kind = word if name in ("hint", "notice") else ""
        return _END if end else _opening("", kind, title[1] if title else None)
    return _END if _ENDING.match(line) else [line]


def _opening(indent: str, kind: str, title: str | None) -> list[str]:
    """Return the start of a notice, or of a tab or container if the kind is unknown."""
    label = escape((title or "").strip())
    if kind.lower() in KINDS:
        name = f'<p class="admonition-title">{label}</p>' if label else ""
        return ["", f'{indent}<div class="admonition {escape(kind.lower())}">{name}', ""]
    return ["", f"{indent}<div><p><b>{label}</b></p>" if label else f"{indent}<div>", ""]


def _close_indented(line: str, body_indent: list[int], out: list[str]) -> None:
    """Close the indented notices that end before a line."""
    while body_indent and line.strip() and len(line) - len(line.lstrip()) < body_indent[-1]:
        body_indent.pop()
        out.extend(_END)


def _dedent(line: str, body_indent: list[int]) -> str:
    """Return the line without the indentation of the open notices (four columns each)."""
    columns = 4 * len(body_indent)
    return line[columns:] if not line[:columns].strip() else line


def is_mdx(source: str, url: str) -> bool:
    """Whether a file is MDX by its name or its imports, and not too large."""
    if len(source) > _MAX_CHARS:
        return False
    if url.partition("#")[0].lower().endswith(".mdx"):
        return True
    return bool(_IMPORT.search("".join(part for part, is_code in _fenced_parts(source) if not is_code)))


def mdx_to_markdown(source: str) -> str:
    """Return the source without imports, exports and components; texts in attributes of components remain."""
    done: list[str] = []
    for text, is_code in _fenced_parts(source):
        if is_code:
            done.append(text)
            continue
        text = _EXPORT.sub("\n", _IMPORT.sub("", text))
        pieces: list[str] = []
        place = 0
        while (start := _COMMENT_START.search(text, place)) and (end := _COMMENT_END.search(text, start.end())):
            pieces.append(text[place : start.start()])
            place = end.end()
        text, place = _SPACE.sub(r"\2", "".join([*pieces, text[place:]])), 0
        for span in _SPAN.finditer(text):
            done += [_without_tags(text[place : span.start()]), span[0]]
            place = span.end()
        done.append(_without_tags(text[place:]))
    return "".join(done)


def _fenced_parts(source: str) -> Iterator[tuple[str, bool]]:
    """Yield parts of the source and whether each is a fenced block."""
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


def _without_tags(text: str) -> str:
    """Return the text with the tags of components replaced, and without attributes such as `style={{…}}`."""
    pieces: list[str] = []
    position = 0
    while (match := _TAG.search(text, position)) is not None:
        end = _tag_end(text, match.end())
        if end == _ENDLESS:
            break
        if end is None:
            pieces.append(text[position : match.end()])
            position = match.end()
        else:
            pieces += [text[position : match.start()], _replacement(match, text[match.end() : end])]
            position = end + 1
    pieces.append(text[position:])
    text = "".join(pieces)
    for _ in range(_MAX_BRACE_ATTRIBUTES):
        text, count = _BRACE_ATTRIBUTE.subn(r"\1", text)
        if not count:
            break
    return text


def _replacement(match: re.Match[str], attributes: str) -> str:
    """Return the replacement for the tag of a component."""
    name, is_end = match[2].rpartition(".")[2].lower(), bool(match[1])
    values = {found[1]: next(filter(None, found.groups()[1:]), "") for found in _ATTRIBUTE.finditer(attributes)}
    if name in _NOTICES:
        kind = (values.get("type") or _NOTICES[name]).lower()
        title = f'<p class="admonition-title">{escape(values["title"])}</p>' if values.get("title") else ""
        opening = "" if is_end else f'\n\n<div class="admonition {escape(kind)}">{title}'
        is_closed = is_end or attributes.rstrip().endswith("/")
        return f"{opening}\n\n</div>\n\n" if is_closed else f"{opening}\n\n"
    label = values.get("label") or values.get("title") or (values.get("value") if name in _TABS else "") or ""
    if is_end or not label or name not in _TABS | _TITLED:
        return "\n\n" if name in _TABS | _TITLED else ""
    target = values.get("href") or values.get("to")
    return f"\n\n[{label}]({target})\n\n" if target else f"\n\n**{label}**\n\n"


def _tag_end(text: str, start: int) -> int | None:
    """Return the place of the `>` that ends a tag, after strings and braces. None if it is not a tag, _ENDLESS if it never ends."""
    depth, quote = 0, ""
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
