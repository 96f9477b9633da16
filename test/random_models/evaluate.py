"""One node at a time, run by onnxruntime, or by the onnx reference evaluator where onnxruntime lacks the operator or type."""
from __future__ import annotations

import warnings
from typing import Callable, Iterator

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import element

IR_VERSION = 10
NEWEST_OF_ONNXRUNTIME = 26
LOCAL = "random.local"  # the domain of functions that come with a model
DOMAINS = {"ai.onnx.ml": 3, "ai.onnx.preview": 1, "ai.onnx.preview.training": 1, "com.microsoft": 1, LOCAL: 1}
Functions = dict[str, onnx.FunctionProto]
TYPED = ("Cast", "CastLike", "Constant", "DequantizeLinear", "EyeLike")  # their result's type is not that of their floats


class CannotRun(Exception):
    """Neither judge can run this."""


def onnxruntime_session(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def nodes_within(nodes: Iterator[onnx.NodeProto], functions: Functions) -> Iterator[onnx.NodeProto]:
    """These, and those of the bodies and functions that they stand for."""
    for node in nodes:
        yield node
        if node.domain == LOCAL:
            yield from nodes_within(functions[node.op_type].node, functions)
        for attribute in node.attribute:
            yield from nodes_within(attribute.g.node, functions)


def model_of(graph: onnx.GraphProto, opset: int, functions: Functions) -> onnx.ModelProto:
    nodes = list(nodes_within(graph.node, functions))
    domains = {node.domain for node in nodes}
    called = dict.fromkeys(node.op_type for node in nodes if node.domain == LOCAL)
    imports = [helper.make_opsetid(domain, version) for domain, version in {"": opset, **DOMAINS}.items() if not domain or domain in domains]
    return helper.make_model(graph, opset_imports=imports, ir_version=IR_VERSION, functions=[functions[name] for name in called])


def captured_names(graph: onnx.GraphProto) -> list[str]:
    """Names that a body takes from outside."""
    made = {value.name for value in graph.input} | {constant.name for constant in graph.initializer}
    found = []
    for node in graph.node:
        found += [name for name in (*node.input, *captured_by(node)) if name and name not in made]
        made |= set(node.output)
    found += [value.name for value in graph.output if value.name not in made]
    return list(dict.fromkeys(found))


def captured_by(node: onnx.NodeProto) -> list[str]:
    return [name for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH for name in captured_names(attribute.g)]


def needed_by(node: onnx.NodeProto) -> list[str]:
    return list(dict.fromkeys([name for name in node.input if name] + captured_by(node)))


def inferred_shapes_agree(node: onnx.NodeProto, opset: int, inputs: dict[str, np.ndarray], constants: set[str],
                          results: dict[str, np.ndarray], functions: Functions) -> bool:
    """Whether the shape inference of onnx accepts the node and expects these results. The judges have bugs too."""
    declared = [helper.make_tensor_value_info(n, element.code(a.dtype), a.shape) for n, a in inputs.items() if n not in constants]
    outputs = [helper.make_tensor_value_info(n, element.code(a.dtype), a.shape) for n, a in results.items()]
    graph = helper.make_graph([node], "one", declared, outputs, [numpy_helper.from_array(inputs[n], n) for n in sorted(constants)])
    model = model_of(graph, opset, functions)
    try:
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return False
    return True


class NodeRunner:
    """Calls take and give arrays by name. `judge` tells who answers.

    A half type that onnxruntime lacks is run as f32 where that works: the reference evaluator adds up bf16 in bf16, and
    mistakes the pads of Conv.
    """

    def __init__(self, node: onnx.NodeProto, opset: int, types: dict[str, np.dtype], functions: Functions) -> None:
        self.functions = functions
        try:
            self._prepare(node, opset, types, reference=node.op_type in TYPED)
        except CannotRun:
            lacking = {types[name] for name in needed_by(node) if types[name] in (element.F16, element.BF16)}
            if node.op_type in TYPED:
                raise
            if len(lacking) != 1:
                self._prepare(node, opset, types, reference=True)
                return
            (narrow,) = lacking
            try:
                self._prepare(node, opset, {name: element.F32 if t == narrow else t for name, t in types.items()}, reference=False)
            except CannotRun:
                self._prepare(node, opset, types, reference=True)
                return
            run, self.judge = self.run_all, f"onnxruntime, {narrow} as f32"
            self.run_all = lambda feeds: [
                np.asarray(a).astype(narrow) if np.asarray(a).dtype == element.F32 else a
                for a in run({name: a.astype(element.F32) if a.dtype == narrow else a for name, a in feeds.items()})]

    def _prepare(self, node: onnx.NodeProto, opset: int, types: dict[str, np.dtype], reference: bool) -> None:
        names = needed_by(node)
        inputs = [helper.make_tensor_value_info(name, element.code(types[name]), None) for name in names]
        self.outputs = [name for name in node.output if name]
        graph = helper.make_graph([node], "one", inputs, [onnx.ValueInfoProto(name=name) for name in self.outputs])
        model = model_of(graph, opset, self.functions)
        self.run_all: Callable[[dict[str, np.ndarray]], list[np.ndarray]]
        try:
            if any(types[name] == element.BF16 for name in names):
                raise CannotRun("onnxruntime takes no bf16 from Python")
            session = onnxruntime_session(self._spelled_for_onnxruntime(model, node))
            if any(value.type == "tensor(bfloat16)" for value in session.get_outputs()):
                raise CannotRun("onnxruntime gives no bf16 to Python")
            self.run_all, self.judge = lambda feeds: session.run(self.outputs, feeds), "onnxruntime"
        except Exception as error:
            lacks = isinstance(error, CannotRun) or "NOT_IMPLEMENTED" in str(error) or "is not a registered function/op" in str(error)
            if not reference or not lacks:
                raise CannotRun(str(error)) from error
            try:
                evaluator = ReferenceEvaluator(model)
            except Exception as missing:
                raise CannotRun(str(missing)) from missing
            self.run_all, self.judge = lambda feeds: evaluator.run(None, feeds), "reference"

    def _spelled_for_onnxruntime(self, model: onnx.ModelProto, node: onnx.NodeProto) -> onnx.ModelProto:
        """An operator of an opset that onnxruntime does not know yet, as one of the newest that it knows, if they are the same."""
        if model.opset_import[0].version <= NEWEST_OF_ONNXRUNTIME:
            return model
        if not node.domain and onnx.defs.get_schema(node.op_type, model.opset_import[0].version).since_version > NEWEST_OF_ONNXRUNTIME:
            raise CannotRun("too new for onnxruntime")
        older = onnx.ModelProto()
        older.CopyFrom(model)
        older.opset_import[0].version = NEWEST_OF_ONNXRUNTIME
        return older

    def __call__(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                return {name: np.asarray(array) for name, array in zip(self.outputs, self.run_all(feeds))}
            except Exception as error:
                raise CannotRun(f"{self.judge}: {error}") from error
