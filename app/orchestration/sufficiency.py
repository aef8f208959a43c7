"""Whether the pages read so far answer the question, and whether reading more of them pays."""

from __future__ import annotations

from typing import Final

from app.retrieval.evidence import Evidence

SUFFICIENT: Final = 0.92
"""Relevance at which the pages read so far are taken to answer the question."""
PLATEAU: Final = 0.01
"""A round of expansion that raises the best relevance by less than this brought nothing."""


def is_sufficient(evidence: Evidence) -> bool:
    """Whether the best passage is as relevant as an answer is."""
    return evidence.top_score >= SUFFICIENT


def is_plateau(before: Evidence, after: Evidence) -> bool:
    """Whether a round left the best relevance where it was."""
    return after.top_score - before.top_score < PLATEAU
