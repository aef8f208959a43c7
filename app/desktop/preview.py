"""A stored page as text to read. Pages are untrusted: no raw HTML, nothing is loaded, links open outside on a click."""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrameFormat,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.desktop.theme import colours, mono_font, scaled_font, theme
from app.desktop.tokens import XL

SHOWN_CHARS: Final = 60_000
"""Longer pages are shown up to here: laying out more at once would make the window wait."""

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_HEADING_SCALE: Final = {1: 1.5, 2: 1.25, 3: 1.1}


class Preview(QTextBrowser):
    """Renders Markdown with the features of the extractor: headings, lists, tables, code."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = ""
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(open_outside)
        self.document().setDocumentMargin(XL)
        theme().changed.connect(self._render)

    def show_text(self, text: str) -> None:
        """Show the beginning of a page; `is_cut` says whether there is more."""
        self._source = text
        self._render()

    @property
    def is_cut(self) -> bool:
        return len(self._source) > SHOWN_CHARS

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """Nothing: neither files nor the network are read for a page.

        The empty bytes matter: for None the document would read local files itself.
        """
        return QByteArray()

    def mark(self, start: int, end: int) -> None:
        """Select the first line of the passage between two offsets of the text, and scroll to it."""
        first = self._source[start:end].lstrip("#>*- \n").partition("\n")[0]
        found = self.document().find(first)
        if not found.isNull():
            self.setTextCursor(found)
            self.ensureCursorVisible()

    def _render(self) -> None:
        text = _IMAGE.sub(lambda match: f"[{match[1]}]" if match[1] else "", self._source[:SHOWN_CHARS])
        document = self.document()
        document.setDefaultFont(scaled_font(1.04))
        document.setMarkdown(
            text,
            QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML,
        )
        _dress(document)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def open_outside(url: QUrl) -> None:
    """Open a web address in the browser; other schemes are not followed."""
    if url.scheme() in ("http", "https"):
        QDesktopServices.openUrl(url)


def _dress(document: QTextDocument) -> None:
    """Our type scale and spacing in place of the defaults of Qt's Markdown reader."""
    mono = mono_font()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        is_code = block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(_block_format(block.blockFormat(), level, is_code))
        parts = _fragments(block)
        for fragment in parts:
            look = fragment.charFormat()
            if level:
                look.setFont(scaled_font(_HEADING_SCALE.get(level, 1.0), bold=True))
            elif is_code or look.fontFixedPitch():
                look.setFont(mono, look.FontPropertiesInheritanceBehavior.FontPropertiesAll)
                look.setFontFixedPitch(True)
            elif look.fontWeight() > QFont.Weight.Medium:
                look.setFontWeight(QFont.Weight.DemiBold)
            cursor.setPosition(fragment.position())
            cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(look)
        block = block.next()
    _frame_code(document, cursor)
    cursor.endEditBlock()


def _frame_code(document: QTextDocument, cursor: QTextCursor) -> None:
    """Put every run of code lines into a box with padding, which block formats do not have."""
    box = QTextFrameFormat()
    box.setBackground(QColor(colours().sunken))
    box.setPadding(10)
    box.setTopMargin(4)
    box.setBottomMargin(8)
    for first, last in reversed(_code_runs(document)):
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        frame = cursor.insertFrame(box)
        for beside in (frame.firstPosition() - 1, frame.lastPosition() + 1):
            _flatten(document.findBlock(beside), cursor)


def _flatten(block: QTextBlock, cursor: QTextCursor) -> None:
    """Take the height from an empty line that a frame brings along."""
    if block.isValid() and not block.text():
        thin = QTextBlockFormat()
        thin.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(thin)


def _code_runs(document: QTextDocument) -> list[tuple[int, int]]:
    """Begin and end of each run of code lines."""
    runs: list[tuple[int, int]] = []
    open_run = False
    block = document.begin()
    while block.isValid():
        is_code = block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)
        end = block.position() + block.length() - 1
        if is_code and open_run:
            runs[-1] = (runs[-1][0], end)
        elif is_code:
            runs.append((block.position(), end))
        open_run = is_code
        block = block.next()
    return runs


def _block_format(known: QTextBlockFormat, level: int, is_code: bool) -> QTextBlockFormat:
    made = QTextBlockFormat(known)
    made.setLineHeight(128 if not level else 112, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if level:
        made.setTopMargin(14 if level > 1 else 4)
        made.setBottomMargin(6)
    elif is_code:
        made.clearBackground()
        made.setLeftMargin(0)
        made.setTopMargin(0)
        made.setBottomMargin(0)
    elif made.objectIndex() < 0:
        made.setBottomMargin(max(known.bottomMargin(), 7))
    return made


def _fragments(block: QTextBlock) -> list[QTextFragment]:
    found = []
    place = block.begin()
    while not place.atEnd():
        found.append(place.fragment())
        place += 1
    return found
