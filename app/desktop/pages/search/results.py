"""Results of a search with the page of the selected one, and the exact text that a tool returns for the same question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QObject, QPointF, QRect, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtWidgets import QComboBox, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.desktop.context import Context, ShowDocument
from app.desktop.engine_thread import Latest
from app.desktop.exports import open_outside
from app.desktop.flags import FLAG_MARK, text_flags
from app.desktop.models import search
from app.desktop.models.details import section_of
from app.desktop.models.rows import ROW_ROLE, Index
from app.desktop.models.search import EVIDENCE, PASSAGES, SEARCH, Asked, View, tool_view
from app.desktop.pages.parts import text_box
from app.desktop.panels import Line
from app.desktop.preview.stored import StoredPage, markdown_quotation, marks_of, quotation
from app.desktop.qt import choose_row, reported
from app.desktop.tables import ICON, paint_icon, paint_row_background
from app.desktop.theme import colours, draw_words, fill_shape, scaled_font
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import Badge, column, icon_button, label, row, set_up_view, show_words
from app.desktop.wording import counted, duration, number, spoken
from app.errors import WebRAGError
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import CitationSpan, RetrievedChunk

RANK_WIDTH = 30
DOT = 8
DOTS = {
    search.Confidence.LIKELY: "success",
    search.Confidence.POSSIBLE: "muted",
    search.Confidence.WEAK: "strong_border",
}
"""Color of the dot in front of the confidence."""
TEXT_LINES = 2
LIST_WIDTH = 250
ELLIPSIS = 16


class HitDelegate(QStyledItemDelegate):
    """Paints results in rows of equal height, so that long lists scroll without measuring."""

    @reported(QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QtGui.QFontMetrics(scaled_font(1.0)).lineSpacing()
        small = QtGui.QFontMetrics(scaled_font(0.9)).lineSpacing()
        return QSize(200, 2 * M + line + small + (TEXT_LINES * line) + small + XS + S + 2)

    @reported(None)
    def paint(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: RetrievedChunk = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        hovered = bool(option.state.value & option.state.State_MouseOver.value)
        paint_row_background(painter, option, hovered=hovered)
        area = option.rect.adjusted(M, M, -L, -M)
        is_chosen = bool(option.state.value & option.state.State_Selected.value)
        scheme = colours()
        circle = QRectF(area.left(), area.top(), 26, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(scheme.surface if is_chosen else scheme.accent_soft))
        painter.drawEllipse(circle)
        centre = Qt.AlignmentFlag.AlignCenter
        draw_words(painter, circle, str(index.row() + 1), scheme.accent_text, centre, scale=0.9, bold=True)
        area.adjust(RANK_WIDTH + S, 0, 0, 0)
        model = index.model()
        assert isinstance(model, search.HitsModel)
        self._paint_words(painter, area, hit, model, is_chosen=is_chosen)
        painter.restore()

    def _paint_words(
        self, painter: QtGui.QPainter, area: QRect, hit: RetrievedChunk, model: search.HitsModel, *, is_chosen: bool
    ) -> None:
        scheme = colours()
        top = area.top()
        title, section = hit.chunk.title or search.address_of(hit), section_of(hit.chunk)
        top = self._line(painter, area, top, title, scaled_font(1.0, bold=True), scheme.text)
        painter.setFont(scaled_font(0.9))
        level = model.confidence(hit)
        beside = area.adjusted(0, 0, -self._confidence(painter, area, top, level), 0)
        top = self._line(painter, beside, top, section, scaled_font(0.9), scheme.accent_text) + XS
        top = self._snippet(painter, area, top, model.snippet(hit)) + S
        beside = area.adjusted(self._library(painter, area, top, hit, is_chosen=is_chosen), 0, 0, 0)
        why = partial(search.reasons, hit, model.query, is_weak=level is search.Confidence.WEAK)
        self._footer(painter, beside, top, hit, why)

    def _library(self, painter: QtGui.QPainter, area: QRect, top: int, hit: RetrievedChunk, *, is_chosen: bool) -> int:
        """Paint the name of the shared library in front of the last line. Return the width used, 0 for a private result."""
        if hit.origin is None:
            return 0
        painter.setFont(scaled_font(0.85))
        metrics, scheme = painter.fontMetrics(), colours()
        name = hit.origin.title or hit.origin.library
        words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, area.width() * 2 // 3)
        width, height = metrics.horizontalAdvance(words) + 2 * S, metrics.lineSpacing() + 2
        chip = QRect(area.left(), top, width, height)
        fill_shape(painter, chip, scheme.surface if is_chosen else scheme.accent_soft, height / 2)
        painter.setPen(QtGui.QColor(scheme.accent_text))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)
        return width + S

    def _line(self, painter: QtGui.QPainter, area: QRect, top: int, text: str, font: QtGui.QFont, colour: str) -> int:
        painter.setFont(font)
        height = painter.fontMetrics().lineSpacing()
        draw_words(painter, QRect(area.left(), top, area.width(), height), text, colour, Qt.AlignmentFlag.AlignLeft)
        return top + height

    def _snippet(self, painter: QtGui.QPainter, area: QRect, top: int, snippet: search.Snippet) -> int:
        """Paint two lines with the matching words in bold. The second line is elided if needed."""
        font = scaled_font(1.0)
        height = QtGui.QFontMetrics(font).lineSpacing()
        painter.setPen(QtGui.QColor(colours().muted))
        layout = QtGui.QTextLayout(snippet.text, font)
        layout.setTextOption(QtGui.QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.setFormats([_strong(first, last) for first, last in snippet.matches])
        layout.beginLayout()
        last = 0
        for place in range(TEXT_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width() - (ELLIPSIS if place == TEXT_LINES - 1 else 0))
            line.draw(painter, QPointF(area.left(), top + place * height))
            last = line.textStart() + line.textLength()
            if place == TEXT_LINES - 1 and last < len(snippet.text):
                end = area.left() + line.naturalTextWidth() + 2
                painter.drawText(QPointF(end, top + place * height + line.ascent()), "…")
        layout.endLayout()
        return top + TEXT_LINES * height

    def _footer(
        self, painter: QtGui.QPainter, area: QRect, top: int, hit: RetrievedChunk, why: Callable[[int], str]
    ) -> None:
        """Paint why the result matches, with as many of the matching words as fit, or the content flags if there are any."""
        painter.setFont(scaled_font(0.9))
        metrics = painter.fontMetrics()
        line = QRect(area.left(), top, area.width(), metrics.lineSpacing())
        flags = text_flags(hit.chunk.text)
        if flags:
            paint_icon(painter, line, *FLAG_MARK)
            line.adjust(ICON + XS, 0, 0, 0)
            draw_words(painter, line, ", ".join(map(spoken, flags)), colours().warning, Qt.AlignmentFlag.AlignLeft)
            return
        fitting = (why(most) for most in range(search.MAX_NAMED, 0, -1))
        words = next((each for each in fitting if metrics.horizontalAdvance(each) <= line.width()), why(1))
        draw_words(painter, line, words, colours().muted, Qt.AlignmentFlag.AlignLeft)

    def _confidence(self, painter: QtGui.QPainter, area: QRect, top: int, level: search.Confidence | None) -> int:
        """Paint the confidence with its dot. Return the width used."""
        if level is None:
            return 0
        scheme, metrics, words = colours(), painter.fontMetrics(), search.confidence_text(level)
        width, height = metrics.horizontalAdvance(words), metrics.lineSpacing()
        painter.setPen(QtGui.QColor(scheme.muted if level is search.Confidence.WEAK else scheme.text))
        painter.drawText(QRect(area.right() - width, top, width + 1, height), Qt.AlignmentFlag.AlignLeft, words)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(getattr(scheme, DOTS[level])))
        painter.drawEllipse(QRectF(area.right() - width - S - DOT + 2, top + (height - DOT) / 2, DOT, DOT))
        return width + S + DOT + L


def _strong(first: int, last: int) -> QtGui.QTextLayout.FormatRange:
    made = QtGui.QTextLayout.FormatRange()
    look = QtGui.QTextCharFormat()
    look.setFontWeight(QtGui.QFont.Weight.DemiBold)
    look.setForeground(QtGui.QColor(colours().text))
    look.setBackground(QtGui.QColor(colours().found))
    made.start, made.length, made.format = first, last - first, look
    return made


def hits_list(hits: QAbstractItemModel, name: str) -> QListView:
    """Create the list of results for the Search page and the Ask window. `name` is its accessible name."""
    made = QListView(uniformItemSizes=True)
    made.setModel(hits)
    made.setItemDelegate(HitDelegate(made))
    set_up_view(made, name)
    made.setMinimumWidth(LIST_WIDTH)
    made.setMouseTracking(True)
    return made


class Results(QObject):
    """The widgets `list`, `doubt` and `page`, which the owner places, and their actions.

    `show_document` opens a stored page, and `say` shows a message. `chosen` is emitted after another result was selected, and `due` when
    the search should be repeated.
    """

    chosen = Signal()

    def __init__(
        self, context: Context, parent: QWidget, show_document: ShowDocument, say: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self._show_document, self._say = show_document, say
        self._quotes: Sequence[CitationSpan] = ()
        self.hits = search.HitsModel(self)
        self.renewal = search.Renewal(context.status, self)
        self.due = self.renewal.due
        self.list = hits_list(self.hits, self.tr("Results"))
        self.list.setParent(parent)
        self.list.activated.connect(lambda _index: self.open_current())
        self.list.selectionModel().currentChanged.connect(lambda *_: self._choose())
        QtGui.QShortcut("Ctrl+C", self.list, self.copy_current, context=Qt.ShortcutContext.WidgetShortcut)
        self.page = StoredPage(context, show_document, self.copy_current, self.tr("Enter"))
        self.doubt = label("", "warning", wrap=True, margins=(L, S, L, S))
        self.doubt.hide()

    @property
    def current(self) -> RetrievedChunk | None:
        return self.hits.record_at(self.list.currentIndex())

    def show(
        self, result: OrchestrationResult, chosen: RetrievedChunk | None = None, notes: Iterable[str] = ()
    ) -> None:
        """Show results and select `chosen` or, if it is not among them, the best one. `notes` are shown above them."""
        self._quotes = result.citations
        self.renewal.watch(result.chunks)
        self.page.forget()
        self.hits.show_result(result)
        closest = [self.tr("No passage answers this. Closest passages:")] if result.nothing_found else []
        show_words(self.doubt, "\n".join([*map(spoken, notes), *closest]))
        if self.hits.rowCount():
            choose_row(self.list, max(0, self.hits.row_of(chosen.chunk.id)) if chosen is not None else 0)
            self._choose()

    def summary(self, result: OrchestrationResult) -> str:
        hits = counted(self.hits.rowCount(), self.tr("1 result"), self.tr("{} results"))
        return self.tr("{hits} in {time}").format(hits=hits, time=duration(result.timing.total_ms))

    def clear(self) -> None:
        self._quotes = ()
        self.renewal.forget()
        self.hits.query = ""
        self.hits.replace(())
        self.page.clear()

    def open_current(self) -> None:
        hit = self.current
        if hit is not None and hit.origin is not None:
            open_outside(QUrl(hit.origin.url))
        elif hit is not None:
            self._show_document(hit.chunk.document_id, *marks_of(hit, self._quotes)[0])

    def copy_current(self) -> None:
        """Copy the marked text with its source, as plain text and Markdown."""
        if (hit := self.current) is not None:
            QtGui.QGuiApplication.clipboard().setMimeData(quotation(hit, self._quotes))
            self._say(self.tr("Passage copied with its source"))

    def copy_markdown(self) -> None:
        """Copy the marked text with its source as Markdown only."""
        if (hit := self.current) is not None:
            QtGui.QGuiApplication.clipboard().setText(markdown_quotation(hit, self._quotes))
            self._say(self.tr("Passage copied as Markdown"))

    def _choose(self) -> None:
        """Show the page of the selected result."""
        if (hit := self.current) is not None:
            self.page.show_hit(hit, self._quotes, is_weak=self.hits.confidence(hit) is search.Confidence.WEAK)
        self.chosen.emit()


class AssistantView(QWidget):
    """Result text of the selected tool. Tools that need another search are called when selected."""

    shown = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._asked: Asked | None = None
        self._views: dict[str, View] = {}
        self._calling = Latest(context.thread, self)
        self.tokens = Badge("", "accent")
        self.tokens.setToolTip(self.tr("Length of this text in tokens"))
        self.tool = QComboBox(minimumContentsLength=max(map(len, (SEARCH, EVIDENCE, PASSAGES))))
        self.tool.setAccessibleName(self.tr("Tool"))
        self.tool.setToolTip(self.tr("The tool that the assistant calls. Each tool formats the results differently."))
        for name in (SEARCH, EVIDENCE, PASSAGES):
            self.tool.addItem(name.replace(".", "_"), name)
        self.tool.currentIndexChanged.connect(lambda _index: self._follow())
        said = self.tr("Text copied")
        self.copy = icon_button("copy", self.tr("Copy text"), lambda: context.copy(self.text.toPlainText(), said))
        self.text = text_box(self.tr("Assistant view"), mono=0.9, margin=M)
        words = label(self.tr("Tool"), "muted")
        words.setBuddy(self.tool)
        head = row(words, self.tool, 1, self.tokens, self.copy, margins=(L, S, S, S))
        column(head, Line(), (self.text, 1), spacing=0, parent=self)

    def show_search(self, asked: Asked, view: View) -> None:
        """Show the result of the tool `search`. Other tools are called on demand."""
        self.forget()
        self._asked = asked
        self._views = {SEARCH: view}
        self._follow()

    def forget(self) -> None:
        self._calling.cancel()
        self._asked, self._views = None, {}
        self._show(View("", 0))

    def _follow(self) -> None:
        """Show the selected tool's text, requesting it first if needed."""
        tool, asked = str(self.tool.currentData()), self._asked
        known = self._views.get(tool)
        if known is not None or asked is None:
            self._show(known or View("", 0))
            return
        self._show(View(self.tr("Calling {}…").format(tool), 0))

        def show(view: View) -> None:
            if tool == self.tool.currentData():
                self._show(view)

        def take(view: View) -> None:
            self._views[tool] = view
            show(view)

        def fail(error: WebRAGError) -> None:
            # Not kept, so that choosing the tool again repeats the call.
            show(View("\n\n".join(filter(None, (error.title, error.message, error.hint))), 0))

        self._calling.submit(lambda engine: tool_view(engine, asked, tool), take, fail)

    def _show(self, view: View) -> None:
        self.text.setPlainText(view.text)
        words = self.tr("{} tokens").format(number(view.tokens)) if view.tokens else ""
        self.tokens.show_text(words, "accent")
        self.shown.emit()
