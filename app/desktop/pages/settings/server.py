"""The Server and Tools sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QLabel, QLineEdit, QRadioButton, QWidget

from app.desktop.context import Context
from app.desktop.pages.settings.index import own_row
from app.desktop.pages.settings.layout import OwnRow
from app.desktop.pages.settings.rows import SettingRow, SettingsSection, spec_of, words_in
from app.desktop.pages.settings.secrets import TokenRow
from app.desktop.settings_store import cost_words, profile_purpose, profile_set_for, tool_costs
from app.desktop.tokens import XS, L, S
from app.desktop.widgets import button, label
from app.settings import Settings
from app.settings_schema import TOOL_PROFILES

if TYPE_CHECKING:
    from app.server.calls.registry import ProfileCost


class AddressRow(OwnRow):
    """The address of the server."""

    def __init__(self, context: Context) -> None:
        self._copy = button(own_row("address").buttons[0], context.copy_address, "", "copy")
        super().__init__("address", self._copy)
        self._copy.setAccessibleName(self.tr("Copy server address"))
        self._context = context
        context.status.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        url = self._context.status.url
        error = self._context.status.backend.server_error
        self.show_text(url or (error.message if error is not None else self.tr("Not listening")))
        self._copy.setEnabled(bool(url))


class ProfileChoice(QWidget):
    """A list of tool profiles with purpose, number of tools and token cost. Emits `chosen` with the name."""

    chosen = Signal(str)

    def __init__(self, profiles: Sequence[str]) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        self.counts: dict[str, QLabel] = {}
        for place, profile in enumerate(profiles):
            purpose = profile_purpose(profile)
            made = QRadioButton(profile)
            made.setAccessibleDescription(purpose)
            made.clicked.connect(lambda _checked, profile=profile: self.chosen.emit(profile))
            shown = label("…", "muted", align=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._group.addButton(made)
            grid.addWidget(made, place, 0)
            grid.addWidget(label(purpose, "muted", wrap=True), place, 1)
            grid.addWidget(shown, place, 2)
            self.buttons[profile], self.counts[profile] = made, shown

    def select(self, profile: str) -> None:
        """Select a profile without emitting a signal."""
        self.buttons[profile].setChecked(True)

    def show_costs(self, costs: Mapping[str, ProfileCost]) -> None:
        """Show the number of tools and the token cost of each profile."""
        for profile, shown in self.counts.items():
            shown.setText(cost_words(costs[profile]))


class ToolsRow(SettingRow):
    """The tool profile of all assistants."""

    def __init__(self, context: Context) -> None:
        store = context.settings
        self.choice = ProfileChoice(TOOL_PROFILES)
        super().__init__(store, "mcp_tool_profile", self.choice, below=True)
        self._context = context
        self._counted: Settings | None = None
        self.choice.chosen.connect(self.save)
        store.changed.connect(self._show)
        self._show()

    def reload(self) -> None:
        """Count the tools again if the relevant settings have changed."""
        running = self._context.settings.running
        if running != self._counted:
            self._counted = running
            self._context.run(self, lambda: tool_costs(running), self.choice.show_costs)

    def _show(self) -> None:
        self.choice.select(self._context.settings.value("mcp_tool_profile"))


class ClientToolsRow(SettingRow):
    """Tool profiles of single assistants, and the profile of each connected one."""

    def __init__(self, context: Context) -> None:
        store = context.settings
        self.line = QLineEdit(placeholderText=spec_of("mcp_client_tools").placeholder)
        super().__init__(store, "mcp_client_tools", self.line, below=True)
        self._context = context
        self.connected = label("", "caption", wrap=True, margins=(0, XS, 0, 0))
        self.append(self.connected)
        self.line.editingFinished.connect(lambda: self.save(words_in(self.line.text())))
        self._entries: tuple[str, ...] | None = None
        store.changed.connect(self._show)
        context.status.changed.connect(self._show_connected)
        self._show()

    def _show(self) -> None:
        entries: tuple[str, ...] = self._context.settings.value("mcp_client_tools")
        if entries != self._entries:
            self._entries = entries
            self.line.setText(", ".join(entries))
        self._show_connected()

    def _show_connected(self) -> None:
        saved = self._context.settings.saved
        names = sorted(set(self._context.status.clients))
        words = ", ".join(f"{name} ({profile_set_for(saved, name)})" for name in names) or self.tr("none")
        self.connected.setText(self.tr("Connected now: {}").format(words))


class ServerSection(SettingsSection):
    """How assistants reach WebRAG on this computer."""

    def __init__(self, context: Context) -> None:
        super().__init__("server")
        self.token = TokenRow(context)
        self.add_settings(context.settings, "server", {"mcp_enabled": [AddressRow(context), self.token]})


class ToolsSection(SettingsSection):
    """Tools available to assistants."""

    def __init__(self, context: Context) -> None:
        super().__init__("tools")
        self.all = ToolsRow(context)
        self.single = ClientToolsRow(context)
        self.add(self.all, self.single)
        self.add_settings(context.settings, "tools")
