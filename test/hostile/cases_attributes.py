"""Attributes of the wrong kind or out of range, and operands that act as attributes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from case import Case, constant, model, node, opened, value
from onnx import ModelProto, TensorProto

LARGEST = 2**63 - 1
X = np.ones((2, 3), np.float32)
IMAGE = np.ones((1, 2, 5, 5), np.float32)


def on_matrix(kind: str, opset: int = 17, **attributes: object) -> ModelProto:
    return model([node(kind, ["x"], **attributes)], [value("x", [2, 3])], opset=opset)


def on_image(kind: str, **attributes: object) -> ModelProto:
    return model([node(kind, ["x"], **attributes)], [value("x", [1, 2, 5, 5])])


def convolved(weights: Sequence[int] = (2, 2, 3, 3), kind: str = "Conv", **attributes: object) -> ModelProto:
    return model([node(kind, ["x", "w"], **attributes)], [value("x", [1, 2, 5, 5])],
                 [constant("w", np.ones(weights, np.float32))])


def with_operand(kind: str, operand: np.ndarray, **attributes: object) -> ModelProto:
    return model([node(kind, ["x", "a"], **attributes)], [value("x", [2, 3])], [constant("a", operand)])


def sliced(starts: object, ends: object, axes: object, steps: object) -> ModelProto:
    operands = [constant(name, np.array(numbers, np.int64)) for name, numbers in
                (("starts", starts), ("ends", ends), ("axes", axes), ("steps", steps))]
    return model([node("Slice", ["x", "starts", "ends", "axes", "steps"])], [value("x", [2, 3])], operands)


def at(kind: str, said: str) -> str:
    return rf"- {kind}: .*(?:{said}).*\(1 node: 'the_{kind}'\)"


def axes() -> Iterator[Case]:
    def case(name: str, content: ModelProto, said: str, fault: str = "") -> Case:
        return Case("axes", name, opened(content, {"x": X}), at(content.graph.node[0].op_type, said), fault=fault)

    outside = "axis {} is outside a tensor of rank 2"
    yield case("softmax_beyond", on_matrix("Softmax", axis=2), outside.format(2))
    yield case("softmax_before", on_matrix("Softmax", axis=-3), outside.format(-3))
    yield case("softmax_largest", on_matrix("Softmax", axis=LARGEST), "attribute 'axis' has the number 9223372036854775807")
    yield case("softmax_is_text", on_matrix("Softmax", axis="last"), "attribute 'axis' is not of kind INT")
    yield case("softmax_is_list", on_matrix("Softmax", axis=[0, 1]), "attribute 'axis' is not of kind INT")
    yield case("softmax_is_real", on_matrix("Softmax", axis=1.0), "attribute 'axis' is not of kind INT")
    yield case("concat_missing", on_matrix("Concat"), "axis")
    yield case("concat_beyond", on_matrix("Concat", axis=7), outside.format(7))
    yield case("flatten_beyond", on_matrix("Flatten", axis=4), "axis 4")
    yield case("transpose_repeats", on_matrix("Transpose", perm=[0, 0]), r"perm|permut")
    yield case("transpose_beyond", on_matrix("Transpose", perm=[0, 2]), r"perm|axis|permut")
    yield case("transpose_short", on_matrix("Transpose", perm=[0]), r"perm|permut")
    yield case("transpose_negative", on_matrix("Transpose", perm=[0, -1]), r"perm|axis|permut")
    yield case("transpose_huge", on_matrix("Transpose", perm=[0, 2**40]), "out of bounds")
    yield case("reduce_beyond", on_matrix("ReduceMean", axes=[2]), outside.format(2))
    yield case("reduce_twice", on_matrix("ReduceMean", axes=[1, -1]), "axis|axes")
    yield case("reduce_operand_beyond", with_operand("ReduceSum", np.array([9])), outside.format(9))
    yield case("reduce_operand_is_real", with_operand("ReduceSum", np.array([0.5], np.float32)), "axes")
    yield case("squeeze_not_one", with_operand("Squeeze", np.array([1])), "3|size")
    yield case("squeeze_beyond", with_operand("Squeeze", np.array([5])), outside.format(5))
    yield case("unsqueeze_twice", with_operand("Unsqueeze", np.array([0, 0])), "ax[ei]s")
    yield case("unsqueeze_beyond", with_operand("Unsqueeze", np.array([9])), "axis 9")
    yield case("unsqueeze_without_axes", model([node("Unsqueeze", ["x"])], [value("x", [2, 3])]), "axes|input number 1")
    yield case("gather_axis_beyond", with_operand("Gather", np.array([0]), axis=3), outside.format(3))
    yield case("cumsum_axis_beyond", with_operand("CumSum", np.array(2)), outside.format(2))
    yield case("cumsum_two_axes", with_operand("CumSum", np.array([0, 1])), "its axis must be one number")
    yield case("split_into_wrong_sizes", model([node("Split", ["x", "a"], ["y", "z"], axis=1)], [value("x", [2, 3])],
                                               [constant("a", [1, 1])], ["y", "z"]), "2|3|sum")
    yield case("split_into_negative", model([node("Split", ["x", "a"], ["y", "z"], axis=1)], [value("x", [2, 3])],
                                            [constant("a", [-1, 4])], ["y", "z"]), "-1|negative")
    yield case("split_wraps", model([node("Split", ["x", "a"], ["y", "z"], axis=1)], [value("x", [2, 3])],
                                    [constant("a", [LARGEST, -LARGEST + 3])], ["y", "z"]), ".")
    yield case("slice_step_zero", sliced([0], [2], [0], [0]), "step 0")
    yield case("slice_axis_beyond", sliced([0], [2], [4], [1]), outside.format(4))
    yield case("slice_axis_twice", sliced([0, 0], [1, 2], [1, 1], [1, 1]), "ax[ei]s")
    yield case("slice_counts_differ", sliced([0], [1, 2], [0, 1], [1, 1]), ".")
    yield case("slice_without_ends", model([node("Slice", ["x", "a"])], [value("x", [2, 3])], [constant("a", [0])]),
               "its ends are missing")
    yield case("tile_repeats_of_rank_2", with_operand("Tile", np.ones((2, 2), np.int64)), ".")
    yield case("reshape_target_is_real", with_operand("Reshape", np.array([6.0], np.float32)), ".")
    yield case("expand_target_of_rank_2", with_operand("Expand", np.ones((1, 2), np.int64)), "rank|list|1-D")


def windows() -> Iterator[Case]:
    def case(name: str, content: ModelProto, said: str, fault: str = "") -> Case:
        return Case("windows", name, opened(content, {"x": IMAGE}), at(content.graph.node[0].op_type, said), fault=fault)

    yield case("conv_stride_zero", convolved(strides=[0, 1]), "stride")
    yield case("conv_stride_negative", convolved(strides=[-1, 1]), "stride")
    yield case("conv_stride_huge", convolved(strides=[2**40, 1]), "attribute 'strides' has the number 1099511627776")
    yield case("conv_strides_short", convolved(strides=[1]), "stride")
    yield case("conv_dilation_zero", convolved(dilations=[0, 1]), "dilation")
    yield case("conv_dilation_huge", convolved(dilations=[2**30, 1]), ".")
    yield case("conv_group_zero", convolved(group=0), "group")
    yield case("conv_group_negative", convolved(group=-1), "group")
    yield case("conv_group_does_not_divide", convolved(group=3), "channels of input and weight differ: 2 and 6")
    yield case("conv_pads_negative", convolved(pads=[-9, 0, 0, 0]), "pad")
    yield case("conv_pads_huge", convolved(pads=[2**30, 2**30, 2**30, 2**30]), ".")
    yield case("conv_pads_smallest", convolved(pads=[-(2**63), 0, 0, 0]), "pad")
    yield case("conv_pads_short", convolved(pads=[1, 1]), "pad")
    yield case("conv_kernel_larger_than_image", convolved((2, 2, 9, 9)), "window|kernel|larger|size")
    yield case("conv_kernel_shape_lies", convolved(kernel_shape=[5, 5]), "kernel_shape|kernel")
    yield case("conv_channels_differ", convolved((2, 7, 3, 3)), "2.*7|7.*2|channel")
    yield case("conv_weights_of_rank_2", convolved((2, 2)), "rank")
    yield case("conv_weights_empty", convolved((2, 2, 0, 3)), "0|empty|kernel")
    yield case("conv_unknown_auto_pad", convolved(auto_pad="GUESS"), "auto_pad|GUESS")
    yield case("pool_without_kernel", on_image("MaxPool"), "kernel_shape")
    yield case("pool_kernel_zero", on_image("MaxPool", kernel_shape=[0, 2]), "kernel")
    yield case("pool_kernel_negative", on_image("AveragePool", kernel_shape=[-1, 2]), "kernel")
    yield case("pool_kernel_larger", on_image("MaxPool", kernel_shape=[7, 7]), "window|kernel|larger|size")
    huge = on_image("AveragePool", kernel_shape=[2**30, 1], pads=[2**30 - 9, 0, 2**30 - 9, 0])
    yield Case("windows", "pool_kernel_huge_in_huge_pads", opened(huge, {"x": IMAGE}),
               "out of memory: tensors would take 42949672480 bytes")
    yield case("pool_stride_zero", on_image("AveragePool", kernel_shape=[2, 2], strides=[0, 0]), "stride")
    yield case("pool_of_matrix", on_matrix("MaxPool", kernel_shape=[2]), "rank")
    yield case("transposed_output_padding_huge", convolved(kind="ConvTranspose", output_padding=[2**30, 2**30], strides=[2, 2]), ".")
    yield case("transposed_output_shape_negative", convolved(kind="ConvTranspose", output_shape=[-5, 2]), ".")
    yield case("transposed_group_zero", convolved(kind="ConvTranspose", group=0), "group")
    yield case("block_zero", on_image("SpaceToDepth", blocksize=0), "block")
    yield case("block_negative", on_image("DepthToSpace", blocksize=-2), "block")
    yield case("block_does_not_divide", on_image("SpaceToDepth", blocksize=3), "block|5|divi")
    yield case("block_largest", on_image("DepthToSpace", blocksize=2**31 - 2), "block|divi|2")
    yield case("block_missing", on_image("DepthToSpace"), "block")


def kinds() -> Iterator[Case]:
    def case(name: str, content: ModelProto, said: str, feeds: dict[str, np.ndarray] | None = None) -> Case:
        kind = content.graph.node[0].op_type
        return Case("kinds", name, opened(content, feeds or {"x": X}), at(kind, said))

    def empty_bounds() -> ModelProto:
        return model([node("Range", ["a", "a", "a"])], [value("x", [2, 3])], [constant("a", [])])

    def real_bounds() -> ModelProto:
        return model([node("Range", ["a", "a", "a"])], [value("x", [2, 3])], [constant("a", [], np.float32)])

    def held(tensor: TensorProto) -> ModelProto:
        return model([node("Constant", [], value=tensor)], [value("x", [2, 3])])

    unknown = TensorProto(data_type=99, dims=[1], raw_data=b"1234")
    yield case("cast_to_nothing", on_matrix("Cast", to=0), "type")
    yield case("cast_to_unknown_type", on_matrix("Cast", to=99), "type")
    yield case("cast_to_text", on_matrix("Cast", to=TensorProto.STRING), "STRING")
    yield case("cast_without_type", on_matrix("Cast"), "to|type")
    yield case("cast_to_is_text", on_matrix("Cast", to="float"), "attribute 'to' is not of kind INT")
    yield case("constant_of_unknown_type", held(unknown), "type")
    yield case("constant_without_data", held(TensorProto(data_type=1, dims=[5])), "has 0 bytes of data")
    yield case("constant_in_parts", held(TensorProto(data_type=1, dims=[0], segment=TensorProto.Segment(begin=0, end=5))), "segments")
    yield case("constant_of_nothing", model([node("Constant", [])], [value("x", [2, 3])]), ".")
    yield case("constant_twice", model([node("Constant", [], value_int=1, value_float=2.0)], [value("x", [2, 3])]), ".")
    yield case("range_of_nothing", empty_bounds(), ".")
    yield case("range_of_nothing_real", real_bounds(), ".")
    yield case("fill_value_of_two", model([node("ConstantOfShape", ["a"], value=constant("", [1, 2]))], [value("x", [2, 3])],
                                          [constant("a", [2])]), "its value must have one element")
    yield case("pad_unknown_mode", with_operand("Pad", np.array([1, 1, 1, 1]), mode="mirror"), "mode|mirror")
    yield case("gelu_unknown_kind", on_matrix("Gelu", opset=20, approximate="fast"), "approximate|fast")
    yield case("clip_bounds_of_two", model([node("Clip", ["x", "a"])], [value("x", [2, 3])], [constant("a", [1, 2], np.float32)]), ".")
    yield case("refers_to_function_attribute", refers_to_function(), "attribute 'axis' is not of kind INT|axis")


def refers_to_function() -> ModelProto:
    content = on_matrix("Softmax", axis=1)
    attribute = content.graph.node[0].attribute[0]
    attribute.ClearField("i")
    attribute.ClearField("type")
    attribute.ref_attr_name = "outer"
    return content


def cases() -> Iterator[Case]:
    yield from axes()
    yield from windows()
    yield from kinds()
