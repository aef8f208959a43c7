"""Which assistants can be connected, with the exact change for each; and the change, made for those that were chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.clients import (
    CLIENTS,
    ClientProfile,
    ClientState,
    Machine,
    PlanAction,
    RegistrationPlan,
    ServerCommand,
    apply_plan,
    client_state,
    plan_registration,
)
from app.desktop.language import spoken
from app.errors import WebRAGError


@dataclass(frozen=True, slots=True)
class Offer:
    """An assistant that was found. `problem` says why it cannot be connected, empty otherwise."""

    profile: ClientProfile
    state: ClientState
    plans: tuple[RegistrationPlan, ...] = ()
    problem: str = ""

    @property
    def is_connected(self) -> bool:
        """Whether nothing is to be changed."""
        return not self.problem and not any(self.changes)

    @property
    def changes(self) -> tuple[RegistrationPlan, ...]:
        return tuple(plan for plan in self.plans if plan.action is not PlanAction.NOTHING)


def find_offers(command: ServerCommand) -> list[Offer]:
    """Every assistant on this computer; reads files, writes nothing. Blocking."""
    machine = Machine.here()
    found = ((profile, client_state(profile, machine)) for profile in CLIENTS)
    return [_offer(profile, state, command, machine) for profile, state in found if state.found]


def make_changes(offers: Iterable[Offer]) -> dict[str, str]:
    """Write the planned changes; the names of all assistants with what went wrong, or an empty text. Blocking."""
    return {offer.profile.name: _written(offer) for offer in offers}


def _offer(profile: ClientProfile, state: ClientState, command: ServerCommand, machine: Machine) -> Offer:
    try:
        return Offer(profile, state, plan_registration(profile, command, machine))
    except WebRAGError as error:
        return Offer(profile, state, problem=f"{error.message} {spoken(error.hint)}")


def _written(offer: Offer) -> str:
    try:
        for plan in offer.changes:
            apply_plan(plan)
    except WebRAGError as error:
        return f"{error.message} {spoken(error.hint)}"
    return ""
