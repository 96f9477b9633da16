"""What a user pays before the first result and beside the kernels: compiling, memory, dispatch.

`./dev bench budgets` prints each figure beside its budget. Compiling is measured in fresh processes of the `hone` command.
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import models

BUILD = Path(__file__).resolve().parent.parent / "build" / "release" / "bin"
STEADY_PROCESS = Path(__file__).resolve().parent / "steady_process.py"
MIB = 1 << 20
COMPILED = {"resnet50": (6.0, "packing included"), "bert_base": (3.0, "beyond packing")}  # seconds, and of what
REPEATS = 3
POLL_SECONDS = 0.005
STEADY_MODEL, STEADY_RUNS = "bert_tiny", 10_000
DISPATCH_MICROSECONDS = 0.5


@dataclass
class Line:
    what: str
    measured: float
    budget: float
    unit: str

    def text(self) -> str:
        verdict = "holds" if self.measured <= self.budget else "OVER"
        return f"{self.what:64} {self.measured:9.3f} {self.unit:4} budget {self.budget:9.3f}  {verdict}"


def high_water_bytes(pid: int) -> int:
    """Of the program that runs there now. getrusage would count the process that it was forked from, which is this large one."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    except OSError:
        return 0
    return int(found.group(1)) * 1024 if found else 0


def compile_once(name: str, folder: Path) -> dict[str, float]:
    """Wall seconds of all phases, of packing, megabytes at the peak and of weights."""
    command = [str(BUILD / "hone"), "compile", str(models.model_file(name)), "-o", str(folder / "model.so")]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    while child.poll() is None:
        peak = max(peak, high_water_bytes(child.pid))
        time.sleep(POLL_SECONDS)
    text = child.stdout.read()
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed")
    seconds = {phase: float(number) / 1e3 for phase, number in re.findall(r"(\w+) ([\d.]+) ms", text)}
    weights = re.search(r"weights +([\d.]+) (\w+)", text)
    scale = {"B": 1, "KiB": 1 << 10, "MiB": MIB, "GiB": 1 << 30}[weights.group(2)]
    return {
        "total": sum(seconds.values()), "packing": seconds.get("assemble", 0),
        "peak": peak, "weights": float(weights.group(1)) * scale,
    }


def compile_lines() -> list[Line]:
    lines = []
    for name, (budget, scope) in COMPILED.items():
        with tempfile.TemporaryDirectory() as folder:
            runs = [compile_once(name, Path(folder)) for _ in range(REPEATS)]
        left_out = "packing" if scope == "beyond packing" else None
        seconds = sorted(run["total"] - run.get(left_out, 0) for run in runs)[REPEATS // 2]
        lines.append(Line(f"compile {name}, {scope}", seconds, budget, "s"))
        peak = max(run["peak"] for run in runs)
        lines.append(Line(f"memory while compiling {name}", peak / MIB, 3 * runs[0]["weights"] / MIB + 256, "MiB"))
    return lines


def steady_lines() -> list[Line]:
    command = [sys.executable, str(STEADY_PROCESS), str(models.model_file(STEADY_MODEL)), str(STEADY_RUNS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    growth = (found["last"] - found["first"]) / MIB
    return [Line(f"growth of {STEADY_MODEL}'s process from run 100 to run {STEADY_RUNS}", growth, 1.0, "MiB")]


def dispatch_lines() -> list[Line]:
    """From the tests that print them; they time the runtime alone, on toy kernels."""
    command = [str(BUILD / "runtime_test"), "--gtest_filter=*Prints*"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = []
    for workers, number in re.findall(r"fork-join of (2) workers: median ([\d.]+) us", text):
        lines.append(Line(f"fork-join of {workers} workers, spinning", float(number), DISPATCH_MICROSECONDS, "us"))
    for threads, tasks, number in re.findall(r"(\d) threads, (\w+ tasks?): ([\d.]+) us per tiny kernel", text):
        lines.append(Line(f"a tiny kernel in a chain of 200, {threads} threads, {tasks}", float(number), DISPATCH_MICROSECONDS, "us"))
    return lines


def measure() -> dict[str, object]:
    lines = []
    for part in (dispatch_lines, compile_lines, steady_lines):
        for line in part():
            print(line.text(), flush=True)
            lines.append(line)
    return {"lines": [asdict(line) for line in lines]}
