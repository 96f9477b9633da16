"""Medians of paired rounds and bootstrap intervals of their ratios.

A round times every engine once, so whatever the machine did in it (a neighbour, a clock change) fell on all of them. The
bootstrap therefore draws whole rounds: in each replicate all engines keep the same rounds.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

REPLICATES = 2000
Rounds = dict[str, list[float]]  # engine -> seconds per call, one for each round


@dataclass(frozen=True)
class Ratio:
    """How many times faster than its rival; above 1 is faster. `replicates` serve to combine rows."""

    value: float
    low: float
    high: float
    replicates: np.ndarray

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def as_json(self) -> dict[str, float]:
        return {"value": self.value, "low": self.low, "high": self.high}


def ratio_from(value: float, replicates: np.ndarray) -> Ratio:
    low, high = np.percentile(replicates, [2.5, 97.5])
    return Ratio(value, float(low), float(high), replicates)


def speedup(rounds: Rounds, ours: str, rivals: list[str], seed: int = 0) -> Ratio:
    """Fastest rival's median over ours. Each replicate chooses the fastest anew, so doubt about which it is is counted in."""
    own = np.asarray(rounds[ours])
    others = np.asarray([rounds[name] for name in rivals])
    value = float(np.median(others, axis=1).min() / np.median(own))
    picks = np.random.default_rng(seed).integers(0, own.size, (REPLICATES, own.size))
    replicates = np.median(others[:, picks], axis=2).min(axis=0) / np.median(own[picks], axis=1)
    return ratio_from(value, replicates)


def geometric_mean(ratios: list[Ratio]) -> Ratio:
    """Rows are drawn independently of one another: they were measured at different times."""
    value = float(np.exp(np.mean([np.log(r.value) for r in ratios])))
    replicates = np.exp(np.mean([np.log(r.replicates) for r in ratios], axis=0))
    return ratio_from(value, replicates)
