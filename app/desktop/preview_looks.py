"""The looks of a shown page: fonts, colours and distances of its blocks and runs in the scheme in force."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextFormat, QTextLength, QTextTableFormat

from app.desktop.preview_blocks import Block, Kind
from app.desktop.preview_inline import Look
from app.desktop.theme import colours, mono_font, scaled_font

BODY: Final = 1.04
"""Size of the text beside the interface font."""
LINE_HEIGHT, CODE_LINE_HEIGHT, HEADING_LINE_HEIGHT = 130, 118, 112
GAP, ITEM_GAP = 8, 4
"""Between two blocks, in device-independent pixels."""
BOX_PADDING: Final = 10
INDENT, QUOTE_INDENT = 24, 18
HEADING_SCALE: Final = {1: 1.55, 2: 1.28, 3: 1.12}
HEADING_GAP: Final = {1: 6, 2: 20, 3: 14}

KIND_PROPERTY: Final = int(QTextFormat.Property.UserProperty) + 1
MARKER_PROPERTY: Final = KIND_PROPERTY + 1
QUOTES_PROPERTY: Final = KIND_PROPERTY + 2
"""Where the bars of the quotations stand, from the margin of the page."""
EDGE_PROPERTY: Final = KIND_PROPERTY + 3
"""1 where a box begins, 2 where it ends, 3 for both."""

BOX, PICTURE, RULE = "box", "picture", "rule"


def left_of(block: Block) -> float:
    """Where the text of a block begins, beside the margin of the page."""
    return block.depth * INDENT + len(block.quotes) * QUOTE_INDENT


def block_format(block: Block) -> QTextBlockFormat:
    """Distances of a block; what is drawn around it is told by its properties."""
    made = QTextBlockFormat()
    made.setLeftMargin(left_of(block))
    if block.quotes:
        lefts = [lists * INDENT + place * QUOTE_INDENT for place, lists in enumerate(block.quotes)]
        made.setProperty(QUOTES_PROPERTY, ",".join(map(str, lefts)))
    if block.marker:
        made.setProperty(MARKER_PROPERTY, block.marker)
    if block.kind in (Kind.CODE, Kind.FORMULA):
        _box(made, BOX, is_first=block.is_first, is_last=block.is_last)
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


def picture_format(block: Block | None) -> QTextBlockFormat:
    """The frame that stands for a picture."""
    made = QTextBlockFormat()
    made.setLeftMargin(left_of(block) if block is not None else 0)
    _box(made, PICTURE, is_first=True, is_last=True)
    return made


def _box(made: QTextBlockFormat, kind: str, *, is_first: bool, is_last: bool) -> None:
    made.setProperty(KIND_PROPERTY, kind)
    made.setProperty(EDGE_PROPERTY, int(is_first) + 2 * int(is_last))
    made.setLeftMargin(made.leftMargin() + BOX_PADDING + 2)
    made.setRightMargin(BOX_PADDING + 2)
    made.setTopMargin(BOX_PADDING + GAP if is_first else 0)
    made.setBottomMargin(BOX_PADDING + GAP if is_last else 0)
    _line_height(made, CODE_LINE_HEIGHT)


def _line_height(made: QTextBlockFormat, percent: int) -> None:
    made.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)


def thin_format() -> QTextBlockFormat:
    """The empty line that a table brings along, with hardly any height."""
    made = QTextBlockFormat()
    made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


def table_format(block: Block, widths: list[QTextLength]) -> QTextTableFormat:
    """Hairlines around cells that have room."""
    scheme = colours()
    made = QTextTableFormat()
    made.setBorderCollapse(True)
    made.setBorder(1)
    made.setBorderBrush(QColor(scheme.border))
    made.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
    made.setCellPadding(6)
    made.setCellSpacing(0)
    made.setLeftMargin(left_of(block))
    made.setTopMargin(4 if block.is_first else 0)
    made.setBottomMargin(2 if block.is_last else 0)
    made.setColumnWidthConstraints(widths)
    return made


def cell_format() -> QTextBlockFormat:
    """Lines in a cell."""
    made = QTextBlockFormat()
    _line_height(made, 118)
    return made


class Looks:
    """The character formats of one scheme, made once."""

    def __init__(self) -> None:
        self._made: dict[tuple[Look, int, bool, bool], QTextCharFormat] = {}

    def of(self, look: Look, *, level: int = 0, code: bool = False, quiet: bool = False) -> QTextCharFormat:
        """`level` is that of a heading; `code` for blocks of code, `quiet` for words that are ours."""
        key = (look, level, code, quiet)
        if key not in self._made:
            self._made[key] = _character_format(look, level, code=code, quiet=quiet)
        return self._made[key]

    def link(self, base: QTextCharFormat, address: str) -> QTextCharFormat:
        """The same with the colour of links."""
        made = QTextCharFormat(base)
        made.setAnchor(True)
        made.setAnchorHref(address)
        made.setForeground(QColor(colours().accent_text))
        made.setFontUnderline(True)
        made.setUnderlineColor(QColor(colours().accent))
        return made


def _character_format(look: Look, level: int, *, code: bool, quiet: bool) -> QTextCharFormat:
    scheme = colours()
    made = QTextCharFormat()
    is_mono = code or look & (Look.CODE | Look.FORMULA)
    scale = HEADING_SCALE.get(level, 1.0) if level else BODY
    font = mono_font(0.95 * scale) if is_mono else scaled_font(scale, bold=bool(level))
    if look & Look.STRONG:
        font.setWeight(QFont.Weight.DemiBold)
    if look & Look.EMPHASIS or (look & Look.FORMULA and not is_mono):
        font.setItalic(True)
    if look & Look.STRUCK:
        font.setStrikeOut(True)
    made.setFont(font)
    made.setForeground(QColor(scheme.muted if quiet else scheme.accent_text if look & Look.FORMULA else scheme.text))
    if look & Look.CODE and not code:
        made.setBackground(QColor(scheme.border))
    return made
