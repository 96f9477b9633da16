"""Attempts hostile models and inputs, each in a process of its own: `run.py [--fast] [--all] [--asan] [WORD...]`.

Every case must end in an error that names the place, within 256 MB and 1 second of CPU time, touching no file outside its
folder. Prints a line for each that does not, then a summary; the exit status is 1 if there is any. --fast takes a part of
each class, without the slow cases and those with a known fault; --all prints a line for each case, with its message;
--asan loads the sanitizers, for a build that has them, and judges neither memory nor time.
"""
from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a forked process has only the thread that forked

import collections
import gc
import importlib
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import sanitizers  # noqa: E402

if "--asan" in sys.argv:
    sanitizers.restart_with_them()

from case import Case  # noqa: E402
from worker import MEGABYTE, attempt_case, complaint  # noqa: E402


def all_cases(words: list[str]) -> list[Case]:
    """Those whose title contains one of the words; all of them without words."""
    modules = [importlib.import_module(path.stem) for path in sorted(HERE.glob("cases_*.py"))]
    cases = [case for module in modules for case in module.cases()]
    twice = [title for title, count in collections.Counter(case.title for case in cases).items() if count > 1]
    assert not twice, f"two cases are called {twice}"
    return [case for case in cases if not words or any(word in case.title for word in words)]


def fast_part(cases: list[Case]) -> list[Case]:
    """About 15 of each class, spread evenly over it: every test run pays for them."""
    groups = collections.defaultdict(list)
    for case in cases:
        if not case.slow and not case.fault:
            groups[case.group].append(case)
    return [case for group in groups.values() for case in group[::max(1, round(len(group) / 15))]]


def main(arguments: list[str]) -> int:
    words = [word for word in arguments if not word.startswith("--")]
    cases = all_cases(words)
    if "--fast" in arguments:
        cases = fast_part(cases)
    tried, bad = collections.Counter(), collections.Counter()
    gc.freeze()  # a collection in a forked process would copy every page it looks at
    folder = Path(tempfile.mkdtemp(prefix="hone_hostile_")).resolve()
    for number, case in enumerate(cases):
        room = folder / str(number)
        outcome, touched = attempt_case(case, room)
        problem = complaint(case, outcome, touched)
        shutil.rmtree(room, ignore_errors=True)
        tried[case.group] += 1
        bad[case.group] += problem is not None
        figures = f"{outcome.cpu:.2f} s CPU, {outcome.wall:.1f} s, {outcome.memory // MEGABYTE} MB"
        if problem is not None:
            known = f" (known: {case.fault})" if case.fault else ""
            print(f"BAD {case.title}: {problem}{known} [{figures}]", flush=True)
        elif case.fault:
            print(f"MENDED {case.title}: no longer true: {case.fault}", flush=True)
        elif "--all" in arguments:
            print(f"ok  {case.title}: {outcome.text[:300] or outcome.kind} [{figures}]", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    for group, count in tried.items():
        print(f"{group:12} {count:4} cases  {count - bad[group]:4} as they should be  {bad[group]:4} bad")
    print(f"{'all':12} {tried.total():4} cases  {tried.total() - bad.total():4} as they should be  {bad.total():4} bad")
    return 1 if bad.total() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
