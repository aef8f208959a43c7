"""The setup step that connects assistants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QRadioButton, QWidget

from app.clients.hosts import CLIENTS
from app.clients.profile import ClientProfile, Machine, ServerCommand, server_command
from app.clients.registrar import ClientState, PlanAction, RegistrationPlan, apply_plan, client_state, plan_registration
from app.desktop import widgets
from app.desktop.context import Context
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.desktop.models.clients import ever_attached, known_name
from app.desktop.pages.parts import Scrolled
from app.desktop.panels import Card, EmptyState, Line, Tile
from app.desktop.settings_store import cost_words, tool_costs
from app.desktop.tokens import XS, M, S
from app.desktop.wizard.facts import Step
from app.desktop.wording import counted, short_path, spoken, with_short_paths
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.server.calls.registry import ProfileCost

TILE = 32

LEAST_LIST = 180  # Minimum visible height of the list in device-independent pixels: three rows.


@dataclass(frozen=True, slots=True)
class Offer:
    """A found assistant. `problem` is the reason why it cannot be connected, or an empty string."""

    profile: ClientProfile
    state: ClientState
    plans: tuple[RegistrationPlan, ...] = ()
    problem: str = ""

    @property
    def is_connected(self) -> bool:
        return not self.problem and not any(self.changes)

    @property
    def changes(self) -> tuple[RegistrationPlan, ...]:
        return tuple(plan for plan in self.plans if plan.action is not PlanAction.NOTHING)


def find_offers(command: ServerCommand) -> list[Offer]:
    """Return every assistant on this computer. Blocking; only reads files."""
    machine = Machine.here()
    found = ((profile, client_state(profile, machine)) for profile in CLIENTS)
    offers: list[Offer] = []
    for profile, state in found:
        if not state.found:
            continue
        try:
            offers.append(Offer(profile, state, plan_registration(profile, command, machine)))
        except WebRAGError as error:
            offers.append(Offer(profile, state, problem=f"{spoken(error.message)} {spoken(error.hint)}"))
    return offers


def make_changes(offers: Iterable[Offer]) -> dict[str, str]:
    """Write the planned changes and return the error or an empty string by assistant name. Blocking."""
    problems: dict[str, str] = {}
    for offer in offers:
        problems[offer.profile.name] = ""
        try:
            for plan in offer.changes:
                apply_plan(plan)
        except WebRAGError as error:
            problems[offer.profile.name] = f"{spoken(error.message)} {spoken(error.hint)}"
    return problems


class AssistantRow(QWidget):
    """An assistant to select. Emits `ticked` when the user changes the selection, and `asked` to show the change."""

    ticked = Signal()
    asked = Signal(str)

    def __init__(self, offer: Offer, *, has_attached: bool = False) -> None:
        """`has_attached`: the assistant has started a session since its entry was written."""
        super().__init__()
        self.offer = offer
        name = offer.profile.name
        self.tick = QCheckBox()
        self.tick.setAccessibleName(self.tr("Connect {}").format(offer.profile.title))
        self.tick.clicked.connect(lambda: self.ticked.emit())
        picture = Tile(TILE)
        picture.show_assistant(name, offer.profile.title, present=True)
        self.text = widgets.ElidedLabel("", "caption", Qt.TextElideMode.ElideMiddle)
        self.hint = widgets.label("", "caption", wrap=True)
        self.hint.hide()
        words = widgets.column(widgets.label(offer.profile.title, "strong"), self.text, self.hint, spacing=1)
        self.badge = widgets.Badge()
        self.show_change = widgets.button(self.tr("Show change…"), lambda: self.asked.emit(name), "link")
        self.show_change.setAccessibleName(self.tr("Show the change for {}").format(offer.profile.title))
        widgets.row(
            self.tick, picture, (words, 1), self.badge, widgets.Gap(S), self.show_change, spacing=M, parent=self
        )
        if offer.problem:
            self.tick.setEnabled(False)
            self.show_change.hide()
            self.show_failure(offer.problem)
            return
        self.tick.setChecked(True)
        self._show_hint("")
        if offer.is_connected:
            self.show_connected()
            if has_attached:
                self._show_hint("")

    @property
    def is_chosen(self) -> bool:
        return self.tick.isEnabled() and self.tick.isChecked()

    def show_failure(self, problem: str) -> None:
        self.badge.show_text(self.tr("Problem"), "error")
        self.text.show_text(with_short_paths(problem))

    def show_connected(self) -> None:
        self.tick.setChecked(True)
        self.tick.setEnabled(False)
        self.badge.show_text(self.tr("Entry added"), "good")
        self.show_change.hide()
        self._show_hint(spoken(self.offer.profile.after_change))

    def show_attached(self) -> None:
        """Show that the assistant has started a session with WebRAG."""
        self.badge.show_text(self.tr("Connected"), "good")
        self._show_hint("")

    def _show_hint(self, words: str) -> None:
        """Show the next step or, if there is none, the files."""
        widgets.show_words(self.hint, words)
        self.text.show_text(", ".join(short_path(str(file.path)) for file in self.offer.state.files))
        self.text.setHidden(bool(words))


class ToolsOffer(QWidget):
    """A choice between all and the standard tools, with their token costs. Saved immediately."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._titles = {"full": self.tr("All tools"), "standard": self.tr("Standard tools, enough for most questions")}
        self.buttons = {profile: QRadioButton(title) for profile, title in self._titles.items()}
        widgets.column(
            widgets.label(self.tr("Available tools"), "caption"), *self.buttons.values(), spacing=XS, parent=self
        )
        for profile, made in self.buttons.items():
            made.clicked.connect(lambda _checked, profile=profile: self._context.save("mcp_tool_profile", profile))

    @property
    def applies(self) -> bool:
        """Whether the current setting is one of the two choices."""
        return self._context.settings.value("mcp_tool_profile") in self.buttons

    def enter(self) -> None:
        if self.applies:
            self.buttons[self._context.settings.value("mcp_tool_profile")].setChecked(True)
        running = self._context.settings.running

        def show(costs: Mapping[str, ProfileCost]) -> None:
            for profile, made in self.buttons.items():
                made.setText(f"{self._titles[profile]} ({cost_words(costs[profile])})")

        self._context.run(self, lambda: tool_costs(running), show)


