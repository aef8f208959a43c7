"""What `/control/call` can run: the engine's methods under checked parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.ingest.outcome import IngestedPage
from app.orchestration.result import OrchestrationResult
from app.progress import ProgressCallback
from app.server.control.care import CARE_METHODS
from app.server.control.files import FILE_METHODS
from app.server.control.jobs import JOB_METHODS
from app.server.control.method import Account, Arguments, ControlMethod
from app.server.control.scratch import SCRATCH_METHODS
from app.server.control.surface import SURFACE_METHODS
from app.server.control.usage import USAGE_METHODS
from app.server.tools import schemas

if TYPE_CHECKING:
    from app.engine import Engine

__all__ = ["METHODS", "MODES", "Account", "Arguments", "ControlMethod"]

MODES: Final = ("hybrid", "keyword", "meaning")


async def _answer(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.run(schemas.as_question(arguments["urls"], arguments), progress)


async def _search(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    rest = {key: value for key, value in arguments.items() if key != "query"}
    return await engine.search(arguments["query"], progress=progress, **rest)


async def _ingest(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.ingest(arguments["urls"], refresh=arguments["refresh"], progress=progress)


async def _status(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.status(arguments.get("source_url"), limit=arguments["limit"])


async def _verify(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.maintenance.verify()


async def _library(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    return await engine.documents.find(arguments["text"], limit=arguments["limit"], offset=arguments["offset"])


async def _delete(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> Any:
    """The addresses under which pages were stored and are no more."""
    deleted: list[str] = []
    for url in arguments["urls"]:
        for document in (await engine.status(url, limit=1)).documents:
            if await engine.documents.delete([document.id]):
                deleted.append(document.url)
    return deleted


def _evidence_account(result: OrchestrationResult) -> Account:
    pages = tuple(dict.fromkeys(item.chunk.url for item in result.chunks))
    failed = bool(result.failures) and not pages
    return Account(pages, result.failures[0].code if failed else "")


def _ingest_account(pages: Sequence[IngestedPage]) -> Account:
    read = tuple(page.url for page in pages if not page.is_failed)
    return Account(read, "" if read or not pages else pages[0].failure_code)


_URLS: Final = schemas.url_list("Addresses.")
_QUERY: Final = schemas.query("Question.")


def _count(default: int, highest: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": highest, "default": default}


METHODS: Final[Mapping[str, ControlMethod]] = {
    "answer": ControlMethod(
        _answer,
        {
            "urls": _URLS,
            "query": _QUERY,
            "intent": schemas.intent(),
            "known_context": {"type": "string", "maxLength": caps.MAX_KNOWN_CONTEXT_CHARS},
            "constraints": {"type": "array", "items": {"type": "string"}, "maxItems": caps.MAX_CONSTRAINTS},
            "expansion_budget": {"type": "integer", "minimum": 0, "maximum": caps.MAX_EXPANSION_BUDGET},
        },
        ("urls", "query"),
        account=_evidence_account,
    ),
    "search": ControlMethod(
        _search,
        {
            "query": _QUERY,
            "source_urls": _URLS,
            "intent": schemas.intent(),
            "top_k": {"type": "integer", "minimum": 1, "maximum": caps.MAX_TOP_K},
            "mode": {"type": "string", "enum": list(MODES)},
        },
        ("query",),
        account=_evidence_account,
    ),
    "ingest": ControlMethod(
        _ingest,
        {"urls": _URLS, "refresh": {"type": "boolean", "default": False}},
        ("urls",),
        account=_ingest_account,
        goes_on=True,
    ),
    "status": ControlMethod(
        _status,
        {"source_url": schemas.URL, "limit": _count(caps.MAX_STATUS_URLS, caps.MAX_LIBRARY_SHOWN)},
    ),
    "verify": ControlMethod(_verify),
    "library": ControlMethod(
        _library,
        {
            "text": {"type": "string", "maxLength": caps.MAX_QUERY_CHARS, "default": ""},
            "limit": _count(caps.MAX_STATUS_URLS, caps.MAX_LIBRARY_SHOWN),
            "offset": _count(0, 2**31),
        },
    ),
    "delete": ControlMethod(_delete, {"urls": _URLS}, ("urls",)),
    **CARE_METHODS,
    **SURFACE_METHODS,
    **USAGE_METHODS,
    **JOB_METHODS,
    **FILE_METHODS,
    **SCRATCH_METHODS,
}
