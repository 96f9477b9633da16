// Sizes: symbols, shape arithmetic and what import takes to be equal.
#include "model_builder.h"

namespace hone::import {
namespace {

TEST(Sizes, NamedDimensionsBecomeSymbolsOfTheirName) {
  Model model;
  model.input("x", {"batch.size", "3", "?", "d0"});
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[batch_size, 3, x_d2, d0_size]");
}

TEST(Sizes, OptionsFixThem) {
  Model model;
  model.input("x", {"n", "?"});
  model.node("Relu", {"x"}, {"y"});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported({{{"n", 4}, {"x_d1", 5}}, {}, {}})), "[4, 5]");
  auto wrong = model.import({}, {{{"m", 4}}, {}, {}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.problem().message, "the model has no size 'm'; its sizes are: n, x_d1");
}

TEST(Sizes, ShapeArithmeticLeavesNoOps) {
  Model model;
  model.input("x", {"n", "s", "24"});
  model.node("Shape", {"x"}, {"shape"});
  model.number("one", 1);
  model.numbers("axis", {0});
  model.numbers("rest", {3, -1});
  model.node("Gather", {"shape", "one"}, {"s"});
  model.node("Unsqueeze", {"s", "axis"}, {"s1"});
  model.node("Gather", {"shape", "axis"}, {"n1"});
  set(model.node("Concat", {"n1", "s1", "rest"}, {"target"}), "axis", int64_t{0});
  model.node("Reshape", {"x", "target"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "reshape");
  EXPECT_EQ(output_shape(program), "[n, s, 3, 8]");
}

TEST(Sizes, OpenDimensionOfAReshapeIsAnExactQuotient) {
  struct Case {
    Dims from;
    std::vector<int64_t> to;
    const char* result;
  };
  for (const Case& c :
       {Case{{"n", "48", "s"}, {0, 4, -1}, "[n, 4, 12*s]"}, Case{{"n", "6", "s"}, {-1, 2}, "[3*n*s, 2]"},
        Case{{"n", "3"}, {-1}, "[3*n]"}, Case{{"4", "6"}, {2, -1, 3}, "[2, 4, 3]"}}) {
    Model model;
    model.input("x", c.from);
    model.numbers("to", c.to);
    model.node("Reshape", {"x", "to"}, {"y"});
    model.output("y");
    EXPECT_EQ(output_shape(model.imported()), c.result);
  }
}

TEST(Sizes, SlicesClampTheirEnds) {
  struct Case {
    int64_t start, end, step;
    const char* result;
  };
  for (const Case& c :
       {Case{0, INT64_MAX, 1, "[n]"}, Case{0, 5, 1, "[min(5, n)]"}, Case{0, -1, 1, "[max(0, n - 1)]"},
        Case{0, INT32_MAX, 2, "[((n + 1) // 2)]"}, Case{-1, INT64_MIN, -1, "[n]"},
        Case{119, INT64_MIN, -1, "[min(120, n)]"}, Case{INT64_MIN, 1, 1, "[min(1, n)]"},
        Case{INT64_MAX, 0, -1, "[max(0, n - 1)]"}, Case{INT64_MAX, INT64_MIN, INT64_MIN, "[min(1, n)]"}}) {
    Model model;
    model.input("x", {"n"});
    model.numbers("start", {c.start});
    model.numbers("end", {c.end});
    model.numbers("axis", {0});
    model.numbers("step", {c.step});
    model.node("Slice", {"x", "start", "end", "axis", "step"}, {"y"});
    model.output("y");
    EXPECT_EQ(output_shape(model.imported()), c.result);
  }
}

TEST(Sizes, NothingOfAnOpenSizeIsNotWorkedOut) {
  Model model;
  model.input("x", {"n"});
  model.constant(tensor("none", {0}, std::vector<float>{}));
  model.numbers("zero", {0});
  model.node("Shape", {"x"}, {"size"});
  set(model.node("Concat", {"zero", "size"}, {"to"}), "axis", int64_t{0});
  set(model.node("Reshape", {"none", "to"}, {"y"}), "allowzero", int64_t{1});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program), "[0, n]");
  EXPECT_EQ(kinds(program), "reshape");
}

