"""Dialog to join a shared library: its address, the sign-in in the browser, then its collections and the one for shared pages."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from app.desktop.exports import open_outside
from app.desktop.models.libraries import writable
from app.desktop.panels import Dialog
from app.desktop.tokens import L, S
from app.desktop.widgets import Gap, ThemedIcon, button, column, label, row, text_field
from app.desktop.wording import counted, spoken
from app.errors import LibrarySignInError, LibraryTokenNeededError, WebRAGError

if TYPE_CHECKING:
    from app.desktop.context import Context
    from app.desktop.engine_thread import Job
    from app.engine import Engine
    from app.engine.libraries import Joining, LibraryState

WIDTH = 560
UNBROKEN = "\N{NO-BREAK SPACE}"


class JoinLibraryDialog(Dialog):
    """Accepted once the library is joined; its title is in `joined`. `again` is a joined library to sign in to again."""

    browser_wanted = Signal(str)

    def __init__(
        self, context: Context, address: str = "", parent: QWidget | None = None, *, again: LibraryState | None = None
    ) -> None:
        super().__init__(parent, self.tr("Sign in again") if again is not None else self.tr("Join a library"), WIDTH)
        self._again = again.library if again is not None else None
        self._context = context
        self._job: Job | None = None
        self._cancelled = threading.Event()
        self._joining: Joining | None = None
        self._page = ""
        self.joined = ""
        self.browser_wanted.connect(self._open_browser)
        named = self.tr("Join a library")
        if again is not None:
            named, address = self.tr("Sign in to {}"), again.library.address
            named = named.format(again.library.title or again.library.name)
        self._title = label(named, "heading", wrap=True)
        self._text = label("", "muted", wrap=True)
        words = column(self._title, self._text, 1)
        head = row(ThemedIcon("library", 36, "accent_text"), (words, 1), spacing=L)
        self.address = text_field("https://library.example.org", self.tr("Library address"), text=address)
        self.address.textChanged.connect(lambda _text: self._show_step())
        self.token = text_field(self.tr("Library token"))
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.hide()
        self._where = label(self.tr("Share pages with"), "strong")
        self.collection = QComboBox()
        self._where.setBuddy(self.collection)
        self.collection.setAccessibleName(self._where.text())
        self.problem = label("", "problem", wrap=True)
        self.cancel = button(self.tr("Cancel"), self.reject)
        self.again = button(self.tr("Open page again"), lambda: self._open_browser(self._page), "link")
        self.go_on = button(self.tr("Sign in"), self._go_on, "primary", default=True)
        fields = (self.address, self.token, self._where, self.collection, self.problem)
        buttons = row(self.again, 1, self.cancel, self.go_on)
        self.lay_out(head, *fields, Gap(S), buttons)
        self.address.setFocus()
        self._show_step()

    def reject(self) -> None:
        """Cancel, and stop waiting for the sign-in."""
        self._cancelled.set()
        super().reject()

    def _show_step(self) -> None:
        joining, is_waiting = self._joining, self._job is not None
        self.address.setVisible(joining is None and self._again is None)
        self.address.setEnabled(not is_waiting)
        self.token.setEnabled(not is_waiting)
        for widget in (self._where, self.collection):
            widget.setVisible(joining is not None and self.collection.count() > 1)
        self.again.setVisible(is_waiting and joining is None and bool(self._page))
        self.go_on.setEnabled(not is_waiting and bool(self.address.text().strip()))
        self.problem.setVisible(bool(self.problem.text()))
        done = self.tr("Join library") if self._again is None else self.tr("Done")
        self.go_on.setText(done if joining is not None else self.tr("Sign in"))
        if joining is not None:
            self._title.setText(joining.library.title)
            self._text.setText(self._offered(joining))
        elif is_waiting:
            self._text.setText(self.tr("Sign in using your browser. This window then continues automatically."))
        elif self._again is not None:
            words = self.tr("Your sign-in to {} has expired. Sign in again to continue. Your settings are kept.")
            self._text.setText(words.format(self._again.address))
        else:
            self._text.setText(
                self.tr(
                    "Enter the address you got from your team. WebRAG then sends your questions there too. Your pages stay on this "
                    "computer unless you share them."
                )
            )
        # The layout's size hint assumes narrower texts, so compute the height for this width.
        layout, width = self.layout(), max(self.width() if self.isVisible() else 0, WIDTH)
        assert layout is not None
        layout.activate()
        self.resize(width, layout.totalHeightForWidth(width))

    def _offered(self, joining: Joining) -> str:
        named = ", ".join(
            f"{each.name} ({counted(each.pages, self.tr('1 page'), self.tr('{} pages')).replace(' ', UNBROKEN)})"
            for each in joining.node.collections
        )
        who = joining.library.who
        who = self.tr("You are signed in as {}.").format(who) if who else self.tr("You are using a shared token.")
        read = self.tr("You do not have access to any collections yet. Ask an administrator.")
        if named:
            read = self.tr("You can read: {}.").format(named)
        chosen = joining.library.collection
        if not chosen or chosen in writable(joining.node.collections):
            return f"{who} {read}"
        if not writable(joining.node.collections):
            lost = self.tr("You do not have write access to {}. To share pages, ask an owner for it.")
        else:
            lost = self.tr("You no longer have write access to {}. Choose another collection for shared pages.")
        return f"{who} {read} {lost.format(chosen)}"

    def _go_on(self) -> None:
        self.problem.setText("")
        joining = self._joining
        if joining is not None:
            # Without any writable collection there was no choice, so the earlier one applies again once an owner allows it.
            collection = str(self.collection.currentData() or "") if self.collection.count() > 1 else None

            def kept(_where: object) -> None:
                self.joined = joining.library.title
                self.accept()

            self._job = self._context.ask(
                self, lambda engine: asyncio.to_thread(engine.libraries.keep, joining, collection), kept, self._fail
            )
            self._show_step()
            return
        address, token, self._page = self.address.text(), self.token.text().strip(), ""
        cancelled = self._cancelled = threading.Event()

        async def join(engine: Engine) -> Joining:
            emit = self.browser_wanted.emit
            return await asyncio.to_thread(
                engine.libraries.join, address, emit, token=token, cancelled=cancelled, spoken=spoken
            )

        self._job = self._context.ask(self, join, self._signed_in, self._fail)
        self._show_step()

    def _open_browser(self, page: str) -> None:
        self._page = page
        open_outside(QUrl(page))
        self._show_step()

    def _signed_in(self, joining: Joining) -> None:
        self._job, self._joining = None, joining
        self.token.hide()
        self.collection.clear()
        self.collection.addItem(self.tr("Do not share pages"), "")
        for name in writable(joining.node.collections):
            self.collection.addItem(name, name)
        self.collection.setCurrentIndex(max(0, self.collection.findData(joining.library.collection)))
        self._show_step()
        self.go_on.setFocus()
        self.raise_()
        self.activateWindow()

    def _fail(self, error: WebRAGError) -> None:
        self._job = None
        if isinstance(error, LibraryTokenNeededError) and self._joining is None:
            self.token.show()
        self.problem.setText(f"{error.message} {error.hint}".strip())
        self._show_step()
        # A disabled field has lost the focus.
        is_refused = isinstance(error, LibrarySignInError) and self.token.isVisibleTo(self)
        field = self.token if is_refused else self.address
        if field.isVisibleTo(self):
            field.setFocus()
            field.selectAll()
        else:
            self.go_on.setFocus()
