"""The Browsers section: a pairing code, and the list of paired browsers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from PySide6.QtWidgets import QWidget

from app.browsers import CODE_SECONDS, Browser, PairedBrowsers
from app.desktop.context import Context
from app.desktop.exports import copy_secret
from app.desktop.help import EXTENSION_PAGE, show_guide
from app.desktop.pages.settings.layout import ListRow, OwnRow, Section, own_row, side_by_side
from app.desktop.qt import repeating
from app.desktop.theme import mono_font
from app.desktop.widgets import ElidedLabel, button, column, held, label, row
from app.desktop.wording import clock

LOOK_MS = 1_000  # Milliseconds between two reads of the list while a code is displayed.


class CodeRow(OwnRow):
    """A pairing code for one browser. It contains the port, so that the extension connects to this instance."""

    def __init__(self, context: Context, section: BrowsersSection) -> None:
        self._context = context
        self._section = section
        self._ends = 0.0
        self.code = label("", "strong", selectable=True)
        self.code.setFont(mono_font(1.3))
        self.code.setAccessibleName(self.tr("Pairing code"))
        self.copy = button(self.tr("Copy"), self._copied, "", "copy", name=self.tr("Copy code"))
        spec = own_row("pairing_code")
        self._shows, installs = spec.buttons
        self._words = spec.text
        self.ask = button(self._shows, self._toggle)
        self.guide = button(installs, lambda: show_guide(context, self, EXTENSION_PAGE), "pagelink")
        super().__init__("pairing_code", side_by_side(self.copy, self.ask))
        self.words.addLayout(row(self.guide, 1))
        QWidget.setTabOrder(self.ask, self.guide)
        # Next to both buttons, the code would be cut off in a narrow window.
        self.words.addWidget(self.code)
        self._timer = repeating(self, LOOK_MS, self._look)
        context.status.changed.connect(self._show_listening)
        self._show("")

    def _show_listening(self) -> None:
        is_listening = bool(self._context.status.url)
        self.ask.setEnabled(is_listening)
        if not is_listening and self.code.text():
            self._end()

    def _toggle(self) -> None:
        if self.code.text():
            self._end()
            return
        self.complain("")
        port = urlsplit(self._context.status.url).port
        self._context.run(
            self,
            self._section.browsers.new_code,
            lambda code: self._show(f"{port}-{code}"),
            lambda error: self.fail(error),
        )

    def _show(self, code: str) -> None:
        self.code.setText(code)
        self.code.setVisible(bool(code))
        self.copy.setVisible(bool(code))
        self.ask.setText(self.tr("Hide code") if code else self._shows)
        self.show_text(
            self.tr("Enter this code in the extension. It works once and expires in five minutes.")
            if code
            else self._words
        )
        self._ends = time.monotonic() + CODE_SECONDS
        if code:
            self._timer.start()
        else:
            self._timer.stop()
        self._show_listening()

    def _look(self) -> None:
        if time.monotonic() > self._ends:
            self._end()
        self._section.reload()

    def paired(self, names: list[str]) -> None:
        """Hide the code after a browser has used it."""
        if self.code.text():
            self._show("")
            self._context.notifier.say(self.tr("{} is paired").format(", ".join(names)))

    def _end(self) -> None:
        self._show("")
        self._context.run(self, self._section.browsers.drop_code, None)

    def _copied(self) -> None:
        copy_secret(self.code.text())
        self._context.notifier.say(self.tr("Code copied"))


class PairedRow(ListRow["Browser"]):
    """The list of paired browsers."""

    def __init__(self, context: Context, section: BrowsersSection) -> None:
        self._context = context
        self._section = section
        super().__init__("paired_browsers")

    def show_browsers(self, browsers: tuple[Browser, ...]) -> None:
        """Show these browsers, and report new ones."""
        known = {each.id for each in self.items} if self.items is not None else None
        self.show_items(browsers, self._section.code.guide)
        if known is not None and (new := [each.name for each in browsers if each.id not in known]):
            self._section.code.paired(new)

    def entry(self, browser: Browser) -> tuple[QWidget, Sequence[QWidget]]:
        remove = button(self.tr("Remove"), lambda: self._remove(browser), "", "trash")
        remove.setAccessibleName(self.tr("Remove {}").format(browser.name))
        since = self.tr("paired {}").format(clock(browser.paired))
        inside = row((column(ElidedLabel(browser.name, ""), label(since, "muted"), spacing=0), 1), remove)
        return held(inside), [remove]

    def _remove(self, browser: Browser) -> None:
        def removed(_result: None) -> None:
            self._section.reload()
            self._context.notifier.say(self.tr("{} can no longer reach WebRAG").format(browser.name))

        self._context.run(
            self, lambda: self._section.browsers.revoke(browser.id), removed, lambda error: self.fail(error)
        )


class BrowsersSection(Section):
    """The section for pairing and removing browsers."""

    def __init__(self, context: Context) -> None:
        super().__init__("browsers")
        self._context = context
        self.browsers = PairedBrowsers(context.settings.running.data_dir)
        self.code = CodeRow(context, self)
        self.paired = PairedRow(context, self)
        self.add(self.code, self.paired)

    def reload(self) -> None:
        """Reload the list of paired browsers."""
        self._context.run(self, self.browsers.all, self.paired.show_browsers)
