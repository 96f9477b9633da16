"""Models of few bytes or many that cost more than they should: depth, numbers of things, arithmetic without end."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from case import Attempt, Case, Open, constant, model, node, opened, sound, value, written
from cases_files import field
from onnx import ModelProto, TensorProto, helper

ADDED = sound().SerializeToString()


def grown(make: Callable[[], bytes], feeds: dict[str, np.ndarray] | None = None) -> Callable[[Path], Attempt]:
    """Builds late: these take long to make. What is made is a part of a graph, which protobuf merges with the sound one."""
    return lambda folder: Open(written(folder, ADDED + field(7, make())), feeds)


def chain(count: int, kind: bytes = b"Relu") -> bytes:
    """Nodes one after the other, each with the output of the last."""
    before = itertools.chain([b"y"], (b"v%d" % k for k in itertools.count()))
    return b"".join(field(1, field(1, next(before)) + field(2, b"v%d" % k) + field(4, kind)) for k in range(count))


def all_wrong(count: int) -> bytes:
    """Nodes with a reason of their own each."""
    return b"".join(field(1, field(1, b"lost%d" % k) + field(2, b"v%d" % k) + field(4, b"Relu")) for k in range(count))


def outputs(count: int) -> bytes:
    typed = field(2, field(1, b"\x08\x01"))
    return b"".join(field(1, field(1, b"x") + field(2, b"o%d" % k) + field(4, b"Relu")) + field(12, field(1, b"o%d" % k) + typed)
                    for k in range(count))


def inputs(count: int) -> bytes:
    """Inputs of two sizes that nobody names."""
    shape = field(2, field(1, b"") + field(1, b""))
    return b"".join(field(11, field(1, b"i%d" % k) + field(2, field(1, b"\x08\x01" + shape))) for k in range(count))


def alike_sizes(count: int) -> ModelProto:
    """Names of sizes that differ only in signs, none of which can stay in an identifier."""
    names = ("".join(letters) for letters in itertools.product("!#$%&*+-", repeat=4))
    return model([node("Relu", ["x"])], [value("x", [2])] + [value(f"i{k}", [name]) for k, name in zip(range(count), names)])


def choices(depth: int) -> ModelProto:
    """If within If, as deep as protobuf itself allows and Hone may take."""
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["r"])], "innermost", [], [value("r", None)])
    for level in range(depth):
        other = helper.make_graph([helper.make_node("Abs", ["x"], [f"e{level}"])], f"else{level}", [], [value(f"e{level}", None)])
        choice = helper.make_node("If", ["c"], [f"y{level}"], name=f"choice{level}", then_branch=graph, else_branch=other)
        graph = helper.make_graph([choice], f"then{level}", [], [value(f"y{level}", None)])
    whole = helper.make_graph(graph.node, "whole", [value("x", [2]), value("c", [], TensorProto.BOOL)], graph.output)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def wide_choices(depth: int) -> ModelProto:
    """Both branches hold the same again: 2^depth bodies."""
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["r"])], "innermost", [], [value("r", None)])
    for level in range(depth):
        choice = helper.make_node("If", ["c"], [f"y{level}"], name=f"choice{level}", then_branch=graph, else_branch=graph)
        graph = helper.make_graph([choice], f"then{level}", [], [value(f"y{level}", None)])
    whole = helper.make_graph(graph.node, "whole", [value("x", [2]), value("c", [], TensorProto.BOOL)], graph.output)
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def size_arithmetic(steps: int, kind: str) -> ModelProto:
    """A size multiplied by itself (or added to a part of itself) again and again."""
    nodes = [node("Shape", ["x"], ["s0"])]
    for k in range(steps):
        if kind == "Div":
            nodes += [node("Div", [f"s{k}", "k"], [f"d{k}"]), node("Add", [f"s{k}", f"d{k}"], [f"s{k + 1}"])]
        else:
            nodes.append(node(kind, [f"s{k}", f"s{k}"], [f"s{k + 1}"]))
    nodes.append(node("ConstantOfShape", [f"s{steps}"]))
    for number, part in enumerate(nodes):
        part.name = f"node{number}"
    return model(nodes, [value("x", ["n", "m", "k"])], [constant("k", [3])])


def pooled_constant() -> ModelProto:
    """Folding this reads 2^30 times 5 elements of padding."""
    nodes = [node("AveragePool", ["w"], ["p"], kernel_shape=[2**30, 1], pads=[2**29, 0, 2**29 - 5, 0], count_include_pad=1),
             node("Add", ["x", "p"])]
    return model(nodes, [value("x", [1, 1, 1, 5])], [constant("w", np.ones((1, 1, 5, 5), np.float32))])


def doubled(count: int) -> ModelProto:
    """y = x + x, again and again: count nodes, 2^count paths."""
    nodes = [node("Add", [f"a{k}" if k else "x"] * 2, [f"a{k + 1}"]) for k in range(count)]
    for k, part in enumerate(nodes):
        part.name = f"add{k}"
    return model(nodes, [value("x", [2])], outputs=[f"a{count}"])


def concatenated(count: int) -> ModelProto:
    nodes = [node("Concat", ["x"] * count, axis=0)]
    return model(nodes, [value("x", ["n", 2])])


def powers_of_two(outputs: list[np.ndarray]) -> str | None:
    return None if np.all(outputs[0] == 2.0**60) else f"{outputs[0]} instead of 2^60"


def cases() -> Iterator[Case]:
    two, flag = np.ones(2, np.float32), np.array(True)

    def fine(outputs: list[np.ndarray]) -> str | None:
        return None

    yield Case("large", "a_million_nodes_too_many", grown(lambda: chain(1_000_001)), "the model has more than 1000000 nodes", slow=True)
    yield Case("large", "100000_unknown_operators", grown(lambda: chain(100_000, b"Unheard")), "Unheard: this operator is not supported",
               slow=True)
    yield Case("large", "20000_reasons", grown(lambda: all_wrong(20_000)), r"cannot be imported; 20000 reasons.*'lost0'.*and 19950 more",
               slow=True)
    yield Case("large", "100000_reasons", grown(lambda: all_wrong(100_000)), r"cannot be imported; 100000 reasons.*'lost0'.*more",
               slow=True)
    yield Case("large", "100000_outputs", grown(lambda: outputs(100_000)),
               "the model has 100001 outputs; at most 65536 would work", slow=True)
    yield Case("large", "10000_inputs_without_sizes", grown(lambda: inputs(10_000), {}), "input 'x' is missing", slow=True)
    yield Case("large", "2000_sizes_that_look_alike", opened(lambda: alike_sizes(2000), {}), "input 'x' is missing", slow=True)
    yield Case("large", "choices_10_deep", opened(lambda: choices(10), {"x": two, "c": flag}), "nested", fine)
    yield Case("large", "choices_30_deep", opened(lambda: choices(30), {"x": two, "c": flag}), "nested|not an ONNX model", fine)
    yield Case("large", "choices_doubled_8_times", opened(lambda: wide_choices(8), {"x": two, "c": flag}), "nested|nodes", fine, slow=True)
    yield Case("large", "size_squared_40_times", opened(lambda: size_arithmetic(40, "Mul")), ".*'node")
    yield Case("large", "size_doubled_80_times", opened(lambda: size_arithmetic(80, "Add")), ".*'node")
    yield Case("large", "size_divided_60_times", opened(lambda: size_arithmetic(60, "Div")), ".*'node")
    yield Case("large", "folding_2_to_the_30_pads", opened(lambda: pooled_constant()), "AveragePool|pad", fine, slow=True)
    yield Case("large", "sums_of_sums_60_times", opened(lambda: doubled(60), {"x": two}), None, powers_of_two)
    yield Case("large", "concat_of_5000", opened(lambda: concatenated(5000), {"x": np.ones((1, 2), np.float32)}), "Concat", fine, slow=True)
