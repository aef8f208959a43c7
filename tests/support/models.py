"""A small embedding model in a folder, with a tokenizer like those of multilingual models: signs are not split from words."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram, WordLevel

from app.embed.folder import subjects

SPECIAL: Final = ("<s>", "<pad>", "</s>", "<unk>")
OF_VECTORS: Final = ("dimension", "pooling", "normalise", "query_prefix", "passage_prefix", "similarity_threshold")
OFFSET: Final = 0.3
"""Added to every number, so that only centered vectors differ in their signs."""


def make_model(
    folder: Path,
    *,
    dimension: int = 768,
    pooling: str = "cls",
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    sentence_only: bool = False,
    external: bool = False,
    value: float | None = None,
    **card: Any,
) -> Path:
    """Make a model whose vectors depend on the words of a text; `value` replaces all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    words = sorted({f"▁{word}" for line in subjects() for word in line.split() if len(word) < 20})
    letters = sorted({letter for line in subjects() for letter in line} | set("▁abcdefghijklmnopqrstuvwxyz?-:. "))
    pieces = [*SPECIAL, *words, *letters]
    _tokenizer(pieces, len(words)).save(str(folder / "tokenizer.json"))
    table = np.random.default_rng(7).normal(size=(len(pieces), dimension)).astype(np.float32) + OFFSET
    model = _graph(table if value is None else np.full_like(table, value), inputs, sentence_only=sentence_only)
    if external:
        onnx.save_model(
            model,
            str(folder / "model.onnx"),
            save_as_external_data=True,
            location="model.onnx_data",
            size_threshold=1024,
        )
    else:
        (folder / "model.onnx").write_bytes(model.SerializeToString())
    write_card(folder, {"dimension": dimension, "pooling": pooling, **card})
    return folder


def make_reranker(folder: Path, *, value: float | None = None, outputs: int = 1, **card: Any) -> Path:
    """Make a cross-encoder whose score is the number of letters of the passage that occur in the question; `value` replaces it."""
    folder.mkdir(parents=True, exist_ok=True)
    letters = [*SPECIAL, *"abcdefghijklmnopqrstuvwxyz"]
    tokenizer = Tokenizer(WordLevel({letter: place for place, letter in enumerate(letters)}, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.post_processor = processors.TemplateProcessing(
        "<s> $A </s>", "<s>:0 $A:0 </s>:0 $B:1 </s>:1", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    score = np.full(outputs, 1.0 if value is None else value, np.float32)
    nodes = [
        helper.make_node("Transpose", ["input_ids"], ["column"], perm=[1, 0]),
        helper.make_node("Equal", ["input_ids", "column"], ["alike"]),
        helper.make_node("Transpose", ["token_type_ids"], ["kind"], perm=[1, 0]),
        helper.make_node("Less", ["kind", "token_type_ids"], ["across"]),
        helper.make_node("Greater", ["input_ids", "unknown"], ["known"]),
        helper.make_node("And", ["alike", "across"], ["pairs"]),
        helper.make_node("And", ["pairs", "known"], ["shared"]),
        helper.make_node("Cast", ["shared"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["ones", "rows"], ["found"], keepdims=0),
        helper.make_node("ReduceSum", ["found"], ["sum"], keepdims=1),
        helper.make_node("Mul", ["sum", "score"], ["numbers"]),
        helper.make_node("Unsqueeze", ["numbers", "first"], ["logits"]),
    ]
    constants = {
        "unknown": np.array(len(SPECIAL) - 1, np.int64),
        "rows": np.array([0], np.int64),
        "first": np.array([0], np.int64),
        "score": score,
    }
    graph = helper.make_graph(
        nodes,
        "pairs",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", outputs])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    write_card(folder, {"kind": "reranker", "name": "pairs", **dict.fromkeys(OF_VECTORS), **card})
    return folder


def write_card(folder: Path, changed: dict[str, Any], *, unlisted: str = "") -> None:
    """Write the card of the files in a folder, without the file `unlisted`."""
    values = {
        "name": "tiny",
        "revision": "1",
        "dimension": 768,
        "pooling": "cls",
        "normalise": True,
        "query_prefix": "query: ",
        "passage_prefix": "passage: ",
        "max_tokens": 256,
        "similarity_threshold": 0.25,
        "licence": "MIT",
        **changed,
    }
    lines = [f"{name} = {_toml(value)}" for name, value in values.items() if value is not None]
    files = [
        path for path in sorted(folder.iterdir()) if path.suffix not in (".toml", ".tmp") and path.name != unlisted
    ]
    lines += ["", "[files]", *(f'"{path.name}" = "{hashlib.sha256(path.read_bytes()).hexdigest()}"' for path in files)]
    (folder / "card.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _tokenizer(pieces: list[str], words: int) -> Tokenizer:
    first = len(SPECIAL)
    scores = [0.0 if at < first else -1.0 if at < first + words else -9.0 for at in range(len(pieces))]
    tokenizer = Tokenizer(Unigram(list(zip(pieces, scores, strict=True)), unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace("▁", "always")]
    )
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return tokenizer


def _graph(table: np.ndarray[Any, Any], inputs: tuple[str, ...], *, sentence_only: bool) -> onnx.ModelProto:
    """Each token vector is that of its piece plus the mean of the text; the vector of the text is the mean."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["pieces"]),
        helper.make_node("ReduceMean", ["pieces", "axis"], ["mean"], keepdims=1),
        helper.make_node("Add", ["pieces", "mean"], ["last_hidden_state"]),
        helper.make_node("Squeeze", ["mean", "axis"], ["sentence_embedding"]),
    ]
    outputs = [("sentence_embedding", ["batch", table.shape[1]])]
    if not sentence_only:
        outputs.append(("last_hidden_state", ["batch", "tokens", table.shape[1]]))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1], np.int64), "axis")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
