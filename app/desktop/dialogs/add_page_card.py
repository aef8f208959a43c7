"""The card that shows what was understood of one page, or why it cannot be read; as high as there is room."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QStackedLayout, QVBoxLayout, QWidget

from app.desktop.dialogs.add_excerpt import Excerpt
from app.desktop.dialogs.add_look_words import facts_of, plain_text, warnings_of
from app.desktop.dialogs.add_remedies import Remedy, remedy_of, remedy_words
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, label, row
from app.desktop.wording import plain_address, plain_tip
from app.engine.page_preview import PageLook
from app.errors import WebRAGError

LEAST_HEIGHT = 110
MAX_WARNINGS = 3
_ICONS = {"info": ("info", "muted"), "warning": ("alert", "warning")}


class PageCard(QFrame):
    """Shows nothing yet, work, a page or an error. `remedy_wanted` gives what helps against the error."""

    remedy_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setMinimumHeight(LEAST_HEIGHT)
        self.look: PageLook | None = None
        self.error: WebRAGError | None = None
        self.warnings: tuple[str, ...] = ()
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._waiting, self._page, self._failed = self._waiting_side(), self._page_side(), self._failed_side()
        for side in (self._waiting, self._page, self._failed):
            self._stack.addWidget(side)
        self.show_nothing()

    def show_nothing(self, hint: str = "") -> None:
        """Say what the card is for, or what is missing."""
        self.look = self.error = None
        self._bar.hide()
        purpose = self.tr("The preview shows what WebRAG understands of the page. Nothing is stored by it.")
        self._hint.setText(hint or purpose)
        self._stack.setCurrentWidget(self._waiting)

    def show_looking(self, url: str) -> None:
        """Say which page is being read."""
        self.look = self.error = None
        self._bar.show()
        self._hint.setText(self.tr("Reading {}…").format(plain_address(url)[:80]))
        self._stack.setCurrentWidget(self._waiting)

    def show_look(self, look: PageLook, asked: str) -> None:
        """Show what was understood."""
        self.look, self.error = look, None
        self.title.show_text(look.title or plain_address(look.url))
        self.address.show_text(look.url)
        self.facts.setText(facts_of(look))
        self.excerpt.show_text(plain_text(look.beginning))
        self._show_warnings(warnings_of(look, asked))
        self._stack.setCurrentWidget(self._page)

    def show_error(self, error: WebRAGError) -> None:
        """Say what went wrong, why, and the one thing to do about it."""
        self.look, self.error = None, error
        self._error_title.setText(error.title)
        self._error_text.setText(f"{error.message} {error.hint}".strip())
        remedy = remedy_of(error)
        self.remedy.setText(remedy_words(remedy))
        self.remedy.setVisible(remedy is not Remedy.NONE)
        self._stack.setCurrentWidget(self._failed)

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
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(L, M, L, M)
        column.setSpacing(S)
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
