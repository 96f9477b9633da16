"""Operators that move elements without changing them."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .registry import template


def any_value(b: Builder, op: str, lowest: int = 0, highest: int = 5, index: int = 0, exact: bool = False) -> Value:
    return b.pick(element.allowed(op, b.opset, index), lowest, highest, exact=exact)


def index_tensor(b: Builder, dims: list, limits: int, dtypes=(element.I64, element.I32), negative: bool = True) -> Value:
    """Indices into a dimension of at least `limits` elements in every feed."""
    if limits < 1:
        raise Rejected("nothing to index")
    dtype = b.among(dtypes)
    low = -limits if negative and b.chance(0.5) else 0
    shapes = list(zip(*dims)) if dims else [()] * FEEDS
    if all(shape == shapes[0] for shape in shapes) and b.chance(0.5):
        return b.constant(b.numbers.integers(low, limits, shapes[0]).astype(dtype))
    return b.input([np.asarray(b.numbers.integers(low, limits, shape)).astype(dtype) for shape in shapes], pooled=False)


@template("Identity")
def identity(b: Builder, op: str) -> None:
    b.add(op, [any_value(b, op)])


@template("Transpose")
def transpose(b: Builder, op: str) -> None:
    value = any_value(b, op)
    order = b.rng.sample(range(value.rank), value.rank)
    b.add(op, [value], **({"perm": order} if b.chance(0.8) and value.rank else {}))


def factors(b: Builder, count: int) -> list[int]:
    """Sizes with this product."""
    sizes = []
    for prime in (2, 2, 2, 2, 3, 3, 5, 7, 11, 13):
        if count and count % prime == 0 and b.chance(0.6):
            sizes.append(prime)
            count //= prime
    sizes.append(count)
    while len(sizes) > 5:
        sizes.append(sizes.pop() * sizes.pop())
    if len(sizes) < 5 and b.chance(0.3):
        sizes.append(1)
    b.rng.shuffle(sizes)
    return sizes


@template("Reshape")
def reshape(b: Builder, op: str) -> None:
    value = any_value(b, op)
    total = value.arrays[0].size
    if total == 0:
        target = [0, *value.shape[1:]] if value.rank else [0]
        b.add(op, [value, b.constant(np.array(value.shape, np.int64))], **({"allowzero": 1} if b.opset >= 14 else {}))
        return
    if value.static:
        target = factors(b, total)
        if b.chance(0.5):
            target[b.rng.randrange(len(target))] = -1
    else:
        # One free size takes up what differs; zeros keep sizes.
        kept = b.rng.randint(0, value.rank - 1)
        target = [0] * kept + [-1]
        if b.chance(0.5):
            target += [size for sizes in value.dims[kept + 1:] for size in sizes[:1] if len(set(sizes)) == 1]
    b.add(op, [value, b.numbers_input(target)])


@template("Flatten")
def flatten(b: Builder, op: str) -> None:
    value = any_value(b, op)
    b.add(op, [value], **({"axis": b.rng.randint(-value.rank, value.rank)} if b.chance(0.8) else {}))


@template("Squeeze")
def squeeze(b: Builder, op: str) -> None:
    found = [v for v in b.pool if (1,) * FEEDS in v.dims]
    if found and b.chance(0.8):
        value = b.among(found)
    else:
        dims = b.some_dims(0, 4)
        dims.insert(b.rng.randint(0, len(dims)), (1,) * FEEDS)
        value = b.new(b.dtype(element.ALL), dims)
    ones = [axis for axis, sizes in enumerate(value.dims) if set(sizes) == {1}]
    if b.chance(0.2):
        if [a for a, sizes in enumerate(value.dims) if 1 in sizes] != ones:
            raise Rejected("the rank would depend on the feed")
        b.add(op, [value])
        return
    axes = b.rng.sample(ones, b.rng.randint(1, len(ones)))
    b.add(op, [value, b.numbers_input([a - value.rank if b.chance(0.4) else a for a in axes])])


@template("Unsqueeze")
def unsqueeze(b: Builder, op: str) -> None:
    value = any_value(b, op, 0, 4)
    count = b.rng.randint(1, 5 - value.rank)
    rank = value.rank + count
    axes = [a - rank if b.chance(0.4) else a for a in b.rng.sample(range(rank), count)]
    b.add(op, [value, b.numbers_input(axes)])


@template("Concat")
def concat(b: Builder, op: str) -> None:
    first = any_value(b, op, 1)
    axis = b.axis(first.rank)

    def fits(other: Value) -> bool:
        return other.rank == first.rank and other.dtype == first.dtype and all(
            sizes == wanted for k, (sizes, wanted) in enumerate(zip(other.dims, first.dims)) if k != axis % first.rank)
    operands = [first]
    for _ in range(b.rng.choice((0, 1, 1, 2, 3))):
        found = [other for other in b.pool if fits(other)]
        if found and b.chance(0.6):
            operands.append(b.among(found))
        else:
            dims = list(first.dims)
            dims[axis] = b.size()
            operands.append(b.new(first.dtype, dims))
    b.rng.shuffle(operands)
    b.add(op, operands, axis=axis)


@template("Split")
def split(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axis = b.axis(value.rank)
    sizes = value.dims[axis]
    attributes = {"axis": axis} if axis or b.chance(0.5) else {}
    if len(set(sizes)) == 1 and sizes[0] > 0 and b.chance(0.6):
        cuts = sorted(b.rng.randint(0, sizes[0]) for _ in range(b.rng.randint(0, 3)))
        parts = [end - start for start, end in zip([0, *cuts], [*cuts, sizes[0]])]
        b.add(op, [value, b.numbers_input(parts)], len(parts), **attributes)
        return

    def splits(size: int, count: int) -> bool:  # since opset 18 the last part may be smaller
        return size % count == 0 or b.opset >= 18 and (size + count - 1) // count * (count - 1) < size
    count = b.among([n for n in (1, 2, 3, 4, 5) if all(splits(size, n) for size in sizes)])
    b.add(op, [value], count, **attributes, **({"num_outputs": count} if b.opset >= 18 else {}))


@template("Slice")
def slice_(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axes = b.axes(value.rank, 1)
    starts, ends, steps = [], [], []
    for axis in axes:
        size = max(value.dims[axis])
        step = b.rng.choice((1, 1, 1, 2, 3, -1, -2))
        low, high = sorted((b.rng.randint(0, size), b.rng.randint(0, size)))
        start, end = (low, high) if step > 0 else (high, low - 1)
        if end < 0:
            end = -size - 5
        elif b.chance(0.3) and step > 0:
            start, end = start - size, b.among((end - size if end < size else 2**31, 2**31, np.iinfo(np.int64).max))
        starts.append(start)
        ends.append(end)
        steps.append(step)
    dtype = element.I64 if max(ends) > 2**31 - 1 else b.among((element.I64, element.I32))
    inputs = [value, b.numbers_input(starts, dtype), b.numbers_input(ends, dtype)]
    if any(step != 1 for step in steps) or axes != list(range(len(axes))) or b.chance(0.6):
        inputs.append(b.numbers_input(axes, dtype))
        if any(step != 1 for step in steps) or b.chance(0.5):
            inputs.append(b.numbers_input(steps, dtype))
    b.add(op, inputs)


@template("Gather")
def gather(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axis = b.axis(value.rank)
    indices = index_tensor(b, b.some_dims(0, 2), min(value.dims[axis]))
    b.add(op, [value, indices], **({"axis": axis} if axis or b.chance(0.5) else {}))


@template("Expand")
def expand(b: Builder, op: str) -> None:
    value = any_value(b, op)
    target = [b.among((2, 3, 5)) if set(sizes) == {1} and b.chance(0.6) else 1 if len(set(sizes)) > 1 or b.chance(0.3) else sizes[0]
              for sizes in value.dims[b.rng.randint(0, value.rank) if b.chance(0.2) else 0:]]
    if value.rank < 4 and len(target) == value.rank and b.chance(0.4):
        target.insert(0, b.among((1, 2, 4)))
    b.add(op, [value, b.numbers_input(target)])


@template("Tile")
def tile(b: Builder, op: str) -> None:
    value = any_value(b, op)
    b.add(op, [value, b.numbers_input([b.among((0, 1, 1, 1, 2, 2, 3) if b.empty else (1, 1, 2, 3)) for _ in range(value.rank)])])


@template("Pad")
def pad(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    modes = ["constant", "edge", "reflect"] + (["wrap"] if b.opset >= 19 else [])
    mode = b.among(modes)
    axes = b.axes(value.rank, 1) if b.opset >= 18 and b.chance(0.4) else None
    sizes = [min(value.dims[a]) for a in (range(value.rank) if axes is None else axes)]
    if mode != "constant" and 0 in (s for d in value.dims for s in d):
        raise Rejected("no element to repeat")

    def amount(size: int) -> int:
        most = size - 1 if mode == "reflect" else size if mode == "wrap" else 3
        # Negative pads of the other modes are treated differently by every implementation.
        least = -(size // 3) if mode == "constant" and b.chance(0.15) else 0
        return b.rng.randint(least, max(0, min(3, most))) if b.chance(0.7) else 0
    pads = [amount(size) for size in sizes + sizes]
    fill = b.constant(element.values(b.numbers, value.dtype, ())) if mode == "constant" and b.chance(0.6) else None
    inputs = [value, b.numbers_input(pads), fill] + ([b.numbers_input(axes)] if axes is not None else [])
    b.add(op, inputs, **({"mode": mode} if mode != "constant" or b.chance(0.5) else {}))


@template("DepthToSpace", "SpaceToDepth")
def blocks(b: Builder, op: str) -> None:
    block = b.among((1, 2, 3))
    batch, channels = b.size(), b.among((1, 2, 3))
    rows, columns = b.among((1, 2, 5)), b.among((1, 3, 4))
    shape = (channels * block**2, rows, columns) if op == "DepthToSpace" else (channels, rows * block, columns * block)
    value = b.new(b.dtype(element.allowed(op, b.opset)), [batch, *((size,) * FEEDS for size in shape)], constant=False)
    b.add(op, [value], blocksize=block, **({"mode": b.among(("DCR", "CRD"))} if op == "DepthToSpace" and b.chance(0.7) else {}))


@template("Trilu")
def trilu(b: Builder, op: str) -> None:
    value = any_value(b, op, 2)
    k = b.numbers_input(b.rng.randint(-4, 4)) if b.chance(0.6) else None
    b.add(op, [value, k], **({"upper": b.rng.randint(0, 1)} if b.chance(0.7) else {}))


@template("CenterCropPad")
def crop(b: Builder, op: str) -> None:
    value = any_value(b, op, 1)
    axes = sorted({axis % value.rank for axis in b.axes(value.rank, 1)})
    sizes = b.numbers_input([b.rng.randint(1, 7) for _ in axes])
    b.add(op, [value, sizes], axes=axes)


@template("ReverseSequence")
def reverse(b: Builder, op: str) -> None:
    value = any_value(b, op, 2)
    batch = b.rng.randint(0, 1)
    if len(set(value.dims[batch])) != 1:
        raise Rejected("a length for every sequence")
    lengths = b.numbers.integers(1, max(1, min(value.dims[1 - batch])) + 1, value.shape[batch])
    b.add(op, [value, b.constant(lengths.astype(np.int64))], batch_axis=batch, time_axis=1 - batch)
