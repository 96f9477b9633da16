"""The table on stdout and the same in JSON."""
from __future__ import annotations

import json
from pathlib import Path

import engines
from intervals import Ratio, geometric_mean
from machine import Limits, limits_as_json
from measure import Row


def print_grid(header: list[str], lines: list[list[str]]) -> None:
    """First column to the left, the others to the right."""
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    for line in [header, ["-" * w for w in widths], *lines]:
        cells = [line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:]))]
        print("  ".join(cells).rstrip())


def cell(row: Row, engine: str) -> str:
    if engine in row.rounds:
        return f"{row.workload.speed(row.median(engine)):.4g}"
    problem = row.agreement[engine].problem if engine in row.agreement else ""
    return "WRONG" if problem else "-"


def engine_lines(row: Row) -> list[str]:
    """What happened to each engine of a row, for the log above the table."""
    lines = []
    for name, found in row.agreement.items():
        state = f"NOT TIMED, {found.problem}" if found.problem else "agrees"
        error = f"max error {found.absolute:.1e}, {found.relative:.1e} of max |ref|"
        lines.append(f"    {name}: {state}; {error}; loaded in {row.load_seconds[name]:.2f} s")
    lines += [f"    {name}: absent, {why}" for name, why in row.absent.items() if name not in row.agreement]
    if row.restless_pauses:
        lines.append(f"    {row.restless_pauses} pauses ended with an engine's threads still spinning")
    return lines


def print_log(row: Row) -> None:
    print(f"{row.workload.name}, {row.threads} thread{'s' if row.threads > 1 else ''}")
    print("\n".join(engine_lines(row)), flush=True)


def print_table(rows: list[Row], names: list[str], limit: Limits) -> None:
    threads = f"{limit.threads} thread{'s' if limit.threads > 1 else ''}"
    print(f"\n== {threads}")
    if limit.gflops:
        bandwidth = f", memory {limit.gbytes:.1f} GB/s" if limit.gbytes else ""
        print(f"machine: {limit.gflops:.1f} GFLOP/s{bandwidth} ({limit.source})")
    else:
        print(f"machine: {limit.source}")
    header = ["workload", "unit", *names, "best peer", "best peer / hone", "hone load s"]
    lines = []
    for row in rows:
        ratio = row.speedup_over(row.peers())
        load = row.load_seconds.get(engines.HONE)
        lines.append([
            row.workload.name, row.workload.unit, *(cell(row, name) for name in names), row.best_peer() or "-",
            str(ratio) if ratio else "-", "-" if load is None else f"{load:.2f}",
        ])
    print_grid(header, lines)
    for text, mean, count in means(rows, names):
        print(f"geometric mean, {text} / hone: {mean} over {count} of {len(rows)} rows (above 1: Hone is faster)")


def means(rows: list[Row], names: list[str]) -> list[tuple[str, Ratio, int]]:
    """Against the best peer of each row and against each peer alone, where there are rows at all."""
    rivals = {"best peer": [(row, row.peers()) for row in rows]}
    for name in names:
        if name != engines.HONE:
            rivals[name] = [(row, [name]) for row in rows if name in row.rounds]
    found = []
    for text, pairs in rivals.items():
        ratios = [ratio for row, others in pairs if (ratio := row.speedup_over(others))]
        if ratios:
            found.append((text, geometric_mean(ratios), len(ratios)))
    return found


def row_as_json(row: Row) -> dict[str, object]:
    ratio = row.speedup_over(row.peers())
    return {
        "workload": row.workload.name,
        "threads": row.threads,
        "unit": row.workload.unit,
        "work": row.workload.work,
        "median_seconds": {name: row.median(name) for name in row.rounds},
        "rounds_seconds": row.rounds,
        "load_seconds": row.load_seconds,
        "agreement": {
            name: {"max_abs": str(a.absolute), "max_rel": str(a.relative), "problem": a.problem}
            for name, a in row.agreement.items()
        },
        "absent": row.absent,
        "restless_pauses": row.restless_pauses,
        "best_peer": row.best_peer(),
        "best_peer_over_hone": ratio.as_json() if ratio else None,
    }


def write_json(path: Path, facts: dict[str, object], rows: list[Row], names: list[str], found: list[Limits]) -> None:
    geometric = {
        limit.threads: {
            text: {**mean.as_json(), "rows": count}
            for text, mean, count in means([row for row in rows if row.threads == limit.threads], names)
        }
        for limit in found
    }
    document = {
        **facts,
        "limits": limits_as_json(found),
        "geometric_mean_over_hone": geometric,
        "rows": [row_as_json(row) for row in rows],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n")
