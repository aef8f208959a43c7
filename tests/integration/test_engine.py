from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.corpus.read_queue import ReadQueue
from app.engine import Engine, build_engine
from app.errors import (
    AddressDeniedError,
    ContentProtectedError,
    EmptyPageError,
    FetchTimeoutError,
    HTTPStatusError,
    InvalidArgumentError,
    InvalidURLError,
    NotRunningError,
    WebRAGError,
)
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.orchestration import loop
from app.orchestration.question import Question
from app.orchestration.result import OrchestrationResult
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.settings import Settings, load_settings
from tests.conftest import with_guide
from tests.integration.pages import FILLER, LINKED_ANSWER, SEED_ANSWER, SIGN_IN, SKELETON, handbook, html
from tests.support.site import Site

pytestmark = pytest.mark.real


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
def settings(tmp_path: Path, guide_file: Path) -> Settings:
    """Return settings of a data folder with the stored guide."""
    data_dir = with_guide(tmp_path / "data", guide_file)
    return load_settings({"allow_networks": "127.0.0.0/8", "request_timeout_ms": 3000}, data_dir=data_dir)


@pytest.fixture
async def engine(settings: Settings) -> AsyncIterator[Engine]:
    running = build_engine(settings)
    await running.start()
    yield running
    await running.stop()


def evidence(result: OrchestrationResult) -> str:
    return "\n".join(item.chunk.text for item in sorted(result.chunks, key=lambda i: -i.reranked_score))


async def all_embedded(engine: Engine) -> None:
    while engine._corpus.vectors.count_waiting():  # noqa: ASYNC110 (worker threads)
        await asyncio.sleep(0.02)


async def assert_exact(engine: Engine, result: OrchestrationResult) -> None:
    """Check that every chunk and quote is at its offsets in the stored page."""
    assert result.citations
    for span in result.citations:
        document = await engine.documents.get(span.document_id)
        assert document is not None and document.text[span.start : span.end] == span.verbatim_text
    for item in result.chunks:
        chunk = item.chunk
        document = await engine.documents.get(chunk.document_id)
        core = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
        assert document is not None and document.text[chunk.start : chunk.end] == core


async def test_answer_on_the_page_is_cited_and_exact(engine: Engine, site: Site) -> None:
    result = await engine.run(Question((handbook(site),), "When are valves checked?", expansion_budget=0))
    assert SEED_ANSWER in evidence(result) and result.total_iterations == 0
    assert any(SEED_ANSWER in span.verbatim_text for span in result.citations)
    await assert_exact(engine, result)
    assert site.count("/seals.html") == 0


async def test_answer_one_link_away_is_found_by_expansion(engine: Engine, site: Site) -> None:
    seed = handbook(site)
    result = await engine.run(Question((seed,), "How quickly must a cracked seal be exchanged?"))
    assert LINKED_ANSWER in evidence(result)
    step = next(step for step in result.expansion_steps if step.url.endswith("/seals.html"))
    assert (step.depth, step.source_url, step.failure) == (1, seed, "") and step.chunks_added > 0
    assert step.score_after > step.score_before and result.seed_url == seed
    await assert_exact(engine, result)


async def test_progress_speaks_the_words_of_the_contract(engine: Engine, site: Site) -> None:
    seen: list[tuple[str, int | None]] = []

    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        seen.append((detail, total))

    seed = handbook(site)
    await engine.run(Question((seed,), "How quickly must a cracked seal be exchanged?"), progress)
    details = [detail for detail, _ in seen]
    assert details[0] == f"Checking if {seed} is indexed..."
    assert details[1] == f"Scraping {seed}..."
    assert details[2].startswith(f"Indexed {seed} (") and details[2].endswith(" tokens)")
    assert "Analyzing query — decomposed into 1 sub-queries" in details
    assert "Searching 1 documents..." in details
    assert any(re.fullmatch(r"Reranking \d+ chunks\.\.\.", detail) for detail in details)
    assert f"Scraping {site.url('/seals.html')}..." in details
    assert ("Expanding to linked pages (iteration 1/2)...", 2) in seen
    assert "Grabbing adjacent context..." in details and details[-1].startswith("Assembling results (")


