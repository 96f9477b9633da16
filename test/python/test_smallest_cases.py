"""The smallest models that once went wrong, against onnxruntime."""

import numpy as np
import onnxruntime
import pytest
from onnx import helper, numpy_helper

import hone

RNG = np.random.default_rng(0)


def floats(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


# name → nodes, inputs, constants, names of the outputs
CASES = {
    "a front of a softmax is gathered": (
        [helper.make_node("Softmax", ["x"], ["s"], axis=0), helper.make_node("GatherElements", ["s", "i"], ["y"], axis=1)],
        {"x": floats(64, 1), "i": np.zeros((2, 1), np.int64)}, {}, ["y"]),
    "whole numbers below zero beside pads": (
        [helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[3], pads=[1, 1])],
        {"x": np.array([[[-3, -2, -5, -1]]], np.int8)}, {}, ["y"]),
    "tiles of nothing": (
        [helper.make_node("Tile", ["x", "r"], ["y"])], {"x": floats(2, 3)}, {"r": np.array([2, 0], np.int64)}, ["y"]),
    "a constant of the shape of a scalar": (
        [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("ConstantOfShape", ["s"], ["y"])],
        {"x": np.array(1, np.float32)}, {}, ["y"]),
    "statistics of a norm of f64 are f32": (
        [helper.make_node("LayerNormalization", ["x", "g"], ["y", "m", "d"])],
        {"x": floats(3, 5, dtype=np.float64)}, {"g": np.ones(5)}, ["m", "d"]),
    "a result of a size that depends on data, beside a constant": (
        [helper.make_node("Relu", ["c"], ["z"]), helper.make_node("Compress", ["x", "k"], ["y"], axis=0)],
        {"x": floats(4, 3), "k": np.array([True, False, True])}, {"c": floats(3)}, ["y", "z"]),
    "sequences of halves of different lengths": (
        [helper.make_node("RNN", ["x", "w", "r", "", "l"], ["y"], hidden_size=8)],
        {"x": floats(2, 7, 1), "l": np.array([1, 1, 2, 1, 2, 1, 2], np.int32)}, {"w": floats(1, 8, 1), "r": floats(1, 8, 8)}, ["y"]),
    "a product beside its transpose": (
        [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Unsqueeze", ["p", "one"], ["q"]),
         helper.make_node("Add", ["p", "q"], ["y"])],
        {"x": floats(3, 4)}, {"w": floats(4, 5), "one": np.array([1], np.int64)}, ["y"]),
    "a diagonal of what is needed whole": (
        [helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Einsum", ["r"], ["y"], equation="ii->i")],
        {"x": floats(5, 5)}, {}, ["r", "y"]),
    "pieces of many concatenations behind a reshape": (
        [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Relu", ["p"], ["r"]), helper.make_node("Reshape", ["r", "s"], ["v"]),
         helper.make_node("Concat", ["v", "v"], ["y"], axis=1), helper.make_node("Concat", ["v", "v", "v"], ["z"], axis=1)],
        {"x": floats(6, 4)}, {"w": floats(4, 5), "s": np.array([15, 2])}, ["y", "z"]),
    "a size that is computed twice, before a library function": (
        [helper.make_node("Unique", ["x"], ["v", "", "", "n"]), helper.make_node("Unique", ["n"], ["y"])],
        {"x": np.array([1, 2, 1, 3, 2], np.float32)}, {}, ["y"]),
    "nothing but zeros has no positions": (
        [helper.make_node("NonZero", ["x"], ["y"])], {"x": np.zeros((3, 4), np.float32)}, {}, ["y"]),
    "one constant in two shapes": (
        [helper.make_node("Flatten", ["c"], ["y"], axis=0), helper.make_node("Flatten", ["c"], ["z"], axis=1)],
        {}, {"c": floats(20, 3)}, ["y", "z"]),
    "a known vector, reduced over no axis": (
        [helper.make_node("ReduceSum", ["c"], ["y"], keepdims=0, noop_with_empty_axes=1)], {}, {"c": np.array([7], np.int64)}, ["y"]),
    "a sequence stacked along a new axis": (
        [helper.make_node("SequenceConstruct", ["x", "z"], ["s"]),
         helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0, new_axis=1)], {"x": floats(3), "z": floats(3)}, {}, ["y"]),
    "rows that are scaled unless they are zeros, times a vector": (
        [helper.make_node("LpNormalization", ["x"], ["s"], axis=1, p=1), helper.make_node("MatMul", ["s", "c"], ["y"])],
        {"x": floats(7, 5)}, {"c": floats(5, 1)}, ["y"]),
    "where unique rows were, sorted": (
        [helper.make_node("Unique", ["x"], ["u", "i"], axis=0), helper.make_node("Unique", ["i"], ["y"])], {"x": floats(3, 6)}, {}, ["y"]),
    "of a constant without rows, the columns that are unique": (
        [helper.make_node("Unique", ["c"], ["u"], axis=1), helper.make_node("Relu", ["u"], ["y"]), helper.make_node("Relu", ["x"], ["z"])],
        {"x": floats(2)}, {"c": floats(0, 2)}, ["y", "z"]),
    "a size that data decide is 1 and broadcasts": (
        [helper.make_node("Compress", ["x", "k"], ["c"], axis=0), helper.make_node("Add", ["c", "z"], ["y"])],
        {"x": floats(4), "k": np.array([False, True, False, False]), "z": floats(5, 3)}, {}, ["y"]),
}


