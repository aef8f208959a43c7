"""Base classes of the pages of the main window, deletion with undo, and blocking of sites."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.pages.parts import FailedState, over_details, stack_of
from app.desktop.panels import EmptyState, PageHeader
from app.desktop.qt import Act, single_shot
from app.desktop.theme import icon
from app.desktop.tokens import XL, L, M
from app.desktop.widgets import Parts, column, held, label, row, take_focus
from app.desktop.wording import counted, site_of, translator
from app.errors import WebRAGError
from app.events import Event

SIDE_BY_SIDE_WIDTH = 1_300
FILTER_MS = 80
BELOW, BESIDE = (250, 320), (570, 550)  # Size ratio of table and details: stacked, and side by side.


class Page(QWidget):
    """A page with a header and standard margins. `name` identifies it, and `icon_name` is its icon in the sidebar."""

    name = ""
    icon_name = ""

    def __init__(self, context: Context, title: str, subtitle: str = "") -> None:
        super().__init__()
        self.context = context
        self.title = title
        self.setProperty("role", "page")
        self.setAccessibleName(title)
        self.header = PageHeader(title, subtitle)
        self.column = column(self.header, spacing=L, margins=(XL, XL - 4, XL, L), parent=self)

    def activate(self) -> None:
        """Called when the page becomes visible: set the keyboard focus."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        """Called whenever the engine has started."""

    def engine_failed(self, error: WebRAGError | None) -> None:
        """Called with the reason when the engine did not start, and with None when it starts again."""

    def on_events(self, events: list[Event]) -> None:
        """Handle a batch of events."""

    def focus_filter(self) -> None:
        """Move the focus to the filter."""

    def rewrite_times(self) -> None:
        """Update relative times, such as “5 minutes ago”. Tables update when painted."""
        for view in self.findChildren(QAbstractItemView):
            view.viewport().update()


class FilterBox(QLineEdit):
    """A text field that filters a table, with a fixed `width` in pixels if there is one."""

    def __init__(self, prompt: str, name: str = "", width: int = 0) -> None:
        super().__init__(placeholderText=prompt, clearButtonEnabled=True)
        self.setProperty("role", "filter")
        self.setAccessibleName(name or prompt)
        self.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        if width:
            self.setFixedWidth(width)


class ListingPage(Page):
    """The layout of Library and Scratch: filter, table, details, and placeholders instead of the table."""

    _loading: EmptyState
    _empty: EmptyState
    _failed: FailedState

    def engine_failed(self, error: WebRAGError | None) -> None:
        """Show a placeholder, because nothing loads without an engine. The banner above explains the problem."""
        if error is None:
            self._stack.setCurrentWidget(self._loading)
        else:
            text = QCoreApplication.translate("Page", "Not available until the problem above is fixed.")
            self._failed.show_words(error.title, text, "error", "danger")
            self._stack.setCurrentWidget(self._failed)

    def focus_filter(self) -> None:
        take_focus(self.filter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Put table and details side by side if there is enough space."""
        wide = self.width() >= SIDE_BY_SIDE_WIDTH
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation is not self._splitter.orientation():
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes(list(BESIDE if wide else BELOW))

    def make_filter(self, prompt: str, name: str, apply: Callable[[str], None]) -> None:
        """Build a filter whose text is applied when typing pauses."""
        self.filter = FilterBox(prompt, name, 300)
        pause = single_shot(self, FILTER_MS, lambda: apply(self.filter.text()))
        self.filter.textChanged.connect(pause.start)

    def lay_out(
        self, kinds: QWidget, table: QWidget, pane: QWidget, *, above: Parts = (), left: Parts = (), right: Parts = ()
    ) -> None:
        """Lay out filter, kinds, the widgets `above`, table and details. Requires the filter and the states."""
        self._splitter = over_details(table, pane, BELOW)
        self._count = label("", "muted")
        self._bar = held(row(self.filter, kinds, 1, self._count, spacing=M))
        middle = row(*left, (self._splitter, 1), *right, spacing=M)
        self._content = held(column(self._bar, *above, (middle, 1), spacing=M))
        self._stack = stack_of(self._loading, self._empty, self._failed, self._content)
        self.column.addWidget(self._stack, 1)


# --- Blocked sites ---

_tr = translator("Sites")
SETTING = "deny_hosts"


def blocked(context: Context) -> tuple[str, ...]:
    sites: tuple[str, ...] = context.settings.value(SETTING)
    return sites


def can_block(context: Context, url: str) -> bool:
    """Whether the page is on a site that is not blocked."""
    site = site_of(url)  # The address itself if it has none.
    return url.startswith(("http://", "https://")) and site != url and site not in blocked(context)


def block_site(context: Context, url: str) -> None:
    """Block the site of a page. Its stored pages are kept."""
    site = site_of(url)
    if not can_block(context, url) or not context.save(SETTING, (*blocked(context), site)):
        return
    words = _tr("{} is blocked. WebRAG no longer opens it. Stored pages are kept.")
    context.notifier.say(words.format(site), _tr("Undo"), lambda: unblock_site(context, site))


def unblock_site(context: Context, site: str) -> None:
    context.save(SETTING, tuple(each for each in blocked(context) if each != site))


# --- Deletion with undo ---

UNDO_MS = 6_000

Id = TypeVar("Id", int, str)
Delete = Callable[[Engine, Sequence[Id]], Awaitable[object]]


class HidingModel(Protocol):
    """A model whose rows can be hidden by ID."""

    def hide(self, ids: Any) -> None: ...
    def unhide(self, ids: Any) -> None: ...
    def reload(self) -> None: ...


class PendingDeletion(QObject, Generic[Id]):
    """Rows pending deletion by the engine's `delete`."""

    def __init__(self, context: Context, model: HidingModel, delete: Delete[Id], parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model = context, model
        self._delete: Delete[Id] = delete
        self._pending: dict[Id, None] = {}
        self._timer = single_shot(self, 0, self.delete_now)

    def add(self, ids: Iterable[Id], one: str, many: str, undo: Act) -> None:
        """Hide rows and offer `undo`. `one` and `many` are the messages for the number of rows."""
        added = list(ids)
        self._pending.update(dict.fromkeys(added))
        self._model.hide(added)
        self._timer.start(UNDO_MS)
        self._context.notifier.say(counted(len(self._pending), one, many), self.tr("Undo"), undo)

    def undo(self) -> list[Id]:
        """Show the pending rows again and return their IDs."""
        back = self._taken()
        if back:
            self._context.notifier.clear()
            self._model.unhide(back)
        return back

    def delete_now(self) -> None:
        """Delete the pending rows. Also called when the window closes."""
        ids = self._taken()
        if ids:

            def not_deleted(error: WebRAGError) -> None:
                # Events remove the rows that were deleted before the failure.
                self._model.unhide(ids)
                self._model.reload()
                self._context.notifier.complain(error)

            self._context.ask(self, lambda engine: self._delete(engine, ids), None, not_deleted, lasting=True)

    def _taken(self) -> list[Id]:
        self._timer.stop()
        ids, self._pending = list(self._pending), {}
        return ids
