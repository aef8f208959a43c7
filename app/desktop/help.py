"""Help: the bundled guide in the Library, and an overview of keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.panels import Dialog
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import Gap, add_parts, button, column, label, row
from app.desktop.wording import key_text, translator
from app.errors import WebRAGError

_tr = translator("Help")

FIRST_PAGE = "01-welcome.md"
EXTENSION_PAGE = "10-browser-extension.md"

Keys = tuple[tuple[str, str], ...]

COLUMN_GAP = 48
KEY_WIDTH = 84


def show_guide(context: Context, owner: QObject, page: str = FIRST_PAGE) -> None:
    """Open a page of the guide in the Library; `page` is its file name."""

    async def find(engine: Engine) -> int:
        # Imported here because it loads the page parsers.
        from app.ingest.files import guide_url

        stored = (await engine.status(guide_url(page), limit=1)).documents
        if stored:
            return stored[0].id
        raise WebRAGError(_tr("The guide is missing from the library."), hint=_tr("Restart WebRAG to add it again."))

    context.ask(owner, find, context.show_document)


def shortcut_groups(ask_key: str = "") -> tuple[tuple[str, Keys], ...]:
    """Return all shortcuts by scope; `ask_key` opens the Ask window from any program."""
    return (
        (
            _tr("Everywhere"),
            (
                *(((ask_key, _tr("Ask from any program")),) if ask_key else ()),
                ("Ctrl+K", _tr("Find a page, passage or command")),
                ("Ctrl+N", _tr("Add a page, site or folder")),
                ("Ctrl+V", _tr("Add copied addresses or files")),
                ("Ctrl+1 … 8", _tr("Go to a page of the window")),
                ("Ctrl+F", _tr("Search or filter this page")),
                ("Ctrl+L", _tr("Activity")),
                ("Ctrl+,", _tr("Settings")),
                ("F1", _tr("Open guide")),
                ("Ctrl+/", _tr("Show keyboard shortcuts")),
                ("Ctrl+W", _tr("Close the window (WebRAG keeps running in the tray)")),
                ("Ctrl+Q", _tr("Quit")),
            ),
        ),
        (
            _tr("In lists"),
            (
                ("↑  ↓", _tr("Select a row")),
                ("Enter", _tr("Open the row")),
                ("Del", _tr("Delete the row")),
                ("Ctrl+Z", _tr("Undo the deletion")),
                ("F5", _tr("Refresh the page")),
                ("F9", _tr("Read the page in the whole window (Esc to go back)")),
            ),
        ),
        (
            _tr("In the search box (Ctrl+K)"),
            (("Tab", _tr("Next group")), ("Enter", _tr("Open at the passage")), ("Esc", _tr("Close"))),
        ),
    )


class ShortcutsDialog(Dialog):
    """A dialog with two columns of shortcut groups."""

    def __init__(self, parent: QWidget | None, ask_key: str = "") -> None:
        super().__init__(parent, self.tr("Keyboard shortcuts"))
        heading = label(self.tr("Keyboard shortcuts"), "heading")
        first, *others = shortcut_groups(ask_key)
        sides = row((_side((first,)), 1), (_side(tuple(others)), 1), spacing=COLUMN_GAP)
        self.lay_out(heading, sides, row(1, button(self.tr("Close"), self.accept, "primary", default=True)), spacing=L)


def _side(groups: tuple[tuple[str, Keys], ...]) -> QVBoxLayout:
    side = column()
    for title, keys in groups:
        grid = QGridLayout()
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(XS + 2)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, KEY_WIDTH)
        for place, (combination, meaning) in enumerate(keys):
            # In the notation of the system, such as ⌘K on macOS.
            first, gap, rest = combination.partition(" … ")
            badge = label(key_text(first) + gap + rest, "key", align=Qt.AlignmentFlag.AlignCenter)
            grid.addWidget(badge, place, 0, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(label(meaning), place, 1)
        add_parts(side, label(title, "strong"), grid, Gap(M))
    side.addStretch(1)
    return side
