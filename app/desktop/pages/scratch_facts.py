"""What is known of a kept passage, as names and values that can be copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QWidget

from app.desktop.models.scratch import KeptPassage, kept_text, kept_tip, title_text
from app.desktop.tokens import XL, L, S
from app.desktop.widgets import label
from app.desktop.wording import assistant_title, full_time, local_path, number, size


class FactsView(QScrollArea):
    """A two-column list; empty facts are left out. A newer state of the same passage changes words, not widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setProperty("role", "plain")
        self.setAccessibleName(self.tr("Details of the passage"))
        content = QWidget()
        content.setProperty("role", "plain")
        self._grid = QGridLayout(content)
        self._grid.setContentsMargins(XL, L, XL, L)
        self._grid.setHorizontalSpacing(XL)
        self._grid.setVerticalSpacing(S)
        self._grid.setColumnStretch(1, 1)
        self._lines: list[tuple[QLabel, QLabel]] = []
        self.setWidget(content)

    def show_passage(self, row: KeptPassage | None) -> None:
        facts = [fact for fact in self._facts(row) if fact[1]] if row is not None else []
        while len(self._lines) < len(facts):
            self._add_line()
        for place, (name, value) in enumerate(self._lines):
            name.setVisible(place < len(facts))
            value.setVisible(place < len(facts))
            if place < len(facts) and (name.text(), value.text()) != facts[place]:
                name.setText(facts[place][0])
                value.setText(facts[place][1])

    def values(self) -> dict[str, str]:
        """The facts in view by their names."""
        return {name.text(): value.text() for name, value in self._lines if not name.isHidden()}

    def _facts(self, row: KeptPassage) -> list[tuple[str, str]]:
        content = row.content
        length = self.tr("{} characters, {}").format(number(len(content.text)), size(row.passage.size_bytes))
        return [
            (self.tr("Title"), title_text(row)),
            (self.tr("Source"), local_path(content.source_uri) or content.source_uri),
            (self.tr("Assistant"), assistant_title(row.client)),
            (self.tr("Found"), full_time(row.passage.created_at)),
            (self.tr("Kept for"), f"{kept_text(row)}. {kept_tip(row)}"),
            (self.tr("Size"), length),
            (self.tr("Format"), content.media_type),
            (self.tr("Documentation"), content.doc_tag),
            (self.tr("Address"), row.passage.uri),
        ]

    def _add_line(self) -> None:
        place = len(self._lines)
        line = label("", "muted"), label("", "", wrap=True, selectable=True)
        self._grid.setRowStretch(place, 0)
        self._grid.setRowStretch(place + 1, 1)
        for column, made in enumerate(line):
            self._grid.addWidget(made, place, column, Qt.AlignmentFlag.AlignTop)
        self._lines.append(line)
