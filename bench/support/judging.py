"""Judge results, and print them as tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from support.questions import Question
from support.report import Row, percentile
from support.spans import evidence_blocks, holds_any, says_nothing_found

CHARS_PER_TOKEN: Final = 4
TOPS: Final = (1, 3, 5)
SHARES: Final = ("hit %", *(f"top {top} %" for top in TOPS), "said none %", "false none %")
_SERVED_SITE: Final = re.compile(r"http://127\.0\.0\.1:\d+/([\w.-]+)/")
"""The folder of the served site in an address in a result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a question. `place` is the first evidence block with a span, from 1 (0: none). `hit`: the text contains a span.

    `sites` are the sites of the cited pages, `looked_in` the place that the search was narrowed to.
    """

    question: Question
    hit: bool
    place: int
    blocks: int
    said_none: bool
    error: bool
    tokens: int
    ms: float
    sites: frozenset[str] = frozenset()
    looked_in: str = ""


def judge(question: Question, text: str, *, error: bool, ms: float) -> Outcome:
    """Judge one result. An error is neither a hit nor a correct "nothing found"."""
    blocks, gold = evidence_blocks(text), question.gold
    place = 0
    if not error:
        place = next((number for number, block in enumerate(blocks, 1) if holds_any(block, gold)), 0)
    return Outcome(
        question,
        hit=not error and holds_any(text, gold),
        place=place,
        blocks=len(blocks),
        said_none=not error and says_nothing_found(text),
        error=error,
        tokens=len(text) // CHARS_PER_TOKEN,
        ms=ms,
        sites=frozenset(_SERVED_SITE.findall(text)),
    )


def table(name: str, outcomes: Sequence[Outcome], *, by_form: bool = True) -> list[Row]:
    """Return rows for all answerable questions, by hops, form and language, for paraphrased ones and for those without an answer."""
    answerable = [o for o in outcomes if o.question.gold]
    unanswerable = [o for o in outcomes if not o.question.gold]
    groups: list[tuple[str, list[Outcome]]] = [("all answerable", answerable)]
    for hops in sorted({o.question.hops for o in answerable}):
        groups.append((_distance(hops), [o for o in answerable if o.question.hops == hops]))
    for form in sorted({o.question.form for o in answerable if by_form}):
        groups.append((f"form: {form}", [o for o in answerable if o.question.form == form]))
    languages = sorted({o.question.asked_in for o in outcomes}, key=lambda name: (len(name), name))
    for language in languages if len(languages) > 1 else ():
        groups.append((f"language: {language}", [o for o in answerable if o.question.asked_in == language]))
    groups.append(("in other words", [o for o in answerable if o.question.paraphrase]))
    groups.append(("unanswerable", unanswerable))
    return [{"system": name, "questions": group, **figures(found)} for group, found in groups if found]


def figures(outcomes: Sequence[Outcome]) -> Row:
    """Return shares in percent and means. All outcomes are either answerable or not; there is at least one.

    Ranks are left out for a system without blocks.
    """
    row: dict[str, object] = {"n": len(outcomes)} | dict.fromkeys(SHARES, "")
    none = share(outcomes, lambda o: o.said_none)
    if not outcomes[0].question.gold:
        row["said none %"] = none
    else:
        row |= {"hit %": share(outcomes, lambda o: o.hit), "false none %": none}
        if any(o.blocks for o in outcomes):
            row |= {f"top {top} %": share(outcomes, lambda o, top=top: 0 < o.place <= top) for top in TOPS}  # type: ignore[misc]
    times = [o.ms for o in outcomes]
    return {
        **row,
        "other sites %": share(outcomes, lambda o: bool(o.sites - {o.question.site}))
        if any(o.sites for o in outcomes)
        else "",
        "errors": sum(o.error for o in outcomes),
        "blocks": sum(o.blocks for o in outcomes) / len(outcomes),
        "tokens": round(sum(o.tokens for o in outcomes) / len(outcomes)),
        "p50 ms": percentile(times, 0.5),
        "p95 ms": percentile(times, 0.95),
    }


def share(outcomes: Sequence[Outcome], holds_of: Callable[[Outcome], bool]) -> float:
    """Return the share of the outcomes in percent, or 0 if there are none."""
    return 100 * sum(holds_of(outcome) for outcome in outcomes) / max(1, len(outcomes))


def _distance(hops: int) -> str:
    return "on the page" if hops == 0 else f"{hops} {'link' if hops == 1 else 'links'} away"
