"""Which stages of an answer take part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.retrieval.candidates import SearchMode


@dataclass(frozen=True, slots=True)
class Stages:
    """Switches, one a stage; all but `graph` are on unless a setting or a measurement leaves one out.

    `sub_queries`: parts of the question are searched beside the whole. `keyword`, `meaning`: the retrievers. `rerank`: the second,
    finer look at the candidates; it reads the question behind the titles of pages too (`context`), prefers passages of the form that
    answers such questions (`form`) and the pages that were named or read (`named_first`). `link_meaning`: links are judged by meaning
    beside their words. `sufficiency`: expansion ends once the evidence suffices. `passages`: neighbouring chunks are joined and completed.
    `whole_pages`: small pages are returned whole. `nothing_found`: weak evidence is said to be none.
    `graph`: pages that the best candidates stand on or lead to are searched once more; measured, it brings `answer` and `search` nothing.
    """

    sub_queries: bool = True
    keyword: bool = True
    meaning: bool = True
    rerank: bool = True
    context: bool = True
    form: bool = True
    named_first: bool = True
    link_meaning: bool = True
    sufficiency: bool = True
    passages: bool = True
    whole_pages: bool = True
    nothing_found: bool = True
    graph: bool = False

    @property
    def mode(self) -> SearchMode:
        """The retrievers that take part."""
        if self.keyword == self.meaning:
            return SearchMode.HYBRID
        return SearchMode.KEYWORD if self.keyword else SearchMode.MEANING


ALL_STAGES: Final = Stages()
