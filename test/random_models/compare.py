"""How far a result may be from the expected one: not at all where nothing was rounded."""
from __future__ import annotations

import numpy as np

import element
from builder import Value

RELATIVE = {element.F32: 2e-4, element.F64: 1e-9, element.F16: 4e-3, element.BF16: 3e-2}
STRAYS = 32


def difference(got: np.ndarray, want: np.ndarray, value: Value) -> str | None:
    """`value` is what the generator knows of the tensor: whether it was rounded, how often, and how far that may lead."""
    got = np.asarray(got)
    if got.dtype != want.dtype:
        return f"type {got.dtype} instead of {want.dtype}"
    if got.shape != want.shape:
        return f"shape {list(got.shape)} instead of {list(want.shape)}"
    if not element.is_float(want.dtype):
        equal = got == want
    else:
        relative, absolute = (0.0, 0.0) if value.exact else tolerances(want, value)
        with np.errstate(invalid="ignore"):
            equal = np.isclose(got.astype(np.float64), want.astype(np.float64), relative, absolute, equal_nan=True)
    if np.all(equal):
        return None
    where = tuple(int(i) for i in np.argwhere(~np.asarray(equal))[0]) if want.ndim else ()
    return f"{got[where]} instead of {want[where]} at {list(where)}, {int(np.sum(~np.asarray(equal)))} of {want.size} elements"


def tolerances(want: np.ndarray, value: Value) -> tuple[float, float]:
    relative = RELATIVE[want.dtype] * (1 + value.depth / 8)
    finite = np.abs(want.astype(np.float64))[np.isfinite(want.astype(np.float64))]
    largest = float(np.max(finite, initial=0.0))
    return relative, relative * 0.05 * largest + STRAYS * value.stray
