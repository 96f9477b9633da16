"""hone.Session against onnxruntime, and its manners."""

import threading

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import hone

RNG = np.random.default_rng(0)


def model_bytes(nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "small", inputs, outputs, [numpy_helper.from_array(a, n) for n, a in constants])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model.SerializeToString()


def dense_layer():
    """y = relu(x @ w + b) for any number of rows."""
    weights = RNG.standard_normal((24, 10), dtype=np.float32)
    bias = RNG.standard_normal(10, dtype=np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["m"]),
        helper.make_node("Add", ["m", "b"], ["a"]),
        helper.make_node("Relu", ["a"], ["y"]),
    ]
    return model_bytes(
        nodes,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 24])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 10])],
        [("w", weights), ("b", bias)],
    )


def reference(model, feeds):
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, feeds)


@pytest.fixture(scope="module")
def model():
    return dense_layer()


@pytest.fixture(scope="module")
def session(model):
    return hone.Session(model)


def rows(count):
    return RNG.standard_normal((count, 24), dtype=np.float32)


def test_agrees_with_onnxruntime_for_any_number_of_rows(model, session):
    for count in (1, 2, 7, 64, 100):
        x = rows(count)
        (y,) = session.run(None, {"x": x})
        assert y.shape == (count, 10) and y.dtype == np.float32
        np.testing.assert_allclose(y, reference(model, {"x": x})[0], rtol=1e-4, atol=1e-5)


def test_describes_inputs_and_outputs(session):
    (x,) = session.get_inputs()
    assert (x.name, x.type, x.shape) == ("x", "tensor(float)", ["rows", 24])
    (y,) = session.get_outputs()
    assert (y.name, y.type, y.shape) == ("y", "tensor(float)", ["rows", 10])


def test_takes_arrays_of_any_layout(model, session):
    x = np.asfortranarray(rows(6))
    np.testing.assert_allclose(session.run(["y"], {"x": x})[0], reference(model, {"x": x})[0], rtol=1e-4, atol=1e-5)
    strided = rows(12)[::2]
    np.testing.assert_array_equal(
        session.run(None, {"x": strided})[0], session.run(None, {"x": np.ascontiguousarray(strided)})[0]
    )


def test_outputs_outlive_the_session(model):
    x = rows(3)
    y = hone.Session(model).run(None, {"x": x})[0]
    np.testing.assert_allclose(y, reference(model, {"x": x})[0], rtol=1e-4, atol=1e-5)


def test_tells_what_is_wrong(session):
    with pytest.raises(hone.Error, match="input 'x' is missing; there is no input 'z'"):
        session.run(None, {"z": rows(1)})
    with pytest.raises(hone.Error, match="there is no output 'w': the model gives y"):
        session.run(["w"], {"x": rows(1)})
    with pytest.raises(hone.Error, match=r"input 'x' must be f32\[rows, 24\], got f64\[1, 24\]"):
        session.run(None, {"x": rows(1).astype(np.float64)})
    with pytest.raises(hone.Error, match="dimension 1 must be 24"):
        session.run(None, {"x": np.zeros((2, 23), np.float32)})
    with pytest.raises(hone.Error):
        hone.Session(b"no model at all")
    with pytest.raises(hone.Error):
        hone.Session("/no/such/model.onnx")


def test_options_choose_threads_and_instruction_set(model):
    options = hone.SessionOptions()
    options.intra_op_num_threads = 1
    options.isa = "x86-64"
    session = hone.Session(model, options)
    assert session.threads == 1
    assert session.isa == "x86-64"
    x = rows(5)
    np.testing.assert_allclose(session.run(None, {"x": x})[0], reference(model, {"x": x})[0], rtol=1e-4, atol=1e-5)
    with pytest.raises(hone.Error, match="unknown instruction set"):
        hone.Session(model, hone.SessionOptions(isa="mmx"))


def test_same_bits_from_many_threads(model, session):
    x = rows(40)
    expected = session.run(None, {"x": x})[0]
    wrong = []

    def call():
        for _ in range(50):
            if not np.array_equal(session.run(None, {"x": x})[0], expected):
                wrong.append(1)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_compiled_library_gives_the_same_bits(model, session, tmp_path):
    (tmp_path / "m.onnx").write_bytes(model)
    hone.compile(tmp_path / "m.onnx", tmp_path / "m.so")
    loaded = hone.Session(tmp_path / "m.so")
    x = rows(9)
    np.testing.assert_array_equal(loaded.run(None, {"x": x})[0], session.run(None, {"x": x})[0])
    assert "input 0: x f32[rows, 24]" in (tmp_path / "m.h").read_text()


