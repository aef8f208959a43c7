"""Which banners apply now."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.desktop.backend import Phase
from app.desktop.banners import Notice
from app.desktop.context import Context


def _tr(text: str) -> str:
    return QCoreApplication.translate("Notices", text)


def notices_for(context: Context) -> tuple[Notice, ...]:
    """Engine failed, endpoint not listening, embedder unusable, keyring unusable: in this order."""
    status = context.status
    found: list[Notice] = []
    if status.backend.error is not None:
        error = status.backend.error
        found.append(
            Notice(
                "engine",
                "error",
                error.title,
                f"{error.message} {error.hint}",
                _tr("Try again"),
                context.restart,
            )
        )
    if status.backend.server_error is not None:
        error = status.backend.server_error
        words = f"{error.message} {error.hint}"
        title = _tr("Assistants cannot reach WebRAG")
        found.append(Notice("server", "error", title, words, _tr("Try again"), context.thread.listen_again))
    if status.phase is Phase.RUNNING and not context.settings.running.mcp_enabled:
        text = _tr("The server is switched off in the settings (MCP_ENABLED). The window works without it.")
        found.append(Notice("off", "info", _tr("Assistants are not served"), text))
    embedder = status.embedder
    if embedder is not None and not embedder.usable:
        title = _tr("Search by meaning is not available")
        text = _tr("Keyword search serves meanwhile. {}").format(embedder.detail)
        found.append(Notice("embedder", "warning", title, text, _tr("Restart the engine"), context.restart))
    if context.secrets.note:
        found.append(Notice("keyring", "warning", _tr("Secrets are not saved"), context.secrets.note))
    return tuple(found)
