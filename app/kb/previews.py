"""What a candidate shows of itself: the sentences that hold most words of the query, never the whole passage."""

from __future__ import annotations

from typing import Final

from app.kb.cutting import clipped
from app.kb.spans import question_terms, rank_spans
from app.text.markdown_blocks import Span

SENTENCES: Final = 3
BETWEEN: Final = " … "


def preview(text: str, query: str, max_chars: int) -> str:
    """One to three exact pieces of the text in its order, joined by an ellipsis, within `max_chars`."""
    ranked = rank_spans(question_terms(query), [text])
    if not ranked:
        return clipped(text, max_chars)
    chosen: list[Span] = []
    room = max_chars
    for each in ranked[:SENTENCES]:
        length = each.span.end - each.span.start + (len(BETWEEN) if chosen else 0)
        if length > room or (chosen and each.score == 0):
            break
        chosen.append(each.span)
        room -= length
    if not chosen:
        return clipped(text[ranked[0].span.start : ranked[0].span.end], max_chars)
    return BETWEEN.join(text[span.start : span.end] for span in sorted(chosen, key=lambda span: span.start))
