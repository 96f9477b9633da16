"""Hone against itself: does time follow work, and do two threads do twice as much?

Time per operation of square products from 256 to 4096 and of a network from a batch of 1 to 32, all within 15 % of their least; and
two threads against one on models that compute rather than wait, over what two threads add to the machine's peak in the same run.
"""
from __future__ import annotations

import statistics

import machine
import models
import operators
import pause
import report
from engines import HONE, engine_class
from engines.engine import Call
from measure import batch_seconds, calls_per_batch
from workload import Workload

SIDES = (256, 512, 1024, 2048, 4096)
BATCHES = (1, 2, 4, 8, 16, 32)
BATCHED = "resnet18"
COMPUTE_BOUND = ("resnet50", "resnet18", "vgg16", "repvgg_a0", "resnet3d18", "vit_b_16", "bert_base")
BATCH_SECONDS = 0.020
SPREAD, SHARE = 1.15, 0.93  # bars: slowest over fastest per operation; speed-up over that of the peak


def calls_of(workloads: list[tuple[Workload, int]]) -> list[Call]:
    """A bound call for each workload and number of threads."""
    calls = []
    for workload, threads in workloads:
        engine = engine_class(HONE)()
        engine.load(workload, threads)
        calls.append(engine.bind(workload.feeds))
    return calls


def medians(workloads: list[tuple[Workload, int]], rounds: int) -> list[float]:
    """Seconds of a call, measured in turns."""
    calls = calls_of(workloads)
    counts = [calls_per_batch(call, BATCH_SECONDS) for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, count, taken in zip(calls, counts, times):
            pause.until_quiet()
            call()  # untimed, as in measure.py
            taken.append(batch_seconds(call, count) / count)
    return [statistics.median(one) for one in times]


def print_spread(what: str, names: list[str], seconds_per_work: list[float]) -> dict[str, object]:
    least = min(seconds_per_work)
    ratios = {name: one / least for name, one in zip(names, seconds_per_work)}
    worst = max(ratios.values())
    print(f"\n{what}, time per operation over the least: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))
    print(f"  {'within' if worst <= SPREAD else 'NOT WITHIN'} {SPREAD}")
    return {"what": what, "ratios": ratios}


def products(threads: int, rounds: int) -> dict[str, object]:
    cases = [operators.matmul(side, side, side) for side in SIDES]
    seconds = medians([(case, threads) for case in cases], rounds)
    return print_spread(f"products, {threads} threads", [f"{side}³" for side in SIDES],
                        [one / case.work for one, case in zip(seconds, cases)])


def batches(threads: int, rounds: int) -> dict[str, object]:
    cases = [models.build(BATCHED if batch == 1 else f"{BATCHED}@{batch}") for batch in BATCHES]
    seconds = medians([(case, threads) for case in cases], rounds)
    return print_spread(f"{BATCHED}, {threads} threads", [f"batch {batch}" for batch in BATCHES],
                        [one / batch for one, batch in zip(seconds, BATCHES)])


def two_threads(rounds: int) -> dict[str, object]:
    lines, rows = [], []
    for name in COMPUTE_BOUND:
        case = models.build(name)
        doctor = machine.doctor_report()
        peaks = [machine.limits(threads, doctor).gflops for threads in (1, 2)]
        one, two = medians([(case, 1), (case, 2)], rounds)
        share = one / two / (peaks[1] / peaks[0])
        rows.append({"model": name, "speed_up": one / two, "of_peaks": peaks[1] / peaks[0], "share": share})
        lines.append([name, f"{one * 1e3:.2f}", f"{two * 1e3:.2f}", f"{one / two:.2f}", f"{peaks[1] / peaks[0]:.2f}", f"{share:.2f}"])
    print("\ntwo threads against one")
    report.print_grid(["model", "1 thread ms", "2 threads ms", "speed-up", "of the peaks", "share"], lines)
    short = [row["model"] for row in rows if row["share"] < SHARE]
    print(f"below {SHARE}: {', '.join(short) or 'none'}")
    return {"what": "two threads", "rows": rows}


def measure(threads: list[int], rounds: int) -> dict[str, object]:
    parts = [part(count, rounds) for count in threads for part in (products, batches)]
    return {"parts": [*parts, two_threads(rounds)]}
