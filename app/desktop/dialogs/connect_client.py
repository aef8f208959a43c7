"""Dialog to connect or disconnect an assistant. Shows the exact change of its configuration before writing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from os.path import commonprefix
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.clients.profile import ClientProfile, Machine, ServerCommand
from app.clients.registrar import PlanAction, RegistrationPlan, apply_plan, plan_registration, plan_removal
from app.desktop.context import Context
from app.desktop.notices import Banner, Notice
from app.desktop.panels import Dialog, Tile
from app.desktop.theme import colours, mono_font, theme
from app.desktop.tokens import L, M, S
from app.desktop.widgets import button, column, label, row
from app.desktop.wording import short_path, spoken, translator
from app.errors import WebRAGError

_tr = translator("DiffView")

GAP: Final = "⋯"
GAINED: Final = "±"  # Mark of an unchanged line that only gets a trailing comma.

Plans = tuple[RegistrationPlan, ...]


def readable_diff(path: str, diff: str) -> str:
    """Return a readable diff of one file: its path, then the lines. Hunk headers become line numbers."""
    # The two header lines repeat the path.
    lines = diff.splitlines()[2:]
    # A line that only gets a comma, because an entry follows it, is shown once instead of as removed and added.
    gained = {new: old for old, new in _pairs(lines) if f"{lines[old][1:]}," == lines[new][1:]}
    shown = [path]
    for place, line in enumerate(lines):
        if line.startswith("@@"):
            # Show `@@ -3,2 +3,7 @@` as its first line number.
            number = line.split("+", 1)[-1].split(",")[0].split(" ")[0]
            shown.append(f"{GAP} {_tr('line {}').format(number)}")
        elif place not in gained.values():
            shown.append(GAINED + line[1:] if place in gained else line)
    return "\n".join(shown)


class DiffView(QPlainTextEdit):
    """Added and removed lines in color over the full width, and with signs at their beginning."""

    def __init__(self, name: str) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True)
        self.setFont(mono_font(0.92))
        # The difference can be at the end of a long line.
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
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
        spans = _changed_spans(self.toPlainText().split("\n"))
        block = self.document().begin()
        while block.isValid():
            text, ground = self._look(block.text())
            span = spans.get(block.blockNumber())
            look = QTextBlockFormat()
            if ground and span is None:
                look.setBackground(QBrush(QColor(ground)))
            QTextCursor(block).setBlockFormat(look)
            if text:
                made.append(_selection(QTextCursor(block), text, ground, span))
            block = block.next()
        self.setExtraSelections(made)

    def _look(self, line: str) -> tuple[str, str]:
        """Return the text and background color of a line, empty if it has none."""
        scheme = colours()
        if line in self._headings or line.startswith(GAP):
            return scheme.muted, ""
        if line.startswith(("+", GAINED)):
            return scheme.success, scheme.success_soft
        return (scheme.danger, scheme.danger_soft) if line.startswith("-") else ("", "")


def _pairs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the indexes of each removed line and the added line that replaces it."""
    for place, old in enumerate(lines):
        if not old.startswith("-"):
            continue
        first = after = place
        while first and lines[first - 1].startswith("-"):
            first -= 1
        while after < len(lines) and lines[after].startswith("-"):
            after += 1
        added = place + after - first
        if added < len(lines) and lines[added].startswith("+"):
            yield place, added


def _changed_spans(lines: Sequence[str]) -> dict[int, tuple[int, int]]:
    """Return the range of changed characters of lines that are mostly the same, by line index."""
    gained = (place for place, line in enumerate(lines) if line.startswith(GAINED))
    found = {place: (len(lines[place]) - 1, len(lines[place])) for place in gained}
    for place, added in _pairs(lines):
        one, other = lines[place][1:], lines[added][1:]
        start = _alike(one, other)
        end = _alike(one[start:][::-1], other[start:][::-1])
        if 2 * (start + end) >= max(len(one), len(other)):
            found[place] = (start + 1, len(one) + 1 - end)
            found[added] = (start + 1, len(other) + 1 - end)
    return found


def _alike(one: str, other: str) -> int:
    return len(commonprefix((one, other)))  # noqa: RUF071 - these are texts, not paths


