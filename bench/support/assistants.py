"""Assistants at work. Each asks about its own place and checks that results contain nothing of other clients."""

from __future__ import annotations

import itertools
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from support.marked_site import PLACES, MarkedPage

OK: Final = "ok"
REFUSED: Final = "refused as expected"
NOT_READY: Final = "nothing found yet"

_CODE = re.compile(r"^Error type: .*\((\w+)\)$", re.MULTILINE)
_HINT = re.compile(r"^(?:Next step: |Suggestion: |Tell the user )\S|\"hint\":\"[^\"]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One call: the tool, its time, and the verdict (`OK` if there is no problem)."""

    tool: str
    ms: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a call: all text with structured content, and only the structured content."""

    text: str
    data: dict[str, Any]
    is_error: bool

    @property
    def failure(self) -> str:
        """Return the error code."""
        found = _CODE.search(self.text)
        if found:
            return found[1]
        try:
            return str(json.loads(self.text)["error"]["code"])
        except (ValueError, LookupError, TypeError):
            return "an error without a code"

    @property
    def has_hint(self) -> bool:
        """Whether the error says what to do."""
        return bool(_HINT.search(self.text))


@dataclass
class Assistant:
    """One client with its place. `others` contains the passages of all clients by name and is shared between them.

    So is `public`, the passages that somebody pinned, which every client may read.
    """

    name: str
    client: Any
    base: str
    pages: list[MarkedPage]
    others: dict[str, dict[str, str]]
    seed: int
    sessions: set[str] = field(default_factory=set)
    outcomes: list[Outcome] = field(default_factory=list)
    public: set[str] = field(default_factory=set)

    @property
    def place(self) -> str:
        return self.pages[0].place

    @property
    def tag(self) -> str:
        """Return the tag of its part of the site."""
        return f"{self.base.removeprefix('http://')}/{self.place.lower()}"

    @property
    def own(self) -> dict[str, str]:
        """Return its passages: address by ID."""
        return self.others[self.name]

    async def work(self, calls: int, deadline: float, offered: frozenset[str]) -> None:
        """Make this number of mixed calls in turn. No call starts after the deadline, on the clock of `time.monotonic`."""
        first, *others = (step for step in MIX if step.tool in offered or step.tool.startswith("resources/"))
        random.Random(self.seed).shuffle(others)
        turns = itertools.chain([first], itertools.cycle([*others, first]))
        for number, step in zip(range(calls), turns, strict=False):
            if time.monotonic() > deadline:
                return
            await self.step(step, self.pages[number % len(self.pages)])

    async def step(self, step: Step, page: MarkedPage) -> None:
        """Make one call and record its outcome."""
        from mcp import MCPError

        started = time.perf_counter()
        try:
            seen, verdict = await step.act(self, page)
        except MCPError as error:
            seen, verdict = (
                None,
                REFUSED if step.refused else f"protocol error {error.error.code}: {error.error.message[:80]}",
            )
        ms = 1000 * (time.perf_counter() - started)
        if seen is not None and verdict == OK and (foreign := self._foreign(seen)):
            verdict = f"contains data of another client: {foreign}"
        self.outcomes.append(Outcome(step.label, ms, verdict))

    def _foreign(self, seen: Seen) -> str:
        """Return a place, session or passage of another client in the result."""
        places = [place for place in PLACES if place != self.place and place in seen.text]
        passages = [key for name, held in self.others.items() if name != self.name for key in held if key in seen.text]
        return (places + passages + [""])[0]

    async def call(self, tool: str, **arguments: object) -> Seen:
        """Make one tool call and note every session in the result."""
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(block.text for block in result.content if block.type == "text")
        data = result.structured_content or {}
        if session := data.get("session_id"):
            self.sessions.add(str(session))
        return Seen(f"{text}\n{json.dumps(data)}" if data else text, data, bool(result.is_error))

    async def read(self, uri: str) -> Seen:
        """Read one resource."""
        result = await self.client.read_resource(uri)
        return Seen("\n".join(getattr(block, "text", "") for block in result.contents), {}, False)


Act = Callable[[Assistant, MarkedPage], Awaitable[tuple[Seen | None, str]]]


@dataclass(frozen=True, slots=True)
class Step:
    """One kind of call. `refused`: the server must refuse it."""

    tool: str
    act: Act
    is_cheap: bool = True
    refused: bool = False

    @property
    def label(self) -> str:
        return f"{self.tool} of another client" if self.refused else self.tool


def judged(seen: Seen, *wanted: str) -> tuple[Seen, str]:
    """Return the result with the verdict on a result that must succeed and contain these texts."""
    if seen.is_error:
        return seen, f"error {seen.failure}" if seen.has_hint else f"error {seen.failure} without a hint"
    absent = [text for text in wanted if text not in seen.text]
    return seen, f"does not contain {absent[0]!r}" if absent else OK


async def _search(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    return judged(await one.call("search", query=page.question, source_urls=[f"{one.base}/{page.path}"]), page.code)


async def _answer(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    url = f"{one.base}/{page.path}"
    return judged(await one.call("answer", url=url, query=page.question, expansion_budget=0), page.code)


async def _status(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    url = f"{one.base}/{page.path}"
    return judged(await one.call("status", source_url=url), url)


async def _web_read(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    url = f"{one.base}/{page.path}"
    return judged(await one.call("web_read_from_page", url=url, query=page.question), page.code)


async def _kb_search(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    seen = await one.call("kb_search", query=page.question, scope={"doc_tags": [one.tag]})
    for hit in seen.data.get("results", []):
        one.own[hit["passage_id"]] = hit["scratch_uri"]
    return judged(seen, one.place, one.tag)


async def _retrieve(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    seen = await one.call("kb_retrieve_evidence", question=page.question, scope={"doc_tags": [one.tag]})
    return judged(seen, page.code)


async def _read_excerpt(one: Assistant, _page: MarkedPage) -> tuple[Seen | None, str]:
    if not one.own:
        return None, NOT_READY
    return judged(await one.call("kb_read_excerpt", passage_id=next(reversed(one.own))), one.place)


async def _expand_excerpt(one: Assistant, _page: MarkedPage) -> tuple[Seen | None, str]:
    if not one.own:
        return None, NOT_READY
    return judged(await one.call("kb_expand_excerpt", passage_id=next(reversed(one.own))), one.place)


async def _foreign_excerpt(one: Assistant, _page: MarkedPage) -> tuple[Seen | None, str]:
    passage = _passage_of_another(one)
    if passage is None:
        return None, NOT_READY
    seen = await one.call("kb_read_excerpt", passage_id=passage[0])
    if not seen.is_error and passage[0] not in one.public:
        return None, "reads a passage of another client"
    return None, REFUSED if seen.failure == "INVALID_ARGUMENT" else judged(seen)[1]


async def _own_resource(one: Assistant, _page: MarkedPage) -> tuple[Seen | None, str]:
    if not one.own:
        return None, NOT_READY
    return judged(await one.read(next(reversed(one.own.values()))), one.place)


async def _foreign_resource(one: Assistant, _page: MarkedPage) -> tuple[Seen | None, str]:
    passage = _passage_of_another(one)
    if passage is None:
        return None, NOT_READY
    await one.read(passage[1])
    if passage[0] in one.public:
        return None, REFUSED
    return None, "reads a resource of another client"


async def _graph(one: Assistant, page: MarkedPage) -> tuple[Seen, str]:
    scope = {"doc_tags": [one.tag]}
    return judged(await one.call("graph_expand", start_ids=[f"{one.base}/{page.path}"], scope=scope), one.tag)


async def _search_docs(one: Assistant, _page: MarkedPage) -> tuple[Seen, str]:
    return judged(await one.call("search_docs", query=f"deliveries {one.place}", limit=1), f"{one.place.lower()}.md")


async def _doc_page(one: Assistant, _page: MarkedPage) -> tuple[Seen, str]:
    seen = await one.call("get_doc_page", path=f"notes/{one.place.lower()}.md")
    return judged(seen, f"Deliveries to {one.place} arrive")


def _passage_of_another(one: Assistant) -> tuple[str, str] | None:
    foreign = (passages for name, passages in one.others.items() if name != one.name)
    held = [(key, address) for passages in foreign for key, address in passages.items() if key not in one.public]
    return held[-1] if held else None


MIX: Final = (
    Step("kb_search", _kb_search),
    Step("search", _search),
    Step("kb_retrieve_evidence", _retrieve),
    Step("kb_read_excerpt", _read_excerpt),
    Step("search_docs", _search_docs),
    Step("status", _status),
    Step("kb_search", _kb_search),
    Step("resources/read", _own_resource),
    Step("get_doc_page", _doc_page),
    Step("graph_expand", _graph),
    Step("answer", _answer, is_cheap=False),
    Step("kb_read_excerpt", _foreign_excerpt, refused=True),
    Step("web_read_from_page", _web_read),
    Step("kb_expand_excerpt", _expand_excerpt),
    Step("kb_retrieve_evidence", _retrieve),
    Step("resources/read", _foreign_resource, refused=True),
)
"""Calls of an assistant; each assistant shuffles them. A search is first, so that there is something to read."""
