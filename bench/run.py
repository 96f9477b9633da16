#!/usr/bin/env python3
"""Hone against its peers: `./dev bench models|ops|movement|scaling|widths|budgets|choice`. The method is told in bench/README.md."""
from __future__ import annotations

import argparse
import datetime
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import budgets
import choice
import engines
import machine
import models
import movement
import operators
import report
import scaling
import widths
from measure import Effort, Row, is_short, measure
from workload import Workload

RESULTS = Path(__file__).resolve().parent / "results"
ROUNDS, QUICK_ROUNDS, FEWEST_HONEST_ROUNDS = 15, 3, 15
BATCH_SECONDS, QUICK_BATCH_SECONDS = 0.020, 0.005
# Each row is to reach this ratio to the best peer.
BARS = {"ops": 0.95, "models": 0.97}
QUICK_WIDTHS = 5
QUICK_KERNELS = 10


def thread_counts(text: str) -> list[int]:
    counts = [int(part) for part in text.split(",")]
    if min(counts) < 1:
        raise argparse.ArgumentTypeError("thread counts start at 1")
    return counts


def engine_names(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in engines.NAMES]
    if unknown:
        raise argparse.ArgumentTypeError(f"no engine {', '.join(unknown)}; there are {', '.join(engines.NAMES)}")
    return names


def parse(arguments: list[str]) -> argparse.Namespace:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--rounds", type=int, help=f"rounds of all engines in turns (default {ROUNDS}, with --quick {QUICK_ROUNDS})")
    shared.add_argument("--threads", type=thread_counts, help="thread counts, a pass for each (default 1,2; of choice 1)")
    shared.add_argument("--engines", type=engine_names, default=list(engines.NAMES), help=f"some of {','.join(engines.NAMES)}")
    shared.add_argument("--json", type=Path, help="where the JSON goes (default bench/results/WHAT-TIME.json; the plot beside it)")
    shared.add_argument("--quick", action="store_true", help="few rounds and short batches: does it work? Not for figures")
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    of_models = what.add_parser("models", parents=[shared], help="whole models")
    of_models.add_argument("names", nargs="*", help="skeletons (NAME@8: a batch of 8), silero_vad, rapidocr_rec, magika, swift_f0, basic_pitch, or an .onnx file with fixed shapes")
    of_operators = what.add_parser("ops", parents=[shared], help="single operators")
    of_operators.add_argument("names", nargs="*", metavar="FILTER", help="part of an operator's name, such as DEP or 'GMM 1x'")
    of_movement = what.add_parser("movement", parents=[shared], help="copies, sums and element-wise kernels against a plain copy")
    of_movement.add_argument("names", nargs="*", metavar="FILTER", help="part of a kernel's name, such as transpose")
    what.add_parser("scaling", parents=[shared], help="time per operation over sizes and batches, two threads against one, of Hone alone")
    what.add_parser("budgets", parents=[shared], help="compile time, memory and dispatch of Hone alone")
    what.add_parser("widths", parents=[shared], help="one model at 50 widths, session creation included")
    of_choice = what.add_parser("choice", parents=[shared], help="the cost model's order of plans against the measured one")
    of_choice.add_argument("--kernels", type=int, default=400, help="at most so many, spread over the models (default 400)")
    of_choice.add_argument("--candidates", type=int, default=20, help="plans of each kernel (default 20)")
    of_choice.add_argument("--seconds", type=float, default=0.3, help="to time the plans of a kernel, at least (default 0.3)")
    of_choice.add_argument("--seed", type=int, default=1, help="draws kernels and plans (default 1)")
    of_choice.add_argument("--recorded", metavar="FILE",
                           help="a .jsonl of an earlier run: what the model expects of its plans now, held against the times then")
    options = parser.parse_args(arguments)
    # Not by set_defaults: the parsers share the option, and with it its default.
    if options.threads is None:
        options.threads = [1] if options.what == "choice" else [1, 2]
    if options.rounds is None:
        options.rounds = QUICK_ROUNDS if options.quick else ROUNDS
    if options.rounds < 1:
        parser.error("--rounds starts at 1")
    return options


def facts(options: argparse.Namespace, arguments: list[str]) -> dict[str, object]:
    return {
        "command": shlex.join(["./dev", "bench", *arguments]),
        "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "rounds": options.rounds,
        "quick": options.quick,
        "threads": options.threads,
        **machine.describe(options.engines),
    }


