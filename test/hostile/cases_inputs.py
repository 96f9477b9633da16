"""Sound models, bad calls: inputs of other types, ranks and sizes, sizes that do not fit each other, odd arrays."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from case import Attempt, Case, Feeds, constant, fenced, model, node, run, sound, value
from onnx import ModelProto

Judge = Callable[[list[np.ndarray]], str | None]


def equals(wanted: np.ndarray) -> Judge:
    def judge(outputs: list[np.ndarray]) -> str | None:
        got = outputs[0]
        if got.shape != wanted.shape:
            return f"shape {got.shape} instead of {wanted.shape}"
        return None if np.array_equal(got, wanted, equal_nan=wanted.dtype.kind == "f") else f"{got} instead of {wanted}"
    return judge


def two(kind: str, left: Sequence[int | str], right: Sequence[int | str], **attributes: object) -> ModelProto:
    return model([node(kind, ["a", "b"], **attributes)], [value("a", left), value("b", right)])


def ones(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return np.ones(shape, dtype)


def calls() -> Iterator[Case]:
    def case(name: str, feeds: Feeds, said: str, outputs: Sequence[str] | None = None, fault: str = "") -> Case:
        return Case("calls", name, run(sound(), feeds, outputs), said, fault=fault)

    wanted = r"input 'x' must be f32\[n, 2\], got "
    yield case("no_inputs", {}, "input 'x' is missing: the model takes x")
    yield case("other_name", {"z": ones(1, 2)}, "input 'x' is missing; there is no input 'z'")
    yield case("one_too_many", {"x": ones(1, 2), "z": ones(1)}, "there is no input 'z': the model takes x")
    yield case("weights_given", {"x": ones(1, 2), "w": ones(2)}, "there is no input 'w': the model takes x")
    yield case("no_such_output", {"x": ones(1, 2)}, "there is no output 'q': the model gives y", ["q"])
    yield case("doubles", {"x": ones(1, 2, dtype=np.float64)}, wanted + r"f64\[1, 2\]: another element type")
    yield case("integers", {"x": ones(1, 2, dtype=np.int32)}, wanted + r"i32\[1, 2\]: another element type")
    yield case("booleans", {"x": ones(1, 2, dtype=np.bool_)}, wanted + r"bool\[1, 2\]: another element type")
    yield case("complex", {"x": ones(1, 2, dtype=np.complex64)}, "input 'x' has elements of type complex64")
    yield case("text", {"x": np.array([["a", "b"]])}, "input 'x' has elements of type <U1")
    yield case("objects", {"x": np.array([[None, None]])}, "input 'x' has elements of type object")
    yield case("dates", {"x": np.zeros((1, 2), "datetime64[s]")}, "input 'x' has elements of type datetime64")
    yield case("records", {"x": np.zeros((1, 2), [("re", "f4")])}, "input 'x' has elements of type")
    yield case("nothing", {"x": None}, "input 'x' has elements of type object")
    yield case("ragged", {"x": [[1.0, 2.0], [3.0]]}, "input 'x' cannot be made an array")
    yield case("rank_too_low", {"x": ones(2)}, wanted + r"f32\[2\]: rank 1 instead of 2")
    yield case("rank_too_high", {"x": ones(1, 1, 2)}, wanted + r"f32\[1, 1, 2\]: rank 3 instead of 2")
    yield case("scalar", {"x": np.float32(1)}, wanted + r"f32\[\]: rank 0 instead of 2")
    yield case("rank_64", {"x": np.ones((1,) * 64, np.float32)}, "rank 64 instead of 2")
    yield case("size", {"x": ones(1, 3)}, wanted + r"f32\[1, 3\]: dimension 1 must be 2")
    yield case("size_one_does_not_broadcast", {"x": ones(4, 1)}, wanted + r"f32\[4, 1\]: dimension 1 must be 2")
    yield case("size_zero", {"x": ones(4, 0)}, wanted + r"f32\[4, 0\]: dimension 1 must be 2")
    yield case("terabytes_of_one_number", {"x": np.broadcast_to(np.float32(1), (10**12, 2))},
               "input 'x' cannot be made an array: Unable to allocate")


def fits() -> Iterator[Case]:
    def case(name: str, content: ModelProto, a: np.ndarray, b: np.ndarray, said: str) -> Case:
        return Case("sizes", name, run(content, {"a": a, "b": b}), said)

    yield case("add_of_two_sizes", two("Add", ["n"], ["m"]), ones(3), ones(4),
               r"input 'b' must be f32\[.*\], got f32\[4\]: dimension 0 must be 3")
    yield case("add_of_one_name", two("Add", ["n"], ["n"]), ones(3), ones(4),
               r"input 'b' must be f32\[n\], got f32\[4\]: dimension 0 must be 3")
    yield case("add_of_one_name_and_one", two("Add", ["n"], ["n"]), ones(3), ones(1), r"input 'b' must be f32\[n\], got f32\[1\]")
    yield case("add_of_one_and_too_many", two("Add", ["n", 4], ["m", "k"]), ones(3, 4), ones(1, 5),
               r"input 'b' must be f32\[n, 4\], got f32\[1, 5\]")
    yield case("matmul", two("MatMul", ["n", "k"], ["l", "m"]), ones(2, 3), ones(4, 5),
               r"input 'b' must be .*got f32\[4, 5\]: dimension 0 must be 3")
    yield case("matmul_batches", two("MatMul", ["a", 2, 2], ["b", 2, 2]), ones(3, 2, 2), ones(4, 2, 2),
               r"input 'b' must be .*dimension 0 must be 3")
    yield case("concat", two("Concat", ["n", "m"], ["n", "k"], axis=0), ones(2, 3), ones(2, 4),
               r"input 'b' must be .*dimension 1 must be 3")
    yield case("gemm", two("Gemm", ["n", "k"], ["l", "m"], transB=1), ones(2, 3), ones(4, 5), r"input 'b' must be .*dimension 1 must be 3")

    def single(name: str, content: ModelProto, x: np.ndarray, said: str, fault: str = "") -> Case:
        return Case("sizes", name, run(content, {"x": x}), said, fault=fault)

    def halves() -> ModelProto:
        return model([node("Reshape", ["x", "s"])], [value("x", ["n"])], [constant("s", [2, -1])])

    def window() -> ModelProto:
        return model([node("MaxPool", ["x"], kernel_shape=[4])], [value("x", [1, 1, "n"])])

    def exactly_six() -> ModelProto:
        return model([node("Reshape", ["x", "s"])], [value("x", ["n"])], [constant("s", [2, 3])])

    yield single("reshape_of_odd_size", halves(), ones(7), "7|n")
    yield single("reshape_to_fixed_size", exactly_six(), ones(7), "input 'x' must be|7")
    yield single("window_larger_than_image", window(), ones(1, 1, 2), "'y'|window|-1|2")
    yield single("split_of_odd_size", model([node("Split", ["x"], ["y", "z"])], [value("x", ["n"])], outputs=["y", "z"]), ones(5), "5|n")
    yield single("squeeze_of_two", model([node("Squeeze", ["x", "a"])], [value("x", ["n", 2])], [constant("a", [0])]), ones(2, 2),
                 r"2\*n must equal 2 \(the_Squeeze\)")


def arrays() -> Iterator[Case]:
    def case(name: str, x: np.ndarray, wanted: np.ndarray | None = None) -> Case:
        judged = equals(x + np.array([1, 2], np.float32) if wanted is None else wanted)
        return Case("arrays", name, run(sound(), {"x": x}), None, judged)

    def operator(name: str, kind: str, x: np.ndarray, wanted: np.ndarray | None, said: str | None = None, **attributes: object) -> Case:
        content = model([node(kind, ["x"], **attributes)], [value("x", ["n"])])
        return Case("arrays", name, run(content, {"x": x}), said, equals(wanted) if wanted is not None else None)

    grid = np.arange(24, dtype=np.float32).reshape(4, 6)
    yield case("empty", ones(0, 2))
    yield case("columns", grid[:, ::3])
    yield case("backwards", grid[::-1, 1::-1])
    yield case("of_other_byte_order", grid[:, :2].astype(">f4"))
    yield case("column_major", np.asfortranarray(grid[:, :2]))
    yield case("all_elements_one_place", np.broadcast_to(np.float32(7), (5, 2)))
    yield case("read_only", np.frombuffer(bytes(16), np.float32).reshape(2, 2))
    yield case("not_aligned", np.frombuffer(b"1" + grid.tobytes(), np.uint8)[1:].view(np.float32).reshape(12, 2))
    yield case("at_the_end_of_a_page", fenced(grid.reshape(12, 2)))
    yield case("at_the_start_of_a_page", fenced(grid.reshape(12, 2), before=True))
    yield case("odd_rows_at_the_end_of_a_page", fenced(grid[:3].reshape(9, 2)))
    nothing = ones(0)
    yield operator("sum_of_nothing", "ReduceSum", nothing, np.zeros(1, np.float32))
    yield operator("product_of_nothing", "ReduceProd", nothing, np.ones(1, np.float32))
    yield operator("largest_of_nothing", "ReduceMax", nothing, np.full(1, -np.inf, np.float32), "ReduceMax")
    yield operator("mean_of_nothing", "ReduceMean", nothing, np.full(1, np.nan, np.float32), "ReduceMean")
    yield operator("softmax_of_nothing", "Softmax", nothing, nothing)
    yield operator("relu_at_a_page", "Relu", fenced(ones(1021)), ones(1021))


def odd_weights() -> Iterator[Case]:
    """Numbers that are no numbers, and those too small for hardware that rounds them to zero."""
    x = np.array([[1, 0], [-1, 2], [np.inf, 1e-40]], np.float32)
    for title, numbers in (("nan", [np.nan, 1]), ("infinite", [np.inf, -np.inf]), ("denormal", [1e-40, -1e-45])):
        weights = np.array(numbers, np.float32)
        content = model([node("Add", ["x", "w"])], [value("x", ["n", 2])], [constant("w", weights)])
        yield Case("arrays", f"weights_{title}", run(content, {"x": x}), None, equals(x + weights))
        folded = model([node("Mul", ["w", "w"], ["s"]), node("Add", ["x", "s"])], [value("x", ["n", 2])], [constant("w", weights)])
        yield Case("arrays", f"weights_{title}_folded", run(folded, {"x": x}), None, equals(x + weights * weights))


def product_of_nothing() -> Case:
    content = two("MatMul", ["n", "k"], ["k", "m"])
    return Case("arrays", "matmul_over_nothing", run(content, {"a": ones(2, 0), "b": ones(0, 3)}), None,
                equals(np.zeros((2, 3), np.float32)))


def fenced_products() -> Iterator[Case]:
    """Sizes that no vector or tile divides, with pages behind them that nobody may read."""
    for rows, inner, columns in ((1, 1, 1), (7, 13, 17), (65, 3, 33)):
        def build(folder: object, rows: int = rows, inner: int = inner, columns: int = columns) -> Attempt:
            feeds = {"a": fenced(ones(rows, inner)), "b": fenced(ones(inner, columns))}
            return run(two("MatMul", ["n", "k"], ["k", "m"]), feeds)(folder)
        yield Case("arrays", f"fenced_matmul_{rows}_{inner}_{columns}", build, None, equals(np.full((rows, columns), inner, np.float32)))


def cases() -> Iterator[Case]:
    yield from calls()
    yield from fits()
    yield from arrays()
    yield from odd_weights()
    yield product_of_nothing()
    yield from fenced_products()
