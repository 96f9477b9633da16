// Forms of operators that differ between opsets, and those that become several ops.
#include "model_builder.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;

TEST(Operators, VariadicOnesBecomeChains) {
  Model model;
  model.input("a", {"n"});
  model.input("b", {"n"});
  model.input("c", {"n"});
  model.node("Sum", {"a", "b", "c"}, {"s"});
  model.node("Max", {"s"}, {"m"});
  model.output("m");
  EXPECT_EQ(kinds(model.imported()), "add add identity");
}

TEST(Operators, ClipTakesBoundsFromAttributesInputsAndData) {
  Model old(6 + 1);
  old.input("x", {"n"});
  set(old.node("Clip", {"x"}, {"y"}), "max", 6.0F);
  old.output("y");
  ir::Program program = old.imported();
  EXPECT_EQ(program.ops[0].number("max", 0), 6.0);
  EXPECT_EQ(program.ops[0].attributes.count("min"), 0);

  Model constant;
  constant.input("x", {"n"});
  constant.constant(tensor("low", {}, std::vector<float>{-1}));
  constant.node("Clip", {"x", "low"}, {"y"});
  constant.output("y");
  EXPECT_EQ(constant.imported().ops[0].number("min", 0), -1.0);

  Model data;
  data.input("x", {"n"});
  data.input("high", {});
  data.node("Clip", {"x", "", "high"}, {"y"});
  data.output("y");
  EXPECT_EQ(kinds(data.imported()), "min");
}

TEST(Operators, ReduceTakesAxesFromAttributeOrInput) {
  Model old(12);
  old.input("x", {"n", "3", "4"});
  auto& node = old.node("ReduceSum", {"x"}, {"y"});
  set(node, "axes", Ints{-1});
  set(node, "keepdims", int64_t{0});
  old.output("y");
  EXPECT_EQ(output_shape(old.imported()), "[n, 3]");

  Model fresh(18);
  fresh.input("x", {"n", "3", "4"});
  fresh.numbers("axes", {2, -2});
  fresh.node("ReduceMean", {"x", "axes"}, {"y"});
  fresh.output("y");
  ir::Program program = fresh.imported();
  EXPECT_EQ(program.ops[0].integers("axes"), (Ints{1, 2}));
  EXPECT_EQ(output_shape(program), "[n, 1, 1]");
}

TEST(Operators, GlobalAveragePoolIsAMean) {
  Model model;
  model.input("x", {"n", "3", "h", "w"});
  model.node("GlobalAveragePool", {"x"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "reduce_mean");
  EXPECT_EQ(output_shape(program), "[n, 3, 1, 1]");
}

TEST(Operators, SoftmaxOfOldOpsetsFlattens) {
  Model old(11);
  old.input("x", {"n", "3", "4"});
  old.node("Softmax", {"x"}, {"y"});
  old.output("y");
  EXPECT_EQ(kinds(old.imported()), "reshape softmax reshape");

  Model fresh(13);
  fresh.input("x", {"n", "3", "4"});
  set(fresh.node("Softmax", {"x"}, {"y"}), "axis", int64_t{1});
  fresh.output("y");
  EXPECT_EQ(kinds(fresh.imported()), "softmax");
}

TEST(Operators, SplitSlices) {
  Model model;
  model.input("x", {"n", "7"});
  model.numbers("parts", {3, 4});
  set(model.node("Split", {"x", "parts"}, {"a", "b"}), "axis", int64_t{1});
  model.output("a");
  model.output("b");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "slice slice");
  EXPECT_EQ(program.ops[1].integers("starts"), (Ints{0, 3}));
  EXPECT_EQ(output_shape(program, 1), "[n, 4]");
}

TEST(Operators, SplitOfASymbolicSizeTakesEqualParts) {
  Model model;
  model.input("x", {"n", "3"});
  model.node("Split", {"x"}, {"a", "b"});
  model.output("a");
  model.output("b");
  EXPECT_EQ(output_shape(model.imported(), 1), "[(n // 2), 3]");
}

TEST(Operators, GatherOfOneKnownIndexIsAView) {
  Model model;
  model.input("x", {"n", "7", "4"});
  model.number("at", -2);
  set(model.node("Gather", {"x", "at"}, {"y"}), "axis", int64_t{1});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "slice reshape");
  EXPECT_EQ(program.ops[0].integers("starts"), (Ints{0, 5, 0}));
}

TEST(Operators, ConstantsOfEveryAttributeForm) {
  Model model;
  model.input("x", {"2"});
  set(model.node("Constant", {}, {"a"}), "value_float", 2.0F);
  set(model.node("Constant", {}, {"b"}), "value_ints", Ints{0});
  model.node("Unsqueeze", {"x", "b"}, {"row"});
  model.node("Mul", {"row", "a"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "reshape mul");
  EXPECT_EQ(output_shape(program), "[1, 2]");
}

TEST(Operators, BidirectionalLstmIsTwo) {
  Model model;
  model.input("x", {"t", "b", "3"});
  model.constant(tensor("w", {2, 8, 3}, std::vector<float>(48, 0.1F)));
  model.constant(tensor("r", {2, 8, 2}, std::vector<float>(32, 0.1F)));
  auto& node = model.node("LSTM", {"x", "w", "r"}, {"y", "h"});
  set(node, "hidden_size", int64_t{2});
  set(node, "direction", std::string("bidirectional"));
  model.output("y");
  model.output("h");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "lstm lstm concat concat concat");
  EXPECT_EQ(output_shape(program), "[t, 2, b, 2]");
  EXPECT_EQ(output_shape(program, 1), "[2, b, 2]");
}

TEST(Operators, SamePaddingIsWorkedOut) {
  Model model;
  model.input("x", {"1", "1", "7", "s"});
  model.constant(tensor("w", {1, 1, 3, 3}, std::vector<float>(9, 1)));
  auto& node = model.node("Conv", {"x", "w"}, {"y"});
  set(node, "auto_pad", std::string("SAME_UPPER"));
  set(node, "strides", Ints{2, 1});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(program.ops[0].integers("pads"), (Ints{1, 1, 1, 1}));
  EXPECT_EQ(output_shape(program), "[1, 1, 4, s]");
}

TEST(Operators, UnusedOutputsThatAreNotSupportedDoNoHarm) {
  Model model;
  model.input("x", {"1", "1", "4", "4"});
  set(model.node("AveragePool", {"x"}, {"y", "counts"}), "kernel_shape", Ints{2, 2});
  model.output("y");
  EXPECT_EQ(kinds(model.imported()), "average_pool");
  model.node("Relu", {"counts"}, {"z"});
  EXPECT_NE(model.refusal().find("it uses 'counts': of that node, its output number 1 is not supported"),
            std::string::npos);
}

TEST(Operators, OutputsKeepTheirNames) {
  Model model;
  model.input("x", {"n"});
  model.node("Relu", {"x"}, {"r"});
  model.node("Identity", {"x"}, {"same"});
  model.output("same");
  model.output("r");
  ir::Program program = model.imported();
  EXPECT_EQ(program.values[static_cast<size_t>(program.outputs[0])].name, "same");
  EXPECT_EQ(program.values[static_cast<size_t>(program.outputs[1])].name, "r");
}

}  // namespace
}  // namespace hone::import
