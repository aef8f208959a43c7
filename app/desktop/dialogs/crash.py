"""What a person sees of a defect: what to do, and a report to copy. Nothing is sent."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.desktop.opening import open_local
from app.desktop.theme import mono_font
from app.desktop.tokens import XL, L, M
from app.desktop.widgets import button, label, row


class CrashDialog(QDialog):
    """Shows a redacted report."""

    def __init__(self, report: str, logs: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Something went wrong"))
        self.setMinimumSize(600, 380)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addWidget(label(self.tr("WebRAG met an error it did not expect"), "heading"))
        column.addWidget(
            label(
                self.tr(
                    "You can go on working. If it happens again, restart WebRAG and report the text below; it was not sent to anyone."
                ),
                "muted",
                wrap=True,
            )
        )
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setFont(mono_font(0.9))
        self.report.setAccessibleName(self.tr("Report of the error"))
        column.addWidget(self.report, 1)
        show_logs = button(self.tr("Open log folder"), lambda: open_local(logs))
        copy = button(self.tr("Copy report"), lambda: QGuiApplication.clipboard().setText(report))
        close = button(self.tr("Close"), self.accept, "primary")
        close.setDefault(True)
        close.setFocus()
        column.addLayout(row(show_logs, copy, 1, close))
