"""The collection of an indexed page in a shared library: the default or the given one, without information about others."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.engine.node import NodeOptions
from app.library.job_records import JobState
from app.library.records import FIRST_COLLECTION
from app.pg.connections import Connections
from app.pg.grants import GrantRole, Grants
from app.pg.sessions import Role
from app.server.calls.limits import Caller
from app.server.calls.registry import COLLECTION
from app.server.protocol.mcp_server import described
from app.server.tools import build_registry
from app.settings import Settings
from tests.server.node.test_rights import _called
from tests.support.nodes import SECONDS, Issuer, RunningNode
from tests.support.site import Site

QUESTION = "How many frames does a hive have?"
WHERE = """
SELECT d.url, c.name FROM webrag.documents d JOIN webrag.collections c ON c.id = d.collection_id ORDER BY d.url, c.name
"""
NOBODY_HOLDS_JOBS = """
UPDATE webrag.jobs SET lease_until = now() - interval '1 second' WHERE leased_by IS NOT NULL;
UPDATE webrag.job_items SET lease_until = now() - interval '1 second' WHERE leased_by IS NOT NULL;
"""


def body(title: str) -> str:
    return f"<html><body><h1>{title}</h1><p>The {title} of the town has eleven frames of oak and one of ash.</p></body></html>"


class Library:
    """The state of the library in the database."""

    def __init__(self, address: str) -> None:
        self._owner = Connections(address, Role.OWNER, size=1)

    def places(self, address: str) -> list[str]:
        """Return the collections of a page."""
        return [name for url, name in self._owner.read(lambda con: con.fetch(WHERE)) if url == address]

    def time_passes(self) -> None:
        """Release all jobs."""
        self._owner.write(lambda con: con.execute(NOBODY_HOLDS_JOBS))

    def close(self) -> None:
        self._owner.close()


@pytest.fixture(scope="module")
def library(address: str) -> Iterator[Library]:
    made = Library(address)
    yield made
    made.close()


@pytest.fixture(scope="module")
def reading(
    options: NodeOptions, grants: Grants, issuer: Issuer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningNode]:
    """Wendy writes to `library`, `notes` and `attic` and reads `shown`; Olga writes to `notes` and `attic`. `secret` has no readers."""
    for name in ("notes", "attic", "shown", "secret"):
        grants.add_collection(name)
    roles = {"library": "wendy", "notes": "wendy olga", "attic": "wendy olga"}
    for name, people in roles.items():
        for person in people.split():
            grants.give(name, f"user:{issuer.url}|{person}", GrantRole.WRITER)
    for person in ("wendy", "rita"):
        grants.give("shown", f"user:{issuer.url}|{person}", GrantRole.READER)
    running = RunningNode(tmp_path_factory.mktemp("reading"), options, allow_networks="127.0.0.0/8")
    yield running
    running.close()


@pytest.fixture(scope="module")
def with_token(
    reading: RunningNode, options: NodeOptions, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningNode]:
    """Yield a node of the same library with a shared token."""
    plain = replace(options, issuer="", audience="", public_url="")
    running = RunningNode(tmp_path_factory.mktemp("token"), plain, allow_networks="127.0.0.0/8")
    yield running
    running.close()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as made:
        yield made


async def ingest(node: RunningNode, token: str, url: str, **more: Any) -> Any:
    return await _called(node, token, "ingest", {"url": url, **more})


async def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not await asyncio.to_thread(is_so):
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


async def test_who_writes_several_reads_pages_into_the_first_and_pages_that_are_there_where_they_are(
    reading: RunningNode, issuer: Issuer, library: Library, site: Site
) -> None:
    wendy = issuer.token("wendy")
    for path in ("/new", "/asked", "/read", "/kept", "/twice"):
        site.page(path, body(path[1:]))
    site.redirect("/moved", "/kept")
    tools: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("ingest", "/new", {}),
        ("answer", "/asked", {"query": QUESTION}),
        ("web_readFromPage", "/read", {"query": QUESTION}),
    )
    for tool, path, more in tools:
        reply = await _called(reading, wendy, tool, {"url": site.url(path), **more})
        assert not reply.is_error, reply
        assert library.places(site.url(path)) == [FIRST_COLLECTION], tool
    assert not (await ingest(reading, wendy, site.url("/moved"), collection="notes")).is_error
    for path in ("/kept", "/moved"):
        assert not (await ingest(reading, wendy, site.url(path), refresh=True)).is_error
        # A crawl of a stored page continues in its collection.
        crawled = await ingest(reading, wendy, site.url(path), crawl={"scope": "page"}, refresh=True)
        assert not crawled.is_error, crawled
    assert library.places(site.url("/kept")) == ["notes"]
    for name in ("notes", "attic"):
        assert not (await ingest(reading, wendy, site.url("/twice"), collection=name)).is_error
    assert not (await ingest(reading, wendy, site.url("/twice"), refresh=True)).is_error
    assert library.places(site.url("/twice")) == ["attic", FIRST_COLLECTION, "notes"]


async def test_the_one_token_reads_pages_and_sites_also_with_several_collections(
    with_token: RunningNode, library: Library, site: Site
) -> None:
    site.page("/", f'{body("hive")}<a href="/next">next</a>')
    site.page("/next", body("next"))
    site.page("/named", body("named"))
    token = "token-of-the-whole-node"
    crawled = await ingest(with_token, token, site.url("/"), crawl={"max_pages": 5, "max_depth": 1})
    assert not crawled.is_error, crawled
    await until(lambda: bool(library.places(site.url("/next"))))
    assert [library.places(site.url(path)) for path in ("/", "/next")] == [[FIRST_COLLECTION]] * 2
    # A page that is fresh in one collection is still fetched into another given one.
    for name in ("secret", "notes"):
        assert not (await ingest(with_token, token, site.url("/named"), collection=name)).is_error
    assert library.places(site.url("/named")) == ["notes", "secret"]


async def test_who_writes_several_without_the_first_is_told_their_names_and_may_name_one(
    reading: RunningNode, issuer: Issuer, library: Library, site: Site
) -> None:
    olga = issuer.token("olga")
    site.page("/open", body("open"))
    url = site.url("/open")
    for more in ({}, {"crawl": {"scope": "page"}}):
        reply = await ingest(reading, olga, url, **more)
        said = str(reply.content[0].text)
        assert reply.is_error and "several collections: attic, notes." in said, reply
        assert "collection for the tool ingest" in said, reply
    assert library.places(url) == []
    assert not (await ingest(reading, olga, url, collection="attic")).is_error
    assert library.places(url) == ["attic"]
    answered = await _called(reading, olga, "answer", {"url": url, "query": QUESTION})
    assert not answered.is_error and "eleven frames" in answered.content[0].text


@pytest.mark.parametrize("more", [{}, {"crawl": {"scope": "page"}}], ids=["page", "crawl"])
async def test_a_collection_that_somebody_may_not_write_is_as_one_that_does_not_exist(
    reading: RunningNode, issuer: Issuer, library: Library, site: Site, more: dict[str, Any]
) -> None:
    site.page("/closed", body("closed"))
    url = site.url("/closed")
    for person in ("wendy", "olga", "rita", "zoe"):
        said = set()
        for name in ("secret", "shown", "sesame", "secret\0"):
            reply = await ingest(reading, issuer.token(person), url, collection=name, **more)
            assert reply.is_error and "Next step" in reply.content[0].text, reply
            said.add(reply.content[0].text.replace(repr(name), "NAME").replace(repr(name).replace("\\", ""), "NAME"))
        assert len(said) == 1, said
        told = said.pop()
        assert "secret" not in told and "shown" not in told, told
        if person in ("wendy", "olga"):
            # Leaving it out does not help users who cannot write to the default collection.
            own = "attic, library, notes" if person == "wendy" else "attic, notes"
            assert f"You can write to: {own}." in told, told
    # Without the write scope, roles that can write do not count.
    narrow = issuer.token("wendy", scopes=["library:read"])
    refused = await ingest(reading, narrow, url, collection="notes", **more)
    assert refused.is_error and "do not have write access" in refused.content[0].text
    assert library.places(url) == [] and site.count("/closed") == 0


async def test_a_crawl_into_a_named_collection_stays_there_at_another_node(
    reading: RunningNode,
    options: NodeOptions,
    issuer: Issuer,
    library: Library,
    grants: Grants,
    tmp_path: Path,
    site: Site,
) -> None:
    paths = [f"/hive/{number}" for number in range(4)]
    site.page("/hive/", body("yard") + " ".join(f'<a href="{path}">{path}</a>' for path in paths))
    let_go = [site.held_back(path, body(path)) for path in paths]
    patient: dict[str, Any] = {"allow_networks": "127.0.0.0/8", "request_timeout_ms": 120_000}
    began = RunningNode(tmp_path / "began", options, mcp_soft_deadline=2, **patient)

    async def crawl(**more: str) -> str:
        asked = {"crawl": {"max_pages": 9, "max_depth": 1}, **more}
        reply = await ingest(began, issuer.token("wendy"), site.url("/hive/"), **asked)
        assert not reply.is_error, reply
        return re.findall(r"[Jj]ob (\d+)", reply.content[0].text)[0]

    first = await crawl(collection="attic")
    await until(lambda: any(site.count(path) for path in paths))
    # A second request returns the running job. Another collection gets its own job.
    assert await crawl(collection="attic") == first
    second = await crawl(collection="notes")
    assert second != first
    await asyncio.to_thread(began.close)
    library.time_passes()
    # It only writes with the grants for its collection.
    grants.take("notes", f"user:{issuer.url}|wendy")
    for event in let_go:
        event.set()
    other = RunningNode(tmp_path / "other", options, **patient)
    assert other.engine.node is not None
    jobs = other.engine.node.own.jobs

    def have_ended() -> bool:
        return all(job.state.is_final for job in jobs.recent(9))

    try:
        await until(have_ended)
        states = {job.id: job.state for job in jobs.recent(9)}
        read = jobs.items(int(first), limit=9)
    finally:
        await asyncio.to_thread(other.close)
        grants.give("notes", f"user:{issuer.url}|wendy", GrantRole.WRITER)
    assert (states[int(first)], states[int(second)]) == (JobState.DONE, JobState.FAILED), read
    assert [library.places(site.url(path)) for path in paths] == [["attic"]] * len(paths)
    assert "attic" in library.places(site.url("/hive/"))


async def test_the_command_line_of_a_node_names_the_collection(
    with_token: RunningNode, library: Library, site: Site
) -> None:
    site.page("/one", body("one"))
    site.page("/all/", body("all"))

    def asked(method: str, **params: Any) -> str:
        reply = with_token.ask("POST", "/control/call", {"method": method, "params": params})
        assert reply[0] == 200
        return str(reply[1])

    assert "'error'" not in asked("ingest", urls=[site.url("/one")], collection="attic").replace('"', "'")
    assert "'error'" not in asked("crawl", url=site.url("/all/"), scope="page", collection="notes").replace('"', "'")
    await until(lambda: bool(library.places(site.url("/all/"))))
    assert library.places(site.url("/one")) == ["attic"]
    assert library.places(site.url("/all/")) == ["notes"]
    for method, named in (("ingest", {"urls": [site.url("/one")]}), ("crawl", {"url": site.url("/all/")})):
        said = asked(method, **named, collection="sesame")
        assert "No collection 'sesame', or you cannot write to it." in said, said
    assert "Pages known" not in asked("crawl_preview", url=site.url("/all/"), collection="sesame")


@pytest.mark.parametrize("command", ["ingest", "crawl"])
def test_a_private_library_explains_the_option(
    command: str, tmp_path: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.page("/mine", body("mine"))
    assert main([command, site.url("/mine"), "--collection", "notes", "--data-dir", str(tmp_path)]) == 1
    printed = capsys.readouterr().err
    assert "node of a shared library" in printed and "hint: Leave out the collection." in printed, printed
    assert site.count("/mine") == 0
    assert main([command, site.url("/mine"), "--collection", " ", "--data-dir", str(tmp_path)]) == 2
    assert "the name is empty" in capsys.readouterr().err


async def test_a_node_lists_the_argument_for_ingest_alone_and_no_tools_of_the_graph(reading: RunningNode) -> None:
    private = build_registry(Settings(data_dir=Path("unused")))
    at_node = private.at_node()
    without_graph = [spec for spec in private.listed() if not spec.id.startswith("graph.")]
    for own, shared in zip(without_graph, at_node.listed(), strict=True):
        told, there = (described(spec, each).model_dump() for spec, each in ((own, private), (shared, at_node)))
        if own.id == "ingest":
            assert COLLECTION not in told["input_schema"]["properties"]
            assert "library" in there["input_schema"]["properties"].pop(COLLECTION)["description"]
        assert told == there
    assert reading._server is not None
    offered = reading._server._dispatcher.offers.of(Caller("somebody"))
    assert [spec.id for spec in offered.listed() if COLLECTION in spec.input_schema["properties"]] == ["ingest"]
