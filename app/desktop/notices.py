"""Notices of the window: banners above every page, the rules for showing them, and temporary messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QHideEvent, QShowEvent

from app.clients.monitor import ConfigDrift, DriftKind
from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.exports import open_local
from app.desktop.models.jobs import BROKEN, CANCELLED, DONE, ENDED, FOLDER, row_of
from app.desktop.qt import Act, repeating, single_shot
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ThemedIcon, button, clear_layout, column, icon_button, label, row, show_words
from app.desktop.wording import counted, number, short_path, size, spoken, translator, with_short_paths
from app.errors import CorpusDamagedError, CorpusError, DamagedCopyError, DiskFullError, WebRAGError
from app.events import Event, JobChanged

_tr = translator("Notices")

_ICONS = {"info": ("info", "accent_text"), "warning": ("alert", "warning"), "error": ("error", "danger")}

SHOWN_MS = 6_000  # Milliseconds for a message with a button, and the maximum.
GLANCE_MS, CHAR_MS = 1_500, 50  # Milliseconds to read a message without a button, which covers the content below it.
ERROR_MS = 15_000
LOOK_MS = 250  # Milliseconds between checks whether a message covers a control.

Action = tuple[str, Act]  # Label and action of a button.


@dataclass(frozen=True, slots=True)
class Notice:
    """A banner. `key` identifies it, so that a dismissed one stays hidden until its text changes."""

    key: str
    kind: str
    title: str
    text: str
    action: str = ""
    run: Act | None = field(default=None, compare=False)
    more: tuple[Action, ...] = field(default=(), compare=False)
    """Further actions; with any, all buttons are below the text."""
    dismiss: Act | None = field(default=None, compare=False)
    """Dismisses it permanently, including on Home and after a restart."""


class Banner(QtWidgets.QFrame):
    """A banner with icon, title, reason, actions and a close button."""

    def __init__(self, notice: Notice, dismissed: Act | None = None) -> None:
        super().__init__()
        self.notice = notice
        self.setProperty("role", "banner")
        self.setProperty("kind", notice.kind)
        self.setAccessibleName(f"{notice.title}. {notice.text}")
        name, colour = _ICONS[notice.kind]
        words = column(label(notice.title, "strong"), spacing=1)
        if notice.text:
            words.addWidget(label(notice.text, "", wrap=True, selectable=True))
        icon = (ThemedIcon(name, 20, colour), 0, Qt.AlignmentFlag.AlignVCenter)
        line = row(icon, (words, 1), spacing=M, margins=(M, S, S, S), parent=self)
        self.action: QtWidgets.QPushButton | None = None
        if notice.run is not None:
            self.action = button(notice.action, notice.run)
        others = [button(text, run, "link") for text, run in notice.more]
        if self.action is not None and others:
            words.addSpacing(XS)
            buttons = [self.action, *others]
            # Four buttons in a row are too wide for a small window, especially in German.
            in_line = 3 if len(buttons) <= 3 else 2
            for first in range(0, len(buttons), in_line):
                words.addLayout(row(*buttons[first : first + in_line], 1))
        elif self.action is not None:
            line.addWidget(self.action, 0, Qt.AlignmentFlag.AlignVCenter)
        dismissed = notice.dismiss or dismissed
        if dismissed is not None:
            close = icon_button("close", self.tr("Dismiss this notice"), dismissed)
            line.addWidget(close, 0, Qt.AlignmentFlag.AlignVCenter)


class BannerStack(QtWidgets.QWidget):
    """The current banners, one below another. Takes no space if there are none."""

    def __init__(self, *, can_dismiss: bool = True) -> None:
        super().__init__()
        self._can_dismiss = can_dismiss
        self._column = column(parent=self)
        self._offered: tuple[Notice, ...] = ()
        self.notices: tuple[Notice, ...] = ()  # The displayed notices.
        self._dismissed: set[tuple[str, str]] = set()
        self.hide()

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        """Replace the banners if they have changed. A dismissed banner can return after it has not applied for a while."""
        self._offered = notices
        self._dismissed &= {(notice.key, notice.text) for notice in notices}
        wanted = tuple(notice for notice in notices if (notice.key, notice.text) not in self._dismissed)
        if wanted == self.notices:
            return
        self.notices = wanted
        clear_layout(self._column)
        for notice in wanted:
            is_kept = notice.kind == "error" or not self._can_dismiss
            self._column.addWidget(Banner(notice, None if is_kept else partial(self._dismiss, notice)))
        self.setVisible(bool(wanted))

    def _dismiss(self, notice: Notice) -> None:
        self._dismissed.add((notice.key, notice.text))
        self.show_notices(self._offered)


def notices_for(context: Context) -> tuple[Notice, ...]:
    """Return the current notices, in this order: engine failed, endpoint not listening, embedder not usable, keyring not usable."""
    status = context.status
    found: list[Notice] = []
    if status.backend.error is not None:
        found.append(_engine_notice(context, status.backend.error))
    found += _file_notices(context)
    if status.backend.server_error is not None:
        text = f"{status.backend.server_error.message} {status.backend.server_error.hint}"
        title = _tr("Assistants cannot connect to WebRAG")
        found.append(Notice("server", "error", title, text, _tr("Try again"), context.thread.listen_again))
    if status.backend.lost_port:
        title = _tr("Another program uses port {}").format(status.backend.lost_port)
        text = _tr(
            "WebRAG now runs on {}. Assistants with the old address connect to the other program and send it the access token. WebRAG"
            " updates the entries that it can find. Quit that program and try again, or choose another port."
        ).format(status.url)
        actions: tuple[Action, ...] = (
            (_tr("Try again"), context.thread.listen_again),
            (_tr("Choose another port"), partial(context.show_settings, "server")),
        )
        found.append(Notice("port", "warning", title, text, _tr("Copy new address"), context.copy_address, actions))
    if status.phase is Phase.RUNNING and not context.settings.running.mcp_enabled:
        text = _tr("The server is turned off in Settings. You can still use the window.")
        run = partial(context.show_settings, "server")
        found.append(Notice("off", "info", _tr("Assistants cannot connect"), text, _tr("Settings"), run))
    if status.is_without_meaning and status.embedder is not None:
        title = _tr("Semantic search is not available")
        text = _tr(
            "WebRAG still indexes pages, but finds them by keyword only, and tells your assistants. Semantic search resumes when the"
            " model works again. {}"
        )
        if status.embedder.is_english_only:
            title = _tr("Semantic search for English only")
            text = _tr(
                "Until the model for other languages works again, WebRAG finds pages in them by keyword only. {}"
            )
        text = text.format(spoken(status.embedder.detail))
        actions = ((_tr("Show search model"), partial(context.show_settings, "embedder")),)
        found.append(Notice("embedder", "warning", title, text, _tr("Restart WebRAG"), context.restart, actions))
    found += _keyring_notices(context)
    # A pending restart is not a problem; the Assistants page shows it.
    told = (each for each in context.config_watch.findings if each.kind is not DriftKind.RESTART)
    found += [_finding_notice(context, finding) for finding in told]
    return tuple(found)


def _engine_notice(context: Context, error: WebRAGError) -> Notice:
    text = f"{error.message} {error.hint}"
    if isinstance(error, (CorpusDamagedError, DamagedCopyError)):
        text = _tr("WebRAG cannot open the library, so you cannot search or add pages. ({})").format(error.message)
        return _damage_notice(context, "engine", text)
    if isinstance(error, DiskFullError):
        text = _tr("{} WebRAG starts automatically when there is enough space.").format(spoken(error.message))
        return _full_notice(context, "engine", text)
    more = ((_tr("Open folder"), partial(_show_folder, context)),) if isinstance(error, CorpusError) else ()
    return Notice("engine", "error", error.title, text, _tr("Try again"), context.restart, more)


def _damage_notice(context: Context, key: str, text: str) -> Notice:
    more: tuple[Action, ...] = (
        (_tr("Repair library…"), partial(context.repair, "salvage")),
        (_tr("Start with an empty library…"), partial(context.repair, "empty")),
        (_tr("Show file"), partial(_show_folder, context)),
    )
    restore = partial(context.repair, "newest")
    return Notice(key, "error", _tr("The library is damaged"), text, _tr("Restore latest backup…"), restore, more)


def _full_notice(context: Context, key: str, text: str) -> Notice:
    more: tuple[Action, ...] = ((_tr("Show disk usage"), partial(context.show_settings, "storage")),)
    return Notice(key, "error", _tr("The disk is full"), text, _tr("Open folder"), partial(_show_folder, context), more)


def _show_folder(context: Context) -> None:
    open_local(context.settings.running.data_dir)


KEYRING_SEEN: Final = "dismissed/keyring"  # Key under which the window stores that the user has dismissed a notice.


def _keyring_notices(context: Context) -> list[Notice]:
    """Build notices only if the user loses an entered key or has an assistant that connects over HTTP."""
    store, texts = context.secrets, list[str]()
    if context.status.serves_by_address and store.is_token_for_session:
        texts.append(
            _tr(
                "Assistants that connect over HTTP need a new access token each time WebRAG starts. All others use it automatically."
            )
        )
    if store.session_keys:
        texts.append(_tr("WebRAG forgets the keys that you entered when you quit it."))
    if not texts or not store.note or context.memory.get(KEYRING_SEEN, False):
        return []

    def dismiss() -> None:
        context.memory.set(KEYRING_SEEN, True)
        context.status.changed.emit()

    text = " ".join((*texts, spoken(store.note)))
    section, words = ("secrets", _tr("Show keys")) if store.session_keys else ("server", _tr("Show token"))
    run = partial(context.show_settings, section)
    return [Notice("keyring", "warning", _tr("Keyring not available"), text, words, run, dismiss=dismiss)]


def _file_notices(context: Context) -> list[Notice]:
    health, engine = context.status.health, context.status.engine
    found: list[Notice] = []
    if health is None or engine is None:
        return found
    if engine.reclaimable and not health.damage and not health.refusal:
        text = _tr("Compacting it frees about {}. You can search in the meantime, but not add pages.")
        title, text = _tr("The library can be smaller"), text.format(size(engine.reclaimable))
        found.append(Notice("compact", "info", title, text, _tr("Compact"), partial(context.repair, "compact")))
    if health.damage:
        text = _tr(
            "Parts of the library are no longer readable, so results may be incomplete. Restore a backup or repair the library. ({})"
        )
        found.append(_damage_notice(context, "damage", text.format(health.damage)))
    if health.refusal:
        text = _tr("{} You can still search. WebRAG saves new pages again when there is enough space.")
        found.append(_full_notice(context, "full", text.format(spoken(health.refusal))))
    return found


def _finding_notice(context: Context, finding: ConfigDrift) -> Notice:
    titles = {
        DriftKind.WIPED: _tr("{} has lost its connection"),
        DriftKind.MISSING: _tr("{} is only partly connected"),
        DriftKind.DRIFTED: _tr("{} starts a different WebRAG"),
        DriftKind.MOVED: _tr("{} uses an outdated WebRAG address"),
        DriftKind.BROKEN: _tr("Could not read the configuration of {}"),
    }
    title = titles[finding.kind].format(finding.title)
    text = with_short_paths(f"{finding.message} {finding.hint}".strip())
    key = f"client-{finding.client}-{finding.path}"
    if finding.kind.repairable:
        words = _tr("Restore entry") if finding.kind is DriftKind.WIPED else _tr("Repair")
        return Notice(key, "warning", title, text, words, lambda: context.config_watch.repair(finding))
    return Notice(key, "warning", title, text, _tr("Show"), lambda: context.show_client(finding.client))


class Toast(QtWidgets.QFrame):
    """A temporary message; the next one replaces it."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "toast")
        self.setAccessibleName(self.tr("Message"))
        self._icon = ThemedIcon("ok", 20, "success")
        self._title, self._text = label("", "strong"), label("", "muted", wrap=True)
        self._text.setSizePolicy(QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Minimum)
        words = column(self._title, self._text, spacing=1)
        self.action = button(self.tr("Undo"), self._act, "link")
        close = icon_button("close", self.tr("Dismiss this message"), self.hide)
        icon = (self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        row(icon, (words, 1), self.action, close, spacing=M, margins=(M, S, S, S), parent=self)
        self._area = parent
        self._run: Act | None = None
        self._timer = single_shot(self, 0, self.hide)
        self._watch = repeating(self, LOOK_MS, self._keep_clear)
        shadow = QtWidgets.QGraphicsDropShadowEffect(self, blurRadius=24, color=QColor(0, 0, 0, 60))
        shadow.setOffset(0, 4)
        self.setGraphicsEffect(shadow)
        self.hide()

    def say(self, text: str, action: str = "", run: Act | None = None) -> None:
        self._icon.show_icon("ok", "success")
        self._show(text, "", action, run, SHOWN_MS if run else min(SHOWN_MS, GLANCE_MS + CHAR_MS * len(text)))

    def clear(self) -> None:
        """Hide the message because its action is done."""
        self.hide()

    def complain(self, error: WebRAGError) -> None:
        self._icon.show_icon("error", "danger")
        self._show(error.title, f"{error.message} {error.hint}".strip(), "", None, ERROR_MS)

    def _show(self, title: str, text: str, action: str, run: Act | None, milliseconds: int) -> None:
        self._title.setText(title)
        show_words(self._text, text)
        self._run = run
        self.action.setText(action)
        self.action.setVisible(run is not None)
        self.show()
        self.raise_()
        self.place()
        self._timer.start(milliseconds)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watch.stop()

    def _act(self) -> None:
        self.hide()
        if self._run is not None:
            self._run()

    def place(self) -> None:
        """Fit the message into the parent, where it does not cover a control."""
        parent, layout = self._area, self.layout()
        if layout is not None:
            # The content has just changed, and its width would only be known later.
            layout.invalidate()
            layout.activate()
        room = parent.width() - 4 * L
        self.setFixedWidth(min(room, 560) if self._text.isVisibleTo(self) else min(room, self.sizeHint().width()))
        self.adjustSize()
        self.move(self._free_place())

    def _keep_clear(self) -> None:
        """Move if the message covers controls that have appeared in the meantime."""
        if not self.underMouse() and _covered(self.geometry(), self._pressable()):
            self.place()

    def _free_place(self) -> QPoint:
        """Return the lowest position that does not cover a control, preferably centered, or the position that covers the least."""
        right, foot = self._area.width() - self.width(), self._area.height() - self.height() - 2 * L
        taken = self._pressable()
        best, least = QPoint(right // 2, foot), _covered(QRect(QPoint(right // 2, foot), self.size()), taken)
        for across in (right // 2, right - 2 * L):
            for down in range(foot, self._area.height() // 3, -S):
                covered = _covered(QRect(QPoint(across, down), self.size()), taken)
                if covered < least:
                    best, least = QPoint(across, down), covered
                if not least:
                    return best
        return best

    def _pressable(self) -> list[QRect]:
        """Return the visible areas of all buttons and text fields."""
        kinds = (QtWidgets.QAbstractButton, QtWidgets.QLineEdit, QtWidgets.QComboBox)
        every = (made for kind in kinds for made in self._area.findChildren(kind))
        found: list[QRect] = []
        for made in every:
            if made.isVisible() and made.isEnabled() and not self.isAncestorOf(made):
                seen, around = QRect(made.mapTo(self._area, QPoint()), made.size()), made.parentWidget()
                while around is not None and around is not self._area:
                    seen &= QRect(around.mapTo(self._area, QPoint()), around.size())
                    around = around.parentWidget()
                found.append(seen)
        return found


class FolderNews(QObject):
    """Reports when added folders or packages have been indexed."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._paths: dict[int, str] = {}

    def follow(self, job_id: int, path: str) -> None:
        """Report that a folder is being indexed, and later the number of files."""
        self._paths[job_id] = path
        words = self.tr("Reading {}…").format(short_path(path))
        self._context.notifier.say(words, self.tr("Show"), lambda: self._context.show_job(job_id))

        # A small folder may already be indexed before `follow` is called.
        ask = self._context.ask
        ask(self, lambda engine: engine.jobs.job(job_id), lambda job: self._tell(row_of(job)), lambda _error: None)

    def on_events(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, JobChanged):
                self._tell(event)

    def _tell(self, job: JobChanged) -> None:
        if job.job_id not in self._paths or job.state not in ENDED:
            return
        path = self._paths.pop(job.job_id)
        if job.state == CANCELLED:
            return
        words = counted(job.indexed, self.tr("Added 1 file"), self.tr("Added {} files"))
        if job.kind != FOLDER:
            words = counted(job.indexed, self.tr("Added 1 package"), self.tr("Added {} packages"))
        if job.failed:
            words += self.tr(", {} could not be read").format(number(job.failed))
        if job.state == BROKEN:
            words = self.tr("{} could not be read").format(short_path(path))
        show: Act = partial(self._context.show_job, job.job_id)
        if job.kind == FOLDER and job.state == DONE and job.indexed > 0:
            show = partial(self._context.show_folder, path)
        self._context.notifier.say(words, self.tr("Show"), show)


def _covered(place: QRect, taken: Sequence[QRect]) -> int:
    """Return the area in square pixels that a message at this position would cover."""
    common = [place & each for each in taken]
    return sum(each.width() * each.height() for each in common if not each.isEmpty())
