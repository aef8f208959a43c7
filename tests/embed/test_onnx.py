from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from app.embed import onnx as onnx_module
from app.embed.embedder import audit
from app.embed.onnx import OnnxEmbedder, _encode
from app.errors import EmbedderError

TEXTS = [
    "SQLite. A write-ahead log lets readers go on while one process writes.",
    "Bread rises because yeast turns sugar into carbon dioxide.",
    "The capital of France is Paris, on the river Seine.",
    "for (int i = 0; i < n; ++i) total += values[i];",
    "Ça coûte 3 €, naïvement; 中文也可以。",
    "word " * 400,
]
PIECES = [
    "unbelievability ",
    "don't ",
    "x" * 120,
    "日本語",
    "e\u0301\u0327a",
    "Résumé-",
    "\ufdfa",
    "🙂 ",
    "[MASK]",
    "1234567890123 ",
]


def test_vectors_are_of_unit_length_and_pass_the_audit(onnx: OnnxEmbedder) -> None:
    for text in TEXTS:
        passage = onnx.embed_passage(text)
        assert passage.vector.shape == (384,)
        assert passage.vector.dtype == np.float32
        audit(passage.vector)


def test_the_same_text_gives_the_same_bits_in_any_order_and_thread(onnx: OnnxEmbedder) -> None:
    def bits(text: str) -> bytes:
        passage = onnx.embed_passage(text)
        return passage.vector.tobytes() + passage.token_bits.tobytes() + onnx.embed_query(text).vector.tobytes()

    expected = [bits(text) for text in TEXTS]
    assert [bits(text) for text in reversed(TEXTS)] == expected[::-1]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(bits, TEXTS * 3)) == expected * 3


def test_a_second_embedder_gives_the_same_bits(onnx: OnnxEmbedder, model_dir: Path) -> None:
    other = OnnxEmbedder(model_dir)
    assert other.embed_passage(TEXTS[0]).vector.tobytes() == onnx.embed_passage(TEXTS[0]).vector.tobytes()
    other.close()


def test_meaning_shows_in_the_cosine(onnx: OnnxEmbedder) -> None:
    passages = np.stack([onnx.embed_passage(text).vector for text in TEXTS[:3]])
    questions = [
        "How can a database be read during a write?",
        "Why does dough grow?",
        "Which city is the French capital?",
    ]
    cosines = np.stack([onnx.embed_query(text).vector for text in questions]) @ passages.T
    assert (cosines.argmax(axis=1) == np.arange(3)).all()
    assert cosines.diagonal().min() > onnx.card.similarity_threshold
    assert (cosines - np.eye(3) * 9).max() < 0.2


def test_token_bits_belong_to_the_tokens_of_the_text(onnx: OnnxEmbedder) -> None:
    for text in TEXTS[:5]:
        query, passage = onnx.embed_query(text), onnx.embed_passage(text)
        assert passage.token_bits.shape == (onnx.count_tokens_batch([text])[0], 48)
        assert passage.token_bits.dtype == np.uint8
        own = np.packbits(query.token_vectors > 0, axis=1)
        assert np.allclose(np.linalg.norm(query.token_vectors, axis=1), 1, atol=1e-5)
        assert (onnx.with_marks_merged(text, own) == passage.token_bits).all()
        words = [word.isalnum() for word in query.token_words]
        assert (passage.token_bits[words] == own[words]).all()


def test_only_words_and_marks_that_end_a_sentence_have_signs_of_their_own(onnx: OnnxEmbedder) -> None:
    text = "(Use total[i], or sum. See v1.2: it works"
    words, bits = onnx.embed_query(text).token_words, onnx.embed_passage(text).token_bits
    kept = [0, *(1 + np.flatnonzero((bits[1:] != bits[:-1]).any(axis=1)))]
    # A passage keeps its signs for each of these; "v1" has two tokens.
    own = ["total", "i", "or", "sum", ".", "see", "v1", "v1", "2", ":", "it", "works"]
    assert [words[at] for at in kept[1:]] == own
    assert (bits[0] == bits[1]).all(), "before the first word: as the first word"
    assert onnx.with_marks_merged(text, bits[:-1]).shape == bits[:-1].shape, "not the tokens of this text"


