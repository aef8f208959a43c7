"""Give assistants that read skills from disk the file that explains WebRAG's tools, and remove it, as plans like other changes."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

from app.clients.config_file import read_config
from app.clients.profile import ClientProfile, Machine
from app.clients.registrar import PlanAction, RegistrationPlan, difference, renewable
from app.paths import asset_text
from app.text.sentence import sentence

SKILL_READERS: Final = ("claude-code", "codex", "cursor", "gemini-cli", "copilot-cli", "opencode")
"""Assistants that document a folder for the skills of a user."""

OUR_NAME: Final = "\nname: webrag\n"


def plan_skill(profile: ClientProfile, machine: Machine, *, remove: bool = False) -> RegistrationPlan:
    """Return the change that writes or removes the file. Raises ClientConfigError."""
    # Codex reads the folder that several assistants share, not its own.
    folder = machine.home / ".agents" if profile.name == "codex" else profile.locate(machine)[0].sign
    path = folder / "skills" / "webrag" / "SKILL.md"
    return renewable(functools.partial(_plan_removal if remove else _plan_file, profile.name, path))


def _plan_file(client: str, path: Path) -> RegistrationPlan:
    before, after = read_config(path), asset_text("skill/SKILL.md")
    action = PlanAction.ADD if before.content is None else PlanAction.UPDATE
    action = PlanAction.NOTHING if before.text == after else action
    return RegistrationPlan(client, path, action, before, after, difference(before, after))


def _plan_removal(client: str, path: Path) -> RegistrationPlan:
    before = read_config(path)
    if OUR_NAME in before.text:
        return RegistrationPlan(client, path, PlanAction.REMOVE, before, "", difference(before, ""), deletes=True)
    note = "" if before.content is None else sentence("{} is not WebRAG's and is kept.", path)
    return RegistrationPlan(client, path, PlanAction.NOTHING, before, before.text, "", note)
