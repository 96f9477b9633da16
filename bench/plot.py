"""A picture of the table: each engine's speed relative to the best peer of its row, Hone with its interval."""
from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (the backend comes first)

import engines  # noqa: E402
from measure import Row  # noqa: E402

COLOURS = {engines.HONE: "black", "onnxruntime": "tab:blue", "openvino": "tab:purple", "torch": "tab:orange",
           "ncnn": "tab:green"}


def draw_rows(axes, rows: list[Row], names: list[str]) -> None:
    for name in names:
        points = [(i, row) for i, row in enumerate(rows) if name in row.rounds and row.best_peer()]
        if not points:
            continue
        speeds = [row.median(row.best_peer()) / row.median(name) for _, row in points]
        places = [i for i, _ in points]
        axes.plot(speeds, places, "D" if name == engines.HONE else "o", color=COLOURS.get(name), label=name, alpha=0.8)
        if name == engines.HONE:
            ratios = [row.speedup_over(row.peers()) for _, row in points]
            errors = [[max(0, r.value - r.low) for r in ratios], [max(0, r.high - r.value) for r in ratios]]
            axes.errorbar(speeds, places, xerr=errors, fmt="none", ecolor=COLOURS[name], capsize=2)
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%.3g"))
    axes.set_yticks(range(len(rows)), [row.workload.name for row in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", which="both", alpha=0.3)
    axes.set_xlabel("speed, best peer = 1 (right is faster)")


def draw(path: Path, rows: list[Row], names: list[str], caption: str) -> None:
    passes = sorted({row.threads for row in rows})
    height = 1.6 + 0.24 * max(sum(row.threads == threads for row in rows) for threads in passes)
    figure, all_axes = pyplot.subplots(1, len(passes), figsize=(6.5 * len(passes), height), squeeze=False)
    for axes, threads in zip(all_axes[0], passes):
        draw_rows(axes, [row for row in rows if row.threads == threads], names)
        axes.set_title(f"{threads} thread{'s' if threads > 1 else ''}")
    handles, labels = all_axes[0][0].get_legend_handles_labels()
    if handles:
        all_axes[0][0].legend(handles, labels, fontsize=7)
    figure.text(0.005, 0.005, caption, fontsize=6)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
