from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.embed.folder import subjects
from app.embed.http import EMBED_HTTP_BATCH, HttpEmbedder
from app.errors import EmbedderError
from app.slots import NetworkSlots
from tests.support.site import Exchange, Site

KEY = "sk-very-secret"


@dataclass
class Provider:
    """An embedding server: `script` holds the responses to send before normal ones, as (status, body)."""

    site: Site
    script: list[tuple[int, bytes]] = field(default_factory=list)
    batches: list[list[str]] = field(default_factory=list)
    dimension: int = 16
    shuffled: bool = False
    groups: int = 0
    """Texts fall into so many groups of similar vectors, far from the origin (0: they are random)."""

    @property
    def url(self) -> str:
        return self.site.url("")

    def answer(self, exchange: Exchange) -> None:
        length = int(exchange.request.headers["content-length"])
        payload = json.loads(exchange.handler.rfile.read(length))
        assert payload["model"] == "tiny"
        self.batches.append(payload["input"])
        if self.script:
            status, body = self.script.pop(0)
        else:
            status, body = 200, self.proper(payload["input"])
        exchange.send(body, status, "application/json")

    def proper(self, texts: list[str]) -> bytes:
        rows = [{"index": i, "embedding": self.vector(text)} for i, text in enumerate(texts)]
        return json.dumps({"data": rows[::-1] if self.shuffled else rows}).encode()

    def vector(self, text: str) -> list[float]:
        random = np.random.default_rng(sum(text.encode()))
        if self.groups:
            group = np.random.default_rng(sum(text.encode()) % self.groups).normal(size=self.dimension)
            return [float(value) for value in 4 + group + 0.1 * random.normal(size=self.dimension)]
        return [float(value) for value in 3 * random.normal(size=self.dimension)]


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Site() as site:
        made = Provider(site)
        site.on("/v1/embeddings", made.answer)
        yield made


@pytest.fixture
def hosted(provider: Provider) -> Iterator[HttpEmbedder]:
    embedder = HttpEmbedder(provider.url, "tiny", KEY, timeout_seconds=60)
    yield embedder
    embedder.close()


