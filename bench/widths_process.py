"""One measurement of widths.py, as a process of its own: ENGINE MODEL THREADS WIDTHS [OUTPUTS.npz]; answers in JSON."""
from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

import engines
import models
from workload import Workload


def main(name: str, model: str, threads: str, widths: str, outputs: str | None = None) -> None:
    engine = engines.engine_class(name)()  # the package's import is not counted
    all_feeds = {int(width): models.rapidocr_feeds(int(width)) for width in widths.split(",")}
    first = next(iter(all_feeds.values()))
    results: dict[str, np.ndarray] = {}
    start = time.perf_counter()
    engine.load(Workload("rapidocr_rec", Path(model), first), int(threads))
    created = time.perf_counter()
    for width, feeds in all_feeds.items():
        results[str(width)] = engine.bind(feeds)()[0]
    end = time.perf_counter()
    if outputs:
        np.savez(outputs, **results)
    print(json.dumps({"total_seconds": end - start, "creation_seconds": created - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
