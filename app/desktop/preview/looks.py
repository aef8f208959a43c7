"""Look of a page: block and character formats, inline Markdown, and the decorations around blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, Qt

from app.desktop.formulas import FORMULA
from app.desktop.preview.blocks import Block
from app.desktop.preview.code import Token
from app.desktop.theme import colours, mono_font, scaled_font
from app.text.markdown_blocks import CODE_SPAN, Kind

MAX_STYLED_CHARS: Final = 20_000  # Longer running text is shown as plain text.

_TOKEN: Final = re.compile(
    rf"{CODE_SPAN}|(?P<formula>{FORMULA})"
    r"|(?P<picture>!\[(?P<alt>[^\[\]\n]*)\]\([^()\s]*(?:\s+\"[^\"\n]*\")?\))"
    r"|(?P<link>\[(?P<words>[^\[\]\n]+)\]\((?P<target>(?:https?://|mailto:)[^()\s]+)(?:\s+\"[^\"\n]*\")?\))"
    r"|(?P<escape>\\[|])"
    r"|(?P<mark>\*{1,3}|~~)"
)
_LINE_ESCAPE: Final = re.compile(r"\\(?=[#>+*\-|`~=]|\d+[.)])")
_NUMBER_ESCAPE: Final = re.compile(r"(\d{1,9})\\(?=[.)])")

BODY: Final = 1.04  # Text size relative to the interface font.
LINE_HEIGHT, CODE_LINE_HEIGHT, HEADING_LINE_HEIGHT = 130, 118, 112
GAP, ITEM_GAP = 8, 4  # Space between blocks in device-independent pixels.
BOX_PADDING: Final = 10
PIECE_GAP: Final = -4  # Top margin of a table that continues another one, so that no gap is visible between them.
INDENT, QUOTE_INDENT = 24, 18
HEADING_SCALE: Final = {1: 1.55, 2: 1.28, 3: 1.12}
HEADING_GAP: Final = {1: 6, 2: 20, 3: 14}

KIND_PROPERTY: Final = int(QtGui.QTextFormat.Property.UserProperty) + 1
MARKER_PROPERTY: Final = KIND_PROPERTY + 1
QUOTES_PROPERTY: Final = KIND_PROPERTY + 2  # Positions of the quote bars relative to the page margin.
EDGE_PROPERTY: Final = KIND_PROPERTY + 3  # 1 at the start of a box, 2 at its end, 3 for both.
PICTURE_PROPERTY: Final = KIND_PROPERTY + 4  # Number of the image painted above the block, in its top margin.

BOX, PICTURE, RULE = "box", "picture", "rule"

BOXED: Final = (Kind.FENCE, Kind.FORMULA)
MAX_UNWRAPPED: Final = 160  # Code with longer lines is wrapped; other code scrolls sideways.

RADIUS, BAR = 7.0, 3.0


class Look(Flag):
    """Style of a run."""

    PLAIN = 0
    STRONG = auto()
    EMPHASIS = auto()
    STRUCK = auto()
    CODE = auto()
    FORMULA = auto()


_MARKS: Final = {
    "*": Look.EMPHASIS, "**": Look.STRONG, "***": Look.STRONG | Look.EMPHASIS, "~~": Look.STRUCK,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """Shown text from [start, end) of the source. `target` is the address of a link there."""

    start: int
    end: int
    look: Look = Look.PLAIN
    target: str = ""


def runs(text: str, lines: Sequence[tuple[int, int]], *, is_cell: bool = False) -> list[list[Run]]:
    """Return the runs of every line. Emphasis can span lines."""
    if sum(end - start for start, end in lines) > MAX_STYLED_CHARS:
        return [[Run(start, end)] if end > start else [] for start, end in lines]
    tokens = [_tokens(text, start, end, is_cell=is_cell) for start, end in lines]
    _pair([token for line in tokens for token in line], text)
    look, made = Look.PLAIN, []
    for (place, end), line in zip(lines, tokens, strict=True):
        shown: list[Run] = []
        for token in line:
            if token.start > place:
                shown.append(Run(place, token.start, look))
            place = token.end
            if token.partner is not None:
                look = look | _MARKS[token.mark] if token.opens else look & ~_MARKS[token.mark]
            elif token.shown[1] > token.shown[0]:
                shown.append(Run(*token.shown, look | token.look, token.target))
        if end > place:
            shown.append(Run(place, end, look))
        made.append(shown)
    return made


@dataclass(slots=True)
class _Token:
    """A part of a line that is more than text. `shown` is the visible part."""

    start: int
    end: int
    shown: tuple[int, int]
    look: Look = Look.PLAIN
    mark: str = ""
    partner: _Token | None = None
    opens: bool = False
    target: str = ""


def _tokens(text: str, start: int, end: int, *, is_cell: bool) -> list[_Token]:
    found: list[_Token] = []
    if not is_cell and (escaped := _LINE_ESCAPE.match(text, start, end)) is not None:
        found.append(_Token(start, escaped.end(), (escaped.end(), escaped.end())))
    elif not is_cell and (numbered := _NUMBER_ESCAPE.match(text, start, end)) is not None:
        found.append(_Token(start, numbered.end(), (start, numbered.end(1))))
    place = found[-1].end if found else start
    for match in _TOKEN.finditer(text, place, end):
        kind = match.lastgroup
        at = (match.start(), match.end())
        if match["code"] is not None:
            found += _code_tokens(text, match, is_cell=is_cell)
        elif match["formula"] is not None:
            found.append(_Token(*at, at, Look.FORMULA))
        elif match["picture"] is not None:
            found.append(_Token(*at, match.span("alt")))
        elif match["link"] is not None:
            found.append(_Token(*at, match.span("words"), target=match["target"]))
        elif match["escape"] is not None:
            if is_cell:
                found.append(_Token(*at, (match.end() - 1, match.end())))
        elif kind is not None:
            found.append(_Token(*at, at, mark=match["mark"]))
    return found


def _code_tokens(text: str, match: re.Match[str], *, is_cell: bool) -> Iterator[_Token]:
    """Yield a code span without fence and padding. In a table cell, escaped pipes lose their backslashes."""
    first, last = match.span("code")
    if last - first > 2 and text[first] == text[last - 1] == " " and "`" in (text[first + 1], text[last - 2]):
        first, last = first + 1, last - 1
    place, before = first, match.start()
    while is_cell and (pipe := text.find("\\|", place, last)) >= 0:
        yield _Token(before, pipe + 1, (place, pipe), Look.CODE)
        place = before = pipe + 1
    yield _Token(before, match.end(), (place, last), Look.CODE)


def _pair(tokens: list[_Token], text: str) -> None:
    """Match opening and closing emphasis marks. Unmatched marks are text."""
    waiting: dict[str, list[_Token]] = {mark: [] for mark in _MARKS}
    for token in tokens:
        if not token.mark:
            continue
        before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
        closes = bool(before) and not before.isspace() and not _is_word(after)
        opens = bool(after) and not after.isspace() and not _is_word(before)
        same = waiting[token.mark]
        if closes and same and same[-1].end < token.start:
            begin = same.pop()
            begin.partner, token.partner, begin.opens = token, begin, True
            for others in waiting.values():
                while others and others[-1].start > begin.start:
                    others.pop()
        elif opens:
            same.append(token)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def left_of(block: Block) -> float:
    """Return the left edge of a block's text relative to the page margin."""
    return block.depth * INDENT + len(block.quotes) * QUOTE_INDENT


