"""Partners of a tensor that broadcast with it."""
from __future__ import annotations

from typing import Callable, Sequence

import numpy as np

from builder import MOST_ELEMENTS, Builder, Dims, Rejected, Value


def partner_dims(b: Builder, dims: Dims, outward: bool = True) -> Dims:
    """Dimensions that broadcast with these; `outward` lets the result be larger than they are."""
    kept = dims[b.rng.randint(0, len(dims)):] if b.chance(0.4) else list(dims)
    out: Dims = []
    for sizes in kept:
        if b.chance(0.2):
            out.append((1,) * len(sizes))
        elif outward and all(size == 1 for size in sizes) and b.chance(0.5):
            out.append(b.size())
        else:
            out.append(sizes)
    if outward and len(kept) == len(dims) and len(dims) < 4 and b.chance(0.1):
        out.insert(0, b.size())
    return out


def broadcasts(first: Value, second: Value) -> bool:
    for one, two in zip(first.arrays, second.arrays):
        try:
            shape = np.broadcast_shapes(one.shape, two.shape)
        except ValueError:
            return False
        if len(shape) > 5 or np.prod(shape, dtype=float) > MOST_ELEMENTS:
            return False
    return True


def partner(b: Builder, value: Value, dtypes: Sequence[np.dtype], exact: bool = False, kind: str = "any",
            where: Callable[[Value], bool] = lambda other: True) -> Value:
    """A tensor that broadcasts with the value: one of the graph, or a new one."""
    found = [other for other in b.pool
             if other.dtype in dtypes and (other.exact or not exact) and where(other) and broadcasts(value, other)]
    if found and b.chance(0.5):
        return b.among(found)
    other = b.new(b.among(dtypes), partner_dims(b, value.dims), kind)
    if not where(other):
        raise Rejected("the new partner does not fit")
    return other