def body(rows: Any) -> bytes:
    return json.dumps({"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]}).encode()


def test_vectors_are_normalized_and_the_dimension_is_detected(hosted: HttpEmbedder, provider: Provider) -> None:
    query, passage = hosted.embed_query("hello"), hosted.embed_passages(["hello"])[0]
    expected = np.array(provider.vector("hello"), np.float32)
    assert np.allclose(query.vector, expected / np.linalg.norm(expected), atol=1e-6)
    assert (query.vector == passage.vector).all()
    assert (query.token_vectors.shape, query.token_words, passage.token_bits.shape) == ((0, 16), (), (0, 2))
    assert (hosted.card.dimension, hosted.card.similarity_threshold) == (16, 0.25)
    assert provider.site.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert len(provider.batches) == 2, "the first response has the card"


def test_the_card_sends_a_request_if_nothing_was_embedded_yet(hosted: HttpEmbedder, provider: Provider) -> None:
    assert hosted.card.dimension == 16
    assert len(provider.batches) == 1


def test_the_fingerprint_follows_server_model_and_dimension(hosted: HttpEmbedder, provider: Provider) -> None:
    with closing(HttpEmbedder(f"{provider.url}/v1/", "tiny", "another key")) as same:
        assert same.card.fingerprint == hosted.card.fingerprint
    provider.dimension = 24
    with closing(HttpEmbedder(provider.url, "tiny")) as other:
        assert other.card.fingerprint != hosted.card.fingerprint
    assert "authorization" not in provider.site.requests[-1].headers


def test_prefixes_are_sent_and_change_the_fingerprint(hosted: HttpEmbedder, provider: Provider) -> None:
    before = hosted.card.fingerprint
    with closing(HttpEmbedder(provider.url, "tiny", prefixes=("query: ", "passage: "))) as prefixed:
        prefixed.embed_query("hello")
        prefixed.embed_passages(["one", "two"])
        assert provider.batches[-2:] == [["query: hello"], ["passage: one", "passage: two"]]
        assert prefixed.card.fingerprint != before
    with closing(HttpEmbedder(provider.url, "tiny", prefixes=("", ""))) as plain:
        assert plain.card.fingerprint == before


def test_vectors_are_relative_to_their_mean_over_the_bundled_texts(provider: Provider, tmp_path: Path) -> None:
    provider.dimension, provider.groups = 64, 20
    texts, file = [f"text {number}" for number in range(40)], tmp_path / "models" / "centre.json"
    cosines, fingerprints = [], []
    for centre_file in (None, file, file):
        before = len(provider.batches)
        with closing(HttpEmbedder(provider.url, "tiny", prefixes=("", "passage: "), centre_file=centre_file)) as hosted:
            made = np.array([passage.vector for passage in hosted.embed_passages(texts)])
            cosines.append(float(np.median(made @ made.T)))
            fingerprints.append(hosted.card.fingerprint)
            assert hosted.card.calibrated
        asked = [text for batch in provider.batches[before:] for text in batch]
        assert asked.count(f"passage: {subjects()[0]}") == (len(fingerprints) == 2), "the mean is requested once"
    assert cosines[0] > 0.9
    assert cosines[1] == cosines[2] < 0.3
    assert fingerprints[0] != fingerprints[1] == fingerprints[2]


@pytest.mark.parametrize("content", ["", "{}", '{"fingerprint": "", "vector": "AAAA", "calibrated": true}'])
def test_a_lost_mean_is_requested_again_and_keeps_the_fingerprint(
    provider: Provider, tmp_path: Path, content: str
) -> None:
    fingerprints = set()
    for _ in range(2):
        with closing(HttpEmbedder(provider.url, "tiny", centre_file=tmp_path / "centre.json")) as hosted:
            fingerprints.add(hosted.card.fingerprint)
            assert not hosted.card.calibrated, "signs tell little of random vectors"
        (tmp_path / "centre.json").write_text(content, encoding="utf-8")
    assert len(fingerprints) == 1
    assert sum(subjects()[0] in batch for batch in provider.batches) == 2


def test_many_passages_are_sent_in_batches_and_returned_in_order(hosted: HttpEmbedder, provider: Provider) -> None:
    provider.shuffled = True
    texts = [f"passage {number}" for number in range(EMBED_HTTP_BATCH * 2 + 3)]
    passages = hosted.embed_passages(texts)
    assert [len(batch) for batch in provider.batches] == [32, 32, 3]
    for text, passage in zip(texts, passages, strict=True):
        expected = np.array(provider.vector(text), np.float32)
        assert np.allclose(passage.vector, expected / np.linalg.norm(expected), atol=1e-6)
    assert hosted.embed_passages([]) == []


def test_a_server_error_is_retried_once(hosted: HttpEmbedder, provider: Provider) -> None:
    provider.script = [(503, b"busy")]
    assert hosted.embed_query("hello").vector.shape == (16,)
    assert len(provider.batches) == 2
    provider.script = [(500, b""), (502, b"")]
    with pytest.raises(EmbedderError, match="502"):
        hosted.embed_query("hello")
    assert len(provider.batches) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 307, 204])
def test_other_statuses_are_errors_at_once_and_tell_no_secret(
    hosted: HttpEmbedder, provider: Provider, status: int
) -> None:
    provider.script = [(status, f"Incorrect API key provided: {KEY}".encode() if status != 204 else b"")]
    with pytest.raises(EmbedderError, match=str(status)) as caught:
        hosted.embed_query("hello")
    assert len(provider.batches) == 1
    assert KEY not in f"{caught.value}{caught.value.hint}{caught.value.__cause__!r}{hosted!r}"


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b'{"data": []}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 1, "embedding": [1, 2]}]}',
        b'{"data": [{"index": "x", "embedding": [1, 2]}]}',
        b'{"data": {"embedding": [1, 2]}}',
        b'{"data": [{"embedding": [NaN, 1]}]}',
        b'{"data": [{"embedding": [Infinity, 1]}]}',
        b'{"data": [{"embedding": [1e999, 1]}]}',
        b'{"data": [{"embedding": [null, 1]}]}',
        b'{"data": [{"embedding": "AAAA"}]}',
        b'{"data": [{"embedding": [[1, 2], [3]]}]}',
        b'{"data": [{"embedding": [[1, 2]]}]}',
        b'{"data": [{"embedding": []}]}',
        b'{"data": [{"embedding": [0, 0, 0]}]}',
        b'{"data": [{"embedding": [1, 1, 1]}]}',
        b"[" * 100_000,
    ],
)
def test_unusable_answers_are_errors(hosted: HttpEmbedder, provider: Provider, answer: bytes) -> None:
    provider.script = [(200, answer)]
    with pytest.raises(EmbedderError, match=r"returned values|invalid response"):
        hosted.embed_query("hello")


def test_another_dimension_than_before_is_an_error(hosted: HttpEmbedder, provider: Provider) -> None:
    hosted.embed_query("hello")
    provider.dimension = 24
    with pytest.raises(EmbedderError, match="24 dimensions instead of 16"):
        hosted.embed_passages(["hello"])[0]
    provider.dimension = 16
    provider.script = [(200, body([provider.vector("a"), [1.0, 2.0]]))]
    with pytest.raises(EmbedderError, match="2 dimensions"):
        hosted.embed_passages(["a", "b"])


