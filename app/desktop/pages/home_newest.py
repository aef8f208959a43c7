"""The pages that were read last, each a click away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.desktop.context import Context
from app.desktop.pages.home_line import LinesCard, LineWords
from app.desktop.widgets import button
from app.desktop.wording import ago, plain_address, site_of

if TYPE_CHECKING:
    from app.corpus.records import DocumentSummary

ICONS = {"web": "external", "guide": "info"}


class NewestPages(LinesCard):
    """Newest first; the whole list is the Library."""

    def __init__(self, context: Context) -> None:
        more = button(self.tr("Show all"), lambda: context.go_to("library"), "link")
        more.setAccessibleName(self.tr("Show all pages"))
        super().__init__(self.tr("Newest pages"), more, self.tr("Nothing is stored yet."))
        self._context = context

    def show_pages(self, pages: Sequence[DocumentSummary]) -> None:
        self.show_lines([self._words(page) for page in pages])

    def _words(self, page: DocumentSummary) -> LineWords:
        where = self.tr("{}  ·  {}").format(site_of(page.url), ago(page.last_crawled))
        name = page.title or plain_address(page.url)
        run = partial(self._context.show_document, page.id)
        return LineWords(ICONS.get(page.kind, "folder"), "muted", name, "", where, "", run)
