"""Panel to add a site: start page, scope, limits, and a preview with pages, time, size, and folders to skip."""

from __future__ import annotations

from functools import partial
from os.path import commonprefix
from typing import Final
from urllib.parse import unquote, urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QMenu, QRadioButton, QSpinBox, QTreeWidgetItem

from app.desktop.context import Context
from app.desktop.dialogs.add.panel import AddPanel, StackedCard, TickTree, no_address, with_scheme
from app.desktop.engine_thread import Engine
from app.desktop.offer import looks_like_address, starters
from app.desktop.tokens import XS, M
from app.desktop.widgets import ElidedLabel, Gap, add_parts, button, column, label, row
from app.desktop.wording import counted, number, plain_address, plain_tip, size, spoken, translator
from app.durations import time_span
from app.errors import WebRAGError
from app.ingest.crawling.options import CRAWL_LIMITS, CrawlOptions, CrawlPreview, CrawlScope

STORED_PAGE_BYTES: Final = 40_000
"""Default size of a page on disk with chunks, index and vectors, while the library has too few pages to tell."""

_tr = translator("SitePanel")

OPEN_ROWS = 9  # Trees with at most this number of rows are initially unfolded.

LEAST_HEIGHT, ONE_ROW = 96, 28

MAX_PLACE_CHARS = 44
ENOUGH_PAGES = 20  # Minimum number of stored pages to estimate the size of others.


class SiteTree(TickTree):
    """Selectable folders with the number of pages in each; below them the pages that the preview names."""

    branches_hold = True

    def __init__(self) -> None:
        super().__init__(self.tr("Site folders"))
        self._counts: dict[str, int] = {}
        self._items: dict[str, QTreeWidgetItem] = {}

    @property
    def skipped_pages(self) -> int:
        """Number of known pages in the deselected folders."""
        out = tuple(self.left_out())
        return sum(count for folder, count in self._counts.items() if folder.startswith(out))

    def show_preview(self, preview: CrawlPreview) -> None:
        self.clear()
        self._counts, self._items = dict(preview.folders), {}
        # A path ends with a slash, which commonpath would remove.
        shared = commonprefix([folder for folder, _ in preview.folders])  # noqa: RUF071
        base = shared[: shared.rfind("/") + 1] or "/"
        for folder, _count in preview.folders:
            self._folder(folder, base)
        for url in preview.urls:
            path = urlsplit(url).path
            folder, _, name = path.rpartition("/")
            shown = unquote(name) or self.tr("(index page)")
            self.add(shown, "", "", self._items.get(folder + "/"), with_box=False)
        unnamed = preview.known - len(preview.urls)
        if unnamed > 0:
            self.add(self.tr("… and {} more").format(number(unnamed)), "", "", with_box=False)
        if sum(1 for _ in self.rows()) <= OPEN_ROWS:
            self.expandAll()

    def _folder(self, folder: str, base: str) -> QTreeWidgetItem | None:
        """Return the row of a folder, creating its parents, or None for the root."""
        if folder == base or not folder.startswith(base):
            return None
        if folder not in self._items:
            above = folder[:-1].rpartition("/")[0] + "/"
            pages = sum(count for each, count in self._counts.items() if each.startswith(folder))
            fact = counted(pages, self.tr("1 page"), self.tr("{} pages"))
            name = unquote(folder[len(above) :])
            self._items[folder] = self.add(name, fact, folder, self._folder(above, base))
        return self._items[folder]

    def left_out(self) -> list[str]:
        return [folder for folder in super().left_out() if folder]


