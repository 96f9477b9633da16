"""`hone verify --per-layer` and `hone reduce`: where a model departs, and the smallest part that does.

Without any tolerance a transcendental function differs from onnxruntime's in last places, which makes it the layer to find;
sums, maxima and signs are the same to the last bit.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from program import call

EXACT = ["--atol", "0", "--rtol", "0"]


def save(folder, nodes, outputs, constants=(), sizes=(8, 256)):
    graph = helper.make_graph(
        nodes, "chain", [helper.make_tensor_value_info("x", TensorProto.FLOAT, sizes)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs, [output], name=f"node_{output}", **attributes)


@pytest.fixture
def departing(tmp_path):
    """Exact layers, one that departs, exact layers behind it, and a branch of exact ones."""
    nodes = [node("Neg", ["x"], "a"), node("Add", ["a", "b"], "c"), node("Relu", ["c"], "d"), node("Tanh", ["c"], "t"),
             node("Abs", ["t"], "e"), node("Max", ["e", "d"], "f"), node("Add", ["d", "x"], "g"), node("Neg", ["f"], "h")]
    return save(tmp_path, nodes, ["g", "h"], [("b", np.linspace(-1, 1, 256, dtype=np.float32))])


def test_per_layer_names_the_first_tensor_that_departs(departing):
    status, text = call("verify", departing, "--per-layer", *EXACT)
    assert status == 1
    assert "the first tensor that departs is 't' of Tanh node 'node_t'" in text


def test_per_layer_agrees_within_the_tolerance(departing):
    status, text = call("verify", departing, "--per-layer")
    assert status == 0 and "PASS: all 8 tensors agree" in text


def test_a_departure_is_reduced_to_its_layer(departing, tmp_path):
    small = tmp_path / "small.onnx"
    status, text = call("reduce", departing, "-o", small, *EXACT)
    assert status == 0 and "with 1 node;" in text
    assert [n.op_type for n in onnx.load(small).graph.node] == ["Tanh"]
    value = np.load(tmp_path / "small.in0.npy")
    assert value.shape == (8, 256)
    status, text = call("verify", small, "--input", f"c={tmp_path / 'small.in0.npy'}", *EXACT)
    assert status == 1 and "FAIL" in text


def test_a_departure_of_two_branches_keeps_what_it_reads(tmp_path):
    """The layer that departs reads a constant node and two results."""
    constant = helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(np.float32(0.3)))
    nodes = [constant, node("Neg", ["x"], "a"), node("Abs", ["x"], "b"), node("Max", ["a", "b", "k"], "m"), node("Pow", ["m", "k"], "p"),
             node("Neg", ["p"], "y")]
    model, small = save(tmp_path, nodes, ["y"]), tmp_path / "small.onnx"
    status, text = call("reduce", model, "-o", small, *EXACT)
    assert status == 0, text
    assert [n.op_type for n in onnx.load(small).graph.node] == ["Constant", "Pow"]
    assert call("verify", small, "--input", f"m={tmp_path / 'small.in0.npy'}", *EXACT)[0] == 1


def test_a_model_that_agrees_is_not_reduced(departing, tmp_path):
    status, text = call("reduce", departing, "-o", tmp_path / "small.onnx")
    assert status == 1 and "there is nothing to reduce" in text
    assert not (tmp_path / "small.onnx").exists()


def test_a_refused_operator_is_left_alone(tmp_path):
    nodes = [node("Neg", ["x"], "a"), node("Relu", ["a"], "b"), node("Bernoulli", ["b"], "r"), node("Add", ["r", "a"], "y")]
    model, small = save(tmp_path, nodes, ["y"]), tmp_path / "small.onnx"
    status, text = call("reduce", model, "-o", small)
    assert status == 0, text
    assert "with 1 node; it is refused too:\nBernoulli: this operator is not supported" in text
    reduced = onnx.load(small)
    assert [n.op_type for n in reduced.graph.node] == ["Bernoulli"]
    assert [d.dim_value for d in reduced.graph.input[0].type.tensor_type.shape.dim] == [8, 256]
    status, text = call("compile", small, "-o", tmp_path / "small.so")
    assert status == 1 and "Bernoulli: this operator is not supported" in text


def test_a_refusal_keeps_the_nodes_that_its_reason_needs(tmp_path):
    """Only with the size is the step of the slice no number."""
    nodes = [node("Abs", ["x"], "a"), node("Shape", ["a"], "s"), node("Gather", ["s", "zero"], "n"), node("Sub", ["n", "two"], "by"),
             node("Slice", ["a", "zero", "end", "one", "by"], "y")]
    constants = [("zero", np.array([0])), ("one", np.array([1])), ("two", np.array([2])), ("end", np.array([100]))]
    model, small = save(tmp_path, nodes, ["y"], constants, sizes=("n", 4)), tmp_path / "small.onnx"
    status, text = call("reduce", model, "-o", small)
    assert status == 0, text
    assert "its steps depend on the run-time size n - 2" in text
    assert "Sub" in [n.op_type for n in onnx.load(small).graph.node]


@pytest.mark.parametrize("words, message", [
    (["verify", "MODEL", "--per-layer", "--against", "judge"], "--against excludes --per-layer"),
    (["verify", "MODEL", "--per-layer", "--library", "m.so"], "--library excludes --per-layer"),
    (["verify", "MODEL", "--per-layer", "--atol", "-1"], "--atol"),
    (["verify", "MODEL", "--per-layer", "--input", "z=1"], "the model has no input 'z'"),
    (["reduce", "MODEL", "--rtol", "-1"], "--rtol"),
    (["reduce", "MODEL", "--shape", "x:8xq"], "is no shape"),
    (["reduce", "missing.onnx"], "there is no file 'missing.onnx'"),
    (["reduce", "model.so"], "reduce needs the ONNX file"),
    (["reduce"], "model is required"),
    (["reduce", "MODEL", "-o", "no/such/folder/small.onnx", *EXACT], "'no/such/folder/small.onnx' cannot be written"),
])
def test_bad_arguments(departing, words, message):
    status, text = call(*[departing if word == "MODEL" else word for word in words])
    assert status != 0 and message in text, text
