#include "evaluated.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;

TEST(TopKNode, TakesKFromInputOrAttribute) {
  Model model;
  model.input("x", {"n", "4"});
  model.numbers("k", {2});
  set(model.node("TopK", {"x", "k"}, {"v", "i"}), "largest", int64_t{0});
  model.output("v");
  model.output("i");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "top_k");
  EXPECT_EQ(output_shape(program, 1), "[n, 2]");
  auto results = evaluated(model, {floats({1, 4}, {3, 1, 2, 1})});
  expect_values(results[0], {1, 2}, {1, 1});
  expect_values(results[1], {1, 2}, {1, 3});

  Model old(9);
  old.input("x", {"n", "4"});
  set(old.node("TopK", {"x"}, {"v", "i"}), "k", int64_t{3});
  old.output("v");
  EXPECT_EQ(output_shape(old.imported()), "[n, 3]");

  Model sized;
  sized.input("x", {"n", "4"});
  sized.input("like", {"m", "2"});
  sized.node("Shape", {"like"}, {"s"});
  sized.number("zero", 0);
  sized.node("Gather", {"s", "zero"}, {"k0"});
  sized.numbers("axes", {0});
  sized.node("Unsqueeze", {"k0", "axes"}, {"k"});
  sized.node("TopK", {"x", "k"}, {"v", "i"});
  sized.output("v");
  EXPECT_EQ(output_shape(sized.imported()), "[n, m]");

  Model data;
  data.input("x", {"n", "4"});
  data.input("k", {"1"}, onnx::TensorProto::INT64);
  data.node("TopK", {"x", "k"}, {"v", "i"});
  data.output("v");
  expect_told(data.refusal(), "its k ('k') depend on data");
}

TEST(ScatterNodes, AllForms) {
  for (const char* type : {"Scatter", "ScatterElements"}) {
    Model model(type == std::string("Scatter") ? 10 : 18);
    model.input("x", {"n", "3"});
    model.input("i", {"2", "m"}, onnx::TensorProto::INT64);
    model.input("u", {"2", "k"});
    model.node(type, {"x", "i", "u"}, {"y"});
    model.output("y");
    auto results =
        evaluated(model, {floats({2, 3}, {1, 2, 3, 4, 5, 6}), integers({2, 1}, {1, 0}), floats({2, 1}, {7, 8})});
    expect_values(results[0], {2, 3}, {8, 2, 3, 7, 5, 6});
  }
  Model tuples;
  tuples.input("x", {"n", "3"});
  tuples.numbers("i", {1});
  tuples.input("u", {"3"});
  set(tuples.node("ScatterND", {"x", "i", "u"}, {"y"}), "reduction", std::string("add"));
  tuples.output("y");
  auto results = evaluated(tuples, {floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({3}, {1, 1, 1})});
  expect_values(results[0], {2, 3}, {1, 2, 3, 5, 6, 7});

  Model wrong;
  wrong.input("x", {"4", "3"});
  wrong.input("i", {"2", "2"}, onnx::TensorProto::INT64);
  wrong.input("u", {"2", "1"});
  wrong.node("ScatterElements", {"x", "i", "u"}, {"y"});
  wrong.output("y");
  expect_told(wrong.refusal(), "sizes 2 and 1 must be equal");
}

TEST(GatherNodes, TuplesAndReversedSequences) {
  Model model;
  model.input("x", {"n", "3"});
  model.input("i", {"n", "1"}, onnx::TensorProto::INT64);
  set(model.node("GatherND", {"x", "i"}, {"y"}), "batch_dims", int64_t{1});
  model.output("y");
  expect_values(evaluated(model, {floats({2, 3}, {1, 2, 3, 4, 5, 6}), integers({2, 1}, {2, -3})})[0], {2}, {3, 4});

  Model reverse;
  reverse.input("x", {"t", "b"});
  reverse.input("l", {"b"}, onnx::TensorProto::INT64);
  reverse.node("ReverseSequence", {"x", "l"}, {"y"});
  reverse.output("y");
  auto results = evaluated(reverse, {floats({3, 2}, {1, 2, 3, 4, 5, 6}), integers({2}, {3, 2})});
  expect_values(results[0], {3, 2}, {5, 4, 3, 2, 1, 6});

  Model same;
  same.input("x", {"2", "2"});
  same.input("l", {"2"}, onnx::TensorProto::INT64);
  set(same.node("ReverseSequence", {"x", "l"}, {"y"}), "batch_axis", int64_t{0});
  same.output("y");
  expect_told(same.refusal(), "its batch_axis and time_axis are both 0");
}

TEST(DetNode, NeedsSquares) {
  Model model;
  model.input("x", {"n", "m", "2"});
  model.node("Det", {"x"}, {"y"});
  model.output("y");
  expect_values(evaluated(model, {floats({1, 2, 2}, {1, 2, 3, 4})})[0], {1}, {-2});
  Model wrong;
  wrong.input("x", {"3", "2"});
  wrong.node("Det", {"x"}, {"y"});
  wrong.output("y");
  expect_told(wrong.refusal(), "its matrices of 3 by 2 are not square");
}

TEST(PoolNodes, IndicesAndBack) {
  Model model;
  model.input("x", {"1", "c", "4"});
  auto& pool = model.node("MaxPool", {"x"}, {"y", "i"});
  set(pool, "kernel_shape", Ints{2});
  set(pool, "strides", Ints{2});
  auto& back = model.node("MaxUnpool", {"y", "i"}, {"z"});
  set(back, "kernel_shape", Ints{2});
  set(back, "strides", Ints{2});
  model.output("i");
  model.output("z");
  auto results = evaluated(model, {floats({1, 2, 4}, {1, 2, 4, 3, 5, 6, 7, 8})});
  expect_values(results[0], {1, 2, 2}, {1, 2, 5, 7});
  expect_values(results[1], {1, 2, 4}, {0, 2, 4, 0, 0, 6, 0, 8});
}

TEST(PoolNodes, UnpoolIntoALargerShape) {
  Model model;
  model.input("x", {"1", "1", "2"});
  model.input("i", {"1", "1", "2"}, onnx::TensorProto::INT64);
  model.numbers("shape", {1, 1, 5});
  auto& node = model.node("MaxUnpool", {"x", "i", "shape"}, {"y"});
  set(node, "kernel_shape", Ints{2});
  set(node, "strides", Ints{2});
  model.output("y");
  expect_values(evaluated(model, {floats({1, 1, 2}, {7, 8}), integers({1, 1, 2}, {1, 2})})[0], {1, 1, 5},
                {0, 7, 8, 0, 0});
}

TEST(PoolNodes, Col2Im) {
  Model model;
  model.input("x", {"n", "4", "m"});
  model.numbers("image", {3, 3});
  model.numbers("block", {2, 2});
  model.node("Col2Im", {"x", "image", "block"}, {"y"});
  model.output("y");
  std::vector<double> ones(16, 1);
  expect_values(evaluated(model, {floats({1, 4, 4}, ones)})[0], {1, 1, 3, 3}, {1, 2, 1, 2, 4, 2, 1, 2, 1});
  model.proto().mutable_initializer(1)->set_int64_data(0, 3);
  expect_told(model.refusal(), "its 4 rows do not divide into blocks of 6");
}

}  // namespace
}  // namespace hone::import
