"""The API keys section: where each secret is stored, with buttons to set and remove it. Reads the keyring only on worker threads."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QInputDialog, QLineEdit

from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.exports import copy_secret
from app.desktop.pages.settings.index import own_row
from app.desktop.pages.settings.layout import OwnRow, Section, side_by_side
from app.desktop.widgets import Badge, button
from app.desktop.wording import spoken
from app.errors import WebRAGError
from app.secrets import SecretName, SecretSource

_KINDS = {
    SecretSource.KEYRING: "good",
    SecretSource.ENVIRONMENT: "accent",
    SecretSource.SESSION: "warning",
    SecretSource.NONE: "",
}


def source_words(source: SecretSource) -> str:
    """Return where a secret is stored, as text for its badge."""
    return {
        SecretSource.KEYRING: QCoreApplication.translate("Secrets", "in the keyring"),
        SecretSource.ENVIRONMENT: QCoreApplication.translate("Secrets", "environment variable"),
        SecretSource.SESSION: QCoreApplication.translate("Secrets", "this session only"),
        SecretSource.NONE: QCoreApplication.translate("Secrets", "not set"),
    }[source]


class TokenRow(OwnRow):
    """The access token of the HTTP endpoint."""

    def __init__(self, context: Context) -> None:
        self.badge = Badge()
        copies, replaces = own_row("access_token").buttons
        copy = button(copies, self._copy, "", "copy", name=self.tr("Copy access token"))
        self._rotate = button(replaces, self._ask, "", "refresh", name=self.tr("Replace access token"))
        super().__init__("access_token", side_by_side(copy, self._rotate))
        self.head.insertWidget(1, self.badge)
        self._context = context

    def reload(self) -> None:
        """Show where the token is stored."""
        store = self._context.secrets
        self._context.run(
            self, lambda: store.get(SecretName.MCP_AUTH_TOKEN).source, self._show_source, uses_keyring=True
        )

    def _show_source(self, source: SecretSource) -> None:
        self.badge.show_text(source_words(source), _KINDS[source])
        self._rotate.setEnabled(source is not SecretSource.ENVIRONMENT)

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
        self.badge = Badge()
        title = own_row(name.value).title
        tests, self._sets, removes = own_row(name.value).buttons
        self.test = button(tests, self.try_key, name=self.tr("Test {}").format(title))
        self.test.setToolTip(self.tr("Sends one test request with this key"))
        self._set = button(self._sets, self._ask, name=self.tr("Set {}").format(title))
        self._clear = button(removes, lambda: self._run(lambda: context.secrets.delete(name)))
        self._clear.setAccessibleName(self.tr("Remove {}").format(title))
        super().__init__(name.value, side_by_side(self.test, self._set, self._clear))
        self.head.insertWidget(1, self.badge)
        self._context, self._name, self._changed = context, name, changed
        self._text = self.tr("Or set the environment variable {}.").format(name.value)
        self.show_text(self._text)

    def show_source(self, source: SecretSource) -> None:
        """Show where the secret is stored. One from the environment cannot be changed here."""
        self.badge.show_text(source_words(source), _KINDS[source])
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

    def _run(self, work: Callable[[], object]) -> None:
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
        names = (
            SecretName.EMBEDDING_SERVER_API_KEY,
            SecretName.GOOGLE_API_KEY,
            SecretName.BRAVE_API_KEY,
            SecretName.TAVILY_API_KEY,
        )
        self._made = {name: SecretRow(context, name, self.reload) for name in names}
        self.add(*self._made.values())

    def reload(self) -> None:
        """Reload where each secret is stored."""
        store = self._context.secrets

        def read() -> dict[SecretName, SecretSource]:
            return {name: store.get(name).source for name in self._made}

        fail = self._note.complain
        self._context.run(self, read, self._show, lambda error: fail(error.message), uses_keyring=True)

    def _show(self, sources: dict[SecretName, SecretSource]) -> None:
        for name, source in sources.items():
            self._made[name].show_source(source)
        note = self._context.secrets.note
        self._note.show_text(spoken(note) or self.tr("The system keyring is unlocked and stores the keys."))
        if note:
            self._keyring_badge.show_text(self.tr("not available"), "warning")
        else:
            self._keyring_badge.show_text(self.tr("in use"), "good")
