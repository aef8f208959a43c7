"""From a question to ranked chunks, the same way for candidates and for quotes. Blocking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app import caps
from app.embed.embedder import Embedder
from app.errors import InvalidArgumentError
from app.kb.records import Mode
from app.library.protocol import Library
from app.library.scope import Filter
from app.retrieval.candidates import EmbedWithin, waiting_note
from app.retrieval.evidence import Evidence, EvidenceFinder, SearchArea, prepare_question
from app.retrieval.records import QueryAnalysis, RetrievedChunk, SearchPlan, Stages, SubQuery, Terms
from app.retrieval.rerank import ANYWHERE
from app.text.terms import fold_whitespace

_SAID_AND_MEANT: Final = r"""
out of the box|off the shelf => by default
unless (?:told|asked|said|stated|instructed|set|specified) otherwise => by default
(?:if|when|where) (?:i|you|we) (?:name|give|pass|specify|set|say|choose|pick|change) (?:none|nothing|no \w+) => by default if not given
(?:if|when) (?:i|you|we) (?:leave|left) (?:it|them|that|this) (?:out|away|blank|empty) => by default if not given
without (?:my )?(?:setting|naming|saying|changing|configuring) (?:anything|any \w+) => by default
by itself|on its own|of its own accord|all by themselves => automatically

takes? (?:too|so) long|takes? (?:ages|forever)|never (?:comes back|answers|responds|returns) => timeout expires
at the same time|side by side|simultaneous(?:ly)? => concurrently
one after (?:the other|another)|in turn => sequentially
several times|more than once|again and again|many times|over and over => multiple times
bit by bit|piece by piece|in (?:pieces|chunks|portions|small parts)|little by little => incrementally in chunks
in one go => all at once
by hand => manually
half ?way(?: through)? => during
up to date => latest

get(?:ting|s)? rid of|throw(?:s|ing)? away|wip(?:e|es|ing)|blank(?:ing)? out => remove
thrown away|wiped|thrown out => removed
goes? missing|went missing|vanish(?:es|ed)?|disappear(?:s|ed)? => is removed
forgotten => discarded
remember(?:s|ed)? => store
kept|keeps? track of => stored
cut off => truncated
cut in two => split
dig(?:s|ging)? (.{1,15}?) out => recover \1
put(?:ting|s)? (?:it|them|that|this) back|bring(?:ing|s)? (?:it|them|that|this) back => restore apply
takes? back|undo(?:es|ing)? => revert undo
going away|phased out => deprecated

blew up|blows? up|falls? over|fell over|goes? wrong|went wrong|breaks? down|broke down|chokes?|gives up => fails with an error
hangs?|freez(?:e|es|ing)|froze|gets? stuck|got stuck|stalls? => blocks
complains?|complained|grumbles? => raises an error warning
turn(?:s|ed)? (?:me |us )?away|refus(?:e|es|ed) => reject
nothing happens|does nothing => has no effect ignored
clash(?:es|ed|ing)? => conflict
mistyped|typos? => misspelled
pil(?:e|es|ing) up|keeps? (?:climbing|growing)|grows and grows => increases without limit
eats? (?:up )?|swallows? => consumes
tamper(?:s|ed|ing)? with => modify

(?:switch|turn|flip)(?:ed|es|s|ing)? on|switch .{1,20} on => enable
(?:switch|turn|flip)(?:ed|es|s|ing)? off => disable
keeps? (.{1,40}?) from => prevent \1 from
leav(?:e|ing) out => exclude
hid(?:e|es|ing|den) => hide suppress
(?:is there )?a? ?cap on => limit on
how (?:big|large|long|wide|high|deep) (?:may|can|could) => what is the maximum size of
how (?:far|much|high) (?:can|may|could) (?:i|we|you) (?:raise|increase|push) => what is the maximum value of
how many (.{1,30}?) (?:may|can|could) (?:i|we|you) => what is the maximum number of \1
how come => why
supposed to => should
still make sense|makes? sense => is appropriate
(?:which|what)(?: of (?:them|the two|these|those))?(?: one)? (?:counts|wins|is obeyed|gets used|applies) => which takes precedence
is (?:it|that|this) (?:safe|sound|wise|okay|ok|sensible) => is it recommended
do(?:es)? (?:i|we|it|that) pay for => performance cost overhead of
what does (?:it|that|this|each(?: of them)?) cost(?: me)? => performance cost overhead
a? ?(?:poor|bad) (?:choice|idea) => not recommended
a? ?good (?:fit|idea|choice) => recommended appropriate
frowned upon|advised (?:not|against) => discouraged not recommended
downsides?|drawbacks?|the catch => disadvantage
upsides?|what do (?:i|we) gain => advantage
quicker => faster
slow(?:s|ed|ing)? (?:things |it |everything )?down => performance impact slow

kick(?:s|ed|ing)? off|fir(?:e|es|ed|ing) up|spin(?:s|ning)? up => start
glued? together|stick(?:s|ing)? together|lump(?:ed)? together => combine
gets? at => access
find(?:s|ing)? out|work(?:s|ing)? out|figur(?:e|es|ing) out => determine
peek(?:s|ing)?(?: into| at)?|look(?:s|ing)? into => inspect
picked up|picks? up => detected
tells? apart => distinguish
tells? (?:me|us) => returns
what becomes of => what happens to
(?:when|if) i pass (-{1,2}[\w-]+) => when the option \1 is given
hand(?:s|ed|ing)? over|hand(?:s|ed|ing)? (?=it|them|the) => pass
loop(?:s|ed|ing)? over => iterate over
makes? up => generate
watch(?:es|ing)? => monitor
starting over|from scratch => starting again
under the hood|behind the scenes => internally

