"""Add one page or several, with a preview of what was understood before anything is stored."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QStackedWidget, QTreeWidgetItem

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.add.page_card import PageCard, tokens_text, warnings_of
from app.desktop.dialogs.add.panel import AddPanel, address_example, no_address, typed_addresses
from app.desktop.dialogs.add.widgets import NAME, AddressBox, TickTree, key_of
from app.desktop.engine_thread import Job as Work
from app.desktop.intake.offer import paths_in
from app.desktop.tokens import S
from app.desktop.widgets import button, label, row
from app.desktop.wording import counted, plain_address, plain_tip
from app.engine.page_preview import PagePreview
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.corpus.job_records import Job
    from app.ingest.outcome import IngestedPage

AT_ONCE = 3


class LookList(TickTree):
    """A row for each address. A page that cannot be read loses its tick, which can be set again."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Pages to add"))
        self.setRootIsDecorated(False)
        self._thread = context.thread
        self._waiting: list[QTreeWidgetItem] = []
        self._works: list[Work] = []
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
        done: Callable[[PagePreview], None] = partial(self._looked, item, url)
        failed: Callable[[WebRAGError], None] = partial(self._failed, item)
        self._works.append(
            self._thread.submit(lambda engine: engine.preview_page(url), done, failed, owner=self._round)
        )

    def _looked(self, item: QTreeWidgetItem, url: str, look: PagePreview) -> None:
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


class PagesPanel(AddPanel):
    """A box for addresses, and below it what they lead to. Looking at a page never keeps the person from typing."""

    def __init__(self, context: Context, url: str) -> None:
        super().__init__(context, self.tr("Add page"))
        text = self.tr("WebRAG reads each page once and keeps it on this computer. Links are not followed.")
        self.column.addWidget(label(text, "muted", wrap=True))
        placeholder = self.tr("https:// – several addresses one a line")
        self.address = AddressBox(url, self.tr("Addresses of pages"), placeholder)
        self.address.entered.connect(self._enter)
        self.address.pasted.connect(self.look)
        self.address.textChanged.connect(self._follow)
        self.look_button = button(self.tr("Preview"), self.look)
        line = row(spacing=S)
        line.addWidget(self.address, 1)
        line.addWidget(self.look_button, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(line)
        self.card = PageCard()
        self.list = LookList(context)
        self.list.ticked.connect(self._name_action)
        # One in the place of the other: both at once, for a moment even, would make the dialog larger.
        self._shown = QStackedWidget()
        self._shown.addWidget(self.card)
        self._shown.addWidget(self.list)
        self.column.addWidget(self._shown, 1)
        self._looking: Work | None = None
        self._asked = ""
        self._follow()

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses in the box, each once."""
        return typed_addresses(self.address.text())

    @property
    def is_filled(self) -> bool:
        return bool(self.urls)

    def fill(self, urls: tuple[str, ...]) -> None:
        """Put addresses into the box and look at them."""
        self.address.setText("\n".join(urls))
        self.look()

    def look(self) -> None:
        """Read what the addresses lead to, without storing it."""
        if self._hand_on():
            return
        urls = self.urls
        self.failed.emit(None)
        if not urls:
            self._ask_for_address()
        elif len(urls) > 1:
            self.list.show_addresses(urls, look=True)
            self._name_action()
        else:
            self._look_at(urls[0])

    def start(self) -> None:
        if self._hand_on():
            return
        urls = self.urls
        if not urls:
            self._ask_for_address()
        elif len(urls) > 1:
            self._start_list(urls)
        else:
            self._start_page(urls[0])

    def stop(self) -> None:
        self._stop_looking()
        super().stop()

    def take_focus(self) -> None:
        self.address.setFocus()

    def _ask_for_address(self) -> None:
        """Say what an address looks like where something else was typed."""
        self.address.setFocus()
        if typed := self.address.text().strip():
            self._stop_looking()
            self.card.show_error(no_address(typed))

    def _start_page(self, url: str) -> None:
        look = self.card.look if self._asked == url else None
        if look is None:
            self._stop_looking()
            self.card.show_nothing()
        if look is not None:
            self.run(self.tr("Storing…"), lambda engine: engine.ingest_preview(look), self._stored)
            return
        progress = self.progress()
        self.run(self.tr("Reading…"), lambda engine: engine.ensure_ingested(url, progress=progress), self._stored)

    def _start_list(self, urls: tuple[str, ...]) -> None:
        kept = tuple(self.list.kept()) if self.list.addresses == urls else urls
        if not kept:
            return
        self.list.stop()
        target = self.tr("{} pages from {}").format(len(kept), kept[0])
        self.run(self.tr("Starting…"), lambda engine: engine.jobs.read_pages(kept, target=target), self._begun)

    def _enter(self) -> None:
        """The first Enter shows the preview, the second adds what it shows."""
        urls = self.urls
        understood = (
            self.list.addresses == urls if len(urls) > 1 else self._asked in urls and self.card.look is not None
        )
        if understood:
            self.start()
        else:
            self.look()

    def _follow(self) -> None:
        """What is shown belongs to what stands in the box."""
        urls = self.urls
        several = len(urls) > 1
        if several and self.list.addresses != urls:
            self.list.show_addresses(urls, look=False)
        if not several and self._asked not in urls:
            self._stop_looking()
            typed = self.address.text().strip()
            self.card.show_nothing(address_example() if typed and not urls else "")
        self._shown.setCurrentWidget(self.list if several else self.card)
        self.look_button.setEnabled(bool(self.address.text().strip()))
        self._name_action()

    def _look_at(self, url: str) -> None:
        self._stop_looking()
        self._asked = url
        self.card.show_looking(url)
        self._name_action()
        self._looking = self.context.thread.submit(
            lambda engine: engine.preview_page(url),
            lambda look: self._looked(url, look),
            lambda error: self._not_looked(url, error),
            owner=self,
        )

    def _looked(self, url: str, look: PagePreview) -> None:
        if self._asked == url:
            self.card.show_look(look, url)
            self._name_action()

    def _not_looked(self, url: str, error: WebRAGError) -> None:
        if self._asked == url:
            self.card.show_error(error)

    def _stop_looking(self) -> None:
        """Forget what was asked for; what is shown of it is no longer true."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        self._asked = ""
        self.list.stop()

    def _hand_on(self) -> bool:
        """Paths of this computer belong to the way for files."""
        paths = paths_in(self.address.text())
        if paths:
            rest = [part for part in self.address.text().splitlines() if not paths_in(part)]
            self.address.setText("\n".join(rest))
            self.handed_on.emit(paths)
        return bool(paths)

    def _name_action(self) -> None:
        urls = self.urls
        if len(urls) > 1:
            kept = len(self.list.kept()) if self.list.addresses == urls else len(urls)
            self.rename(counted(kept, self.tr("Add 1 page"), self.tr("Add {} pages")))
            return
        stored = self.card.look is not None and self.card.look.stored is not None
        self.rename(self.tr("Replace copy") if stored else self.tr("Add page"))

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _stored(self, page: IngestedPage) -> None:
        words = self.tr("Added “{}”") if page.change != "unchanged" else self.tr("“{}” was in the library already")
        self.context.notifier.say(words.format(page.title or page.url))
        self.added.emit(page.document_id)
        self.finished.emit()
