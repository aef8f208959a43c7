"""Extensions and capabilities of the protocol that clients declare and WebRAG uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

UI: Final = "io.modelcontextprotocol/ui"  # Views in the conversation (MCP Apps).
TASKS: Final = "io.modelcontextprotocol/tasks"
SKILLS: Final = "io.modelcontextprotocol/skills"
LINKS: Final = "elicitation/url"
"""Links that the client opens for its user (URL elicitation): a capability, not an extension."""

VIEW_TYPE: Final = "text/html;profile=mcp-app"
WORDS: Final = {"ui": UI, "tasks": TASKS, "url": LINKS}
"""Short names of those on which the server's answers depend, for headers and session tags."""


def declared(capabilities: object) -> frozenset[str]:
    """Return what a client's capabilities contain and answers depend on. Views need the type of the page, too."""
    given = capabilities if isinstance(capabilities, Mapping) else {}
    found, asks = given.get("extensions"), given.get("elicitation")
    extensions = dict(found) if isinstance(found, Mapping) else {}
    if isinstance(asks, Mapping) and isinstance(asks.get("url"), Mapping):
        extensions[LINKS] = {}
    view = extensions.get(UI)
    types = view.get("mimeTypes") if isinstance(view, Mapping) else None
    shows = isinstance(types, list) and VIEW_TYPE in types
    return frozenset(name for name in WORDS.values() if name in extensions and (name != UI or shows))


def to_words(extensions: frozenset[str]) -> str:
    """`ui.tasks`, the form for headers and session tags."""
    return ".".join(word for word, name in WORDS.items() if name in extensions)


def from_words(words: str) -> frozenset[str]:
    """Return the known extensions in the output of `to_words`."""
    return frozenset(WORDS[word] for word in words.split(".") if word in WORDS)
