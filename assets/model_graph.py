"""Build the encoder of all-MiniLM-L6-v2 as an ONNX graph from its weights, and quantize it to int8."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

LAYERS: Final = 6
HEADS: Final = 12
HIDDEN: Final = 384
MAX_TOKENS: Final = 256
EPSILON: Final = 1e-12
OPSET: Final = 20
IR_VERSION: Final = 9
CONTRIB: Final = "com.microsoft"

Floats = NDArray[np.float32]
Weights = dict[str, Floats]


def read_safetensors(raw: bytes) -> Weights:
    """Return the float32 tensors of a safetensors file: header length (u64), JSON header, little-endian data."""
    (size,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + size])
    tensors: Weights = {}
    for name, info in header.items():
        if name == "__metadata__" or info["dtype"] != "F32":
            continue
        begin, end = (8 + size + offset for offset in info["data_offsets"])
        tensors[name] = np.frombuffer(raw[begin:end], "<f4").reshape(info["shape"])
    return tensors


class GraphBuilder:
    """Collects nodes and constants with stable generated names. Methods return the name of their result."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, NDArray[np.generic]] = {}

    def weight(self, name: str) -> Floats:
        return self._weights[name]

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self._constants[name] = np.ascontiguousarray(value)
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def dense(self, x: str, name: str) -> str:
        product = self.op("MatMul", x, self.constant(f"{name}.weight", self.weight(f"{name}.weight").T))
        return self.op("Add", product, self.constant(f"{name}.bias", self.weight(f"{name}.bias")))

    def norm(self, x: str, name: str) -> str:
        scale, bias = (self.constant(f"{name}.{part}", self.weight(f"{name}.{part}")) for part in ("weight", "bias"))
        return self.op("LayerNormalization", x, scale, bias, epsilon=EPSILON, axis=-1)

    def model(self, result: str) -> onnx.ModelProto:
        self._nodes.append(helper.make_node("Identity", [result], ["last_hidden_state"], name="output"))
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", HIDDEN])
        tensors = [numpy_helper.from_array(value, name) for name, value in self._constants.items()]
        graph = helper.make_graph(self._nodes, "all-MiniLM-L6-v2", inputs, [output], tensors)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="webrag")


def _word_vectors(g: GraphBuilder, *, packed: bool) -> str:
    """Add the lookup in the word table. `packed` stores its rows as int8 with one scale per word piece."""
    words = g.weight("embeddings.word_embeddings.weight")
    if not packed:
        return g.op("Gather", g.constant("words", words), "input_ids")
    scale = np.abs(words).max(axis=1, keepdims=True) / np.float32(127)
    rows = g.op("Gather", g.constant("words", np.rint(words / scale).astype(np.int8)), "input_ids")
    return g.op(
        "Mul",
        g.op("Cast", rows, to=TensorProto.FLOAT),
        g.op("Gather", g.constant("words.scale", scale), "input_ids"),
    )


def _embeddings(g: GraphBuilder, *, packed: bool) -> str:
    # Texts are embedded one at a time, so the token type is always 0 and its row can be part of the position table.
    token_type = g.weight("embeddings.token_type_embeddings.weight")[0]
    places = g.constant("positions", g.weight("embeddings.position_embeddings.weight") + token_type)
    length = g.op("Shape", "input_ids", start=1, end=2)
    here = g.op("Slice", places, g.constant("zero", np.array([0], np.int64)), length)
    return g.norm(g.op("Add", _word_vectors(g, packed=packed), here), "embeddings.LayerNorm")


def _attention(g: GraphBuilder, x: str, name: str, mask: str) -> str:
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    weight = np.concatenate([g.weight(f"{part}.weight").T for part in parts], axis=1)
    bias = np.concatenate([g.weight(f"{part}.bias") for part in parts])
    constants = g.constant(f"{name}.qkv.weight", weight), g.constant(f"{name}.qkv.bias", bias)
    return g.op("Attention", x, *constants, mask, domain=CONTRIB, num_heads=HEADS)


def encoder(weights: Weights, *, packed_words: bool) -> onnx.ModelProto:
    """Return BERT from token ids to last_hidden_state, float32 (batch, tokens, HIDDEN).

    Self-attention is one contributed operator per layer. Residual sums and layer norms are separate, because the fused kernel
    of the runtime is slower on CPUs.
    """
    g = GraphBuilder(weights)
    mask = g.op("Cast", "attention_mask", to=TensorProto.INT32)
    x = _embeddings(g, packed=packed_words)
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"
        attended = _attention(g, x, f"{layer}.attention.self", mask)
        projected = g.dense(attended, f"{layer}.attention.output.dense")
        x = g.norm(g.op("Add", projected, x), f"{layer}.attention.output.LayerNorm")
        widened = g.op("Gelu", g.dense(x, f"{layer}.intermediate.dense"))
        x = g.norm(g.op("Add", g.dense(widened, f"{layer}.output.dense"), x), f"{layer}.output.LayerNorm")
    return g.model(x)


def write_quantised(weights: Weights, target: Path) -> None:
    """Write the encoder with int8 weights, one scale per output channel.

    `reduce_range` limits weights to 7 bits: CPUs without VNNI saturate on 8-bit products.
    """
    logging.disable(logging.WARNING)  # the quantizer recommends a preparation step that this graph does not need
    try:
        quantize_dynamic(
            encoder(weights, packed_words=True),
            target,
            op_types_to_quantize=["MatMul", "Attention"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
    finally:
        logging.disable(logging.NOTSET)


def embed(model: Path | bytes, tokenizer: Path, texts: Sequence[str]) -> Floats:
    """Return mean-pooled unit vectors, float32 (texts, HIDDEN), computed one text at a time on one thread."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = ort.InferenceSession(
        model if isinstance(model, bytes) else str(model),
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=["SkipLayerNormFusion"],
    )
    pieces = Tokenizer.from_file(str(tokenizer))
    pieces.no_padding()
    pieces.enable_truncation(max_length=MAX_TOKENS)
    rows = []
    for encoding in pieces.encode_batch(list(texts)):
        ids = np.array([encoding.ids], np.int64)
        (hidden,) = session.run(["last_hidden_state"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        rows.append(hidden[0].mean(axis=0))
    vectors = np.array(rows, np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