line breaks? => newline
whole numbers? => integer
true and false => Boolean
true or false => Boolean
folders? => directory
pictures? => image
web address(?:es)? => URL
interactive prompt => REPL
settings => configuration options
knobs? => parameter option
letter case|capitals => case-sensitive

middle value => median
"""
"""What people say, as a regular expression, and what documentation says, one pair a line."""
WITHOUT_MEANING: Final = "Search by meaning is off ({reason}); keyword search only."
NOTHING_ALLOWED: Final = "Nothing is indexed within this scope and these filters."


@dataclass(frozen=True, slots=True)
class Reading:
    """One wording of the question with the chunks that it finds, most relevant first."""

    analysis: QueryAnalysis
    query: SubQuery
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a question finds: as it was asked, and where that differs in the words of documentation.

    `note` says what made the search worse than it could be.
    """

    readings: tuple[Reading, ...]
    mode: Mode
    graph_disabled: bool
    note: str

    @property
    def evidence(self) -> Evidence:
        """That of the question as it was asked."""
        return self.readings[0].evidence

    @property
    def chunks(self) -> tuple[RetrievedChunk, ...]:
        """The chunks of all readings by their best relevance."""
        best: dict[int, RetrievedChunk] = {}
        for item in (item for reading in self.readings for item in reading.evidence.ranked):
            known = best.get(item.chunk.id)
            if known is None or item.reranked_score > known.reranked_score:
                best[item.chunk.id] = item
        return tuple(sorted(best.values(), key=lambda item: (-item.reranked_score, item.chunk.id)))


class Finder:
    """Ranks what is in the corpus for a question. `has_graph` is False while the graph is switched off."""

    def __init__(
        self,
        corpus: Library,
        embedder: Embedder | None,
        stages: Stages,
        *,
        embed_within: EmbedWithin | None = None,
        has_graph: bool = False,
    ) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._stages = stages
        self._finder = EvidenceFinder(corpus, stages, embed_within)
        self.has_graph = has_graph

    def find(self, question: str, allowed: Filter, mode: Mode, *, rewrite: bool = True) -> Ranked:
        """Chunks of the documents allowed, most relevant first. Raises InvalidArgumentError when nothing can be searched for.

        Without `rewrite` the words of the question are searched as they are: no parts of it, no other words.
        """
        if len(question) > caps.MAX_QUERY_CHARS:
            raise InvalidArgumentError(
                f"The query has {len(question):,} characters; at most {caps.MAX_QUERY_CHARS:,} are allowed.",
                hint="Ask the question itself.",
            )
        # The graph takes part where it is asked for and there is one: by itself it brings no more answers.
        graph = self._corpus.graph if self.has_graph and mode is Mode.HYBRID_LOCAL else None
        uses_graph = graph is not None and graph.has_entities()
        terms = Terms.EXPANDED if rewrite else Terms.EXACT
        first, degraded = self._read(question, allowed, SearchPlan(self._stages.mode, terms, uses_graph))
        readings = [first]
        other = in_words_of_documentation(question) if rewrite and not degraded else question
        if other != question:
            readings.append(self._read(other, allowed, SearchPlan(self._stages.mode))[0])
        if allowed != Filter() and not self._corpus.documents.summaries(filter=allowed, limit=1):
            note = NOTHING_ALLOWED
        else:
            note = WITHOUT_MEANING.format(reason=degraded) if degraded else waiting_note(self._corpus)
        used = Mode.HYBRID_LOCAL if uses_graph else Mode.VECTOR_ONLY
        return Ranked(tuple(readings), used, not self.has_graph, note)

    def _read(self, question: str, allowed: Filter, plan: SearchPlan) -> tuple[Reading, str]:
        """What one wording finds, and why there is no search by meaning (empty where there is)."""
        has_parts = plan.terms is Terms.EXPANDED and self._stages.sub_queries
        ready = prepare_question(self._embedder, question, has_parts=has_parts)
        found = self._finder.collect(ready.queries, SearchArea((allowed,)), plan)
        evidence = self._finder.rank(ready.analysis, ready.queries, found, ANYWHERE, ready.in_context)
        return Reading(ready.analysis, ready.queries[0], evidence), ready.degraded


def in_words_of_documentation(question: str) -> str:
    """The question with what people say replaced by what documentation says; the same where nothing is known."""
    for said, meant in _TABLE:
        question = said.sub(meant, question)
    return question


_TABLE: Final = tuple(
    (re.compile(rf"(?<![\w-])(?:{said})(?![\w-])", re.IGNORECASE), meant)
    for said, _, meant in (line.partition(" => ") for line in _SAID_AND_MEANT.splitlines() if line)
)


def distinct(ranked: Sequence[RetrievedChunk], per_document: int | None) -> list[RetrievedChunk]:
    """The chunks in their order, at most so many of a document (None: all), each text once."""
    texts: set[str] = set()
    counts: dict[int, int] = {}
    chosen: list[RetrievedChunk] = []
    for item in ranked:
        text = fold_whitespace(item.chunk.text).lower()
        document = item.chunk.document_id
        if text not in texts and (per_document is None or counts.get(document, 0) < per_document):
            texts.add(text)
            counts[document] = counts.get(document, 0) + 1
            chosen.append(item)
    return chosen