def sliced(*bounds):
    return [helper.make_node("Slice", ["x", "start", "end", "axis", "step"], ["y"])], {
        name: np.array([number], np.int64) for name, number in zip(("start", "end", "axis", "step"), bounds)}, ["y"]


def windowed(op, *more, **attributes):
    image = helper.make_node("Unsqueeze", ["x", "axes"], ["image"])
    constants = {"axes": np.array([0, 1]), "weights": floats(3, 1, 3, 1)}
    return [image, helper.make_node(op, ["image", *more], ["y"], kernel_shape=[3, 1], strides=[2, 1], **attributes)], constants, ["y"]


# name → nodes that take x of size n × 2, constants, names of the outputs
SIZED = {
    "parts of which the last is smaller": ([helper.make_node("Split", ["x"], ["y", "z", "w"], num_outputs=3)], {}, ["y", "z", "w"]),
    "cropped or padded": ([helper.make_node("CenterCropPad", ["x", "s"], ["y"], axes=[0])], {"s": np.array([6], np.int64)}, ["y"]),
    "backwards from the fifth": sliced(4, -(2**40), 0, -2),
    "backwards from the end to the second": sliced(-1, 1, 0, -1),
    "backwards between places counted from the end": sliced(-2, -5, 0, -1),
    "every other one of the last six": sliced(-6, 2**40, 0, 2),
    "of the last six all but one": sliced(-6, -1, 0, 1),
    "the largest of every other three, padded": windowed("MaxPool", auto_pad="SAME_UPPER"),
    "the mean of every other three, padded": windowed("AveragePool", auto_pad="SAME_LOWER"),
    "the mean of every other three and of pads": windowed("AveragePool", auto_pad="SAME_UPPER", count_include_pad=1),
    "a convolution at every other place, padded": windowed("Conv", "weights", auto_pad="SAME_LOWER"),
    "from the middle on": ([
        helper.make_node("Shape", ["x"], ["s"], end=1), helper.make_node("Div", ["s", "two"], ["half"]),
        helper.make_node("Slice", ["x", "half", "s", "zero"], ["y"])], {"two": np.array([2]), "zero": np.array([0])}, ["y"]),
}


