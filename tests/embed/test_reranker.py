from __future__ import annotations

import math
from pathlib import Path

import pytest

from app.embed.folder import load_card
from app.embed.onnx import OnnxEmbedder
from app.embed.preparing import prepare
from app.embed.reranker import MAX_TOKENS, CrossEncoder
from app.errors import EmbedderError
from tests.support.models import make_model, make_reranker


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_reranker(tmp_path_factory.mktemp("reranker") / "pairs")


def test_pairs_are_scored_in_order_and_the_same_again(folder: Path) -> None:
    reranker = CrossEncoder(folder)
    asked = ("abc", ["ab", "xyz", "cab", "b" * 10_000])
    assert reranker.scores(*asked, math.inf) == [2.0, 0.0, 3.0, 214.0]
    assert reranker.release_memory(0)
    assert reranker.scores(*asked, math.inf) == [2.0, 0.0, 3.0, 214.0]
    assert reranker.scores("a" * 10_000, ["a"], math.inf) == [1.0], "the longer text is cut"
    assert reranker.scores(*asked, -1.0) == [None] * 4
    reranker.close()
    assert MAX_TOKENS == 220


def test_a_model_of_another_kind_is_refused(folder: Path, tmp_path: Path) -> None:
    embedding = make_model(tmp_path / "tiny", dimension=64)
    with pytest.raises(EmbedderError, match="is not a reranker"):
        CrossEncoder(embedding)
    with pytest.raises(EmbedderError, match="is a reranker"):
        OnnxEmbedder(folder)
    with pytest.raises(EmbedderError, match="does not know the kind oracle"):
        load_card(make_model(tmp_path / "other", dimension=64, kind="oracle"))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    damaged = make_reranker(tmp_path / "pairs")
    data = bytearray((damaged / name).read_bytes())
    data[len(data) // 2] ^= 1
    (damaged / name).write_bytes(data)
    with pytest.raises(EmbedderError, match=f"{name} is damaged"):
        CrossEncoder(damaged)


@pytest.mark.parametrize(
    ("made", "problem"),
    [
        ({"value": float("nan")}, "not a number"),
        ({"outputs": 2}, "2 numbers instead of one"),
        ({"value": 0.0}, "does not distinguish"),
    ],
)
def test_wrong_outputs_are_found_before_a_model_is_added(tmp_path: Path, made: dict[str, float], problem: str) -> None:
    with pytest.raises(EmbedderError, match=problem):
        prepare(make_reranker(tmp_path / "pairs", **made))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("languages", "question", "passages", "reads"),
    [
        ('["en"]', "How do I open the file?", "", True),
        ('["en"]', "smtpd timeout", "", True),
        ('["en"]', "Wie öffne ich die Datei?", "", False),
        ('["en"]', "Как открыть файл?", "", False),
        ('["en"]', "How do I open the file?", "de", False),
        ('["en", "de"]', "Wie öffne ich die Datei?", "en", True),
        ('["en", "de"]', "Comment ouvrir le fichier dans la fenêtre ?", "", False),
        ("[]", "Comment ouvrir le fichier dans la fenêtre ?", "de", True),
    ],
)
def test_only_known_languages_are_read(
    tmp_path: Path, languages: str, question: str, passages: str, reads: bool
) -> None:
    made = make_reranker(tmp_path / "pairs")
    card = made / "card.toml"
    card.write_text(f"languages = {languages}\n{card.read_text(encoding='utf-8')}", encoding="utf-8")
    reranker = CrossEncoder(made)
    assert reranker.reads(question, passages) is reads
    reranker.close()
