"""The MCP tools, one module each."""

from __future__ import annotations

from app.server.calls.registry import ProfileCost, Registry, switched
from app.server.tools.answer import ANSWER, SEARCH
from app.server.tools.docs import DOC_TOOLS, LIBRARY_SYMBOL
from app.server.tools.graph import GRAPH_TOOLS
from app.server.tools.ingest import INGEST
from app.server.tools.kb.evidence import EXTRACT_EVIDENCE, RETRIEVE_EVIDENCE
from app.server.tools.kb.excerpts import EXPAND_EXCERPT, READ_EXCERPT, VERIFY_QUOTE
from app.server.tools.kb.search import KB_SEARCH
from app.server.tools.legacy import LEGACY_TOOLS
from app.server.tools.status import STATUS
from app.server.tools.web.read import WEB_READ
from app.server.tools.web.search import WEB_SEARCH
from app.settings import Settings
from app.settings_schema import TOOL_PROFILES

KB_TOOLS = (RETRIEVE_EVIDENCE, KB_SEARCH, READ_EXCERPT, EXPAND_EXCERPT, EXTRACT_EVIDENCE, VERIFY_QUOTE)

TOOLS = (
    *(ANSWER, SEARCH, *KB_TOOLS, STATUS, INGEST, WEB_SEARCH, WEB_READ),
    *(*DOC_TOOLS, LIBRARY_SYMBOL, *GRAPH_TOOLS, *LEGACY_TOOLS),
)


def build_registry(settings: Settings, *, profile: str | None = None) -> Registry:
    """Return the registry of the tool profile in the settings, or of `profile`."""
    specs = switched(TOOLS, kb=settings.mcp_kb_v2_enabled, legacy=settings.mcp_legacy_tools_enabled)
    return Registry(specs, profile=profile or settings.mcp_tool_profile, name_style=settings.mcp_tool_name_style)


def profile_costs(settings: Settings) -> dict[str, ProfileCost]:
    registry = build_registry(settings)
    return {profile: registry.view(profile, registry.name_style).cost() for profile in TOOL_PROFILES}
