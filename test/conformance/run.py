#!/usr/bin/env python3
"""How much of ONNX Hone computes: `./dev conformance [WORD...]`.

Runs the cases of the onnx wheel through the public Python package, compiled. Without words it writes docs/conformance.md.
The exit status is 1 where an answer is wrong or a case crashes.
"""
from __future__ import annotations

import collections
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import onnx
from cases import GROUPS, Case, all_cases

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "conformance.md"
CASE_SECONDS = 120
BAD = ("wrong", "crashed", "timed out")


class Worker:
    """A process that runs cases one after the other, started again after each that it does not survive."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def run(self, case: Case) -> dict[str, str]:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([sys.executable, str(HERE / "worker.py")], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        late = threading.Event()
        timer = threading.Timer(CASE_SECONDS, lambda: (late.set(), self.process.kill()))
        timer.start()
        self.process.stdin.write(f"{case.group}/{case.name}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        timer.cancel()
        if line:
            return json.loads(line)
        self.process.wait()
        outcome = "timed out" if late.is_set() else "crashed"
        return {"group": case.group, "name": case.name, "outcome": outcome, "detail": f"status {self.process.returncode}"}


def reason(detail: str) -> str:
    """The class of a refusal: the first thing that it says of an operator, without the names in the model."""
    lines = detail.strip().splitlines() or ["no reason given"]
    said = next((line[2:] for line in lines if line.startswith("- ")), lines[0].rsplit("model.onnx: ", 1)[-1])
    said = re.sub(r" \(\d+ nodes?: .*", "", said)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "…", said))[:140]


def write_page(results: list[dict[str, str]]) -> None:
    lines = ["# Conformance", "", f"`./dev conformance` runs the cases of the wheel onnx {onnx.__version__} through the Python package, compiled,",
             "at a relative tolerance of 1e-3 and an absolute one of 1e-5. This page is what it wrote.", "",
             "| group | cases | passed | refused | wrong | crashed |", "|---|---|---|---|---|---|"]
    for group in (*GROUPS, "all"):
        counts = collections.Counter(r["outcome"] for r in results if group in (r["group"], "all"))
        lines.append(f"| {group} | {sum(counts.values())} | {counts['passed']} | {counts['refused']} | {counts['wrong']} | "
                     f"{counts['crashed'] + counts['timed out']} |")
    reasons = collections.Counter(reason(r["detail"]) for r in results if r["outcome"] == "refused")
    lines += ["", "## Refused", "", "| reason | cases |", "|---|---|"]
    lines += [f"| {text.replace('|', '/')} | {count} |" for text, count in reasons.most_common()]
    bad = [r for r in results if r["outcome"] in BAD]
    lines += ["", "## Wrong or crashed", ""] + ([f"- {r['name']}: {r['outcome']}, {r['detail']}" for r in bad] or ["None."])
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join(lines) + "\n")


def main(words: list[str]) -> int:
    worker = Worker()
    results = []
    for case in all_cases(words):
        result = worker.run(case)
        results.append(result)
        if words or result["outcome"] in BAD:
            print(f"{result['outcome']:9} {case.group}/{case.name}  {result['detail'][:300]}", flush=True)
    counts = collections.Counter(result["outcome"] for result in results)
    print(", ".join(f"{counts[outcome]} {outcome}" for outcome in ("passed", "refused", *BAD)))
    if not words:
        write_page(results)
        print(PAGE)
    return 1 if any(counts[outcome] for outcome in BAD) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