class SiteCard(StackedCard):
    """As tall as there is room. Skipping folders updates the estimates immediately."""

    def __init__(self) -> None:
        super().__init__(LEAST_HEIGHT)
        self._preview: CrawlPreview | None = None
        self._page_bytes = self._most = 0
        self.found, self.facts = ElidedLabel("", "strong"), ElidedLabel("", "muted")
        self.notes = ElidedLabel("", "muted", lines=2)
        self.tree = SiteTree()
        self.tree.setMinimumHeight(ONE_ROW)
        self.tree.ticked.connect(self._show_numbers)
        self._page = self.add_side(self.found, self.facts, (self.tree, 1), self.notes, spacing=XS)
        self.show_nothing()

    @property
    def is_previewed(self) -> bool:
        return self._preview is not None

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self.tree.left_out()) if self._preview is not None else ()

    def show_nothing(self) -> None:
        self._preview = None
        self.show_words(self.tr("The preview shows the pages and the time needed, and lets you skip folders."))

    def show_looking(self) -> None:
        self._preview = None
        self.show_words(self.tr("Checking the site…"), is_busy=True)

    def show_preview(self, preview: CrawlPreview, page_bytes: int) -> None:
        """Show a preview. `page_bytes` is the size of a page on disk."""
        self._preview, self._page_bytes, self._most = preview, page_bytes, preview.options.max_pages
        self.tree.show_preview(preview)
        self._show_numbers()
        self.show_side(self._page)

    def limit_to(self, pages: int) -> None:
        self._most = pages
        if self._preview is not None:
            self._show_numbers()

    def _show_numbers(self) -> None:
        preview = self._preview
        if preview is None:
            return
        pages = counted(preview.known, self.tr("1 page"), self.tr("{} pages"))
        words = pages if preview.is_complete else self.tr("At least {}").format(pages)
        self.found.show_text(f"{words} – {preview.title}" if preview.title else words)
        out = self.tree.skipped_pages
        taken = max(1, min(preview.known - out, self._most))
        pace = preview.seconds / max(1, min(preview.known, preview.options.max_pages))
        pages = counted(taken, self.tr("1 page"), self.tr("{} pages"))
        estimate = self.tr("About {} and {} for {}")
        facts = [estimate.format(time_span(pace * taken), size(self._page_bytes * taken), pages)]
        if out:
            facts.append(self.tr("{} skipped by you").format(number(out)))
        if preview.excluded:
            facts.append(self.tr("{} blocked by robots.txt").format(number(preview.excluded)))
        if preview.sources:
            facts.append(self.tr("found through {}").format(", ".join(map(source_text, preview.sources))))
        self.facts.show_text("  ·  ".join(facts))
        notes = [spoken(note) for note in preview.notes]
        self.notes.show_text(" ".join(notes))
        self.notes.setToolTip(plain_tip("\n".join(notes)))
        self.notes.setVisible(bool(preview.notes))


def source_text(source: str) -> str:
    return {
        "sitemap": _tr("sitemap"),
        "feed": _tr("feed"),
        "links": _tr("links"),
        "stored": _tr("pages in the library"),
    }.get(source, source)


