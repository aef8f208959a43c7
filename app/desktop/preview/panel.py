"""Page preview with bars for highlighted passages, the search in the page, and parts not shown yet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.desktop.models.details import anchor_words, place_labels
from app.desktop.models.document import ReadDocument
from app.desktop.preview.places import MAX_WORDS_CHARS
from app.desktop.preview.view import Preview
from app.desktop.qt import single_shot
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, button, column, framed, icon_button, label, row, take_focus, text_field
from app.desktop.wording import counted, number
from app.library.records import ImageRecord, KeptPicture, LinkRecord, SectionRecord

FIND_MS = 150


class PreviewPanel(QWidget):
    """The preview with bars above and below, which are only visible if needed."""

    link_clicked = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._sections: Sequence[SectionRecord] = ()
        self.preview = Preview(name)
        self.preview.link_clicked.connect(self.link_clicked)
        self.preview.progressed.connect(self._show_extent)
        self.preview.marks_changed.connect(self._show_marks)
        self.preview.find_wanted.connect(self.open_find)
        self.before, self.after = label("", "caption"), label("", "caption")
        earlier = button(self.tr("Show previous part"), self.preview.show_earlier, "link")
        self.earlier = _bar(self.before, 1, earlier)
        self.later = _bar(self.after, 1, button(self.tr("Show next part"), self.preview.show_more, "link"))
        prompt = self.tr("Find in this page")
        self.words = text_field(prompt, role="filter", icon_name="search", most=MAX_WORDS_CHARS)
        self.words.setMaximumWidth(280)
        self.words.installEventFilter(self)
        self._pause = single_shot(self, FIND_MS, self._look)
        self.words.textChanged.connect(self._pause.start)
        self.found = label("", "muted")
        self.steps = (
            icon_button("up", self.tr("Previous match"), lambda: self.preview.go_to_found(-1), self.tr("Shift+Enter")),
            icon_button("down", self.tr("Next match"), lambda: self.preview.go_to_found(1), self.tr("Enter")),
        )
        closing = icon_button("close", self.tr("Close search"), self.close_find, self.tr("Esc"))
        self.finder = _bar(self.words, self.found, 1, *self.steps, closing)
        self.finder.hide()
        self.marked = label("", "muted")
        self.mark_steps = (
            icon_button("up", self.tr("Previous passage"), lambda: self.preview.go_to_mark(-1)),
            icon_button("down", self.tr("Next passage"), lambda: self.preview.go_to_mark(1)),
        )
        back = button(self.tr("Scroll to passage"), lambda: self.preview.go_to_mark(0), "link")
        clear = icon_button("close", self.tr("Remove highlight"), lambda: self.preview.set_marks(()))
        self.place = ElidedLabel("", "muted")
        self.marker = _bar(self.marked, back, (self.place, 1), *self.mark_steps, clear)
        parts = (self.finder, self.marker, self.earlier, (self.preview, 1), self.later)
        column(*parts, spacing=0, parent=self)
        self._show_marks()
        self._show_extent()

    def show_text(
        self,
        text: str,
        links: Sequence[LinkRecord] = (),
        images: Sequence[ImageRecord] = (),
        pictures: Mapping[str, KeptPicture] | None = None,
        sections: Sequence[SectionRecord] = (),
    ) -> None:
        """Show another page. An open search continues in it."""
        self._sections = sections
        self.preview.show_text(text, links, images, pictures, place_labels(sections))
        if not self.finder.isHidden():
            self._look()

    def show_page(self, read: ReadDocument) -> None:
        document = read.document
        self.show_text(document.text, read.links, document.images, read.pictures, document.sections)

    def show_marks(self, marks: Sequence[tuple[int, int]]) -> None:
        """Highlight passages and scroll to the first one."""
        self.close_find()
        self.preview.set_marks(marks)

    def open_find(self) -> None:
        self.finder.show()
        take_focus(self.words)

    def close_find(self) -> None:
        if not self.finder.isHidden():
            self.finder.hide()
            self.preview.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.words.text():
            self.words.clear()
        self._pause.stop()
        self.preview.find_words("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.words and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.close_find()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self._pause.isActive():
                    self._pause.stop()
                    self._look()
                else:
                    self.preview.go_to_found(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        self.preview.find_words(self.words.text())

    def _show_marks(self) -> None:
        marks, findings = self.preview.marks, self.preview.findings
        self.marker.setVisible(bool(marks))
        for each in self.mark_steps:
            each.setVisible(len(marks) > 1)
        here = self.tr("Passage {} of {}").format(number(self.preview.current_mark + 1), number(len(marks)))
        self.marked.setText(here if len(marks) > 1 else self.tr("Passage highlighted"))
        self.place.show_text(self._place_text())
        self.found.setText(self._found_text() if self.words.text().strip() else "")
        for each in self.steps:
            each.setEnabled(bool(findings.places))

    def _place_text(self) -> str:
        """Return where in the file the highlighted passage begins: its slide, rows, cell, page or line."""
        if self.preview.current_mark < 0:
            return ""
        begin = self.preview.marks[self.preview.current_mark][0]
        place = bisect_right(self._sections, begin, key=lambda each: each.start) - 1
        return anchor_words(self._sections[place].anchor) if place >= 0 else ""

    def _found_text(self) -> str:
        findings = self.preview.findings
        if not findings.places:
            return self.tr("Searching…") if self.preview.is_searching else self.tr("Not on this page")
        if findings.is_cut:
            return self.tr("{} of more than {}").format(number(findings.current + 1), number(len(findings.places)))
        if findings.current < 0:
            return counted(len(findings.places), self.tr("1 match"), self.tr("{} matches"))
        return self.tr("{} of {}").format(number(findings.current + 1), number(len(findings.places)))

    def _show_extent(self) -> None:
        start, end = self.preview.shown
        length = self.preview.source_length
        self.earlier.setVisible(start > 0)
        self.before.setText(self.tr("{} characters before this part").format(number(start)))
        self.later.setVisible(end < length and not self.preview.is_writing)
        self.after.setText(self.tr("{} of {} characters shown").format(number(end - start), number(length)))


def _bar(*widgets: QWidget | int | tuple[QWidget, int]) -> QFrame:
    """Return a line of controls with a hairline."""
    return framed("bar", row(*widgets, margins=(M, XS, S, XS)))
