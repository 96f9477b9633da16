"""Sequences and optionals. They live inside functions that come with the model, so that every tensor of the graph stays a tensor."""
from __future__ import annotations

import numpy as np
from onnx import helper, numpy_helper

import element
from builder import Builder, Rejected, Value
from evaluate import LOCAL, NEWEST_OF_ONNXRUNTIME

from .registry import template


class Function:
    """Nodes on the way from tensors to tensors."""

    def __init__(self, b: Builder) -> None:
        if b.opset > NEWEST_OF_ONNXRUNTIME or b.opset < 13:
            raise Rejected("no judge for functions of this opset")
        self.b, self.nodes, self.inputs = b, [], []
        self.name = b._name("Function")

    def take(self, value: Value) -> str:
        self.inputs.append(value)
        return f"in{len(self.inputs)}"

    def add(self, op: str, *inputs: str, **attributes) -> str:
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [result], name=f"{self.name}_{len(self.nodes)}", **attributes))
        return result

    def number(self, value: int | list[int]) -> str:
        return self.add("Constant", value=numpy_helper.from_array(np.array(value, np.int64), ""))

    def call(self, *results: str) -> list[Value]:
        names = [f"in{k + 1}" for k in range(len(self.inputs))]
        self.b.functions[self.name] = helper.make_function(LOCAL, self.name, names, list(results), self.nodes,
                                                           [helper.make_opsetid("", self.b.opset)])
        return self.b.add(self.name, self.inputs, len(results), domain=LOCAL)


def _similar(b: Builder, value: Value, axis: int) -> Value:
    """One that can stand behind the value along an axis."""
    found = [v for v in b.pool if v.dtype == value.dtype and v.dims == value.dims]
    if found and b.chance(0.5):
        return b.among(found)
    dims = list(value.dims)
    if b.chance(0.3):
        dims[axis] = b.size()
    return b.new(value.dtype, dims)


@template("SequenceConcat")
def built(b: Builder, op: str) -> None:
    """Put together, changed, and concatenated or taken apart."""
    value = b.pick([t for t in element.ALL if t != element.BF16], 1, 4)
    axis = b.axis(value.rank)
    function = Function(b)
    parts = [value] + [_similar(b, value, axis) for _ in range(b.rng.randint(0, 2))]
    if b.chance(0.5):
        held = function.add("SequenceConstruct", *(function.take(part) for part in parts))
    else:
        held = function.add("SequenceEmpty", dtype=element.code(value.dtype))
        for part in parts:
            held = function.add("SequenceInsert", held, function.take(part))
    if b.chance(0.4):
        place = b.rng.randint(-len(parts), len(parts))
        parts.insert(place, _similar(b, value, axis))
        held = function.add("SequenceInsert", held, function.take(parts[place]), function.number(place))
    if len(parts) > 1 and b.chance(0.3):
        place = b.rng.randrange(-len(parts), len(parts))
        del parts[place]
        held = function.add("SequenceErase", held, *([function.number(place)] if place != -1 or b.chance(0.5) else []))
    if b.opset >= 17 and element.is_float(value.dtype) and b.chance(0.3):
        held = function.add("SequenceMap", held, body=_body(b, value))
    results = []
    same = all(part.dims == value.dims for part in parts)
    if b.chance(0.7):
        new = {"new_axis": 1} if same and b.chance(0.3) else {}
        results.append(function.add("ConcatFromSequence", held, axis=axis, **new))
    if not results or b.chance(0.3):
        results.append(function.add("SequenceAt", held, function.number(b.rng.randrange(-len(parts), len(parts)))))
    if b.chance(0.3):
        results.append(function.add("SequenceLength", held))
    function.call(*results)


def _body(b: Builder, value: Value):
    def element_of(name: str):
        return helper.make_tensor_value_info(name, element.code(value.dtype), None)
    node = helper.make_node(b.among(("Neg", "Abs", "Relu")), ["each"], ["made"])
    return helper.make_graph([node], "each", [element_of("each")], [element_of("made")])


@template("SplitToSequence")
def split(b: Builder, op: str) -> None:
    value = b.pick([t for t in element.allowed(op, b.opset) if t not in (element.BF16, element.BOOL)], 1)
    axis = b.axis(value.rank)
    length = value.dims[axis][0]
    if len(set(value.dims[axis])) > 1 or not 0 < length < 40:
        raise Rejected("how many there are must be known")
    function = Function(b)
    inputs, attributes, count = [function.take(value)], {"axis": axis} if axis or b.chance(0.5) else {}, length
    if b.chance(0.6):
        cuts = sorted(b.rng.sample(range(1, length), min(length - 1, b.rng.randint(0, 3))))
        lengths = [end - start for start, end in zip([0, *cuts], [*cuts, length])]
        each = b.rng.randint(1, length)
        inputs.append(function.number(each if b.chance(0.5) else lengths))
        count = 1 if b.chance(0.5) else min(len(lengths), -(-length // each))
    elif b.chance(0.5):
        attributes["keepdims"] = b.rng.randint(0, 1)
    held = function.add(op, *inputs, **attributes)
    results = [function.add("SequenceAt", held, function.number(b.rng.choice((0, -1, count - 1)))), function.add("SequenceLength", held)]
    function.call(*results[:b.rng.randint(1, 2)])


@template("Optional")
def optional(b: Builder, op: str) -> None:
    value = b.pick([t for t in element.ALL if t != element.BF16])
    function = Function(b)
    if b.chance(0.2):
        spelled = helper.make_optional_type_proto(helper.make_tensor_type_proto(element.code(value.dtype), None))
        held = function.add(op, type=spelled)
        function.call(function.add("Where", function.add("OptionalHasElement", held), function.take(value), function.take(value)))
        return
    held = function.add(op, function.take(value))
    results = [function.add("OptionalGetElement", held), function.add("OptionalHasElement", held)]
    function.call(*results[:b.rng.randint(1, 2)])
