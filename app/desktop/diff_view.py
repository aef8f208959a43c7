"""A change of a file as coloured lines: what comes, what goes, and a little of what stays around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtGui import QColor, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.desktop.language import translator
from app.desktop.models.assistants import short_path
from app.desktop.theme import colours, mono_font, theme
from app.desktop.tokens import S

_tr = translator("DiffView")

GAP: Final = "⋯"


def readable_diff(path: str, diff: str) -> str:
    """A unified diff of one file: its path, then the lines; the numbers of a hunk give way to the line it begins at."""
    # The two lines of its head name the path a second and a third time.
    lines = diff.splitlines()[2:]
    return "\n".join((path, *(_hunk(line) if line.startswith("@@") else line for line in lines)))


def _hunk(line: str) -> str:
    """`@@ -3,2 +3,7 @@` as the line it begins at."""
    number = line.split("+", 1)[-1].split(",")[0].split(" ")[0]
    return f"{GAP} {_tr('line {}').format(number)}"


class DiffView(QPlainTextEdit):
    """Added and removed lines over the whole width; the signs at their beginning say the same."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFont(mono_font(0.92))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.document().setDocumentMargin(S)
        self._headings: frozenset[str] = frozenset()
        theme().changed.connect(self._colour)

    def show_diffs(self, diffs: Sequence[tuple[str, str]]) -> None:
        """Show the changes of some files, given as path and unified diff."""
        named = [(short_path(path), diff) for path, diff in diffs]
        self._headings = frozenset(path for path, _ in named)
        self.setPlainText("\n\n".join(readable_diff(path, diff) for path, diff in named))
        self._colour()

    def _colour(self) -> None:
        made: list[QTextEdit.ExtraSelection] = []
        block = self.document().begin()
        while block.isValid():
            look = self._look(block.text())
            if look is not None:
                made += _selections(QTextCursor(block), *look)
            block = block.next()
        self.setExtraSelections(made)

    def _look(self, line: str) -> tuple[str, str] | None:
        scheme = colours()
        if line in self._headings or line.startswith(GAP):
            return scheme.muted, ""
        if line.startswith("+"):
            return scheme.success, scheme.success_soft
        return (scheme.danger, scheme.danger_soft) if line.startswith("-") else None


def _selections(cursor: QTextCursor, text: str, ground: str) -> list[QTextEdit.ExtraSelection]:
    """The colours of one line: the ground reaches over the whole width only where nothing is selected."""
    made: list[QTextEdit.ExtraSelection] = []
    if ground:
        line = QTextEdit.ExtraSelection()
        line.cursor = QTextCursor(cursor)
        line.format.setBackground(QColor(ground))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        made.append(line)
    words = QTextEdit.ExtraSelection()
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    words.cursor = cursor
    words.format.setForeground(QColor(text))
    return [*made, words]
