"""A search whose question names a site covers only that site, unless it is asked everywhere."""

from __future__ import annotations

import pytest

from app.corpus import Corpus
from app.events import no_progress
from app.library.scope import Filter
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import SearchMode
from app.server.render.answer import search_text
from app.text.terms import estimate_tokens
from tests.orchestration.test_cited import ROOMY, asking
from tests.support.graph import store_manuals

SITES = ("https://docs.pumpctl.org/", "https://www.hivesql.example/")


@pytest.mark.parametrize("narrows", [True, False])
async def test_a_search_says_where_it_looked(corpus: Corpus, narrows: bool) -> None:
    for site in SITES:
        store_manuals(corpus, {"oil.html": f"# Oil\n\nOil for the shaft of {site}.\n"}, site)
    async with asking(corpus) as (orchestrator, _):
        found: OrchestrationResult = await orchestrator.search(
            "In pumpctl, which oil is for the shaft?",
            scope=Filter(),
            documents=2,
            chunks=2,
            missing=(),
            intent=None,
            top_k=5,
            mode=SearchMode.KEYWORD,
            narrows=narrows,
            progress=no_progress,
        )
    text = search_text(found, budget=ROOMY, count=estimate_tokens, now=1.0)
    assert found.looked_in == ("docs.pumpctl.org" if narrows else "")
    assert len({item.chunk.url for item in found.chunks}) == found.corpus_stats.total_documents == (1 if narrows else 2)
    assert ("Note: Looked in: docs.pumpctl.org. To search everywhere, leave out this name." in text) == narrows
