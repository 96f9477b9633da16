"""Operands whose sizes only the call tells, and that do not fit each other there.

The smaller one lies before a page that nobody may touch: code that trusts the sizes to agree ends the process.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from case import Attempt, Case, constant, fenced, model, node, run, value
from cases_inputs import equals
from onnx import TensorProto

SMALL, LARGE = 5, 5000
Size = int | str
# An operand: its declared shape, and the shape that the call gives it.
Operand = tuple[Sequence[Size], Sequence[int]]
REFUSED = "input '[xo0-9]+' must be|does not fit these input sizes"


def called(kind: str, first: Operand, others: Sequence[Operand], **attributes: object) -> Callable[[Path], Attempt]:
    def build(folder: Path) -> Attempt:
        names = [f"o{k}" for k in range(len(others))]
        content = model([node(kind, ["x", *names], **attributes)],
                        [value("x", first[0]), *(value(name, declared) for name, (declared, _) in zip(names, others))])
        feeds = {"x": fenced(np.ones(first[1], np.float32))}
        feeds |= {name: fenced(np.ones(given, np.float32)) for name, (_, given) in zip(names, others)}
        return run(content, feeds)(folder)
    return build


def cases() -> Iterator[Case]:
    def case(name: str, kind: str, first: Operand, others: Sequence[Operand], **attributes: object) -> Case:
        return Case("operands", name, called(kind, first, others, **attributes), REFUSED)

    vector, matrix, cube = (["n"], [LARGE]), ([2, "n"], [2, LARGE]), ([2, "n", 3], [2, LARGE, 3])
    for title, size in (("fixed", SMALL), ("named", "q")):
        small: Operand = ([size], [SMALL])
        yield case(f"add_{title}", "Add", vector, [small])
        yield case(f"max_{title}", "Max", vector, [small, small])
        yield case(f"pow_{title}", "Pow", vector, [small])
        yield case(f"prelu_{title}", "PRelu", vector, [small])
        yield case(f"clip_{title}", "Clip", vector, [small, small])
        yield case(f"layer_norm_{title}", "LayerNormalization", matrix, [small, small])
        yield case(f"rms_norm_{title}", "RMSNormalization", matrix, [small])
        yield case(f"batch_norm_{title}", "BatchNormalization", cube, [small] * 4)
        yield case(f"instance_norm_{title}", "InstanceNormalization", cube, [small] * 2)
        yield case(f"gemm_bias_{title}", "Gemm", ([2, 3], [2, 3]), [([3, "n"], [3, LARGE]), small])
        yield case(f"conv_bias_{title}", "Conv", ([1, 2, 5, 5], [1, 2, 5, 5]), [(["n", 2, 3, 3], [600, 2, 3, 3]), small])
        yield case(f"conv_channels_of_weights_{title}", "Conv", ([1, "n", 5, 5], [1, 600, 5, 5]), [([4, size, 3, 3], [4, 5, 3, 3])])
        yield case(f"conv_channels_of_input_{title}", "Conv", ([1, size, 5, 5], [1, 5, 5, 5]), [([4, "n", 3, 3], [4, 600, 3, 3])])
        yield case(f"transposed_bias_{title}", "ConvTranspose", ([1, 2, 5, 5], [1, 2, 5, 5]),
                   [([2, "n", 3, 3], [2, 600, 3, 3]), small])
        yield case(f"transposed_channels_{title}", "ConvTranspose", ([1, "n", 5, 5], [1, 600, 5, 5]),
                   [([size, 4, 3, 3], [5, 4, 3, 3])])
    yield case("lstm_weights", "LSTM", (["s", 1, "i"], [3, 1, 600]), [([1, 8, "j"], [1, 8, 2]), ([1, 8, 2], [1, 8, 2])])
    yield case("lstm_recurrence", "LSTM", (["s", 1, 2], [3, 1, 2]), [([1, "g", 2], [1, 8, 2]), ([1, "g", "h"], [1, 8, 700])])
    yield case("lstm_bias", "LSTM", (["s", 1, 2], [3, 1, 2]), [([1, 8, 2], [1, 8, 2]), ([1, 8, 2], [1, 8, 2]), ([1, "z"], [1, 3])])
    yield case("prelu_slopes_of_nothing", "PRelu", vector, [(["q"], [0])])
    yield case("clip_bounds_of_nothing", "Clip", vector, [([0], [0])])
    yield from indexed()


def indexed() -> Iterator[Case]:
    data = np.arange(1, 13, dtype=np.float32).reshape(4, 3)

    def elements(folder: Path) -> Attempt:
        content = model([node("GatherElements", ["x", "i"])], [value("x", ["n", "m"]), value("i", ["k", "l"], TensorProto.INT64)])
        return run(content, {"x": fenced(data), "i": np.zeros((1, 2000), np.int64)})(folder)

    def expanded(folder: Path) -> Attempt:
        content = model([node("Expand", ["x", "s"])], [value("x", ["n", 1])], [constant("s", [4000, 7])])
        return run(content, {"x": fenced(data[:, :1])})(folder)

    def padded(mode: str, size: int) -> Callable[[Path], Attempt]:
        content = model([node("Pad", ["x", "p"], mode=mode)], [value("x", ["n"])], [constant("p", [2, 2])], opset=19)
        return lambda folder: run(content, {"x": fenced(data.ravel()[:size], before=True)})(folder)

    yield Case("operands", "gather_elements_wider_than_data", elements, REFUSED)
    yield Case("operands", "expand_to_other_size", expanded, REFUSED)
    for mode in ("edge", "wrap", "reflect"):
        yield Case("operands", f"pad_{mode}_of_nothing", padded(mode, 0), REFUSED)
    yield Case("operands", "pad_reflect_of_one", padded("reflect", 1), "Pad|pad", equals(np.ones(5, np.float32)))
