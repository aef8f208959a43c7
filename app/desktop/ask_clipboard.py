"""The offer to add the address in the clipboard and limit the question to that page."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.desktop.context import Context
from app.desktop.dialogs.add.panel import address_in
from app.desktop.engine_thread import Latest
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, progress_bar, row
from app.desktop.wording import plain_address
from app.errors import WebRAGError
from app.ingest.outcome import IngestedPage

BAR_WIDTH: Final = 90


class ReadFirst(QFrame):
    """A line that is visible if the clipboard contains an address, a page is being added, or the search is limited to one page.

    Emits `scope_changed` when `scope`, the address of that page, changes. Fetches nothing before the click.
    """

    scope_changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._address = ""
        self._read = ""
        self._reading = Latest(context.thread, self)
        self.scope = ""
        self.setProperty("role", "bar")
        self._icon = ThemedIcon("info", 16, "muted")
        self._words = ElidedLabel("", "")
        self._bar = progress_bar(BAR_WIDTH)
        self.read_button = button(self.tr("Ask this page"), self.read, "link")
        self.stop_button = button(self.tr("Stop"), self.stop, "link")
        self.everywhere_button = button(self.tr("Search everywhere"), self.ask_everywhere, "link")
        buttons = (self.read_button, self.stop_button, self.everywhere_button)
        row(self._icon, (self._words, 1), self._bar, *buttons, margins=(L, XS, M, XS), parent=self)
        self._show("")

    @property
    def text(self) -> str:
        return self._words.full_text

    def offer(self, clipboard: str) -> None:
        """Offer to add the address in the clipboard, unless it was already added."""
        address = address_in(clipboard)
        if self._reading.is_running or self.scope:
            return
        if address and address != self._read:
            self._address = address
            self._show(self.tr("In the clipboard: {}").format(plain_address(address)), self.read_button)
        else:
            self._show("")

    def read(self) -> None:
        """Add the page and limit the search to it until the user searches everywhere."""
        url = self._address
        if not url or self._reading.is_running:
            return
        self._show(self.tr("Reading {}…").format(plain_address(url)), self.stop_button, self._bar)
        self._reading.submit(lambda engine: engine.ensure_ingested(url), self._stored, self._fail)

    def stop(self) -> None:
        """Cancel adding the page."""
        self._reading.cancel()
        self._show("")

    def ask_everywhere(self) -> None:
        """Search all pages again."""
        self.scope = ""
        self._show("")
        self.scope_changed.emit()

    def forget(self) -> None:
        """Withdraw the offer and search everywhere."""
        self.stop()
        self._address = self._read = self.scope = ""

    def _stored(self, page: IngestedPage) -> None:
        self._read, self.scope = self._address, page.url
        title = page.title or plain_address(page.url)
        self._show(self.tr("Searching only “{}”").format(title), self.everywhere_button, icon="ok", role="success")
        self.scope_changed.emit()

    def _fail(self, error: WebRAGError) -> None:
        self._show(f"{error.message} {error.hint}".strip(), self.read_button, icon="error", role="danger")

    def _show(self, words: str, *shown: QWidget, icon: str = "external", role: str = "muted") -> None:
        """Show a text with controls next to it, or hide the line if the text is empty."""
        self._words.show_text(words)
        self._icon.show_icon(icon, role)
        for widget in (self._bar, self.read_button, self.stop_button, self.everywhere_button):
            widget.setVisible(widget in shown)
        self.setVisible(bool(words))