class SiteAddress(QLineEdit):
    """Address of the first page. `entered` is emitted on Enter, which would otherwise start adding."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
            return
        super().keyPressEvent(event)


class SitePanel(AddPanel):
    """Scope and limits of a crawl with a preview. Typing is possible at any time."""

    def __init__(self, context: Context, url: str) -> None:
        text = self.tr("Adds pages in the background, at a pace that does not strain the site.")
        super().__init__(context, self.tr("Add site"), text)
        self.field = self.address = SiteAddress(url)
        self.card = SiteCard()
        # The first Enter shows the preview, the second starts, as in the other panels.
        self.address.entered.connect(lambda: self.start() if self.card.is_previewed else self.preview())
        self.address.setPlaceholderText(self.tr("https:// (start page)"))
        self.address.setAccessibleName(self.tr("Start page address"))
        self.address.setClearButtonEnabled(True)
        self.preview_button = button(self.tr("Preview"), self.preview)
        self.suggestions = button(self.tr("Suggestions"), lambda: None)
        menu = QMenu(self)
        for starter in starters(context.settings.value("starters")):
            action = menu.addAction(f"{starter.title}  –  {plain_address(starter.address)}".replace("&", "&&"))
            action.triggered.connect(partial(self.address.setText, starter.address))
            action.triggered.connect(self.preview)
        self.suggestions.setMenu(menu)
        self.column.addLayout(row((self.address, 1), self.preview_button, self.suggestions))
        self.scopes: dict[str, QRadioButton] = {}
        group = QButtonGroup(self)
        for name in ("subpages", "host", "page"):
            choice = QRadioButton()
            group.addButton(choice)
            self.scopes[name] = choice
        self.scopes["subpages"].setChecked(True)
        for choice in self.scopes.values():
            choice.toggled.connect(self._follow)
        self.column.addLayout(column(*self.scopes.values(), spacing=0))
        self.pages = _spin("max_pages", self.tr("Maximum pages"))
        self.levels = _spin("max_depth", self.tr("Link depth"))
        most, deep = label(self.tr("Maximum pages")), label(self.tr("Link depth"))
        most.setBuddy(self.pages)
        deep.setBuddy(self.levels)
        deep.setToolTip(self.levels.accessibleName())
        self.levels.setToolTip(self.levels.accessibleName())
        add_parts(self.column, Gap(XS), row(most, self.pages, Gap(M), deep, self.levels, 1))
        self.column.addWidget(self.card, 1)
        self._asked: tuple[str, CrawlOptions] | None = None
        self.address.textChanged.connect(self._follow)
        self.pages.valueChanged.connect(lambda pages: self.card.limit_to(pages))
        self._follow()

    @property
    def scope(self) -> str:
        return next(name for name, choice in self.scopes.items() if choice.isChecked())

    def start(self) -> None:
        if url := self._url():
            options = self._options()
            self._stop_looking()
            self.run(self.tr("Starting…"), lambda engine: engine.jobs.crawl(url, options), self._begun)

    def preview(self) -> None:
        if not (url := self._url()):
            return
        self._stop_looking()
        asked = (url, self._options(whole=True))
        self._asked = asked
        self.failed.emit(None)
        self.card.show_looking()

        def show(found: tuple[CrawlPreview, int]) -> None:
            self.card.show_preview(*found)
            self.card.limit_to(self.pages.value())

        def fail(error: WebRAGError) -> None:
            self.card.show_nothing()
            self._again = self.preview
            self.failed.emit(error)

        self._looking.submit(lambda engine: _previewed(engine, *asked), show, fail)

    def _follow(self) -> None:
        """Name folder and host in the choices, and drop a preview of other input."""
        self.forget_problem()
        host, folder = _place(self.address.text())
        words = {
            "subpages": (self.tr("Pages below this address"), self.tr("Pages below {}")),
            "host": (self.tr("The whole site"), self.tr("The whole site {}")),
            "page": (self.tr("This page and the pages it links to"), self.tr("This page, and the linked pages of {}")),
        }
        for name, (plain, named) in words.items():
            place = host + folder if name == "subpages" else host
            text = named.format(_short(place)) if host else plain
            self.scopes[name].setText(text.replace("&", "&&"))
            self.scopes[name].setToolTip(plain_tip(place))
        self.preview_button.setEnabled(bool(host))
        asked = self._asked
        if asked is not None and (asked[0], asked[1].scope) != (with_scheme(self.address.text().strip()), self.scope):
            self._stop_looking()
            self.card.show_nothing()

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
        left_out = () if whole else self.card.left_out
        return CrawlOptions(CrawlScope(self.scope), self.pages.value(), self.levels.value(), left_out=left_out)

    def _stop_looking(self) -> None:
        super()._stop_looking()
        self._asked = None


async def _previewed(engine: Engine, url: str, options: CrawlOptions) -> tuple[CrawlPreview, int]:
    """Preview a crawl, and return it with the average size of stored pages on disk."""
    preview = await engine.jobs.preview(url, options)
    totals = (await engine.status(limit=1)).totals
    enough = totals.documents >= ENOUGH_PAGES
    return preview, totals.file_bytes // totals.documents if enough else STORED_PAGE_BYTES


def _place(typed: str) -> tuple[str, str]:
    """Return host with port, and folder, of the input. Empty unless it is an address."""
    try:
        parts = urlsplit(with_scheme(typed.strip()))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "", ""
    is_usable = "." in host or ":" in host or host == "localhost"
    shown = f"[{host}]" if ":" in host else host
    return (f"{shown}:{port}" if port else shown) if is_usable else "", parts.path[: parts.path.rfind("/") + 1] or "/"


def _short(place: str) -> str:
    """Shorten an address in the middle, so that the dialog keeps its width."""
    if len(place) <= MAX_PLACE_CHARS:
        return place
    half = MAX_PLACE_CHARS // 2
    return f"{place[:half]}…{place[-half:]}"


def _spin(option: str, name: str) -> QSpinBox:
    limits = CRAWL_LIMITS[option]
    made = QSpinBox()
    made.setRange(limits["minimum"], limits["maximum"])
    made.setValue(limits["default"])
    made.setFixedWidth(84)
    made.setGroupSeparatorShown(True)
    made.setAccessibleName(name)
    made.lineEdit().setTextMargins(7, 4, 7, 4)
    return made
