"""`answer`, `search`, `status`, `ingest`, `verify`: the engine's methods as commands."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from app.bridge.find import find_instance
from app.cli.calls import call_and_print
from app.cli.output import port_lost_text, print_failures, remark
from app.settings import load_settings

if TYPE_CHECKING:
    from app.server.render.text import Budget, CountTokens


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

    def show(result: OrchestrationResult, budget: Budget, count: CountTokens) -> str:
        return answer_text(result, budget=budget, count=count, now=time.time())

    result = call_and_print(options, "answer", params, OrchestrationResult, show)
    failed = any(not failure.goes_on for failure in result.failures)
    return 1 if failed and not result.chunks else 0


def search(options: argparse.Namespace) -> int:
    """Evidence from what is stored."""
    from app.orchestration.result import OrchestrationResult
    from app.server.render.answer import search_text

    params = {
        "query": options.question,
        "source_urls": [*(options.url or ()), *_labels(options)] or None,
        "intent": options.intent,
        "top_k": options.top_k,
        "mode": options.mode,
    }

    def show(result: OrchestrationResult, budget: Budget, count: CountTokens) -> str:
        return search_text(result, budget=budget, count=count, now=time.time())

    call_and_print(options, "search", params, OrchestrationResult, show)
    return 0


def _labels(options: argparse.Namespace) -> list[str]:
    """The collections and tags named, as sources."""
    named = (("collection", options.collection), ("tag", options.tag))
    return [f"{kind}:{name}" for kind, names in named for name in names or ()]


def status(options: argparse.Namespace) -> int:
    """What is indexed."""
    from app.corpus.records import CorpusStatus
    from app.server.render.status import status_text

    def show(result: CorpusStatus, budget: Budget, count: CountTokens) -> str:
        return status_text(result, include_urls=True, budget=budget, count=count)

    call_and_print(options, "status", {"source_url": options.url}, CorpusStatus, show)
    running = find_instance(load_settings(data_dir=options.data_dir).data_dir)
    if running is not None and running.wanted_port:
        remark(port_lost_text(running.wanted_port, running.url))
    return 0


def ingest(options: argparse.Namespace) -> int:
    """Read pages; the status says whether all could be read. Each that could not is an error of its own."""
    from app.ingest.outcome import IngestedPage
    from app.server.render.status import ingest_text

    def show(pages: tuple[IngestedPage, ...], budget: Budget, count: CountTokens) -> str:
        read = [page for page in pages if not page.is_failed]
        return ingest_text(read, budget=budget, count=count) if read else ""

    params = {"urls": options.urls, "refresh": options.refresh}
    pages = call_and_print(options, "ingest", params, tuple[IngestedPage, ...], show)
    return print_failures(pages, as_json=options.json)


def verify(options: argparse.Namespace) -> int:
    """Check the corpus; the status says whether it is sound."""
    from app.corpus.records import Problem

    def show(problems: list[Problem], budget: Budget, count: CountTokens) -> str:
        return "\n".join(f"{problem.check}: {problem.detail}" for problem in problems) or "The library is sound."

    return 1 if call_and_print(options, "verify", {}, list[Problem], show) else 0
