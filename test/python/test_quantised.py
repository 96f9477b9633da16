"""Quantised operators of com.microsoft against onnxruntime: what static quantisation of a trained model leaves."""

import numpy as np
import onnxruntime
import pytest
from onnx import helper, numpy_helper

import hone

RNG = np.random.default_rng(0)


def numbers(dtype, *shape):
    info = np.iinfo(dtype)
    return RNG.integers(info.min, info.max + 1, shape).astype(dtype)


def weights(*shape):
    """Of seven bits: beyond them onnxruntime's sums of two products saturate on machines without VNNI."""
    return RNG.integers(-64, 64, shape).astype(np.int8)


def scale(value):
    return np.float32(value)


def agree(op, feeds, constants, inputs, apart=1, **attributes):
    """At most `apart` steps of quantisation lie between the two, for onnxruntime rounds on the way."""
    def info(name, array):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    node = helper.make_node(op, inputs, ["y"], domain="com.microsoft", **attributes)
    graph = helper.make_graph([node], "quantised", [info(n, a) for n, a in feeds.items()], [helper.make_empty_tensor_value_info("y")],
                              [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 9
    data = model.SerializeToString()
    expected = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"]).run(None, feeds)[0]
    got = hone.Session(data).run(None, feeds)[0]
    assert got.dtype == expected.dtype and got.shape == expected.shape
    if expected.dtype == np.float32:
        return np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)
    assert np.abs(got.astype(int) - expected.astype(int)).max() <= apart
    return None


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
@pytest.mark.parametrize("op", ["QLinearAdd", "QLinearMul"])
@pytest.mark.parametrize("shape", [(3, 5, 17), (17,), (1, 5, 1)])
def test_sums_and_products(op, dtype, shape):
    constants = {"sa": scale(0.02), "za": dtype(3), "sb": scale(0.03), "zb": dtype(7), "sy": scale(0.05), "zy": dtype(11)}
    agree(op, {"a": numbers(dtype, 3, 5, 17), "b": numbers(dtype, *shape)}, constants, ["a", "sa", "za", "b", "sb", "zb", "sy", "zy"])


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
@pytest.mark.parametrize("op, attributes", [("QLinearSigmoid", {}), ("QLinearLeakyRelu", {"alpha": 0.3}), ("QLinearLeakyRelu", {})])
def test_activations(op, attributes, dtype):
    constants = {"sx": scale(0.04), "zx": dtype(100), "sy": scale(1 / 128), "zy": dtype(5)}
    agree(op, {"x": numbers(dtype, 7, 33)}, constants, ["x", "sx", "zx", "sy", "zy"], **attributes)


@pytest.mark.parametrize("axis", [1, -1])
def test_concatenation(axis):
    constants = {"sy": scale(0.05), "zy": np.uint8(9), "sa": scale(0.02), "za": np.uint8(3), "sb": scale(0.07), "zb": np.uint8(130)}
    feeds = {"a": numbers(np.uint8, 2, 4, 4), "b": numbers(np.uint8, 2, 4, 4)}
    agree("QLinearConcat", feeds, constants, ["sy", "zy", "a", "sa", "za", "b", "sb", "zb"], axis=axis)


@pytest.mark.parametrize("channels_last", [0, 1])
def test_global_average(channels_last):
    constants = {"sx": scale(0.04), "zx": np.uint8(100), "sy": scale(0.02), "zy": np.uint8(50)}
    agree("QLinearGlobalAveragePool", {"x": numbers(np.uint8, 2, 5, 6, 7)}, constants, ["x", "sx", "zx", "sy", "zy"],
          channels_last=channels_last)


@pytest.mark.parametrize("quantised", [True, False])
@pytest.mark.parametrize("per_column", [True, False])
@pytest.mark.parametrize("turned", [0, 1])
def test_gemm(turned, per_column, quantised):
    columns = 11
    constants = {"sa": scale(0.02), "za": np.uint8(120), "b": weights(*((columns, 23) if turned else (23, columns))),
                 "sb": np.linspace(0.01, 0.03, columns, dtype=np.float32) if per_column else scale(0.02),
                 "zb": np.zeros(columns, np.int8) if per_column else np.int8(0),
                 "c": RNG.integers(-5000, 5000, columns).astype(np.int32), "sy": scale(0.5), "zy": np.uint8(128)}
    inputs = ["a", "sa", "za", "b", "sb", "zb", "c"] + (["sy", "zy"] if quantised else [])
    used = {name: array for name, array in constants.items() if name in inputs}
    agree("QGemm", {"a": numbers(np.uint8, 5, 23)}, used, inputs, transB=turned)


@pytest.mark.parametrize("bias", [True, False])
def test_product_to_floats(bias):
    constants = {"b": weights(23, 11), "sa": scale(0.02), "sb": np.linspace(0.01, 0.03, 11, dtype=np.float32),
                 "za": np.uint8(120), "zb": np.zeros(11, np.int8), "c": RNG.standard_normal(11).astype(np.float32)}
    inputs = ["a", "b", "sa", "sb", "za", "zb"] + (["c"] if bias else [])
    agree("MatMulIntegerToFloat", {"a": numbers(np.uint8, 2, 5, 23)}, {n: a for n, a in constants.items() if n in inputs}, inputs)


def test_a_scale_per_channel_is_refused_where_one_is_wanted():
    constants = {"sa": np.full(4, 0.02, np.float32), "za": np.uint8(3), "sb": scale(0.03), "zb": np.uint8(7), "sy": scale(0.05), "zy": np.uint8(0)}
    with pytest.raises(hone.Error, match="com.microsoft.QLinearAdd: its input number 1 is not one number"):
        node = helper.make_node("QLinearAdd", ["a", "sa", "za", "a", "sb", "zb", "sy", "zy"], ["y"], domain="com.microsoft")
        graph = helper.make_graph([node], "q", [helper.make_tensor_value_info("a", 2, [4])], [helper.make_empty_tensor_value_info("y")],
                                  [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()])
        hone.Session(helper.make_model(graph, opset_imports=[helper.make_opsetid("com.microsoft", 1)]).SerializeToString())