TEST(Sizes, TheLastElementsOfASymbolicSizeStayInside) {
  Model model;
  model.input("x", {"n"});
  model.numbers("start", {-5});
  model.numbers("end", {INT64_MAX});
  model.node("Slice", {"x", "start", "end"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program), "[min(5, n)]");
  EXPECT_EQ(kinds(program), "slice slice slice slice");
}

TEST(Sizes, AnIndexIntoASymbolicSizeIsChecked) {
  Model model;
  model.input("x", {"n", "3"});
  model.number("last", -1);
  model.node("Gather", {"x", "last"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "slice reshape");
  EXPECT_EQ(shape_text(program, program.ops[0].outputs[0]), "[min(1, n), 3]");
  EXPECT_EQ(output_shape(program), "[3]");
}

TEST(Sizes, SlicesToAnotherSizeAreClamped) {
  Model model;
  model.input("x", {"n", "7"});
  model.node("Shape", {"x"}, {"end"});
  model.numbers("start", {0, 2});
  model.node("Slice", {"x", "start", "end"}, {"y"});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[n, 5]");
}

TEST(Sizes, ThatMustBeEqualBecomeOne) {
  Model model;
  model.input("a", {"n", "3"});
  model.input("b", {"?", "3"});
  model.node("Concat", {"a", "b"}, {"y"});
  set(*model.proto().mutable_node(0), "axis", int64_t{1});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(input_shape(program, 1), "[n, 3]");
  EXPECT_EQ(output_shape(program), "[n, 6]");
}

TEST(Sizes, ThatAgreeForMultiplesBecomeMultiples) {
  Model model;
  model.input("x", {"1", "2", "h", "8"});
  set(model.node("MaxPool", {"x"}, {"half"}), "kernel_shape", std::vector<int64_t>{2, 2});
  set(*model.proto().mutable_node(0), "strides", std::vector<int64_t>{2, 2});
  model.constant(tensor("scales", {4}, std::vector<float>{1, 1, 2, 2}));
  model.node("Resize", {"half", "", "scales"}, {"whole"});
  model.node("Add", {"x", "whole"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(input_shape(program), "[1, 2, 2*h_by2, 8]");
  EXPECT_EQ(kinds(program), "max_pool resize add");
}

TEST(Sizes, ThatCannotBeMadeEqualAreCheckedByAReshape) {
  Model model;
  model.input("x", {"1", "2", "h", "8"});
  set(model.node("MaxPool", {"x"}, {"p"}), "kernel_shape", std::vector<int64_t>{3, 1});
  set(*model.proto().mutable_node(0), "strides", std::vector<int64_t>{3, 1});
  model.numbers("axes", {2});
  model.node("Squeeze", {"p", "axes"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "max_pool reshape");
  EXPECT_EQ(output_shape(program), "[1, 2, 8]");
}

TEST(Sizes, UsedAsDataAreCountedTo) {
  Model model;
  model.input("x", {"n", "3"});
  model.node("Shape", {"x"}, {"shape"});
  model.node("Identity", {"shape"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "fill reduce_sum concat");
  EXPECT_EQ(program.values[static_cast<size_t>(program.outputs[0])].name, "y");
}

TEST(Sizes, ThatDependOnDataAreRefused) {
  Model model;
  model.input("x", {"6"});
  model.input("to", {"2"}, onnx::TensorProto::INT64);
  model.node("Reshape", {"x", "to"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find(
                "Reshape: its target sizes ('to') depend on data; numbers and sizes of the inputs would work"),
            std::string::npos)
      << model.refusal();
}

}  // namespace
}  // namespace hone::import