def block_format(block: Block) -> QtGui.QTextBlockFormat:
    """Return the margins of a block. Properties describe its decorations."""
    made = QtGui.QTextBlockFormat()
    made.setLeftMargin(left_of(block))
    if block.quotes:
        lefts = [lists * INDENT + place * QUOTE_INDENT for place, lists in enumerate(block.quotes)]
        made.setProperty(QUOTES_PROPERTY, ",".join(map(str, lefts)))
    if block.marker:
        made.setProperty(MARKER_PROPERTY, block.marker)
    if block.kind in BOXED:
        _box(made, BOX, is_first=block.is_first, is_last=block.is_last)
        made.setNonBreakableLines(max((end - start for start, end in block.lines), default=0) <= MAX_UNWRAPPED)
    elif block.kind is Kind.HEADING:
        made.setHeadingLevel(block.level)
        made.setTopMargin(HEADING_GAP.get(block.level, 12))
        made.setBottomMargin(GAP)
        _line_height(made, HEADING_LINE_HEIGHT)
    else:
        made.setBottomMargin((ITEM_GAP if block.depth else GAP) if block.is_last else 0)
        _line_height(made, LINE_HEIGHT)
    if block.kind is Kind.RULE:
        made.setProperty(KIND_PROPERTY, RULE)
    return made


def picture_format(block: Block | None, number: int = -1) -> QtGui.QTextBlockFormat:
    """Return the format of the frame for a missing image, or of the caption below the image with this number.

    The margin above a caption is set with the image's size.
    """
    made = QtGui.QTextBlockFormat()
    made.setLeftMargin(left_of(block) if block is not None else 0)
    if number < 0:
        _box(made, PICTURE, is_first=True, is_last=True)
    else:
        made.setProperty(PICTURE_PROPERTY, number)
        made.setBottomMargin(2 * GAP)
        _line_height(made, CODE_LINE_HEIGHT)
    return made


