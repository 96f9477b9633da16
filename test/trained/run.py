#!/usr/bin/env python3
"""Trained models against onnxruntime: `./dev trained [WORD...] [--folder DIR] [--page FILE]`.

Every graph in the wheels, or in the folder, runs compiled, at three sets of inputs, with other sizes where dimensions are
open. Prints the worst error of each. Without words it writes a page: docs/trained.md, for a folder the file that is named.
The exit status is 1 where a model disagrees or is refused.
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from wheels import Trained, feeds_of, fetch, in_folder

import hone

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "trained.md"
RELATIVE, ABSOLUTE, FLOOR = 1e-3, 1e-4, 1e-7  # of onnxruntime's element, of its tensor's largest, of 1
SETS = 3
# Where onnxruntime is the one that departs: model → how that is known.
EXPLAINED = {"whisper128.onnx": "onnxruntime's STFT departs as far from the same model with a convolution for it, with which Hone agrees to 0.013"}


def worst_error(got: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """The largest difference as a fraction of what is allowed; above 1 disagrees."""
    worst = 0.0
    for ours, theirs in zip(got, expected, strict=True):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return np.inf
        if theirs.size == 0:
            continue
        if not np.issubdtype(theirs.dtype, np.floating):
            worst = max(worst, 0.0 if np.array_equal(ours, theirs) else np.inf)
            continue
        a, b = ours.astype(np.float64), theirs.astype(np.float64)
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return np.inf
        finite = np.abs(b[np.isfinite(b)])
        allowed = RELATIVE * np.abs(b) + ABSOLUTE * (finite.max() if finite.size else 0) + FLOOR
        with np.errstate(invalid="ignore"):
            worst = max(worst, float(np.max(np.where((a == b) | np.isnan(b), 0, np.abs(a - b) / allowed))))
    return worst


def check(trained: Trained) -> tuple[str, str]:
    model = onnx.load(trained.path)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs = onnxruntime.InferenceSession(str(trained.path), options, providers=["CPUExecutionProvider"])
    try:
        ours = hone.Session(str(trained.path))
    except hone.Error as problem:
        return "refused", str(problem).split(": ", 1)[-1].replace("\n", " ")
    worst, shapes, seen = 0.0, [], set()
    for number in range(SETS):
        feeds = feeds_of(trained, model, number)
        shape = ", ".join("×".join(map(str, array.shape)) or "scalar" for array in feeds.values())
        if shape in seen:
            continue
        seen.add(shape)
        expected = theirs.run(None, feeds)
        try:
            worst = max(worst, worst_error(ours.run(None, feeds), expected))
        except hone.Error as problem:
            return "refused", f"at {shape}: {problem}".replace("\n", " ")
        shapes.append(shape)
    detail = f"{worst:.4f} of what is allowed, at {'; '.join(shapes)}"
    if worst > 1 and worst < 2 and trained.path.name in EXPLAINED:
        return "explained", f"{detail}: {EXPLAINED[trained.path.name]}"
    return ("agrees" if worst <= 1 else "differs"), detail


def write_page(page: Path, title: str, command: str, models: str, rows: list[tuple[str, str, str]]) -> None:
    lines = [f"# {title}", "", f"`{command}` runs every ONNX graph in {models} compiled, and compares with onnxruntime"
             f" {onnxruntime.__version__}. An element may", f"differ by {RELATIVE:g} of itself plus {ABSOLUTE:g} of the largest of its tensor plus {FLOOR:g}."
             " This page is what it wrote.", "", "| model | outcome | worst error, and the inputs |", "|---|---|---|"]
    lines += [f"| {name} | {outcome} | {detail[:300].replace('|', '/')} |" for name, outcome, detail in rows]
    page.write_text("\n".join(lines) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev trained", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only models whose name contains one of them")
    parser.add_argument("--folder", type=Path, help="every .onnx file in it, instead of the wheels")
    parser.add_argument("--page", type=Path, help="where the table of a folder goes; without it none is written")
    options = parser.parse_args()
    models = in_folder(options.folder) if options.folder else fetch(ROOT / "build" / "wheels")
    if not models:
        parser.error(f"no .onnx file in '{options.folder}'")
    rows = []
    for trained in models:
        if options.words and not any(word in trained.name for word in options.words):
            continue
        outcome, detail = check(trained)
        rows.append((trained.name, outcome, detail))
        print(f"{outcome:9} {trained.name}  {detail[:400]}", flush=True)
    bad = [row for row in rows if row[1] not in ("agrees", "explained")]
    print(f"{len(rows) - len(bad)} of {len(rows)} agree")
    if options.folder and options.page:
        write_page(options.page, options.page.stem.capitalize(), f"./dev trained --folder DIR --page {options.page}", "a folder", rows)
    elif not options.folder and not options.words:
        write_page(PAGE, "Trained models", "./dev trained", "these wheels", rows)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
