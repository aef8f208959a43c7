from __future__ import annotations

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.retrieval.candidates import SubQuery
from app.retrieval.expansion import ScoredLinks
from app.retrieval.locality import add_adjacent
from app.retrieval.records import RetrievedChunk
from tests.support.stored import store

SEED = "https://example.org/index.html"
TEXT = "Read about Backups, about Billing, see the Logo, go Home or take the Archive."
LINKS = [
    ("Backups", "https://example.org/backup.html#top"),
    ("Billing", "https://example.org/billing.html"),
    ("Logo", "https://example.org/logo.png"),
    ("Home", SEED),
    ("Archive", "https://example.org/all.zip?x=1"),
]


def proposals(corpus: Corpus, embedder: Embedder | None, query: str, **more: object) -> list[str]:
    document_id = store(corpus, SEED, [TEXT], title="Index", links=LINKS)
    proposer = ScoredLinks(corpus, embedder.embed_passages if embedder else None)
    embedding = embedder.embed_query(query) if embedder else None
    found = proposer.propose(
        SubQuery(query, embedding), frontier=[document_id], evidence=[], visited=set(more.get("visited", ())), limit=5
    )
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    return [p.url for p in found]


def test_the_link_that_means_the_same_comes_first(corpus: Corpus, embedder: Embedder) -> None:
    assert proposals(corpus, embedder, "How do I save a copy of my data in case the disk fails?")[0].endswith(
        "backup.html"
    )
    assert proposals(corpus, embedder, "Where is my invoice?")[0].endswith("billing.html")


def test_words_alone_decide_without_vectors(corpus: Corpus) -> None:
    assert proposals(corpus, None, "backups")[0] == "https://example.org/backup.html"


def test_visited_pages_files_and_the_page_itself_are_not_proposed(corpus: Corpus, embedder: Embedder) -> None:
    found = proposals(corpus, embedder, "backups billing logo archive", visited=["https://example.org/billing.html"])
    assert found == ["https://example.org/backup.html"]


def test_a_link_without_promise_is_not_followed(corpus: Corpus) -> None:
    assert proposals(corpus, None, "photosynthesis of algae") == []


def test_adjacent_chunks_stay_in_the_section_and_the_budget(corpus: Corpus) -> None:
    paragraphs = ["before", "the hit", "after, same part", "another part"]
    document_id = store(corpus, SEED, paragraphs, sections=["A", "B", "B", "C"])
    hit = corpus.document_chunks(document_id, limit=9)[1]
    ranked = [RetrievedChunk(hit, 0.9, 0.8)]
    widened = add_adjacent(corpus, ranked, token_budget=100)
    assert [(item.chunk.text, item.is_locality_expanded) for item in widened] == [
        ("the hit", False),
        ("after, same part", True),
    ]
    assert widened[1].reranked_score < 0.8
    assert add_adjacent(corpus, ranked, token_budget=0) == ranked
