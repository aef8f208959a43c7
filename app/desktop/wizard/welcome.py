"""The first step: what this is, and what it does with what one reads."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel

from app.desktop.context import Context
from app.desktop.icons import app_icon
from app.desktop.panels import Card, Line
from app.desktop.tokens import XL
from app.desktop.wizard.fact_row import FactRow
from app.desktop.wizard.step import Step

PICTURE = 52


class WelcomeStep(Step):
    """Three plain lines."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            context,
            self.tr("Welcome to WebRAG"),
            self.tr("Five short steps. Every one can be left out, and everything can be changed later."),
        )
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(QSize(PICTURE, PICTURE), self.devicePixelRatioF()))
        self.head.insertWidget(0, picture)
        card = Card(spacing=XL, margin=XL)
        rows = (
            FactRow(
                "quote",
                self.tr("Your assistant answers from pages you name"),
                self.tr(
                    "Claude, Cursor and others ask WebRAG, and get the passages that answer, with exact quotes that you can check."
                ),
            ),
            FactRow(
                "library",
                self.tr("What it reads stays on this computer"),
                self.tr(
                    "Pages, questions and the model that searches them are all here. There is no account and no key."
                ),
            ),
            FactRow(
                "external",
                self.tr("Only pages are fetched from the internet"),
                self.tr(
                    "Those that you or your assistant ask for. Nothing else goes out, and nothing is reported to anyone."
                ),
            ),
        )
        for place, made in enumerate(rows):
            if place:
                card.body.addWidget(Line())
            card.body.addWidget(made)
        self.column.addWidget(card)
        self.column.addStretch(1)