class AssistantsStep(Step):
    """Searches for assistants when it opens and writes on request, only for selected ones. Emits `written` with the name of each one."""

    written = Signal(str)

    def __init__(self, context: Context) -> None:
        text = self.tr(
            "WebRAG adds one entry to each selected assistant's settings. Nothing changes until you click Connect."
        )
        super().__init__(context, self.tr("Connect your assistants"), text)
        self.rows: list[AssistantRow] = []
        self._is_busy = False
        # An assistant with an earlier session is connected unless this step rewrites its entry.
        self._attached = ever_attached(context.memory)
        self._list = Card(spacing=M)
        self._area = Scrolled(content=widgets.held(widgets.column(self._list, 1)))
        self.connect_button = widgets.button(self.tr("Connect"), self.connect_chosen, "primary")
        self._result = widgets.label("", "muted", wrap=True)
        self._line = widgets.held(widgets.row(self.connect_button, (self._result, 1), spacing=M))
        self.tools = ToolsOffer(self.context)
        text = self.tr("You can connect an assistant later: open Assistants in the WebRAG window.")
        self._nobody = EmptyState("clients", self.tr("No assistant found"), text)
        widgets.add_parts(self.column, (self._area, 99), self.tools, self._line, (self._nobody, 1), 1)
        self.column.setSpacing(S)
        for widget in (self.tools, self._line, self._nobody):
            widget.hide()
        context.status.changed.connect(self._show_attached)

    @property
    def is_offering(self) -> bool:
        return any(made.is_chosen for made in self.rows)

    @property
    def main_button(self) -> QPushButton:
        return self.connect_button

    def enter(self) -> None:
        self.tools.enter()
        command = server_command(self.context.settings.running.data_dir)
        self.context.run(self, lambda: find_offers(command), self._show_offers, self._fail)

    def connect_chosen(self) -> None:
        chosen = [made.offer for made in self.rows if made.is_chosen]
        if not chosen or self._is_busy:
            return
        self._set_busy(True)
        self.context.run(self, lambda: make_changes(chosen), self._show_made, self._fail)

    def show_change(self, name: str) -> None:
        """Show the change for an assistant, which can be applied there."""
        made = next(made for made in self.rows if made.offer.profile.name == name)
        command = server_command(self.context.settings.running.data_dir)
        self.dialog = ConnectClientDialog(self.context, self.window(), made.offer.profile, command)
        self.dialog.written.connect(lambda _name, has_entry: self._note_written(made) if has_entry else self.enter())
        self.dialog.open_once()

    def _note_written(self, made: AssistantRow) -> None:
        name = made.offer.profile.name
        made.show_connected()
        self._attached.discard(name)
        self.written.emit(name)
        self._show_chosen()

    def _show_offers(self, offers: list[Offer]) -> None:
        body = self._list.body
        widgets.clear_layout(body)
        self.rows = [AssistantRow(offer, has_attached=offer.profile.name in self._attached) for offer in offers]
        for place, made in enumerate(self.rows):
            if place:
                body.addWidget(Line())
            body.addWidget(made)
            made.ticked.connect(self._show_chosen)
            made.asked.connect(self.show_change)
        self._nobody.setVisible(not offers)
        self._area.setVisible(bool(offers))
        self._line.setVisible(bool(offers))
        self.tools.setVisible(bool(offers) and self.tools.applies)
        # New rows only count after they are visible, which happens later.
        QTimer.singleShot(0, self, self._fit_list)
        self._result.setText("")
        self._show_chosen()
        self._show_attached()

    def _fit_list(self) -> None:
        # The next step can take two lines.
        height = max(self._list.sizeHint().height(), self._list.heightForWidth(self._area.viewport().width()))
        self._area.setMaximumHeight(height)
        self._area.setMinimumHeight(min(height, LEAST_LIST))

    def _show_chosen(self) -> None:
        count = sum(made.is_chosen for made in self.rows)
        one, many = self.tr("Connect 1 assistant"), self.tr("Connect {} assistants")
        self.connect_button.setText(counted(count, one, many) if count else self.tr("Connect"))
        self.connect_button.setEnabled(count > 0 and not self._is_busy)
        # When all are done, only the Next button is left.
        self.connect_button.setVisible(count > 0 or self._is_busy or any(made.tick.isEnabled() for made in self.rows))
        self.changed.emit()

    def _show_made(self, problems: dict[str, str]) -> None:
        self._set_busy(False)
        for made in self.rows:
            name = made.offer.profile.name
            problem = problems.get(name)
            if problem:
                made.show_failure(problem)
                made.tick.setChecked(False)
            elif problem is not None:
                self._note_written(made)
        QTimer.singleShot(0, self, self._fit_list)
        connected = sum(not problem for problem in problems.values())
        one = self.tr("1 assistant is set up. Follow the step next to it to finish connecting.")
        many = self.tr("{} assistants are set up. Follow the step next to each one to finish connecting.")
        self._result.setText(counted(connected, one, many) if connected else self.tr("Nothing was changed."))
        self._show_chosen()

    def _show_attached(self) -> None:
        """Show which assistants have connected; an entry alone is not a connection."""
        here = {known_name(client) for client in self.context.status.clients}
        self._attached |= here
        for made in self.rows:
            if made.offer.profile.name in here:
                made.show_attached()

    def _set_busy(self, busy: bool) -> None:
        self._is_busy = busy
        for made in self.rows:
            made.setEnabled(not busy)
        if busy:
            self._result.setText(self.tr("Connecting…"))
        self._show_chosen()

    def _fail(self, error: WebRAGError) -> None:
        self._set_busy(False)
        self._line.show()
        self._result.setText(f"{error.title}: {error.message} {error.hint}")
