"""If, Loop and Scan with bodies that take tensors from outside."""
from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, Sequence

import numpy as np
import onnx
from onnx import helper, numpy_helper

import element
from builder import FEEDS, Builder, Rejected, Value

from .broadcast import broadcasts
from .registry import TEMPLATES, template

INSIDE = ("Add", "Mul", "Sub", "Relu", "Neg", "Tanh", "Sigmoid", "Transpose", "Concat", "ReduceSum", "ReduceMax", "Where", "MatMul", "Clip",
          "Slice", "Unsqueeze", "Reshape", "Max", "Cast", "Softmax", "Conv", "Gather")


class Body:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[Value] = []

    def graph(self, name: str, inputs: Sequence[Value], outputs: Sequence[Value]) -> onnx.GraphProto:
        def describe(value: Value) -> onnx.ValueInfoProto:
            return helper.make_tensor_value_info(value.name, element.code(value.dtype), [None] * value.rank)
        constants = [numpy_helper.from_array(value.arrays[0], value.name) for value in self.constants]
        return helper.make_graph(self.nodes, name, [describe(v) for v in inputs], [describe(v) for v in outputs], constants)


@contextmanager
def body_of(b: Builder) -> Iterator[Body]:
    """Nodes and constants made meanwhile belong to the body; what it made is out of reach afterwards."""
    body, outside, pool = Body(), (b.nodes, b.constants), len(b.pool)
    b.nodes, b.constants = body.nodes, body.constants
    try:
        yield body
    finally:
        b.nodes, b.constants = outside
        del b.pool[pool:]


def condition(b: Builder) -> Value:
    """A truth that the graph computes, or an input, different from feed to feed now and then."""
    found = [v for v in b.pool if v.exact and v.rank == 0 and v.dtype == element.BOOL]
    if found and b.chance(0.5):
        return b.among(found)
    numbers = [v for v in b.pool if v.exact and v.dtype in (element.F32, element.I64) and all(a.size for a in v.arrays)]
    if numbers and b.chance(0.5):
        (largest,) = b.add("ReduceMax", [b.among(numbers)], keepdims=0)
        (truth,) = b.add("Greater", [largest, b.constant(np.array(2, largest.dtype))])
        return truth
    return b.input([np.array(b.chance(0.5)) for _ in range(FEEDS)])


@template("If")
def choice(b: Builder, op: str) -> None:
    truth = condition(b)
    with body_of(b) as first:
        before = len(b.pool)
        for _ in range(b.rng.randint(1, 3)):
            name = b.among(INSIDE)
            TEMPLATES[name](b, name)
        made = {name for node in first.nodes for name in node.output}
        result = b.among([value for value in b.pool[before:] if value.name in made])
    with body_of(b) as second:
        differ = b.chance(0.1)  # the branches may give different sizes
        same = [v for v in b.pool if v.dtype == result.dtype and (v.dims == result.dims or differ and v.rank == result.rank)]
        other = b.among(same) if same and b.chance(0.7) else b.new(result.dtype, result.dims)
        if result.dtype != element.BOOL and b.chance(0.7):
            (other,) = b.add(b.among(("Mul", "Add")), [other, other], rounds=True)
        else:
            (other,) = b.add("Identity", [other])
    branches = {"then_branch": first.graph("then", [], [result]), "else_branch": second.graph("else", [], [other])}
    b.add(op, [truth], rounds=not (result.exact and other.exact), **branches)


def _local(b: Builder, prefix: str, arrays: Sequence[np.ndarray]) -> Value:
    """An input of a body: not exact, since it is another number in every round."""
    value = Value(b._name(prefix), tuple(arrays), tuple(arrays), False)
    b.known[value.name] = value
    return value


def _step(b: Builder, state: Value, other: Value) -> Value:
    """The next state, of the same shape: bounded, however many rounds there are."""
    (mixed,) = b.add(b.among(("Add", "Sub", "Mul")), [state, other], rounds=True)
    return b.add(b.among(("Tanh", "Sigmoid", "Sin")), [mixed], rounds=True)[0]


def _state(b: Builder) -> tuple[Value, Value]:
    start = b.pick((element.F32,), 0, 3)
    found = [v for v in b.pool if v.dtype == start.dtype and broadcasts(start, v)
             and all(np.broadcast_shapes(a.shape, s.shape) == s.shape for a, s in zip(v.arrays, start.arrays))]
    return start, b.among(found)


@template("Loop")
def loop(b: Builder, op: str) -> None:
    start, outer = _state(b)
    rounds = b.rng.randint(0 if b.empty else 1, 5)
    with body_of(b) as body:
        count, go = _local(b, "i", [np.array(0)] * FEEDS), _local(b, "go", [np.array(True)] * FEEDS)
        state = _local(b, "s", start.arrays)
        following = _step(b, state, outer)
        if b.chance(0.4):
            (again,) = b.add("Less", [count, b.constant(np.array(b.rng.randint(0, 4)))])
        else:
            (again,) = b.add("Identity", [go])
        outputs = [again, following]
        if b.chance(0.5):
            outputs += b.add(b.among(("Neg", "Identity")), [following])
        graph = body.graph("body", [count, go, state], outputs)
    trips = b.numbers_input(rounds)
    ongoing = b.constant(np.array(True)) if b.chance(0.5) else None
    b.add(op, [trips, ongoing, start], len(outputs) - 1, rounds=True, body=graph)


@template("Scan")
def scan(b: Builder, op: str) -> None:
    start, _ = _state(b)
    steps = b.size()
    if 0 in steps:
        raise Rejected("no step")
    sequence = b.new(start.dtype, [steps, *start.dims])
    with body_of(b) as body:
        state = _local(b, "s", start.arrays)
        item = _local(b, "x", [np.asarray(array[0]) for array in sequence.arrays])
        following = _step(b, state, item)
        (shown,) = b.add(b.among(("Neg", "Abs", "Identity")), [following])
        graph = body.graph("body", [state, item], [following, shown])
    attributes = {"scan_input_directions": [1]} if b.chance(0.3) else {}
    b.add(op, [start, sequence], 2, rounds=True, num_scan_inputs=1, body=graph, **attributes)
