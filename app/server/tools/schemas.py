"""Shared parts of tool parameters: schemas, and the checked `scope` and `filters`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError
from app.ingest.crawling.options import CRAWL_LIMITS, CrawlScope
from app.library.scope import ENVIRONMENTS, Narrowing, Scope
from app.orchestration.question import Question
from app.retrieval.records import Intent
from app.server.calls.arguments import as_list
from app.server.calls.registry import ToolCall
from app.server.render.text import JsonObject
from app.text.sentence import sentence

MAX_PATH_CHARS: Final = 4_096
MAX_SCOPE_ENTRIES: Final = 25
MAX_SCOPE_CHARS: Final = 200


def text(longest: int, description: str = "") -> JsonObject:
    """Return the schema of a text that is not blank."""
    schema: JsonObject = {"type": "string", "pattern": r"\S", "maxLength": longest}
    return meaning(schema, description) if description else schema


def meaning(schema: JsonObject, description: str) -> JsonObject:
    return {**schema, "description": description}


URL: Final = text(caps.MAX_URL_CHARS)
PASSAGE_ID: Final = text(caps.MAX_PASSAGE_ID_CHARS)
SHORT_TEXT: Final = text(caps.MAX_FOLDER_NAME_CHARS)
PATH: Final = text(MAX_PATH_CHARS)  # An absolute path.
CONVERSATION: Final = "conversation:"  # In place of an address: all pages that this connection received.
TEXT: Final[JsonObject] = {"type": "string"}
WHOLE: Final[JsonObject] = {"type": "integer"}
NUMBER: Final[JsonObject] = {"type": "number"}
FLAG: Final[JsonObject] = {"type": "boolean"}
TEXTS: Final[JsonObject] = {"type": "array", "items": TEXT}


def optional(schema: JsonObject) -> JsonObject:
    """Return the schema with null allowed, which counts as omitted."""
    return {**schema, "type": [schema.get("type", "string"), "null"]}


def choice(values: type[StrEnum]) -> JsonObject:
    return {"type": "string", "enum": list(values)}


def option(values: Iterable[str], description: str = "") -> JsonObject:
    """Return the schema of a choice; null counts as omitted."""
    said = {"description": description} if description else {}
    return {"type": ["string", "null"], "enum": [*values, None], **said}


def whole(lowest: int, highest: int, default: int | None = None) -> JsonObject:
    """Return the schema of a bounded whole number, with a default unless it is None."""
    schema: JsonObject = {"type": "integer", "minimum": lowest, "maximum": highest}
    return schema if default is None else {**schema, "default": default}


def arguments(properties: JsonObject, *required: str) -> JsonObject:
    """Return the schema of the arguments of a tool."""
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def without_meaning(schema: JsonObject) -> JsonObject:
    """Return the schema of a parameter without its description, for lists in which the name or another tool explains it."""
    return {key: value for key, value in schema.items() if key != "description"}


def record(always: JsonObject, **sometimes: JsonObject) -> JsonObject:
    """Return the schema of a result object with its required and optional fields."""
    return {"type": "object", "properties": {**always, **sometimes}, "required": list(always)}


def listing(entry: JsonObject) -> JsonObject:
    return {"type": "array", "items": entry}


LINE: Final = optional({**TEXT, "maxLength": caps.MAX_URL_CHARS})
LABELS: Final = optional({"type": "array", "items": text(MAX_SCOPE_CHARS), "maxItems": MAX_SCOPE_ENTRIES})

SCOPE: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "project_id": LINE,
        "environment": option(ENVIRONMENTS),
        "doc_tags": meaning(LABELS, "e.g. docs.python.org/3, collection:NAME, package:flask"),
        "repositories": LABELS,
    },
    "additionalProperties": False,
    "description": "Where to search.",
}

ELSEWHERE: Final[JsonObject] = {"type": "object", "description": "See kb_retrieve_evidence."}
"""Thirteen tools have a scope; its fields are listed only once, where most calls begin."""

FILTERS: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "doc_tag": LABELS,
        "path_prefix": meaning(LINE, "e.g. library/"),
        "updated_after": meaning(LINE, "ISO 8601"),
    },
    "additionalProperties": False,
    "description": "Narrow the scope.",
}

URLS: Final[JsonObject] = {"type": "array", "items": URL, "minItems": 1, "maxItems": caps.MAX_URLS_PER_CALL}


def one_or_more_urls(description: str) -> JsonObject:
    return {"anyOf": [URL, URLS], "description": description}


def query(description: str) -> JsonObject:
    return text(caps.MAX_QUERY_CHARS, description)


ONE_OR_MORE_QUERIES: Final[JsonObject] = {"anyOf": [TEXT, {**TEXTS, "maxItems": caps.MAX_SEARCH_QUERIES}]}
"""A query or a bounded list of them; the engine refuses empty and very long ones."""


def intent() -> dict[str, Any]:
    return {"type": "string", "enum": [kind.value for kind in Intent]}


def crawl(description: str, *, max_pages: int, default_pages: int, max_depth: int) -> dict[str, Any]:
    """Return the schema of the range of a crawl; each part may be omitted or null."""
    return {
        "type": "object",
        "properties": {
            "scope": {
                "type": ["string", "null"],
                "enum": [*(scope.value for scope in CrawlScope), None],
                "description": "page: its links; subpages: its folder; host: the whole host.",
            },
            "max_pages": _limit("max_pages", max_pages, f"Default {default_pages}."),
            "max_depth": _limit("max_depth", max_depth, "Link depth."),
        },
        "additionalProperties": False,
        "description": description,
    }


def _limit(option: str, highest: int, description: str) -> dict[str, Any]:
    lowest = CRAWL_LIMITS[option]["minimum"]
    return {"type": ["integer", "null"], "minimum": lowest, "maximum": highest, "description": description}


def as_question(urls: str | list[str], arguments: Mapping[str, Any]) -> Question:
    """Return the question for `answer` from its checked arguments; the tool and the command line name the addresses differently."""
    return Question(
        tuple(as_list(urls)),
        arguments["query"],
        intent=arguments.get("intent"),
        known_context=arguments.get("known_context"),
        constraints=tuple(arguments.get("constraints", ())),
        expansion_budget=arguments.get("expansion_budget"),
    )


def read_here(call: ToolCall) -> tuple[str, ...]:
    """Return the pages that this connection received. Raises InvalidArgumentError if there are none, or if that is unknown."""
    if not call.read:
        unknown = sentence("The conversations of this assistant cannot be told apart.")
        raise InvalidArgumentError(
            unknown if call.read is None else sentence("No page was read in this conversation."),
            hint="Name pages, or search all of them.",
        )
    return call.read


def scope_of(call: ToolCall) -> Scope:
    """Return the scope of a call. Raises ScopeViolationError for another project, InvalidArgumentError for another library."""
    given = call.arguments.get("scope", {})
    scope = Scope(
        project_id=given.get("project_id") or "",
        environment=given.get("environment") or "",
        doc_tags=tuple(given.get("doc_tags") or ()),
        repositories=tuple(given.get("repositories") or ()),
    )
    scope.check(call.engine.settings.project_id)
    call.engine.check_here(
        scope.doc_tags,
        "`scope` covers only the private library; for this page use `source_urls` of search or `url` of web_read_from_page.",
    )
    return scope


def narrowing_of(call: ToolCall) -> Narrowing:
    """Return the filters of a call within its scope. Raises InvalidArgumentError."""
    given = call.arguments.get("filters", {})
    after = given.get("updated_after")
    seconds = None
    try:
        if after:
            moment = datetime.fromisoformat(after.strip())
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise InvalidArgumentError(
            sentence("{} must be a date or time in ISO 8601.", "`filters.updated_after`"),
            hint="For example 2026-02-22 or 2026-02-22T14:30:00Z.",
        ) from None
    doc_tags, prefix = tuple(given.get("doc_tag") or ()), given.get("path_prefix") or ""
    return Narrowing(doc_tags=doc_tags, path_prefix=prefix, changed_after=seconds)
