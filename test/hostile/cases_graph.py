"""Graphs that hang together wrongly: order, names, missing and doubled parts, unknown operators, wrong types and ranks."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from case import Case, constant, model, node, opened, sound, value
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper

Change = Callable[[ModelProto], object]


def changed(change: Change) -> ModelProto:
    content = sound()
    change(content)
    return content


def named(kind: str, name: str, inputs: Sequence[str], outputs: Sequence[str]) -> NodeProto:
    return helper.make_node(kind, list(inputs), list(outputs), name=name)


def of_nodes(*nodes: NodeProto, outputs: Sequence[str] = ("y",)) -> ModelProto:
    return model(nodes, [value("x", ["n", 2])], outputs=outputs)


def order() -> Iterator[Case]:
    def case(name: str, content: ModelProto, said: str, fault: str = "") -> Case:
        return Case("order", name, opened(content, {"x": np.ones((1, 2), np.float32)}), said, fault=fault)

    unsorted = r"- Relu: input '{}' is not defined before it; nodes must be sorted \(1 node: '{}'\)"
    first, second = named("Relu", "first", ["b"], ["a"]), named("Relu", "second", ["a"], ["b"])
    yield case("cycle_of_two", of_nodes(first, second, outputs=["a"]), unsorted.format("b", "first"))
    yield case("cycle_of_one", of_nodes(named("Relu", "self", ["y"], ["y"])), unsorted.format("y", "self"))
    yield case("later_node", of_nodes(named("Relu", "early", ["late"], ["y"]), named("Relu", "l", ["x"], ["late"])),
               unsorted.format("late", "early"))
    yield case("missing_initializer", changed(lambda m: m.graph.ClearField("initializer")),
               r"input 'w' is not defined before it.*'the_Add'")
    yield case("input_in_no_graph", of_nodes(named("Relu", "lost", ["nowhere"], ["y"])), unsorted.format("nowhere", "lost"))
    yield case("name_defined_twice", of_nodes(named("Relu", "one", ["x"], ["y"]), named("Abs", "two", ["x"], ["y"])),
               r"- Abs: 'y' is defined twice \(1 node: 'two'\)")
    yield case("name_of_input_defined_again", of_nodes(named("Relu", "one", ["x"], ["x"]), named("Abs", "two", ["x"], ["y"])),
               r"- Relu: 'x' is defined twice \(1 node: 'one'\)")
    yield case("same_output_twice_in_node", model([named("Split", "halves", ["x"], ["y", "y"])], [value("x", [2, 2])]),
               r"- Split: 'y' is defined twice \(1 node: 'halves'\)")
    yield case("two_initializers_of_one_name", changed(lambda m: m.graph.initializer.append(m.graph.initializer[0])), "initializer: .*'w'")
    yield case("two_inputs_of_one_name", changed(lambda m: m.graph.input.append(m.graph.input[0])), "input 'x'")
    yield case("initializer_without_name", changed(lambda m: m.graph.initializer.append(constant("", [1], np.float32))),
               "initializer: .*name")
    yield case("input_without_name", changed(lambda m: m.graph.input.append(value("", [1]))), "an input of the model has no name")
    yield case("output_nobody_makes", changed(lambda m: m.graph.output.append(value("z", [1]))), "'z' is produced by no node")
    yield case("output_without_name", changed(lambda m: m.graph.output.append(value("", [1]))), "output.*no name|'' is produced by no node")
    yield case("output_twice", changed(lambda m: m.graph.output.append(m.graph.output[0])), "output 'y' is listed twice")
    yield case("no_outputs", changed(lambda m: m.graph.ClearField("output")), "the model has no output")
    yield case("no_nodes", changed(lambda m: m.graph.ClearField("node")), "'y' is produced by no node")
    yield case("node_without_outputs", of_nodes(named("Relu", "silent", ["x"], []), named("Abs", "two", ["x"], ["y"])), "silent")
    yield case("too_few_inputs", of_nodes(named("Add", "half", ["x"], ["y"])), r"- Add: input number 1 is missing \(1 node: 'half'\)")
    yield case("empty_input_name", of_nodes(named("Add", "half", ["x", ""], ["y"])), r"- Add: input number 1 is missing \(1 node: 'half'\)")
    yield case("too_many_inputs", of_nodes(named("Add", "full", ["x", "x", "x"], ["y"])),
               r"- Add: it has 3 inputs, the operator takes at most 2 \(1 node: 'full'\)")
    yield case("100000_inputs_of_one_node", of_nodes(named("Relu", "full", ["x"] * 100_000, ["y"])), "it has 100000 inputs.*'full'")
    yield case("too_many_outputs", of_nodes(named("Relu", "full", ["x"], ["y", "z"]), outputs=["y", "z"]), "output number 1.*|z")


def unknown() -> Iterator[Case]:
    def case(name: str, content: ModelProto, said: str, fault: str = "") -> Case:
        return Case("unknown", name, opened(content), said, fault=fault)

    def opset(version: int) -> ModelProto:
        return changed(lambda m: setattr(m.opset_import[0], "version", version))

    def domain(name: str) -> Change:
        return lambda m: setattr(m.graph.node[0], "domain", name)

    def typed(kind: int) -> ModelProto:
        return changed(lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", kind))

    def recursive() -> ModelProto:
        content = changed(domain("mine"))
        call = helper.make_node("Add", ["a", "b"], ["c"], domain="mine")
        content.functions.append(helper.make_function("mine", "Add", ["a", "b"], ["c"], [call], [helper.make_opsetid("mine", 1)]))
        content.opset_import.append(helper.make_opsetid("mine", 1))
        return content

    yield case("operator", of_nodes(named("Unheard", "odd", ["x"], ["y"])), r"- Unheard: this operator is not supported \(1 node: 'odd'\)")
    yield case("operator_without_name", of_nodes(named("", "odd", ["x"], ["y"])), r"- : this operator is not supported \(1 node: 'odd'\)")
    yield case("operator_in_other_case", of_nodes(named("relu", "odd", ["x"], ["y"])), r"- relu: this operator is not supported")
    yield case("domain", changed(domain("com.example")),
               r"- com\.example\.Add: this operator is not supported; operators of ONNX itself and functions of the model would work \(1 node: 'the_Add'\)")
    yield case("recursive_function", recursive(), r"- mine\.Add: the function calls itself")
    yield case("opset_zero", opset(0), "the model is of opset 0; opsets 1 to 27 would work")
    yield case("opset_negative", opset(-1), "the model is of opset -1; opsets 1 to 27 would work")
    yield case("opset_of_the_future", opset(1000), "the model is of opset 1000; opsets 1 to 27 would work")
    yield case("opset_largest", opset(2**63 - 1), "the model is of opset 9223372036854775807; opsets 1 to 27 would work")
    yield case("opset_of_other_domain_only", changed(lambda m: setattr(m.opset_import[0], "domain", "mine")),
               "names no opset of ONNX itself")
    yield case("two_opsets", changed(lambda m: m.opset_import.append(helper.make_opsetid("", 12))), "opset")
    yield case("element_type_of_input", typed(99), "input 'x' has the element type 99;")
    yield case("element_type_none", typed(0), "input 'x' has the element type UNDEFINED;")
    yield case("element_type_negative", typed(-1), "input 'x' has the element type -1;")
    yield case("element_type_text", typed(TensorProto.STRING), "input 'x' has the element type STRING;")
    yield case("element_type_complex", typed(TensorProto.COMPLEX64), "input 'x' has the element type COMPLEX64;")
    yield case("element_type_of_weights", changed(lambda m: setattr(m.graph.initializer[0], "data_type", 99)),
               r"initializer: has the element type 99;.*\(1 node: 'w'\)")
    yield case("input_without_type", changed(lambda m: m.graph.input[0].ClearField("type")), "input 'x' is not a tensor")
    yield case("input_without_shape", changed(lambda m: m.graph.input[0].type.tensor_type.ClearField("shape")), "input 'x' has no shape")
    yield case("input_is_a_sequence", changed(lambda m: m.graph.input[0].CopyFrom(
        helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, [2]))), "input 'x' is not a tensor")
    yield case("sparse_weights", changed(lambda m: (m.graph.ClearField("initializer"), m.graph.sparse_initializer.add())),
               "input 'w' is not defined before it|sparse")


def misfits() -> Iterator[Case]:
    def case(name: str, kind: str, left: Sequence[int | str], right: Sequence[int | str], said: str,
             types: tuple[int, int] = (TensorProto.FLOAT, TensorProto.FLOAT), **attributes: object) -> Case:
        content = model([node(kind, ["a", "b"], **attributes)], [value("a", left, types[0]), value("b", right, types[1])])
        feeds = {"a": np.ones(left, helper.tensor_dtype_to_np_dtype(types[0])),
                 "b": np.ones(right, helper.tensor_dtype_to_np_dtype(types[1]))}
        return Case("misfits", name, opened(content, feeds), rf"- {kind}: .*(?:{said}).*\(1 node: 'the_{kind}'\)")

    floats, integers = TensorProto.FLOAT, TensorProto.INT64
    yield case("add_sizes", "Add", [2, 3], [2, 4], "3 and 4")
    yield case("add_types", "Add", [2], [2], "f32|i64|type", (floats, integers))
    yield case("add_of_bool", "Add", [2], [2], "bool", (TensorProto.BOOL, TensorProto.BOOL))
    yield case("matmul_sizes", "MatMul", [2, 3], [4, 5], "3.*4|4.*3")
    yield case("matmul_of_scalar", "MatMul", [], [4, 5], "rank|scalar")
    yield case("matmul_batches", "MatMul", [2, 3, 4], [5, 4, 3], "2.*5|5.*2")
    yield case("gemm_rank", "Gemm", [2, 3, 4], [4, 5], "rank")
    yield case("gemm_sizes", "Gemm", [2, 3], [4, 5], "3.*4|4.*3")
    yield case("concat_sizes", "Concat", [2, 3], [2, 4], "3.*4|4.*3|size", axis=0)
    yield case("concat_ranks", "Concat", [2, 3], [2], "rank", axis=0)
    yield case("concat_types", "Concat", [2, 3], [2, 3], "type|f32|i64", (floats, integers), axis=0)
    yield case("gather_by_floats", "Gather", [2, 3], [2], "type|f32|integer", (floats, floats))
    yield case("gather_elements_rank", "GatherElements", [2, 3], [2], "rank", (floats, integers))
    yield case("and_of_floats", "And", [2], [2], "bool|f32")
    yield case("where_of_two", "Where", [2], [2], "input number 2 is missing", (TensorProto.BOOL, floats))
    yield case("prelu_slope", "PRelu", [2, 3], [5], "3.*5|5.*3")
    yield case("layer_norm_scale", "LayerNormalization", [2, 3], [4], "3.*4|4.*3")
    yield case("mod_of_floats", "Mod", [2], [2], "f32|fmod|integer|float")
    yield case("pow_of_bool", "Pow", [2], [2], "bool", (TensorProto.BOOL, floats))
    yield case("batch_norm_of_two", "BatchNormalization", [2, 3], [3], "input number 2 is missing")


def branch(name: str, nodes: Sequence[NodeProto], outputs: Sequence[str]) -> GraphProto:
    return helper.make_graph(list(nodes), name, [], [value(output, None) for output in outputs])


def branches() -> Iterator[Case]:
    relu, absolute = named("Relu", "then", ["x"], ["t"]), named("Abs", "else", ["x"], ["e"])

    def case(name: str, said: str, fault: str = "", kind: int = TensorProto.BOOL, shape: Sequence[int] = (), **attributes: object) -> Case:
        content = model([helper.make_node("If", ["c"], ["y"], name="choice", **attributes)], [value("x", [2]), value("c", shape, kind)])
        feeds = {"x": np.ones(2, np.float32), "c": np.ones(shape, helper.tensor_dtype_to_np_dtype(kind))}
        return Case("branches", name, opened(content, feeds), said, fault=fault)

    then, otherwise = branch("t", [relu], ["t"]), branch("e", [absolute], ["e"])
    yield case("without_else", "If: it lacks a branch.*'choice'", then_branch=then)
    yield case("without_both", "If: .*branch.*'choice'")
    yield case("branch_is_a_number", "If: .*branch.*'choice'", then_branch=1, else_branch=otherwise)
    yield case("branch_without_outputs", "If: .*'choice'", then_branch=branch("t", [relu], []), else_branch=otherwise)
    yield case("branch_uses_itself", "'t' is not defined before it", then_branch=branch("t", [named("Relu", "r", ["t"], ["t"])], ["t"]),
               else_branch=otherwise)
    yield case("branch_uses_the_other", "'e' is not defined before it", then_branch=branch("t", [named("Relu", "r", ["e"], ["t"])], ["t"]),
               else_branch=otherwise)
    yield case("branch_output_nobody_makes", "'q' is produced by no node", then_branch=branch("t", [relu], ["q"]), else_branch=otherwise)
    yield case("types_differ", "If: .*'choice'",
               then_branch=branch("t", [helper.make_node("Cast", ["x"], ["t"], to=7)], ["t"]),
               else_branch=otherwise)
    yield case("counts_of_outputs_differ", "If: .*2 and 1 outputs.*'choice'", then_branch=branch("t", [relu], ["t", "t"]),
               else_branch=otherwise)
    yield case("condition_is_float", "If: .*bool.*'choice'", kind=TensorProto.FLOAT, then_branch=then, else_branch=otherwise)
    yield case("condition_of_two", "If: .*'choice'", shape=[2], then_branch=then, else_branch=otherwise)


def cases() -> Iterator[Case]:
    yield from order()
    yield from unknown()
    yield from misfits()
    yield from branches()
