from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.embed.folder import load_card
from app.embed.onnx import OnnxEmbedder
from app.errors import EmbedderError

CARD = """
name = "small"
revision = "1"
dimension = 384
pooling = "mean"
normalise = true
query_prefix = ""
passage_prefix = ""
max_tokens = 256
similarity_threshold = 0.25
licence = "Apache-2.0"

[files]
"model.onnx" = "00"
"tokenizer.json" = "11"
"""


def card_with(folder: Path, old: str = "", new: str = "") -> Path:
    assert old in CARD
    (folder / "card.toml").write_text(CARD.replace(old, new) if old else CARD, encoding="utf-8")
    return folder


def test_the_bundled_card(model_dir: Path) -> None:
    card = load_card(model_dir)
    assert (card.dimension, card.max_tokens, card.pooling) == (384, 256, "mean")
    assert card.licence == "Apache-2.0"
    assert 0 < card.similarity_threshold < 1
    assert len(card.fingerprint) == 64


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"model.onnx" = "00"', '"model.onnx" = "01"'),
        ('"tokenizer.json" = "11"', '"tokenizer.json" = "12"'),
        ("dimension = 384", "dimension = 392"),
        ('pooling = "mean"', 'pooling = "cls"'),
        ('query_prefix = ""', 'query_prefix = "query: "'),
        ('passage_prefix = ""', 'passage_prefix = "passage: "'),
        ("max_tokens = 256", "max_tokens = 128"),
    ],
)
def test_values_that_change_vectors_change_the_fingerprint(tmp_path: Path, old: str, new: str) -> None:
    before = load_card(card_with(tmp_path)).fingerprint
    assert load_card(card_with(tmp_path, old, new)).fingerprint != before


@pytest.mark.parametrize(
    ("old", "new"),
    [("= 0.25", "= 0.5"), ("Apache-2.0", "MIT"), ('name = "small"', 'name = "other"'), ("= 0.25", "= 1")],
)
def test_values_that_do_not_change_vectors_keep_the_fingerprint(tmp_path: Path, old: str, new: str) -> None:
    before = load_card(card_with(tmp_path)).fingerprint
    assert load_card(card_with(tmp_path, old, new)).fingerprint == before


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("dimension = 384", "", "dimension"),
        ("dimension = 384", 'dimension = "384"', "dimension"),
        ("dimension = 384", "dimension = true", "dimension"),
        ("dimension = 384", "dimension = 383", "multiple of 8"),
        ("= 0.25", "= true", "similarity_threshold"),
        ('pooling = "mean"', 'pooling = "max"', "pooling"),
        ("normalise = true", "normalise = false", "normalized"),
        ("max_tokens = 256", "max_tokens = 0", "max_tokens"),
        ("[files]", "[other]", "hashes"),
        ('"00"', "0", "hashes"),
        ("[files]", "[files", "cannot read"),
    ],
)
def test_an_unusable_card_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(EmbedderError, match=words):
        load_card(card_with(tmp_path, old, new))


def test_a_missing_model_is_reported_clearly(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="No model in") as caught:
        OnnxEmbedder(tmp_path)
    assert caught.value.hint


@pytest.fixture
def copied(tmp_path: Path, model_dir: Path) -> Path:
    return Path(shutil.copytree(model_dir, tmp_path / "model"))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_changed_file_is_noticed(copied: Path, name: str) -> None:
    data = bytearray((copied / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copied / name).write_bytes(data)
    with pytest.raises(EmbedderError, match=rf"{name} is damaged"):
        OnnxEmbedder(copied)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_noticed(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(EmbedderError, match=rf"cannot read .*{name}"):
        OnnxEmbedder(copied)


def test_files_that_are_no_model_are_refused(tmp_path: Path) -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    card = CARD.replace('"00"', f'"{empty}"').replace('"11"', f'"{empty}"')
    (tmp_path / "card.toml").write_text(card, encoding="utf-8")
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(EmbedderError, match=r"cannot read .*tokenizer\.json"):
        OnnxEmbedder(tmp_path)
