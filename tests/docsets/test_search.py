"""Which pages are found, in which order, and with which snippet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from app import caps
from app.corpus import Corpus
from app.docsets.indexing import Source
from app.docsets.service import DocOptions, Docs
from app.embed.embedder import Embedder
from app.errors import EmbedderError, InvalidArgumentError
from app.library.records import EmbeddingIn, FileStamp
from app.retrieval.rerank import closeness
from tests.corpus.builders import document
from tests.docsets.folders import docs_of, write


def found(docs: Docs, query: str, limit: int | None = None) -> list[str]:
    return [hit.name for hit in docs.search(query, limit).hits]


def of(corpus: Corpus, tmp_path: Path, pages: Mapping[str, str], **more: int) -> Docs:
    return docs_of(corpus, tmp_path, write(tmp_path.resolve() / "manual", pages), **more)  # type: ignore[arg-type]


FILLER = "\n\nSome words about other things that every page of this manual says in the same way.\n"


def test_title_counts_more_than_heading_and_heading_more_than_text(corpus: Corpus, tmp_path: Path) -> None:
    docs = of(
        corpus,
        tmp_path,
        {
            "a-text.md": "# One\n\n## Part\n\nIt mentions lubrication." + FILLER,
            "b-heading.md": "# Two\n\n## About lubrication\n\nNothing more of it." + FILLER,
            "c-title.md": "# Lubrication\n\n## Part\n\nNothing more of it." + FILLER,
            "d-none.md": "# Four\n\n## Part\n\nNothing at all." + FILLER,
        },
    )
    hits = docs.search("lubrication").hits
    assert [hit.name for hit in hits] == ["c-title.md", "b-heading.md", "a-text.md"]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.score for hit in hits}) == 3


def test_the_phrase_in_a_title_comes_before_its_words_apart(corpus: Corpus, tmp_path: Path) -> None:
    docs = of(
        corpus,
        tmp_path,
        {
            "a.md": "# Filter for oil, and pump" + FILLER,
            "b.md": "# Changing the oil filter" + FILLER,
            "c.md": "# Other\n\n## The oil filter again" + FILLER,
        },
    )
    assert found(docs, "oil filter") == ["b.md", "c.md", "a.md"]


def test_a_page_with_all_words_comes_before_one_with_a_single_word_many_times(corpus: Corpus, tmp_path: Path) -> None:
    long = "# Change log\n" + "The pump was changed. " * 200
    docs = of(
        corpus,
        tmp_path,
        {"a.md": long, "b.md": "# X\n\nDrain the pump before winter." + FILLER, "c.md": "# Y" + FILLER},
    )
    assert found(docs, "how do I drain my pump for the winter")[0] == "b.md"


def test_pages_with_equal_scores_are_in_path_order(corpus: Corpus, tmp_path: Path) -> None:
    docs = of(
        corpus, tmp_path, {f"{name}.md": "# Same\n\nvalve\n" for name in ("c", "a", "d", "b")} | {"e.md": "# Else\n"}
    )
    assert found(docs, "valve") == found(docs, "VALVES") == ["a.md", "b.md", "c.md", "d.md"]
    assert found(docs, "valve", 2) == ["a.md", "b.md"]


def test_words_inside_names_of_code_are_found(corpus: Corpus, tmp_path: Path) -> None:
    docs = of(
        corpus,
        tmp_path,
        {"a.md": "# A\n\nSet `MCP_RATE_LIMIT_REQUESTS`, or call getUserName().", "b.md": "# B\n\nNo.\n"},
    )
    assert found(docs, "rate limiting") == found(docs, "user name") == ["a.md"]


@pytest.mark.parametrize("query", ["zebra", "\"'*) OR (", "日本語", "qwertz"])
def test_unknown_words_find_nothing(corpus: Corpus, tmp_path: Path, query: str) -> None:
    docs = of(corpus, tmp_path, {"a.md": "# A\n\nplain"})
    assert docs.search(query).hits == ()


@pytest.mark.parametrize("query", ["", "   ", "x" * (caps.MAX_DOC_QUERY_CHARS + 1)])
def test_queries_that_cannot_be_used(docs: Docs, query: str) -> None:
    with pytest.raises(InvalidArgumentError):
        docs.search(query)


def test_the_setting_limits_a_search_and_reports_it(corpus: Corpus, tmp_path: Path) -> None:
    pages = {f"{number:02}.md": "# Page\n\nvalve\n" for number in range(60)}
    docs = of(corpus, tmp_path, pages)
    assert [len(found(docs, "valve", limit)) for limit in (None, 30, 50)] == [10, 30, 50]
    lowered = of(corpus, tmp_path, {}, results=4)
    capped = lowered.search("valve", 9)
    assert (len(capped.hits), capped.capped_at, capped.found) == (4, 4, 60)
    assert lowered.search("valve").capped_at is None
    assert lowered.search("valve", 3).capped_at is None


def test_the_snippet_surrounds_the_words(corpus: Corpus, tmp_path: Path) -> None:
    text = f"# A\n{FILLER * 5}\n> **Turn** the [valve](x.md) to the left to open it.\n{FILLER * 5}"
    [hit] = of(corpus, tmp_path, {"a.md": text, "b.md": "# B"}).search("open the valve").hits
    assert "Turn the valve to the left to open it." in hit.snippet
    assert hit.snippet.startswith("...") and hit.snippet.endswith("...")
    assert 120 < len(hit.snippet) <= 200


class Waiting:
    """An embedder that fails."""

    def __init__(self, inner: Embedder) -> None:
        self.card = inner.card

    def embed_query(self, text: str, context: str = "") -> None:
        raise EmbedderError("The model is damaged.")


MEANT = {
    "cors.md": "# Origins\n\nA browser refuses answers of a server with another origin unless that allows it by a header.\n",
    "mail.md": "# Background tasks\n\nSend an e-mail message after the response was returned to the client.\n",
    "dogs.md": "# Feeding dogs\n\nGive the puppy its meal twice a day and fresh water at all times.\n",
}


def store(corpus: Corpus, embedder: Embedder | None, folder: Path) -> None:
    """Store the files of a folder as documents of one chunk, with vectors if there is an embedder."""
    added = corpus.folders.add(str(folder))
    for file in sorted(folder.glob("*.md")):
        stamp = FileStamp(added.id, file.stat().st_mtime_ns, file.stat().st_size)
        corpus.documents.store(document(file.as_uri(), [file.read_text()], title=file.stem, file=stamp))
    waiting = corpus.vectors.waiting(100) if embedder is not None else []
    made = embedder.embed_passages([passage.text for passage in waiting]) if embedder is not None else []
    corpus.vectors.store(
        [EmbeddingIn(each.chunk_id, new.vector, new.token_bits) for each, new in zip(waiting, made, strict=True)]
    )


def meaning_docs(corpus: Corpus, embedder: Embedder, tmp_path: Path) -> Docs:
    empty = tmp_path / "no guide"
    empty.mkdir(exist_ok=True)
    source = Source(empty.resolve(), str)
    return Docs(corpus, embedder, closeness, source, lambda _: None, DocOptions(10, 200))


def test_a_page_is_found_by_its_meaning_without_any_word_of_the_question(
    corpus: Corpus, embedder: Embedder, tmp_path: Path
) -> None:
    folder = write(tmp_path.resolve() / "manual", MEANT)
    store(corpus, embedder, folder)
    docs = meaning_docs(corpus, embedder, tmp_path)
    result = docs.search("canine nutrition and diet")
    assert result.notes == ()
    assert [hit.name for hit in result.hits][:1] == ["dogs.md"]
    assert "puppy" in result.hits[0].snippet
    assert docs.search("football results of yesterday evening").hits == ()


def test_without_vectors_pages_are_ranked_by_keyword_with_a_note(
    corpus: Corpus, embedder: Embedder, tmp_path: Path
) -> None:
    folder = write(tmp_path.resolve() / "manual", MEANT)
    store(corpus, None, folder)
    result = meaning_docs(corpus, embedder, tmp_path).search("send message")
    assert [hit.name for hit in result.hits] == ["mail.md"]
    assert result.notes == ("Keyword search only: 3 of 3 pages are not ready for semantic search yet.",)


def test_a_failing_embedder_is_reported(corpus: Corpus, embedder: Embedder, tmp_path: Path) -> None:
    folder = write(tmp_path.resolve() / "manual", MEANT)
    store(corpus, embedder, folder)
    docs = meaning_docs(corpus, Waiting(embedder), tmp_path)  # type: ignore[arg-type]
    result = docs.search("send message")
    assert [hit.name for hit in result.hits] == ["mail.md"]
    assert result.notes == ("Keyword search only: The model is damaged.",)


def test_a_page_without_vectors_is_found_among_embedded_ones(
    corpus: Corpus, embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = MEANT | {f"page{number}.md": f"# Part {number}\n\nNumber {number} of the parts.\n" for number in range(12)}
    folder = write(tmp_path.resolve() / "manual", more)
    store(corpus, embedder, folder)
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SECONDS", 0.0)
    docs = meaning_docs(corpus, embedder, tmp_path)
    assert docs.search("kennel").hits == ()
    write(folder, {"kennel.md": "# Building a kennel\n\nBoards and a roof.\n"})
    assert found(docs, "kennel") == ["kennel.md"]
