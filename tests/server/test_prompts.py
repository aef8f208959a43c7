"""Prompts and completions, on every transport and in both protocol eras."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import mcp.types as types
import pytest
from mcp import Client, MCPError

from app import caps
from app.corpus import Corpus
from app.scratch.resources import ResourceResolver
from app.server.calls.registry import LISTED_NAME, PROFILES
from app.server.protocol.prompts import PROMPTS, filled, offered
from app.server.protocol.resources import MAX_COMPLETIONS
from app.server.tools import build_registry
from app.settings import Settings
from tests.corpus.builders import document
from tests.scratch.passages import passage
from tests.server.fake_engine import FakeEngine
from tests.server.keeping import registry
from tests.server.transports import KINDS, MODES, connected

ARGUMENTS = {
    "research_url": {"url": "https://bees.example/Hive?x=1", "question": "How warm is a {hive}?"},
    "answer_from_corpus": {"question": "How warm is a hive?"},
    "compare_pages": {"urls": "https://bees.example/a, https://bees.example/b\nwebrag://guide/search"},
}
CALLED = re.compile(r"[Cc]all (\S+) ")

everywhere = pytest.mark.parametrize(("kind", "mode"), [(kind, mode) for kind in KINDS for mode in MODES])


def text_of(prompt: types.GetPromptResult) -> str:
    (message,) = prompt.messages
    assert message.role == "user"
    assert isinstance(message.content, types.TextContent)
    return message.content.text


@everywhere
async def test_prompts_are_listed_and_filled_in(kind: str, mode: str) -> None:
    async with connected(kind, mode, FakeEngine()) as client:
        listed = (await client.list_prompts()).prompts
        assert {each.name for each in listed} == set(ARGUMENTS)
        tools = {tool.name for tool in (await client.list_tools()).tools}
        for prompt in listed:
            text = text_of(await client.get_prompt(prompt.name, ARGUMENTS[prompt.name]))
            assert set(CALLED.findall(text)) <= tools and CALLED.search(text)
            assert "{" not in text.replace("{hive}", "")
        assert "https://bees.example/Hive?x=1" in text_of(
            await client.get_prompt("research_url", ARGUMENTS["research_url"])
        )
        required = {each.name: [a.name for a in each.arguments or [] if a.required] for each in listed}
        assert required["compare_pages"] == ["urls"]


BAD = [
    ("nothing", {}, "Unknown prompt: nothing"),
    ("research_url", {}, "'url' is missing"),
    ("research_url", {"url": "https://a.example/", "question": "  "}, "'question' is missing"),
    ("research_url", {"url": "ftp://a.example/", "question": "x"}, "'url'"),
    ("research_url", {"url": "https://a.example/ then rm", "question": "x" * 3_000}, "'"),
    ("research_url", {"url": "webrag://guide/a b", "question": "x"}, "'url'"),
    ("answer_from_corpus", {"question": "x" * (caps.MAX_QUERY_CHARS + 1)}, "the maximum is 2,000"),
    ("answer_from_corpus", {"question": "x", "url": "y"}, "unknown argument 'url'; valid are question"),
    ("compare_pages", {"urls": "https://a.example/"}, "Pass 2 to 10 URLs"),
    ("compare_pages", {"urls": " ".join(f"https://a.example/{n}" for n in range(11))}, "Pass 2 to 10 URLs"),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "arguments", "problem"), BAD)
async def test_arguments_that_do_not_fit_are_named(
    mode: str, name: str, arguments: dict[str, str], problem: str
) -> None:
    async with connected("memory", mode, FakeEngine()) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)
    assert caught.value.error.code == types.INVALID_PARAMS
    assert problem in caught.value.error.message


@pytest.mark.parametrize("style", ["underscore", "dotted"])
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_every_profile_gets_the_prompts_that_it_can_follow(profile: str, style: str) -> None:
    tools = build_registry(Settings(mcp_tool_name_style=style), profile=profile)
    listed = {tools.wire_name(spec) for spec in tools.listed()}
    names = {prompt.name for prompt in offered(tools)}
    assert "answer_from_corpus" in names
    assert ("research_url" in names) == ("answer" in listed)
    (from_corpus,) = (prompt for prompt in offered(tools) if prompt.name == "answer_from_corpus")
    best = next(spec for id in ("kb.retrieve_evidence", "search") if (spec := tools.resolve(id)) is not None)
    assert f"Call {tools.wire_name(best)} with" in filled(from_corpus, ARGUMENTS["answer_from_corpus"], tools)
    for prompt in offered(tools):
        called = set(CALLED.findall(filled(prompt, ARGUMENTS[prompt.name], tools)))
        assert called and called <= listed


def test_a_prompt_accepts_placeholders_of_commands() -> None:
    listed = registry()
    for prompt in PROMPTS:
        text = filled(prompt, {each.name: f"${place}" for place, each in enumerate(prompt.arguments, 1)}, listed)
        assert all(f"${place}\n" in text for place in range(1, len(prompt.arguments) + 1)), text
    with pytest.raises(MCPError):
        filled(PROMPTS[0], {"url": "$1.example", "question": "$2"}, listed)


def test_prompt_names_are_usable() -> None:
    assert all(LISTED_NAME.fullmatch(prompt.name) for prompt in PROMPTS)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[FakeEngine]:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=64, model="model-a")
    for number in range(120):
        corpus.documents.store(document(f"https://bees.example/{number:03}", ["Warm."], last_crawled=float(number)))
    corpus.documents.store(document("https://wasps.example/", ["Cold."]))
    made = FakeEngine()
    made.artifacts = ResourceResolver(corpus, made.scratch)
    yield made
    corpus.close()


async def completed(client: Client, ref: str, name: str, value: str, **given: str) -> list[str]:
    reference: types.PromptReference | types.ResourceTemplateReference
    reference = types.ResourceTemplateReference(uri=ref) if "://" in ref else types.PromptReference(name=ref)
    found = await client.complete(reference, {"name": name, "value": value}, context_arguments=given or None)
    assert found.completion.total in (None, len(found.completion.values))
    assert bool(found.completion.has_more) == (found.completion.total is None)
    return found.completion.values


@everywhere
async def test_indexed_addresses_are_offered(engine: FakeEngine, kind: str, mode: str) -> None:
    async with connected(kind, mode, engine) as client:
        assert await completed(client, "research_url", "url", "wasps") == ["https://wasps.example/"]
        assert len(await completed(client, "research_url", "url", "https://bees.")) == MAX_COMPLETIONS
        assert len(await completed(client, "research_url", "url", "")) == MAX_COMPLETIONS
        assert await completed(client, "research_url", "question", "Ho") == []
        first = "https://bees.example/007"
        assert await completed(client, "compare_pages", "urls", f"{first}, https://bees.example/00") == [
            f"{first} https://bees.example/00{number}" for number in range(10) if number != 7
        ]
        for ref, name in (("nothing", "url"), ("research_url", "urls"), ("webrag://nothing/{id}", "id")):
            with pytest.raises(MCPError):
                await completed(client, ref, name, "")


@everywhere
async def test_own_passages_are_offered(engine: FakeEngine, kind: str, mode: str) -> None:
    template = "webrag://scratch/{session_id}/{passage_id}"
    other = engine.scratch
    theirs = other.put("somebody", other.session("somebody"), passage("theirs"))
    async with connected(kind, mode, engine, registry()) as client:
        assert await completed(client, template, "passage_id", "") == []
        (block,) = (await client.call_tool("keep", {"text": "mine", "times": 1})).content[:1]
        assert isinstance(block, types.TextContent)
        session, passage_id = block.text.split("/")[-2:]
        assert await completed(client, template, "session_id", session[:3]) == [session]
        assert await completed(client, template, "passage_id", "", session_id=session) == [passage_id]
        assert await completed(client, template, "passage_id", passage_id[:2] + "!") == []
        assert await completed(client, template, "passage_id", "", session_id=theirs.session_id) == []
        other.pin(theirs.id)
        assert await completed(client, template, "session_id", "pinn") == ["pinned"]
        assert await completed(client, template, "passage_id", "", session_id="pinned") == [theirs.id]
