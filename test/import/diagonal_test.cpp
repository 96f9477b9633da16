// Operators that compare positions: Trilu, EyeLike, OneHot; and CenterCropPad.
#include "evaluated.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;

TEST(Trilu, TakesItsDiagonalFromData) {
  for (int64_t upper : {0, 1})
    for (int k : {-4, -1, 0, 2, 5}) {
      Model model;
      model.input("x", {"b", "3", "n"});
      model.input("k", {}, onnx::TensorProto::INT64);
      set(model.node("Trilu", {"x", "k"}, {"y"}), "upper", upper);
      model.output("y");
      std::vector<double> values(24), expected(24);
      for (int i = 0; i < 24; ++i) {
        int row = i / 4 % 3, column = i % 4;
        values[static_cast<size_t>(i)] = i + 1;
        bool kept = upper ? column - row >= k : column - row <= k;
        expected[static_cast<size_t>(i)] = kept ? i + 1 : 0;
      }
      auto results = evaluated(model, {floats({2, 3, 4}, values), integers({}, {static_cast<double>(k)})});
      expect_values(results[0], {2, 3, 4}, expected);
    }
}

TEST(Trilu, KeepsTheTypeAndTakesNothing) {
  Model model;
  model.input("x", {"n", "n"}, onnx::TensorProto::BOOL);
  model.node("Trilu", {"x"}, {"y"});
  model.output("y");
  auto two = evaluated(model, {eval::filled(ir::DType::Bool, {2, 2}, {1, 1, 1, 1})});
  EXPECT_EQ(two[0].dtype, ir::DType::Bool);
  expect_values(two[0], {2, 2}, {1, 1, 0, 1});
  expect_values(evaluated(model, {eval::filled(ir::DType::Bool, {0, 0}, {})})[0], {0, 0}, {});
}

TEST(Trilu, NeedsAMatrix) {
  Model model;
  model.input("x", {"n"});
  model.node("Trilu", {"x"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("its input has rank 1; at least 2 is needed"), std::string::npos);
}

TEST(EyeLike, FillsOneDiagonalInTheTypeAskedFor) {
  Model model;
  model.input("x", {"2", "m"}, onnx::TensorProto::INT32);
  auto& node = model.node("EyeLike", {"x"}, {"y"});
  set(node, "k", int64_t{1});
  set(node, "dtype", int64_t{onnx::TensorProto::DOUBLE});
  model.output("y");
  auto results = evaluated(model, {eval::filled(ir::DType::I32, {2, 3}, {0, 0, 0, 0, 0, 0})});
  EXPECT_EQ(results[0].dtype, ir::DType::F64);
  expect_values(results[0], {2, 3}, {0, 1, 0, 0, 0, 1});
}

TEST(OneHot, CountsFromTheEndAndLeavesOutWhatIsOutside) {
  Model model;
  model.input("x", {"n"}, onnx::TensorProto::INT64);
  model.input("values", {"2"});
  model.number("depth", 3);
  model.node("OneHot", {"x", "depth", "values"}, {"y"});
  set(model.node("OneHot", {"x", "depth", "values"}, {"z"}), "axis", int64_t{0});
  model.output("y");
  model.output("z");
  auto results = evaluated(model, {integers({4}, {1, -1, 3, -4}), floats({2}, {5, 7})});
  expect_values(results[0], {4, 3}, {5, 7, 5, 5, 5, 7, 5, 5, 5, 5, 5, 5});
  expect_values(results[1], {3, 4}, {5, 5, 5, 5, 7, 5, 5, 5, 5, 7, 5, 5});
}

TEST(OneHot, DepthMayBeASizeButNotData) {
  Model size;
  size.input("x", {"n"}, onnx::TensorProto::INT64);
  size.constant(tensor("values", {2}, std::vector<float>{0, 1}));
  size.node("Shape", {"x"}, {"depth"});
  size.node("OneHot", {"x", "depth", "values"}, {"y"});
  size.output("y");
  expect_values(evaluated(size, {integers({2}, {-1, 0})})[0], {2, 2}, {0, 1, 1, 0});

  Model data;
  data.input("x", {"n"}, onnx::TensorProto::INT64);
  data.input("depth", {}, onnx::TensorProto::INT64);
  data.constant(tensor("values", {2}, std::vector<float>{0, 1}));
  data.node("OneHot", {"x", "depth", "values"}, {"y"});
  data.output("y");
  EXPECT_NE(data.refusal().find("its depth depends on data; a number or a size of the inputs would work"),
            std::string::npos);
}

TEST(CenterCropPad, CropsOneAxisAndPadsAnother) {
  Model model;
  model.input("x", {"2", "3"});
  model.numbers("shape", {5, 2});
  model.node("CenterCropPad", {"x", "shape"}, {"y"});
  model.output("y");
  expect_values(evaluated(model, {floats({2, 3}, {1, 2, 3, 4, 5, 6})})[0], {5, 2}, {0, 0, 1, 2, 4, 5, 0, 0, 0, 0});
}

TEST(CenterCropPad, DecidesAtRunTimeWhichOfTheTwo) {
  Model model;
  model.input("x", {"n", "1"});
  model.numbers("shape", {5});
  set(model.node("CenterCropPad", {"x", "shape"}, {"y"}), "axes", Ints{-2});
  model.output("y");
  expect_values(evaluated(model, {floats({2, 1}, {1, 2})})[0], {5, 1}, {0, 1, 2, 0, 0});
  expect_values(evaluated(model, {floats({8, 1}, {1, 2, 3, 4, 5, 6, 7, 8})})[0], {5, 1}, {2, 3, 4, 5, 6});
}

}  // namespace
}  // namespace hone::import
