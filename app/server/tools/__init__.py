"""The tools of the product, one module each."""

from __future__ import annotations

from app.server.registry import Registry
from app.server.tools.answer import ANSWER
from app.server.tools.ingest import INGEST
from app.server.tools.search import SEARCH
from app.server.tools.status import STATUS
from app.settings import Settings

TOOLS = (ANSWER, SEARCH, STATUS, INGEST)


def build_registry(settings: Settings, *, profile: str | None = None) -> Registry:
    """The registry of the tool profile in the settings, or of `profile`."""
    return Registry(TOOLS, profile=profile or settings.mcp_tool_profile, name_style=settings.mcp_tool_name_style)
