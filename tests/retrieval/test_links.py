from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.corpus import Corpus
from app.embed.embedder import Embedder, PassageEmbedding
from app.errors import EmbedderError
from app.retrieval.links import FEW_TARGETS, MAX_LINKS_NAMED, LinkVectors, ScoredLinks
from app.retrieval.records import LinkProposal, SubQuery
from tests.support.stored import store

SEED = "https://example.org/en/3.2/index.html"
BASE = "https://example.org/en/3.2"
TEXT = "Read about Backups, about Billing, see the Logo, go Home or take the Archive."
LINKS = [
    ("Backups", f"{BASE}/backup.html#top"),
    ("Billing", f"{BASE}/billing.html"),
    ("Logo", f"{BASE}/logo.png"),
    ("Home", SEED),
    ("Archive", f"{BASE}/all.zip?x=1"),
]


def ask(
    corpus: Corpus,
    embedder: Embedder | None,
    *questions: str,
    pages: dict[int, int],
    visited: Sequence[str] = (),
    limit: int = 5,
) -> list[LinkProposal]:
    queries = [SubQuery(text, embedder.embed_query(text) if embedder else None) for text in questions]
    proposer = ScoredLinks(corpus, embedder.embed_passages if embedder else None)
    found = proposer.propose(queries, pages=pages, evidence=[], visited=set(visited), limit=limit)
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    assert len(found) <= limit
    assert found == proposer.propose(queries, pages=pages, evidence=[], visited=set(visited), limit=limit)
    return found


def proposals(corpus: Corpus, embedder: Embedder | None, *questions: str, visited: Sequence[str] = ()) -> list[str]:
    document_id = store(corpus, SEED, [TEXT], title="Index", links=LINKS)
    return [p.url for p in ask(corpus, embedder, *questions, pages={document_id: 0}, visited=visited)]


def test_the_link_that_means_the_same_comes_first(corpus: Corpus, embedder: Embedder) -> None:
    assert proposals(corpus, embedder, "How do I save a copy of my data in case the disk fails?")[0].endswith(
        "backup.html"
    )
    assert proposals(corpus, embedder, "Where is my invoice?")[0].endswith("billing.html")


@pytest.mark.parametrize(
    "broken", ["http://x:99999/", "http://x:port/", "http://x:0/", "http://[::1/", "http://x:-1/q"]
)
def test_an_invalid_address_does_not_affect_other_pages(corpus: Corpus, broken: str) -> None:
    links = [("Backups of data", broken), *LINKS]
    document_id = store(corpus, SEED, [f"Backups of data. {TEXT}"], title="Index", links=links)
    found = [p.url for p in ask(corpus, None, "backups", pages={document_id: 0}, visited=[broken])]
    assert found[0].endswith("backup.html")
    assert broken not in found


def test_the_right_one_is_among_the_first_of_many(corpus: Corpus, embedder: Embedder) -> None:
    subjects = [
        "Queues",
        "Cooking",
        "Colours",
        "Fonts",
        "Printers",
        "Mail",
        "Maps",
        "Weather",
        "Taxes",
        "Music",
        "Ports",
    ]
    names = [f"{subject} part {part}" for subject in subjects for part in range(20)] + ["Restoring deleted files"]
    links = [(name, f"{BASE}/{name.replace(' ', '-')}.html") for name in names]
    document_id = store(corpus, SEED, [f"- {name}" for name in names], links=links)
    assert len(names) > MAX_LINKS_NAMED
    found = ask(corpus, embedder, "I erased files by accident, can I restore them?", pages={document_id: 0}, limit=8)
    assert f"{BASE}/Restoring-deleted-files.html" in [p.url for p in found]


def test_a_part_of_the_question_finds_its_own_link(corpus: Corpus, embedder: Embedder) -> None:
    found = proposals(
        corpus, embedder, "invoices and copies of data", "Where is my invoice?", "saving a copy of my data"
    )
    assert {url.rsplit("/", 1)[1] for url in found[:2]} == {"backup.html", "billing.html"}


def test_without_vectors_only_words_decide(corpus: Corpus) -> None:
    assert proposals(corpus, None, "backups")[0] == f"{BASE}/backup.html"


def test_visited_pages_files_and_the_page_itself_are_not_proposed(corpus: Corpus, embedder: Embedder) -> None:
    found = proposals(corpus, embedder, "backups billing logo archive", visited=[f"{BASE}/billing.html"])
    assert found == [f"{BASE}/backup.html"]


def test_an_unpromising_link_is_not_followed(corpus: Corpus) -> None:
    names = [f"Part {letter}" for letter in "abcdefghijkl"]
    links = [*LINKS, *((name, f"{BASE}/{name}.html") for name in names)]
    document_id = store(corpus, SEED, [TEXT, *names], title="Index", links=links)
    assert ask(corpus, None, "photosynthesis of algae", pages={document_id: 0}) == []


