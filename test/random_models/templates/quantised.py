"""Quantised tensors. Scales are powers of two and operands exact: then every implementation meets the same ties."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .contraction import window_attributes
from .registry import template

SCALES = (0.125, 0.25, 0.5, 1.0)
BYTES = (element.U8, element.I8)
NOTHING = "onnxruntime leaves the product of nothing as it finds it"


def parameters(b: Builder, dtype: np.dtype, shape: tuple[int, ...] = (), scale_type: np.dtype = element.F32) -> tuple[Value, Value]:
    """A scale and a zero point."""
    scale = b.constant(b.numbers.choice(SCALES, shape).astype(scale_type))
    zero = b.numbers.integers(0 if dtype in element.UNSIGNED else -3, 5, shape).astype(dtype)
    return scale, b.constant(zero)


@template("QuantizeLinear")
def quantize(b: Builder, op: str) -> None:
    value = b.pick([t for t in element.allowed(op, b.opset) if element.is_float(t)], exact=True)
    dtype = b.among(BYTES)
    axis = b.axis(value.rank) if value.rank and b.chance(0.4) else None
    if axis is not None and len(set(value.dims[axis])) > 1:
        raise Rejected("a scale for every index")
    scale, zero = parameters(b, dtype, () if axis is None else (value.shape[axis],), value.dtype)
    inputs = [value, scale, zero] if dtype == element.I8 or b.chance(0.7) else [value, scale]
    (quantised,) = b.add(op, inputs, **({"axis": axis} if axis is not None else {}))
    if b.chance(0.5):
        b.add("DequantizeLinear", [quantised, *inputs[1:]], rounds=True, ring=True, **({"axis": axis} if axis is not None else {}))


@template("DequantizeLinear")
def dequantize(b: Builder, op: str) -> None:
    value = b.pick([t for t in element.allowed(op, b.opset) if t in (*BYTES, element.I32)])
    axis = b.axis(value.rank) if value.rank and b.chance(0.4) else None
    if axis is not None and len(set(value.dims[axis])) > 1:
        raise Rejected("a scale for every index")
    scale, zero = parameters(b, value.dtype, () if axis is None else (value.shape[axis],))
    # A zero point other than nought is not allowed for 32 bits.
    inputs = [value, scale] if value.dtype == element.I32 or b.chance(0.3) else [value, scale, zero]
    b.add(op, inputs, rounds=True, ring=True, **({"axis": axis} if axis is not None else {}))


@template("DynamicQuantizeLinear")
def dynamic(b: Builder, op: str) -> None:
    value = b.pick((element.F32,), 1, exact=True, where=lambda v: all(a.size for a in v.arrays) and v.every(lambda a: np.ptp(a) > 0))
    quantised, scale, zero = b.add(op, [value], 3, pooled=False)
    b.add("Cast", [quantised], to=element.code(element.I32))


@template("MatMulInteger")
def matmul_integer(b: Builder, op: str) -> None:
    left, right = b.among(BYTES), b.among(BYTES)
    rows, inner, columns = b.size(), b.size(), b.size()
    if 0 in inner:
        raise Rejected(NOTHING)
    first = b.new(left, (b.some_dims(0, 1) if b.chance(0.3) else []) + [rows, inner], constant=False)
    second = b.new(right, [inner, columns])
    zeros = [b.constant(b.numbers.integers(0, 4, ()).astype(dtype)) if b.chance(0.6) else None for dtype in (left, right)]
    b.add(op, [first, second, *zeros])


@template("ConvInteger")
def conv_integer(b: Builder, op: str) -> None:
    kernel = [b.among((1, 2, 3)) for _ in range(2)]
    value = b.new(element.U8, [b.size(), (2,) * FEEDS, (7,) * FEEDS, (6,) * FEEDS], constant=False)
    weights = b.new(b.among(BYTES), [(size,) * FEEDS for size in (3, 2, *kernel)])
    zeros = [b.constant(np.array(b.rng.randint(0, 3), dtype)) if b.chance(0.6) else None for dtype in (value.dtype, weights.dtype)]
    b.add(op, [value, weights, *zeros], **window_attributes(b, 2, kernel))


@template("QLinearMatMul")
def qlinear_matmul(b: Builder, op: str) -> None:
    dtype = b.among(BYTES)
    inner = b.size()
    first, second = b.new(dtype, [b.size(), inner], constant=False), b.new(dtype, [inner, b.size()], constant=True)
    if 0 in inner:
        raise Rejected(NOTHING)
    pairs = [parameters(b, dtype) for _ in range(3)]
    b.add(op, [first, *pairs[0], second, *pairs[1], *pairs[2]])


@template("QLinearConv")
def qlinear_conv(b: Builder, op: str) -> None:
    dtype = b.among(BYTES)
    kernel = [b.among((1, 2, 3)) for _ in range(2)]
    value = b.new(dtype, [b.size(), (2,) * FEEDS, (7,) * FEEDS, (6,) * FEEDS], constant=False)
    weights = b.new(dtype, [(size,) * FEEDS for size in (3, 2, *kernel)], constant=True)
    pairs = [parameters(b, dtype) for _ in range(3)]
    bias = b.constant(b.numbers.integers(-20, 20, 3).astype(np.int32)) if b.chance(0.5) else None
    b.add(op, [value, *pairs[0], weights, *pairs[1], *pairs[2], bias], **window_attributes(b, 2, kernel))
