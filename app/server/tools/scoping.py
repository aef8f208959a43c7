"""Where a call may look: its `scope` and `filters`, checked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError
from app.retrieval.scope import ENVIRONMENTS, Narrowing, Scope
from app.server.calls.registry import ToolCall
from app.server.render.forms import JsonObject

SCOPE_FIELDS: Final = ("project_id", "environment", "doc_tags", "repositories")
FILTERS: Final[JsonObject] = {
    "type": "object",
    "properties": {"doc_tag": {"items": {}}, "path_prefix": {}, "updated_after": {"description": "ISO 8601"}},
}


def scope_of(call: ToolCall) -> Scope:
    """The scope of a call. Raises InvalidArgumentError, and ScopeViolationError for another project."""
    given = call.arguments.get("scope", {})
    if given.keys() - set(SCOPE_FIELDS):
        raise InvalidArgumentError(f"`scope` takes {', '.join(SCOPE_FIELDS)}.")
    environment = given.get("environment") or ""
    if environment and environment not in ENVIRONMENTS:
        raise InvalidArgumentError(f"`scope.environment` must be one of {', '.join(ENVIRONMENTS)}.")
    scope = Scope(
        project_id=_text("scope.project_id", given.get("project_id")),
        environment=environment,
        doc_tags=texts("scope.doc_tags", given.get("doc_tags")),
        repositories=texts("scope.repositories", given.get("repositories")),
    )
    scope.check(call.engine.settings.project_id)
    return scope


def narrowing_of(call: ToolCall) -> Narrowing:
    """What a call wants to see of its scope. Raises InvalidArgumentError."""
    given = call.arguments.get("filters", {})
    known = FILTERS["properties"]
    if given.keys() - known.keys():
        raise InvalidArgumentError(f"`filters` takes {', '.join(known)}.")
    return Narrowing(
        doc_tags=texts("filters.doc_tag", given.get("doc_tag")),
        path_prefix=_text("filters.path_prefix", given.get("path_prefix")),
        changed_after=_time(_text("filters.updated_after", given.get("updated_after"))),
    )


def texts(field: str, values: Any) -> tuple[str, ...]:
    """A list of short strings. Raises InvalidArgumentError."""
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise InvalidArgumentError(f"`{field}` must be a list of strings.")
    if len(values) > caps.MAX_SCOPE_ENTRIES or any(len(value) > caps.MAX_SCOPE_CHARS for value in values):
        raise InvalidArgumentError(
            f"`{field}` may hold {caps.MAX_SCOPE_ENTRIES} entries of {caps.MAX_SCOPE_CHARS} characters."
        )
    return tuple(values)


def _text(field: str, value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > caps.MAX_URL_CHARS:
        raise InvalidArgumentError(f"`{field}` must be a string of at most {caps.MAX_URL_CHARS:,} characters.")
    return value


def _time(value: str) -> float | None:
    """Seconds since the epoch of an ISO 8601 date or time; UTC unless it says otherwise."""
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise InvalidArgumentError(
            "`filters.updated_after` must be a date or time in ISO 8601.",
            hint="For example 2026-02-22 or 2026-02-22T14:30:00Z.",
        ) from None
