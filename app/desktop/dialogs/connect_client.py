"""Connect an assistant: the exact change of its configuration, written only after it was seen."""

from __future__ import annotations

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.clients.profile import ClientProfile, Machine, ServerCommand
from app.clients.registrar import PlanAction, RegistrationPlan, apply_plan, plan_registration, plan_removal
from app.desktop.banners import Banner, Notice
from app.desktop.context import Context
from app.desktop.theme import colours, mono_font
from app.desktop.tokens import XL, L, M
from app.desktop.widgets import button, label, row
from app.errors import WebRAGError

Plans = tuple[RegistrationPlan, ...]


class DiffColours(QSyntaxHighlighter):
    """Added and removed lines of a unified diff; the signs at the line's beginning say the same."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)

    def highlightBlock(self, text: str) -> None:
        scheme = colours()
        look = QTextCharFormat()
        if text.startswith(("---", "+++", "@@")):
            look.setForeground(QColor(scheme.muted))
        elif text.startswith("+"):
            look.setForeground(QColor(scheme.success))
            look.setBackground(QColor(scheme.success_soft))
        elif text.startswith("-"):
            look.setForeground(QColor(scheme.danger))
            look.setBackground(QColor(scheme.danger_soft))
        self.setFormat(0, len(text), look)


class ConnectClientDialog(QDialog):
    """Plans when it opens, writes when told to."""

    def __init__(
        self, context: Context, parent: QWidget | None, profile: ClientProfile, command: ServerCommand
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._profile = profile
        self._command = command
        self._plans: Plans = ()
        self.setWindowTitle(self.tr("Connect {}").format(profile.title))
        self.setMinimumSize(640, 420)
        self._build()
        context.thread.run_blocking(
            lambda: plan_registration(profile, command, Machine.here()),
            self._show_plans,
            self._fail,
            owner=self,
        )

    def write(self) -> None:
        """Make the planned change."""
        self._apply(
            self._plans,
            self.tr("{} is connected. {}").format(self._profile.title, self._profile.after_change),
        )

    def remove(self) -> None:
        """Take our entry out again."""
        profile = self._profile

        def planned(plans: Plans) -> None:
            self._apply(plans, self.tr("WebRAG was taken out of {}.").format(profile.title))

        self._context.thread.run_blocking(
            lambda: plan_removal(profile, Machine.here()), planned, self._fail, owner=self
        )

    def _build(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(XL, XL, XL, L)
        self._column.setSpacing(M)
        self._title = label(self.tr("Connect {}").format(self._profile.title), "heading")
        self._text = label("", "muted", wrap=True)
        self._column.addWidget(self._title)
        self._column.addWidget(self._text)
        self._notices = QVBoxLayout()
        self._column.addLayout(self._notices)
        self.diff = QPlainTextEdit()
        self.diff.setReadOnly(True)
        self.diff.setFont(mono_font(0.9))
        self.diff.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.diff.setAccessibleName(self.tr("The change of the configuration"))
        DiffColours(self.diff.document())
        self._column.addWidget(self.diff, 1)
        self._remove = button(self.tr("Disconnect"), self.remove, "danger")
        self._write = button(self.tr("Write this change"), self.write, "primary")
        self._write.setDefault(True)
        self._write.setEnabled(False)
        self._remove.hide()
        self._column.addLayout(row(self._remove, 1, button(self.tr("Cancel"), self.reject), self._write))

    def _show_plans(self, plans: Plans) -> None:
        self._plans = plans
        changing = [plan for plan in plans if plan.action is not PlanAction.NOTHING]
        if changing:
            self._text.setText(
                self.tr("This is the whole change; every other line stays. The file is backed up before it is written.")
            )
            self.diff.setPlainText("\n\n".join(plan.diff for plan in changing))
        else:
            self._text.setText(
                self.tr("{} has the right entry already; nothing is to be changed.").format(self._profile.title)
            )
            self.diff.setPlainText("\n".join(str(plan.path) for plan in plans))
            self._remove.show()
        self._write.setEnabled(bool(changing))
        self._write.setFocus()
        for plan in plans:
            if plan.note:
                self._notices.addWidget(Banner(Notice("note", "info", self.tr("Note"), plan.note)))

    def _apply(self, plans: Plans, words: str) -> None:
        self._write.setEnabled(False)

        def applied(_changes: object) -> None:
            self._context.notifier.say(words)
            self.accept()

        self._context.thread.run_blocking(lambda: [apply_plan(plan) for plan in plans], applied, self._fail, owner=self)

    def _fail(self, error: WebRAGError) -> None:
        self._text.setText("")
        self._write.setEnabled(False)
        self._notices.addWidget(Banner(Notice("failed", "error", error.title, f"{error.message} {error.hint}")))
