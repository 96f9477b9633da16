"""Values that no caller should give: indices out of range, divisors of zero, shapes decided by data, NaN where a number is due.

Compiled code must not read outside its tensors: an error, or a result that is the same each time. The tensors lie beside
pages that nobody may touch, so that a read outside ends the process.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from case import Attempt, Case, constant, fenced, model, node, opened, run, value
from cases_inputs import Judge, equals
from onnx import ModelProto, TensorProto

INT64, INT32, BOOL = TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL
DATA = np.arange(12, dtype=np.float32).reshape(4, 3)


def of_data(shape: Sequence[int], data: np.ndarray) -> Judge:
    """Elements of the data, zeros or NaN; whatever else is memory that the model has no right to show."""
    def judge(outputs: list[np.ndarray]) -> str | None:
        got = outputs[0]
        strange = got[~np.isin(got, [0, *data.flat]) & ~np.isnan(got)]
        return of_shape(shape)(outputs) or (f"it holds {strange[:4]}, which no input does" if strange.size else None)
    return judge


def of_shape(shape: Sequence[int]) -> Judge:
    def judge(outputs: list[np.ndarray]) -> str | None:
        return None if outputs[0].shape == tuple(shape) else f"shape {outputs[0].shape} instead of {tuple(shape)}"
    return judge


def picked(kind: str, shape: Sequence[int | str], rank: int, integer: int = INT64, **attributes: object) -> ModelProto:
    return model([node(kind, ["x", "i"], **attributes)], [value("x", shape), value("i", [f"i{k}" for k in range(rank)], integer)])


def indices() -> Iterator[Case]:
    def case(name: str, content: ModelProto, given: np.ndarray, shape: Sequence[int]) -> Case:
        def build(folder: object) -> Attempt:
            return run(content, {"x": fenced(DATA, before=given.min() < 0), "i": given})(folder)
        return Case("indices", name, build, "ind|'i'", of_data(shape, DATA))

    gather, elements = picked("Gather", ["n", 3], 1), picked("GatherElements", ["n", 3], 2)
    for title, number in (("just_beyond", 4), ("beyond", 5000), ("far_beyond", 10**15), ("largest", 2**63 - 1), ("before", -5),
                          ("far_before", -(10**15)), ("smallest", -(2**63))):
        yield case(f"gather_{title}", gather, np.array([number]), (1, 3))
        yield case(f"gather_elements_{title}", elements, np.full((1, 3), number), (1, 3))
    for title, number in (("largest", 2**31 - 1), ("smallest", -(2**31))):
        yield case(f"gather_int32_{title}", picked("Gather", ["n", 3], 1, INT32), np.array([number], np.int32), (1, 3))
    yield case("gather_many_beyond", gather, np.arange(1000), (1000, 3))
    yield case("gather_columns_beyond", picked("Gather", [4, 3], 1, axis=1), np.array([3, 700_000]), (4, 2))
    yield Case("indices", "gather_from_nothing", run(gather, {"x": np.zeros((0, 3), np.float32), "i": np.array([0])}), "ind|'[xi]'",
               of_data((1, 3), DATA))
    fixed = model([node("Gather", ["x", "i"])], [value("x", [4, 3])], [constant("i", [9])])
    yield Case("indices", "gather_constant_beyond", lambda folder: run(fixed, {"x": fenced(DATA)})(folder), "Gather|ind",
               of_data((1, 3), DATA))
    cast = model([node("Cast", ["f"], ["i"], to=INT64), node("Gather", ["x", "i"])], [value("x", ["n", 3]), value("f", ["m"])])
    for title, number in (("nan", np.nan), ("infinity", np.inf), ("minus_infinity", -np.inf), ("huge", 1e30)):
        def build(folder: object, number: float = number) -> Attempt:
            return run(cast, {"x": fenced(DATA), "f": np.array([number], np.float32)})(folder)
        yield Case("indices", f"gather_by_{title}", build, "ind|'i'", of_data((1, 3), DATA))
    reflect = model([node("Pad", ["x", "p"], mode="reflect")], [value("x", ["n", 3])], [constant("p", [6, 0, 6, 0])])
    reflected = equals(np.pad(DATA, ((6, 6), (0, 0)), "reflect"))
    for title, before in (("behind_the_end", False), ("before_the_start", True)):
        def build(folder: object, before: bool = before) -> Attempt:
            return run(reflect, {"x": fenced(DATA, before)})(folder)
        yield Case("indices", f"pad_reflects_twice_{title}", build, "Pad|pad", reflected)
    edge = model([node("Pad", ["x", "p"], mode="reflect")], [value("x", ["n", 3])], [constant("p", [1, 0, 1, 0])])
    yield Case("indices", "pad_reflects_nothing", run(edge, {"x": np.zeros((0, 3), np.float32)}), "Pad|pad|'x'", of_data((2, 3), DATA))
    yield from of_nothing()


def of_nothing() -> Iterator[Case]:
    """Operators that must make something of tensors without elements."""
    def case(name: str, kind: str, shape: Sequence[int | str], given: Sequence[int], wanted: Sequence[int], judge_zero: bool = True,
             constants: Sequence[TensorProto] = (), **attributes: object) -> Case:
        content = model([node(kind, ["x", *(c.name for c in constants)], **attributes)], [value("x", shape)], constants)
        judge = of_data(wanted, np.array([-np.inf])) if judge_zero else of_shape(wanted)
        return Case("nothing", name, run(content, {"x": np.zeros(given, np.float32)}), f"'[xy]'|{kind}", judge)

    pads = constant("p", [1, 0, 1, 0])
    yield case("edge_of_nothing", "Pad", ["n", 3], (0, 3), (2, 3), constants=[pads], mode="edge")
    yield case("zeros_around_nothing", "Pad", ["n", 3], (0, 3), (2, 3), constants=[pads])
    yield case("pooled_nothing", "GlobalAveragePool", [1, 2, "h", "w"], (1, 2, 0, 4), (1, 2, 1, 1))
    yield case("largest_of_nothing", "GlobalMaxPool", [1, 2, "h", "w"], (1, 2, 0, 4), (1, 2, 1, 1))
    yield case("window_in_pads_alone", "MaxPool", [1, 1, "n"], (1, 1, 0), (1, 1, 1), kernel_shape=[2], pads=[1, 1])
    yield case("mean_of_pads_alone", "AveragePool", [1, 1, "n"], (1, 1, 0), (1, 1, 1), kernel_shape=[2], pads=[1, 1])
    yield case("doubled_nothing", "Upsample", [1, 1, "h", "w"], (1, 1, 0, 4), (1, 1, 0, 8),
               constants=[constant("s", [1, 1, 2, 2], np.float32)])
    yield case("softmax_over_nothing", "Softmax", ["n", "m"], (3, 0), (3, 0))
    yield case("running_sum_of_nothing", "CumSum", ["n", 3], (0, 3), (0, 3), constants=[constant("a", 0)])
    yield case("tiled_nothing", "Tile", ["n", 3], (0, 3), (0, 3), constants=[constant("r", [4, 1])])
    yield case("expanded_nothing", "Expand", ["n", 3], (0, 3), (0, 3), constants=[constant("t", [1, 3])])
    yield case("mean_over_nothing", "ReduceMean", ["n", "m"], (3, 0), (3, 1), axes=[1])
    yield case("smallest_over_nothing", "ReduceMin", ["n", "m"], (3, 0), (3, 1), judge_zero=False, axes=[1])


def uniform(outputs: list[np.ndarray]) -> str | None:
    """37 times the same, whether vector code or the rest of the loop has computed it."""
    return of_shape((37,))(outputs) or (None if np.all(outputs[0] == outputs[0][0]) else f"not all the same: {outputs[0]}")


def integer_model(kind: str, integer: int, **attributes: object) -> ModelProto:
    return model([node(kind, ["a", "b"], **attributes)], [value("a", ["n"], integer), value("b", ["n"], integer)])


def arithmetic() -> Iterator[Case]:
    types = {"int32": (INT32, np.int32), "int64": (INT64, np.int64), "uint8": (TensorProto.UINT8, np.uint8),
             "int8": (TensorProto.INT8, np.int8)}
    for kind in ("Div", "Mod"):
        for title, (integer, dtype) in types.items():
            smallest = np.iinfo(dtype).min
            for name, divisor, dividend in (("zero", 0, 7), ("zero_of_zero", 0, 0), ("minus_one_of_smallest", -1, smallest)):
                if divisor < 0 and smallest == 0:
                    continue
                # More than a vector's worth, so that the vector code meets them too.
                feeds = {"a": np.full(37, dividend, dtype), "b": np.full(37, divisor, dtype)}
                yield Case("arithmetic", f"{kind.lower()}_{title}_by_{name}", run(integer_model(kind, integer), feeds), "zero|divi",
                           uniform, slow=title in ("uint8", "int8"))
    folded = model([node("Div", ["a", "b"], ["q"]), node("Add", ["x", "q"])], [value("x", [1], INT64)],
                   [constant("a", [7]), constant("b", [0])])
    yield Case("arithmetic", "constant_by_zero", run(folded, {"x": np.array([1])}), "zero|divi", of_shape((1,)))
    overflow = model([node("Div", ["a", "b"], ["q"]), node("Add", ["x", "q"])], [value("x", [1], INT64)],
                     [constant("a", [-(2**63)]), constant("b", [-1])])
    yield Case("arithmetic", "constant_smallest_by_minus_one", run(overflow, {"x": np.array([1])}), "overflow|divi", of_shape((1,)))
    sized = model([node("Shape", ["x"], ["s"]), node("Div", ["s", "z"], ["q"]), node("ConstantOfShape", ["q"])], [value("x", ["n"])],
                  [constant("z", [0])])
    yield Case("arithmetic", "size_by_zero", opened(sized), r"ConstantOfShape: its sizes \('q'\).*the_ConstantOfShape")
    power = model([node("Pow", ["a", "b"])], [value("a", ["n"], INT64), value("b", ["n"], INT64)])
    yield Case("arithmetic", "integer_power_negative", run(power, {"a": np.array([0, 2]), "b": np.array([-1, -3])}), "Pow|power",
               of_shape((2,)))
    yield Case("arithmetic", "integer_power_huge", run(power, {"a": np.array([3, -1]), "b": np.array([2**62, 2**62 + 1])}), "Pow|power",
               of_shape((2,)))
    shift = model([node("BitShift", ["a", "b"], direction="LEFT")],
                  [value("a", ["n"], TensorProto.UINT64), value("b", ["n"], TensorProto.UINT64)])
    counts = {"a": np.ones(2, np.uint64), "b": np.array([64, 2**63], np.uint64)}
    yield Case("arithmetic", "shift_by_more_than_the_width", opened(shift, counts), "BitShift", of_shape((2,)))
    for title, target, dtype in (("int32", INT32, np.int32), ("uint8", TensorProto.UINT8, np.uint8), ("bool", BOOL, np.bool_)):
        cast = model([node("Cast", ["x"], to=target)], [value("x", ["n"])])
        odd = np.array([np.nan, np.inf, -np.inf, 3e38, -3e38] * 5, np.float32)
        yield Case("arithmetic", f"cast_of_nan_to_{title}", run(cast, {"x": odd}), "Cast", of_shape((25,)))


def deciding() -> Iterator[Case]:
    """Operands that only the call gives, and that decide what is computed."""
    def case(name: str, kind: str, given: np.ndarray, said: str, fault: str = "", **attributes: object) -> Case:
        integer = INT64 if given.dtype == np.int64 else TensorProto.FLOAT
        content = model([node(kind, ["x", "s"], **attributes)], [value("x", ["n", 3]), value("s", [len(given)], integer)])
        return Case("deciding", name, run(content, {"x": DATA, "s": given}), said, fault=fault)

    at = "the_{}"
    yield case("reshape_huge", "Reshape", np.array([2**40, 2**40]), at.format("Reshape"))
    yield case("reshape_negative", "Reshape", np.array([-3, -4]), at.format("Reshape"))
    yield case("reshape_other_count", "Reshape", np.array([5, 5]), "the_Reshape|25")
    yield case("expand_terabytes", "Expand", np.array([10**9, 1000, 1, 3]), "memory")
    yield case("expand_negative", "Expand", np.array([-1, 4, 3]), at.format("Expand"))
    yield case("tile_negative", "Tile", np.array([-1, 2]), at.format("Tile"))
    yield case("tile_terabytes", "Tile", np.array([10**6, 10**6]), "memory")
    yield case("pad_removes_all", "Pad", np.array([-9, 0, 0, 0]), r"dimension 0 \(n - 9\) of 'y' would be -5")
    yield case("pad_huge", "Pad", np.array([2**62, 0, 2**62, 0]), at.format("Pad"))
    yield case("sum_over_absent_axis", "ReduceSum", np.array([7]), "axis 7 is outside a tensor of rank 2.*the_ReduceSum")
    yield case("squeeze_of_three", "Squeeze", np.array([1]), "the_Squeeze|3")
    yield case("unsqueeze_absent_axis", "Unsqueeze", np.array([50]), "axis 50 .*the_Unsqueeze")


def cases() -> Iterator[Case]:
    yield from indices()
    yield from arithmetic()
    yield from deciding()
