from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.embed import configured_embedder
from app.embed.embedder import check, load_reference
from app.embed.folder import load_card, subjects
from app.embed.onnx import OnnxEmbedder
from app.embed.preparing import chosen_embedder, codes_of, prepare
from app.errors import EmbedderError
from app.secrets import SecretStore
from app.settings import load_settings
from app.slots import NetworkSlots
from tests.support.models import make_model, write_card


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 768 dimensions with CLS pooling and prefixes, as it was downloaded."""
    return make_model(tmp_path_factory.mktemp("made") / "tiny")


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "tiny"))


@pytest.fixture(scope="session")
def prepared(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(shutil.copytree(made, tmp_path_factory.mktemp("prepared") / "tiny"))
    prepare(folder)
    return folder


@pytest.fixture(scope="session")
def external(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prepared model with its weights in a second file."""
    folder = make_model(tmp_path_factory.mktemp("external") / "tiny", external=True)
    prepare(folder)
    return folder


def test_preparing_adds_a_centre_and_a_reference(made: Path, prepared: Path) -> None:
    before, after = load_card(made), load_card(prepared)
    assert (after.dimension, after.pooling, after.query_prefix) == (768, "cls", "query: ")
    assert not before.centre
    assert after.centre
    assert after.calibrated
    assert after.fingerprint != before.fingerprint, "the centre changes every vector"
    embedder = OnnxEmbedder(prepared)
    found = check(embedder, load_reference(prepared), 2)
    assert found.is_sound
    assert found.cosine is not None
    embedder.close()


def test_a_folder_is_prepared_once(prepared: Path) -> None:
    before = (prepared / "card.toml").read_bytes()
    prepare(prepared)
    assert (prepared / "card.toml").read_bytes() == before


def test_centring_makes_signs_differ_between_texts(made: Path, prepared: Path) -> None:
    texts = subjects()[:60]
    for folder, is_sound in ((made, False), (prepared, True)):
        embedder = OnnxEmbedder(folder)
        embedded = [embedder.embed_passage(text) for text in texts]
        tokens = np.concatenate([np.unpackbits(each.token_bits, axis=1) for each in embedded]).astype(np.float32)
        codes = codes_of(np.array([each.vector for each in embedded]), tokens - 0.5)
        assert (min(codes.passage_bits, codes.token_bits) >= 0.9) is is_sound
        embedder.close()


def test_a_model_with_another_scale_is_not_calibrated(tmp_path: Path) -> None:
    """Random vectors of few dimensions are closer to each other than those of the built-in model."""
    folder = make_model(tmp_path / "tiny", dimension=64)
    prepare(folder)
    assert not load_card(folder).calibrated


def test_words_are_those_of_bert_for_every_tokenizer(prepared: Path) -> None:
    embedder = OnnxEmbedder(prepared)
    query = embedder.embed_query("löschen-Kommando? Die Leber", "Title")
    assert list(dict.fromkeys(query.token_words)) == ["löschen", "-", "kommando", "?", "die", "leber"]
    assert len(query.token_words) == len(query.token_vectors)
    assert embedder.embed_passage("Die").token_bits.shape[1] == 96
    embedder.close()


def test_letters_of_scripts_without_spaces_are_known_to_multilingual_models(copied: Path) -> None:
    english = OnnxEmbedder(copied).embed_query("心脏").known_share
    write_card(copied, {"languages": ["en", "zh"]})
    assert english < 1.0 == OnnxEmbedder(copied).embed_query("心脏").known_share


@pytest.mark.parametrize(
    "options",
    [
        {"pooling": "last"},
        {"pooling": "mean", "dimension": 1024},
        {"inputs": ("input_ids", "position_ids", "token_type_ids")},
    ],
)
def test_other_models_run(tmp_path: Path, options: dict[str, Any]) -> None:
    embedder = chosen_embedder(make_model(tmp_path / "other", **options))
    text = subjects()[0]
    assert embedder.embed_query(text).vector @ embedder.embed_passage(text).vector > 0.5
    assert embedder.embed_passage(text).token_bits.shape[1] == options.get("dimension", 768) // 8


def test_a_model_without_token_vectors_works_like_a_server(tmp_path: Path) -> None:
    embedder = chosen_embedder(make_model(tmp_path / "sentence", sentence_only=True))
    query, passage = embedder.embed_query("blood"), embedder.embed_passage("blood")
    assert query.token_vectors.shape == (0, 768)
    assert query.token_words == ()
    assert passage.token_bits.shape == (0, 96)
    assert passage.vector.shape == (768,)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "centre.json", "model.onnx_data"])
@pytest.mark.parametrize("is_missing", [False, True])
def test_a_damaged_or_missing_file_is_named(
    prepared: Path, external: Path, tmp_path: Path, name: str, is_missing: bool
) -> None:
    folder = Path(shutil.copytree(external if name.endswith("_data") else prepared, tmp_path / "tiny"))
    if is_missing:
        (folder / name).unlink()
    else:
        data = bytearray((folder / name).read_bytes())
        data[len(data) // 2] ^= 1
        (folder / name).write_bytes(data)
    with pytest.raises(EmbedderError, match=name) as caught:
        chosen_embedder(folder)
    assert "choose another model" in caught.value.hint


def test_weights_in_a_file_that_the_card_does_not_list_are_refused(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "tiny", external=True)
    write_card(folder, {}, unlisted="model.onnx_data")
    with pytest.raises(EmbedderError, match=r"does not list: model\.onnx_data"):
        chosen_embedder(folder)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0.0])
def test_a_model_that_gives_no_numbers_is_refused_and_its_card_stays(tmp_path: Path, value: float) -> None:
    folder = make_model(tmp_path / "tiny", value=value)
    before = (folder / "card.toml").read_bytes()
    with pytest.raises(EmbedderError, match="values"):
        chosen_embedder(folder)
    assert (folder / "card.toml").read_bytes() == before


def test_a_wrong_dimension_is_refused(copied: Path) -> None:
    write_card(copied, {"dimension": 384})
    with pytest.raises(EmbedderError, match="instead of 384 dimensions"):
        chosen_embedder(copied)


def test_an_unknown_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="past_key"):
        chosen_embedder(make_model(tmp_path / "tiny", inputs=("input_ids", "past_key")))


def test_the_setting_names_a_folder_or_an_added_model(prepared: Path, tmp_path: Path) -> None:
    shutil.copytree(prepared, tmp_path / "models" / "mine")
    for chosen in (str(prepared), "mine"):
        settings = load_settings({"embedding_model_folder": chosen}, data_dir=tmp_path, environ={})
        embedder = configured_embedder(settings, SecretStore(), NetworkSlots(1))
        assert embedder.card.dimension == 768
        embedder.close()
    settings = load_settings({"embedding_model_folder": "other"}, data_dir=tmp_path, environ={})
    with pytest.raises(EmbedderError, match="No model in"):
        configured_embedder(settings, SecretStore(), NetworkSlots(1))