def test_token_words_are_the_surface_words(onnx: OnnxEmbedder) -> None:
    query = onnx.embed_query("Résumé PRAGMA-checks don't unbelievability")
    assert len(query.token_words) == len(query.token_vectors)
    expected = ["résumé", "pragma", "-", "checks", "don", "'", "t", "unbelievability"]
    assert list(dict.fromkeys(query.token_words)) == expected
    assert query.token_words.count("unbelievability") > 1


def test_long_texts_are_cut_at_the_models_maximum(onnx: OnnxEmbedder) -> None:
    long = "alpha beta gamma delta " * 200
    assert onnx.count_tokens_batch([long])[0] > 256
    passage = onnx.embed_passage(long)
    assert passage.token_bits.shape == (254, 48)
    assert (passage.vector == onnx.embed_passage(long + "a different end").vector).all()
    assert (passage.vector != onnx.embed_passage(long[:300]).vector).any()


@pytest.fixture(scope="module")
def tokenizers(model_dir: Path) -> tuple[Tokenizer, Tokenizer]:
    whole, cutting = (Tokenizer.from_file(str(model_dir / "tokenizer.json")) for _ in range(2))
    whole.no_truncation()
    cutting.enable_truncation(max_length=24)
    for each in (whole, cutting):
        each.no_padding()
    return whole, cutting


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=60).map("".join))
def test_a_cut_text_has_the_tokens_of_the_tokenizers_own_truncation(
    tokenizers: tuple[Tokenizer, Tokenizer], text: str
) -> None:
    whole, cutting = tokenizers
    own, expected = _encode(whole, text, 24), cutting.encode(text)
    assert (own.ids, own.offsets, own.word_ids) == (expected.ids, expected.offsets, expected.word_ids)


def test_token_counts_are_neither_truncated_nor_padded(onnx: OnnxEmbedder) -> None:
    assert onnx.count_tokens_batch([""])[0] == 0
    assert onnx.count_tokens_batch(["hello world"])[0] == 2
    assert onnx.count_tokens_batch(["word " * 1000])[0] == 1000
    assert onnx.count_tokens_batch(["hello world", "", "word " * 300]) == [2, 0, 300]
    assert onnx.count_tokens_batch([]) == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_can_be_embedded(onnx: OnnxEmbedder, text: str) -> None:
    query = onnx.embed_query(text)
    audit(query.vector)
    assert len(query.token_words) == len(query.token_vectors) == onnx.count_tokens_batch([text])[0]


def test_passages_embedded_together_equal_single_ones(onnx: OnnxEmbedder) -> None:
    for text, passage in zip(TEXTS, onnx.embed_passages(TEXTS), strict=True):
        assert (passage.vector == onnx.embed_passage(text).vector).all()


def test_prefixes_change_the_vector_but_give_no_tokens(tmp_path: Path, model_dir: Path, onnx: OnnxEmbedder) -> None:
    folder = Path(shutil.copytree(model_dir, tmp_path / "model"))
    card = (folder / "card.toml").read_text(encoding="utf-8")
    card = card.replace('query_prefix = ""', 'query_prefix = "query: "')
    (folder / "card.toml").write_text(
        card.replace('passage_prefix = ""', 'passage_prefix = "passage: "'), encoding="utf-8"
    )
    prefixed = OnnxEmbedder(folder)
    plain, query = onnx.embed_query("hello world"), prefixed.embed_query("hello world")
    assert query.token_words == plain.token_words == ("hello", "world")
    assert (query.vector != plain.vector).any()
    assert prefixed.embed_passage("hello world").token_bits.shape == (2, 48)
    assert (prefixed.embed_passage("query").vector != prefixed.embed_query("query").vector).any()
    prefixed.close()


