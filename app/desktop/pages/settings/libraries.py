"""Shared libraries on the Settings page: join one, and those that are joined, each of which can be switched off or left."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.confirm import is_agreed
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.models.libraries import about_words, joined_states, state_words
from app.desktop.pages.settings.layout import Row, Section
from app.desktop.tokens import M, S
from app.desktop.widgets import Badge, ElidedLabel, Switch, button, column, held, label, row
from app.events import LibrariesChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desktop.context import Context
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.events import Event


class JoinedRow(Row):
    """The joined libraries, a line for each."""

    def __init__(self, section: LibrariesSection) -> None:
        self._section = section
        self._list = QWidget()
        self._column = column(spacing=M, parent=self._list)
        self._known: tuple[LibraryState, ...] | None = None
        super().__init__(self.tr("Joined libraries"), "", self._list, below=True)
        self._list.setAccessibleName(self.title)

    def show_states(self, states: tuple[LibraryState, ...]) -> None:
        """A line for each; only where they are others than before."""
        if states == self._known:
            return
        self._known = states
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        before: QWidget = self._section.join
        for state in states:
            entry, controls = self._entry(state)
            self._column.addWidget(entry)
            for control in controls:
                # What is made later would come last on the page.
                QWidget.setTabOrder(before, control)
                before = control
        self.show_text("" if states else self.tr("None yet."))

    def _entry(self, state: LibraryState) -> tuple[QWidget, list[QWidget]]:
        """A library with its controls, and those."""
        library, section = state.library, self._section
        title = library.title or library.name
        switch = Switch()
        switch.setChecked(library.is_on)
        switch.setAccessibleName(self.tr("Ask {}").format(title))
        switch.setToolTip(self.tr("Whether this library is asked"))
        switch.toggled.connect(lambda on: section.switch(library.name, on=on))
        again = button(self.tr("Sign in…"), lambda: section.show_dialog(state))
        again.setAccessibleName(self.tr("Sign in to {}").format(title))
        again.setVisible(state.signed_out)
        leave = button(self.tr("Leave"), lambda: section.leave(state), "", "close")
        leave.setAccessibleName(self.tr("Leave {}").format(title))
        words = column(
            row(label(title, "strong"), Badge(*state_words(state)), 1, spacing=S),
            ElidedLabel(library.address, "muted", Qt.TextElideMode.ElideMiddle),
            spacing=0,
        )
        about = about_words(state, with_address=False)
        if about:
            words.addWidget(ElidedLabel(about, "muted"))
        line = held(row((words, 1), again, leave, switch, spacing=M))
        return line, [again, leave, switch]


class LibrariesSection(Section):
    """Joining shared libraries, and the list of them."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            self.tr("Shared libraries"),
            self.tr(
                "Libraries of a team that are asked beside yours. Questions go there; what you read stays here unless you share it."
            ),
        )
        self._context = context
        self.join = button(self.tr("Join a library…"), lambda: self.show_dialog(), "", "add")
        self.joined = JoinedRow(self)
        self.add(
            Row(
                self.tr("Join a library"),
                self.tr("You need its address and sign in to it in your browser."),
                self.join,
            ),
            self.joined,
        )

    def reload(self) -> None:
        """Read what is joined."""
        self._context.thread.submit(
            joined_states, self.joined.show_states, lambda error: self.joined.complain(error.message), owner=self
        )

    def on_events(self, events: list[Event]) -> None:
        """Follow what is joined, left, away and back."""
        if any(isinstance(event, LibrariesChanged) for event in events):
            self.reload()

    def show_dialog(self, again: LibraryState | None = None) -> None:
        """Ask for an address and let the person sign in; or sign in again to a library that is joined."""
        dialog = JoinLibraryDialog(self._context, parent=self.window(), again=again)
        # The list tells it: a message at the bottom would lie over the rows.
        dialog.accepted.connect(self.reload)
        dialog.open()

    def switch(self, name: str, *, on: bool) -> None:
        """Ask a library from now on, or no more."""
        self._change(lambda engine: engine.libraries.change(name, is_on=on))

    def leave(self, state: LibraryState) -> None:
        """Forget a library after a question."""
        title, name = state.library.title or state.library.name, state.library.name
        text = self.tr("{} is not asked any more, and its sign-in is forgotten. Nothing in it changes.").format(title)
        if is_agreed(self.window(), self.tr("Leave {}?").format(title), text):
            self._change(lambda engine: engine.libraries.leave(name))

    def _change(self, work: Callable[[Engine], object]) -> None:
        self._context.thread.submit(
            lambda engine: asyncio.to_thread(work, engine), lambda _: self.reload(), self.joined.fail, owner=self
        )
