"""The cost model's order of plans against the measured one: `./dev bench choice`.

`hone choice` compiles each kernel under plans that the model compared and times them in turns. Here Kendall's tau (1: the same
order, 0: none, -1: the reverse) and the regret of the model's first choice (its time over the least among the plans) are made of
that, kernel by kernel.
"""
from __future__ import annotations

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import models
import operators
from budgets import BUILD
from report import print_grid

# From the smallest to the largest, so that what many models share is met in a small one.
MODELS = (
    "silero_vad", "magika", "swift_f0", "basic_pitch", "rapidocr_rec",
    "bert_tiny", "mirage_gatedmlp", "mirage_lora", "mirage_ntrans_b1", "mirage_ntrans_b8", "mirage_rmsnorm_b1", "mirage_rmsnorm_b8",
    "mirage_qknorm_b1", "mirage_qknorm_b8", "mirage_gqa_b1", "mirage_gqa_b8", "mobilenet_v2", "efficientnet_b0", "repvgg_a0",
    "resnet18", "resnet50", "convnext_tiny", "resnet3d18", "vit_b_16", "bert_base", "vgg16", "mobilenet_v2@8", "bert_tiny@8",
)
WORST = 10
# A tie: two measured times that are nearer to each other than this say nothing about their order.
NOISE = 0.01


@dataclass
class Choice:
    """One kernel: predicted cycles and measured seconds of its plans."""

    model: str
    kernel: str
    label: str
    cycles: list[float]
    seconds: list[float]
    plans: list[str] = field(repr=False, default_factory=list)
    differing: int = 0

    @property
    def first(self) -> int:
        """The plan that the model would take."""
        return min(range(len(self.cycles)), key=self.cycles.__getitem__)

    @property
    def regret(self) -> float:
        return self.seconds[self.first] / min(self.seconds)

    @property
    def tau(self) -> float | None:
        return kendall(self.cycles, self.seconds)

    @property
    def kind(self) -> str:
        return self.kernel.split("_")[0]


def order(a: float, b: float, noise: float = 0.0) -> int:
    return 0 if abs(a - b) <= noise * min(abs(a), abs(b)) else (1 if a > b else -1)


def kendall(predicted: list[float], measured: list[float]) -> float | None:
    """Tau-b: pairs that are equal on either side are left out of that side's count; None where nothing can be told."""
    agreeing = predicted_told = measured_told = 0
    for i in range(len(predicted)):
        for j in range(i):
            p, m = order(predicted[i], predicted[j]), order(measured[i], measured[j], NOISE)
            agreeing += p * m
            predicted_told += p != 0
            measured_told += m != 0
    told = (predicted_told * measured_told) ** 0.5
    return agreeing / told if told else None


def read(line: str) -> Choice:
    found = json.loads(line)
    rows = found["candidates"]
    return Choice(
        Path(found["model"]).stem, found["kernel"], found["label"], [row["cycles"] for row in rows], [row["seconds"] for row in rows],
        [row["plan"] for row in rows], sum(row["differs"] for row in rows),
    )


def model_files() -> list[str]:
    files = [str(operators.build(name).model) for name in operators.CASES]
    for name in MODELS:
        try:
            files.append(str(models.model_file(name)))
        except models.MissingModel as error:
            print(f"{name}: left out, {error}", file=sys.stderr)
    return files


def measure(options: list[str], record: Path) -> list[Choice]:
    """What `hone choice` prints is kept in `record`, whose plans --recorded prices again."""
    command = [str(BUILD / "hone"), "choice", *model_files(), *options]
    found = []
    record.parent.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child, record.open("w") as kept:
        for line in child.stdout:
            kept.write(line)
            choice = read(line)
            found.append(choice)
            tau = "  -  " if choice.tau is None else f"{choice.tau:5.2f}"
            print(f"{len(found):4} {choice.model:28.28} {choice.kernel:24.24} tau {tau}  regret {choice.regret:.2f}", file=sys.stderr)
    if child.returncode not in (0, 1):
        raise RuntimeError(f"hone choice ended with {child.returncode}")
    if not found:
        raise RuntimeError("hone choice measured no kernel")
    return found


def quartiles(values: list[float]) -> list[float]:
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def summary(choices: list[Choice]) -> dict[str, object]:
    taus = [tau for choice in choices if (tau := choice.tau) is not None]
    regrets = [choice.regret for choice in choices]
    return {
        "kernels": len(choices),
        "plans": sum(len(choice.cycles) for choice in choices),
        "tau_mean": statistics.fmean(taus) if taus else None,
        "tau_quartiles": quartiles(taus) if taus else None,
        "regret_geometric_mean": statistics.geometric_mean(regrets),
        "regret_quartiles": quartiles(regrets),
        "regret_most": max(regrets),
        "first_choice_best": sum(regret <= 1 + NOISE for regret in regrets) / len(regrets),
        "differing": sum(choice.differing for choice in choices),
    }


def line_of(name: str, found: dict[str, object]) -> list[str]:
    taus = ["-"] * 4 if found["tau_mean"] is None else [f"{value:.2f}" for value in [found["tau_mean"], *found["tau_quartiles"]]]
    regrets = [found["regret_geometric_mean"], *found["regret_quartiles"], found["regret_most"]]
    return [name, str(found["kernels"]), str(found["plans"]), *taus, *(f"{value:.2f}" for value in regrets),
            f"{found['first_choice_best']:.0%}"]


def print_choices(choices: list[Choice]) -> None:
    header = ["kernels", "number", "plans", "tau mean", "25 %", "50 %", "75 %", "regret mean", "25 %", "50 %", "75 %", "most", "best"]
    kinds = sorted({choice.kind for choice in choices}, key=lambda kind: -sum(c.kind == kind for c in choices))
    lines = [line_of(kind, summary([c for c in choices if c.kind == kind])) for kind in kinds]
    print_grid(header, [*lines, line_of("all", summary(choices))])
    print(f"\nThe {WORST} first choices that lose most:")
    for choice in sorted(choices, key=lambda c: -c.regret)[:WORST]:
        best = min(range(len(choice.seconds)), key=choice.seconds.__getitem__)
        print(f"  {choice.regret:.2f}  {choice.model}, {choice.kernel} ({choice.label}): {choice.seconds[choice.first] * 1e6:.1f} us against "
              f"{choice.seconds[best] * 1e6:.1f}, predicted {choice.cycles[choice.first] / 1e3:.1f} against {choice.cycles[best] / 1e3:.1f} kcycles")
    for choice in choices:
        if choice.differing:
            print(f"{choice.model}, {choice.kernel} ({choice.label}): {choice.differing} plans compute something else than the chosen one")


def as_json(choices: list[Choice]) -> dict[str, object]:
    return {
        "summary": summary(choices),
        "kernels": [{
            "model": c.model, "kernel": c.kernel, "label": c.label, "tau": c.tau, "regret": c.regret, "differing": c.differing,
            "cycles": c.cycles, "seconds": c.seconds, "plans": c.plans,
        } for c in choices],
    }
