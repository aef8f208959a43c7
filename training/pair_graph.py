"""The cross-encoder of rerank.py as an ONNX graph with int8 weights."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

sys.path.insert(0, str(Path(__file__).parent.parent / "assets"))

from model_graph import (
    CONTRIB,
    IR_VERSION,
    LAYERS,
    OPSET,
    GraphBuilder,
    Weights,
    _attention,
    _word_vectors,
)

MAX_TOKENS: Final = 220
INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
MASKED: Final = -1e4


class PairGraph(GraphBuilder):
    """A graph with token types and one score per pair."""

    def model(self, result: str) -> onnx.ModelProto:
        self._nodes.append(helper.make_node("Identity", [result], ["logits"], name="output"))
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in INPUTS]
        output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
        tensors = [numpy_helper.from_array(value, name) for name, value in self._constants.items()]
        graph = helper.make_graph(self._nodes, "cross-encoder", inputs, [output], tensors)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="webrag")


def write_pairs(weights: Weights, sharpness: float, target: Path) -> None:
    """Write the cross-encoder with int8 weights as `model_graph.write_quantised` does."""
    logging.disable(logging.WARNING)
    try:
        quantize_dynamic(
            _pairs(weights, sharpness),
            target,
            op_types_to_quantize=["MatMul", "Attention"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT, "MatMulConstBOnly": True},
        )
    finally:
        logging.disable(logging.NOTSET)


def _pairs(weights: Weights, sharpness: float) -> onnx.ModelProto:
    g = PairGraph(weights)
    mask = g.op("Cast", "attention_mask", to=TensorProto.INT32)
    places = g.constant("positions", g.weight("embeddings.position_embeddings.weight"))
    length = g.op("Shape", "input_ids", start=1, end=2)
    here = g.op("Slice", places, g.constant("zero", np.array([0], np.int64)), length)
    kinds = g.op("Gather", g.constant("kinds", g.weight("embeddings.token_type_embeddings.weight")), "token_type_ids")
    word_vectors = _word_vectors(g, packed=True)
    x = g.norm(g.op("Add", g.op("Add", word_vectors, here), kinds), "embeddings.LayerNorm")
    for index in range(LAYERS):
        x = _layer(g, x, f"encoder.layer.{index}", mask)
    return g.model(_score(g, x, sharpness))


def _layer(g: GraphBuilder, x: str, layer: str, mask: str) -> str:
    attended = _attention(g, x, f"{layer}.attention.self", mask)
    projected = g.dense(attended, f"{layer}.attention.output.dense")
    x = g.norm(g.op("Add", projected, x), f"{layer}.attention.output.LayerNorm")
    widened = g.op("Gelu", g.dense(x, f"{layer}.intermediate.dense"))
    return g.norm(g.op("Add", g.dense(widened, f"{layer}.output.dense"), x), f"{layer}.output.LayerNorm")


def _score(g: GraphBuilder, x: str, sharpness: float) -> str:
    """Add the mean best match of the tokens of the question among those of the passage, and the linear function of the first token."""

    def numbers(name: str, *values: int) -> str:
        return g.constant(name, np.array(values, np.int64))

    one, last, second = g.constant("one", np.array(1, np.float32)), numbers("last", -1), numbers("second", 1)
    kinds = g.op("Cast", "token_type_ids", to=TensorProto.FLOAT)
    mask = g.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    unit = g.op("Div", x, g.op("ReduceL2", x, last, keepdims=1))
    cosines = g.op("MatMul", unit, g.op("Transpose", unit, perm=[0, 2, 1]))
    outside = g.op("Sub", one, g.op("Mul", kinds, mask))
    outside = g.op("Mul", outside, g.constant("masked", np.array(MASKED, np.float32)))
    best = g.op("ReduceMax", g.op("Add", cosines, g.op("Unsqueeze", outside, second)), last, keepdims=0)
    # The first token belongs to neither text.
    after_first = (second, numbers("end", 2**31 - 1), second)
    best = g.op("Slice", best, *after_first)
    asked = g.op("Slice", g.op("Mul", g.op("Sub", one, kinds), mask), *after_first)
    summed = g.op("ReduceSum", g.op("Mul", best, asked), last, keepdims=1)
    mean = g.op("Div", summed, g.op("ReduceSum", asked, last, keepdims=1))
    first = g.op("Squeeze", g.op("Slice", x, "zero", second, second), second)
    close = g.op("Mul", mean, g.constant("sharpness", np.array(sharpness, np.float32)))
    return g.op("Add", close, g.dense(first, "head"))
