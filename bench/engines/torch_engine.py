"""torch in eager mode, operators only: each workload brings its own torch expression, and the better layout is taken."""
from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch

from engines.engine import Call, Engine, Unavailable
from workload import Feeds, Workload

CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
TRIAL_SECONDS = 0.05


def seconds_per_call(function: Callable[[], object]) -> float:
    function()
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < TRIAL_SECONDS or calls < 3:
        function()
        calls += 1
    return elapsed / calls


class TorchEngine(Engine):
    name = "torch"

    @staticmethod
    def version() -> str:
        return torch.__version__

    def load(self, workload: Workload, threads: int) -> None:
        if workload.in_torch is None:
            raise Unavailable("operators only: this workload has no hand-written torch expression")
        torch.set_num_threads(threads)
        self._function = workload.in_torch
        self._weights = [torch.from_numpy(array) for array in workload.weights]

    def bind(self, feeds: Feeds) -> Call:
        inputs = [torch.from_numpy(array) for array in feeds.values()]
        tensors = inputs + self._weights
        candidates = [self._with(tensors)]
        if inputs[0].ndim in CHANNELS_LAST:
            # Converted here, outside the timing: torch users keep a whole network in one layout.
            layout = {t.ndim: CHANNELS_LAST[t.ndim] for t in tensors if t.ndim in CHANNELS_LAST}
            candidates.append(self._with([t.to(memory_format=layout[t.ndim]) if t.ndim in layout else t for t in tensors]))
        return min(candidates, key=seconds_per_call) if len(candidates) > 1 else candidates[0]

    def _with(self, tensors: list[torch.Tensor]) -> Call:
        function = self._function

        def call() -> list[np.ndarray]:
            with torch.inference_mode():
                return [function(*tensors).numpy()]

        return call
