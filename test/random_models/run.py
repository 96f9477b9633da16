#!/usr/bin/env python3
"""Hone against onnxruntime on random graphs: `run.py [--count N] [--seed S] [--only SEED] [--save DIR]`.

Needs the package hone on PYTHONPATH. A graph with operators that Hone refuses is run again without them. The exit status is 1
where a result differs or Hone crashes.
"""
from __future__ import annotations

import argparse
import collections
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import onnx
from generate import Case, random_case
from shrink import smallest, without_refused

HERE = Path(__file__).resolve().parent
SECONDS = 60
BAD = ("differed", "crashed", "hung")
OUTCOMES = ("agreed", "agreed in part", "refused", "doubtful", "not generated", *BAD)


class Worker:
    """A process that runs graphs one after the other, started again after each that it does not survive."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.process: subprocess.Popen[str] | None = None

    def run(self, seed: int, part: Case | None = None) -> dict[str, str]:
        request = {"seed": seed}
        if part is not None:
            request |= {"nodes": [node.name for node in part.nodes], "outputs": part.outputs}
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([sys.executable, str(HERE / "worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True)
        process, late = self.process, threading.Event()
        timer = threading.Timer(self.seconds, lambda: (late.set(), process.kill()))
        timer.start()
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        generated = process.stdout.readline()
        line = process.stdout.readline() if generated else ""
        timer.cancel()
        if line:
            return json.loads(line)
        said = process.stderr.read().strip()
        process.wait()
        outcome = "not generated" if not generated else "hung" if late.is_set() else "crashed"
        return {"outcome": outcome, "detail": f"status {process.returncode}: {said[-400:]}", "judge": ""}


def reasons(detail: str) -> list[str]:
    """The classes of a refusal: what it says, without the names and numbers of the model."""
    lines = detail.strip().splitlines() or ["no reason given"]
    said = [re.sub(r" \(\d+ nodes?: .*", "", line[2:]) for line in lines if line.startswith("- ")] or lines[:1]
    return [re.sub(r"\b[txwcn]?\d+\b", "N", re.sub(r"'[^']*'", "…", line))[:160] for line in said]


def describe(case: Case) -> list[str]:
    def tensor(name: str) -> str:
        value = case.known[name]
        sizes = "x".join(str(s[0]) if len(set(s)) == 1 else "/".join(map(str, s)) for s in value.dims)
        return f"{name}:{value.dtype}[{sizes}]{'=' + str(value.arrays[0].tolist()) if value.constant and value.arrays[0].size <= 8 else ''}"
    lines = []
    for node in case.nodes:
        attributes = ", ".join(onnx.helper.printable_attribute(a) for a in node.attribute if a.type != onnx.AttributeProto.GRAPH)
        takes = ", ".join(tensor(name) if name else "-" for name in node.input)
        lines.append(f"{', '.join(tensor(name) for name in node.output if name)} = {node.op_type}({takes}) {attributes}")
    return lines


def save(folder: Path, seed: int, case: Case) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(case.model(), folder / f"{seed}.onnx")
    for k, feed in enumerate(case.feeds()):
        np.savez(folder / f"{seed}.feed{k}.npz", **feed)


class Tally:
    def __init__(self) -> None:
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.refusals: dict[str, list[int]] = collections.defaultdict(list)
        self.operators: collections.Counter[str] = collections.Counter()

    def show(self) -> None:
        for why, seeds in sorted(self.refusals.items(), key=lambda item: -len(item[1])):
            print(f"refused {len(seeds):5}  {why}  (seed {seeds[0]})")
        print(f"{len(self.operators)} operators in graphs that agreed")
        print(", ".join(f"{self.outcomes[outcome]} {outcome}" for outcome in OUTCOMES))


def judge(seed: int, worker: Worker, tally: Tally, folder: Path | None) -> None:
    result = worker.run(seed)
    part: Case | None = None
    partial = False
    while result["outcome"] == "refused":
        for why in reasons(result["detail"]):
            tally.refusals[why].append(seed)
        part = without_refused(part or random_case(seed), result["detail"])
        if part is None:
            break
        partial = True
        result = worker.run(seed, part)
    outcome = "agreed in part" if partial and result["outcome"] == "agreed" else result["outcome"]
    tally.outcomes[outcome] += 1
    if result["outcome"] in ("agreed", "refused"):
        if result["outcome"] == "agreed":
            tally.operators.update(node.op_type for node in (part or random_case(seed)).nodes)
        return
    print(f"seed {seed}: {outcome}: {result['detail'][:400]}", flush=True)
    if outcome == "not generated":
        return
    small = smallest(part or random_case(seed), lambda tried: worker.run(seed, tried)["outcome"] == outcome)
    again = worker.run(seed, small)
    operators = ", ".join(node.op_type for node in small.nodes)
    print(f"  smallest: {operators} (opset {small.opset}, judged by {again['judge']}); {again['detail'][:400]}")
    for line in describe(small):
        print(f"    {line[:600]}")
    sys.stdout.flush()
    if folder:
        save(folder, seed, small)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first")
    parser.add_argument("--only", type=int, help="this seed alone")
    parser.add_argument("--save", type=Path, help="folder for the smallest failing models and their feeds")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one graph")
    parser.add_argument("--minutes", type=float, help="start no further graph after this time")
    arguments = parser.parse_args()
    seeds = [arguments.only] if arguments.only is not None else range(arguments.seed, arguments.seed + arguments.count)
    worker, tally, began = Worker(arguments.seconds), Tally(), time.monotonic()
    try:
        for seed in seeds:
            if arguments.minutes and time.monotonic() - began > 60 * arguments.minutes:
                break
            judge(seed, worker, tally, arguments.save)
    except KeyboardInterrupt:
        print("interrupted")
    tally.show()
    return 1 if any(tally.outcomes[outcome] for outcome in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
