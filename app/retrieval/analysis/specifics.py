"""What tells the thing asked for from its likes: names of code, quoted words, words with digits."""

from __future__ import annotations

import re
from typing import Final

from app import caps
from app.retrieval.records import QueryAnalysis

_WITH_DIGIT: Final = re.compile(r"(?<!\w)(?:\w[\w.-]*\d\w*|\d\w*)")


def specifics(analysis: QueryAnalysis) -> tuple[str, ...]:
    """Names, quoted phrases and words with digits (`plan-1234`, `42`) of the question, each once."""
    found = (*analysis.names, *analysis.phrases, *_WITH_DIGIT.findall(analysis.query))
    return tuple(dict.fromkeys(found))[: caps.MAX_EXACT_NAMES]