def model_of(nodes, feeds, constants, outputs, opset=17, sizes=None):
    def info(name, array):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), sizes or array.shape)

    unknown = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph(nodes, "small", [info(n, np.asarray(a)) for n, a in feeds.items()], unknown,
                              [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 9
    return model.SerializeToString()


def assert_agrees(model, *feeds):
    session, judge = hone.Session(model), onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    for feed in feeds:
        for ours, theirs in zip(session.run(None, feed), judge.run(None, feed), strict=True):
            assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_onnxruntime(name):
    nodes, feeds, constants, outputs = CASES[name]
    assert_agrees(model_of(nodes, feeds, constants, outputs), feeds)


@pytest.mark.parametrize("name", SIZED)
def test_agrees_at_every_size(name):
    nodes, constants, outputs = SIZED[name]
    feeds = [{"x": floats(size, 2)} for size in (9, 7, 6, 5, 17, 8)]
    assert_agrees(model_of(nodes, feeds[0], constants, outputs, opset=18, sizes=["n", 2]), *feeds)


def test_halves_of_different_lengths_compile():
    nodes, feeds, constants, outputs = CASES["sequences of halves of different lengths"]
    narrow = [{n: a.astype(np.float16) if a.dtype == np.float32 else a for n, a in part.items()} for part in (feeds, constants)]
    wide = hone.Session(model_of(nodes, feeds, constants, outputs)).run(None, feeds)[0]
    got = hone.Session(model_of(nodes, *narrow, outputs)).run(None, narrow[0])[0]
    assert got.dtype == np.float16
    np.testing.assert_allclose(got.astype(np.float32), wide, atol=5e-3)


def open_model(nodes, inputs, constants, output):
    """Inputs by name: their element type and shape, with names of sizes that only the call tells."""
    infos = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
             for name, (dtype, shape) in inputs.items()]
    graph = helper.make_graph(nodes, "small", infos, [helper.make_empty_tensor_value_info(output)],
                              [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    return hone.Session(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString())


def test_a_size_that_must_be_a_multiple_is_checked_as_itself():
    halves = helper.make_node("MaxPool", ["x"], ["half"], kernel_shape=[2], strides=[2])
    whole = [halves, helper.make_node("Resize", ["half", "", "s"], ["twice"], mode="nearest"), helper.make_node("Add", ["x", "twice"], ["sum"])]
    # Only a half of 4 is 4 elements; that the size of x is even follows from the sum.
    session = open_model([*whole, helper.make_node("Reshape", ["half", "four"], ["y"])], {"x": (np.float32, [1, 1, "h"])},
                         {"s": np.array([1, 1, 2], np.float32), "four": np.array([4])}, "y")
    x = floats(1, 1, 8)
    np.testing.assert_array_equal(session.run(None, {"x": x})[0], x.reshape(4, 2).max(axis=1))
    for wrong in (4, 16):
        with pytest.raises(hone.Error, match="must equal 4"):
            session.run(None, {"x": floats(1, 1, wrong)})


def test_nothing_has_no_largest_element():
    session = open_model([helper.make_node("ArgMax", ["x"], ["y"], axis=0, keepdims=0)], {"x": (np.float32, ["n", "m"])}, {}, "y")
    x = floats(3, 2)
    np.testing.assert_array_equal(session.run(None, {"x": x})[0], x.argmax(axis=0))
    assert session.run(None, {"x": floats(0, 0)})[0].shape == (0,)
    with pytest.raises(hone.Error, match="does not fit these input sizes"):
        session.run(None, {"x": floats(0, 2)})


@pytest.mark.parametrize("rank", [1, 2])
def test_an_axis_that_is_data_must_exist(rank):
    session = open_model([helper.make_node("CumSum", ["x", "a"], ["y"])],
                         {"x": (np.float32, ["n", "m"][:rank]), "a": (np.int64, [])}, {}, "y")
    x = np.arange(6, dtype=np.float32).reshape([6] if rank == 1 else [2, 3])
    for axis in range(-rank, rank):
        np.testing.assert_array_equal(session.run(None, {"x": x, "a": np.array(axis)})[0], x.cumsum(axis))
    for axis in (rank, -rank - 1):
        with pytest.raises(hone.Error, match=f"index {axis} is outside a dimension of {rank}"):
            session.run(None, {"x": x, "a": np.array(axis)})


def test_rows_that_only_some_sizes_divide_into():
    nodes = [helper.make_node("Reshape", ["x", "s"], ["rows"]), helper.make_node("TopK", ["rows", "k"], ["y", "i"])]
    feeds = [{"x": floats(size, 2)} for size in (6, 8, 7)]
    model = model_of(nodes, feeds[0], {"s": np.array([-1, 4]), "k": np.array([1])}, ["y", "i"], sizes=["n", 2])
    assert_agrees(model, *feeds[:2])
    with pytest.raises(hone.Error, match="does not fit these input sizes"):
        hone.Session(model).run(None, feeds[2])