def test_another_dimension_while_the_mean_is_computed_is_an_error(provider: Provider, tmp_path: Path) -> None:
    other = [provider.vector("a"), *([1.0, 2.0] for _ in range(EMBED_HTTP_BATCH - 1))]
    provider.script = [(200, provider.proper(["hello"])), (200, body(other))]
    embedder = HttpEmbedder(provider.url, "tiny", centre_file=tmp_path / "centre.json")
    with closing(embedder), pytest.raises(EmbedderError, match="2 dimensions instead of 16"):
        embedder.embed_query("hello")


def test_an_endless_answer_is_cut(hosted: HttpEmbedder, provider: Provider) -> None:
    provider.site.endless("/v1/embeddings")
    with pytest.raises(EmbedderError, match="too large"):
        hosted.embed_query("hello")


def test_silent_and_missing_servers_are_errors(provider: Provider) -> None:
    provider.site.hang("/v1/embeddings")
    slow = HttpEmbedder(provider.url, "tiny", timeout_seconds=0.2)
    with closing(slow), pytest.raises(EmbedderError, match="in time"):
        slow.embed_query("hello")
    absent = HttpEmbedder("http://127.0.0.1:9", "tiny", timeout_seconds=2)
    with closing(absent), pytest.raises(EmbedderError, match="cannot reach"):
        absent.embed_query("hello")


def test_a_dripping_answer_is_cut_at_the_total_time(provider: Provider) -> None:
    provider.site.drip("/v1/embeddings", provider.proper(["hello"]), seconds=60, pieces=600)
    slow = HttpEmbedder(provider.url, "tiny", timeout_seconds=0.5)
    started = time.monotonic()
    with closing(slow), pytest.raises(EmbedderError, match="in time"):
        slow.embed_query("hello")
    assert time.monotonic() - started < 40


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://host", "http://", "http://[::1"])
def test_invalid_addresses_are_not_proposed(url: str) -> None:
    with pytest.raises(EmbedderError, match="not a web address"):
        HttpEmbedder(url, "tiny")


def test_the_scheme_of_an_address_can_be_in_upper_case(provider: Provider) -> None:
    with closing(HttpEmbedder(provider.url.replace("http:", "HTTP:"), "tiny")) as embedder:
        assert embedder.embed_query("hello").vector.size


@pytest.mark.parametrize("url", [f"http://{'a' * 70}", "http://..", "http://xn--a"])
def test_an_impossible_host_is_unreachable(url: str) -> None:
    with closing(HttpEmbedder(url, "tiny")) as embedder, pytest.raises(EmbedderError, match="cannot reach"):
        embedder.embed_query("hello")


@pytest.mark.parametrize("key", ["sk-\nX-Injected: 1", "sk-ключ"])
def test_a_malformed_key_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(EmbedderError, match="key") as caught:
        HttpEmbedder("http://127.0.0.1:9", "tiny", key)
    assert "sk-" not in str(caught.value)


def test_a_closed_embedder_raises_an_error(provider: Provider) -> None:
    embedder = HttpEmbedder(provider.url, "tiny")
    embedder.close()
    with pytest.raises(EmbedderError):
        embedder.embed_query("hello")


def test_tokens_are_estimated_from_bytes(hosted: HttpEmbedder) -> None:
    assert hosted.count_tokens_batch(["", "abcd", "abcde", "äää", "a\ud800"]) == [0, 1, 2, 2, 1]


def test_requests_share_the_slots_of_the_network(provider: Provider) -> None:
    """Nothing is sent while the only slot is in use; a query precedes passages that have waited longer."""
    slots = NetworkSlots(1)
    embedder = HttpEmbedder(provider.url, "tiny", KEY, timeout_seconds=2, slots=slots)
    with closing(embedder), ThreadPoolExecutor(2) as threads:
        with slots.hold_blocking(urgent=True):
            passages = threads.submit(embedder.embed_passages, ["a passage"] * (EMBED_HTTP_BATCH + 1))
            time.sleep(0.1)
            query = threads.submit(embedder.embed_query, "a question")
            time.sleep(0.1)
            assert provider.batches == []
        assert len(passages.result(5)) == EMBED_HTTP_BATCH + 1
        assert query.result(5).vector.size == 16
    assert [batch[0] for batch in provider.batches] == ["a question", "a passage", "a passage"]
    assert provider.site.most_at_once == 1
