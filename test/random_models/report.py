"""What became of many graphs: in a few lines, and as the page docs/random_models.md."""
from __future__ import annotations

import collections
import re
from pathlib import Path

import onnx
import onnxruntime

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "random_models.md"
TABLE = ROOT / "src/import/table.cpp"
BAD = ("differed", "crashed", "hung")
OUTCOMES = ("agreed", "agreed in part", "refused", "doubtful", "not generated", *BAD)
# Operators that import knows and no graph can have: why.
OUT_OF_REACH = {
    "SimplifiedLayerNormalization": "no operator of ONNX, so that no model with it passes its checker",
    "com.microsoft.SimplifiedLayerNormalization": "onnxruntime has it in the domain of ONNX alone",
    "com.microsoft.LayerNormalization": "onnxruntime has it in the domain of ONNX alone",
}


def supported_operators() -> set[str]:
    """The names in the table of import, and the two that shape arithmetic alone computes."""
    rows = set(re.findall(r'^    \{"([\w.]+)",', TABLE.read_text(), re.M))
    return rows | {"Shape", "Size"}


def reasons(detail: str) -> list[str]:
    """The classes of a refusal: what it says, without the names and numbers of the model."""
    lines = detail.strip().splitlines() or ["no reason given"]
    said = [re.sub(r" \(\d+ nodes?: .*", "", line[2:]) for line in lines if line.startswith("- ")] or lines[:1]
    return [re.sub(r"\b[txwcn]?\d+(_size)?\b", "N", re.sub(r"'[^']*'", "…", line))[:160] for line in said]


class Tally:
    def __init__(self, first: int) -> None:
        self.first = first
        self.outcomes: collections.Counter[str] = collections.Counter()
        self.judges: collections.Counter[str] = collections.Counter()
        self.refusals: dict[str, list[int]] = collections.defaultdict(list)
        self.operators: collections.Counter[str] = collections.Counter()
        self.bad: list[str] = []

    def uncovered(self) -> list[str]:
        return sorted(supported_operators() - set(self.operators))

    def _by_reason(self) -> list[tuple[str, list[int]]]:
        return sorted(self.refusals.items(), key=lambda item: (-len(item[1]), item[0]))

    def show(self) -> None:
        for why, seeds in self._by_reason():
            print(f"refused {len(seeds):5}  {why}  (seed {min(seeds)})")
        covered = len(supported_operators()) - len(self.uncovered())
        print(f"{covered} of {len(supported_operators())} operators in graphs that agreed; not: {', '.join(self.uncovered()) or 'none'}")
        print(", ".join(f"{self.outcomes[outcome]} {outcome}" for outcome in OUTCOMES))

    def write_page(self) -> None:
        count = sum(self.outcomes.values())
        lines = ["# Random models", "", f"`./dev random_models --count {count} --seed {self.first}` generates graphs of 1 to 40 nodes from seeds, runs each with two sets of",
                 f"inputs, compiled, and compares with onnxruntime {onnxruntime.__version__}, or node by node with the reference evaluator of onnx {onnx.__version__}",
                 "where that lacks a type or an operator. Nothing may differ where nothing is rounded; elsewhere the tolerance follows from",
                 "what becomes of slightly perturbed operands. This page is what it wrote.", "", "| outcome | graphs |", "|---|---|"]
        lines += [f"| {outcome} | {self.outcomes[outcome]} |" for outcome in OUTCOMES]
        lines += ["", "Agreed in part: without the nodes that Hone refuses. Doubtful: onnxruntime in one piece contradicts itself node by node.", "",
                  "| judge | graphs |", "|---|---|"]
        lines += [f"| {judge} | {number} |" for judge, number in self.judges.most_common()]
        lines += ["", "## Refused", ""]
        if self.refusals:
            lines += ["| reason | graphs | first seed |", "|---|---|---|"]
            lines += [f"| {why.replace('|', '/')} | {len(seeds)} | {min(seeds)} |" for why, seeds in self._by_reason()]
        else:
            lines.append("None.")
        lines += ["", "## Differed or crashed", "", *(self.bad or ["None."]), "", "Forms at which a judge is at fault are not generated; the templates say at each what is wrong with it.",
                  "", "## Operators", "", f"{len(supported_operators()) - len(self.uncovered())} of the {len(supported_operators())} operators that import knows came up in graphs that agreed. The others:", ""]
        lines += [f"- {name}: {OUT_OF_REACH.get(name, 'not drawn this time')}" for name in self.uncovered()] or ["None."]
        PAGE.write_text("\n".join(lines) + "\n")
