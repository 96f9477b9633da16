"""One workload on several engines: load all, compare all, then time them in turns."""
from __future__ import annotations

import gc
import math
import random
import time
from dataclasses import dataclass, field

import engines
import pause
from agreement import Agreement, compare
from engines.engine import Call
from intervals import Ratio, Rounds, speedup
from workload import Workload

REASON_LENGTH = 400
MORE_ROUNDS = 40


@dataclass
class Row:
    """What became of one workload at one thread count."""

    workload: Workload
    threads: int
    agreement: dict[str, Agreement] = field(default_factory=dict)
    load_seconds: dict[str, float] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)  # engine -> why it has no time
    rounds: Rounds = field(default_factory=dict)
    restless_pauses: int = 0  # pauses that ended with an engine still spinning
    seed: int = 0

    def median(self, engine: str) -> float:
        times = sorted(self.rounds[engine])
        middle = len(times) // 2
        return times[middle] if len(times) % 2 else (times[middle - 1] + times[middle]) / 2

    def peers(self) -> list[str]:
        return [name for name in self.rounds if name != engines.HONE and name not in engines.BESIDE]

    def best_peer(self) -> str | None:
        return min(self.peers(), key=self.median, default=None)

    def speedup_over(self, rivals: list[str]) -> Ratio | None:
        """Hone against the fastest of `rivals`; None where either side has no times."""
        if engines.HONE not in self.rounds or not rivals:
            return None
        return speedup(self.rounds, engines.HONE, rivals, self.seed)


def one_line(error: Exception) -> str:
    """An engine's message without the places in its sources that OpenVINO puts before it."""
    lines = [line.strip() for line in str(error).splitlines()]
    text = " ".join(line for line in lines if line and not line.startswith("Exception from "))
    return text[:REASON_LENGTH] or type(error).__name__


def load_and_compare(row: Row, names: list[str]) -> dict[str, Call]:
    """Calls of the engines that are there and agree with the reference; the others are noted in the row."""
    calls: dict[str, Call] = {}
    expected = None
    for name in sorted({*names, engines.REFERENCE}, key=lambda n: (n != engines.REFERENCE, n)):
        try:
            engine = engines.engine_class(name)()
            start = time.perf_counter()
            engine.load(row.workload, row.threads)
            row.load_seconds[name] = time.perf_counter() - start
            call = engine.bind(row.workload.feeds)
            outputs = [output.copy() for output in call()]
        except Exception as error:  # whatever a foreign engine throws, the other engines' rows go on
            if name == engines.REFERENCE:
                raise
            row.absent[name] = one_line(error)
            continue
        if expected is None:
            expected = outputs
        row.agreement[name] = compare(outputs, expected)
        if row.agreement[name].problem:
            row.absent[name] = row.agreement[name].problem
        elif name in names:
            calls[name] = call
    return calls


def batch_seconds(call: Call, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start


def calls_per_batch(call: Call, seconds: float) -> int:
    """How many calls last at least `seconds`; 1 for slow ones. Doubling, so that the first calls' cost does not mislead."""
    count = 1
    while (elapsed := batch_seconds(call, count)) < seconds / 2:
        count *= 2
    return max(1, math.ceil(count * seconds / elapsed))


@dataclass(frozen=True)
class Effort:
    """How long to measure. A row that stays below `bar` even by the upper end of its interval gets MORE_ROUNDS before it counts."""

    rounds: int
    batch_seconds: float
    bar: float = 0.0


def is_short(row: Row, bar: float) -> bool:
    ratio = row.speedup_over(row.peers())
    return ratio is not None and ratio.high < bar


def measure(workload: Workload, threads: int, names: list[str], effort: Effort, seed: int) -> Row:
    row = Row(workload, threads, seed=seed)
    calls = load_and_compare(row, names)
    counts = {}
    for name, call in calls.items():
        counts[name] = calls_per_batch(call, effort.batch_seconds)
        pause.until_quiet()
    row.rounds = {name: [] for name in names if name in calls}
    shuffler = random.Random(seed)
    time_in_turns(row, calls, counts, effort.rounds, shuffler)
    if is_short(row, effort.bar):
        time_in_turns(row, calls, counts, MORE_ROUNDS, shuffler)
    return row


def time_in_turns(row: Row, calls: dict[str, Call], counts: dict[str, int], rounds: int, shuffler: random.Random) -> None:
    order = list(calls)
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            shuffler.shuffle(order)  # so that no engine always follows the same one
            for name in order:
                row.restless_pauses += not pause.until_quiet()
                calls[name]()  # untimed: wakes the threads and brings the weights back into the cache
                row.rounds[name].append(batch_seconds(calls[name], counts[name]) / counts[name])
    finally:
        gc.enable()
