"""From a question to what is searched: its intent and its sub-queries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.retrieval.records import Intent, QueryAnalysis
from app.text.terms import query_terms

_COMPARISON = re.compile(
    r"\b(?:compare[ds]?|comparison|versus|vs\.?|differ(?:s|ence|ences)?|better than|or rather)\b", re.IGNORECASE
)
_HOW_TO = re.compile(
    r"\bhow (?:do|can|should|would|to|does one)\b|^(?:steps|guide|tutorial|example)\b|\bcommand (?:to|for)\b",
    re.IGNORECASE,
)
_EXPLORATORY = re.compile(
    r"^(?:tell me about|overview|explain|describe|summari[sz]e|what (?:is|are) the main)\b", re.IGNORECASE
)
_QUESTION_END = re.compile(r"(?<=[?？])\s+")
_NEXT_QUESTION = re.compile(
    r"[,;]?\s+(?:and|also)\s+(?=(?:how|what|why|when|where|which|who|does|do|is|are|can|should)\b)", re.IGNORECASE
)
_BETWEEN = re.compile(r"\b(?:between|compare)\s+(.+?)\s+(?:and|with|to|vs\.?|versus)\s+(.+?)(?:[?.]|$)", re.IGNORECASE)
_MIN_TERMS: Final = 2


def analyse(query: str, *, intent: str | None = None, constraints: Sequence[str] = ()) -> QueryAnalysis:
    """Split a question into sub-queries, the whole first; constraints sharpen the whole.

    Raises InvalidArgumentError when nothing searchable is in the question.
    """
    whole = " ".join(query.split())
    if not query_terms(whole):
        raise InvalidArgumentError("The query holds no word that can be searched.", hint="Ask with at least one word.")
    parts = [whole, *_parts(whole)]
    parts += [f"{whole} {constraint}" for constraint in constraints]
    distinct = tuple(dict.fromkeys(part for part in parts if part == whole or len(query_terms(part)) >= _MIN_TERMS))
    return QueryAnalysis(query=whole, intent=_intent(whole, intent), sub_queries=distinct[: caps.MAX_SUB_QUERIES])


def _parts(whole: str) -> list[str]:
    questions = [part for sentence in _QUESTION_END.split(whole) for part in _NEXT_QUESTION.split(sentence)]
    compared = _BETWEEN.search(whole)
    sides = [side.strip() for side in compared.groups()] if compared else []
    return (questions if len(questions) > 1 else []) + sides


def _intent(query: str, named: str | None) -> Intent:
    if named is not None:
        return Intent(named)
    for pattern, intent in (
        (_COMPARISON, Intent.COMPARISON),
        (_HOW_TO, Intent.HOW_TO),
        (_EXPLORATORY, Intent.EXPLORATORY),
    ):
        if pattern.search(query):
            return intent
    return Intent.FACTUAL
