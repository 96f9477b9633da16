"""Are an engine's outputs the reference's outputs? Asked before anything is timed."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Of the largest reference value. f32 sums in another order stay near 1e-6, Winograd near 1e-4; a wrong answer is far above.
TOLERANCE = 1e-3


@dataclass(frozen=True)
class Agreement:
    absolute: float  # largest difference
    relative: float  # the same, divided by the largest reference value of that output
    problem: str = ""  # why the engine is not timed; empty where it agrees


def compare(got: list[np.ndarray], expected: list[np.ndarray]) -> Agreement:
    if len(got) != len(expected):
        return Agreement(np.inf, np.inf, f"{len(got)} outputs instead of {len(expected)}")
    absolute = relative = 0.0
    for ours, theirs in zip(got, expected):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        # Unit dimensions aside: ncnn has no batch dimension.
        if [d for d in ours.shape if d != 1] != [d for d in theirs.shape if d != 1]:
            return Agreement(np.inf, np.inf, f"shape {ours.shape} instead of {theirs.shape}")
        ours = ours.reshape(theirs.shape).astype(np.float64)
        theirs = theirs.astype(np.float64)
        if not np.array_equal(np.isfinite(ours), np.isfinite(theirs)):
            return Agreement(np.inf, np.inf, "not finite where the reference is")
        finite = np.isfinite(theirs)
        difference = float(np.max(np.abs(ours - theirs), where=finite, initial=0.0))
        largest = float(np.max(np.abs(theirs), where=finite, initial=0.0))
        absolute = max(absolute, difference)
        relative = max(relative, difference / largest if largest else difference)
    if relative > TOLERANCE:
        return Agreement(absolute, relative, f"disagrees: {relative:.1e} of the largest value")
    return Agreement(absolute, relative)
