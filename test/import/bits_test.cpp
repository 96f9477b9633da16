// Operators on bits, activations made of others, sums and products along an axis.
#include <cmath>
#include <limits>

#include "run_model.h"

namespace hone::import {
namespace {

using ir::DType;
using Numbers = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Model one(const std::string& type, const Dims& dims, int element = onnx::TensorProto::FLOAT) {
  Model model;
  model.input("x", dims, element);
  model.node(type, {"x"}, {"y"});
  model.output("y");
  return model;
}
onnx::NodeProto& node_of(Model& model) {
  return *model.proto().mutable_node(0);
}

TEST(Bits, LogicIsOfBoolsAndBitwiseOfIntegers) {
  expect_told(one("Not", {"n"}, onnx::TensorProto::INT32).refusal(), "Not: is not defined on i32 tensors");
  expect_told(one("BitwiseNot", {"n"}, onnx::TensorProto::BOOL).refusal(),
              "BitwiseNot: is not defined on bool tensors");
  EXPECT_EQ(values(one("BitwiseNot", {"2"}, onnx::TensorProto::INT32), {eval::filled(DType::I32, {2}, {0, -5})}),
            (Numbers{-1, 4}));
}

TEST(Bits, ShiftsNeedADirection) {
  Model model;
  model.input("x", {"n"}, onnx::TensorProto::UINT8);
  auto& node = model.node("BitShift", {"x", "x"}, {"y"});
  model.output("y");
  expect_told(model.refusal(), "BitShift: its direction '' is neither LEFT nor RIGHT");
  set(node, "direction", std::string("RIGHT"));
  EXPECT_EQ(kinds(model.imported()), "shift_right");
}

TEST(Bits, CastOfBitsKeepsTheWidth) {
  Model model = one("BitCast", {"2"});
  set(node_of(model), "to", int64_t{onnx::TensorProto::UINT32});
  EXPECT_EQ(values(model, {floats({2}, {1, -0.0})}), (Numbers{0x3f800000, 0x80000000}));
  Model wide = one("BitCast", {"2"});
  set(node_of(wide), "to", int64_t{onnx::TensorProto::INT64});
  expect_told(wide.refusal(), "BitCast: the bits of f32 are no 'i64'");
}

TEST(Bits, InfinitiesOfEitherSign) {
  const eval::Tensor x = floats({4}, {kInfinity, -kInfinity, 1, std::nan("")});
  EXPECT_EQ(values(one("IsInf", {"4"}), {x}), (Numbers{1, 1, 0, 0}));
  Model up = one("IsInf", {"4"});
  set(node_of(up), "detect_negative", int64_t{0});
  EXPECT_EQ(values(up, {x}), (Numbers{1, 0, 0, 0}));
  Model down = one("IsInf", {"4"});
  set(node_of(down), "detect_positive", int64_t{0});
  EXPECT_EQ(values(down, {x}), (Numbers{0, 1, 0, 0}));
  set(node_of(down), "detect_negative", int64_t{0});
  EXPECT_EQ(values(down, {x}), (Numbers{0, 0, 0, 0}));
}

TEST(Activations, MadeOfOtherOperators) {
  const eval::Tensor x = floats({5}, {-2, -0.5, 0, 0.5, 2});
  auto expect = [&](Model model, auto function) {
    const Numbers got = values(model, {x});
    for (int64_t i = 0; i < 5; ++i) EXPECT_NEAR(got[static_cast<size_t>(i)], function(eval::element(x, i)), 1e-6);
  };
  expect(one("Selu", {"5"}), [](double v) { return 1.0507010221 * (v > 0 ? v : 1.6732631922 * (std::exp(v) - 1)); });
  expect(one("Softsign", {"5"}), [](double v) { return v / (1 + std::abs(v)); });
  expect(one("ThresholdedRelu", {"5"}), [](double v) { return v > 1 ? v : 0; });
  expect(one("Shrink", {"5"}), [](double v) { return std::abs(v) > 0.5 ? v : 0; });
  Model celu = one("Celu", {"5"});
  set(node_of(celu), "alpha", 2.0F);
  expect(celu, [](double v) { return std::max(0.0, v) + std::min(0.0, 2 * (std::exp(v / 2) - 1)); });
  Model swish = one("Swish", {"5"});
  set(node_of(swish), "alpha", 3.0F);
  expect(swish, [](double v) { return v / (1 + std::exp(-3 * v)); });
}

TEST(Activations, ShrinkOfIntegersComparesWithFractions) {
  Model model = one("Shrink", {"5"}, onnx::TensorProto::INT32);
  set(node_of(model), "lambd", 1.5F);
  set(node_of(model), "bias", 1.5F);
  EXPECT_EQ(values(model, {eval::filled(DType::I32, {5}, {-2, -1, 0, 1, 3})}), (Numbers{0, 0, 0, 0, 1}));
}

TEST(Power, OfAnIntegerToAFraction) {
  Model model;
  model.input("x", {"4"}, onnx::TensorProto::INT32);
  model.input("e", {"4"});
  model.node("Pow", {"x", "e"}, {"y"});
  model.output("y");
  EXPECT_EQ(values(model, {eval::filled(DType::I32, {4}, {2, 4, 3, 9}), floats({4}, {0.5, 0.5, 2, 3})}),
            (Numbers{1, 2, 9, 729}));
}

Model cumulative(const std::string& type) {
  Model model;
  model.input("x", {"2", "3"});
  model.input("axis", {}, onnx::TensorProto::INT64);
  model.node(type, {"x", "axis"}, {"y"});
  model.output("y");
  return model;
}

TEST(Cumulative, AlongAnAxisThatIsData) {
  const eval::Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  auto along = [&](const std::string& type, double axis) {
    return values(cumulative(type), {x, eval::filled(DType::I64, {}, {axis})});
  };
  EXPECT_EQ(along("CumSum", 0), (Numbers{1, 2, 3, 5, 7, 9}));
  EXPECT_EQ(along("CumSum", -1), (Numbers{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(along("CumProd", -2), (Numbers{1, 2, 3, 4, 10, 18}));
  EXPECT_EQ(along("CumProd", 1), (Numbers{1, 2, 6, 4, 20, 120}));
}

TEST(Cumulative, ProductsBeginAtOne) {
  Model model;
  model.input("x", {"n", "3"}, onnx::TensorProto::INT32);
  model.number("axis", 1);
  set(model.node("CumProd", {"x", "axis"}, {"y"}), "exclusive", int64_t{1});
  model.output("y");
  EXPECT_EQ(values(model, {eval::filled(DType::I32, {1, 3}, {2, 3, 4})}), (Numbers{1, 2, 6}));
}

}  // namespace
}  // namespace hone::import
