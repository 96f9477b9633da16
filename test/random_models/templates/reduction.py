"""Reductions, scans along an axis, and the ones that choose."""
from __future__ import annotations

import numpy as np

import element
from builder import Builder, Rejected, Value

from .registry import template

CHOOSING = ("ReduceMax", "ReduceMin")
SUMS = ("ReduceSum", "ReduceMean", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")


def reduce(b: Builder, op: str, value: Value, **how) -> None:
    axes_input = b.opset >= (13 if op == "ReduceSum" else 18)
    attributes = {"keepdims": b.rng.randint(0, 1)} if b.chance(0.7) else {}
    axes = b.axes(value.rank, 1) if value.rank and b.chance(0.8) else None
    inputs: list[Value | None] = [value]
    if axes_input:
        if axes is not None:
            inputs.append(b.numbers_input(axes))
        elif b.chance(0.4):
            attributes["noop_with_empty_axes"] = b.rng.randint(0, 1)
    elif axes is not None:
        attributes["axes"] = axes
    b.add(op, inputs, **attributes, **how)


@template(*CHOOSING)
def extreme(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset))
    if any(0 in array.shape for array in value.arrays):
        raise Rejected("the least of nothing")
    reduce(b, op, value)


@template(*SUMS)
def summing(b: Builder, op: str) -> None:
    types = element.allowed(op, b.opset)
    if op in ("ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean"):
        # Roots, logarithms and quotients of integers: nothing says how they are rounded.
        types = tuple(t for t in types if element.is_float(t))
    near = {"ReduceProd": (-1.6, 1.6), "ReduceLogSum": (0.1, 50.0), "ReduceLogSumExp": (-20.0, 20.0)}.get(op, (-1e5, 1e5))
    value = b.pick(types, where=lambda v: v.within(*near), kind={"ReduceLogSum": "positive", "ReduceProd": "unit"}.get(op, "any"))
    if op in ("ReduceMean", "ReduceLogSum", "ReduceLogSumExp") and any(0 in array.shape for array in value.arrays):
        raise Rejected("the mean of nothing")
    reduce(b, op, value, rounds=True, ring=op == "ReduceSum")


@template("ArgMax", "ArgMin")
def position(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset), 1, exact=True, where=lambda v: all(0 not in a.shape for a in v.arrays))
    attributes = {"axis": b.axis(value.rank)} if b.chance(0.8) else {}
    for name in ("keepdims", "select_last_index"):
        if b.chance(0.5):
            attributes[name] = b.rng.randint(0, 1)
    b.add(op, [value], **attributes)


@template("CumSum")
def cumulative(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset), 1)
    attributes = {name: b.rng.randint(0, 1) for name in ("exclusive", "reverse") if b.chance(0.5)}
    b.add(op, [value, b.numbers_input(b.axis(value.rank), b.among((element.I64, element.I32)))], rounds=True, ring=True, **attributes)


@template("TopK")
def top(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset), 1, exact=True)
    axis = b.axis(value.rank)
    count = min(value.dims[axis])
    attributes = {"axis": axis} if axis != -1 or b.chance(0.3) else {}
    largest = b.rng.randint(0, 1)
    if b.chance(0.6):
        attributes["largest"] = largest
    values, _ = b.add(op, [value, b.numbers_input([b.rng.randint(1, count) if count else 0])], 2, **attributes)
    if values.arrays[0].size and b.chance(0.2):
        b.add(op, [value, b.numbers_input([1])], [True, False], **attributes)


@template("Softmax", "LogSoftmax", "Hardmax")
def soft(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset), 1, exact=op == "Hardmax", where=lambda v: v.within(-80, 80))
    if op == "Hardmax" and value.dtype == element.F64 and b.opset < 13:
        raise Rejected("onnxruntime has no f64 here, and the reference evaluator does not join the axes from this one on")
    b.add(op, [value], rounds=op != "Hardmax", **({"axis": b.axis(value.rank)} if b.chance(0.8) else {}))


@template("Det")
def determinant(b: Builder, op: str) -> None:
    dims = b.some_dims(0, 2) + [(b.among((1, 2, 3)),) * 2] * 2
    b.add(op, [b.new(b.dtype(element.allowed(op, b.opset)), dims)], rounds=True)


@template("MeanOfSquares")
def mean_of_squares(b: Builder, op: str) -> None:
    """The pattern of a normalisation written out: x * rsqrt(mean(x²) + ε)."""
    value = b.pick(element.FLOATS, 1, where=lambda v: v.within(-50, 50) and all(0 not in a.shape for a in v.arrays))
    (square,) = b.add("Mul", [value, value], rounds=True, pooled=False)
    axes = [b.axis(value.rank)]
    if b.opset >= 18:
        (mean,) = b.add("ReduceMean", [square, b.constant(np.array(axes, np.int64))], rounds=True, pooled=False)
    else:
        (mean,) = b.add("ReduceMean", [square], rounds=True, pooled=False, axes=axes)
    (shifted,) = b.add("Add", [mean, b.constant(np.array(0.125, value.dtype))], rounds=True, pooled=False)
    (root,) = b.add("Sqrt", [shifted], rounds=True)
    (result,) = b.add("Div", [value, root], rounds=True)
    if b.chance(0.5):
        b.add("Mul", [result, b.new(value.dtype, value.dims[-1:])], rounds=True)
