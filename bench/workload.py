"""One row of the benchmark: a model file, the inputs it is run with, and how its speed is expressed."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Feeds = dict[str, np.ndarray]


@dataclass(frozen=True)
class Workload:
    name: str
    model: Path
    feeds: Feeds
    work: float = 0.0  # in billions of `unit`s per call; 0: the row is given in milliseconds
    unit: str = "ms"  # "GFLOP/s", "GB/s" or "ms"
    # The same operator for torch: tensors in the order of `feeds` -> tensor. None where there is no hand-written one.
    in_torch: Callable[..., Any] | None = None
    weights: tuple[np.ndarray, ...] = ()  # passed to `in_torch` after the feeds

    def speed(self, seconds: float) -> float:
        """What the table shows for a call of this length."""
        return self.work / seconds if self.work else seconds * 1e3
