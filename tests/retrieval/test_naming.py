"""Questions that name a site, package, collection or page are answered from there."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.records import LabelKind
from app.engine.facade import named_in
from app.kb.finder import Finder
from app.kb.records import Mode
from app.library.records import Chunk
from app.library.scope import EVERYTHING, Filter, place_of
from app.retrieval.evidence import Evidence
from app.retrieval.naming import LOST, Narrowed, narrow, place_named
from app.retrieval.records import ALL_STAGES, RetrievedChunk
from tests.support.graph import manual, store_manuals

PUMPS, HIVES = "https://docs.pumpctl.org/", "https://www.hivesql.example/3/"
OIL, BEETLES = (
    "The click of a relay means that pumpctl oils the shaft.",
    "Oil attracts beetles; a shaft is oiled in winter.",
)
WITHOUT_LABELS: Any = SimpleNamespace(documents=SimpleNamespace(labels=lambda _names: []))


def chunk(number: int, url: str, text: str, title: str = "Oil") -> Chunk:
    tag = place_of(url).tag
    return Chunk(number, number, "k", 0, url, title, (), None, text, 0, len(text), 0, 0, 30, 0.0, tag)


CHUNKS = (chunk(1, f"{PUMPS}oil.html", OIL), chunk(2, f"{HIVES}oil.html", BEETLES))


def tags_in(question: str, *more: Chunk) -> tuple[str | int, ...]:
    place = place_named(question, (*CHUNKS, *more), WITHOUT_LABELS)
    return place.tags if place is not None else ()


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        ("In pumpctl, what oils the shaft?", "what oils the shaft?"),
        ("What oils the shaft in PumpCtl?", "What oils the shaft?"),
        ("What oils the shaft (pumpctl)", "What oils the shaft"),
        ("pumpctl: what oils the shaft?", "what oils the shaft?"),
        ("I use pumpctl. What oils the shaft?", "What oils the shaft?"),
        ("Was ölt laut der Pumpctl-Dokumentation den Schaft?", "Was ölt laut der Pumpctl-Dokumentation den Schaft?"),
        ("Dans pumpctl, qui huile l'arbre ?", "qui huile l'arbre ?"),
        ("pumpctlで軸に油を差すには", "pumpctlで軸に油を差すには"),
        ("What is pumpctl?", "What is pumpctl?"),
    ],
)
def test_a_named_site_is_searched_without_what_only_names_it(asked: str, searched: str) -> None:
    place = place_named(asked, CHUNKS, WITHOUT_LABELS)
    assert place is not None
    assert (place.tags, str(place.shown), place.question) == (("docs.pumpctl.org",), "docs.pumpctl.org", searched)


@pytest.mark.parametrize(
    "asked",
    ["What oils the shaft?", "Where are the docs?", "What does pumpctl_oil do?", "Is www or org in it?", "", "?"],
)
def test_a_question_without_a_name_is_searched_everywhere(asked: str) -> None:
    assert tags_in(asked) == ()


def test_a_name_that_other_places_use_too_is_an_ordinary_word() -> None:
    click = chunk(3, "https://click.example.org/", "Run a command.")
    assert tags_in("What does the click of a relay mean?", click) == ()
    assert tags_in("In pumpctl, what does the click of a relay mean?", click) == ("docs.pumpctl.org",)


def test_packages_folders_short_names_and_the_end_of_titles_are_names() -> None:
    package = chunk(3, "webrag://package/npm/@scope+oil-can@1.2.0/a.md", "Fills.")
    bees = [chunk(n, f"https://bees.example/{n}", "Oil.", f"Frame {n} | Apiary 2.0 documentation") for n in (4, 5)]
    assert tags_in("oil can: how do I fill it?", package) == ("@scope+oil-can@1.2.0",)
    assert tags_in("Any oil in hives?") == ("www.hivesql.example",)
    assert tags_in("Any oil in Apiary?", *bees) == ("bees.example",)
    assert tags_in("pumpctl or hivesql?") == ("docs.pumpctl.org", "www.hivesql.example")


def test_a_title_as_it_is_written_names_its_page() -> None:
    mites = chunk(3, f"{HIVES}mites.html", "Oil.", "Varroa Mites — Handbook")
    assert tags_in("What does Varroa Mites say about oil?", mites) == (3,)
    assert tags_in("Do varroa mites like oil?", mites) == ()


def test_collections_and_tags_are_names(corpus: Corpus) -> None:
    store_manuals(corpus, {"oil.html": f"# Oil\n\n{OIL}\n"}, PUMPS)
    own = corpus.documents.store(manual(f"{HIVES}oil.html", f"# Oil\n\n{BEETLES}\n")).document_id
    corpus.labels.add(LabelKind.COLLECTION, "Winter Notes", [own])
    place = place_named("What do my winter notes say about oil?", CHUNKS, corpus)
    assert place is not None and place.tags == ("collection:Winter Notes",)
    assert named_in(corpus) == ("docs.pumpctl.org", "www.hivesql.example", "collection:Winter Notes")
    found = Finder(corpus, None, ALL_STAGES).find("In pumpctl, what oils the shaft?", EVERYTHING, Mode.AUTO)
    assert {item.chunk.doc_tag for item in found.chunks} == {"docs.pumpctl.org"}
    assert found.note.startswith("Looked in: docs.pumpctl.org.")


def evidence(likelihood: float | None) -> Evidence:
    return Evidence(tuple(RetrievedChunk(each, 0.5, 0.5) for each in CHUNKS), likelihood, 0.0, 0.0)


@pytest.mark.parametrize(
    ("everywhere", "inside", "is_narrowed"),
    [(0.9, 0.8, True), (0.9, 0.9 - LOST - 0.01, False), (0.1, 0.2, False), (0.1, 0.5, True), (None, None, True)],
)
def test_a_place_without_an_answer_is_left(everywhere: float | None, inside: float | None, is_narrowed: bool) -> None:
    asked = Narrowed(evidence(everywhere), "In pumpctl, what oils the shaft?", EVERYTHING)
    found = narrow(asked, WITHOUT_LABELS, lambda _text, _scope: evidence(inside))
    assert bool(found.place) == is_narrowed
    assert found.note.startswith(
        "Looked in: docs.pumpctl.org." if is_narrowed else "No answer found in docs.pumpctl.org;"
    )
    assert found.scope == (Filter(doc_tags=(("docs.pumpctl.org",),)) if is_narrowed else EVERYTHING)


def test_pages_that_the_caller_names_are_not_narrowed() -> None:
    asked = Narrowed(evidence(None), "In pumpctl, what oils the shaft?", Filter(document_ids=(1,)))
    assert narrow(asked, WITHOUT_LABELS, lambda _text, _scope: pytest.fail("narrowed")) is asked


@pytest.mark.parametrize("piece", ["in pumpctl ", "pumpctl, ", "(((", "in ", "pumpctl:"])
def test_names_are_found_in_linear_time(piece: str) -> None:
    started = time.process_time()
    tags_in((piece * caps.MAX_QUERY_CHARS)[: caps.MAX_QUERY_CHARS])
    assert time.process_time() - started < 2
