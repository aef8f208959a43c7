"""The card that shows what was understood of one page, or why it cannot be read; as high as there is room."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.dialogs.add.panel import Remedy, remedy_of, remedy_words
from app.desktop.dialogs.add.widgets import Excerpt, StackedCard
from app.desktop.language import spoken, translator
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, label, row
from app.desktop.wording import ago, counted, plain_address, plain_tip
from app.engine.page_preview import PagePreview
from app.errors import WebRAGError

_tr = translator("PagePreview")

_MARKS: Final = re.compile(r"^#{1,6}\s+|^\s*```\w*$|\*\*|`", re.MULTILINE)

LEAST_HEIGHT = 110
MAX_WARNINGS = 3
_ICONS = {"info": ("info", "muted"), "warning": ("alert", "warning")}


def language_name(code: str) -> str:
    """`English` for `en-GB`; a code without a name stays."""
    locale = QLocale(code.replace("-", "_"))
    if not code or locale.language() is QLocale.Language.C:
        return code
    return QLocale.languageToString(locale.language())


def tokens_text(tokens: int) -> str:
    return counted(tokens, _tr("1 token"), _tr("{} tokens"))


def plain_text(markdown: str) -> str:
    """The text without the marks of headings, emphasis and code, for a few lines of it."""
    return _MARKS.sub("", markdown)


def facts_of(look: PagePreview) -> str:
    """Language and sizes in one line."""
    facts = [
        language_name(look.language),
        tokens_text(look.tokens),
        counted(look.chunks, _tr("1 chunk"), _tr("{} chunks")),
        counted(look.links, _tr("1 link"), _tr("{} links")),
    ]
    return "  ·  ".join(fact for fact in facts if fact)


def warnings_of(look: PagePreview, asked: str) -> list[tuple[str, str]]:
    """What a person should know before storing, each with its kind: info or warning."""
    told: list[tuple[str, str]] = []
    if look.stored is not None:
        told.append(("info", _tr("In the library already, read {}. Adding replaces that copy.").format(_age(look))))
    if look.note:
        told.append(("warning", spoken(look.note)))
    if look.flags:
        told.append(
            ("warning", _tr("The text speaks to the assistant: {}.").format(", ".join(map(spoken, look.flags))))
        )
    if not look.is_welcome:
        told.append(
            ("info", _tr("The site asks programs not to read this page by themselves. You named it, so it is read."))
        )
    if _is_moved(look.url, asked):
        told.append(("info", _tr("The address you gave leads here.")))
    return told


def _age(look: PagePreview) -> str:
    return ago(look.stored.last_crawled) if look.stored is not None else ""


def _is_moved(url: str, asked: str) -> bool:
    return url.split("://")[-1].rstrip("/") != asked.partition("#")[0].split("://")[-1].rstrip("/")


class PageCard(StackedCard):
    """Shows nothing yet, work, a page or an error. `remedy_wanted` gives what helps against the error."""

    remedy_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(LEAST_HEIGHT)
        self.look: PagePreview | None = None
        self.error: WebRAGError | None = None
        self.warnings: tuple[str, ...] = ()
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._page, self._failed = self._page_side(), self._failed_side()
        self.show_nothing()

    def show_nothing(self, hint: str = "") -> None:
        """Say what the card is for, or what is missing."""
        self.look = self.error = None
        purpose = self.tr("The preview shows what WebRAG understands of the page. Nothing is stored by it.")
        self.show_words(hint or purpose)

    def show_looking(self, url: str) -> None:
        """Say which page is being read."""
        self.look = self.error = None
        self.show_words(self.tr("Reading {}…").format(plain_address(url)[:80]), is_busy=True)

    def show_look(self, look: PagePreview, asked: str) -> None:
        """Show what was understood."""
        self.look, self.error = look, None
        self.title.show_text(look.title or plain_address(look.url))
        self.address.show_text(look.url)
        self.facts.setText(facts_of(look))
        self.excerpt.show_text(plain_text(look.beginning))
        self._show_warnings(warnings_of(look, asked))
        self.show_side(self._page)

    def show_error(self, error: WebRAGError) -> None:
        """Say what went wrong, why, and the one thing to do about it."""
        self.look, self.error = None, error
        self._error_title.setText(error.title)
        self._error_text.setText(f"{error.message} {error.hint}".strip())
        remedy = remedy_of(error)
        self.remedy.setText(remedy_words(remedy))
        self.remedy.setVisible(remedy is not Remedy.NONE)
        self.show_side(self._failed)

    def _page_side(self) -> QWidget:
        side, column = self.add_side(XS)
        self.title, self.address = ElidedLabel("", "heading"), ElidedLabel("", "muted", Qt.TextElideMode.ElideMiddle)
        self.facts = label("", "strong", wrap=True)
        self.facts.setToolTip(
            plain_tip(self.tr("Tokens measure length as assistants count it; chunks are the passages that are found."))
        )
        self.excerpt = Excerpt(self.tr("Beginning of the text"))
        self._warnings = QVBoxLayout()
        self._warnings.setSpacing(XS)
        column.addWidget(self.title)
        column.addWidget(self.address)
        column.addWidget(self.facts)
        column.addSpacing(XS)
        column.addWidget(self.excerpt, 1)
        column.addLayout(self._warnings)
        return side

    def _failed_side(self) -> QWidget:
        side, column = self.add_side(S)
        self._error_title = label("", "strong")
        self._error_text = label("", "", wrap=True, selectable=True)
        self._error_text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.remedy = button(remedy_words(Remedy.AGAIN), self._ask_for_remedy)
        column.addStretch(1)
        column.addLayout(row(ThemedIcon("error", 20, "danger"), self._error_title, 1, spacing=M))
        column.addWidget(self._error_text)
        column.addSpacing(XS)
        column.addLayout(row(self.remedy, 1))
        column.addStretch(1)
        return side

    def _ask_for_remedy(self) -> None:
        if self.error is not None:
            self.remedy_wanted.emit(self.error)

    def _show_warnings(self, told: list[tuple[str, str]]) -> None:
        while (item := self._warnings.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.warnings = tuple(text for _, text in told)
        for kind, text in told[:MAX_WARNINGS]:
            holder = QWidget()
            words = ElidedLabel(text, "")
            line = row(ThemedIcon(_ICONS[kind][0], 16, _ICONS[kind][1]), spacing=S)
            line.addWidget(words, 1)
            holder.setLayout(line)
            self._warnings.addWidget(holder)
