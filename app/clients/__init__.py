"""The assistants on this machine: where their configuration is, how to register with them, does it work."""

from __future__ import annotations

from app.clients.claude_desktop import CLAUDE_DESKTOP
from app.clients.profile import ClientProfile, Machine, ServerCommand, System, server_command
from app.clients.registrar import (
    AppliedChange,
    ClientFile,
    ClientState,
    PlanAction,
    RegistrationPlan,
    apply_plan,
    client_state,
    plan_registration,
    plan_removal,
)

__all__ = [
    "CLIENTS",
    "AppliedChange",
    "ClientFile",
    "ClientProfile",
    "ClientState",
    "Machine",
    "PlanAction",
    "RegistrationPlan",
    "ServerCommand",
    "System",
    "apply_plan",
    "client_state",
    "plan_registration",
    "plan_removal",
    "server_command",
]

CLIENTS: tuple[ClientProfile, ...] = (CLAUDE_DESKTOP,)
