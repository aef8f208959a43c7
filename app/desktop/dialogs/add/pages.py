"""Panel to add one or several pages, with a preview of the extracted text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTreeWidgetItem

from app.desktop.context import Context
from app.desktop.dialogs.add import panel
from app.desktop.dialogs.add.panel import NAME, AddressBox, StackedCard, TickTree, key_of
from app.desktop.engine_thread import Fail
from app.desktop.engine_thread import Job as Work
from app.desktop.offer import paths_in
from app.desktop.preview.view import Preview
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, Gap, ThemedIcon, button, clear_layout, column, held, label, row
from app.desktop.wording import ago, counted, number, plain_address, plain_tip, spoken, translator
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.ingest.crawling.preview import PagePreview
    from app.ingest.outcome import IngestedPage

MAX_LOOKS: Final = 12  # Maximum number of listed pages to preview before adding them in the background.

_tr = translator("PagePreview")

LEAST_HEIGHT, LEAST_TEXT = 110, 48
MAX_WARNINGS = 3
_ICONS = {"info": ("info", "muted"), "warning": ("alert", "warning")}

AT_ONCE = 3


def language_name(code: str) -> str:
    """Return `English` for `en-GB`, or an unknown code unchanged."""
    locale = QLocale(code.replace("-", "_"))
    if not code or locale.language() is QLocale.Language.C:
        return code
    return QLocale.languageToString(locale.language())


def tokens_text(tokens: int) -> str:
    return counted(tokens, _tr("1 token"), _tr("{} tokens"))


def facts_of(look: PagePreview) -> str:
    """Return language and sizes on one line."""
    passages = counted(look.chunks, _tr("1 passage"), _tr("{} passages"))
    links = counted(look.links, _tr("1 link"), _tr("{} links"))
    facts = (language_name(look.language), tokens_text(look.tokens), passages, links)
    return "  ·  ".join(fact for fact in facts if fact)


def warnings_of(look: PagePreview, asked: str) -> list[tuple[str, str]]:
    """Return what the user should know before adding, each with its kind: info or warning."""
    from app.web.urls import normalise_url  # The preview has loaded it.

    warnings: list[tuple[str, str]] = []
    if look.stored is not None:
        age = ago(look.stored.last_crawled)
        warnings.append(("info", _tr("Already in the library, fetched {}. Adding replaces that copy.").format(age)))
    if look.note:
        warnings.append(("warning", spoken(look.note)))
    if look.flags:
        warnings.append(
            ("warning", _tr("The text speaks to the assistant: {}.").format(", ".join(map(spoken, look.flags))))
        )
    if not look.is_welcome:
        note = _tr("robots.txt disallows automatic fetching of this page. WebRAG fetches it because you asked for it.")
        warnings.append(("info", note))
    if plain_address(look.url) != plain_address(normalise_url(asked)):
        warnings.append(("info", _tr("The address you entered redirects here.")))
    return warnings


class PageCard(StackedCard):
    """Shows a hint, progress, a page or an error. `remedy_wanted` carries the remedy for the error."""

    remedy_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(LEAST_HEIGHT)
        self.look: PagePreview | None = None
        self.error: WebRAGError | None = None
        self.warnings: tuple[str, ...] = ()
        self._stack.setContentsMargins(0, 0, 0, 0)
        self.title, self.address = ElidedLabel("", "heading"), ElidedLabel("", "muted", Qt.TextElideMode.ElideMiddle)
        self.facts = label("", "strong", wrap=True)
        tip = self.tr(
            "Tokens measure length as assistants count it. Passages are the parts of a page that are found and quoted."
        )
        self.facts.setToolTip(plain_tip(tip))
        self.excerpt = Preview(self.tr("Beginning of the text"))
        self.excerpt.setMinimumHeight(LEAST_TEXT)
        self._warnings = column(spacing=XS)
        facts = (self.title, self.address, self.facts, Gap(XS))
        self._page = self.add_side(*facts, (self.excerpt, 1), self._warnings, spacing=XS)
        self._error_title = label("", "strong")
        self._error_text = label("", "", wrap=True, selectable=True, align=Qt.AlignmentFlag.AlignTop)
        self.remedy = button(panel.Remedy.AGAIN.words, lambda: self.remedy_wanted.emit(self.error))
        head = row(ThemedIcon("error", 20, "danger"), self._error_title, 1, spacing=M)
        self._failed = self.add_side(1, head, self._error_text, Gap(XS), row(self.remedy, 1), 1, spacing=S)
        self.show_nothing()

    def show_nothing(self, hint: str = "") -> None:
        """Show the purpose of the card, or what is missing."""
        self.look = self.error = None
        purpose = self.tr("Preview the text that WebRAG extracts. Nothing is saved yet.")
        self.show_words(hint or purpose)

    def show_looking(self, url: str) -> None:
        self.look = self.error = None
        self.show_words(self.tr("Fetching {}…").format(plain_address(url)[:80]), is_busy=True)

    def show_look(self, look: PagePreview, asked: str) -> None:
        self.look, self.error = look, None
        self.title.show_text(look.title or plain_address(look.url))
        self.address.show_text(look.url)
        self.facts.setText(facts_of(look))
        self.excerpt.show_text(look.beginning)
        warnings = warnings_of(look, asked)
        clear_layout(self._warnings)
        self.warnings = tuple(text for _, text in warnings)
        for kind, text in warnings[:MAX_WARNINGS]:
            icon, colour = _ICONS[kind]
            self._warnings.addWidget(held(row(ThemedIcon(icon, 16, colour), (ElidedLabel(text), 1))))
        self.show_side(self._page)

    def show_error(self, error: WebRAGError) -> None:
        self.look, self.error = None, error
        self._error_title.setText(error.title)
        self._error_text.setText(f"{error.message} {error.hint}".strip())
        remedy = panel.remedy_of(error)
        self.remedy.setText(remedy.words)
        self.remedy.setVisible(remedy is not panel.Remedy.NONE)
        self.show_side(self._failed)


class LookList(TickTree):
    """A row for each address. A failed page is deselected, but can be selected again."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Pages to add"))
        self.setRootIsDecorated(False)
        self._thread = context.thread
        self._waiting: list[QTreeWidgetItem] = []
        self._works: list[Work] = []

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses, selected or not."""
        return tuple(key_of(item) for item in self.rows())

    def show_addresses(self, urls: tuple[str, ...], *, look: bool) -> None:
        """List addresses. With `look`, preview the first of them without storing anything."""
        self.stop()
        if urls != self.addresses:
            self.clear()
            for url in urls:
                self.add(plain_address(url), "", url)
        if look:
            rows = list(self.rows())
            self._waiting = rows[:MAX_LOOKS]
            for item in rows[MAX_LOOKS:]:
                self.show_fact(item, self.tr("added in the background"))
            for _ in range(AT_ONCE):
                self._next()

    def stop(self) -> None:
        for work in self._works:
            work.cancel()
        self._works, self._waiting = [], []

    def _next(self) -> None:
        if not self._waiting:
            return
        item = self._waiting.pop(0)
        url = key_of(item)
        self.show_fact(item, self.tr("fetching…"))
        done: Callable[[PagePreview], None] = partial(self._looked, item, url)
        failed: Fail = partial(self._failed, item)
        self._works.append(self._thread.submit(lambda engine: engine.preview_page(url), done, failed, owner=self))

    def _looked(self, item: QTreeWidgetItem, url: str, look: PagePreview) -> None:
        texts = [text for kind, text in warnings_of(look, url)]
        with QSignalBlocker(self):
            item.setText(NAME, look.title or plain_address(look.url))
        self.show_fact(item, tokens_text(look.tokens), plain_tip("\n".join([look.url, *texts])))
        self._next()

    def _failed(self, item: QTreeWidgetItem, error: WebRAGError) -> None:
        self.show_fact(item, error.title, plain_tip(f"{error.message} {error.hint}".strip()), is_bad=True)
        self.untick(item)
        self._next()


class PagesPanel(panel.AddPanel):
    """Address box with a preview below. Typing is possible at any time."""

    def __init__(self, context: Context, url: str) -> None:
        text = self.tr("Saves each page to your library. Links are not followed.")
        super().__init__(context, self.tr("Preview"), text)
        placeholder = self.tr("https:// (one address per line)")
        self.field = self.address = AddressBox(url, self.tr("Page addresses"), placeholder)
        self.address.entered.connect(self.press)
        self.address.pasted.connect(self.look)
        self.address.textChanged.connect(self._follow)
        self.look_button = button(self.tr("Preview"), self.look)
        self.column.addLayout(row((self.address, 1), (self.look_button, 0, Qt.AlignmentFlag.AlignTop)))
        self.card = PageCard()
        self.list = LookList(context)
        self.list.ticked.connect(self._name_action)
        # Switch between both: showing both, even briefly, would enlarge the dialog.
        self._shown = QStackedWidget()
        self._shown.addWidget(self.card)
        self._shown.addWidget(self.list)
        self.column.addWidget(self._shown, 1)
        self._asked = ""
        self._follow()

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses in the box, without duplicates."""
        return panel.typed_addresses(self.address.text())

    @property
    def can_start(self) -> bool:
        """Whether adding is possible. Failed pages are previewed again instead."""
        if len(self.urls) > 1:
            return self.problem is None and bool(self._kept())
        return self.problem is None and self.card.error is None

    def fill(self, urls: tuple[str, ...]) -> None:
        self.address.setText("\n".join(urls))
        self.look()

    def look(self) -> None:
        """Preview the addresses without storing anything."""
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
            self._stop_looking()
            self._asked = url = urls[0]
            self.card.show_looking(url)
            self._name_action()

            def show(look: PagePreview) -> None:
                self.card.show_look(look, url)
                self._name_action()

            def fail(error: WebRAGError) -> None:
                self.card.show_error(error)
                self._name_action()

            self._looking.submit(lambda engine: engine.preview_page(url), show, fail)

    def start(self) -> None:
        if self._hand_on():
            return
        urls = self.urls
        if not urls:
            self._ask_for_address()
        elif len(urls) == 1 and self._asked == urls[0] and (look := self.card.look) is not None:
            self.run(self.tr("Saving…"), lambda engine: engine.ingest_preview(look), self._stored)
        elif len(urls) == 1:
            self._stop_looking()
            self.card.show_nothing()
            progress = self.progress()
            self.run(
                self.tr("Fetching…"), lambda engine: engine.ensure_ingested(urls[0], progress=progress), self._stored
            )
        elif kept := self._kept():
            self.list.stop()
            target = self.tr("{} pages from {}").format(number(len(kept)), kept[0])
            self.run(self.tr("Starting…"), lambda engine: engine.jobs.read_pages(kept, target=target), self._begun)

    def _ask_for_address(self) -> None:
        """Explain what an address looks like if something else was entered."""
        self.address.setFocus()
        if typed := self.address.text().strip():
            self._stop_looking()
            self.card.show_error(panel.no_address(typed))
            self._name_action()

    def _kept(self) -> tuple[str, ...]:
        """Return the selected addresses of the list, or all addresses if it does not show them yet."""
        return tuple(self.list.kept()) if self.list.addresses == self.urls else self.urls

    def press(self) -> None:
        """Show the preview first, then add it."""
        if self._is_understood:
            self.start()
        else:
            self.look()

    @property
    def _is_understood(self) -> bool:
        urls = self.urls
        return self.list.addresses == urls if len(urls) > 1 else self._asked in urls and self.card.look is not None

    def _follow(self) -> None:
        """Drop a preview that does not match the box."""
        urls = self.urls
        several = len(urls) > 1
        self.forget_problem()
        if several and self.list.addresses != urls:
            self.list.show_addresses(urls, look=False)
        if not several and self._asked not in urls:
            self._stop_looking()
            typed = self.address.text().strip()
            self.card.show_nothing(panel.address_example() if typed and not urls else "")
        self._shown.setCurrentWidget(self.list if several else self.card)
        # For one page, the button at the bottom does the same.
        self.look_button.setVisible(several)
        self._name_action()

    def _stop_looking(self) -> None:
        super()._stop_looking()
        self._asked = ""
        self.list.stop()

    def _hand_on(self) -> bool:
        """Pass local paths to the panel for files."""
        paths = paths_in(self.address.text())
        if paths:
            rest = [part for part in self.address.text().splitlines() if not paths_in(part)]
            self.address.setText("\n".join(rest))
            self.handed_on.emit(paths)
        return bool(paths)

    def _name_action(self) -> None:
        urls = self.urls
        if len(urls) > 1:
            self.rename(counted(len(self._kept()), self.tr("Add 1 page"), self.tr("Add {} pages")))
        elif not self._is_understood:
            self.rename(self.tr("Preview"))
        else:
            stored = self.card.look is not None and self.card.look.stored is not None
            self.rename(self.tr("Replace copy") if stored else self.tr("Add page"))
        self.renamed.emit()

    def _stored(self, page: IngestedPage) -> None:
        words = self.tr("Added “{}”") if page.change != "unchanged" else self.tr("“{}” is already in the library")
        self.context.notifier.say(words.format(page.title or page.url))
        self.added.emit([page.document_id])
        self.finished.emit()
