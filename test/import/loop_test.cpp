#include "eval/interpreter.h"
#include "model_builder.h"

namespace hone::import {
namespace {

void add_input(Graph& graph, const std::string& name) {
  graph.proto().add_input()->set_name(name);
}

// y = y + w, cond = cond, and y as a slice
void add_body(onnx::NodeProto& node, bool stacks) {
  Graph body = branch(node, "body");
  for (const char* name : {"i", "go", "y_in"}) add_input(body, name);
  body.node("Add", {"y_in", "w"}, {"y_out"});
  body.node("Identity", {"go"}, {"go_out"});
  body.output("go_out");
  body.output("y_out");
  if (!stacks) return;
  body.node("Mul", {"y_out", "y_out"}, {"slice"});
  body.output("slice");
}

Model counted(int64_t rounds, bool stacks) {
  Model model;
  model.input("y", {"n"});
  model.input("w", {"n"});
  model.number("rounds", rounds);
  std::vector<std::string> outputs{"last"};
  if (stacks) outputs.push_back("all");
  add_body(model.node("Loop", {"rounds", "", "y"}, outputs), stacks);
  for (const std::string& name : outputs) model.output(name);
  return model;
}

TEST(Loop, AFewRoundsAreUnrolled) {
  ir::Program program = counted(2, true).imported();
  EXPECT_EQ(kinds(program), "add mul reshape add mul reshape concat");
  EXPECT_EQ(output_shape(program, 1), "[2, n]");
}

TEST(Loop, ManyRoundsStayALoop) {
  ir::Program program = counted(100, true).imported();
  ASSERT_EQ(kinds(program), "loop");
  EXPECT_EQ(output_shape(program, 0), "[n]");
  EXPECT_EQ(output_shape(program, 1), "[100, n]");
  auto results =
      eval::evaluate(program, {eval::filled(ir::DType::F32, {2}, {1, 2}), eval::filled(ir::DType::F32, {2}, {1, 0})});
  ASSERT_TRUE(results.ok()) << results.problem().message;
  EXPECT_EQ(eval::values_of((*results)[0]), (std::vector<double>{101, 2}));
  EXPECT_EQ(eval::element((*results)[1], 198), 101 * 101);
}

TEST(Loop, RoundsMayDependOnSizesAndData) {
  for (bool of_size : {true, false}) {
    Model model;
    model.input("y", {"n"});
    model.input("w", {"n"});
    if (of_size)
      model.node("Size", {"y"}, {"rounds"});
    else
      model.input("rounds", {}, onnx::TensorProto::INT64);
    add_body(model.node("Loop", {"rounds", "", "y"}, {"last", "all"}), true);
    model.output("last");
    model.output("all");
    if (of_size)
      EXPECT_EQ(output_shape(model.imported(), 1), "[n, n]");
    else
      EXPECT_NE(model.refusal().find("the length of its stacked results depends on data"), std::string::npos)
          << model.refusal();
  }
}

// Until the sum exceeds 10.
TEST(Loop, EndsWhenItsConditionSaysSo) {
  Model model;
  model.input("y", {});
  auto& node = model.node("Loop", {"", "", "y"}, {"last"});
  Graph body = branch(node, "body");
  for (const char* name : {"i", "go", "y_in"}) add_input(body, name);
  body.constant(tensor("ten", {}, std::vector<float>{10}));
  body.node("Add", {"y_in", "y_in"}, {"y_out"});
  body.node("Less", {"y_out", "ten"}, {"go_out"});
  body.output("go_out");
  body.output("y_out");
  model.output("last");
  ir::Program program = model.imported();
  ASSERT_EQ(kinds(program), "loop");
  auto results = eval::evaluate(program, {eval::filled(ir::DType::F32, {}, {3})});
  ASSERT_TRUE(results.ok()) << results.problem().message;
  EXPECT_EQ(eval::element((*results)[0], 0), 12);
}

TEST(Loop, WhatGrowsIsRefusedUnlessUnrolled) {
  for (int64_t rounds : {3, 1000}) {
    Model model;
    model.input("y", {"n"});
    model.number("rounds", rounds);
    auto& node = model.node("Loop", {"rounds", "", "y"}, {"last"});
    Graph body = branch(node, "body");
    for (const char* name : {"i", "go", "y_in"}) add_input(body, name);
    set(body.node("Concat", {"y_in", "y"}, {"y_out"}), "axis", int64_t{0});
    body.output("go");
    body.output("y_out");
    model.output("last");
    if (rounds == 3)
      EXPECT_EQ(output_shape(model.imported()), "[4*n]");
    else
      EXPECT_NE(model.refusal().find("carried value 'y_in' is f32[n] before a round and f32[2*n] after it"),
                std::string::npos)
          << model.refusal();
  }
}

Model scanning(int opset) {
  Model model(opset);
  bool batched = opset < 9;
  model.input("s", batched ? Dims{"2", "3"} : Dims{"3"});
  model.input("x", batched ? Dims{"2", "t", "3"} : Dims{"t", "3"});
  auto& node = model.node("Scan", batched ? std::vector<std::string>{"", "s", "x"} : std::vector<std::string>{"s", "x"},
                          {"last", "all"});
  set(node, "num_scan_inputs", int64_t{1});
  Graph body = branch(node, "body");
  for (const char* name : {"sum", "next"}) add_input(body, name);
  body.node("Add", {"sum", "next"}, {"sum_out"});
  body.node("Identity", {"sum_out"}, {"slice"});
  body.output("sum_out");
  body.output("slice");
  model.output("last");
  model.output("all");
  return model;
}

TEST(Scan, SumsAsCumSumDoes) {
  ir::Program program = scanning(9).imported();
  ASSERT_EQ(kinds(program), "scan");
  EXPECT_EQ(output_shape(program, 1), "[t, 3]");
  auto results = eval::evaluate(program, {eval::filled(ir::DType::F32, {3}, {1, 1, 1}),
                                          eval::filled(ir::DType::F32, {2, 3}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(results.ok()) << results.problem().message;
  EXPECT_EQ(eval::values_of((*results)[1]), (std::vector<double>{2, 3, 4, 6, 8, 10}));
}

TEST(Scan, TheFormOfOpset8HasABatch) {
  ir::Program program = scanning(8).imported();
  EXPECT_EQ(output_shape(program, 0), "[2, 3]");
  EXPECT_EQ(output_shape(program, 1), "[2, t, 3]");
}

TEST(Scan, AStateKeepsItsType) {
  Model model = scanning(9);
  auto& body = *model.proto().mutable_node(0)->mutable_attribute(1)->mutable_g();
  body.mutable_node(0)->set_op_type("Less");
  EXPECT_NE(model.refusal().find("state 0 is f32[3] before a round and bool[3] after it"), std::string::npos)
      << model.refusal();
}

}  // namespace
}  // namespace hone::import
