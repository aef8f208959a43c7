"""Assistant view of Search: the exact text that a tool returns for the same question, and its token count."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Latest
from app.desktop.models.search import EVIDENCE, PASSAGES, SEARCH, Asked, View, tool_view
from app.desktop.pages.parts import text_box
from app.desktop.panels import Line
from app.desktop.tokens import L, M, S
from app.desktop.widgets import Badge, column, icon_button, label, row
from app.desktop.wording import number


class AssistantView(QWidget):
    """Result text of the selected tool. Tools that need another search are called when selected."""

    shown = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._asked: Asked | None = None
        self._views: dict[str, View] = {}
        self._calling = Latest(context.thread, self)
        self.tokens = Badge("", "accent")
        self.tokens.setToolTip(self.tr("Length of this text in tokens"))
        self.tool = QComboBox(minimumContentsLength=max(map(len, (SEARCH, EVIDENCE, PASSAGES))))
        self.tool.setAccessibleName(self.tr("Tool"))
        self.tool.setToolTip(self.tr("The tool that the assistant calls. Each tool formats the results differently."))
        for name in (SEARCH, EVIDENCE, PASSAGES):
            self.tool.addItem(name.replace(".", "_"), name)
        self.tool.currentIndexChanged.connect(lambda _index: self._follow())
        said = self.tr("Text copied")
        self.copy = icon_button("copy", self.tr("Copy text"), lambda: context.copy(self.text.toPlainText(), said))
        self.text = text_box(self.tr("Assistant view"), mono=0.9, margin=M)
        words = label(self.tr("Tool"), "muted")
        words.setBuddy(self.tool)
        head = row(words, self.tool, 1, self.tokens, self.copy, margins=(L, S, S, S))
        column(head, Line(), (self.text, 1), spacing=0, parent=self)

    def show_search(self, asked: Asked, view: View) -> None:
        """Show the result of the tool `search`. Other tools are called on demand."""
        self.forget()
        self._asked = asked
        self._views = {SEARCH: view}
        self._follow()

    def forget(self) -> None:
        """Clear the view."""
        self._calling.cancel()
        self._asked, self._views = None, {}
        self._show(View("", 0))

    def _follow(self) -> None:
        """Show the selected tool's text, requesting it first if needed."""
        tool, asked = str(self.tool.currentData()), self._asked
        known = self._views.get(tool)
        if known is not None or asked is None:
            self._show(known or View("", 0))
            return
        self._show(View(self.tr("Calling {}…").format(tool), 0))
        self._calling.submit(
            lambda engine: tool_view(engine, asked, tool),
            lambda view: self._take(asked, tool, view),
            lambda error: self._take(
                asked, tool, View("\n\n".join(part for part in (error.title, error.message, error.hint) if part), 0)
            ),
        )

    def _take(self, asked: Asked, tool: str, view: View) -> None:
        if asked is self._asked:
            self._views[tool] = view
            if tool == self.tool.currentData():
                self._show(view)

    def _show(self, view: View) -> None:
        self.text.setPlainText(view.text)
        words = self.tr("{} tokens").format(number(view.tokens)) if view.tokens else ""
        self.tokens.show_text(words, "accent")
        self.shown.emit()
