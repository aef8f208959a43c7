"""From a question to what is searched: its intent, its sub-queries, its names and the form of passage that answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.retrieval.answer_form import is_refusal, wants_of
from app.retrieval.records import Intent, QueryAnalysis, Want
from app.retrieval.subqueries import compared_sides, parts_of
from app.text.terms import exact_names, may_be_english, query_terms, quoted_phrases

_COMPARISON: Final = re.compile(
    r"^(?:please )?compare\b|\bcompared (?:to|with)\b|\bcomparisons? (?:of|between)\b|\bversus\b|\bvs\b"
    r"|\bdiffer(?:s|ences?|ent(?:ly)? from)\b|\bor (?:rather|should|just)\b|\bwhich (?:one )?of (?:the|these"
    r"|those|both)\b"
    r"|\b(?:better|faster|quicker|slower|leaner|cheaper|safer|more|less|fewer)\b[^.?]{0,60}\bthan\b|\b(?:is|are"
    r"|does|do)\b.{3,60}\bas \w+ as\b|\bprefer\w*\b|\bpros and cons\b"
    r"|\bunterschiede?\b|\bdiff[ée]rences? entre\b|\bdiferencias? entre\b",
    re.IGNORECASE,
)
_HOW_TO: Final = re.compile(
    r"\bhow (?:do|can|could|should|would|might) (?:i|we|you|one)\b|\bhow to\b|^(?:steps|guide|tutorial|example"
    r"|recipe)s?\b|\bcommand (?:to|for)\b"
    r"|\bwhat (?:do|should|can|must|am) (?:i|we) (?:supposed to )?(?:type|put|write|do|pass|add|run|use|call|set"
    r"|return|switch|save|require)\b"
    r"|\b(?:is there a|which|what|any) (?:way|command)s?\b|^wie (?:kann|mache|stelle|soll) |^comment (?:faire"
    r"|puis-je|peut-on)\b|^c[oó]mo (?:puedo|se)\b",
    re.IGNORECASE,
)
_EXPLORATORY: Final = re.compile(
    r"^(?:tell me (?:more )?about|(?:an )?overview|explain|describe|summari[sz]e|introduction to|what (?:is"
    r"|are) the main)\b"
    r"|\bwhat should i know\b|\bhow does .{3,60} work\b|\bin which situations?\b|\bwhat could be (?:behind"
    r"|wrong)\b|\ba (?:good fit|poor choice|good idea)\b",
    re.IGNORECASE,
)
_NAMED_INTENT_WANTS: Final = {Intent.COMPARISON: (Want.CHOICE,), Intent.HOW_TO: (Want.CODE,)}
_WITH_DIGIT: Final = re.compile(r"(?<!\w)(?:\w[\w.-]*\d\w*|\d\w*)")


def analyse(
    query: str, *, intent: str | None = None, constraints: Sequence[str] = (), known_context: str | None = None
) -> QueryAnalysis:
    """Make a question ready. `known_context` tells what its pronouns mean; constraints ask for kinds of passages and for names.

    Raises InvalidArgumentError when nothing searchable is in the question.
    """
    whole = " ".join(query.split())
    if not query_terms(whole):
        raise InvalidArgumentError("The query holds no word that can be searched.", hint="Ask with at least one word.")
    kind = Intent(intent) if intent is not None else _intent(whole)
    wishes = [constraint for constraint in constraints if not is_refusal(constraint)]
    asked = {*wants_of(whole, wishes), *(_NAMED_INTENT_WANTS.get(kind, ()) if intent is not None else ())}
    sources = (whole, *wishes)
    return QueryAnalysis(
        query=whole,
        intent=kind,
        sub_queries=(whole, *parts_of(whole, known_context or ""))[: caps.MAX_SUB_QUERIES],
        wants=tuple(want for want in Want if want in asked),
        names=_distinct(exact_names, sources),
        phrases=_distinct(quoted_phrases, sources),
        is_english=may_be_english(whole),
    )


def specifics(analysis: QueryAnalysis) -> tuple[str, ...]:
    """Names, quoted phrases and words with digits (`plan-1234`, `42`) of the question, each once."""
    found = (*analysis.names, *analysis.phrases, *_WITH_DIGIT.findall(analysis.query))
    return tuple(dict.fromkeys(found))[: caps.MAX_EXACT_NAMES]


def _distinct(find: Callable[[str], tuple[str, ...]], sources: Sequence[str]) -> tuple[str, ...]:
    found = dict.fromkeys(name for source in sources for name in find(source))
    return tuple(found)[: caps.MAX_EXACT_NAMES]


def _intent(query: str) -> Intent:
    if _COMPARISON.search(query) or compared_sides(query):
        return Intent.COMPARISON
    if _EXPLORATORY.search(query):
        return Intent.EXPLORATORY
    return Intent.HOW_TO if _HOW_TO.search(query) else Intent.FACTUAL
