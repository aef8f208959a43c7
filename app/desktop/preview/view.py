"""Text view of a stored page with its saved images. Pages are untrusted: no raw HTML, no loading, and links only emit signals.

The page is written bit by bit while the window stays responsive, from its beginning or near the requested passage.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from PySide6 import QtGui
from PySide6.QtCore import QByteArray, QEvent, QPoint, QPointF, QRectF, Qt, QUrl, Signal
from PySide6.QtWidgets import QTextBrowser, QToolTip, QWidget

from app.desktop.preview.blocks import Block, blocks, safe_start
from app.desktop.preview.looks import paint_around
from app.desktop.preview.pictures import PictureDialog, ShownPictures, number_of, paint_pictures
from app.desktop.preview.pictures import places as places_of_pictures
from app.desktop.preview.places import Findings, marked, paint_mark_bar, places
from app.desktop.preview.writer import PreviewWriter
from app.desktop.qt import single_shot
from app.desktop.theme import theme
from app.desktop.tokens import XL
from app.desktop.wording import plain_tip
from app.library.records import ImageRecord, KeptPicture, LinkRecord

SHOWN_CHARS: Final = 60_000  # Characters shown at first, and added each time the reader reaches the end.
BEFORE_CHARS, AFTER_CHARS = 2_500, 6_000  # Minimum number of characters around a passage.
SLICE_SECONDS: Final = 0.006
PAUSE_MS: Final = 4
UPPER_THIRD: Final = 0.22  # Vertical position of a passage in the view, as a share of its height.
TOP: Final = 0.05
WIDEST: Final = 880  # Maximum text width; longer lines are hard to read. A wider view gets margins.

Span = tuple[int, int]


class Preview(QTextBrowser):
    """Renders Markdown of the library. All offsets refer to the given text.

    `progressed` is emitted when more of the page, or another part, is shown; `marks_changed` when the current passage changes.
    """

    link_clicked = Signal(str)
    progressed = Signal()
    marks_changed = Signal()
    find_wanted = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = ""
        self._links: Sequence[LinkRecord] = ()
        self._images: Sequence[ImageRecord] = ()
        self._pictures = ShownPictures()
        self._labels: Sequence[tuple[int, str]] = ()
        self.marks: list[Span] = []  # The highlighted passages.
        self._around: list[Span] = []
        self.current_mark = -1  # Index of the current passage, or -1.
        self._wanted: tuple[int, int, float] | None = None
        self._search: Iterator[list[Span]] | None = None
        self._search_from = 0
        self._start = self._written = self._limit = 0
        self._is_whole = True
        self.findings = Findings()
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QtGui.QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.anchorClicked.connect(self._follow)
        self.document().setDocumentMargin(XL)
        self._timer = single_shot(self, PAUSE_MS, self._go_on)
        self._search_timer = single_shot(self, 0, self._search_on)
        self._fit_timer = single_shot(self, 60, lambda: self._writer.fit(self._room()))
        self._begin(0)
        theme().changed.connect(self._write_anew)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def show_text(
        self,
        text: str,
        links: Sequence[LinkRecord] = (),
        images: Sequence[ImageRecord] = (),
        pictures: Mapping[str, KeptPicture] | None = None,
        labels: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Show another page from its beginning. `pictures` are the saved images of `images` by address, `labels` lines to add."""
        self._source, self._links, self._images, self._labels = text, links, images, labels
        self._pictures = ShownPictures(images, pictures)
        self.marks, self._around, self.current_mark = [], [], -1
        self._search = None
        self.findings.clear()
        self._begin(0)
        self.marks_changed.emit()

    @property
    def shown(self) -> Span:
        """The part of the source that is shown or being written."""
        return self._start, len(self._source) if self._is_whole else self._written

    @property
    def source_length(self) -> int:
        return len(self._source)

    @property
    def is_writing(self) -> bool:
        """Whether the requested part is still being written."""
        return not self._is_whole and self._written < self._limit

    def show_more(self) -> None:
        """Show the next part of the page as well."""
        if not self._is_whole:
            self._limit = max(self._limit, self._written + SHOWN_CHARS)
            self._go_on()

    def show_earlier(self) -> None:
        """Show the previous part of the page as well, without moving the visible text."""
        if self._start:
            place = self._start
            end = self._written
            self._begin(safe_start(self._source, place - SHOWN_CHARS))
            self._bring(place, place, 0.0)
            self._limit = max(self._limit, end)

    def set_marks(self, marks: Sequence[Span], around: Span | None = None) -> None:
        """Highlight several passages, or none, and scroll to the first one. `around` is tinted lightly behind them."""
        self.marks = self._within(marks)
        self._around = self._within([around] if around is not None and self.marks else [])
        self.current_mark = -1
        self.go_to_mark(1)

    def _within(self, spans: Sequence[Span]) -> list[Span]:
        length = len(self._source)
        cut = [(max(0, min(start, length)), max(0, min(end, length))) for start, end in spans]
        return [(start, end) for start, end in cut if end > start]

    def go_to_mark(self, by: int) -> None:
        """Scroll to the next or previous highlighted passage."""
        if self.marks:
            self.current_mark = (self.current_mark + by) % len(self.marks)
            self._bring(*self.marks[self.current_mark])
        self._paint_marks()
        self.marks_changed.emit()

    def show_place(self, offset: int) -> None:
        self._bring(offset, offset, TOP)

    def find_words(self, words: str) -> None:
        """Search the whole page, and go to the first match from here on. Without words, clear the search."""
        self._search_from = self.offset_in_view()
        self.findings.clear()
        self._search = places(self._source, words) if words.strip() else None
        self._search_on()

    @property
    def is_searching(self) -> bool:
        return self._search is not None

    def go_to_found(self, by: int) -> None:
        """Scroll to the next or previous match."""
        found = self.findings.step(by)
        if found is not None:
            self._bring(*found)
        self._paint_marks()
        self.marks_changed.emit()

    def show_pictures(self, pictures: Mapping[str, KeptPicture]) -> None:
        """Replace the images of the current page without moving it."""
        self._pictures = ShownPictures(self._images, pictures)
        self._write_anew()

    def open_picture(self, number: int) -> None:
        image = self._pictures.image(number) if number in self._pictures else None
        if image is not None and not image.isNull():
            PictureDialog(image, self._pictures.words(number), self).open_once()

    def picture_at(self, place: QPoint) -> int:
        """Return the number of the image at a position of the view, or -1."""
        offset = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        found = places_of_pictures(self.document(), self._pictures, self._view())
        return next((number for number, area in found if area.contains(QPointF(place) + offset)), -1)

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """Return nothing: pages load neither files nor from the network.

        The bytes must be empty instead of None, which would let the document read local files.
        """
        return QByteArray()

    def event(self, event: QEvent) -> bool:
        # The window uses the same keys for its own boxes. Here they apply to the page.
        if isinstance(event, QtGui.QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            is_ours = event.matches(QtGui.QKeySequence.StandardKey.Find)
            event.setAccepted(is_ours)
            if is_ours:
                return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.matches(QtGui.QKeySequence.StandardKey.Find):
            self.find_wanted.emit()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons() and self.picture_at(event.position().toPoint()) >= 0:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_click = event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection()
        if is_click and (number := self.picture_at(event.position().toPoint())) >= 0:
            self.open_picture(number)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QtGui.QHelpEvent):
            address = self.anchorAt(event.pos())
            is_picture = number_of(address) >= 0 or self.picture_at(event.pos()) >= 0
            tip = self.tr("Show the image on its own") if is_picture else address
            QToolTip.showText(event.globalPos(), plain_tip(tip), self)
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        side = max(0, (self.width() - WIDEST) // 2)
        if side != self.viewportMargins().left():
            self.setViewportMargins(side, 0, side, 0)
        super().resizeEvent(event)
        self._fit_timer.start()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        with QtGui.QPainter(self.viewport()) as painter:
            offset = self.verticalScrollBar().value()
            painter.translate(-self.horizontalScrollBar().value(), -offset)
            paint_around(painter, self.document(), self._view())
            paint_pictures(painter, self.document(), self._pictures, self._view())
            pointed = self._pointed()
            if pointed is not None:
                paint_mark_bar(painter, self.document(), self._writer.map.shown(*pointed))
        super().paintEvent(event)

    def _view(self) -> QRectF:
        """Return the visible area in document coordinates."""
        return QRectF(0, self.verticalScrollBar().value(), self.viewport().width(), self.viewport().height())

    def _follow(self, url: QUrl) -> None:
        if (number := number_of(url.toString())) >= 0:
            self.open_picture(number)
        else:
            self.link_clicked.emit(url.toString())

    def _begin(self, start: int) -> None:
        document = self.document()
        document.clear()
        self._wanted = None
        self._start = self._written = start
        self._limit = start + SHOWN_CHARS
        self._is_whole = not self._source
        shown = (self._source, self._links, self._images, self._pictures)
        self._writer = PreviewWriter(document, *shown, self._room(), start, self._labels)
        self._blocks = blocks(self._source, start)
        self.setExtraSelections([])
        self._go_on()

    def _room(self) -> float:
        return max(120.0, self.viewport().width() - 2.0 * XL)

    def _go_on(self) -> None:
        """Write for a moment, and continue after the event loop has run."""
        if self.is_writing:
            self._write(SLICE_SECONDS)
        if self._wanted is not None and (self._is_whole or not self.is_writing or self._written >= self._wanted[1]):
            (start, _, height), self._wanted = self._wanted, None
            cursor = QtGui.QTextCursor(self.document())
            cursor.setPosition(min(self._writer.map.place_of(start), self.document().characterCount() - 1))
            self.horizontalScrollBar().setValue(0)
            # Move the cursor too, so that reading aloud and the arrow keys start there.
            self.setTextCursor(cursor)
            place, bar, sideways = self.cursorRect(cursor), self.verticalScrollBar(), self.horizontalScrollBar()
            bar.setValue(bar.value() + place.top() - round(self.viewport().height() * height))
            if sideways.value():  # Qt only shows the first edge of a passage in a wide table
                sideways.setValue(sideways.value() + place.left() - round(self.viewport().width() * UPPER_THIRD))
        if self.is_writing:
            self._timer.start()
        self.progressed.emit()

    def _write(self, seconds: float) -> None:
        until, begun = time.perf_counter() + seconds, self._written
        cursor = QtGui.QTextCursor(self.document())
        cursor.beginEditBlock()
        while time.perf_counter() < until and self._written < self._limit:
            block: Block | None = next(self._blocks, None)
            if block is None:
                self._writer.write_pictures_left()
                self._is_whole = True
                break
            self._writer.write(block)
            self._written = max(self._written, block.end)
        cursor.endEditBlock()
        if begun == self._start:
            # The writer has moved the cursor.
            cursor.setPosition(0)
            self.setTextCursor(cursor)
        tinted = (*self._around, *self.marks, *self.findings.places)
        if any(span[0] < self._written and span[1] > begun for span in tinted):
            self._paint_marks()

    def _bring(self, start: int, end: int, height: float = UPPER_THIRD) -> None:
        """Scroll to a range of the source once enough around it is written."""
        is_far = start - self._written > SHOWN_CHARS
        if start < self._start or is_far:
            self._begin(safe_start(self._source, start - BEFORE_CHARS))
        enough = min(end, start + SHOWN_CHARS) + AFTER_CHARS
        self._limit = max(self._limit, enough)
        self._wanted = (start, enough, height)
        self._go_on()

    def offset_in_view(self, share: float = 0.0) -> int:
        """Return the source offset at the top of the view, or lower by a share of its height."""
        place = QPoint(0, round(self.viewport().height() * share))
        return self._writer.map.source_of(self.cursorForPosition(place).position())

    def _search_on(self) -> None:
        if self._search is not None:
            more = next(self._search, None)
            is_first = not self.findings.places
            self.findings.add(more or [])
            if more is None or self.findings.is_cut:
                self._search = None
            else:
                self._search_timer.start()
            if is_first and self.findings.places and self.findings.places[-1][0] < self._search_from and self._search:
                # A match closer to the current position may still be found.
                self.marks_changed.emit()
                return
            if self.findings.current < 0 and (found := self.findings.start_from(self._search_from)) is not None:
                self._bring(*found)
        self._paint_marks()
        self.marks_changed.emit()

    def _pointed(self) -> Span | None:
        """Return the current match or highlighted passage."""
        if self.findings.current >= 0:
            return self.findings.places[self.findings.current]
        return self.marks[self.current_mark] if self.current_mark >= 0 else None

    def _paint_marks(self) -> None:
        others = [*self._around, *self.marks, *self.findings.places]
        shown = self._start, self._written
        self.setExtraSelections(marked(self.document(), self._writer.map, others, self._pointed(), shown))

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        is_near_end = value > 0 and value >= bar.maximum() - self.viewport().height()
        if is_near_end and not self.is_writing and not self._is_whole:
            self.show_more()

    def _write_anew(self) -> None:
        """Rewrite the same part of the page in place, with the current colors and images."""
        start, end, place, wanted = self._start, self._written, self.offset_in_view(), self._wanted
        is_at_top = self.verticalScrollBar().value() == 0
        self._begin(start)
        self._limit = max(self._limit, end)
        if wanted is not None:
            self._bring(*wanted)
        elif not is_at_top:
            self._bring(place, place, 0.0)
        self._go_on()
