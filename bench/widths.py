"""Changing shapes: a text recogniser meets 50 widths once each, in one process, session creation included.

It is what an OCR user pays for the first page. Each measurement is a fresh process, so nothing compiled earlier helps,
apart from what an engine stores on disk by default; engines alternate, and outputs are compared before times count.
"""
from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import engines
import models
from agreement import compare
from intervals import Rounds, speedup

ONE_PROCESS = Path(__file__).resolve().parent / "widths_process.py"
ENGINES = (engines.HONE, engines.REFERENCE)
WIDTHS = [64 + 24 * i for i in range(50)]
LIMIT_SECONDS = 900


def widths_in_order(count: int) -> list[int]:
    """Mixed as lines of text come, the same for every engine and every run."""
    mixed = WIDTHS.copy()
    random.Random(50).shuffle(mixed)
    return mixed[:count]


def run_process(engine: str, model: Path, threads: int, widths: list[int], outputs: Path | None) -> dict[str, float]:
    """Raises Unavailable with the last line that the process wrote where it failed."""
    command = [sys.executable, str(ONE_PROCESS), engine, str(model), str(threads), ",".join(map(str, widths))]
    if outputs:
        command.append(str(outputs))
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise engines.Unavailable(lines[-1])
    return json.loads(done.stdout.splitlines()[-1])


def agreeing(names: list[str], model: Path, threads: int, widths: list[int]) -> list[str]:
    """The engines that ran and agreed with the reference at every width; says what happened to each."""
    kept: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        expected: list[np.ndarray] = []
        for name in sorted({*names, engines.REFERENCE}, key=lambda n: n != engines.REFERENCE):
            path = Path(folder) / f"{name}.npz"
            try:
                run_process(name, model, threads, widths, path)
            except (engines.Unavailable, subprocess.TimeoutExpired) as error:
                print(f"    {name}: absent, {error}", flush=True)
                continue
            with np.load(path) as saved:
                got = [saved[str(width)] for width in widths]
            expected = expected or got
            found = compare(got, expected)
            print(f"    {name}: {found.problem or 'agrees'}; max error {found.absolute:.1e}, "
                  f"{found.relative:.1e} of max |ref|", flush=True)
            if not found.problem and name in names:
                kept.append(name)
    return kept


def measure_pass(names: list[str], threads: int, rounds: int, count: int) -> dict[str, object]:
    model, widths = models.model_file("rapidocr_rec"), widths_in_order(count)
    print(f"rapidocr_rec at {count} widths from {min(widths)} to {max(widths)}, {threads} thread{'s' if threads > 1 else ''}")
    kept = agreeing(names, model, threads, widths)
    times: Rounds = {name: [] for name in kept}
    creation: Rounds = {name: [] for name in kept}
    for number in range(rounds):
        for name in kept if number % 2 == 0 else reversed(kept):
            found = run_process(name, model, threads, widths, None)
            times[name].append(found["total_seconds"])
            creation[name].append(found["creation_seconds"])
    for name in kept:
        print(f"  {name:12} {np.median(times[name]):8.3f} s in all, session {np.median(creation[name]):.3f} s, "
              f"median of {rounds} processes")
    ratio = None
    if engines.HONE in kept and engines.REFERENCE in kept:
        ratio = speedup(times, engines.HONE, [engines.REFERENCE])
        print(f"  onnxruntime / hone: {ratio} (above 1: Hone is faster)")
    return {
        "threads": threads, "widths": widths, "total_seconds": times, "creation_seconds": creation,
        "onnxruntime_over_hone": ratio.as_json() if ratio else None,
    }
