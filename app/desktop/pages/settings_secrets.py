"""Secrets on the Settings page: where each one is kept, set and cleared; the keyring is only asked on a worker thread."""

from __future__ import annotations

import secrets as random_source
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLineEdit, QMessageBox, QWidget

from app.desktop.context import Context
from app.desktop.pages.settings_rows import Row, Section
from app.desktop.tokens import S
from app.desktop.widgets import Badge, button
from app.errors import WebRAGError
from app.secrets import SecretName, SecretSource

_KINDS = {
    SecretSource.KEYRING: "good",
    SecretSource.ENVIRONMENT: "accent",
    SecretSource.SESSION: "warning",
    SecretSource.NONE: "",
}


def source_words(source: SecretSource) -> str:
    """Where a secret is kept, for its badge."""
    return {
        SecretSource.KEYRING: QCoreApplication.translate("Secrets", "in the keyring"),
        SecretSource.ENVIRONMENT: QCoreApplication.translate("Secrets", "environment"),
        SecretSource.SESSION: QCoreApplication.translate("Secrets", "this session only"),
        SecretSource.NONE: QCoreApplication.translate("Secrets", "not set"),
    }[source]


def _side_by_side(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(S)
    for widget in widgets:
        line.addWidget(widget)
    return holder


class TokenRow(Row):
    """The bearer token of the HTTP endpoint."""

    def __init__(self, context: Context) -> None:
        self.badge = Badge()
        copy = button(self.tr("Copy"), self._copy, "", "copy")
        copy.setAccessibleName(self.tr("Copy the access token"))
        self._rotate = button(self.tr("Replace…"), self._ask, "", "refresh")
        self._rotate.setAccessibleName(self.tr("Replace the access token"))
        super().__init__(
            self.tr("Access token"),
            self.tr("Assistants that connect over HTTP must send it. Bridges find it by themselves."),
            _side_by_side(self.badge, copy, self._rotate),
        )
        self._context = context

    def reload(self) -> None:
        """Say where the token comes from."""
        store = self._context.secrets
        self._context.thread.run_blocking(
            lambda: store.get(SecretName.MCP_AUTH_TOKEN).source,
            self._show_source,
            self._context.notifier.complain,
            owner=self,
        )

    def _show_source(self, source: SecretSource) -> None:
        self.badge.show_text(source_words(source), _KINDS[source])
        self._rotate.setEnabled(source is not SecretSource.ENVIRONMENT)

    def _copy(self) -> None:
        def copied(token: str) -> None:
            QGuiApplication.clipboard().setText(token)
            self._context.notifier.say(self.tr("Token copied. Keep it to yourself."))

        self._context.thread.run_blocking(
            self._context.secrets.server_token, copied, self._context.notifier.complain, owner=self
        )

    def _ask(self) -> None:
        answer = QMessageBox.question(
            self,
            self.tr("Replace the access token"),
            self.tr("Assistants connected over HTTP need the new token afterwards. Bridges follow by themselves."),
            QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.Cancel,
            QMessageBox.StandardButton.Cancel,
        )
        if answer == QMessageBox.StandardButton.Yes:
            self.rotate()

    def rotate(self) -> None:
        """Make and store a new token, then listen with it."""

        def replaced(_source: SecretSource) -> None:
            self._context.thread.listen_again()
            self.reload()
            self._context.notifier.say(self.tr("The server uses a new token"))

        token = random_source.token_urlsafe(32)
        store = self._context.secrets
        self._context.thread.run_blocking(
            lambda: store.set(SecretName.MCP_AUTH_TOKEN, token),
            replaced,
            self._context.notifier.complain,
            owner=self,
        )


class SecretRow(Row):
    """A key of a provider: its state, Set and Clear."""

    def __init__(self, context: Context, name: SecretName, title: str, text: str, changed: Callable[[], None]) -> None:
        self.badge = Badge()
        self._set = button(self.tr("Set…"), self._ask)
        self._set.setAccessibleName(self.tr("Set {}").format(title))
        self._clear = button(self.tr("Clear"), self._forget)
        self._clear.setAccessibleName(self.tr("Clear {}").format(title))
        super().__init__(title, text, _side_by_side(self.badge, self._set, self._clear))
        self._context, self._name, self._title, self._changed = context, name, title, changed

    def show_source(self, source: SecretSource) -> None:
        """Say where the secret comes from; one of the environment cannot be changed here."""
        self.badge.show_text(source_words(source), _KINDS[source])
        self._set.setEnabled(source is not SecretSource.ENVIRONMENT)
        self._clear.setEnabled(source in (SecretSource.KEYRING, SecretSource.SESSION))

    def _ask(self) -> None:
        value, accepted = QInputDialog.getText(self, self._title, self.tr("New value"), QLineEdit.EchoMode.Password)
        if accepted and value.strip():
            secret = value.strip()
            self._run(lambda: self._context.secrets.set(self._name, secret))

    def _forget(self) -> None:
        self._run(lambda: self._context.secrets.delete(self._name))

    def _run(self, work: Callable[[], object]) -> None:
        self._context.thread.run_blocking(work, lambda _: self._changed(), self._context.notifier.complain, owner=self)


class SecretsSection(Section):
    """All secrets and the note on the keyring."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Secrets"), self.tr("Kept in the system's keyring, never in a file."))
        self._context = context
        self.rows = {
            SecretName.EMBEDDING_SERVER_API_KEY: self.tr("Key of the hosted embeddings"),
            SecretName.GOOGLE_API_KEY: self.tr("Google search key"),
            SecretName.BRAVE_API_KEY: self.tr("Brave search key"),
            SecretName.TAVILY_API_KEY: self.tr("Tavily search key"),
        }
        self._made: dict[SecretName, SecretRow] = {}
        for name, title in self.rows.items():
            text = self.tr("Environment variable: {}").format(name.value)
            self._made[name] = SecretRow(context, name, title, text, self.reload)
            self.add(self._made[name])
        self._note = Row(self.tr("Keyring"), "")
        self.add(self._note)

    def reload(self) -> None:
        """Ask the keyring where every secret is."""
        store = self._context.secrets

        def read() -> dict[SecretName, SecretSource]:
            return {name: store.get(name).source for name in self._made}

        self._context.thread.run_blocking(read, self._show, self._fail, owner=self)

    def _show(self, sources: dict[SecretName, SecretSource]) -> None:
        for name, source in sources.items():
            self._made[name].show_source(source)
        note = self._context.secrets.note
        self._note.text.setText(note or self.tr("The system's keyring is used."))
        self._note.text.show()

    def _fail(self, error: WebRAGError) -> None:
        self._note.complain(error.message)
