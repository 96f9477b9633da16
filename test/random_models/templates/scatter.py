"""Operators that gather or scatter by tensors of indices, and those whose result sizes depend on values."""
from __future__ import annotations

import itertools

import numpy as np

import element
from builder import FEEDS, Builder, Rejected

from .movement import any_value, index_tensor
from .registry import template


@template("GatherElements")
def gather_elements(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axis = b.axis(value.rank)
    dims = [tuple(min(s, b.rng.randint(1, 40)) if set(sizes) == {s} else s for s in sizes) for sizes in value.dims]
    dims[axis] = b.size()
    b.add(op, [value, index_tensor(b, dims, min(value.dims[axis]))], **({"axis": axis} if axis or b.chance(0.5) else {}))


@template("GatherND")
def gather_nd(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    batch = b.rng.choice((0, 0, 1)) if value.rank > 1 else 0
    depth = b.rng.randint(1, value.rank - batch)
    limits = [min(sizes) for sizes in value.dims[batch:batch + depth]]
    dims = value.dims[:batch] + b.some_dims(0, 2) + [(depth,) * FEEDS]
    b.add(op, [value, index_tensor(b, dims, min(limits), (element.I64,))], **({"batch_dims": batch} if batch else {}))


@template("ScatterElements", "Scatter")
def scatter_elements(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axis = b.axis(value.rank)
    if not value.static or 0 in value.shape:
        raise Rejected("one constant of indices for all feeds")
    reduction = b.among(_reductions(b, 16, value.dtype))
    shape = [b.rng.randint(1, size) for size in value.shape]
    indices = np.zeros(shape, np.int64)
    for where in np.ndindex(*(size for k, size in enumerate(shape) if k != axis % value.rank)):
        line = where[:axis % value.rank] + (slice(None),) + where[axis % value.rank:]
        # Without a reduction the same place twice has no defined result.
        indices[line] = b.numbers.choice(value.shape[axis], shape[axis], replace=reduction != "none")
    if b.chance(0.4):
        indices -= value.shape[axis] * b.numbers.integers(0, 2, shape)
    updates = b.new(value.dtype, [(size,) * FEEDS for size in shape])
    b.add(op, [value, b.constant(indices.astype(b.among((np.int64, np.int32)))), updates], axis=axis, rounds=reduction in ("add", "mul"),
          **({"reduction": reduction} if reduction != "none" else {}))


def _reductions(b: Builder, since: int, dtype: np.dtype) -> list[str]:
    if b.opset < since or dtype == element.BOOL:
        return ["none"]
    return ["none", "add", "mul"] + (["min", "max"] if b.opset >= 18 else [])


@template("ScatterND")
def scatter_nd(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    if not value.static or 0 in value.shape:
        raise Rejected("one constant of indices for all feeds")
    depth = b.rng.randint(1, value.rank)
    places = list(itertools.islice(np.ndindex(*value.shape[:depth]), 4000))
    reduction = b.among(_reductions(b, 16, value.dtype))
    count = b.rng.randint(1, min(7, len(places)))
    chosen = b.rng.choices(places, k=count) if reduction != "none" else b.rng.sample(places, count)
    updates = b.new(value.dtype, [(size,) * FEEDS for size in (count, *value.shape[depth:])])
    b.add(op, [value, b.constant(np.array(chosen, np.int64)), updates], rounds=reduction in ("add", "mul"),
          **({"reduction": reduction} if reduction != "none" else {}))


@template("OneHot")
def one_hot(b: Builder, op: str) -> None:
    depth = b.among((1, 2, 5, 7))
    # Those out of range give rows without a mark, but the reference evaluator, which judges some types, wraps them round.
    indices = index_tensor(b, b.some_dims(1, 3), depth)
    dtype = b.among((element.F32, element.I64, element.I32, element.BOOL, element.F64))
    values = b.constant(np.array([0, 1] if dtype == element.BOOL else [2, 5], dtype))
    depth_input = b.constant(np.array(depth, b.among((np.int64, np.int32, np.float32))))
    rank = indices.rank + 1
    b.add(op, [indices, depth_input, values], **({"axis": b.axis(rank)} if b.chance(0.6) else {}))


@template("EyeLike")
def eye(b: Builder, op: str) -> None:
    value = any_value(b, op, 2, 2)
    if value.rank != 2:
        raise Rejected("matrices only")
    attributes = {"k": b.rng.randint(-3, 3)} if b.chance(0.6) else {}
    if b.chance(0.6):
        attributes["dtype"] = element.code(b.among((element.F32, element.I64, element.I32, element.F64)))
    b.add(op, [value], **attributes)


@template("Compress")
def compress(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axis = b.axis(value.rank) if b.chance(0.7) else None
    length = min(value.dims[axis]) if axis is not None else min(array.size for array in value.arrays)
    if length < 1:
        raise Rejected("nothing to choose")
    condition = b.numbers.integers(0, 2, b.rng.randint(1, length)).astype(bool)
    b.add(op, [value, b.constant(condition)], **({"axis": axis} if axis is not None else {}))


@template("NonZero")
def non_zero(b: Builder, op: str) -> None:
    b.add(op, [any_value(b, op, 1, 3, exact=True)])


@template("Unique")
def unique(b: Builder, op: str) -> None:
    value = any_value(b, op, 1, 2, exact=True)
    attributes = {"axis": b.axis(value.rank)} if b.chance(0.3) else {}
    if b.chance(0.6):
        attributes["sorted"] = b.rng.randint(0, 1)
    outputs, theirs = b.rng.randint(1, 4), value.dtype in (element.F32, element.F64, element.I64, element.I8)
    if not theirs and attributes.get("sorted") == 0 and ("axis" in attributes or outputs == 1):
        raise Rejected("onnxruntime lacks the type; the reference evaluator takes what is unique along axis 0, whichever is asked for, "
                       "and sorts all the same where its places are not asked for")
    b.add(op, [value], outputs, **attributes)
