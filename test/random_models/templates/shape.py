"""Sizes of tensors as numbers, and the chains that exporters make of them."""
from __future__ import annotations

import numpy as np
from onnx import numpy_helper

import element
from builder import Builder, Rejected, Value

from .movement import any_value
from .registry import template


@template("Shape")
def shape(b: Builder, op: str) -> None:
    value = any_value(b, op)
    attributes = {}
    if b.opset >= 15 and b.chance(0.5):
        attributes = {name: b.rng.randint(-value.rank - 1, value.rank + 1) for name in ("start", "end") if b.chance(0.6)}
    b.add(op, [value], **attributes)


@template("Size")
def size(b: Builder, op: str) -> None:
    b.add(op, [any_value(b, op)])


@template("ConstantOfShape")
def constant_of_shape(b: Builder, op: str) -> None:
    value = any_value(b, op, 0, 3, exact=True) if not b.pool else b.among(b.pool)
    if value.rank > 4:
        raise Rejected("too many dimensions")
    if b.chance(0.6):
        sizes = sizes_of(b, value)
    else:
        sizes = b.numbers_input([b.rng.randint(0 if b.empty else 1, 5) for _ in range(b.rng.randint(0, 3))])
    attributes = {}
    if b.chance(0.7):
        dtype = b.among((element.F32, element.I64, element.I32, element.BOOL, element.F64, element.F16, element.U8))
        attributes["value"] = numpy_helper.from_array(np.array([1 if dtype == element.BOOL else 3], dtype))
    b.add(op, [sizes], **attributes)


def sizes_of(b: Builder, value: Value) -> Value:
    return b.add("Shape", [value], pooled=False)[0]


def one_size(b: Builder, value: Value, axis: int) -> Value:
    """A size as a tensor of one number, the way exporters write it."""
    sizes = sizes_of(b, value)
    if b.chance(0.5):
        (number,) = b.add("Gather", [sizes, b.constant(np.array(axis))], axis=0, pooled=False)
        return b.add("Unsqueeze", [number, b.constant(np.array([0]))], pooled=False)[0]
    if b.chance(0.5):
        return b.add("Gather", [sizes, b.constant(np.array([axis]))], axis=0, pooled=False)[0]
    return b.add("Slice", [sizes, b.constant(np.array([axis])), b.constant(np.array([axis + 1]))], pooled=False)[0]


@template("ShapeToReshape")
def shape_to_reshape(b: Builder, op: str) -> None:
    """Merges two neighbouring dimensions: Shape, Gather, Mul, Concat, Reshape."""
    value = b.pick(element.ALL, 2, where=lambda v: v.rank >= 2 and all(0 not in a.shape for a in v.arrays))
    merged = b.rng.randrange(value.rank - 1)
    parts: list[Value] = []
    for axis in range(value.rank):
        if axis == merged + 1:
            continue
        part = one_size(b, value, axis)
        if axis == merged:
            (part,) = b.add("Mul", [part, one_size(b, value, axis + 1)], pooled=False)
            if b.chance(0.4):
                part = b.constant(np.array([-1]))
        parts.append(part)
    if b.chance(0.3):
        parts.append(b.constant(np.array([1])))
    (target,) = b.add("Concat", parts, axis=0, pooled=False)
    (flat,) = b.add("Reshape", [value, target])
    if b.chance(0.3):
        b.add("Reshape", [flat, sizes_of(b, value)])


@template("ShapeToExpand")
def shape_to_expand(b: Builder, op: str) -> None:
    value = b.pick(element.ALL, 1, 4)
    target = sizes_of(b, value)
    small = b.new(b.dtype(element.NUMBERS), [sizes if b.chance(0.5) else (1,) * len(sizes) for sizes in value.dims])
    if b.chance(0.3):
        (target,) = b.add("Concat", [b.constant(np.array([2])), target], axis=0, pooled=False)
    b.add("Expand", [small, target])


@template("ShapeToSlice")
def shape_to_slice(b: Builder, op: str) -> None:
    """The first half along an axis."""
    value = b.pick(element.ALL, 1)
    axis = b.rng.randrange(value.rank)
    (end,) = b.add("Div", [one_size(b, value, axis), b.constant(np.array([2]))], pooled=False)
    inputs = [value, b.constant(np.array([0])), end, b.constant(np.array([axis]))]
    if b.chance(0.4):
        inputs[1:3] = [end, b.constant(np.array([np.iinfo(np.int64).max]))]
    b.add("Slice", inputs)


@template("ShapeToRange")
def shape_to_range(b: Builder, op: str) -> None:
    """Positions along an axis, compared with each other as in a causal mask."""
    value = b.pick(element.ALL, 1)
    number = one_size(b, value, b.rng.randrange(value.rank))
    (number,) = b.add("Squeeze", [number, b.constant(np.array([0]))], pooled=False)
    (positions,) = b.add("Range", [b.constant(np.array(0)), number, b.constant(np.array(b.among((1, 2))))])
    if b.chance(0.5):
        (rows,) = b.add("Unsqueeze", [positions, b.constant(np.array([1]))], pooled=False)
        b.add(b.among(("LessOrEqual", "Greater", "Sub")), [positions, rows])


@template("Range")
def range_(b: Builder, op: str) -> None:
    dtype = b.among([t for t in element.allowed(op, b.opset)])
    numbers = (b.among((0, 1, 3)), b.among((4, 7, 12)), b.among((1, 2, 3)))
    if dtype not in element.UNSIGNED and b.chance(0.3):
        numbers = (numbers[1], numbers[0], -numbers[2])
    b.add(op, [b.constant(np.array(number, dtype)) for number in numbers])
