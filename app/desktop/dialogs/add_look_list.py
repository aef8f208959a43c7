"""Several pages before they are stored: the first of them are looked at, any can be left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QTreeWidgetItem

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.add_look_words import tokens_text, warnings_of
from app.desktop.dialogs.add_ticks import NAME, TickTree, key_of
from app.desktop.engine_thread import Job
from app.desktop.wording import plain_address, plain_tip
from app.engine.page_preview import PageLook
from app.errors import WebRAGError

AT_ONCE = 3


class LookList(TickTree):
    """A row for each address. A page that cannot be read loses its tick, which can be set again."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Pages to add"))
        self.setRootIsDecorated(False)
        self._thread = context.thread
        self._waiting: list[QTreeWidgetItem] = []
        self._works: list[Job] = []
        self._round = QObject(self)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address, ticked or not."""
        return tuple(key_of(item) for item in self.rows())

    def show_addresses(self, urls: tuple[str, ...], *, look: bool) -> None:
        """List addresses; with `look` the first of them are read, without storing anything."""
        self.stop()
        if urls != self.addresses:
            self.clear()
            for url in urls:
                self.add(plain_address(url), "", url)
        if look:
            rows = list(self.rows())
            self._waiting = rows[: caps.MAX_LOOKS]
            for item in rows[caps.MAX_LOOKS :]:
                self.show_fact(item, self.tr("read in the background"))
            for _ in range(AT_ONCE):
                self._next()

    def stop(self) -> None:
        """Give up looking; nothing more is reported."""
        for work in self._works:
            work.cancel()
        self._works, self._waiting = [], []
        self._round.deleteLater()
        self._round = QObject(self)

    def _next(self) -> None:
        if not self._waiting:
            return
        item = self._waiting.pop(0)
        url = key_of(item)
        self.show_fact(item, self.tr("reading…"))
        done: Callable[[PageLook], None] = partial(self._looked, item, url)
        failed: Callable[[WebRAGError], None] = partial(self._failed, item)
        self._works.append(self._thread.submit(lambda engine: engine.look(url), done, failed, owner=self._round))

    def _looked(self, item: QTreeWidgetItem, url: str, look: PageLook) -> None:
        told = [text for kind, text in warnings_of(look, url)]
        self.blockSignals(True)
        item.setText(NAME, look.title or plain_address(look.url))
        self.blockSignals(False)
        self.show_fact(item, tokens_text(look.tokens), plain_tip("\n".join([look.url, *told])))
        self._next()

    def _failed(self, item: QTreeWidgetItem, error: WebRAGError) -> None:
        self.show_fact(item, error.title, plain_tip(f"{error.message} {error.hint}".strip()), is_bad=True)
        self.untick(item)
        self._next()
