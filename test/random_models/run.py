#!/usr/bin/env python3
"""Hone against onnxruntime on random graphs: `run.py [--count N] [--seed S] [--only SEED] [--save DIR] [--workers N]`.

Needs the package hone on PYTHONPATH. A graph with operators that Hone refuses is run again without them. A run of at least
2,000 graphs writes docs/random_models.md. The exit status is 1 where a result differs or Hone crashes.
"""
from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import onnx
from generate import Case, random_case
from report import BAD, PAGE, Tally, reasons
from shrink import smallest, without_refused

HERE = Path(__file__).resolve().parent
SECONDS = 300
ENOUGH_FOR_A_PAGE = 2000


class Worker:
    """A process that runs graphs one after the other, started again after each that it does not survive."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self.process: subprocess.Popen[str] | None = None

    def run(self, seed: int, part: Case | None = None) -> dict:
        request = {"seed": seed}
        if part is not None:
            request |= {"nodes": [node.name for node in part.nodes], "outputs": part.outputs}
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([sys.executable, str(HERE / "worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True)
        process, late, done = self.process, threading.Event(), threading.Event()

        def watch() -> None:  # in single seconds: while everything is paused, none of them passes
            for _ in range(self.seconds):
                if done.wait(1):
                    return
            late.set()
            process.kill()
        threading.Thread(target=watch, daemon=True).start()
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        generated = process.stdout.readline()
        line = process.stdout.readline() if generated else ""
        done.set()
        if line:
            return json.loads(line)
        said = process.stderr.read().strip()
        process.wait()
        outcome = "not generated" if not generated else "hung" if late.is_set() else "crashed"
        return {"outcome": outcome, "detail": f"status {process.returncode}: {said[-400:]}", "judge": ""}


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


def judge(seed: int, worker: Worker, tally: Tally, folder: Path | None) -> None:
    result = worker.run(seed)
    part: Case | None = None
    while result["outcome"] == "refused":
        for why in reasons(result["detail"]):
            tally.refusals[why].append(seed)
        smaller = without_refused(part or random_case(seed), result["detail"])
        if smaller is None:
            break
        part = smaller
        result = worker.run(seed, part)
    outcome = "agreed in part" if part and result["outcome"] == "agreed" else result["outcome"]
    tally.outcomes[outcome] += 1
    tally.judges[result["judge"] or "none"] += 1
    if result["outcome"] == "agreed":
        tally.operators.update(result["operators"])
    if result["outcome"] in ("agreed", "refused"):
        return
    report = [f"seed {seed}: {outcome}: {result['detail'][:400]}"]
    if outcome != "not generated":
        report += shrunk(seed, part or random_case(seed), outcome, worker, folder)
    if outcome in BAD:
        tally.bad.append(f"- {report[0]}")
    print("\n".join(report), flush=True)


def shrunk(seed: int, case: Case, outcome: str, worker: Worker, folder: Path | None) -> list[str]:
    small = smallest(case, lambda tried: worker.run(seed, tried)["outcome"] == outcome)
    again = worker.run(seed, small)
    if folder:
        save(folder, seed, small)
    operators = ", ".join(node.op_type for node in small.nodes)
    return [f"  smallest: {operators} (opset {small.opset}, judged by {again['judge']}); {again['detail'][:400]}",
            *(f"    {line[:600]}" for line in describe(small))]


def run_all(seeds: queue.SimpleQueue[int], arguments: argparse.Namespace, tally: Tally, until: float) -> None:
    worker = Worker(arguments.seconds)
    while time.monotonic() < until:
        try:
            seed = seeds.get_nowait()
        except queue.Empty:
            return
        judge(seed, worker, tally, arguments.save)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first")
    parser.add_argument("--only", type=int, help="this seed alone")
    parser.add_argument("--save", type=Path, help="folder for the smallest failing models and their feeds")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for one graph")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="start no further graph after this time")
    parser.add_argument("--workers", type=int, default=1, help="graphs at a time")
    arguments = parser.parse_args()
    seeds: queue.SimpleQueue[int] = queue.SimpleQueue()
    for seed in [arguments.only] if arguments.only is not None else range(arguments.seed, arguments.seed + arguments.count):
        seeds.put(seed)
    tally, until = Tally(arguments.seed), time.monotonic() + 60 * arguments.minutes
    threads = [threading.Thread(target=run_all, args=(seeds, arguments, tally, until), daemon=True) for _ in range(arguments.workers)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        print("interrupted")
    tally.show()
    if sum(tally.outcomes.values()) >= ENOUGH_FOR_A_PAGE:
        tally.write_page()
        print(PAGE)
    return 1 if any(tally.outcomes[outcome] for outcome in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
