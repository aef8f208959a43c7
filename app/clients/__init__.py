"""The assistants on this computer: where their configuration is, how to register with them, and whether it works."""

from __future__ import annotations

from app.clients.hosts import CLAUDE_DESKTOP, CLIENTS
from app.clients.profile import ClientProfile, ConfigFormat, Machine, ServerCommand, System, server_command
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
    remove_backups,
)

__all__ = [
    "CLAUDE_DESKTOP",
    "CLIENTS",
    "AppliedChange",
    "ClientFile",
    "ClientProfile",
    "ClientState",
    "ConfigFormat",
    "Machine",
    "PlanAction",
    "RegistrationPlan",
    "ServerCommand",
    "System",
    "apply_plan",
    "client_state",
    "plan_registration",
    "plan_removal",
    "remove_backups",
    "server_command",
]
