"""Chains that models are full of and compilers look for. Drawn node by node they would hardly ever come up."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .contraction import spatial_input
from .registry import template

FEW = (element.F32, element.F32, element.F32, element.F64, element.F16)


def number(b: Builder, value: float, like: Value) -> Value:
    return b.constant(np.array(value, like.dtype))


def chain(b: Builder, op: str, *inputs: Value | None, rounds: bool = True, **attributes) -> Value:
    """One output, now and then out of reach of other templates, so that the chain can be fused whole."""
    return b.add(op, list(inputs), rounds=rounds, pooled=b.chance(0.15), **attributes)[0]


def moderate(b: Builder, lowest: int = 1) -> Value:
    return b.pick(FEW, lowest, where=lambda v: v.within(-8, 8) and all(0 not in a.shape for a in v.arrays))


def reduced(b: Builder, op: str, value: Value, axes: list[int]) -> Value:
    if b.opset >= (13 if op == "ReduceSum" else 18):
        return chain(b, op, value, b.constant(np.array(axes, np.int64)), rounds=op != "ReduceMax")
    return chain(b, op, value, rounds=op != "ReduceMax", axes=axes)


def activation(b: Builder, value: Value) -> Value:
    return chain(b, b.among(("Relu", "Sigmoid", "Tanh", "HardSwish" if b.opset >= 14 else "Elu", "LeakyRelu")), value)


@template("SoftmaxPattern")
def softmax(b: Builder, op: str) -> None:
    value = moderate(b)
    axes = [b.axis(value.rank)]
    shifted = chain(b, "Sub", value, reduced(b, "ReduceMax", value, axes))
    powers = chain(b, "Exp", shifted)
    b.add("Div", [powers, reduced(b, "ReduceSum", powers, axes)], rounds=True)


@template("LayerNormPattern")
def layer_norm(b: Builder, op: str) -> None:
    value = moderate(b)
    axes = [-1]
    centred = chain(b, "Sub", value, reduced(b, "ReduceMean", value, axes))
    squares = chain(b, "Pow", centred, number(b, 2, centred)) if b.chance(0.5) else chain(b, "Mul", centred, centred)
    root = chain(b, "Sqrt", chain(b, "Add", reduced(b, "ReduceMean", squares, axes), number(b, 0.01, value)))
    result = chain(b, "Div", centred, root) if b.chance(0.6) else chain(b, "Mul", centred, chain(b, "Reciprocal", root))
    result = chain(b, "Mul", result, b.new(value.dtype, value.dims[-1:]))
    b.add("Add", [result, b.new(value.dtype, value.dims[-1:])], rounds=True)


@template("GeluPattern")
def gelu(b: Builder, op: str) -> None:
    value = moderate(b)
    error = b.add("Erf", [chain(b, "Div", value, number(b, 2**0.5, value))], rounds=True, pooled=False)[0]
    one = chain(b, "Add", error, number(b, 1, value))
    if b.chance(0.5):
        b.add("Mul", [chain(b, "Mul", value, one), number(b, 0.5, value)], rounds=True)
    else:
        b.add("Mul", [value, chain(b, "Mul", one, number(b, 0.5, value))], rounds=True)


@template("SwishPattern")
def swish(b: Builder, op: str) -> None:
    value = moderate(b, 0)
    gate = chain(b, b.among(("Sigmoid", "HardSigmoid", "Tanh")), value)
    operands = [value, gate]
    b.rng.shuffle(operands)
    b.add("Mul", operands, rounds=True)


@template("ConvBlock")
def conv_block(b: Builder, op: str) -> None:
    """Convolution, normalisation, activation, and the way around them."""
    dtype = b.dtype((element.F32, element.F32, element.F32, element.F16))
    value = spatial_input(b, dtype, b.among((1, 3, 4, 8, 16)), 2)
    if not value.within(-8, 8):
        raise Rejected("large numbers")
    channels = value.shape[1]
    around = b.chance(0.5)
    outputs, kernel = (channels if around else b.among((1, 5, 8, 16)), b.among((1, 3)))
    group = channels if outputs == channels and b.chance(0.3) else 1
    weights = b.new(dtype, [(size,) * FEEDS for size in (outputs, channels // group, kernel, kernel)], "unit", constant=True)
    bias = b.new(dtype, [(outputs,) * FEEDS], constant=True) if b.chance(0.5) else None
    strides = {} if around else {"strides": [b.rng.randint(1, 2)] * 2}
    result = chain(b, "Conv", value, weights, bias, pads=[kernel // 2] * 4, group=group, **strides)
    if b.chance(0.6):
        one: list = [(outputs,) * FEEDS]
        scale, shift, mean = (b.new(dtype, one, constant=True) for _ in range(3))
        result = chain(b, "BatchNormalization", result, scale, shift, mean, b.new(dtype, one, "positive", constant=True))
    elif b.chance(0.5):
        result = chain(b, "Mul", result, b.new(dtype, [(outputs,) * FEEDS, (1,) * FEEDS, (1,) * FEEDS]))
    if around:
        result = chain(b, "Add", *b.rng.sample([result, value], 2))
    result = activation(b, result)
    if b.chance(0.3):
        b.add("MaxPool", [result], kernel_shape=[1, 2] if min(result.dims[3]) > 1 else [1, 1])
    else:
        b._know(result, True)


@template("DenseBlock")
def dense_block(b: Builder, op: str) -> None:
    """Rows times weights, bias, activation, twice; the weights transposed now and then."""
    value = moderate(b, 2)
    for _ in range(2):
        width = value.dims[-1]
        if len(set(width)) > 1:
            raise Rejected("weights for every width")
        columns = (b.among((1, 3, 8, 16, 31)),) * FEEDS
        if b.chance(0.3):
            weights = chain(b, "Transpose", b.new(value.dtype, [columns, width], "unit", constant=True), rounds=False, perm=[1, 0])
        else:
            weights = b.new(value.dtype, [width, columns], "unit", constant=True)
        value = chain(b, "Add", chain(b, "MatMul", value, weights), b.new(value.dtype, [columns]))
        value = activation(b, value)
    b._know(value, True)


@template("ShufflePattern")
def shuffle(b: Builder, op: str) -> None:
    """Reshape, Transpose, Reshape: heads of attention, shuffled channels, patches of images."""
    value = b.pick(element.ALL, 2, 4, where=lambda v: v.static and v.rank >= 2 and v.arrays[0].size > 0)
    axis = b.rng.randrange(value.rank)
    parts = [p for p in (1, 2, 3, 4, 5, 7) if value.shape[axis] % p == 0]
    part = b.among(parts)
    inner = [*value.shape[:axis], part, value.shape[axis] // part, *value.shape[axis + 1:]]
    if len(inner) > 5:
        raise Rejected("too many dimensions")
    apart = chain(b, "Reshape", value, b.constant(np.array(inner)), rounds=False)
    order = b.rng.sample(range(len(inner)), len(inner))
    turned = chain(b, "Transpose", apart, rounds=False, perm=order)
    joined = [turned.shape[0] * turned.shape[1], *turned.shape[2:]]
    b.add("Reshape", [turned, b.constant(np.array(joined))])