def _box(made: QtGui.QTextBlockFormat, kind: str, *, is_first: bool, is_last: bool) -> None:
    made.setProperty(KIND_PROPERTY, kind)
    made.setProperty(EDGE_PROPERTY, int(is_first) + 2 * int(is_last))
    made.setLeftMargin(made.leftMargin() + BOX_PADDING + 2)
    made.setRightMargin(BOX_PADDING + 2)
    made.setTopMargin(BOX_PADDING + GAP if is_first else 0)
    made.setBottomMargin(BOX_PADDING + GAP if is_last else 0)
    _line_height(made, CODE_LINE_HEIGHT)


def _line_height(made: QtGui.QTextBlockFormat, percent: int) -> None:
    made.setLineHeight(percent, QtGui.QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)


def thin_format() -> QtGui.QTextBlockFormat:
    """Return the format of the almost invisible empty line that each table needs."""
    made = QtGui.QTextBlockFormat()
    made.setLineHeight(1, QtGui.QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


def table_format(
    block: Block, widths: list[QtGui.QTextLength], *, is_after_box: bool = False
) -> QtGui.QTextTableFormat:
    scheme = colours()
    made = QtGui.QTextTableFormat()
    made.setBorderCollapse(True)
    made.setBorder(1)
    made.setBorderBrush(QtGui.QColor(scheme.border))
    made.setBorderStyle(QtGui.QTextTableFormat.BorderStyle.BorderStyle_Solid)
    made.setCellPadding(6)
    made.setCellSpacing(0)
    made.setLeftMargin(left_of(block))
    made.setTopMargin((BOX_PADDING + GAP if is_after_box else 4) if block.is_first else PIECE_GAP)
    made.setBottomMargin(2 if block.is_last else 0)
    made.setColumnWidthConstraints(widths)
    return made


def label_format() -> QtGui.QTextBlockFormat:
    """Return the format of a line that WebRAG adds, such as the number of a page."""
    made = QtGui.QTextBlockFormat()
    made.setTopMargin(BOX_PADDING + GAP)
    made.setBottomMargin(GAP / 2)
    return made


def cell_format() -> QtGui.QTextBlockFormat:
    made = QtGui.QTextBlockFormat()
    _line_height(made, 118)
    return made


class Looks:
    """Cached character formats of one color scheme."""

    def __init__(self) -> None:
        self._made: dict[tuple[Look, int, bool, bool], QtGui.QTextCharFormat] = {}
        self._of_tokens: dict[Token, QtGui.QTextCharFormat] = {}

    def of(self, look: Look, *, level: int = 0, code: bool = False, quiet: bool = False) -> QtGui.QTextCharFormat:
        """Return a format. `level` is a heading level; `code` is for code blocks, `quiet` for text added by WebRAG."""
        key = (look, level, code, quiet)
        if key not in self._made:
            scheme = colours()
            made = QtGui.QTextCharFormat()
            is_mono = code or look & (Look.CODE | Look.FORMULA)
            scale = HEADING_SCALE.get(level, 1.0) if level else BODY
            font = mono_font(0.95 * scale) if is_mono else scaled_font(scale, bold=bool(level))
            if look & Look.STRONG:
                font.setWeight(QtGui.QFont.Weight.DemiBold)
            if look & Look.EMPHASIS or (look & Look.FORMULA and not is_mono):
                font.setItalic(True)
            if look & Look.STRUCK:
                font.setStrikeOut(True)
            made.setFont(font)
            made.setForeground(
                QtGui.QColor(scheme.muted if quiet else scheme.accent_text if look & Look.FORMULA else scheme.text)
            )
            if look & Look.CODE and not code:
                made.setBackground(QtGui.QColor(scheme.border))
            self._made[key] = made
        return self._made[key]

    def of_token(self, token: Token) -> QtGui.QTextCharFormat:
        if token not in self._of_tokens:
            made = self._of_tokens[token] = QtGui.QTextCharFormat(self.of(Look.PLAIN, code=True))
            made.setForeground(QtGui.QColor(getattr(colours(), token)))
            made.setFontItalic(token is Token.COMMENT)
        return self._of_tokens[token]

    def link(self, base: QtGui.QTextCharFormat, address: str) -> QtGui.QTextCharFormat:
        """Return the same format in the color of links."""
        made = QtGui.QTextCharFormat(base)
        made.setAnchor(True)
        made.setAnchorHref(address)
        made.setForeground(QtGui.QColor(colours().accent_text))
        made.setFontUnderline(True)
        made.setUnderlineColor(QtGui.QColor(colours().accent))
        return made


def visible_blocks(
    document: QtGui.QTextDocument, top: float, bottom: float
) -> Iterator[tuple[QtGui.QTextBlock, QRectF]]:
    """Yield the blocks between two vertical positions of the document with their areas."""
    layout = document.documentLayout()
    place = layout.hitTest(QPointF(0, top), Qt.HitTestAccuracy.FuzzyHit)
    block = document.findBlock(max(0, place))
    while block.isValid():
        area = layout.blockBoundingRect(block)
        if area.top() - block.blockFormat().topMargin() > bottom + 2 * BOX_PADDING:
            return
        yield block, area
        block = block.next()


def paint_around(painter: QtGui.QPainter, document: QtGui.QTextDocument, view: QRectF) -> None:
    """Paint the decorations of the visible blocks in document coordinates."""
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    margin = document.documentMargin()
    box: tuple[QRectF, str, int] | None = None
    for block, area in visible_blocks(document, view.top(), view.bottom()):
        look = block.blockFormat()
        kind = look.property(KIND_PROPERTY)
        left = margin + look.leftMargin()
        if look.hasProperty(QUOTES_PROPERTY):
            _paint_bars(painter, block, area, str(look.property(QUOTES_PROPERTY)), margin)
        if look.hasProperty(MARKER_PROPERTY):
            _paint_marker(painter, block, area, str(look.property(MARKER_PROPERTY)), left)
        if kind == RULE:
            painter.setPen(QtGui.QPen(QtGui.QColor(colours().border), 1))
            painter.drawLine(QPointF(left, area.center().y()), QPointF(view.right() - margin, area.center().y()))
        elif kind in (BOX, PICTURE):
            right = view.right() - margin
            if look.nonBreakableLines():
                right = max(right, left + block.layout().maximumWidth() + BOX_PADDING)
            edges = look.intProperty(EDGE_PROPERTY)
            here = QRectF(left - BOX_PADDING, area.top(), right - left + BOX_PADDING, area.height())
            here.adjust(0, -BOX_PADDING if edges & 1 else 0, 0, BOX_PADDING if edges & 2 else 0)
            if box is not None and not edges & 1:
                box = (box[0].united(here), box[1], box[2] | edges)
            else:
                _paint_box(painter, box)
                box = (here, kind, edges)
            continue
        _paint_box(painter, box)
        box = None
    _paint_box(painter, box)


def _paint_box(painter: QtGui.QPainter, box: tuple[QRectF, str, int] | None) -> None:
    if box is None:
        return
    area, kind, edges = box
    scheme = colours()
    # A box that begins or ends out of view extends beyond it.
    area.adjust(0, 0 if edges & 1 else -40, 0, 0 if edges & 2 else 40)
    if kind == PICTURE:
        painter.setPen(QtGui.QPen(QtGui.QColor(scheme.strong_border), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setPen(QtGui.QPen(QtGui.QColor(scheme.border), 1))
        painter.setBrush(QtGui.QColor(scheme.sunken))
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


def _paint_marker(painter: QtGui.QPainter, block: QtGui.QTextBlock, area: QRectF, marker: str, left: float) -> None:
    """Paint the bullet or number in front of the first line, right-aligned."""
    line = block.layout().lineAt(0) if block.layout().lineCount() else None
    font = block.charFormat().font()
    painter.setFont(font)
    painter.setPen(QtGui.QColor(colours().muted))
    ascent = line.ascent() if line is not None and line.isValid() else painter.fontMetrics().ascent()
    width = painter.fontMetrics().horizontalAdvance(marker)
    painter.drawText(QPointF(left - width - 7, area.top() + (line.y() if line is not None else 0) + ascent), marker)


def _paint_bars(painter: QtGui.QPainter, block: QtGui.QTextBlock, area: QRectF, lefts: str, margin: float) -> None:
    """Paint one bar per quote, without a gap before the next block of the same quote."""
    following = str(block.next().blockFormat().property(QUOTES_PROPERTY) or "")
    below = block.document().documentLayout().blockBoundingRect(block.next()).top()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QtGui.QColor(colours().strong_border))
    for left in lefts.split(","):
        bottom = below + 1 if left in following.split(",") else area.bottom() + 2
        painter.drawRoundedRect(
            QRectF(margin + float(left) + 2, area.top() - 2, BAR, bottom - area.top() + 2), 1.5, 1.5
        )
