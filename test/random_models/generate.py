"""Random valid ONNX graphs: `random_model(seed)`.

The same seed gives the same graph as long as the versions of numpy, onnx and onnxruntime stay the same: tensors are known by
running each node as it is added.
"""
from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import helper, numpy_helper

import element
from builder import FEEDS, Builder, Rejected, Value
from evaluate import Functions, model_of, needed_by
from templates import TEMPLATES

ATTEMPTS = 12
OPSETS = (*range(9, 28), 27)


@dataclass(frozen=True)
class Case:
    """A graph with what every tensor holds for each of its feeds. Parts of a graph are cases too."""

    opset: int
    nodes: list[onnx.NodeProto]
    known: dict[str, Value]
    outputs: list[str]
    symbols: dict[tuple[int, ...], str]
    judges: set[str]
    functions: Functions

    def _sources(self) -> list[Value]:
        made = {name for node in self.nodes for name in node.output}
        names = dict.fromkeys(name for node in self.nodes for name in needed_by(node) if name not in made)
        return [self.known[name] for name in names]

    def model(self) -> onnx.ModelProto:
        sources = self._sources()
        symbolic = any(not value.static for value in sources)
        inputs = [helper.make_tensor_value_info(v.name, element.code(v.dtype), self._declared(v)) for v in sources if not v.constant]

        def described(name: str) -> onnx.ValueInfoProto:
            value = self.known[name]
            # Which sizes of a result follow from the symbols is for the compiler to find out.
            return helper.make_tensor_value_info(name, element.code(value.dtype), [None] * value.rank if symbolic else list(value.shape))
        outputs = [described(name) for name in self.outputs]
        # The shape inference of onnx dies at an EyeLike of something that it knows nothing of.
        foreign = [described(name) for node in self.nodes if node.domain for name in node.output if name and name not in self.outputs]
        constants = [numpy_helper.from_array(v.arrays[0], v.name) for v in sources if v.constant]
        graph = helper.make_graph(self.nodes, "random", inputs, outputs, constants, value_info=foreign)
        return model_of(graph, self.opset, self.functions)

    def _declared(self, value: Value) -> list[int | str]:
        return [sizes[0] if len(set(sizes)) == 1 else self.symbols.get(sizes, f"{value.name}_{axis}")
                for axis, sizes in enumerate(value.dims)]

    def feeds(self) -> list[dict[str, np.ndarray]]:
        return [{v.name: v.arrays[k] for v in self._sources() if not v.constant} for k in range(FEEDS)]

    def part(self, nodes: list[onnx.NodeProto], outputs: list[str]) -> "Case":
        """Only these nodes; what others made is fed."""
        return Case(self.opset, nodes, self.known, outputs, self.symbols, self.judges, self.functions)

    def leading_to(self, outputs: list[str]) -> "Case":
        """Only the nodes that the outputs need."""
        needed, kept = set(outputs), []
        for node in reversed(self.nodes):
            if needed & set(node.output):
                kept.insert(0, node)
                needed |= set(needed_by(node))
        return self.part(kept, outputs)


def random_case(seed: int) -> Case:
    rng = random.Random(seed)
    b = Builder(rng.getrandbits(60), rng.choice(OPSETS), symbolic=rng.random() < 0.3, empty=rng.random() < 0.1)
    wanted = rng.choice((1, 1, 2, 3, 4, 6, 9, 13, 20, 30, 40))
    names = sorted(TEMPLATES)
    if rng.random() < 0.5:  # graphs of a few operators only: their combinations come up more often
        names = rng.sample(names, 6)
    failures = 0
    while len(b.nodes) < wanted and failures < ATTEMPTS * wanted or not b.nodes:
        mark, name = b.mark(), rng.choice(names if failures < ATTEMPTS * wanted else sorted(TEMPLATES))
        try:
            TEMPLATES[name](b, name)
        except Rejected:
            b.restore(mark)
            failures += 1
    return Case(b.opset, b.nodes, b.known, _outputs(rng, b), b.symbols, b.judges, b.functions)


def _outputs(rng: random.Random, b: Builder) -> list[str]:
    """What no node takes, but for a little dead code, and a few tensors that others take as well."""
    made = [name for node in b.nodes for name in node.output if name]
    taken = {name for node in b.nodes for name in needed_by(node)}
    chosen = [name for name in made if (rng.random() < 0.95 if name not in taken else rng.random() < 0.08)]
    return chosen or made[-1:]


def random_model(seed: int) -> tuple[onnx.ModelProto, list[dict[str, np.ndarray]]]:
    case = random_case(seed)
    return case.model(), case.feeds()