async def test_progress_of_a_long_answer_names_each_change_of_its_best_sources(
    engine: Engine, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their addresses, which a page cannot choose freely as it can its title."""
    monkeypatch.setattr(loop, "SOURCES_AFTER", 0.0)
    told: list[str] = []

    async def progress(_phase: str, detail: str, *_: int | None) -> None:
        told.extend([detail] if detail.startswith("Best sources so far: ") else [])

    seed = handbook(site)
    await engine.run(Question((seed,), "How quickly must a cracked seal be exchanged?"), progress)
    assert told and len(set(told)) == len(told) and site.url("/seals.html") in told[-1]
    assert all(len(detail) < 300 for detail in told)


async def test_search_after_answer_reads_nothing_from_the_web(
    engine: Engine, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await engine.run(Question((handbook(site),), "valves", expansion_budget=0))
    requests = len(site.requests)

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    result = await engine.search("When are valves checked?")
    assert SEED_ANSWER in evidence(result) and len(site.requests) == requests
    assert result.expansion_steps == () and result.expansion_budget is None


async def test_a_second_answer_does_not_fetch_again(engine: Engine, site: Site) -> None:
    seed, details = handbook(site), list[str]()

    async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        details.append(detail)

    await engine.run(Question((seed,), "valves", expansion_budget=0))
    await engine.run(Question((seed,), "valves", expansion_budget=0), progress)
    assert site.count("/valves.html") == 1 and not [d for d in details if d.startswith("Scraping")]


class CountingEmbedder:
    """The real embedder, which counts its passages."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.passages = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def embed_passages(self, texts: Any) -> Any:
        self.passages += len(texts)
        return self._real.embed_passages(texts)


async def test_a_refresh_asks_for_the_whole_page_and_unchanged_pages_embed_nothing(
    engine: Engine, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await all_embedded(engine)
    counting = CountingEmbedder(engine._components.embeddings._embedder)
    monkeypatch.setattr(engine._components.embeddings, "_embedder", counting)
    seed = handbook(site)
    first = await engine.ensure_ingested(seed)
    await engine.run(Question((seed,), "valves", expansion_budget=0))
    embedded = counting.passages
    assert embedded >= first.chunks
    monkeypatch.setattr("app.ingest.policies.REFETCH_THROTTLE_SECONDS", 0.0)
    second = await engine.ensure_ingested(seed, refresh=True)
    await engine.run(Question((seed,), "valves", expansion_budget=0))
    assert (first.change, second.change) == ("stored", "unchanged") and first.document_id == second.document_id
    assert "if-none-match" not in site.requests[-1].headers and counting.passages == embedded


SLOW = html("Slow", "The slow page is about turbines.")


async def test_slow_pages_are_named_at_the_soft_deadline_and_read_on(settings: Settings, site: Site) -> None:
    seed, let_go = handbook(site), site.held_back("/slow.html", SLOW)
    engine = build_engine(replace(settings, mcp_soft_deadline=2.0, request_timeout_ms=60_000))
    await engine.start()
    try:
        await engine.ensure_ingested(seed)
        result = await engine.run(Question((seed, site.url("/slow.html")), "valves", expansion_budget=0))
        assert [(each.url, each.reason, each.goes_on) for each in result.failures] == [
            (site.url("/slow.html"), "still being indexed (job 1)", True)
        ]
        assert result.final_decision.reason == "time budget" and result.chunks
        early = await engine.run(Question((site.url("/slow.html"),), "turbines"))
        assert (early.chunks, early.final_decision.reason) == ((), "time budget")
        assert early.failures == result.failures
        let_go.set()
        (job,) = await engine.jobs.jobs(5)
        assert (await engine.jobs.wait(job.id, 60)).counts.stored == 1
        assert site.count("/slow.html") == 1
        assert "turbines" in evidence(await engine.search("turbines", source_urls=[site.url("/slow.html")]))
    finally:
        await engine.stop()


async def test_six_slow_answers_on_one_site_all_say_what_there_is(settings: Settings, site: Site) -> None:
    seed, paths = handbook(site), [f"/slow-{number}.html" for number in range(6)]
    gates = [site.held_back(path, SLOW) for path in paths]
    engine = build_engine(replace(settings, mcp_soft_deadline=3.0, request_timeout_ms=60_000))
    await engine.start()
    try:
        await engine.ensure_ingested(seed)
        asked = [Question((seed, site.url(path)), "valves", expansion_budget=0) for path in paths]
        results = await asyncio.gather(*(engine.run(question) for question in asked))
        for path, result in zip(paths, results, strict=True):
            assert result.chunks and result.final_decision.reason == "time budget"
            assert (site.url(path), True) in [(failure.url, failure.goes_on) for failure in result.failures]
        for gate in gates:
            gate.set()
        for job in await engine.jobs.jobs(10):
            ended = await engine.jobs.wait(job.id, 60)
            assert (ended.counts.failed, ended.counts.done) == (0, 1)
        assert [site.count(path) for path in paths] == [1] * 6
    finally:
        await engine.stop()


async def test_pages_of_a_crawl_are_found_by_meaning_while_it_still_runs(settings: Settings, site: Site) -> None:
    let_go = site.held_back("/slow.html", SLOW)
    text = "The crew replaces a worn seal of the pump every autumn."
    site.page("/start.html", html("Pumps", f'{text} <a href="/slow.html">The slow page</a>'))
    engine = build_engine(replace(settings, request_timeout_ms=60_000))
    await engine.start()
    try:
        job = await engine.jobs.crawl(site.url("/start.html"), CrawlOptions(CrawlScope.HOST))
        async with asyncio.timeout(60):
            while site.url("/start.html") not in {page.url for page in engine._corpus.documents.summaries(limit=9)}:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            await all_embedded(engine)
        assert not (await engine.jobs.job(job.id)).state.is_final
        result = await engine.search("When is the gasket exchanged?", source_urls=[site.url("/start.html")])
        (found,) = [item for item in result.chunks if text in item.chunk.text]
        assert found.similarity is not None and not found.is_waiting
        let_go.set()
        assert (await engine.jobs.wait(job.id, 60)).counts.stored == 2
    finally:
        await engine.stop()


async def test_a_page_that_needed_longer_is_read_at_the_next_start(settings: Settings, site: Site) -> None:
    site.held_back("/slow.html", SLOW)
    engine = build_engine(settings)
    await engine.start()
    (page,) = await engine.ingest([site.url("/slow.html")], seconds=0.3)
    assert page.is_reading and page.job_id and not page.is_failed
    (again,) = await engine.ingest([site.url("/slow.html")], seconds=0.3)
    assert again.job_id == page.job_id
    await engine.stop()
    site.page("/slow.html", SLOW)
    engine = build_engine(settings)
    await engine.start()
    try:
        assert (await engine.jobs.wait(page.job_id, 60)).counts.stored == 1
        assert "turbines" in evidence(await engine.search("turbines"))
    finally:
        await engine.stop()


async def test_an_outdated_copy_answers_while_the_page_is_read_anew(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.policies.REFETCH_THROTTLE_SECONDS", 0.0)
    site.page("/slow.html", SLOW)
    engine = build_engine(replace(settings, stale_after_days=0, mcp_soft_deadline=2.0, request_timeout_ms=60_000))
    await engine.start()
    try:
        await engine.ensure_ingested(site.url("/slow.html"))
        site.held_back("/slow.html", html("Slow", "The slow page is about propellers."))
        result = await engine.run(Question((site.url("/slow.html"),), "turbines", expansion_budget=0))
        assert "turbines" in evidence(result)
        assert any("still being indexed" in note and "stored copy" in note for note in result.notes)
    finally:
        await engine.stop()


async def test_a_stopped_engine_says_that_it_is_not_running(engine: Engine, site: Site) -> None:
    await engine.stop()
    for call in (
        engine.run(Question((handbook(site),), "valves")),
        engine.search("valves"),
        engine.ensure_ingested(handbook(site)),
    ):
        with pytest.raises(NotRunningError):
            await call
    assert not site.requests


async def test_pages_of_the_guide_can_be_asked_by_address(engine: Engine) -> None:
    result = await engine.run(Question(("webrag://guide/connect",), "How do I connect Cursor?", expansion_budget=0))
    assert "mcp.json" in evidence(result)
    with pytest.raises(InvalidURLError, match="not a page of the guide"):
        await engine.run(Question(("webrag://guide/nothing",), "anything"))


async def test_a_question_that_nothing_answers_is_said_to_have_no_answer(engine: Engine) -> None:
    await all_embedded(engine)
    result = await engine.search("Which vaccinations are recommended for a trip to Kenya?")
    assert result.nothing_found and len(result.chunks) < 5
    assert not (await engine.search("How do I connect Claude Desktop?")).nothing_found


async def test_a_page_that_redirects_is_one_document(engine: Engine, site: Site) -> None:
    handbook(site)
    site.redirect("/old.html", "/valves.html")
    page = await engine.ensure_ingested(site.url("/old.html"))
    assert page.url == site.url("/valves.html")
    assert (await engine.ensure_ingested(site.url("/valves.html"))).document_id == page.document_id
    assert (await engine.status(site.url("/old.html"))).documents[0].id == page.document_id
    assert await engine.documents.delete([page.document_id])
    again = await engine.run(Question((site.url("/old.html"),), "When are valves checked?", expansion_budget=0))
    assert SEED_ANSWER in evidence(again)


async def test_a_changed_paragraph_updates_the_page(
    engine: Engine, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = handbook(site)
    await engine.run(Question((seed,), "valves", expansion_budget=0))
    monkeypatch.setattr("app.ingest.policies.REFETCH_THROTTLE_SECONDS", 0.0)
    sections = "".join(f"<h2>Part {n}</h2><p>{'Line and more lines. ' * 30}</p>" for n in range(14))
    site.page("/valves.html", html("Valves", "<h2>Inspection</h2>", "Valves are now checked on Fridays.", sections))
    page = await engine.ensure_ingested(seed, refresh=True)
    assert page.change == "updated"
    result = await engine.run(Question((seed,), "When are valves checked?", expansion_budget=0))
    assert "Fridays" in evidence(result) and SEED_ANSWER not in evidence(result)


async def test_two_pages_are_searched_together_and_a_bad_one_does_not_sink_the_call(engine: Engine, site: Site) -> None:
    seed = handbook(site)
    result = await engine.run(
        Question(
            (seed, site.url("/seals.html"), site.url("/missing.html")),
            "How long is an old seal kept?",
            expansion_budget=0,
        )
    )
    assert LINKED_ANSWER in evidence(result)
    assert [(failure.url, failure.code) for failure in result.failures] == [
        (site.url("/missing.html"), "BACKEND_UNAVAILABLE")
    ]


async def test_small_pages_are_returned_whole(engine: Engine, site: Site) -> None:
    site.page("/paint.html", html("Paint", "Blue for water.", "Red for steam."))
    result = await engine.run(Question((site.url("/paint.html"),), "What does blue mean?"))
    assert result.mode == "full_context" and "Red for steam." in evidence(result)


async def test_known_context_is_omitted(engine: Engine, site: Site) -> None:
    seed = handbook(site)
    full = await engine.run(Question((seed,), "When are valves checked?", expansion_budget=0))
    best = max(full.chunks, key=lambda item: item.reranked_score).chunk
    less = await engine.run(Question((seed,), "When are valves checked?", known_context=best.text, expansion_budget=0))
    assert best.id not in {item.chunk.id for item in less.chunks if not item.is_locality_expanded}


async def test_pages_that_name_each_other_as_canonical_stay_apart(engine: Engine, site: Site) -> None:
    canonical = "<link rel='canonical' href='/stable/x.html'>"
    for version, seconds in (("v1", 5), ("stable", 60)):
        page = html("Timeout", f"The timeout is {seconds} seconds.").replace("</head>", f"{canonical}</head>")
        site.page(f"/{version}/x.html", page)
    old = await engine.run(Question((site.url("/v1/x.html"),), "What is the timeout?", expansion_budget=0))
    new = await engine.run(Question((site.url("/stable/x.html"),), "What is the timeout?", expansion_budget=0))
    assert "5 seconds" in evidence(old) and {c.chunk.url for c in old.chunks} == {site.url("/v1/x.html")}
    assert "60 seconds" in evidence(new) and "5 seconds." not in evidence(new).replace("60 seconds.", "")


async def test_spellings_of_one_page_are_one_document(engine: Engine, site: Site) -> None:
    page = html("Timeout", "The timeout is 60 seconds.").replace("</head>", "<link rel='canonical' href='/x/'></head>")
    for path in ("/x/index.html", "/x/?utm=1"):
        site.page(path, page)
        assert (await engine.ensure_ingested(site.url(path))).url == site.url("/x/")


async def test_a_stale_page_that_cannot_be_refreshed_is_used_with_a_note(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = handbook(site)
    monkeypatch.setattr("app.ingest.policies.REFETCH_THROTTLE_SECONDS", 0.0)
    engine = build_engine(replace(settings, stale_after_days=0.0))
    await engine.start()
    try:
        await engine.run(Question((seed,), "When are valves checked?", expansion_budget=0))
        site.page("/valves.html", "down", status=500)
        result = await engine.run(Question((seed,), "When are valves checked?", expansion_budget=0))
        assert SEED_ANSWER in evidence(result)
        assert any("could not be refreshed" in note and "stored copy" in note for note in result.notes)
        with pytest.raises(HTTPStatusError):
            await engine.ensure_ingested(seed, refresh=True)
    finally:
        await engine.stop()


async def test_refresh_always_asks_the_site(engine: Engine, site: Site) -> None:
    seed = handbook(site)
    await engine.ensure_ingested(seed)
    site.page("/valves.html", html("Valves", "Valves are checked on Fridays now.", *[f"<p>{FILLER}</p>"] * 14))
    assert (await engine.ensure_ingested(seed, refresh=True)).change == "updated"


async def test_a_blocked_site_is_not_served_from_the_corpus(settings: Settings, site: Site) -> None:
    seed = handbook(site)
    for denied in ((), ("127.0.0.1",)):
        engine = build_engine(replace(settings, deny_hosts=denied))
        await engine.start()
        try:
            if denied:
                with pytest.raises(AddressDeniedError, match="blocked"):
                    await engine.run(Question((seed,), "valves"))
            else:
                await engine.run(Question((seed,), "valves", expansion_budget=0))
        finally:
            await engine.stop()


async def test_a_site_is_blocked_and_opened_again_without_a_restart(
    engine: Engine, settings: Settings, site: Site
) -> None:
    seed = handbook(site)
    engine.apply(replace(settings, deny_hosts=("127.0.0.1",)))
    with pytest.raises(AddressDeniedError, match="blocked sites"):
        await engine.run(Question((seed,), "valves"))
    engine.apply(settings)
    assert (await engine.run(Question((seed,), "valves", expansion_budget=0))).chunks


async def test_scripts_without_spaces_are_quoted(engine: Engine, site: Site) -> None:
    site.page("/zh.html", html("熊猫", "熊猫每天吃十二公斤竹子。", "它们大多数时间都在睡觉。"))
    result = await engine.run(Question((site.url("/zh.html"),), "熊猫每天吃多少竹子？", expansion_budget=0))
    assert "熊猫每天吃十二公斤竹子。" in [span.verbatim_text for span in result.citations]


FAILURES: list[tuple[str, type[WebRAGError]]] = [
    ("/forbidden", ContentProtectedError),
    ("/gone", HTTPStatusError),
    ("/broken", HTTPStatusError),
    ("/hang", FetchTimeoutError),
    ("/skeleton", EmptyPageError),
    ("/login", ContentProtectedError),
]


@pytest.mark.parametrize(("path", "error"), FAILURES)
async def test_a_page_that_cannot_be_read_is_a_clear_error_and_stores_nothing(
    engine: Engine, site: Site, path: str, error: type[WebRAGError]
) -> None:
    site.page("/forbidden", "no", status=403)
    site.page("/gone", "no", status=404)
    site.page("/broken", "no", status=500)
    site.hang("/hang")
    site.page("/skeleton", SKELETON)
    site.page("/login", SIGN_IN)
    before = (await engine.status()).totals
    with pytest.raises(error) as caught:
        await engine.run(Question((site.url(path),), "anything"))
    assert caught.value.message and caught.value.hint
    after = (await engine.status()).totals
    assert (before.documents, before.chunks) == (
        after.documents,
        after.chunks,
    ) and not await engine.maintenance.verify()


async def test_loopback_is_refused_unless_settings_allow_it(settings: Settings, site: Site) -> None:
    engine = build_engine(replace(settings, allow_networks=()))
    await engine.start()
    try:
        with pytest.raises(AddressDeniedError):
            await engine.run(Question((handbook(site),), "valves"))
    finally:
        await engine.stop()
    assert not site.requests


@pytest.mark.parametrize("url", ["ftp://example.org/x", "notaurl", "", "file:///etc/passwd", "http://"])
async def test_an_unusable_address_is_refused(engine: Engine, url: str) -> None:
    with pytest.raises(InvalidURLError):
        await engine.run(Question((url,), "anything"))


async def test_limits_of_a_call_are_enforced(engine: Engine, site: Site) -> None:
    with pytest.raises(InvalidArgumentError, match="characters"):
        await engine.search("x" * (caps.MAX_QUERY_CHARS + 1))
    with pytest.raises(InvalidArgumentError, match="at most 10 addresses"):
        await engine.run(Question((site.url("/"), *[site.url(f"/{n}") for n in range(caps.MAX_URLS_PER_CALL)]), "q"))
    with pytest.raises(InvalidArgumentError, match="No URL is given"):
        await engine.run(Question((), "q"))
    with pytest.raises(InvalidArgumentError, match="index"):
        await engine.search("valves", source_urls=[site.url("/never.html")])


async def test_the_guide_answers_from_the_start(engine: Engine) -> None:
    result = await engine.search("How do I connect Claude Desktop?")
    assert "webrag register" in evidence(result)
    assert max(result.chunks, key=lambda i: i.reranked_score).chunk.url == "webrag://guide/connect"


async def test_many_questions_at_once(engine: Engine, site: Site) -> None:
    seed = handbook(site)
    queries = ["When are valves checked?", "How long is an old seal kept?", "What is red?"] * 3
    results = await asyncio.gather(*(engine.run(Question((seed,), query)) for query in queries))
    assert len(results) == 9 and site.count("/valves.html") == 1
    assert not await engine.maintenance.verify()


async def test_a_missing_model_leaves_keyword_search_with_a_note(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from app import paths

    bundled = paths.assets_dir()
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "guide").symlink_to(bundled / "guide")
    monkeypatch.setattr("app.embed.model_dir", lambda: tmp_path / "assets" / "model")
    engine = build_engine(settings)
    await engine.start()
    try:
        result = await engine.run(
            Question((handbook(site),), "When does the night crew inspect a valve?", expansion_budget=0)
        )
        assert SEED_ANSWER in evidence(result)
        assert any("keyword search only" in note for note in result.notes)
        assert not engine.embedder_state.usable and engine.embedder_state.detail
    finally:
        await engine.stop()


async def test_one_thing_that_is_no_address_does_not_sink_the_others(engine: Engine, site: Site) -> None:
    result = await engine.run(
        Question((handbook(site), "ftp://example.org/x"), "When is the valve inspected?", expansion_budget=0)
    )
    assert result.chunks and [failure.url for failure in result.failures] == ["ftp://example.org/x"]
    with pytest.raises(InvalidURLError):
        await engine.run(Question(("ftp://example.org/x",), "When is the valve inspected?"))


async def test_a_cancelled_call_does_not_wait_for_the_library_any_more(engine: Engine) -> None:
    dispatcher, caller = Dispatcher(engine, build_registry(engine.settings)), Caller("mcp")
    turns = ReadQueue(1)
    turns.enter(1, is_background=False, seconds=60)
    engine._corpus._database._queue = turns
    call = asyncio.create_task(dispatcher.call("search", {"query": "What is a page?"}, caller))
    async with asyncio.timeout(60):
        while not turns._urgent:  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        while turns._urgent:  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.01)
    turns.leave()
    assert not (await dispatcher.call("search", {"query": "What is a page?"}, caller)).is_error
