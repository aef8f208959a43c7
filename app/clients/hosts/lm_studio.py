"""LM Studio: local models; older installations keep the file in the cache folder."""

from __future__ import annotations

from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigLocation
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """The usual place, and the old one where that is what there is."""
    usual = machine.home / ".lmstudio"
    old = machine.home / ".cache" / "lm-studio"
    return (ConfigLocation(usual / "mcp.json", sign=usual), ConfigLocation(old / "mcp.json", sign=old))


LM_STUDIO = ClientProfile(
    name="lm-studio",
    title="LM Studio",
    locate=config_files,
    after_change=sentence("In LM Studio, switch mcp/webrag on beside the chat (Program > Integrations)."),
)
