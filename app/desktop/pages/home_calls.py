"""The last few calls on Home."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.models.activity import RUNNING, ActivityModel, Call, outcome_mark, outcome_text, pages_text
from app.desktop.panels import Card, card_head
from app.desktop.tips import plain_tip
from app.desktop.tokens import M
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, label, row
from app.desktop.wording import ago, duration

SHOWN = 8


class LatestCalls(Card):
    """Newest first; the whole list is on the Activity page."""

    def __init__(self, context: Context, activity: ActivityModel) -> None:
        super().__init__()
        self._activity = activity
        more = button(self.tr("Show all"), lambda: context.go_to("activity"), "link")
        more.setAccessibleName(self.tr("Show all calls"))
        self.body.addWidget(card_head(self.tr("Latest calls"), more))
        self._lines = [CallLine() for _ in range(SHOWN)]
        for line in self._lines:
            self.body.addWidget(line)
        self._none = label(
            self.tr("No calls yet. Connect an assistant and ask it something about a web page."),
            "muted",
            wrap=True,
        )
        self.body.addWidget(self._none)
        self.body.addStretch(1)
        activity.layoutChanged.connect(self._show)
        self._show()

    def _show(self) -> None:
        newest = sorted(self._activity.everything, key=lambda call: call.started_at, reverse=True)[:SHOWN]
        self._none.setVisible(not newest)
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(newest))
            if place < len(newest):
                line.show_call(newest[place])


class CallLine(QWidget):
    """Icon, tool and page, assistant and time."""

    def __init__(self) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(M)
        self._icon = ThemedIcon("ok", 18)
        self._tool = label("", "strong")
        self._pages = ElidedLabel("", "muted")
        self._who = ElidedLabel("", "caption")
        words = QVBoxLayout()
        words.setSpacing(0)
        what = row(self._tool, self._pages)
        what.setStretch(1, 1)
        words.addLayout(what)
        words.addWidget(self._who)
        self._took = label("", "muted")
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addLayout(words, 1)
        line.addWidget(self._took)

    def show_call(self, call: Call) -> None:
        self._icon.show_icon(*outcome_mark(call))
        self._icon.setToolTip(plain_tip(outcome_text(call)))
        self._tool.setText(call.tool)
        self._pages.show_text(pages_text(call) if call.pages else "")
        who = call.client or self.tr("unknown assistant")
        self._who.show_text(outcome_text(call) if call.outcome == RUNNING else f"{who}  ·  {ago(call.started_at)}")
        self._took.setText("" if call.outcome == RUNNING else duration(call.duration_ms))
