"""Expansion over a real site: the pages it reads, its trace, and when it ends."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.corpus import Corpus
from app.events import EventBus, no_progress
from app.ingest.pipeline import IngestPipeline
from app.library.scope import Filter
from app.orchestration import pages
from app.orchestration.assembly import CitedDocuments
from app.orchestration.loop import LIKELY, LINKS_PER_ITERATION, MAX_LINKS_PER_ITERATION, Orchestrator, sites_of
from app.orchestration.question import Question
from app.orchestration.result import OrchestrationResult
from app.retrieval.evidence import Evidence, EvidenceFinder
from app.retrieval.records import Stages
from app.text.tokens import ChunkingLimits, token_counter
from app.web.address import AddressPolicy
from app.web.fetch import Fetcher, FetchOptions
from app.web.politeness import MAX_PER_HOST
from tests.server.results import document
from tests.support.site import Site

QUESTION = "Which torque do the valve seals need?"
ANSWER = "The valve seals need a torque of seven newton metres, and are tightened crosswise with a calibrated wrench."
SUBJECTS = (
    "pipes",
    "paint",
    "cables",
    "lamps",
    "doors",
    "roofs",
    "pumps",
    "tanks",
    "floors",
    "walls",
    "stairs",
    "fans",
)


async def no_job(url: str, refresh: bool) -> int:
    raise AssertionError(f"no page of these tests is late: {url}")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    opened = Corpus.open(tmp_path / "corpus.db", dimension=8, model="none")
    yield opened
    opened.close()


def show(site: Site, path: str, text: str, links: dict[str, str] | None = None, *, delay: float = 0.0) -> None:
    items = "".join(
        f'<li>Read about <a href="{to}">{name}</a> of the plant here.</li>' for to, name in (links or {}).items()
    )
    body = f"<h1>{path}</h1><p>{text}</p><ul>{items}</ul>"
    site.page(path, f"<html><head><title>{path}</title></head><body><main>{body}</main></body></html>", delay=delay)


def handbook(site: Site, *, answer: str = ANSWER) -> str:
    """Serve a start page with many links; the answer is one link away."""
    links = {f"/{name}.html": name for name in SUBJECTS} | {"/seals.html": "seals of a valve"}
    show(site, "/index.html", "This handbook tells how the plant is kept in order by those who work in it.", links)
    for name in SUBJECTS:
        show(site, f"/{name}.html", f"All about the {name}: they are looked at twice a year by two people of the crew.")
    show(site, "/seals.html", answer)
    return site.url("/index.html")


@asynccontextmanager
async def asking(corpus: Corpus, *, soft_deadline: float = 20, max_depth: int = 3) -> AsyncIterator[Orchestrator]:
    """Yield an orchestrator without an embedder, so that scores do not depend on a model."""
    fetcher = Fetcher(FetchOptions(timeout_seconds=10, concurrency=8), AddressPolicy(allow_networks=("127.0.0.0/8",)))
    limits = ChunkingLimits(60, token_counter(None))
    pipeline = IngestPipeline(corpus, fetcher, limits, EventBus(), stale_after_seconds=1e6)
    orchestrator = Orchestrator(
        corpus,
        pipeline,
        embedder=None,
        embeddings=None,
        soft_deadline=soft_deadline,
        read_on=no_job,
        max_depth=max_depth,
        stages=Stages(),
        similarity_threshold=0.3,
        cited=CitedDocuments(corpus, is_on=False),
    )
    try:
        yield orchestrator
    finally:
        await orchestrator.stop()
        await pipeline.stop()
        await fetcher.aclose()


async def answer(
    orchestrator: Orchestrator, url: str, *, question: str = QUESTION, budget: int = 1
) -> OrchestrationResult:
    return await orchestrator.run(Question((url,), question, expansion_budget=budget), no_progress)


def read(result: OrchestrationResult) -> list[str]:
    return ["/" + step.url.split("/", 3)[3] for step in result.expansion_steps]


async def test_the_right_link_among_many_is_read(corpus: Corpus, site: Site) -> None:
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, handbook(site))
    assert read(result)[0] == "/seals.html"
    assert len(read(result)) <= MAX_LINKS_PER_ITERATION
    assert any(ANSWER in item.chunk.text for item in result.chunks)


@pytest.mark.parametrize(
    ("ample_seconds", "best", "count"),
    [
        (10, "all seals", MAX_LINKS_PER_ITERATION),
        (10, "torque", LINKS_PER_ITERATION),
        (1_000, "all seals", LINKS_PER_ITERATION),
    ],
)
async def test_more_links_are_followed_where_they_promise_much_the_same_and_there_is_time(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch, ample_seconds: float, best: str, count: int
) -> None:
    monkeypatch.setattr(pages, "AMPLE_SECONDS", ample_seconds)
    links = {f"/{number}.html": f"seals {number}" for number in range(1, 20)} | {"/best.html": best}
    others = {f"/other-{number}.html": f"colours {number}" for number in range(12)}
    show(site, "/index.html", "This handbook tells how the plant is kept in order by those in it.", links | others)
    for path in links:
        show(site, path, f"Page {path} tells that somebody looks at it twice a year.")
    async with asking(corpus, soft_deadline=600) as orchestrator:
        result = await answer(orchestrator, site.url("/index.html"))
    assert len(read(result)) == count, result.final_decision


async def test_stored_pages_are_searched_before_fetching(corpus: Corpus, site: Site) -> None:
    """If they answer, nothing is fetched; otherwise the other links are followed too."""
    links = {"/seals.html": "seals", "/valves.html": "valves", "/pumps.html": "pumps"}
    show(site, "/index.html", "This handbook tells how the plant is kept in order by those who work in it.", links)
    show(site, "/seals.html", f"{QUESTION} {ANSWER}")
    show(site, "/valves.html", "All about the valves: they are looked at twice a year.")
    show(site, "/pumps.html", "All about the pumps: they are looked at twice a year.")
    async with asking(corpus, soft_deadline=600) as orchestrator:
        await answer(orchestrator, site.url("/seals.html"), budget=0)
        result = await answer(orchestrator, site.url("/index.html"), budget=2)
        assert (read(result), result.final_decision.reason) == (["/seals.html"], "evidence sufficient")
        assert any(ANSWER in item.chunk.text for item in result.chunks)
        assert (site.count("/seals.html"), site.count("/valves.html"), site.count("/pumps.html")) == (1, 0, 0)
        await answer(orchestrator, site.url("/index.html"), question="How many people look at valves and pumps?")
    assert (site.count("/seals.html"), site.count("/valves.html"), site.count("/pumps.html")) == (1, 1, 1)


async def test_nothing_is_started_if_the_time_ends_after_the_stored_pages(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = {"/valves.html": "valve seals", "/pumps.html": "pump seals"}
    show(site, "/index.html", "This handbook tells how the plant is kept in order by those who work in it.", links)
    for path in links:
        show(site, path, "It is looked at twice a year by two people of the crew.")
    async with asking(corpus, soft_deadline=600) as orchestrator:
        await answer(orchestrator, site.url("/valves.html"), budget=0)
        monkeypatch.setattr(pages.PageReader, "seconds_left", lambda _self, run: 0.0 if run.steps else 600.0)
        result = await answer(orchestrator, site.url("/index.html"), budget=2)
    assert (read(result), result.final_decision.reason) == (["/valves.html"], "time budget")
    assert [step.failure for step in result.expansion_steps] == [""] and site.count("/pumps.html") == 0


async def test_sites_that_are_neither_named_nor_linked_are_not_cited(corpus: Corpus, site: Site) -> None:
    """Their pages are stored and match more words of the question, but only other pages of the sites read may answer."""
    with Site() as foreign, Site() as linked:
        stored = [own.url("/kept.html") for own in (foreign, linked, site)]
        for number, own in enumerate((foreign, linked, site)):
            show(own, "/kept.html", f"Which torque do the valve seals of plant {number} need? {ANSWER}")
        show(linked, "/start.html", "The valve seals of this maker are described in a manual.")
        show(site, "/index.html", "This handbook has links.", {linked.url("/start.html"): "seals of a valve"})
        async with asking(corpus) as orchestrator:
            for page in stored:
                await answer(orchestrator, page, budget=0)
            result = await answer(orchestrator, site.url("/index.html"))
    assert result.total_iterations == 1, result.final_decision
    assert {item.chunk.url for item in result.chunks} & set(stored) == set(stored[1:])
    assert result.corpus_stats.total_documents == 4


@pytest.mark.parametrize(
    ("tags", "sites"),
    [
        (["docs.example/3"], ("docs.example/3",)),
        (["docs.example/serde", "docs.example/tokio"], ("docs.example/serde", "docs.example/tokio")),
        (["www.shop.example"], ("shop.example",)),
        (["127.0.0.1:8000/a", "notes/bees", "files"], ("127.0.0.1:8000/a", "notes")),
    ],
)
def test_a_site_is_a_host_with_a_folder_or_a_folder_of_files(tags: list[str], sites: tuple[str, ...]) -> None:
    urls = ["https://a.example/" if "." in tag else "file:///a.md" for tag in tags]
    pages = [
        replace(document(number, url, ""), doc_tag=tag)
        for number, (url, tag) in enumerate(zip(urls, tags, strict=True))
    ]
    both = tuple(name for site in sites for name in (site, f"www.{site}"))
    assert sites_of(pages) == Filter(doc_tags=(both,))
    assert sites_of([replace(pages[0], url="file:///a.md", doc_tag="files")]) is None


def test_a_page_directly_below_the_host_counts_as_the_host_only_if_it_was_named() -> None:
    pages = [
        replace(document(number, "https://a.example/", ""), doc_tag=tag)
        for number, tag in enumerate(["docs.example/serde", "docs.example", "other.example"])
    ]
    folder, host, other = (("docs.example/serde", "www.docs.example/serde"), ("docs.example", "www.docs.example"), 2)
    assert sites_of(pages[:2], named=[0]) == Filter(doc_tags=(folder,))
    assert sites_of(pages[:2], named=[0, 1]) == Filter(doc_tags=((*folder, *host),))
    assert sites_of(pages[1:], named=[other]) == Filter(doc_tags=((*host, "other.example", "www.other.example"),))


async def test_another_project_on_the_host_of_the_named_page_is_not_cited(corpus: Corpus, site: Site) -> None:
    for project in ("pump", "crane"):
        show(site, f"/{project}/kept.html", f"Which torque do the valve seals of the {project} need? {ANSWER}")
    show(site, "/pump/start.html", "The valve seals of this maker are described in a manual.")
    show(site, "/pump/index.html", "This handbook has links.", {site.url("/pump/start.html"): "seals of a valve"})
    async with asking(corpus) as orchestrator:
        for project in ("pump", "crane"):
            await answer(orchestrator, site.url(f"/{project}/kept.html"), budget=0)
        result = await answer(orchestrator, site.url("/pump/index.html"))
    assert result.total_iterations == 1, result.final_decision
    assert site.url("/pump/kept.html") in {item.chunk.url for item in result.chunks}
    assert site.url("/crane/kept.html") not in {item.chunk.url for item in result.chunks}


async def test_each_page_has_its_own_gain(corpus: Corpus, site: Site) -> None:
    question = "Which torque do the valve seals of the pumps and tanks need?"
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, handbook(site), question=question)
    gains = {step.url.rsplit("/", 1)[1]: step.score_after - step.score_before for step in result.expansion_steps}
    assert gains["seals.html"] > 0
    assert gains["pumps.html"] < gains["seals.html"]
    assert len({step.score_before for step in result.expansion_steps}) == 1
    assert all(step.score_after >= step.score_before and step.chunks_added > 0 for step in result.expansion_steps)


async def test_other_versions_languages_and_views_are_not_read(corpus: Corpus, site: Site) -> None:
    twins = {
        "/3.1/seals.html": "seals in version 3.1",
        "/stable/index.html": "seals, stable",
        "/de/3.2/seals.html": "seals, Deutsch",
        "/3.2/print.html": "seals to print",
        "/3.2/_sources/seals.txt": "source of seals",
        "/3.2/seals.html?replytocom=7": "reply to seals",
        "/3.2/seals.html#part": "a part of seals",
        "/3.2/seals.html": "seals",
    }
    show(site, "/3.2/index.html", "This handbook tells how the plant is kept in order.", twins)
    for path in twins:
        show(site, path.split("#")[0], ANSWER)
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, site.url("/3.2/index.html"), budget=3)
    assert read(result) == ["/3.2/seals.html"], result.final_decision


async def test_a_page_with_the_same_text_adds_nothing(corpus: Corpus, site: Site) -> None:
    links = {"/one/seals.html": "valve seals", "/two/seals-copy.html": "valve seals, again"}
    show(site, "/index.html", "This handbook tells how the plant is kept in order.", links)
    same = f"<html><head><title>Seals</title></head><body><main><h1>Seals</h1><p>{ANSWER}</p></main></body></html>"
    for path in links:
        site.page(path, same)
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, site.url("/index.html"))
    failed = [step for step in result.expansion_steps if step.failure]
    assert len(result.expansion_steps) == 2 and len(failed) == 1
    assert "same text" in failed[0].failure and failed[0].score_after == failed[0].score_before


async def test_an_unreadable_page_is_reported_and_the_answer_works(corpus: Corpus, site: Site) -> None:
    seed = handbook(site)
    site.page("/pumps.html", "gone", status=410)
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, seed, question=f"{QUESTION} And the pumps?")
    step = next(step for step in result.expansion_steps if step.url.endswith("/pumps.html"))
    assert "410" in step.failure and step.chunks_added == 0
    assert any(ANSWER in item.chunk.text for item in result.chunks)


@pytest.mark.parametrize("budget", [0, 1, 2])
async def test_the_budget_counts_rounds(corpus: Corpus, site: Site, budget: int) -> None:
    """A long chain of pages, each linking to the next."""
    for number in range(6):
        text = f"Part {number} of a long story about seals: go on reading on the next page."
        show(site, f"/chain-{number}.html", text, {f"/chain-{number + 1}.html": "torque of seals"})
    async with asking(corpus, max_depth=9) as orchestrator:
        result = await answer(orchestrator, site.url("/chain-0.html"), budget=budget)
    assert result.total_iterations == budget, result.final_decision
    assert [step.depth for step in result.expansion_steps] == list(range(1, budget + 1))
    assert result.final_decision.reason == ("expansion budget exhausted" if budget else "expansion not requested")


@pytest.mark.parametrize(("likelihood", "rounds"), [(LIKELY, 1), (LIKELY - 0.1, 2)])
async def test_after_a_round_that_most_likely_answers_no_other_one_begins(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch, likelihood: float, rounds: int
) -> None:
    """The named page alone ends nothing, however likely: the page that answers is often next to it."""
    rank = EvidenceFinder.rank

    def rated(*args: Any) -> Evidence:
        return replace(rank(*args), likelihood=likelihood)

    monkeypatch.setattr(EvidenceFinder, "rank", rated)
    for number in range(4):
        text = f"Part {number} of a long story about seals: go on reading on the next page."
        show(site, f"/chain-{number}.html", text, {f"/chain-{number + 1}.html": "torque of seals"})
    async with asking(corpus, max_depth=9) as orchestrator:
        result = await answer(orchestrator, site.url("/chain-0.html"), budget=2)
    reason = "evidence sufficient" if rounds == 1 else "expansion budget exhausted"
    assert (result.total_iterations, result.final_decision.reason) == (rounds, reason)


async def test_a_part_without_an_answer_keeps_evidence_from_being_sufficient_and_is_named(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    rank = EvidenceFinder.rank
    unmet = ("what whales eat?",)
    monkeypatch.setattr(EvidenceFinder, "rank", lambda *args: replace(rank(*args), likelihood=LIKELY, unmet=unmet))
    for number in range(4):
        text = f"Part {number} of a long story about seals: go on reading on the next page."
        show(site, f"/chain-{number}.html", text, {f"/chain-{number + 1}.html": "torque of seals"})
    async with asking(corpus, max_depth=9) as orchestrator:
        result = await answer(orchestrator, site.url("/chain-0.html"), budget=2)
    assert (result.total_iterations, result.final_decision.reason) == (2, "expansion budget exhausted")
    assert 'Nothing found for: "what whales eat?"' in result.notes


async def test_the_last_count_of_documents_is_that_of_the_result(corpus: Corpus, site: Site) -> None:
    seed = handbook(site)
    said: list[str] = []

    async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
        said.append(detail)

    async with asking(corpus) as orchestrator:
        for name in SUBJECTS[:3]:
            await answer(orchestrator, site.url(f"/{name}.html"), budget=0)
        result = await orchestrator.run(Question((seed,), QUESTION, expansion_budget=1), report)
    searched = [each for each in said if each.startswith("Searching")]
    assert searched[-1] == f"Searching {result.corpus_stats.total_documents} documents..."


async def test_without_more_links_it_says_so(corpus: Corpus, site: Site) -> None:
    show(site, "/lonely.html", "Nothing here about seals but that they swim well and eat fish.")
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, site.url("/lonely.html"), budget=3)
    assert (result.final_decision.reason, result.total_iterations) == ("no link promises more", 0)


async def test_the_same_question_reads_the_same_pages(corpus: Corpus, site: Site, tmp_path: Path) -> None:
    seed = handbook(site)
    other = Corpus.open(tmp_path / "other.db", dimension=8, model="none")
    results = []
    for place in (corpus, other):
        async with asking(place) as orchestrator:
            results.append(await answer(orchestrator, seed, budget=2))
    other.close()
    assert read(results[0]) == read(results[1])
    assert [item.chunk.text for item in results[0].chunks] == [item.chunk.text for item in results[1].chunks]


async def test_hanging_pages_do_not_delay_the_answer(corpus: Corpus, site: Site) -> None:
    seed = handbook(site)
    for name in SUBJECTS:
        site.hang(f"/{name}.html")
    started = time.perf_counter()
    async with asking(corpus, soft_deadline=1.5) as orchestrator:
        result = await answer(orchestrator, seed, question=f"{QUESTION} {' '.join(SUBJECTS)}", budget=5)
        seconds = time.perf_counter() - started
    assert seconds < 15, "a single page has 20 seconds"
    assert result.final_decision.reason == "time budget"
    assert any("still being indexed" in step.failure for step in result.expansion_steps)


async def test_hanging_pages_are_skipped_and_the_others_of_the_site_are_read(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "LINKED_SECONDS", 0.4)
    seed = handbook(site)
    hanging = [name for name in SUBJECTS if name != "seals"][:MAX_PER_HOST]
    for name in hanging:
        site.hang(f"/{name}.html")
    async with asking(corpus) as orchestrator:
        result = await answer(orchestrator, seed, question=f"{QUESTION} {' '.join(hanging)}")
    failed = {step.url.rsplit("/", 1)[1] for step in result.expansion_steps if step.failure}
    assert failed == {f"{name}.html" for name in hanging}
    assert any(ANSWER in item.chunk.text for item in result.chunks)


async def test_pages_of_a_round_are_read_at_the_same_time(corpus: Corpus, site: Site) -> None:
    seed = handbook(site)
    for name in SUBJECTS:
        show(site, f"/{name}.html", f"All about the {name}, slowly.", delay=0.15)
    async with asking(corpus) as orchestrator:
        await answer(orchestrator, seed, question=f"{QUESTION} {' '.join(SUBJECTS)}")
    assert 2 <= site.most_at_once <= MAX_PER_HOST


@pytest.mark.parametrize(("asked", "allowed"), [(None, 3), (0, 0), (-4, 0), (1_000, caps.MAX_EXPANSION_BUDGET)])
async def test_rounds_are_bounded_and_left_to_the_settings_unless_asked_for(
    corpus: Corpus, site: Site, asked: int | None, allowed: int
) -> None:
    show(site, "/alone.html", "Nothing is linked here, and the pump is quiet.")
    async with asking(corpus, max_depth=3) as orchestrator:
        question = Question((site.url("/alone.html"),), QUESTION, expansion_budget=asked)
        assert (await orchestrator.run(question, no_progress)).expansion_budget == allowed
