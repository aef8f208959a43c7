"""The sections Server, Tools and API keys. Reads the keyring only on worker threads."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QInputDialog, QLabel, QLineEdit, QRadioButton, QWidget

from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.exports import copy_secret
from app.desktop.pages.settings.layout import OwnRow, Section, own_row
from app.desktop.pages.settings.rows import SettingRow, SettingsSection, spec_of, words_in
from app.desktop.qt import Act
from app.desktop.settings_store import cost_words, profile_purpose, profile_set_for, tool_costs
from app.desktop.tokens import XS, L, S
from app.desktop.widgets import Badge, button, held, label, row
from app.desktop.wording import spoken, translator
from app.errors import WebRAGError
from app.secrets import SecretName, SecretSource
from app.settings import Settings
from app.settings_schema import TOOL_PROFILES

if TYPE_CHECKING:
    from app.server.calls.registry import ProfileCost

_tr = translator("Secrets")


def source_badge(source: SecretSource) -> tuple[str, str]:
    """Return where a secret is stored, as text and kind of its badge."""
    return {
        SecretSource.KEYRING: (_tr("in the keyring"), "good"),
        SecretSource.ENVIRONMENT: (_tr("environment variable"), "accent"),
        SecretSource.SESSION: (_tr("this session only"), "warning"),
        SecretSource.NONE: (_tr("not set"), ""),
    }[source]


class TokenRow(OwnRow):
    """The access token of the HTTP endpoint."""

    def __init__(self, context: Context) -> None:
        copies, replaces = own_row("access_token").buttons
        copy = button(copies, self._copy, "", "copy", name=self.tr("Copy access token"))
        self._rotate = button(replaces, self._ask, "", "refresh", name=self.tr("Replace access token"))
        super().__init__("access_token", held(row(copy, self._rotate)))
        self._context = context

    def reload(self) -> None:
        """Show where the token is stored."""
        store = self._context.secrets

        def show(source: SecretSource) -> None:
            self.badge.show_text(*source_badge(source))
            self._rotate.setEnabled(source is not SecretSource.ENVIRONMENT)

        self._context.run(self, lambda: store.get(SecretName.MCP_AUTH_TOKEN).source, show, uses_keyring=True)

    def _copy(self) -> None:
        def copied(token: str) -> None:
            copy_secret(token)
            self._context.notifier.say(self.tr("Token copied. Keep it secret."))

        self._context.run(self, self._context.secrets.server_token, copied, uses_keyring=True)

    def _ask(self) -> None:
        if is_agreed(
            self,
            self.tr("Replace access token"),
            self.tr("Assistants that connect over HTTP need the new token. Bridges use it automatically."),
        ):
            self.rotate()

    def rotate(self) -> None:
        """Create and store a new token, then restart the listener with it."""

        def replaced(_source: SecretSource) -> None:
            self._context.thread.listen_again()
            self.reload()
            self._context.notifier.say(self.tr("Access token replaced"))

        token = random_source.token_urlsafe(32)
        store = self._context.secrets
        self._context.run(self, lambda: store.set(SecretName.MCP_AUTH_TOKEN, token), replaced, uses_keyring=True)


class SecretRow(OwnRow):
    """The key of a provider, with buttons to set, replace, remove and test it. Never displays the key."""

    def __init__(self, context: Context, name: SecretName, changed: Callable[[], None]) -> None:
        title = own_row(name.value).title
        tests, self._sets, removes = own_row(name.value).buttons
        hint = self.tr("Sends one test request with this key")
        self.test = button(tests, self.try_key, name=self.tr("Test {}").format(title), tip=hint)
        self._set = button(self._sets, self._ask, name=self.tr("Set {}").format(title))
        remove = lambda: self._run(lambda: context.secrets.delete(name))  # noqa: E731
        self._clear = button(removes, remove, name=self.tr("Remove {}").format(title))
        super().__init__(name.value, held(row(self.test, self._set, self._clear)))
        self._context, self._name, self._changed = context, name, changed
        self._text = self.tr("Or set the environment variable {}.").format(name.value)
        self.show_text(self._text)

    def show_source(self, source: SecretSource) -> None:
        """Show where the secret is stored. One from the environment cannot be changed here."""
        self.badge.show_text(*source_badge(source))
        is_set = source is not SecretSource.NONE
        self._set.setText(self.tr("Replace…") if is_set else self._sets)
        self._set.setEnabled(source is not SecretSource.ENVIRONMENT)
        self._clear.setEnabled(source in (SecretSource.KEYRING, SecretSource.SESSION))
        self.test.setEnabled(is_set)

    def try_key(self) -> None:
        """Send one test request, only on demand because it can cost money."""
        name = self._name
        self.complain("")
        self.test.setEnabled(False)
        self.show_text(self.tr("Checking…"))

        self._context.ask(self, lambda engine: engine.maintenance.try_key(name), self._worked, self._refused)

    def _worked(self, _answer: str) -> None:
        self.test.setEnabled(True)
        self.show_text(self.tr("The key works."))

    def _refused(self, error: WebRAGError) -> None:
        self.test.setEnabled(True)
        self.show_text(self._text)
        self.fail(error)

    def _ask(self) -> None:
        value, accepted = QInputDialog.getText(self, self.title, self.tr("New value"), QLineEdit.EchoMode.Password)
        if accepted and value.strip():
            secret = value.strip()
            self._run(lambda: self._context.secrets.set(self._name, secret))

    def _run(self, work: Act) -> None:
        self.show_text(self._text)
        self.complain("")
        self._context.run(self, work, lambda _: self._changed(), uses_keyring=True)


class SecretsSection(Section):
    """The section with all keys and the state of the keyring."""

    def __init__(self, context: Context) -> None:
        super().__init__("secrets")
        self._context = context
        self._keyring_badge = Badge()
        self._note = OwnRow("keyring", self._keyring_badge)
        self.add(self._note)
        searching = (SecretName.GOOGLE_API_KEY, SecretName.BRAVE_API_KEY, SecretName.TAVILY_API_KEY)
        names = (SecretName.EMBEDDING_SERVER_API_KEY, *searching)
        self._made = {name: SecretRow(context, name, self.reload) for name in names}
        self.add(*self._made.values())

    def reload(self) -> None:
        store = self._context.secrets

        def read() -> dict[SecretName, SecretSource]:
            return {name: store.get(name).source for name in self._made}

        self._context.run(self, read, self._show, self._note.fail, uses_keyring=True)

    def _show(self, sources: dict[SecretName, SecretSource]) -> None:
        for name, source in sources.items():
            self._made[name].show_source(source)
        note = self._context.secrets.note
        self._note.show_text(spoken(note) or self.tr("The system keyring is unlocked and stores the keys."))
        if note:
            self._keyring_badge.show_text(self.tr("not available"), "warning")
        else:
            self._keyring_badge.show_text(self.tr("in use"), "good")


class AddressRow(OwnRow):
    """The address of the server."""

    def __init__(self, context: Context) -> None:
        name = self.tr("Copy server address")
        self._copy = button(own_row("address").buttons[0], context.copy_address, "", "copy", name=name)
        super().__init__("address", self._copy)
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
        for profile, shown in self.counts.items():
            shown.setText(cost_words(costs[profile]))


class ToolsRow(SettingRow):
    """The tool profile of all assistants."""

    def __init__(self, context: Context) -> None:
        self.choice = ProfileChoice(TOOL_PROFILES)
        super().__init__(context.settings, "mcp_tool_profile", self.choice, below=True, shown=self.choice.select)
        self._context = context
        self._counted: Settings | None = None
        self.choice.select(context.settings.value(self.setting))
        self.choice.chosen.connect(self.save)

    def reload(self) -> None:
        """Count the tools again if the relevant settings have changed."""
        running = self._context.settings.running
        if running != self._counted:
            self._counted = running
            self._context.run(self, lambda: tool_costs(running), self.choice.show_costs)


class ClientToolsRow(SettingRow):
    """Tool profiles of single assistants, and the profile of each connected one."""

    def __init__(self, context: Context) -> None:
        store, name = context.settings, "mcp_client_tools"
        self.line = QLineEdit(", ".join(store.value(name)), placeholderText=spec_of(name).placeholder)
        shown = lambda entries: self.line.setText(", ".join(entries))  # noqa: E731
        super().__init__(store, name, self.line, below=True, shown=shown, words=", ".join)
        self._context = context
        self.connected = label("", "caption", wrap=True, margins=(0, XS, 0, 0))
        self.append(self.connected)
        self.line.editingFinished.connect(lambda: self.save(words_in(self.line.text())))
        for signal in (store.changed, context.status.changed):
            signal.connect(self._show_connected)
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