def test_a_card_with_the_wrong_dimension_is_noticed(tmp_path: Path, model_dir: Path) -> None:
    folder = Path(shutil.copytree(model_dir, tmp_path / "model"))
    card = (folder / "card.toml").read_text(encoding="utf-8")
    (folder / "card.toml").write_text(card.replace("dimension = 384", "dimension = 392"), encoding="utf-8")
    with pytest.raises(EmbedderError, match="392"):
        OnnxEmbedder(folder).embed_query("hello")


def test_a_closed_embedder_raises_an_error(model_dir: Path) -> None:
    embedder = OnnxEmbedder(model_dir)
    embedder.close()
    for call in (embedder.embed_query, embedder.embed_passage, lambda text: embedder.count_tokens_batch([text])):
        with pytest.raises(EmbedderError, match="closed"):
            call("text")


def test_an_idle_model_is_released_and_the_next_text_reloads_it(model_dir: Path, onnx: OnnxEmbedder) -> None:
    embedder = OnnxEmbedder(model_dir)
    assert embedder.release_memory(idle_seconds=300), "it is unused since its creation"
    assert not embedder.release_memory(idle_seconds=0), "it was released"
    assert embedder.count_tokens_batch(["two words"])[0] == 2
    assert not embedder._model.is_here, "counting only needs the tokenizer"
    assert np.array_equal(embedder.embed_query("hello").vector, onnx.embed_query("hello").vector)
    assert not embedder.release_memory(idle_seconds=300), "it was just used"
    assert embedder.release_memory(idle_seconds=0)
    embedder.make_ready()
    assert embedder._model.is_here, "a question is expected"
    assert embedder._tokenizer.is_here


def test_a_model_damaged_in_the_meantime_is_not_reloaded(tmp_path: Path, model_dir: Path) -> None:
    folder = Path(shutil.copytree(model_dir, tmp_path / "model"))
    embedder = OnnxEmbedder(folder)
    embedder.release_memory(idle_seconds=0)
    (folder / "model.onnx").write_bytes(b"cut off")
    with pytest.raises(EmbedderError, match="damaged"):
        embedder.embed_query("hello")
    shutil.copy(model_dir / "model.onnx", folder)
    assert embedder.embed_query("hello").vector.size == embedder.card.dimension


def test_a_released_model_is_loaded_once_for_several_threads(model_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = OnnxEmbedder(model_dir)
    embedder.release_memory(idle_seconds=0)
    loads: list[object] = []
    load = onnx_module.load_model
    monkeypatch.setattr(onnx_module, "load_model", lambda folder: loads.append(folder) or load(folder))
    with ThreadPoolExecutor(4) as threads:
        assert len({made.vector.tobytes() for made in threads.map(embedder.embed_query, ["hello"] * 4)}) == 1
    assert len(loads) == 1


def test_the_card_names_the_files_in_use(model_dir: Path) -> None:
    text = (model_dir / "card.toml").read_text(encoding="utf-8")
    for name in ("model.onnx", "tokenizer.json"):
        assert hashlib.sha256((model_dir / name).read_bytes()).hexdigest() in text


EMBED_ONCE = """
from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
import time
OnnxEmbedder(assets_dir() / "model").embed_query("one question")
time.sleep(1)
"""


def test_the_model_runtime_leaves_no_trace_in_the_home_directory(tmp_path: Path) -> None:
    """With its telemetry on, the runtime keeps a device id and a queue of events below ~/.cache."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    environment["HOME"] = str(tmp_path)
    subprocess.run([sys.executable, "-c", EMBED_ONCE], env=environment, check=True, timeout=60)
    assert not [str(path) for path in tmp_path.rglob("*") if path.is_file()]
