"""What a crawl would take: how many pages, how long, how large, and the folders that can be left out."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QProgressBar, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.desktop.dialogs.add_excerpt import Excerpt
from app.desktop.dialogs.add_site_tree import SiteTree
from app.desktop.language import spoken
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import ElidedLabel, label
from app.desktop.wording import counted, number, plain_tip, size, time_left
from app.ingest.crawling.options import CrawlPreview

LEAST_HEIGHT, ONE_ROW = 96, 28


class SiteCard(QFrame):
    """As high as there is room. What is left out changes the estimates at once."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setMinimumHeight(LEAST_HEIGHT)
        self._preview: CrawlPreview | None = None
        self._page_bytes = self._most = 0
        self._stack = QStackedLayout(self)
        self._waiting, self._page = self._waiting_side(), self._page_side()
        self._stack.addWidget(self._waiting)
        self._stack.addWidget(self._page)
        self.show_nothing()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The folders without a tick."""
        return tuple(self.tree.left_out()) if self._preview is not None else ()

    def show_nothing(self) -> None:
        """Say what the card is for."""
        self._preview = None
        self._bar.hide()
        self._hint.setText(
            self.tr("The preview shows which pages would be read, how long that takes, and lets you leave out folders.")
        )
        self._stack.setCurrentWidget(self._waiting)

    def show_looking(self) -> None:
        """Say that the site is being looked at."""
        self._preview = None
        self._bar.show()
        self._hint.setText(self.tr("Looking at the site…"))
        self._stack.setCurrentWidget(self._waiting)

    def show_preview(self, preview: CrawlPreview, page_bytes: int) -> None:
        """Show what was found; `page_bytes` is what a page takes on disk."""
        self._preview, self._page_bytes, self._most = preview, page_bytes, preview.options.max_pages
        self.tree.show_preview(preview)
        self._show_numbers()
        self._stack.setCurrentWidget(self._page)

    def limit_to(self, pages: int) -> None:
        """Follow the limit of pages."""
        self._most = pages
        if self._preview is not None:
            self._show_numbers()

    def _waiting_side(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        self._hint = label("", "muted", wrap=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(180)
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        column.addStretch(1)
        column.addWidget(self._hint)
        column.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        return side

    def _page_side(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(L, M, L, M)
        column.setSpacing(XS)
        self.found, self.facts = ElidedLabel("", "strong"), ElidedLabel("", "muted")
        self.notes = Excerpt(self.tr("Notes"), 2)
        self.notes.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.tree = SiteTree()
        self.tree.setMinimumHeight(ONE_ROW)
        self.tree.ticked.connect(self._show_numbers)
        for widget in (self.found, self.facts, self.tree, self.notes):
            column.addWidget(widget, 1 if widget is self.tree else 0)
        return side

    def _show_numbers(self) -> None:
        preview = self._preview
        if preview is None:
            return
        self.found.show_text(self._found_words(preview))
        self.facts.show_text("  ·  ".join(self._facts(preview)))
        notes = [spoken(note) for note in preview.notes]
        self.notes.show_text(" ".join(notes))
        self.notes.setToolTip(plain_tip("\n".join(notes)))
        self.notes.setVisible(bool(preview.notes))

    def _found_words(self, preview: CrawlPreview) -> str:
        pages = counted(preview.known, self.tr("1 page"), self.tr("{} pages"))
        words = pages if preview.is_complete else self.tr("At least {}").format(pages)
        return f"{words} – {preview.title}" if preview.title else words

    def _facts(self, preview: CrawlPreview) -> list[str]:
        out = sum(count for _, count in preview.folders) - self.tree.ticked_pages
        taken = max(1, min(preview.known - out, self._most))
        pace = preview.seconds / max(1, min(preview.known, preview.options.max_pages))
        facts = [
            self.tr("About {} and {} for {}").format(
                time_left(pace * taken),
                size(self._page_bytes * taken),
                counted(taken, self.tr("1 page"), self.tr("{} pages")),
            )
        ]
        if out:
            facts.append(self.tr("{} left out by you").format(number(out)))
        if preview.excluded:
            facts.append(self.tr("{} closed by robots.txt").format(number(preview.excluded)))
        if preview.sources:
            facts.append(self.tr("found by {}").format(", ".join(map(source_text, preview.sources))))
        return facts


def source_text(source: str) -> str:
    """Where pages were found, in words."""
    translate = QCoreApplication.translate
    return {
        "sitemap": translate("SitePanel", "site map"),
        "feed": translate("SitePanel", "feed"),
        "links": translate("SitePanel", "links"),
        "stored": translate("SitePanel", "pages in the library"),
    }.get(source, source)
