"""Normalisations and losses."""
from __future__ import annotations

import element
from builder import FEEDS, Builder, Dims, Rejected, Value

from .registry import template

EPSILONS = (1e-5, 1e-3, 0.1)
CANCELLING = 16  # roundings: x - mean(x) is computed as x * scale + shift by some


def channelled(b: Builder, op: str, lowest: int = 3) -> Value:
    """A tensor with a known number of channels and no size of zero."""
    return b.pick(element.allowed(op, b.opset), lowest, where=lambda v: v.rank >= lowest and len(set(v.dims[1])) == 1 and v.within(-50, 50)
                  and all(0 not in a.shape for a in v.arrays))


def epsilon(b: Builder) -> dict:
    return {"epsilon": b.among(EPSILONS)} if b.chance(0.6) else {}


@template("BatchNormalization")
def batch_norm(b: Builder, op: str) -> None:
    value = channelled(b, op, 2)
    channels: Dims = [value.dims[1]]
    scale, bias, mean = (b.new(value.dtype, channels) for _ in range(3))
    variance = b.new(value.dtype, channels, "positive")
    b.add(op, [value, scale, bias, mean, variance], rounds=True, **epsilon(b))


@template("InstanceNormalization")
def instance_norm(b: Builder, op: str) -> None:
    value = channelled(b, op)
    channels: Dims = [value.dims[1]]
    b.add(op, [value, b.new(value.dtype, channels), b.new(value.dtype, channels)], rounds=True, noise=CANCELLING, **epsilon(b))


@template("LayerNormalization")
def layer_norm(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset), 1, where=lambda v: v.within(-50, 50) and all(0 not in a.shape for a in v.arrays))
    axis = b.axis(value.rank)
    scale = b.new(value.dtype, value.dims[axis:])
    bias = b.new(value.dtype, value.dims[axis:]) if b.chance(0.6) else None
    attributes = epsilon(b) | ({"axis": axis} if axis != -1 or b.chance(0.3) else {})
    b.add(op, [value, scale, bias], b.among((1, 1, 1, 3)), rounds=True, noise=CANCELLING, **attributes)


@template("GroupNormalization")
def group_norm(b: Builder, op: str) -> None:
    value = channelled(b, op)
    groups = b.among([g for g in (1, 2, 3, 4, value.shape[1]) if value.shape[1] % g == 0])
    # Until opset 20 one scale a group, since then one a channel.
    dims: Dims = [(groups if b.opset < 21 else value.shape[1],) * FEEDS]
    b.add(op, [value, b.new(value.dtype, dims), b.new(value.dtype, dims)], rounds=True, noise=CANCELLING, num_groups=groups, **epsilon(b))


@template("LpNormalization")
def lp_norm(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset), 1, kind="positive",
                   where=lambda v: v.within(0.1, 100) and all(0 not in a.shape for a in v.arrays))
    b.add(op, [value], rounds=True, axis=b.axis(value.rank), p=b.rng.randint(1, 2))


@template("LRN")
def lrn(b: Builder, op: str) -> None:
    value = channelled(b, op, 4)
    if value.dtype == element.F64:
        raise Rejected("onnxruntime has no f64 here, and the reference evaluator leaves out the last channel of a window")
    attributes = {name: number for name, number in (("alpha", 0.01), ("beta", 0.5), ("bias", 2.0)) if b.chance(0.5)}
    b.add(op, [value], rounds=True, size=b.among((1, 3, 5)), **attributes)


@template("MeanVarianceNormalization")
def mvn(b: Builder, op: str) -> None:
    value = channelled(b, op, 4)
    if value.rank != 4:
        raise Rejected("the default axes are those of images")
    # Always with axes: the shape inference of onnx fails on the node without them.
    b.add(op, [value], rounds=True, noise=CANCELLING, axes=[0, 2, 3] if b.chance(0.5) else sorted(b.rng.sample(range(4), 2)))


@template("SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss")
def loss(b: Builder, op: str) -> None:
    value = channelled(b, op, 2)
    if not value.static:
        raise Rejected("one constant of classes for all feeds")
    classes = value.shape[1]
    dims = [value.dims[0], *value.dims[2:]]
    labels = b.constant(b.numbers.integers(0, classes, [sizes[0] for sizes in dims]).astype(b.among(("int64", "int32"))))
    weights = b.new(value.dtype, [value.dims[1]], "positive") if b.chance(0.4) else None
    attributes: dict = {"reduction": b.among(("none", "sum", "mean"))} if b.chance(0.8) else {}
    if b.chance(0.3):
        attributes["ignore_index"] = b.rng.randrange(classes)
        if attributes.get("reduction", "mean") == "mean" and all((a == attributes["ignore_index"]).all() for a in labels.arrays):
            raise Rejected("the mean of nothing")
    outputs = [True, b.chance(0.5)] if op == "SoftmaxCrossEntropyLoss" else 1
    b.add(op, [value, labels, weights], outputs, rounds=True, **attributes)