def _selection(cursor: QTextCursor, text: str, ground: str, span: tuple[int, int] | None) -> QTextEdit.ExtraSelection:
    """Return the color of one line, or of a `span` of characters if only these differ."""
    made = QTextEdit.ExtraSelection()
    if span is None:
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    else:
        at = cursor.block().position()
        cursor.setPosition(at + span[0])
        cursor.setPosition(at + span[1], QTextCursor.MoveMode.KeepAnchor)
        made.format.setBackground(QColor(ground))
        made.format.setFontWeight(QFont.Weight.Bold)
    made.cursor = cursor
    made.format.setForeground(QColor(text))
    return made


class ConnectClientDialog(Dialog):
    """Plans the change when opened, writes it on demand. `written` carries the assistant, and whether it has the entry now."""

    written = Signal(str, bool)

    def __init__(
        self,
        context: Context,
        parent: QWidget | None,
        profile: ClientProfile,
        command: ServerCommand,
        *,
        removing: bool = False,
    ) -> None:
        heading = self.tr("Disconnect {}") if removing else self.tr("Connect {}")
        self._heading = heading.format(profile.title)
        super().__init__(parent, self._heading, 600, 360, size=(700, 480))
        self._context = context
        self._profile = profile
        self._removing = removing
        self._plans: Plans = ()
        tile = Tile(40)
        tile.show_assistant(profile.name, profile.title, present=True)
        self._text = label("", "muted", wrap=True)
        words = column(label(self._heading, "heading"), self._text, spacing=3)
        head = row((tile, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=L)
        self._notices = column(spacing=M)
        self.diff = DiffView(self.tr("Configuration change"))
        self._after = label("", "muted", wrap=True)
        self._after.hide()
        self._remove = button(self.tr("Disconnect"), self.remove, "danger")
        self._remove.hide()
        doing = self.tr("Remove entry") if removing else self.tr("Apply change")
        self._write = button(doing, self.write, "primary", default=True)
        self._write.setEnabled(False)
        buttons = row(self._remove, 1, button(self.tr("Cancel"), self.reject), self._write)
        self.lay_out(head, self._notices, (self.diff, 1), self._after, buttons)
        machine = Machine.here()
        plan = partial(plan_registration, profile, command, machine)
        if removing:
            plan = partial(plan_removal, profile, machine)
        context.run(self, plan, self._show_plans, self._fail)

    def write(self) -> None:
        self._apply(self._plans, has_entry=not self._removing)

    def remove(self) -> None:
        profile = self._profile
        apply = partial(self._apply, has_entry=False)
        self._context.run(self, lambda: plan_removal(profile, Machine.here()), apply, self._fail)

    def _show_plans(self, plans: Plans) -> None:
        self._plans = plans
        changing = [plan for plan in plans if plan.action is not PlanAction.NOTHING]
        if changing:
            words = self.tr("These are the only changes. Other lines are kept, and the file is backed up first.")
            self.diff.show_diffs([(str(plan.path), plan.diff) for plan in changing])
            self._after.setText(self.tr("Next step: {}").format(spoken(self._profile.after_change)))
            self._after.setVisible(bool(self._profile.after_change))
        else:
            missing = self.tr("{} has no WebRAG entry. No changes needed.")
            words = missing if self._removing else self.tr("{} is already set up correctly. No changes needed.")
            self.diff.show_diffs([(str(plan.path), "") for plan in plans])
            self._remove.setVisible(not self._removing)
        self._text.setText(words.format(self._profile.title))
        self._write.setEnabled(bool(changing))
        self._write.setFocus()
        for plan in plans:
            if plan.note:
                self._notices.addWidget(Banner(Notice("note", "info", self.tr("Note"), spoken(plan.note))))

    def _apply(self, plans: Plans, *, has_entry: bool) -> None:
        self._write.setEnabled(False)
        profile = self._profile
        words = self.tr("WebRAG was removed from {}.").format(profile.title)
        if has_entry:
            words = self.tr("{} is set up. {}").format(profile.title, spoken(profile.after_change)).strip()

        def applied(_changes: object) -> None:
            self._context.notifier.say(words)
            self.written.emit(profile.name, has_entry)
            self.accept()

        self._context.run(self, lambda: [apply_plan(plan) for plan in plans], applied, self._fail)

    def _fail(self, error: WebRAGError) -> None:
        self._text.setText("")
        self._write.setEnabled(False)
        self._notices.addWidget(Banner(Notice("failed", "error", error.title, f"{error.message} {error.hint}")))