def test_profile_lists_steps(session):
    profile = session.profile({"x": rows(16)}, rounds=3)
    assert profile["rounds"] == 3
    assert profile["steps"] and all(step["seconds"] >= 0 for step in profile["steps"])


def test_bf16_goes_in_and_out_as_ml_dtypes():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    model = model_bytes(
        [helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT), helper.make_node("Cast", ["wide"], ["y"], to=TensorProto.BFLOAT16)],
        [helper.make_tensor_value_info("x", TensorProto.BFLOAT16, [2, 3])],
        [helper.make_tensor_value_info("y", TensorProto.BFLOAT16, [2, 3]), helper.make_tensor_value_info("wide", TensorProto.FLOAT, [2, 3])],
    )
    x = np.array([[1.5, -2.25, 0.0], [3e38, -1e-30, 7.0]]).astype(bfloat16)
    y, wide = hone.Session(model).run(None, {"x": x})
    assert y.dtype == x.dtype and y.shape == (2, 3)
    np.testing.assert_array_equal(y.view(np.uint16), x.view(np.uint16))
    np.testing.assert_array_equal(wide, x.astype(np.float32))


def sum_over(declared_axes):
    return model_bytes(
        [helper.make_node("ReduceSum", ["x", "axes"], ["y"])],
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 5, 7]),
         helper.make_tensor_value_info("axes", TensorProto.INT64, declared_axes)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["a", "b", "c"])],
    )


def test_values_of_an_input_may_decide_what_is_computed():
    model = sum_over(["count"])
    session = hone.Session(model)
    assert [port.name for port in session.get_inputs()] == ["x", "axes"]
    x = RNG.standard_normal((3, 5, 7), dtype=np.float32)
    for axes in ([0], [1, 2], [-1], [0], [0, 1, 2]):
        feeds = {"x": x, "axes": np.array(axes, np.int64)}
        np.testing.assert_allclose(session.run(None, feeds)[0], reference(model, feeds)[0], rtol=1e-5, atol=1e-5)
    with pytest.raises(hone.Error, match="axis 3"):
        session.run(None, {"x": x, "axes": np.array([3], np.int64)})
    # A refused value leaves the session as it was.
    feeds = {"x": x, "axes": np.array([1], np.int64)}
    np.testing.assert_allclose(session.run(None, feeds)[0], x.sum(1, keepdims=True), rtol=1e-5, atol=1e-5)


def test_deciding_values_from_many_threads():
    session = hone.Session(sum_over([1]))
    x = RNG.standard_normal((4, 5, 7), dtype=np.float32)
    problems = []

    def work(axis):
        for _ in range(5):
            y = session.run(None, {"x": x, "axes": np.array([axis], np.int64)})[0]
            if not np.allclose(y, x.sum(axis, keepdims=True), rtol=1e-5, atol=1e-5):
                problems.append(axis)

    threads = [threading.Thread(target=work, args=(number % 3,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


@pytest.mark.parametrize("name, code", [("float8_e4m3fn", "FLOAT8E4M3FN"), ("float8_e5m2fnuz", "FLOAT8E5M2FNUZ"), ("int4", "INT4")])
def test_storage_types_go_in_and_out_as_ml_dtypes(name, code):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    narrow, code = getattr(ml_dtypes, name), getattr(TensorProto, code)
    graph = helper.make_graph(
        [helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT), helper.make_node("Cast", ["wide"], ["y"], to=code)],
        "storage",
        [helper.make_tensor_value_info("x", code, [2, 3])],
        [helper.make_tensor_value_info("y", code, [2, 3]), helper.make_tensor_value_info("wide", TensorProto.FLOAT, [2, 3])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    x = np.array([[1, -2, 0], [7, -6, 3]]).astype(narrow)
    session = hone.Session(model.SerializeToString())
    y, wide = session.run(None, {"x": x})
    assert y.dtype == x.dtype and y.shape == (2, 3)
    np.testing.assert_array_equal(y.astype(np.float32), x.astype(np.float32))
    np.testing.assert_array_equal(wide, x.astype(np.float32))
    with pytest.raises(hone.Error, match="not bfloat16"):
        session.run(None, {"x": x.astype(ml_dtypes.bfloat16)})
