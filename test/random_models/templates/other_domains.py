"""Operators outside of ONNX's own domain: of ai.onnx.ml, of training, and those that onnxruntime writes into optimised models."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .contraction import fits, spatial_input, window_attributes
from .norm import CANCELLING
from .recent import full
from .registry import template

ML, TRAINING, MICROSOFT = "ai.onnx.ml", "ai.onnx.preview.training", "com.microsoft"


@template("ai.onnx.ml.ArrayFeatureExtractor")
def features(b: Builder, op: str) -> None:
    value = b.pick((element.F32, element.F64, element.I64, element.I32), 1, where=full)
    chosen = b.numbers.integers(0, min(value.dims[-1]), b.rng.randint(1, 5))
    b.add("ArrayFeatureExtractor", [value, b.constant(chosen)], domain=ML)


@template("ai.onnx.ml.Binarizer")
def binarizer(b: Builder, op: str) -> None:
    value = b.pick((element.F32,), exact=True)
    b.add("Binarizer", [value], domain=ML, **({"threshold": b.among((0.5, -1.0))} if b.chance(0.6) else {}))


@template("ai.onnx.preview.training.Adagrad", "ai.onnx.preview.training.Adam", "ai.onnx.preview.training.Momentum")
def step(b: Builder, op: str) -> None:
    dtype = b.among((element.F32, element.F64))
    dims = b.some_dims(0, 3)
    rate, count = b.constant(np.array(0.125, dtype)), b.constant(np.array(b.rng.randint(0, 4), np.int64))
    weights, gradient, first = (b.new(dtype, dims, constant=False) for _ in range(3))
    squares = b.new(dtype, dims, "positive", constant=False)
    kind = op.rsplit(".", 1)[1]
    attributes: dict = {"norm_coefficient": b.among((0.0, 0.01))}
    if kind == "Momentum":
        attributes |= {"alpha": 0.9, "beta": 0.5, "mode": b.among(("standard", "nesterov"))}
    held = {"Adagrad": [squares], "Adam": [first, squares], "Momentum": [first]}[kind]
    b.add(kind, [rate, count, weights, gradient, *held], 1 + len(held), rounds=True, domain=TRAINING, **attributes)


@template("com.microsoft.BiasGelu", "com.microsoft.FastGelu", "com.microsoft.Gelu", "com.microsoft.QuickGelu")
def gelu(b: Builder, op: str) -> None:
    value = b.pick((element.F32,), 1, where=full)
    kind = op.rsplit(".", 1)[1]
    bias = [b.new(value.dtype, value.dims[-1:])] if kind == "BiasGelu" or kind == "FastGelu" and b.chance(0.5) else []
    b.add(kind, [value, *bias], rounds=True, domain=MICROSOFT, **({"alpha": b.among((1.0, 1.702))} if kind == "QuickGelu" else {}))


@template("com.microsoft.FusedMatMul")
def fused_matmul(b: Builder, op: str) -> None:
    rows, inner, columns = b.size(), b.size(), b.size()
    batch = b.some_dims(0, 1)
    turned, other = b.rng.randint(0, 1), b.rng.randint(0, 1)
    first = b.new(element.F32, batch + ([inner, rows] if turned else [rows, inner]))
    second = b.new(element.F32, batch + ([columns, inner] if other else [inner, columns]))
    if any(0 in array.shape for value in (first, second) for array in value.arrays):
        raise Rejected("onnxruntime leaves the product of nothing as it finds it")
    b.add("FusedMatMul", [first, second], rounds=True, domain=MICROSOFT, transA=turned, transB=other, alpha=b.among((1.0, 0.5)))


@template("com.microsoft.FusedConv")
def fused_conv(b: Builder, op: str) -> None:
    value = spatial_input(b, element.F32, b.among((1, 3, 4)), 2)
    kernel = [b.among((1, 2, 3)) for _ in range(2)]
    outputs = b.among((1, 5, 8))
    attributes = window_attributes(b, 2, kernel)
    if not fits(value, kernel, attributes):
        raise Rejected("the window is larger than the input")
    weights = b.new(element.F32, [(size,) * FEEDS for size in (outputs, value.shape[1], *kernel)])
    activation, parameters = b.among((("Relu", []), ("Tanh", []), ("Sigmoid", []), ("LeakyRelu", [0.25]), ("Clip", [-1.0, 2.0]),
                                      ("HardSigmoid", [0.25, 0.5])))
    if parameters:
        attributes["activation_params"] = parameters
    bias = b.new(element.F32, [(outputs,) * FEEDS]) if b.chance(0.6) else None
    b.add("FusedConv", [value, weights, bias], rounds=True, domain=MICROSOFT, activation=activation, **attributes)


@template("com.microsoft.SkipLayerNormalization", "com.microsoft.SkipSimplifiedLayerNormalization")
def skip_norm(b: Builder, op: str) -> None:
    dims = [b.size(), b.size(), b.size()]
    kind = op.rsplit(".", 1)[1]
    value, skip = b.new(element.F32, dims, constant=False), b.new(element.F32, dims, constant=False)
    if not full(value):
        raise Rejected("the mean of nothing")
    inputs: list[Value | None] = [value, skip, b.new(element.F32, dims[-1:])]
    for _ in range(2 if kind == "SkipLayerNormalization" else 1):
        inputs.append(b.new(element.F32, dims[-1:]) if b.chance(0.5) else None)
    b.add(kind, inputs, [True, False, False, b.chance(0.3)], rounds=True, noise=CANCELLING, domain=MICROSOFT, epsilon=b.among((1e-5, 1e-2)))
