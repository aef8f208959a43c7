"""The Shared libraries section: join a library, and turn off or leave joined ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.confirm import is_agreed
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.models.libraries import about_words, joined_states, state_words
from app.desktop.pages.settings.index import own_row
from app.desktop.pages.settings.layout import ListRow, OwnRow, Section
from app.desktop.tokens import M
from app.desktop.widgets import Badge, ElidedLabel, Switch, button, column, held, row
from app.events import Event, LibrariesChanged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.desktop.context import Context
    from app.engine import Engine
    from app.engine.libraries import LibraryState


class JoinedRow(ListRow["LibraryState"]):
    """The list of joined libraries."""

    def __init__(self, section: LibrariesSection) -> None:
        self._section = section
        super().__init__("joined_libraries")

    def entry(self, state: LibraryState) -> tuple[QWidget, Sequence[QWidget]]:
        library, section = state.library, self._section
        title = library.title or library.name
        switch = Switch()
        switch.setChecked(library.is_on)
        switch.setAccessibleName(self.tr("Search {}").format(title))
        switch.setToolTip(self.tr("Whether WebRAG searches this library"))
        switch.toggled.connect(lambda on: section.switch(library.name, on=on))
        again = button(self.tr("Sign in…"), lambda: section.show_dialog(state))
        again.setAccessibleName(self.tr("Sign in to {}").format(title))
        again.setVisible(state.signed_out)
        leave = button(self.tr("Leave"), lambda: section.leave(state), "", "close")
        leave.setAccessibleName(self.tr("Leave {}").format(title))
        words = column(
            ElidedLabel(title, "strong"),
            row(Badge(*state_words(state)), 1),
            ElidedLabel(library.address, "muted", Qt.TextElideMode.ElideMiddle),
            spacing=0,
        )
        about = about_words(state, with_address=False)
        if about:
            words.addWidget(ElidedLabel(about, "muted"))
        line = held(row((words, 1), again, leave, switch, spacing=M))
        return line, [again, leave, switch]


class LibrariesSection(Section):
    """The section for joining and leaving shared libraries."""

    def __init__(self, context: Context) -> None:
        super().__init__("libraries")
        self._context = context
        self.join = button(own_row("join_library").buttons[0], lambda: self.show_dialog(), "", "add")
        self.joined = JoinedRow(self)
        self.add(OwnRow("join_library", self.join), self.joined)

    def reload(self) -> None:
        """Reload the joined libraries."""
        complain = self.joined.complain
        self._context.ask(
            self,
            joined_states,
            lambda states: self.joined.show_items(states, self.join),
            lambda error: complain(error.message),
        )

    def on_events(self, events: list[Event]) -> None:
        """Update the list when a library is joined or left, or its connection changes."""
        if any(isinstance(event, LibrariesChanged) for event in events):
            self.reload()

    def show_dialog(self, again: LibraryState | None = None) -> None:
        """Open the dialog to join a library, or to sign in again to a joined one."""
        dialog = JoinLibraryDialog(self._context, parent=self.window(), again=again)
        # No message, because it would cover the rows; the list shows the change.
        dialog.accepted.connect(self.reload)
        dialog.open()

    def switch(self, name: str, *, on: bool) -> None:
        """Turn the search of a library on or off."""
        self._change(lambda engine: engine.libraries.change(name, is_on=on))

    def leave(self, state: LibraryState) -> None:
        """Leave a library after confirmation."""
        title, name = state.library.title or state.library.name, state.library.name
        text = self.tr("WebRAG stops searching {} and forgets your sign-in. The library itself is not changed.").format(
            title
        )
        if is_agreed(self.window(), self.tr("Leave {}?").format(title), text):
            self._change(lambda engine: engine.libraries.leave(name))

    def _change(self, work: Callable[[Engine], object]) -> None:
        self._context.ask(
            self, lambda engine: asyncio.to_thread(work, engine), lambda _: self.reload(), self.joined.fail
        )
