"""The question as it would be read on a page: behind the title of that page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from app import caps
from app.embed.embedder import QueryEmbedding
from app.errors import EmbedderError

log = logging.getLogger(__name__)

EmbedQuery = Callable[[str, str], QueryEmbedding]

_THREADS: Final = ThreadPoolExecutor(caps.CONTEXT_THREADS, thread_name_prefix="context")
"""Shared: to start threads for each question takes longer than what they do. They begin with the first question."""


@dataclass(frozen=True, slots=True)
class QuestionInContext:
    """Embeds a question behind titles, each once. Blocking, for one thread at a time."""

    question: str
    embed: EmbedQuery
    _read: dict[str, Future[QueryEmbedding | None]] = field(default_factory=dict)

    def begin(self, titles: Iterable[str]) -> None:
        """Have the question embedded behind these titles; `behind` waits for it."""
        fresh = [title for title in dict.fromkeys(titles) if title and title not in self._read]
        self._read.update({title: _THREADS.submit(self._embedded, title) for title in fresh})

    def behind(self, title: str) -> QueryEmbedding | None:
        """The question's own tokens, read behind the title; None where that cannot be had."""
        if not title:
            return None
        self.begin([title])
        return self._read[title].result()

    def _embedded(self, title: str) -> QueryEmbedding | None:
        try:
            embedding = self.embed(self.question, title)
        except EmbedderError as error:
            log.warning("a question is read without the title of a page: %s", error)
            return None
        return embedding if len(embedding.token_vectors) else None
