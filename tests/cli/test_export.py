"""Results of a running instance arrive as the dataclasses they were."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.corpus.records import Chunk, CorpusStatus, CorpusTotals, DocumentState, DocumentSummary, ImageRecord
from app.ingest.outcome import IngestedPage
from app.orchestration.result import (
    CorpusStats,
    Decision,
    ExpansionStep,
    OrchestrationResult,
    SourceFailure,
    SourceImage,
    Timing,
)
from app.retrieval.records import CitationSpan, Intent, QueryAnalysis, RetrievedChunk
from app.serialise import from_jsonable, to_jsonable

CHUNK = Chunk(1, 2, "k", 0, "u", "t", ("A", "B"), None, "text", 0, 4, 0, 0, 3, 1.5)
RESULT = OrchestrationResult(
    query="why",
    analysis=QueryAnalysis("why", Intent.FACTUAL, ("why", "how")),
    mode="chunk",
    chunks=(
        RetrievedChunk(CHUNK, 0.5, 0.75, matched=("keyword",)),
        RetrievedChunk(CHUNK, 0.1, 0.2, 0.3, 0.4, "how"),
    ),
    citations=(CitationSpan(1, 2, "text", 0, 4, "u", "t", "A"),),
    corpus_stats=CorpusStats(1, ("u",), 3),
    timing=Timing(total_ms=12.5),
    final_decision=Decision("enough"),
    seed_url="u",
    expansion_steps=(ExpansionStep("v", "u", 1, 1, 2, 0.1, 0.2, 3.0),),
    expansion_budget=3,
    images=(SourceImage("u", ImageRecord("i", "alt", "", 7)),),
    failures=(SourceFailure("w", "TIMEOUT", "slow"),),
    notes=("note",),
)
SUMMARY = DocumentSummary(1, "u", "t", "html", "", DocumentState.TEXT, 1, 0, 2, 1.0, 2.0, "")
STATUS = CorpusStatus(CorpusTotals(1, 2, 3, 4, 5), (SUMMARY,), omitted=1)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (OrchestrationResult, RESULT),
        (OrchestrationResult, replace(RESULT, chunks=(), seed_url=None, expansion_budget=None)),
        (CorpusStatus, STATUS),
        (tuple[IngestedPage, ...], (IngestedPage("u", "t", "stored", 1, 2, 3),)),
        (list[IngestedPage], []),
    ],
)
def test_a_result_survives_the_way_through_json(kind: Any, value: Any) -> None:
    assert from_jsonable(kind, json.loads(json.dumps(to_jsonable(value)))) == value


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (CorpusTotals, {"documents": 1}),
        (CorpusTotals, {**to_jsonable(STATUS.totals), "unknown": 1}),
        (CorpusTotals, [1, 2]),
        (tuple[CorpusTotals, ...], {"documents": 1}),
        (DocumentSummary, {**to_jsonable(SUMMARY), "state": "nowhere"}),
    ],
)
def test_another_shape_is_refused(kind: Any, value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the kinds of mistakes have no words in common
        from_jsonable(kind, value)