def test_near_duplicates_are_not_followed(corpus: Corpus, embedder: Embedder) -> None:
    links = [
        ("Version 3.1", "https://example.org/en/3.1/index.html"),
        ("Deutsch", "https://example.org/de/3.2/backup.html"),
        ("Print", f"{BASE}/print.html"),
        ("Backup in 3.1", "https://example.org/en/3.1/backup.html"),
        ("Backup again", f"{BASE}/backup.html#restore"),
        ("Backup today", f"{BASE}/backup.html"),
        ("Invoices", f"{BASE}/billing.html"),
    ]
    document_id = store(corpus, SEED, ["; ".join(name for name, _ in links)], links=links)
    found = ask(corpus, embedder, "backup of version 3.1 in print", pages={document_id: 0})
    assert [p.url for p in found] == [f"{BASE}/backup.html", f"{BASE}/billing.html"]


def test_a_page_nearer_to_the_named_one_comes_before_an_equal_one(corpus: Corpus, embedder: Embedder) -> None:
    far = store(corpus, f"{BASE}/far.html", ["Read on in Backups"], links=[("Backups", f"{BASE}/a/backup.html")])
    near = store(corpus, SEED, ["Read on in Backups"], links=[("Backups", f"{BASE}/b/backup.html")])
    found = ask(corpus, embedder, "backups", pages={far: 1, near: 0})
    assert [p.url for p in found] == [f"{BASE}/b/backup.html", f"{BASE}/a/backup.html"]
    assert [p.source_url for p in found] == [SEED, f"{BASE}/far.html"]


def test_a_failing_embedder_is_not_hidden(corpus: Corpus, embedder: Embedder) -> None:
    def fail(texts: Sequence[str]) -> list[PassageEmbedding]:
        raise EmbedderError("no answer")

    document_id = store(corpus, SEED, [TEXT], links=LINKS)
    with pytest.raises(EmbedderError):
        ScoredLinks(corpus, fail).propose(
            [SubQuery("backups", embedder.embed_query("backups"))],
            pages={document_id: 0},
            evidence=[],
            visited=(),
            limit=5,
        )


def test_link_vectors_are_computed_once_and_evicted(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def embed(texts: Sequence[str]) -> list[PassageEmbedding]:
        made.extend(texts)
        return embedder.embed_passages(texts)

    monkeypatch.setattr("app.retrieval.links.MAX_LINK_VECTORS", 2)
    vectors = LinkVectors(embed)
    assert len(vectors.of(["a", "b", "a"])) == 3
    vectors.of(["b", "a"])
    assert made == ["a", "b"]
    vectors.of(["c"])
    vectors.of(["a"])
    assert made == ["a", "b", "c"]
    vectors.of(["b"])
    assert made == ["a", "b", "c", "b"]


def test_a_list_of_links_is_distinguished_from_text_with_a_link(corpus: Corpus) -> None:
    links = [(name, f"{BASE}/{name}.html") for name in ("Sessions", "Caching", "Forms", "backups")]
    listing, prose = "Sessions\nCaching\nForms", "How often the backups are made is set by the owner."
    document_id = store(corpus, SEED, [listing, prose], links=links)
    chunks = corpus.chunks.of_document(document_id, limit=9)
    assert [ScoredLinks(corpus, None).is_listing(chunk) for chunk in chunks] == [True, False]


def test_prose_on_a_page_of_links_does_not_count_as_an_answer(corpus: Corpus) -> None:
    names = [f"How often the backups of machine {number} are made" for number in range(9)]
    prose = "How often the backups are made is set by the owner."
    links = [(name, f"{BASE}/{number}.html") for number, name in enumerate(names)]
    document_id = store(corpus, SEED, ["\n".join(names), prose], links=links)
    chunks = corpus.chunks.of_document(document_id, limit=9)
    assert [ScoredLinks(corpus, None).is_listing(chunk) for chunk in chunks] == [True, True]


@pytest.mark.parametrize("pages", [FEW_TARGETS, FEW_TARGETS + 1])
def test_every_page_in_a_short_table_of_contents_is_worth_reading(
    corpus: Corpus, embedder: Embedder, pages: int
) -> None:
    names = ["Redis", "Sqs", "Kafka", "Pulsar", "Nats", "Zeromq", "Memory", "Solace", "Mongodb"][:pages]
    links = [(f"Using {name}", f"{BASE}/{name}.html") for name in names]
    links.append(("Elsewhere", "https://other.example/more.html"))
    document_id = store(corpus, SEED, [f"- {name}" for name, _ in links], links=links)
    question = "My cat sleeps on the warm piano. Is that unhealthy?"
    found = {p.url for p in ask(corpus, embedder, question, pages={document_id: 0}, limit=20)}
    assert (found == {url for _, url in links[:-1]}) is (pages == FEW_TARGETS)
    assert links[-1][1] not in found
