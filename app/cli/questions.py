"""`answer`, `search`, `status`, `ingest`, `verify`: the engine's methods as commands."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from typing import Any, TypeVar

from app import caps
from app.cli.calls import call
from app.cli.output import ProgressLine, say, say_json

T = TypeVar("T")


def answer(options: argparse.Namespace) -> int:
    """Evidence for a question from pages."""
    from app.orchestration.result import OrchestrationResult
    from app.server.render.answer import answer_text

    params = {
        "urls": options.urls,
        "query": options.question,
        "intent": options.intent,
        "known_context": options.context,
        "constraints": options.constraint or None,
        "expansion_budget": options.expansion_budget,
    }
    result = _asked(options, "answer", params, OrchestrationResult)
    if options.json:
        _say_result(result)
    else:
        say(answer_text(result, budget=_budget(), count=_count(), now=time.time()))
    return 1 if result.failures and not result.chunks else 0


def search(options: argparse.Namespace) -> int:
    """Evidence from what is stored."""
    from app.orchestration.result import OrchestrationResult
    from app.server.render.answer import search_text

    params = {
        "query": options.question,
        "source_urls": options.url or None,
        "intent": options.intent,
        "top_k": options.top_k,
        "mode": options.mode,
    }
    result = _asked(options, "search", params, OrchestrationResult)
    if options.json:
        _say_result(result)
    else:
        say(search_text(result, budget=_budget(), count=_count(), now=time.time()))
    return 0


def status(options: argparse.Namespace) -> int:
    """What is indexed."""
    from app.corpus.records import CorpusStatus
    from app.server.render.status import status_text

    result = _asked(options, "status", {"source_url": options.url}, CorpusStatus)
    if options.json:
        _say_result(result)
    else:
        say(status_text(result, include_urls=True, budget=_budget(), count=_count()))
    return 0


def ingest(options: argparse.Namespace) -> int:
    """Read pages; the status says whether all of them could be read."""
    from app.orchestration.result import IngestedPage
    from app.server.render.ingest import FAILED, ingest_text

    params = {"urls": options.urls, "refresh": options.refresh}
    pages = _asked(options, "ingest", params, tuple[IngestedPage, ...])
    if options.json:
        _say_result(pages)
    else:
        say(ingest_text(pages, budget=_budget(), count=_count()))
    return 1 if any(page.change == FAILED for page in pages) else 0


def verify(options: argparse.Namespace) -> int:
    """Check the corpus; the status says whether it is sound."""
    from app.corpus.records import Problem

    problems = _asked(options, "verify", {}, list[Problem])
    if options.json:
        _say_result(problems)
    elif problems:
        for problem in problems:
            say(f"{problem.check}: {problem.detail}")
    else:
        say("The corpus is sound.")
    return 1 if problems else 0


def _asked(options: argparse.Namespace, method: str, params: Mapping[str, Any], kind: type[T]) -> T:
    with ProgressLine(shown=not options.json) as line:
        return call(options.data_dir, method, params, kind, line.show)


def _say_result(result: Any) -> None:
    from app.orchestration.export import to_jsonable

    say_json(to_jsonable(result))


def _budget() -> Any:
    from app.server.render.budget import Budget
    from app.settings import Settings

    return Budget(Settings().mcp_response_token_budget, caps.MAX_RESPONSE_CHARS, caps.MAX_RESPONSE_BYTES)


def _count() -> Any:
    from app.text.tokens import estimate_tokens

    return estimate_tokens
