// ArgMax, ArgMin, Hardmax and the reductions that are more than one op.
#include <cmath>
#include <limits>

#include "evaluated.h"

namespace hone::import {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

TEST(Extremum, FirstOrLastOfEqualOnes) {
  for (int64_t last : {0, 1}) {
    Model model;
    model.input("x", {"n", "4"});
    auto& node = model.node("ArgMax", {"x"}, {"y"});
    set(node, "axis", int64_t{-1});
    set(node, "select_last_index", last);
    set(node, "keepdims", int64_t{0});
    model.output("y");
    auto results = evaluated(model, {floats({3, 4}, {1, 5, 5, 0, 2, 2, 2, 2, -3, -1, -7, -9})});
    EXPECT_EQ(results[0].dtype, ir::DType::I64);
    expect_values(results[0], {3}, last ? std::vector<double>{2, 3, 1} : std::vector<double>{1, 0, 1});
  }
}

TEST(Extremum, NanIsMoreExtremeThanAnyNumber) {
  Model model;
  model.input("x", {"2", "3"});
  model.node("ArgMin", {"x"}, {"y"});
  model.output("y");
  expect_values(evaluated(model, {floats({2, 3}, {1, -kInfinity, 3, kNan, kNan, 3})})[0], {1, 3}, {1, 1, 0});
}

TEST(Extremum, OfIntegers) {
  Model model;
  model.input("x", {"n"}, onnx::TensorProto::INT8);
  model.node("ArgMin", {"x"}, {"y"});
  model.output("y");
  expect_values(evaluated(model, {eval::filled(ir::DType::I8, {4}, {3, -128, 127, -128})})[0], {1}, {1});
}

TEST(Extremum, NoElementsAreRefused) {
  Model model;
  model.constant(tensor("x", {0, 2}, std::vector<float>{}));
  model.node("ArgMax", {"x"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("ArgMax: dimension 0 has no elements"), std::string::npos) << model.refusal();
}

TEST(Hardmax, MarksTheFirstOfTheLargest) {
  Model fresh(13);
  fresh.input("x", {"2", "3", "2"});
  set(fresh.node("Hardmax", {"x"}, {"y"}), "axis", int64_t{1});
  fresh.output("y");
  eval::Tensor x = floats({2, 3, 2}, {1, 9, 3, 9, 3, 0, 5, 1, 0, 2, 0, 2});
  expect_values(evaluated(fresh, {x})[0], {2, 3, 2}, {0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0});

  Model old(12);
  old.input("x", {"2", "3", "2"});
  old.node("Hardmax", {"x"}, {"y"});
  old.output("y");
  expect_values(evaluated(old, {x})[0], {2, 3, 2}, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
}

TEST(LogSumExp, NeitherOverflowsNorLosesInfinities) {
  Model model;
  model.input("x", {"n", "2"});
  model.numbers("axes", {-1});
  set(model.node("ReduceLogSumExp", {"x", "axes"}, {"y"}), "keepdims", int64_t{0});
  model.output("y");
  auto results =
      evaluated(model, {floats({5, 2}, {1000, 1000, -1000, -1000, -kInfinity, -kInfinity, kInfinity, 1, 0, 1})});
  expect_values(results[0], {5},
                {1000 + std::log(2), -1000 + std::log(2), -kInfinity, kInfinity, std::log(1 + std::exp(1))}, 1e-4);
}

TEST(LogSumExp, OfNothingIsMinusInfinity) {
  Model model;
  model.input("x", {"n", "m"});
  model.numbers("axes", {1});
  model.node("ReduceLogSumExp", {"x", "axes"}, {"y"});
  model.output("y");
  expect_values(evaluated(model, {floats({2, 0}, {})})[0], {2, 1}, {-kInfinity, -kInfinity});
}

TEST(LogSumExp, IntegersAreRefused) {
  Model model;
  model.input("x", {"n"}, onnx::TensorProto::INT32);
  model.node("ReduceLogSumExp", {"x"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("is not defined on i32 tensors; floating-point ones would work"), std::string::npos);
}

TEST(Reductions, WithoutAxesEachElementIsReducedAlone) {
  struct Case {
    const char* op;
    std::vector<double> expected;
  };
  for (const Case& c : {Case{"ReduceSum", {-2, 4}}, Case{"ReduceL1", {2, 4}}, Case{"ReduceL2", {2, 4}},
                        Case{"ReduceSumSquare", {4, 16}}, Case{"ReduceMax", {-2, 4}},
                        Case{"ReduceLogSum", {kNan, std::log(4)}}, Case{"ReduceLogSumExp", {-2, 4}}}) {
    Model model;
    model.input("x", {"2"});
    set(model.node(c.op, {"x"}, {"y"}), "noop_with_empty_axes", int64_t{1});
    model.output("y");
    expect_values(evaluated(model, {floats({2}, {-2, 4})})[0], {2}, c.expected, 1e-6);
  }
}

}  // namespace
}  // namespace hone::import
