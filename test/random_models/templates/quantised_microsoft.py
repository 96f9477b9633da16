"""Quantised operators that onnxruntime's static quantisation writes. Areas are powers of two, as scales are: means are exact."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .other_domains import MICROSOFT
from .quantised import BYTES, NOTHING, parameters
from .recent import full
from .registry import template


def kind_of(op: str) -> str:
    return op.rsplit(".", 1)[1]


def bytes_of(b: Builder, dtype: np.dtype, lowest: int = 1, highest: int = 3) -> Value:
    value = b.new(dtype, b.some_dims(lowest, highest), constant=False)
    if not full(value):
        raise Rejected("onnxruntime refuses parts of nothing")
    return value


@template("com.microsoft.QLinearAdd", "com.microsoft.QLinearMul")
def binary(b: Builder, op: str) -> None:
    dtype = b.among(BYTES)
    first = bytes_of(b, dtype)
    second = b.new(dtype, first.dims[-1:] if b.chance(0.4) else first.dims)
    scale, _ = parameters(b, dtype)
    zero = b.constant(np.array(b.among((0, 2, 4)), dtype))  # even: onnxruntime adds it before it rounds a tie to an even number
    b.add(kind_of(op), [first, *parameters(b, dtype), second, *parameters(b, dtype), scale, zero], domain=MICROSOFT)


@template("com.microsoft.QLinearLeakyRelu", "com.microsoft.QLinearSigmoid")
def activation(b: Builder, op: str) -> None:
    dtype = b.among(BYTES)
    attributes = {"alpha": b.among((0.25, 0.5))} if kind_of(op) == "QLinearLeakyRelu" else {}
    b.add(kind_of(op), [bytes_of(b, dtype), *parameters(b, dtype), *parameters(b, dtype)], domain=MICROSOFT, **attributes)


@template("com.microsoft.QLinearConcat")
def concat(b: Builder, op: str) -> None:
    dtype = b.among(BYTES)
    first = bytes_of(b, dtype)
    axis = b.axis(first.rank)
    parts = [first]
    for _ in range(b.rng.randint(0, 2)):
        dims = list(first.dims)
        dims[axis] = (b.rng.randint(1, 5),) * FEEDS
        parts.append(b.new(dtype, dims))
    b.add("QLinearConcat", [*parameters(b, dtype), *(v for part in parts for v in (part, *parameters(b, dtype)))], domain=MICROSOFT, axis=axis)


@template("com.microsoft.QLinearGlobalAveragePool")
def average(b: Builder, op: str) -> None:
    dtype, last = b.among(BYTES), b.rng.randint(0, 1)
    area = [(b.among((1, 2, 4, 8)),) * FEEDS for _ in range(2)]
    channels = (b.among((1, 3, 8)),) * FEEDS
    value = b.new(dtype, [b.size(), *([*area, channels] if last else [channels, *area])], constant=False)
    if not full(value):
        raise Rejected("the mean of nothing")
    b.add("QLinearGlobalAveragePool", [value, *parameters(b, dtype), *parameters(b, dtype)], domain=MICROSOFT, channels_last=last)


def matrices(b: Builder, turned: int = 0) -> tuple[Value, Value]:
    rows, inner, columns = b.size(), b.size(), (b.among((1, 5, 16)),) * FEEDS
    if 0 in (*rows, *inner):
        raise Rejected(NOTHING)
    first = b.new(b.among(BYTES), [rows, inner], constant=False)
    return first, b.new(element.I8, [columns, inner] if turned else [inner, columns])


@template("com.microsoft.QGemm")
def gemm(b: Builder, op: str) -> None:
    turned = b.rng.randint(0, 1)
    first, second = matrices(b, turned)
    columns = second.shape[0 if turned else 1]
    bias = b.constant(b.numbers.integers(-20, 20, columns).astype(np.int32)) if b.chance(0.5) else None
    result = parameters(b, first.dtype) if b.chance(0.6) else ()
    b.add("QGemm", [first, *parameters(b, first.dtype), second, *parameters(b, second.dtype), bias, *result], rounds=not result,
          ring=not result, domain=MICROSOFT, transB=turned, alpha=b.among((1.0, 0.5)))


@template("com.microsoft.MatMulIntegerToFloat")
def matmul_to_float(b: Builder, op: str) -> None:
    first, second = matrices(b)
    (scale, zero), (other, centre) = parameters(b, first.dtype), parameters(b, second.dtype)
    b.add("MatMulIntegerToFloat", [first, second, scale, other, zero, centre], rounds=True, ring=True, domain=MICROSOFT)
