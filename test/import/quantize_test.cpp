// Quantised operators, and tensors of the storage types.
#include <cmath>
#include <limits>

#include "run_model.h"

namespace hone::import {
namespace {

using ir::DType;
using Ints = std::vector<int64_t>;
using Numbers = std::vector<double>;

onnx::TensorProto bytes(const std::string& name, const Ints& dims, int type, const std::string& raw) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(static_cast<int32_t>(type));
  for (int64_t dim : dims) proto.add_dims(dim);
  proto.set_raw_data(raw);
  return proto;
}

TEST(StorageTensors, NarrowElementsLieSeveralToAByte) {
  Model model;
  model.constant(bytes("c", {3}, onnx::TensorProto::INT4, "\x8f\x07"));
  model.constant(bytes("d", {5}, onnx::TensorProto::UINT2, "\xe4\x02"));
  set(model.node("Cast", {"c"}, {"y"}), "to", int64_t{onnx::TensorProto::FLOAT});
  set(model.node("Cast", {"d"}, {"z"}), "to", int64_t{onnx::TensorProto::INT32});
  model.output("y");
  model.output("z");
  EXPECT_EQ(values(model, {}), (Numbers{-1, -8, 7}));
  EXPECT_EQ(values(model, {}, 1), (Numbers{0, 1, 2, 3, 2}));
  model.proto().mutable_initializer(0)->set_raw_data("\x8f");
  expect_told(model.refusal(), "has 1 bytes of data, its type i4 and shape need 2");
}

TEST(StorageTensors, AreMovedAsTheyAre) {
  Model model;
  model.input("x", {"2", "3"}, onnx::TensorProto::FLOAT8E4M3FN);
  model.node("Transpose", {"x"}, {"t"});
  set(model.node("Concat", {"t", "t"}, {"y"}), "axis", int64_t{0});
  model.output("y");
  eval::Tensor x = eval::filled(DType::F8E4M3FN, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values(model, {x}), (Numbers{1, 4, 2, 5, 3, 6, 1, 4, 2, 5, 3, 6}));
  model.node("Relu", {"y"}, {"z"});
  expect_told(model.refusal(), "Relu: is not defined on f8e4m3fn tensors");
  for (const char* type :
       {"Celu", "Swish", "Softsign", "ThresholdedRelu", "Selu", "Shrink", "Clip", "Softmax", "Abs"}) {
    model.proto().mutable_node(2)->set_op_type(type);
    expect_told(model.refusal(), std::string(type) + ": ");
  }
}

TEST(StorageTensors, CastsSaturateUnlessTold) {
  Model model;
  model.input("x", {"1"});
  auto& node = model.node("Cast", {"x"}, {"s"});
  set(node, "to", int64_t{onnx::TensorProto::FLOAT8E4M3FN});
  set(node, "saturate", int64_t{0});
  set(model.node("Cast", {"s"}, {"y"}), "to", int64_t{onnx::TensorProto::FLOAT});
  model.output("y");
  EXPECT_TRUE(std::isnan(values(model, {floats({1}, {1000})})[0]));
  node.mutable_attribute(1)->set_i(1);
  EXPECT_EQ(values(model, {floats({1}, {1000})}), (Numbers{448}));
}

struct Parameters {
  Dims shape;
  int zero_type;
};

Model quantize(const std::string& type, const Dims& x, int x_type, const Parameters& parameters) {
  Model model(23);
  model.input("x", x, x_type);
  model.input("scale", parameters.shape);
  model.input("zero", parameters.shape, parameters.zero_type);
  model.node(type, {"x", "scale", "zero"}, {"y"});
  model.output("y");
  return model;
}

TEST(Quantize, RoundsToEvenAndSaturates) {
  Model model = quantize("QuantizeLinear", {"6"}, onnx::TensorProto::FLOAT, {{}, onnx::TensorProto::INT8});
  const eval::Tensor x = floats({6}, {1, 3, -1, 1000, -1e12, 0});
  EXPECT_EQ(values(model, {x, floats({}, {2}), eval::filled(DType::I8, {}, {3})}), (Numbers{3, 5, 3, 127, -128, 3}));
}

TEST(Quantize, PerAxisAndPerBlock) {
  Model axis = quantize("QuantizeLinear", {"2", "2"}, onnx::TensorProto::FLOAT, {{"2"}, onnx::TensorProto::UINT8});
  set(*axis.proto().mutable_node(0), "axis", int64_t{0});
  EXPECT_EQ(values(axis, {floats({2, 2}, {1, 2, 3, 4}), floats({2}, {1, 2}), eval::filled(DType::U8, {2}, {0, 10})}),
            (Numbers{1, 2, 12, 12}));
  Model block =
      quantize("DequantizeLinear", {"1", "5"}, onnx::TensorProto::UINT8, {{"1", "3"}, onnx::TensorProto::UINT8});
  set(*block.proto().mutable_node(0), "block_size", int64_t{2});
  EXPECT_EQ(values(block, {eval::filled(DType::U8, {1, 5}, {1, 2, 3, 4, 5}), floats({1, 3}, {1, 10, 100}),
                           eval::filled(DType::U8, {1, 3}, {0, 1, 2})}),
            (Numbers{1, 2, 20, 30, 300}));
  Model wrong =
      quantize("DequantizeLinear", {"1", "5"}, onnx::TensorProto::UINT8, {{"1", "2"}, onnx::TensorProto::UINT8});
  set(*wrong.proto().mutable_node(0), "block_size", int64_t{2});
  expect_told(wrong.refusal(), "dimension 1 of a parameter per block has size 2, not 3");
}

TEST(Quantize, ToStorageTypes) {
  Model model(23);
  model.input("x", {"4"});
  model.constant(tensor("scale", {}, std::vector<float>{2}));
  set(model.node("QuantizeLinear", {"x", "scale"}, {"q"}), "output_dtype", int64_t{onnx::TensorProto::INT4});
  model.node("DequantizeLinear", {"q", "scale"}, {"y"});
  model.output("y");
  EXPECT_EQ(values(model, {floats({4}, {3, 100, -100, -5})}), (Numbers{4, 14, -16, -4}));
  model.proto().mutable_node(0)->mutable_attribute(0)->set_i(onnx::TensorProto::INT64);
  expect_told(model.refusal(), "QuantizeLinear: it cannot quantise to i64");
}

TEST(Quantize, DynamicallySpansZero) {
  Model model;
  model.input("x", {"n"});
  model.node("DynamicQuantizeLinear", {"x"}, {"y", "scale", "zero"});
  for (const char* name : {"y", "scale", "zero"}) model.output(name);
  auto results = run_model(model, {floats({3}, {-1, 0, 4.1})});
  EXPECT_EQ(eval::values_of(results[0]), (Numbers{0, 50, 255}));
  EXPECT_NEAR(eval::element(results[1], 0), 0.02, 1e-8);
  EXPECT_EQ(eval::values_of(results[2]), (Numbers{50}));
  EXPECT_EQ(values(model, {floats({2}, {0, 0})}, 1), (Numbers{static_cast<double>(1.0F / 255.0F)}));
}

TEST(Quantised, MatMulInteger) {
  Model model;
  model.input("a", {"2", "2"}, onnx::TensorProto::UINT8);
  model.input("b", {"2", "2"}, onnx::TensorProto::INT8);
  model.input("za", {"2"}, onnx::TensorProto::UINT8);
  model.input("zb", {"2"}, onnx::TensorProto::INT8);
  model.node("MatMulInteger", {"a", "b", "za", "zb"}, {"y"});
  model.output("y");
  // Rows of a less 1 and 2, columns of b less 0 and -1.
  EXPECT_EQ(values(model, {eval::filled(DType::U8, {2, 2}, {2, 3, 4, 5}), eval::filled(DType::I8, {2, 2}, {1, 2, 3, 4}),
                           eval::filled(DType::U8, {2}, {1, 2}), eval::filled(DType::I8, {2}, {0, -1})}),
            (Numbers{7, 13, 11, 21}));
}

TEST(Quantised, QLinearMatMulAndConv) {
  Model model(21);
  model.input("a", {"1", "2"}, onnx::TensorProto::UINT8);
  model.input("b", {"2", "1"}, onnx::TensorProto::UINT8);
  for (const char* name : {"sa", "sb", "sy"}) model.constant(tensor(name, {}, std::vector<float>{0.5F}));
  model.constant(bytes("z", {}, onnx::TensorProto::UINT8, "\x02"));
  model.node("QLinearMatMul", {"a", "sa", "z", "b", "sb", "z", "sy", "z"}, {"y"});
  model.output("y");
  // (10 - 2)(4 - 2) + (0 - 2)(3 - 2) = 14, times 0.5 · 0.5 / 0.5, plus 2
  EXPECT_EQ(values(model, {eval::filled(DType::U8, {1, 2}, {10, 0}), eval::filled(DType::U8, {2, 1}, {4, 3})}),
            (Numbers{9}));

  Model conv(21);
  conv.input("x", {"1", "1", "3"}, onnx::TensorProto::UINT8);
  conv.input("w", {"2", "1", "3"}, onnx::TensorProto::UINT8);
  conv.constant(tensor("one", {}, std::vector<float>{1}));
  conv.constant(tensor("each", {2}, std::vector<float>{1, 0.5F}));
  conv.constant(bytes("z", {}, onnx::TensorProto::UINT8, "\x01"));
  conv.constant(bytes("none", {2}, onnx::TensorProto::UINT8, std::string(2, '\0')));
  set(conv.node("QLinearConv", {"x", "one", "z", "w", "each", "none", "one", "z"}, {"y"}), "pads", Ints{1, 1});
  conv.output("y");
  // The border counts as zero: x less 1 is 0, 1, 2.
  EXPECT_EQ(values(conv, {eval::filled(DType::U8, {1, 1, 3}, {1, 2, 3}),
                          eval::filled(DType::U8, {2, 1, 3}, {1, 1, 1, 0, 4, 0})}),
            (Numbers{2, 4, 4, 1, 3, 5}));
  conv.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT32);
  expect_told(conv.refusal(), "QLinearConv: its input number 0 is i32, not i8 or u8");
}

}  // namespace
}  // namespace hone::import
