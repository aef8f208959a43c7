from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, normalizers, processors
from tokenizers.models import WordLevel

from app.embed.folder import open_model, subjects
from app.embed.onnx import OnnxEmbedder
from app.embed.preparing import prepare
from app.embed.quick import QUICK_FILE, mapped_model, quick_tokenizer
from app.embed.unigram import UnigramTokenizer, unigram_arrays
from app.errors import EmbedderError
from tests.support.models import make_model, write_card

TEXT = "The blood of the heart"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model like multilingual ones, which normalizes its text, as it was downloaded."""
    folder = make_model(tmp_path_factory.mktemp("plain") / "tiny", dimension=64, pooling="mean")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    _align(folder / "model.onnx")
    write_card(folder, {"dimension": 64, "pooling": "mean"})
    return folder


def _align(file: Path) -> None:
    """Let the weights begin at a multiple of eight, as numbers of more than one byte must to be mapped."""
    model = onnx.load(str(file))
    weights = model.graph.initializer[0].raw_data
    for length in range(8):
        model.producer_name = "x" * length
        file.write_bytes(model.SerializeToString())
        if file.read_bytes().find(weights) % 8 == 0:
            return


@pytest.fixture(scope="module")
def prepared(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(shutil.copytree(plain, tmp_path_factory.mktemp("prepared") / "tiny"))
    prepare(folder)
    return folder


@pytest.fixture(scope="module")
def tokenizers(plain: Path) -> tuple[Tokenizer, UnigramTokenizer]:
    arrays = unigram_arrays((plain / "tokenizer.json").read_bytes())
    assert arrays is not None
    return Tokenizer.from_file(str(plain / "tokenizer.json")), UnigramTokenizer(arrays)


def test_pairs_are_those_of_the_library(plain: Path) -> None:
    own = Tokenizer.from_file(str(plain / "tokenizer.json"))
    own.post_processor = processors.TemplateProcessing(
        "<s> $A </s>", "<s> $A </s> </s> $B:1 </s>:1", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    arrays = unigram_arrays(own.to_str().encode())
    assert arrays is not None
    both = own, UnigramTokenizer(arrays)
    for tokenizer in both:
        tokenizer.enable_truncation(40, strategy="longest_first")
    for first, second in (
        ("Where is the heart?", TEXT),
        ("heart", TEXT * 40),
        (TEXT * 40, "heart"),
        (TEXT * 40, TEXT * 9),
    ):
        ours, theirs = (
            tokenizer.post_process(*(tokenizer.encode(text, add_special_tokens=False) for text in (second, first)))
            for tokenizer in both
        )
        assert (ours.ids, ours.type_ids) == (theirs.ids, theirs.type_ids)


PARTS = st.one_of(st.sampled_from(sorted({word for line in subjects() for word in line.split()})), st.text())


@given(st.lists(PARTS, max_size=12), st.sampled_from(["", " ", "  ", "\n", "\u3000"]))
def test_tokens_are_those_of_the_library(
    tokenizers: tuple[Tokenizer, UnigramTokenizer], parts: list[str], between: str
) -> None:
    theirs, ours = (each.encode(between.join(parts)) for each in tokenizers)
    assert ours.ids == theirs.ids
    assert ours.offsets == theirs.offsets
    assert ours.special_tokens_mask == theirs.special_tokens_mask


def test_special_tokens_in_a_text_are_ordinary_text(tokenizers: tuple[Tokenizer, UnigramTokenizer]) -> None:
    encoding = tokenizers[1].encode("a </s> b")
    assert encoding.ids.count(2) == encoding.ids[-1:].count(2) == 1


def test_other_tokenizers_are_left_to_the_library(tmp_path: Path) -> None:
    Tokenizer(WordLevel({"a": 0}, unk_token="a")).save(str(tmp_path / "tokenizer.json"))
    assert unigram_arrays((tmp_path / "tokenizer.json").read_bytes()) is None


def test_the_quick_form_gives_the_same_vectors(prepared: Path, tmp_path: Path) -> None:
    slow = Path(shutil.copytree(prepared, tmp_path / "slow"))
    (slow / QUICK_FILE).unlink()
    quick, other = OnnxEmbedder(prepared), OnnxEmbedder(slow)
    for text in (TEXT, *subjects()[:20], "☃ unknown"):
        assert np.array_equal(quick.embed_query(text).vector, other.embed_query(text).vector)
        assert np.array_equal(quick.embed_passage(text).token_bits, other.embed_passage(text).token_bits)
    assert quick.embed_query("ᚠᚢ").known_share < 1.0 == quick.embed_query("blood").known_share
    quick.close()
    other.close()


def test_large_weights_stay_in_the_file_of_the_model(prepared: Path) -> None:
    model = mapped_model(prepared / "model.onnx")
    assert model is not None
    assert len(model) < 2_000 < 200_000 < (prepared / "model.onnx").stat().st_size


@pytest.mark.parametrize("change", ["damaged", "unknown compression", "cut", "missing", "made from other files"])
def test_an_unusable_quick_form_is_made_again(prepared: Path, tmp_path: Path, change: str) -> None:
    folder = Path(shutil.copytree(prepared, tmp_path / "tiny"))
    data = bytearray((folder / QUICK_FILE).read_bytes())
    if change == "unknown compression":
        data[data.index(b"PK\x01\x02") + 10] = 99
    else:
        data[len(data) // 2] ^= 1
    (folder / QUICK_FILE).write_bytes(data[: 1000 if change == "cut" else None])
    if change == "missing":
        (folder / QUICK_FILE).unlink()
    if change == "made from other files":
        shutil.copy(prepared / QUICK_FILE, folder)
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
        (folder / QUICK_FILE).rename(tmp_path / QUICK_FILE)
        write_card(folder, {"dimension": 64, "pooling": "mean", "centre": "centre.json"})
        (tmp_path / QUICK_FILE).rename(folder / QUICK_FILE)
    assert quick_tokenizer(open_model(folder)) is None
    prepare(folder)
    assert quick_tokenizer(open_model(folder)) is not None


def test_a_tokenizer_of_an_unknown_form_is_an_error(plain: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(plain, tmp_path / "tiny"))
    (folder / "tokenizer.json").write_text('{"model": [], "added_tokens": []}')
    write_card(folder, {"dimension": 64, "pooling": "mean"})
    with pytest.raises(EmbedderError, match="cannot read"):
        prepare(folder)


def test_a_changed_file_is_noticed_when_the_model_is_loaded_again(prepared: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(prepared, tmp_path / "tiny"))
    embedder = OnnxEmbedder(folder)
    assert embedder.release_memory(0)
    embedder.make_ready()
    assert embedder.release_memory(0)
    data = bytearray((folder / "model.onnx").read_bytes())
    data[-1] ^= 1
    (folder / "model.onnx").write_bytes(data)
    os.utime(folder / "model.onnx", ns=(1, 1))
    with pytest.raises(EmbedderError, match=r"model\.onnx is damaged"):
        embedder.make_ready()
    embedder.close()
