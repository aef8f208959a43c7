"""Add a site: where it begins, how far to go, and on request what that would take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QPlainTextEdit, QRadioButton, QSpinBox, QVBoxLayout

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.adding import AddPanel, with_scheme
from app.desktop.panels import Card
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import button, label, row
from app.desktop.wording import counted, number, plain_address, time_left

if TYPE_CHECKING:
    from app.corpus.job_records import Job
    from app.ingest.crawling.options import CrawlOptions, CrawlPreview

ADDRESSES_HEIGHT = 132


class SitePanel(AddPanel):
    """Scope and limits of a crawl, and its preview."""

    def __init__(self, context: Context, url: str) -> None:
        super().__init__(context, self.tr("Start reading"))
        text = self.tr("WebRAG reads the pages one by one at a polite pace, in the background.")
        self.column.addWidget(label(text, "muted", wrap=True))
        self.address = QLineEdit(url)
        self.address.setPlaceholderText(self.tr("https:// – the page to start at"))
        self.address.setAccessibleName(self.tr("Address of the first page"))
        self.address.setClearButtonEnabled(True)
        self.column.addWidget(self.address)
        self.column.addSpacing(XS)
        self._add_scopes()
        self.column.addSpacing(XS)
        self._add_limits()
        self._add_preview()

    @property
    def scope(self) -> str:
        """The scope chosen."""
        return next(name for name, choice in self.scopes.items() if choice.isChecked())

    def start(self) -> None:
        if url := self._url():
            options = self._options()
            self.run(self.tr("Starting…"), lambda engine: engine.jobs.crawl(url, options), self._begun)

    def preview(self) -> None:
        """Look at the site without storing anything."""
        if url := self._url():
            options = self._options()
            self._card.hide()
            self.run(self.tr("Looking at the site…"), lambda engine: engine.jobs.preview(url, options), self._previewed)

    def take_focus(self) -> None:
        self.address.setFocus()

    def _add_scopes(self) -> None:
        words = {
            "subpages": self.tr("The pages below this address"),
            "host": self.tr("The whole site"),
            "page": self.tr("This page and the pages it links to"),
        }
        self.scopes: dict[str, QRadioButton] = {}
        group = QButtonGroup(self)
        choices = QVBoxLayout()
        choices.setSpacing(XS)
        for name, text in words.items():
            choice = QRadioButton(text)
            group.addButton(choice)
            choices.addWidget(choice)
            self.scopes[name] = choice
        self.scopes["subpages"].setChecked(True)
        self.column.addLayout(choices)

    def _add_limits(self) -> None:
        self.pages = _spin(1, caps.MAX_CRAWL_PAGES, caps.DEFAULT_CRAWL_PAGES, self.tr("Pages at most"))
        self.levels = _spin(
            0, caps.MAX_CRAWL_DEPTH, caps.DEFAULT_CRAWL_DEPTH, self.tr("Links away from the first page")
        )
        self.preview_button = button(self.tr("Preview"), self.preview)
        line = row(label(self.tr("Pages at most")), self.pages, label(self.tr("Links deep")), self.levels, 1)
        line.addWidget(self.preview_button)
        line.insertSpacing(2, M)
        self.column.addLayout(line)

    def _add_preview(self) -> None:
        self._card = Card(spacing=XS)
        self.found = label("", "strong")
        self._facts = label("", "muted", wrap=True)
        self._notes = label("", "muted", wrap=True)
        self.addresses = QPlainTextEdit()
        self.addresses.setReadOnly(True)
        self.addresses.document().setDocumentMargin(0)
        self.addresses.setProperty("role", "plain")
        self.addresses.setFixedHeight(ADDRESSES_HEIGHT)
        self.addresses.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.addresses.setAccessibleName(self.tr("Addresses that were found"))
        for widget in (self.found, self._facts, self._notes, self.addresses):
            self._card.body.addWidget(widget)
        self._card.body.setContentsMargins(L, M, L, M)
        self._card.hide()
        self.column.addWidget(self._card)

    def _url(self) -> str:
        typed = self.address.text().strip()
        if not typed:
            self.address.setFocus()
            return ""
        url = with_scheme(typed)
        self.address.setText(url)
        return url

    def _options(self) -> CrawlOptions:
        from app.ingest.crawling.options import CrawlOptions, CrawlScope

        return CrawlOptions(CrawlScope(self.scope), self.pages.value(), self.levels.value())

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _previewed(self, preview: CrawlPreview) -> None:
        pages = counted(preview.known, self.tr("1 page"), self.tr("{} pages"))
        words = pages if preview.is_complete else self.tr("At least {}").format(pages)
        self.found.setText(f"{words} – {preview.title}" if preview.title else words)
        taken = min(preview.known, preview.options.max_pages)
        facts = [
            self.tr("{} for {}").format(
                self.tr("About {}").format(time_left(preview.seconds)),
                counted(taken, self.tr("1 page"), self.tr("{} pages")),
            )
        ]
        if preview.sources:
            facts.append(self.tr("found by {}").format(", ".join(map(_source_text, preview.sources))))
        if preview.excluded:
            facts.append(self.tr("{} left out: robots.txt forbids them").format(number(preview.excluded)))
        self._facts.setText("  ·  ".join(facts))
        self._notes.setText("\n".join(preview.notes))
        self._notes.setVisible(bool(preview.notes))
        lines = [plain_address(url) for url in preview.urls]
        more = preview.known - len(lines)
        self.addresses.setPlainText(
            "\n".join([*lines, *([self.tr("… and {} more").format(number(more))] if more > 0 else [])])
        )
        self.addresses.setVisible(bool(lines))
        self._card.show()
        # The dialog fits itself to what it shows whenever a problem is set or cleared.
        self.failed.emit(None)


def _source_text(source: str) -> str:
    translate = QCoreApplication.translate
    return {
        "sitemap": translate("SitePanel", "site map"),
        "feed": translate("SitePanel", "feed"),
        "links": translate("SitePanel", "links"),
        "stored": translate("SitePanel", "pages in the library"),
    }.get(source, source)


def _spin(low: int, high: int, value: int, name: str) -> QSpinBox:
    made = QSpinBox()
    made.setRange(low, high)
    made.setValue(value)
    made.setFixedWidth(84)
    made.setGroupSeparatorShown(True)
    made.setAccessibleName(name)
    made.lineEdit().setTextMargins(7, 4, 7, 4)
    return made
