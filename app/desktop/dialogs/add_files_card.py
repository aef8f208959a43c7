"""What files and folders hold, before they are read: counts by kind, what is left out, bookmarks by folder."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout

from app.desktop.dialogs.add_bookmarks import BookmarkTree
from app.desktop.intake.survey import Survey
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, label
from app.desktop.wording import counted, number, plain_tip

LEAST_HEIGHT = 96
MAX_SUFFIXES = 4
MAX_NAMES = 200


class FilesCard(QFrame):
    """As high as there is room. `ticked` follows a change of what is left out."""

    ticked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setMinimumHeight(LEAST_HEIGHT)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, M, L, M)
        column.setSpacing(XS)
        self.found = ElidedLabel("", "strong")
        self.kinds = label("", "muted", wrap=True)
        self.left_out = label("", "muted", wrap=True)
        self.names = QPlainTextEdit()
        self.names.setReadOnly(True)
        self.names.setTabChangesFocus(True)
        self.names.setProperty("role", "entry")
        self.names.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.names.document().setDocumentMargin(S)
        self.names.setAccessibleName(self.tr("Files to read"))
        self.hint = label("", "muted", wrap=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bookmarks = BookmarkTree()
        self.bookmarks.ticked.connect(self.ticked)
        for widget in (self.found, self.kinds, self.left_out):
            column.addWidget(widget)
        column.addSpacing(XS)
        column.addWidget(self.bookmarks, 1)
        column.addWidget(self.names, 1)
        column.addWidget(self.hint, 1)
        column.addStretch(0)
        self.show_hint(self.tr("Choose files or a folder, or drop them here. Nothing is read before you press Add."))

    def show_hint(self, text: str) -> None:
        """Show nothing but a sentence."""
        for widget in (self.found, self.kinds, self.left_out, self.bookmarks, self.names):
            widget.hide()
        self.hint.setText(text)
        self.hint.show()

    def show_survey(self, survey: Survey) -> None:
        """Say what will be read and what will not."""
        self.hint.setText("")
        names = _names(survey)
        self.hint.setVisible(not survey.bookmarks and not names)
        self.names.setPlainText("\n".join(names))
        self.names.setVisible(bool(names) and not survey.bookmarks)
        self.bookmarks.setVisible(bool(survey.bookmarks))
        if survey.bookmarks:
            self.bookmarks.show_bookmarks(survey.bookmarks)
        self.found.show()
        self.found.show_text(self._found(survey))
        kinds, out = self._kinds(survey), self._left_out(survey)
        self.kinds.setText(kinds)
        self.kinds.setVisible(bool(kinds))
        self.left_out.setText(out)
        self.left_out.setVisible(bool(out))
        self.left_out.setToolTip(plain_tip("\n".join(f"{path}: {reason}" for path, reason in survey.refused[:20])))

    def _found(self, survey: Survey) -> str:
        pages = sum(len(folder.urls) for folders in survey.bookmarks.values() for folder in folders)
        parts = []
        if survey.total or not survey.bookmarks:
            words = counted(survey.total, self.tr("1 file to read"), self.tr("{} files to read"))
            parts.append(self.tr("At least {}").format(words) if survey.is_cut else words)
        if survey.bookmarks:
            parts.append(counted(pages, self.tr("1 bookmarked page"), self.tr("{} bookmarked pages")))
        return "  ·  ".join(parts)

    def _kinds(self, survey: Survey) -> str:
        names = {
            "markdown": self.tr("Markdown"),
            "html": self.tr("HTML"),
            "pdf": self.tr("PDF"),
            "text": self.tr("text"),
        }
        return "  ·  ".join(
            f"{number(survey.kinds[kind])} {name}" for kind, name in names.items() if survey.kinds[kind]
        )

    def _left_out(self, survey: Survey) -> str:
        told = []
        if others := survey.others.total():
            shown = ", ".join(suffix for suffix, _ in survey.others.most_common(MAX_SUFFIXES))
            words = counted(others, self.tr("1 of a kind that is not read"), self.tr("{} of kinds that are not read"))
            told.append(f"{words} ({shown})")
        if survey.too_large:
            told.append(counted(survey.too_large, self.tr("1 that is too large"), self.tr("{} that are too large")))
        if len(survey.refused) == 1:
            told.append(self.tr("{}: {}").format(survey.refused[0][0].name, survey.refused[0][1]))
        elif survey.refused:
            told.append(self.tr("{} that cannot be read").format(number(len(survey.refused))))
        return self.tr("Left out: {}").format("; ".join(told)) if told else ""


def _names(survey: Survey) -> list[str]:
    """The first files by their paths below the folder that was named."""
    shown = [file.name for file in survey.files[:MAX_NAMES]]
    for file in survey.in_folders[: MAX_NAMES - len(shown)]:
        above = next((folder for folder in survey.folders if file.is_relative_to(folder)), file.parent)
        shown.append(str(file.relative_to(above)))
    return shown
