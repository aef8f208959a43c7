"""Parts of input schemas that several tools share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app import caps
from app.ingest.crawling.options import CrawlScope
from app.orchestration.question import Question
from app.retrieval.records import Intent

URL: Final[dict[str, Any]] = {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_URL_CHARS}

SHORT_TEXT: Final[dict[str, Any]] = {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_FOLDER_NAME_CHARS}

PATH: Final[dict[str, Any]] = {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_PATH_CHARS}
"""An absolute path."""


def url_list(description: str) -> dict[str, Any]:
    """A bounded list of addresses."""
    return {
        "type": "array",
        "items": URL,
        "minItems": 1,
        "maxItems": caps.MAX_URLS_PER_CALL,
        "description": description,
    }


def one_or_more_urls(description: str) -> dict[str, Any]:
    """An address or a bounded list of them."""
    several = {"type": "array", "items": URL, "minItems": 1, "maxItems": caps.MAX_URLS_PER_CALL}
    return {"anyOf": [URL, several], "description": description}


def query(description: str) -> dict[str, Any]:
    """A question."""
    return {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_QUERY_CHARS, "description": description}


def one_or_more_queries() -> dict[str, Any]:
    """A query or a bounded list of them; the engine refuses empty and very long ones."""
    text = {"type": "string"}
    return {"anyOf": [text, {"type": "array", "items": text, "maxItems": caps.MAX_SEARCH_QUERIES}]}


def intent() -> dict[str, Any]:
    """The kind of question."""
    return {"type": "string", "enum": [kind.value for kind in Intent]}


def crawl(description: str, *, max_pages: int, default_pages: int, max_depth: int) -> dict[str, Any]:
    """How far a crawl goes; each part may be left out or null."""
    return {
        "type": "object",
        "properties": {
            "scope": {
                "type": ["string", "null"],
                "enum": [*(scope.value for scope in CrawlScope), None],
                "description": "page: what it links to; subpages (default): below its folder; host: all of it.",
            },
            "max_pages": _limit(1, max_pages, f"Default {default_pages}."),
            "max_depth": _limit(0, max_depth, f"Links away; default {caps.DEFAULT_CRAWL_DEPTH}."),
        },
        "additionalProperties": False,
        "description": description,
    }


def _limit(lowest: int, highest: int, description: str) -> dict[str, Any]:
    return {"type": ["integer", "null"], "minimum": lowest, "maximum": highest, "description": description}


def as_list(value: str | list[str]) -> list[str]:
    """Distinct addresses in order."""
    return list(dict.fromkeys([value] if isinstance(value, str) else value))


def as_question(urls: str | list[str], arguments: Mapping[str, Any]) -> Question:
    """What `answer` is asked, from its checked arguments; the addresses have different names in tool and command line."""
    return Question(
        tuple(as_list(urls)),
        arguments["query"],
        intent=arguments.get("intent"),
        known_context=arguments.get("known_context"),
        constraints=tuple(arguments.get("constraints", ())),
        expansion_budget=arguments.get("expansion_budget"),
    )
