"""Add a site: where it begins, how far to go, and what that would take before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtWidgets import QButtonGroup, QLineEdit, QRadioButton, QSpinBox, QVBoxLayout

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.add_site_card import SiteCard
from app.desktop.dialogs.adding import AddPanel, no_address, with_scheme
from app.desktop.engine_thread import Job as Work
from app.desktop.intake.offer import looks_like_address
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, button, label, row
from app.desktop.wording import plain_tip
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.corpus.job_records import Job
    from app.engine import Engine
    from app.ingest.crawling.options import CrawlOptions, CrawlPreview

MAX_PLACE_CHARS = 44
ENOUGH_PAGES = 20
"""Stored pages from which the size of others is estimated."""


class SitePanel(AddPanel):
    """Scope and limits of a crawl, and its preview. Looking at the site never keeps the person from typing."""

    def __init__(self, context: Context, url: str) -> None:
        super().__init__(context, self.tr("Start reading"))
        text = self.tr("WebRAG reads the pages one by one at a polite pace, in the background.")
        self.column.addWidget(label(text, "muted", wrap=True))
        self.address = QLineEdit(url)
        self.address.setPlaceholderText(self.tr("https:// – the page to start at"))
        self.address.setAccessibleName(self.tr("Address of the first page"))
        self.address.setClearButtonEnabled(True)
        self.preview_button = button(self.tr("Preview"), self.preview)
        line = row(spacing=S)
        line.addWidget(self.address, 1)
        line.addWidget(self.preview_button)
        self.column.addLayout(line)
        self._add_scopes()
        self._add_limits()
        self.card = SiteCard()
        self.column.addWidget(self.card, 1)
        self._looking: Work | None = None
        self._asked: tuple[str, CrawlOptions] | None = None
        self.address.textChanged.connect(self._follow)
        self.pages.valueChanged.connect(lambda pages: self.card.limit_to(pages))
        self._follow()

    @property
    def scope(self) -> str:
        """The scope chosen."""
        return next(name for name, choice in self.scopes.items() if choice.isChecked())

    @property
    def found(self) -> ElidedLabel:
        """The line that says how many pages are known."""
        return self.card.found

    def start(self) -> None:
        if url := self._url():
            options = self._options()
            self._stop_looking()
            self.run(self.tr("Starting…"), lambda engine: engine.jobs.crawl(url, options), self._begun)

    def preview(self) -> None:
        """Look at the site without storing anything."""
        if not (url := self._url()):
            return
        self._stop_looking()
        asked = (url, self._options(whole=True))
        self._asked = asked
        self.failed.emit(None)
        self.card.show_looking()
        self._looking = self.context.thread.submit(
            lambda engine: _previewed(engine, *asked),
            lambda found: self._show(asked, *found),
            lambda error: self._show_failure(asked, error),
            owner=self,
        )

    def stop(self) -> None:
        self._stop_looking()
        super().stop()

    def take_focus(self) -> None:
        self.address.setFocus()

    def _add_scopes(self) -> None:
        self.scopes: dict[str, QRadioButton] = {}
        group = QButtonGroup(self)
        choices = QVBoxLayout()
        choices.setSpacing(0)
        for name in ("subpages", "host", "page"):
            choice = QRadioButton()
            choice.toggled.connect(self._follow)
            group.addButton(choice)
            choices.addWidget(choice)
            self.scopes[name] = choice
        self.scopes["subpages"].blockSignals(True)
        self.scopes["subpages"].setChecked(True)
        self.scopes["subpages"].blockSignals(False)
        self.column.addLayout(choices)

    def _add_limits(self) -> None:
        self.pages = _spin(1, caps.MAX_CRAWL_PAGES, caps.DEFAULT_CRAWL_PAGES, self.tr("Pages at most"))
        self.levels = _spin(
            0, caps.MAX_CRAWL_DEPTH, caps.DEFAULT_CRAWL_DEPTH, self.tr("Links away from the first page")
        )
        most, deep = label(self.tr("Pages at most")), label(self.tr("Links deep"))
        most.setBuddy(self.pages)
        deep.setBuddy(self.levels)
        deep.setToolTip(self.levels.accessibleName())
        self.levels.setToolTip(self.levels.accessibleName())
        line = row(most, self.pages, deep, self.levels, 1)
        line.insertSpacing(2, M)
        self.column.addSpacing(XS)
        self.column.addLayout(line)

    def _follow(self) -> None:
        """Name folder and host in the choices; a preview of something else is no longer shown."""
        host, folder = _place(self.address.text())
        words = {
            "subpages": self.tr("The pages below {}").format(_short(host + folder)) if host else "",
            "host": self.tr("The whole site {}").format(_short(host)) if host else "",
            "page": self.tr("This page, and the pages of {} it links to").format(_short(host)) if host else "",
        }
        plain = {
            "subpages": self.tr("The pages below this address"),
            "host": self.tr("The whole site"),
            "page": self.tr("This page and the pages it links to"),
        }
        for name, choice in self.scopes.items():
            choice.setText((words[name] or plain[name]).replace("&", "&&"))
            choice.setToolTip(plain_tip(host + folder if name == "subpages" else host))
        self.preview_button.setEnabled(bool(host))
        asked = self._asked
        if asked is not None and (asked[0], asked[1].scope) != (with_scheme(self.address.text().strip()), self.scope):
            self._forget()

    def _url(self) -> str:
        typed = self.address.text().strip()
        if not typed:
            self.address.setFocus()
            return ""
        if not looks_like_address(typed) or len(typed.split()) > 1:
            self.address.setFocus()
            self.failed.emit(no_address(typed))
            return ""
        url = with_scheme(typed)
        if url != self.address.text():
            self.address.setText(url)
        return url

    def _options(self, *, whole: bool = False) -> CrawlOptions:
        from app.ingest.crawling.options import CrawlOptions, CrawlScope

        left_out = () if whole else self.card.left_out
        return CrawlOptions(CrawlScope(self.scope), self.pages.value(), self.levels.value(), left_out=left_out)

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _show(self, asked: tuple[str, CrawlOptions], preview: CrawlPreview, page_bytes: int) -> None:
        if self._asked is asked:
            self.card.show_preview(preview, page_bytes)
            self.card.limit_to(self.pages.value())

    def _show_failure(self, asked: tuple[str, CrawlOptions], error: WebRAGError) -> None:
        if self._asked is asked:
            self.card.show_nothing()
            self._again = self.preview
            self.failed.emit(error)

    def _forget(self) -> None:
        """What was found belongs to something else."""
        self._stop_looking()
        self.card.show_nothing()

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._looking = self._asked = None


async def _previewed(engine: Engine, url: str, options: CrawlOptions) -> tuple[CrawlPreview, int]:
    """What a crawl takes, and how many bytes a page is on disk by those that are stored."""
    preview = await engine.jobs.preview(url, options)
    totals = (await engine.status(limit=1)).totals
    enough = totals.documents >= ENOUGH_PAGES
    return preview, totals.file_bytes // totals.documents if enough else caps.STORED_PAGE_BYTES


def _place(typed: str) -> tuple[str, str]:
    """Host and folder of what was typed; empty while it is no address."""
    try:
        parts = urlsplit(with_scheme(typed.strip()))
        host = parts.hostname or ""
    except ValueError:
        return "", ""
    usable = host if "." in host or ":" in host or host == "localhost" else ""
    return usable, parts.path[: parts.path.rfind("/") + 1] or "/"


def _short(place: str) -> str:
    """A place shortened in its middle, so that the dialog keeps its width."""
    if len(place) <= MAX_PLACE_CHARS:
        return place
    half = MAX_PLACE_CHARS // 2
    return f"{place[:half]}…{place[-half:]}"


def _spin(low: int, high: int, value: int, name: str) -> QSpinBox:
    made = QSpinBox()
    made.setRange(low, high)
    made.setValue(value)
    made.setFixedWidth(84)
    made.setGroupSeparatorShown(True)
    made.setAccessibleName(name)
    made.lineEdit().setTextMargins(7, 4, 7, 4)
    return made
