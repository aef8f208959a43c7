"""The panel beside the table by which the pages are narrowed down, and the tree of facets in it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
)

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.models.facets import CHOSEN_ROLE, COUNT_ROLE, LABEL_FACETS, MORE, NEW, Facet, FacetTree
from app.desktop.models.labels import PAGES_MIME, dragged_pages
from app.desktop.models.library import LibraryModel
from app.desktop.pages.library.labels import LabelMenus
from app.desktop.pages.page import offer_menu
from app.desktop.painting import draw_words, fill_shape
from app.desktop.panels import Card
from app.desktop.qt import reported, single_shot
from app.desktop.theme import colours, scaled_font
from app.desktop.tokens import XS, S
from app.desktop.widgets import button, held, label, row
from app.desktop.wording import number

ROW_HEIGHT: Final = 28
HEADING_HEIGHT: Final = 34
BOX: Final = 15
ARROW: Final = 18
"""Room for the arrow that folds a heading or a site."""
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex

WIDTH: Final = 216
COUNT_MS: Final = 120
"""Counts follow when the typing pauses, so that they cost no keystroke anything."""
FOLLOW_MS: Final = 1_500
"""How often they follow pages that come and go."""
FOLDED: Final = "library/folded"


class FacetDelegate(QStyledItemDelegate):
    """Paints one line; checked and folded states come from the model."""

    @reported(None)
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scheme, view, area = colours(), option.widget, option.rect.adjusted(XS, 0, -S, 0)
        assert isinstance(view, FacetView)
        ground = QRectF(option.rect).adjusted(XS, 1, -XS, -1)
        is_target = view.drop_index == index
        if option.state & QStyle.StateFlag.State_MouseOver or is_target:
            fill_shape(painter, ground, scheme.accent_soft if is_target else scheme.hover, 5)
        if view.hasFocus() and option.state & QStyle.StateFlag.State_HasFocus:
            fill_shape(painter, ground, "", 5, edge=scheme.accent, width=1.5)
        if index.model().rowCount(index):
            opened = view.isExpanded(index)
            centre = QPointF(QRect(area.left(), area.top(), ARROW, area.height()).center())
            turned = [(-3.5, -1.75), (0, 1.75), (3.5, -1.75)] if opened else [(-1.75, -3.5), (1.75, 0), (-1.75, 3.5)]
            painter.setPen(QPen(QColor(scheme.muted), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPolyline([centre + QPointF(x, y) for x, y in turned])
        area.setLeft(area.left() + ARROW)
        if not index.parent().isValid():
            painter.setFont(scaled_font(0.92, bold=True))
            draw_words(painter, area, str(index.data()), scheme.text)
            draw_words(painter, area, str(index.data(CHOSEN_ROLE) or ""), scheme.accent_text, RIGHT)
        else:
            self._paint_value(painter, area, index)
        painter.restore()

    @reported(QSize())
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, ROW_HEIGHT if index.parent().isValid() else HEADING_HEIGHT)

    def editorEvent(self, *_: object) -> bool:
        """The view itself answers to mouse and keyboard."""
        return False

    def _paint_value(self, painter: QPainter, area: QRect, index: Index) -> None:
        scheme = colours()
        count = index.data(COUNT_ROLE)
        checked = index.data(Qt.ItemDataRole.CheckStateRole)
        is_checked = checked is not None and Qt.CheckState(checked) is Qt.CheckState.Checked
        if checked is not None:
            _paint_box(painter, QPoint(area.left(), area.center().y() - BOX // 2), checked=is_checked)
        area.setLeft(area.left() + BOX + S)
        if count is not None:
            # Written by the person's locale already.
            draw_words(painter, area, str(count), scheme.muted, RIGHT)
            area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(str(count)) - S)
        is_dim = count is None or (count == number(0) and not is_checked)
        # A host tells most at its beginning, least by its ending; the tooltip has all of it.
        colour = scheme.accent_text if checked is None else scheme.muted if is_dim else scheme.text
        draw_words(painter, area, str(index.data()), colour)


def _paint_box(painter: QPainter, corner: QPoint, *, checked: bool) -> None:
    scheme = colours()
    shape = QRectF(corner.x() + 0.5, corner.y() + 0.5, BOX - 1, BOX - 1)
    fill, edge = (scheme.accent, scheme.accent) if checked else (scheme.surface, scheme.muted)
    fill_shape(painter, shape, fill, 3.5, edge=edge)
    if checked:
        painter.setPen(QPen(QColor(scheme.on_accent), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        corners = [(3.5, 7.5), (6.2, 10.2), (11.0, 4.8)]
        painter.drawPolyline([QPointF(corner.x() + x, corner.y() + y) for x, y in corners])


class FacetView(QTreeView):
    """A click or Space chooses a value; a click on an arrow or a heading, Left and Right fold.

    Pages can be dropped on collections and tags: `dropped` gives facet, value (NEW for a new collection) and their ids. F2 and Del on one
    of them are `renamed` and `deleted`.
    """

    dropped = Signal(int, str, object)
    renamed = Signal(int, str)
    deleted = Signal(int, str)

    def __init__(self, model: FacetTree, name: str) -> None:
        super().__init__()
        self._tree = model
        self.setModel(model)
        self.setItemDelegate(FacetDelegate(self))
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAcceptDrops(True)
        self.drop_index = QPersistentModelIndex()

    def label_at(self, index: Index) -> tuple[Facet, str] | None:
        """The collection or tag of a line; also the line of a new collection, as NEW."""
        node = self._tree.node(index)
        is_label = node is not None and node.parent is not None and node.facet in LABEL_FACETS and node.value != MORE
        return (node.facet, node.value) if node is not None and is_label else None

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._hover(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._hover(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_drop(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:
        found = self.label_at(self.indexAt(event.position().toPoint()))
        ids = dragged_pages(event.mimeData())
        self._show_drop(QModelIndex())
        if found is not None and ids:
            event.acceptProposedAction()
            self.dropped.emit(int(found[0]), found[1], ids)

    def _hover(self, event: QDropEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        is_here = self.label_at(index) is not None and event.mimeData().hasFormat(PAGES_MIME)
        self._show_drop(index if is_here else QModelIndex())
        # Entering anywhere counts, or no move over a line would follow.
        if is_here or (event.type() is QEvent.Type.DragEnter and event.mimeData().hasFormat(PAGES_MIME)):
            event.acceptProposedAction()
        else:
            event.ignore()

    def _show_drop(self, index: QModelIndex) -> None:
        self.drop_index = QPersistentModelIndex(index)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        self.setCurrentIndex(index)
        is_on_arrow = place.x() < self.visualRect(index).left() + XS + ARROW
        if not index.parent().isValid() or (is_on_arrow and self.model().rowCount(index)):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self._tree.toggle(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        found = self.label_at(index)
        if found is not None and found[1] != NEW and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            signal = self.renamed if event.key() == Qt.Key.Key_F2 else self.deleted
            signal.emit(int(found[0]), found[1])
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            if index.parent().isValid():
                self._tree.toggle(index)
            else:
                self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.doItemsLayout()


class FacetPanel(Card):
    """Shows how many pages have each value, and lets the model show only some.

    `narrowed` follows every choice, `counted` every count of all values.
    """

    narrowed = Signal()
    counted = Signal()

    def __init__(self, context: Context, model: LibraryModel, labels: LabelMenus) -> None:
        super().__init__(margin=0, spacing=0)
        self.setFixedWidth(WIDTH)
        self._memory = context.memory
        self._model = model
        self.tree = FacetTree(self)
        self.view = FacetView(self.tree, self.tr("Filters"))
        self._clear = button(self.tr("Clear"), self.clear, "link")
        self._clear.setAccessibleName(self.tr("Clear the filters"))
        self._build()
        self._counting = single_shot(self, COUNT_MS, self._begin)
        self._stepping = single_shot(self, 0, self._count_next)
        self._following = single_shot(self, FOLLOW_MS, self._count_anew)
        self.tree.chosen.connect(self._choose)
        self.view.expanded.connect(self._remember)
        self.view.collapsed.connect(self._remember)
        self._connect_labels(labels)
        self._totals: dict[Facet, Counter[str]] = {}
        self._left: list[tuple[bool, Facet]] = []
        model.updated.connect(self._follow)
        model.loaded.connect(self._count_anew)
        model.rearranged.connect(self._counting.start)

    def count(self) -> None:
        """Count again what each value has, all at once."""
        self._begin()
        while self._left:
            self._count_next()

    def recount(self) -> None:
        """Count again at once, after a change made by the person."""
        self._count_anew()

    def clear(self) -> None:
        """Let everything through again."""
        self.tree.clear()
        self._model.clear_facets()
        self._clear.hide()
        self.narrowed.emit()

    def choose_place(self, place: str) -> None:
        """Show only the pages of one site or folder."""
        self.tree.choose(Facet.PLACE, (place,))

    def choose_label(self, kind: LabelKind, name: str) -> None:
        """Show only the pages with a collection or a tag."""
        self.tree.choose(Facet.COLLECTION if kind is LabelKind.COLLECTION else Facet.TAG, (name,))

    @property
    def chosen(self) -> int:
        """How many values are chosen."""
        return sum(map(len, self._model.chosen.values()))

    def _build(self) -> None:
        line = row(label(self.tr("Filters"), "heading"), 1, self._clear, margins=(S + XS, S, S, XS))
        head = held(line)
        head.setFixedHeight(40)
        body = QVBoxLayout()
        body.setContentsMargins(1, 0, 1, S)
        body.addWidget(self.view)
        self.body.addWidget(head)
        self.body.addLayout(body)
        self._clear.hide()

    def _connect_labels(self, labels: LabelMenus) -> None:
        """Let collections and tags be made, filled, renamed and deleted here."""
        view, actions = self.view, labels.actions

        def fill(facet: int, name: str, ids: list[int]) -> None:
            kind = LABEL_FACETS[Facet(facet)]
            if name == NEW:
                labels.ask_new(kind, [row for each in ids if (row := self._model.find(each)) is not None])
            else:
                actions.add(kind, name, ids)

        def menu() -> QMenu:
            found = view.label_at(view.currentIndex())
            return labels.of_label(LABEL_FACETS[found[0]], found[1]) if found is not None else QMenu(view)

        def offers(place: QPoint) -> bool:
            found = view.label_at(view.indexAt(place))
            if found is None or found[1] == NEW:
                return False
            view.setCurrentIndex(view.indexAt(place))
            return True

        view.dropped.connect(fill)
        view.renamed.connect(lambda facet, name: labels.ask_rename(LABEL_FACETS[Facet(facet)], name))
        view.deleted.connect(lambda facet, name: actions.delete(LABEL_FACETS[Facet(facet)], name))
        offer_menu(view, menu, offers)
        self.tree.new_wanted.connect(lambda: labels.ask_new(LabelKind.COLLECTION, ()))
        actions.renamed.connect(self._renamed)
        self._model.labels_changed.connect(self._take_labels)

    def _take_labels(self) -> None:
        self.tree.collections = tuple(self._model.names_of(LabelKind.COLLECTION))
        self._count_anew()

    def _renamed(self, kind: str, name: str, new: str) -> None:
        """A label that is chosen stays chosen under its new name."""
        facet = Facet.COLLECTION if kind == LabelKind.COLLECTION else Facet.TAG
        if name in self.tree.values(facet):
            self.tree.collections = (
                (*self.tree.collections, new) if facet is Facet.COLLECTION else self.tree.collections
            )
            self.tree.choose(facet, tuple(self.tree.values(facet) - {name} | {new}))

    def _follow(self) -> None:
        if not self._following.isActive():
            self._following.start()

    def _count_anew(self) -> None:
        """Count again after pages or filters changed."""
        self._following.stop()
        self._totals = {}
        self._begin()

    def _begin(self) -> None:
        """Count one facet after the other, returning to the event loop in between."""
        self._left = [
            *((False, facet) for facet in Facet if facet not in self._totals),
            *((True, facet) for facet in Facet),
        ]
        self._counting.stop()
        self._stepping.start()

    def _count_next(self) -> None:
        if not self._left:
            return
        is_narrowed, facet = self._left.pop(0)
        if not is_narrowed:
            self._totals[facet] = self._model.facet_totals(facet)
            if len(self._totals) == len(Facet) and self.tree.show_totals(self._totals, self._model.total):
                self._unfold()
        else:
            narrowed = self._model.facet_counts(facet) if self._model.is_narrowed else self._totals[facet]
            self.tree.show_counts(facet, narrowed)
        if self._left:
            self._stepping.start()
        else:
            self.counted.emit()

    def _choose(self, facet: int, values: frozenset[str]) -> None:
        self._model.choose(facet, values)
        self._clear.setVisible(bool(self._model.chosen))
        self._begin()
        self.narrowed.emit()

    def _unfold(self) -> None:
        """Restore folded headings; folders of a site are folded unless one of them is chosen."""
        folded = self._folded()
        with QSignalBlocker(self.view):
            for facet in Facet:
                group = self.tree.index_of(facet)
                self.view.setExpanded(group, facet.name not in folded)
                for site in (self.tree.index_of(facet, value).parent() for value in self.tree.values(facet)):
                    if site.isValid() and site != group:
                        self.view.setExpanded(site, True)

    def _folded(self) -> set[str]:
        stored = self._memory.value(FOLDED, "")
        return set(stored.split()) if isinstance(stored, str) else set()

    def _remember(self, index: QModelIndex) -> None:
        node = self.tree.node(index)
        if node is None or node.parent is not None:
            return
        folded = self._folded()
        folded.discard(node.facet.name)
        if not self.view.isExpanded(index):
            folded.add(node.facet.name)
        self._memory.setValue(FOLDED, " ".join(sorted(folded)))
