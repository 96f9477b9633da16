"""Operators over sizes that are known only at run time, against onnxruntime at many sizes of one session."""

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import hone
from program import call

FAR = np.iinfo(np.int64).max


def model_of(nodes, inputs, constants, outputs):
    """`inputs`: name → dimensions, of which words are open."""
    graph = helper.make_graph(
        nodes, "open", [helper.make_tensor_value_info(n, TensorProto.FLOAT, dims) for n, dims in inputs.items()],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in outputs],
        [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    return model.SerializeToString()


def agree_at(model, shapes):
    """Both engines give the same at every set of shapes (name → shape)."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs, ours = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]), hone.Session(model)
    rng = np.random.default_rng(0)
    for set_ in shapes:
        feeds = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in set_.items()}
        for got, expected in zip(ours.run(None, feeds), theirs.run(None, feeds), strict=True):
            assert got.shape == expected.shape, set_
            np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6, err_msg=str(set_))


@pytest.mark.parametrize("start, end, step", [
    (3, -FAR, -1), (3, 0, -1), (-1, -FAR, -1), (-2, -FAR, -2), (-2, -5, -1), (FAR, 1, -3), (5, -3, -1), (-6, -FAR, -1), (2, -1, -1),
    (-3, FAR, 1), (-3, -1, 1), (-5, 4, 2), (2, 6, 3), (-4, FAR, 3)])
def test_slices(start, end, step):
    bounds = {"s": np.array([start]), "e": np.array([end]), "a": np.array([1]), "by": np.array([step])}
    model = model_of([helper.make_node("Slice", ["x", "s", "e", "a", "by"], ["y"])], {"x": [2, "n"]}, bounds, ["y"])
    agree_at(model, [{"x": (2, n)} for n in range(9)])


@pytest.mark.parametrize("sign, step", [(1, 1), (1, 2), (-1, 1), (-1, 3), (1, -1), (1, -2)])
@pytest.mark.parametrize("at_start", [True, False])
def test_slices_from_and_to_another_size(sign, step, at_start):
    nodes = [helper.make_node("Shape", ["k"], ["size"]), helper.make_node("Mul", ["size", "sign"], ["bound"]),
             helper.make_node("Slice", ["x", *(["bound", "other"] if at_start else ["other", "bound"]), "a", "by"], ["y"])]
    other = (FAR if at_start else 0) * np.sign(step) if step > 0 or at_start else FAR
    constants = {"sign": np.array([sign]), "other": np.array([other]), "a": np.array([0]), "by": np.array([step])}
    agree_at(model_of(nodes, {"x": ["n"], "k": ["m"]}, constants, ["y"]),
             [{"x": (n,), "k": (m,)} for n in (0, 1, 4, 7) for m in (0, 1, 2, 4, 5, 9)])


def slice_at_a_bound_of_either_sign(step, of_itself=False, at_start=True):
    nodes = [helper.make_node("Shape", ["x" if of_itself else "k"], ["size"]), helper.make_node("Sub", ["size", "two"], ["bound"]),
             helper.make_node("Slice", ["x", *(["bound", "end"] if at_start else ["zero", "bound"]), "zero", "by"], ["s"]),
             helper.make_node("Concat", ["s", "k"], ["y"], axis=0)]
    constants = {"two": np.array([2]), "end": np.array([FAR * np.sign(step)]), "zero": np.array([0]), "by": np.array([step])}
    return model_of(nodes, {"x": ["n"], "k": ["m"]}, constants, ["y"])


@pytest.mark.parametrize("of_itself", [True, False])
@pytest.mark.parametrize("at_start", [True, False])
@pytest.mark.parametrize("step", [1, 2, -1, -2])
def test_slices_at_a_bound_of_either_sign(step, of_itself, at_start):
    agree_at(slice_at_a_bound_of_either_sign(step, of_itself, at_start),
             [{"x": (n,), "k": (m,)} for n in (0, 1, 2, 3, 7) for m in (0, 1, 2, 3, 5, 12)])


@pytest.mark.parametrize("stride", [2, 3, 4])
def test_lengths_that_are_rounded_alike(stride):
    """A convolution rounds down with room to spare, the slice behind it rounds up: equal for every length."""
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], pads=[3, 3 + stride], strides=[stride]),
             helper.make_node("Shape", ["x"], ["n"], start=2, end=3), helper.make_node("Add", ["n", "less"], ["sum"]),
             helper.make_node("Div", ["sum", "by"], ["rounded"]), helper.make_node("Slice", ["c", "zero", "rounded", "axis"], ["cut"]),
             helper.make_node("Slice", ["x", "zero", "far", "axis", "by"], ["each"]), helper.make_node("Add", ["cut", "each"], ["y"])]
    constants = {"w": np.ones((1, 1, 7), np.float32), "less": np.array([stride - 1]), "by": np.array([stride]),
                 "zero": np.array([0]), "far": np.array([FAR]), "axis": np.array([2])}
    agree_at(model_of(nodes, {"x": [1, 1, "n"]}, constants, ["y"]), [{"x": (1, 1, n)} for n in (1, 2, 3, 4, 5, 16, 17, 18, 19)])


def test_a_reshape_to_other_sizes_before_a_library_function():
    nodes = [helper.make_node("Shape", ["like"], ["to"]), helper.make_node("Reshape", ["x", "to"], ["r"]),
             helper.make_node("TopK", ["r", "two"], ["y", "at"], axis=0)]
    model = model_of(nodes, {"x": ["n"], "like": ["a", "b"]}, {"two": np.array([2])}, ["y"])
    agree_at(model, [{"x": (6,), "like": (3, 2)}, {"x": (20,), "like": (4, 5)}])
    with pytest.raises(hone.Error, match="must equal"):
        hone.Session(model).run(None, {"x": np.zeros(7, np.float32), "like": np.zeros((3, 2), np.float32)})


def test_squeezed_sizes_of_one():
    """Without axes the rank of the result depends on the sizes at hand."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Squeeze", ["m"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    model = model_of(nodes, {"x": ["batch", "n", 4]}, {"w": np.ones((4, 1), np.float32)}, ["y"])
    agree_at(model, [{"x": shape} for shape in [(2, 3, 4), (1, 3, 4), (2, 1, 4), (1, 1, 4), (5, 7, 4), (0, 1, 4)]])


def test_squeezed_sizes_that_are_computed():
    nodes = [helper.make_node("MaxPool", ["x"], ["p"], kernel_shape=[2], strides=[2]), helper.make_node("Squeeze", ["p"], ["y"])]
    model = model_of(nodes, {"x": [3, "batch", "n"]}, {}, ["y"])
    agree_at(model, [{"x": shape} for shape in [(3, 2, 2), (3, 2, 3), (3, 2, 4), (3, 1, 5), (3, 1, 3)]])


def test_a_squeeze_without_axes_tells_a_wrong_rank():
    model = model_of([helper.make_node("Squeeze", ["x"], ["y"])], {"x": ["batch", 4]}, {}, ["y"])
    with pytest.raises(hone.Error, match="input 'x' has rank 3; 2 would work"):
        hone.Session(model).run(None, {"x": np.zeros((1, 1, 4), np.float32)})


@pytest.mark.parametrize("nodes, inputs, shapes", [
    ([helper.make_node("Add", ["a", "b"], ["y"])], {"a": ["n"], "b": [3, "m"]},
     [((5,), (3, 5)), ((1,), (3, 5)), ((5,), (3, 1)), ((1,), (3, 1)), ((1,), (3, 9)), ((0,), (3, 1))]),
    ([helper.make_node("Mod", ["a", "b"], ["y"], fmod=1)], {"a": ["n", 1, "n"], "b": [7, 7, "n", 7]},
     [((7, 1, 7), (7, 7, 7, 7)), ((1, 1, 1), (7, 7, 1, 7))]),
    ([helper.make_node("MatMul", ["a", "b"], ["y"])], {"a": ["n", "k", 4], "b": ["m", 4, 3]},
     [((2, 5, 4), (2, 4, 3)), ((1, 5, 4), (2, 4, 3)), ((2, 1, 4), (1, 4, 3))]),
    ([helper.make_node("Gemm", ["a", "b", "b"], ["y"])], {"a": ["n", 3], "b": ["m", 4]}, [((3, 3), (3, 4))]),
    ([helper.make_node("Gemm", ["a", "w", "b"], ["y"])], {"a": ["n", 3], "b": ["m", "k"]},
     [((2, 3), (2, 3)), ((2, 3), (1, 3)), ((2, 3), (2, 1)), ((2, 3), (1, 1)), ((1, 3), (1, 3))]),
    ([helper.make_node("LayerNormalization", ["a", "b"], ["y"])], {"a": [2, "n"], "b": ["m"]}, [((2, 4), (4,)), ((2, 4), (1,))]),
    ([helper.make_node("Add", ["a", "b"], ["s"]), helper.make_node("Squeeze", ["s"], ["y"])], {"a": ["n", "k"], "b": ["m", 1]},
     [((2, 3), (2, 1)), ((1, 3), (2, 1)), ((2, 3), (1, 1)), ((1, 1), (1, 1))])])
def test_sizes_that_broadcast_when_they_are_one(nodes, inputs, shapes):
    agree_at(model_of(nodes, inputs, {"w": np.eye(3, dtype=np.float32)}, ["y"]), [dict(zip(inputs, set_, strict=True)) for set_ in shapes])


def test_sizes_that_broadcast_to_nothing_are_told(tmp_path):
    model, fits = tmp_path / "add.onnx", {"a": np.ones(1, np.float32), "b": np.ones((3, 5), np.float32)}
    model.write_bytes(model_of([helper.make_node("Add", ["a", "b"], ["y"])], {"a": ["n"], "b": [3, "m"]}, {}, ["y"]))
    session = hone.Session(model)
    for wrong in ({"a": np.ones(2, np.float32)}, {"a": np.ones((1, 1), np.float32)}, {"b": np.ones((1, 5), np.float32)}):
        with pytest.raises(hone.Error, match="must be"):
            session.run(None, fits | wrong)
    assert session.run(None, fits)[0].shape == (3, 5)
    model.write_bytes(b"something else")
    assert session.run(None, fits)[0].shape == (3, 5)
    with pytest.raises(hone.Error, match=r"input 'b' must be f32\[3, n\]"):
        session.run(None, fits | {"a": np.ones(4, np.float32), "b": np.ones((3, 1), np.float32)})


def test_a_size_that_is_fixed_decides_ahead_of_time(tmp_path):
    model, library = tmp_path / "squeeze.onnx", tmp_path / "squeeze.so"
    model.write_bytes(model_of([helper.make_node("Squeeze", ["x"], ["y"])], {"x": ["batch", "n", 4]}, {}, ["y"]))
    status, text = call("compile", model, "-o", library)
    assert status == 1 and "batch is known only at run time; axes or a fixed size would work" in text
    status, text = call("compile", model, "-o", library, "--size", "batch=1", "--size", "n=3")
    assert status == 0 and "y: f32[3, 4]" in text, text
    status, text = call("verify", model, "--library", library, "--shape", "x:1x3x4")
    assert status == 0, text


@pytest.mark.parametrize("size, message", [
    ("batch", "'batch' is no size; NAME=NUMBER would work"), ("batch=", "'batch=' is no size"), ("=1", "'=1' is no size"),
    ("batch=-1", "'batch=-1' is no size"), ("other=1", "the model has no size 'other'; its sizes are: batch")])
def test_bad_sizes(tmp_path, size, message):
    model = tmp_path / "model.onnx"
    model.write_bytes(model_of([helper.make_node("Relu", ["x"], ["y"])], {"x": ["batch", 4]}, {}, ["y"]))
    status, text = call("compile", model, "-o", tmp_path / "model.so", "--size", size)
    assert status != 0 and message in text, text
