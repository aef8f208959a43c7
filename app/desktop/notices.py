"""Which banners apply now."""

from __future__ import annotations

from collections.abc import Callable

from app.clients.monitor import ConfigDrift, DriftKind
from app.desktop.backend import Phase
from app.desktop.banners import Notice
from app.desktop.context import Context
from app.desktop.language import spoken, translator
from app.desktop.models.assistants import with_short_paths

_tr = translator("Notices")


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
        found.append(Notice("off", "info", _tr("Assistants are not served"), text, _tr("Settings"), _settings(context)))
    embedder = status.embedder
    if embedder is not None and not embedder.usable:
        title = _tr("Search by meaning is not available")
        text = _tr("Keyword search serves meanwhile. {}").format(embedder.detail)
        found.append(Notice("embedder", "warning", title, text, _tr("Restart the engine"), context.restart))
    if context.secrets.note:
        title = _tr("Secrets are not saved")
        found.append(
            Notice("keyring", "warning", title, spoken(context.secrets.note), _tr("Settings"), _settings(context))
        )
    found += [_finding_notice(context, finding) for finding in context.guarding.findings if _is_told(finding)]
    return tuple(found)


def _settings(context: Context) -> Callable[[], object]:
    return lambda: context.go_to("settings")


def _is_told(finding: ConfigDrift) -> bool:
    """That a restart is due stands on the Clients page; it is no trouble."""
    return finding.kind is not DriftKind.RESTART


def _finding_notice(context: Context, finding: ConfigDrift) -> Notice:
    """An entry that is not as it was written, with the one click that puts it right."""
    titles = {
        DriftKind.WIPED: _tr("{} has lost its connection"),
        DriftKind.MISSING: _tr("{} is connected in one place only"),
        DriftKind.DRIFTED: _tr("{} starts another WebRAG"),
        DriftKind.BROKEN: _tr("The configuration of {} cannot be read"),
    }
    title, text = (
        titles[finding.kind].format(finding.title),
        with_short_paths(f"{finding.message} {finding.hint}".strip()),
    )
    key = f"client-{finding.client}-{finding.path}"
    if finding.kind.repairable:
        return Notice(key, "warning", title, text, _tr("Repair"), lambda: context.guarding.repair(finding))
    return Notice(key, "warning", title, text, _tr("Show"), lambda: context.show_client(finding.client))
