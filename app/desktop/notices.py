"""What the window tells by itself: banners above every page, which of them apply now, and messages that go away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.clients.monitor import ConfigDrift, DriftKind
from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.language import spoken, translator
from app.desktop.models.assistants import with_short_paths
from app.desktop.qt import single_shot
from app.desktop.tokens import L, M, S
from app.desktop.widgets import ThemedIcon, button, icon_button, label
from app.errors import CorpusDamagedError, DamagedCopyError, WebRAGError

_tr = translator("Notices")

_ICONS = {"info": ("info", "accent_text"), "warning": ("alert", "warning"), "error": ("error", "danger")}

SHOWN_MS = 6_000
ERROR_MS = 15_000


@dataclass(frozen=True, slots=True)
class Notice:
    """One banner. `key` identifies it, so that a dismissed one stays away while its text is the same."""

    key: str
    kind: str
    title: str
    text: str
    action: str = ""
    run: Callable[[], object] | None = field(default=None, compare=False)


class Banner(QFrame):
    """Icon, title, reason, action, close."""

    def __init__(self, notice: Notice, dismissed: Callable[[], object] | None = None) -> None:
        super().__init__()
        self.notice = notice
        self.setProperty("role", "banner")
        self.setProperty("kind", notice.kind)
        self.setAccessibleName(f"{notice.title}. {notice.text}")
        line = QHBoxLayout(self)
        line.setContentsMargins(M, S, S, S)
        line.setSpacing(M)
        line.addWidget(ThemedIcon(_ICONS[notice.kind][0], 20, _ICONS[notice.kind][1]), 0, Qt.AlignmentFlag.AlignVCenter)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(label(notice.title, "strong"))
        if notice.text:
            words.addWidget(label(notice.text, "", wrap=True, selectable=True))
        line.addLayout(words, 1)
        self.action: QPushButton | None = None
        if notice.run is not None:
            self.action = button(notice.action, notice.run)
            line.addWidget(self.action, 0, Qt.AlignmentFlag.AlignVCenter)
        if dismissed is not None:
            line.addWidget(
                icon_button("close", self.tr("Dismiss this notice"), dismissed),
                0,
                Qt.AlignmentFlag.AlignVCenter,
            )


class BannerStack(QWidget):
    """The banners that apply now, under each other; takes no room while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S)
        self._offered: tuple[Notice, ...] = ()
        self._shown: tuple[Notice, ...] = ()
        self._dismissed: set[tuple[str, str]] = set()
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is on the screen."""
        return self._shown

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        """Replace the banners when they differ; a banner that no longer applies may come back later."""
        self._offered = notices
        self._dismissed &= {(notice.key, notice.text) for notice in notices}
        wanted = tuple(notice for notice in notices if (notice.key, notice.text) not in self._dismissed)
        if wanted == self._shown:
            return
        self._shown = wanted
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for notice in wanted:
            dismissed = None if notice.kind == "error" else lambda notice=notice: self._dismiss(notice)
            self._column.addWidget(Banner(notice, dismissed))
        self.setVisible(bool(wanted))

    def _dismiss(self, notice: Notice) -> None:
        self._dismissed.add((notice.key, notice.text))
        self.show_notices(self._offered)


def notices_for(context: Context) -> tuple[Notice, ...]:
    """Engine failed, endpoint not listening, embedder unusable, keyring unusable: in this order."""
    status = context.status
    found: list[Notice] = []
    if status.backend.error is not None:
        error = status.backend.error
        action = (
            (_tr("Repair…"), context.show_storage)
            if isinstance(error, (CorpusDamagedError, DamagedCopyError))
            else None
        )
        words, run = action or (_tr("Try again"), context.restart)
        found.append(Notice("engine", "error", error.title, f"{error.message} {error.hint}", words, run))
    found += _file_notices(context)
    if status.backend.server_error is not None:
        error = status.backend.server_error
        words = f"{error.message} {error.hint}"
        title = _tr("Assistants cannot reach WebRAG")
        found.append(Notice("server", "error", title, words, _tr("Try again"), context.thread.listen_again))
    if status.backend.lost_port:
        title = _tr("Another program has port {}").format(status.backend.lost_port)
        text = _tr(
            "WebRAG listens at {} now. Assistants that are connected by the old address reach the other program, with the "
            "access token; entries that WebRAG can see are changed. End that program and try again, or choose another port."
        ).format(status.url)
        found.append(Notice("port", "warning", title, text, _tr("Try again"), context.thread.listen_again))
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
    found += [_finding_notice(context, finding) for finding in context.config_watch.findings if _is_told(finding)]
    return tuple(found)


def _file_notices(context: Context) -> list[Notice]:
    """What is wrong with the file of the library."""
    health = context.status.health
    found: list[Notice] = []
    if health is None:
        return found
    if health.damage:
        text = _tr(
            "Some of it cannot be read any more, so results may be incomplete. Restore a backup, or save what can still"
            " be read. ({})"
        )
        title = _tr("The library is damaged")
        found.append(Notice("damage", "error", title, text.format(health.damage), _tr("Repair…"), context.show_storage))
    if health.refusal:
        text = _tr("{} What is stored can be searched; storing goes on by itself once there is room.")
        found.append(Notice("full", "error", _tr("Nothing can be stored"), text.format(spoken(health.refusal))))
    return found


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
        DriftKind.MOVED: _tr("{} uses an old address of WebRAG"),
        DriftKind.BROKEN: _tr("The configuration of {} cannot be read"),
    }
    title, text = (
        titles[finding.kind].format(finding.title),
        with_short_paths(f"{finding.message} {finding.hint}".strip()),
    )
    key = f"client-{finding.client}-{finding.path}"
    if finding.kind.repairable:
        return Notice(key, "warning", title, text, _tr("Repair"), lambda: context.config_watch.repair(finding))
    return Notice(key, "warning", title, text, _tr("Show"), lambda: context.show_client(finding.client))


class Toast(QFrame):
    """One message at a time; the next one replaces it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "toast")
        self.setAccessibleName(self.tr("Message"))
        line = QHBoxLayout(self)
        line.setContentsMargins(M, S, S, S)
        line.setSpacing(M)
        self._icon = ThemedIcon("ok", 20, "success")
        self._title, self._text = label("", "strong"), label("", "muted", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._text)
        self.action = button(self.tr("Undo"), self._act, "link")
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addLayout(words, 1)
        line.addWidget(self.action)
        line.addWidget(icon_button("close", self.tr("Close this message"), self.hide))
        self._area = parent
        self._run: Callable[[], object] | None = None
        self._timer = single_shot(self, 0, self.hide)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(24)
        shadow.setOffset(0, 4)
        shadow.setColor(QColor(0, 0, 0, 60))
        self.setGraphicsEffect(shadow)
        parent.installEventFilter(self)
        self.hide()

    def say(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """Tell what happened."""
        self._icon.show_icon("ok", "success")
        self._show(text, "", action, run, SHOWN_MS)

    def clear(self) -> None:
        """Take the message away: what it offered is done."""
        self.hide()

    def complain(self, error: WebRAGError) -> None:
        """Tell what failed, why, and what to do next."""
        self._icon.show_icon("error", "danger")
        self._show(error.title, f"{error.message} {error.hint}".strip(), "", None, ERROR_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, title: str, text: str, action: str, run: Callable[[], object] | None, milliseconds: int) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._run = run
        self.action.setText(action)
        self.action.setVisible(run is not None)
        self.show()
        self.raise_()
        self._place()
        self._timer.start(milliseconds)

    def _act(self) -> None:
        self.hide()
        if self._run is not None:
            self._run()

    def _place(self) -> None:
        parent = self._area
        room = parent.width() - 4 * L
        self.setFixedWidth(min(room, 560) if self._text.isVisibleTo(self) else min(room, self.sizeHint().width()))
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - 2 * L)
