"""Sizes that overflow, are negative or ask for terabytes: in dims, and in the operands that decide shapes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from case import Case, constant, model, node, opened, sound, value
from cases_inputs import equals
from onnx import ModelProto, TensorProto

LARGEST = 2**63 - 1
TOO_MANY = "has more elements than memory can hold"
X = np.zeros((2, 3), np.float32)


def with_weights(dims: Sequence[int]) -> ModelProto:
    changed = sound()
    changed.graph.initializer[0].dims[:] = dims
    return changed


def with_input(dims: Sequence[int | str | None]) -> ModelProto:
    return model([node("Relu", ["x"])], [value("x", dims)])


def dims() -> Iterator[Case]:
    def weights(name: str, sizes: Sequence[int], said: str) -> Case:
        return Case("dims", f"weights_{name}", opened(with_weights(sizes)), rf"initializer: {said} \(1 node: 'w'\)")

    def given(name: str, sizes: Sequence[int | str | None], said: str, fault: str = "", slow: bool = False) -> Case:
        return Case("dims", f"input_{name}", opened(with_input(sizes)), f"input 'x'.*{said}", fault=fault, slow=slow)

    yield weights("negative", [-2], "has the negative dimension -2")
    yield weights("two_negative", [-1, -2], "has the negative dimension -1")
    yield weights("smallest", [-(2**63)], "has the negative dimension -9223372036854775808")
    yield weights("largest", [LARGEST], TOO_MANY)
    yield weights("product_wraps_to_two", [2**62 + 1, 4, 1], TOO_MANY)
    yield weights("product_wraps_to_zero", [2**32, 2**32], TOO_MANY)
    yield weights("huge_and_empty", [2**40, 2**40, 0], TOO_MANY)
    yield weights("bytes_wrap", [2**46 + 2], TOO_MANY)
    yield weights("larger_than_data", [3], "has 8 bytes of data, its type f32 and shape need 12")
    yield weights("smaller_than_data", [1], "has 8 bytes of data, its type f32 and shape need 4")
    yield weights("none_but_data", [], "has 8 bytes of data, its type f32 and shape need 4")
    yield weights("empty_but_data", [0], "has 8 bytes of data, its type f32 and shape need 0")
    yield weights("of_huge_rank", [1] * 100_000 + [3], "(?:has 8 bytes of data.* need 12|has 100001 dimensions.*)")
    yield given("largest", [LARGEST, 2], "dimension 0 of 9223372036854775807 is out of bounds")
    yield given("product_overflows", [2**30, 2**30, 2**30], TOO_MANY)
    yield given("of_huge_rank", ["n"] * 1000, "(dimensions|more elements)", slow=True)
    yield given("of_huge_rank_of_ones", [1] * 100_000, "dimensions")


def sized(kind: str, sizes: Sequence[int], **attributes: object) -> ModelProto:
    return model([node(kind, ["x", "s"], **attributes)], [value("x", [2, 3])], [constant("s", list(sizes))])


def filled(sizes: Sequence[int]) -> ModelProto:
    """Were it summed up, it would need no memory: only time, which a model may ask for."""
    return model([node("ConstantOfShape", ["s"])], [value("x", [2, 3])], [constant("s", list(sizes))])


def ranged(start: float, limit: float, delta: float, dtype: type) -> ModelProto:
    bounds = [constant(name, number, dtype) for name, number in (("a", start), ("b", limit), ("c", delta))]
    kind = TensorProto.FLOAT if dtype is np.float32 else TensorProto.INT64
    return model([node("Range", ["a", "b", "c"], ["r"]), node("ReduceMax", ["r"], ["m"]), node("Add", ["m", "x"])],
                 [value("x", [1], kind)], bounds)


def resized(operand: str, numbers: Sequence[float]) -> ModelProto:
    inputs = ["x", "", "s", ""] if operand == "scales" else ["x", "", "", "s"]
    return model([node("Resize", inputs[:4 if operand == "sizes" else 3])], [value("x", [1, 1, 2, 3])],
                 [constant("s", list(numbers), np.float32 if operand == "scales" else np.int64)])


def chained_tiles(count: int) -> ModelProto:
    """Every step is small; together they ask for 8^count times the input."""
    nodes = [node("Tile", [f"t{k}" if k else "x", "s"], [f"t{k + 1}"]) for k in range(count)]
    for k, step in enumerate(nodes):
        step.name = f"tile_{k}"
    return model(nodes, [value("x", [2, 3])], [constant("s", [8, 1])], [f"t{count}"])


def targets() -> Iterator[Case]:
    def case(name: str, content: ModelProto, said: str, x: np.ndarray = X, fault: str = "") -> Case:
        return Case("targets", name, opened(content, {"x": x}), said, fault=fault)

    def at(kind: str, said: str) -> str:
        return rf"- {kind}: (?:{said}).*\(1 node: 'the_{kind}'\)"

    yield case("reshape_two_open", sized("Reshape", [-1, -1]), at("Reshape", "the target shape has more than one -1"))
    yield case("reshape_negative", sized("Reshape", [-2, 3]), at("Reshape", "the target shape has the negative size -2"))
    yield case("reshape_other_count", sized("Reshape", [4]), at("Reshape", r"\[2, 3\] and \[4\] hold different numbers"))
    yield case("reshape_does_not_divide", sized("Reshape", [4, -1]), at("Reshape", "6 elements do not divide into parts of 4"))
    yield case("reshape_huge", sized("Reshape", [2**40, 2**40]), at("Reshape", ".*"))
    yield case("reshape_largest", sized("Reshape", [LARGEST, -1]), at("Reshape", ".*"))
    yield case("reshape_wraps", sized("Reshape", [2**63 - 2, 2**62, -1]), at("Reshape", ".*"))
    yield case("reshape_zero_beyond_rank", sized("Reshape", [2, 3, 0]), at("Reshape", "the target shape copies dimension 2 of a tensor"))
    yield case("reshape_of_huge_rank", sized("Reshape", [1] * 100_000), at("Reshape", ".*"))
    yield case("expand_huge", sized("Expand", [2**30, 2**30, 2, 3]), at("Expand", ".*" + TOO_MANY))
    yield case("expand_terabytes", sized("Expand", [10**9, 1000, 2, 3]), "memory")
    yield case("expand_negative", sized("Expand", [-5, 3]), at("Expand", ".*-5"))
    yield case("expand_does_not_fit", sized("Expand", [5, 3]), at("Expand", ".*2.*5"))
    yield case("expand_largest", sized("Expand", [LARGEST, 2, 3]), at("Expand", ".*"))
    yield case("tile_huge", sized("Tile", [2**30, 2**30]), at("Tile", ".*" + TOO_MANY))
    yield case("tile_negative", sized("Tile", [-1, 1]), at("Tile", ".*-1"))
    yield case("tile_largest", sized("Tile", [LARGEST, LARGEST]), at("Tile", ".*"))
    yield case("tile_wrong_count", sized("Tile", [2]), at("Tile", ".*"))
    yield case("tile_terabytes", sized("Tile", [10**6, 10**6]), "memory")
    yield case("tiles_of_tiles", chained_tiles(14), "memory")
    yield case("tiles_overflow", chained_tiles(40), r"Tile: .*memory can hold.*'tile_\d+'")
    yield case("fill_terabytes", filled([10**6, 10**6]), "memory")
    yield case("fill_exabytes", filled([2**30, 2**30]), at("ConstantOfShape", ".*" + TOO_MANY))
    yield case("fill_negative", filled([-1, 3]), at("ConstantOfShape", ".*-1"))
    yield case("fill_largest", filled([LARGEST]), at("ConstantOfShape", ".*"))
    yield case("range_terabytes", ranged(0, 10**12, 1, np.int64), "Range: .*the_Range|memory", np.zeros(1, np.int64))
    yield case("range_overflows", ranged(-(2**63), LARGEST, 1, np.int64), "Range: .*'the_Range'", np.zeros(1, np.int64))
    yield case("range_step_zero", ranged(0, 5, 0, np.int64), at("Range", ".*0"), np.zeros(1, np.int64))
    yield case("range_float_step_zero", ranged(0, 5, 0, np.float32), at("Range", ".*"), np.zeros(1, np.float32))
    yield case("range_nan", ranged(0, float("nan"), 1, np.float32), at("Range", ".*nan"), np.zeros(1, np.float32))
    yield case("range_infinite", ranged(0, float("inf"), 1, np.float32), at("Range", ".*"), np.zeros(1, np.float32))
    yield case("range_tiny_step", ranged(0, 1, 1e-30, np.float32), "Range: .*the_Range|memory", np.zeros(1, np.float32))
    yield case("pad_terabytes", sized("Pad", [10**6, 10**6, 0, 0]), "memory")
    yield case("pad_largest", sized("Pad", [LARGEST, 0, 0, 0]), at("Pad", ".*"))
    yield case("pad_cuts_off_all", sized("Pad", [-5, 0, 0, 0]), at("Pad", ".*"))
    yield case("pad_smallest", sized("Pad", [-(2**63), 0, 0, 0]), at("Pad", ".*"))
    yield case("pad_wrong_count", sized("Pad", [1, 1, 1]), at("Pad", ".*"))
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    # The reference of ONNX goes to and fro between the ends, as numpy does.
    yield Case("targets", "pad_reflects_too_far", opened(sized("Pad", [7, 0, 0, 0], mode="reflect"), {"x": rows}), at("Pad", ".*"),
               equals(np.pad(rows, ((7, 0), (0, 0)), "reflect")))
    image = np.zeros((1, 1, 2, 3), np.float32)
    yield case("resize_terabytes", resized("sizes", [1, 1, 10**6, 10**6]), "memory", image)
    yield case("resize_largest", resized("sizes", [1, 1, LARGEST, 1]), at("Resize", ".*"), image)
    yield case("resize_negative", resized("sizes", [1, 1, -4, 3]), at("Resize", ".*"), image)
    yield case("resize_zero", resized("sizes", [1, 1, 0, 3]), at("Resize", ".*"), image)
    yield case("resize_wrong_count", resized("sizes", [1, 1, 3]), at("Resize", ".*"), image)
    yield case("scales_nan", resized("scales", [1, 1, float("nan"), 1]), at("Resize", ".*"), image)
    yield case("scales_infinite", resized("scales", [1, 1, float("inf"), 1]), at("Resize", ".*"), image)
    yield case("scales_huge", resized("scales", [1, 1, 1e30, 1]), at("Resize", ".*"), image)
    yield case("scales_negative", resized("scales", [1, 1, -2, 1]), at("Resize", ".*"), image)
    yield case("scales_zero", resized("scales", [1, 1, 0, 1]), at("Resize", ".*"), image)


def cases() -> Iterator[Case]:
    yield from dims()
    yield from targets()