def print_facts(found: dict[str, object]) -> None:
    print(f"{found['command']}\n{found['cpu']}, {found['cores']} cores; Python {found['python']}")
    print("; ".join(f"{name} {version}" for name, version in found["versions"].items()))
    if found["rounds"] < FEWEST_HONEST_ROUNDS:
        print(f"NB: {found['rounds']} rounds show that it works; take at least {FEWEST_HONEST_ROUNDS} for figures")


def result_path(options: argparse.Namespace) -> Path:
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    return options.json or RESULTS / f"{options.what}-{stamp}.json"


def compare_workloads(names: list[str], build: Callable[[str], Workload], options: argparse.Namespace,
                      found: dict[str, object]) -> int:
    rows: list[Row] = []
    limits: list[machine.Limits] = []
    bar = BARS[options.what]
    effort = Effort(options.rounds, QUICK_BATCH_SECONDS) if options.quick else Effort(options.rounds, BATCH_SECONDS, bar)
    for threads in options.threads:
        limits.append(machine.limits(threads, found["doctor"]))
        for seed, name in enumerate(names):
            try:
                workload = build(name)
            except models.MissingModel as error:
                print(f"{name}: left out, {error}", file=sys.stderr)
                continue
            row = measure(workload, threads, options.engines, effort, seed)
            report.print_log(row)
            rows.append(row)
    if not rows:
        print("nothing to compare", file=sys.stderr)
        return 1
    for limit in limits:
        report.print_table([row for row in rows if row.threads == limit.threads], options.engines, limit)
        short = [row.workload.name for row in rows if row.threads == limit.threads and is_short(row, bar)]
        print(f"surely below {bar}: {', '.join(short) or 'none'}")
    path = result_path(options)
    report.write_json(path, found, rows, options.engines, limits)
    print(f"\n{path}")
    draw_plot(path.with_suffix(".png"), rows, options.engines, found)
    wrong = [row for row in rows if engines.HONE in row.agreement and row.agreement[engines.HONE].problem]
    return 1 if wrong else 0


def draw_plot(path: Path, rows: list[Row], names: list[str], found: dict[str, object]) -> None:
    try:
        import plot
    except ImportError as error:
        print(f"no plot: {error}", file=sys.stderr)
        return
    plot.draw(path, rows, names, f"{found['command']}; {found['cpu']}; {found['rounds']} rounds; {found['time']}")
    print(path)


def write_measured(measured: dict[str, object], options: argparse.Namespace, found: dict[str, object]) -> int:
    path = result_path(options)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**found, **measured}, indent=1) + "\n")
    print(f"\n{path}")
    return 0


def compare_widths(options: argparse.Namespace, found: dict[str, object]) -> int:
    names = [name for name in options.engines if name in widths.ENGINES]
    count = QUICK_WIDTHS if options.quick else len(widths.WIDTHS)
    passes = [widths.measure_pass(names, threads, options.rounds, count) for threads in options.threads]
    return write_measured({"passes": passes}, options, found)


def hold_choices(options: argparse.Namespace, found: dict[str, object]) -> int:
    kernels = min(options.kernels, QUICK_KERNELS) if options.quick else options.kernels
    wrong = 0
    passes = []
    path = result_path(options)
    for threads in options.threads:
        asked = {"kernels": kernels, "candidates": options.candidates, "seconds": options.seconds, "threads": threads,
                 "seed": options.seed, "recorded": options.recorded}
        words = [word for name, value in asked.items() if value is not None for word in (f"--{name}", str(value))]
        choices = choice.measure(words, path.with_name(f"{path.stem}-{threads}t.jsonl"))
        print(f"\n== {threads} thread{'s' if threads > 1 else ''}")
        choice.print_choices(choices)
        passes.append({"threads": threads, **choice.as_json(choices)})
        wrong += sum(one.differing for one in choices)
    path.write_text(json.dumps({**found, "seed": options.seed, "passes": passes}, indent=1) + "\n")
    print(f"\n{path}")
    return 1 if wrong else 0


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    found = facts(options, arguments)
    print_facts(found)
    if options.what == "widths":
        return compare_widths(options, found)
    if options.what == "budgets":
        return write_measured(budgets.measure(), options, found)
    if options.what == "scaling":
        return write_measured(scaling.measure(options.threads, options.rounds), options, found)
    if options.what == "movement":
        return write_measured(movement.measure(options.rounds, options.names), options, found)
    if options.what == "choice":
        return hold_choices(options, found)
    if options.what == "models":
        return compare_workloads(options.names or models.default_names(), models.build, options, found)
    names = operators.select(options.names)
    return compare_workloads(names, operators.build, options, found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
