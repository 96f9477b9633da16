#include "model_builder.h"

namespace hone::import {
namespace {

TEST(If, WithAConditionThatSizesDecideIsInlined) {
  Model model;
  model.input("x", {"n", "1"});
  model.node("Shape", {"x"}, {"shape"});
  model.number("one", 1);
  model.node("Gather", {"shape", "one"}, {"last"});
  model.node("Equal", {"last", "one"}, {"is_one"});
  auto& node = model.node("If", {"is_one"}, {"y"});
  Graph then = branch(node, "then_branch");
  then.numbers("axes", {1});
  then.node("Squeeze", {"x", "axes"}, {"dropped"});
  then.output("dropped");
  Graph otherwise = branch(node, "else_branch");
  otherwise.node("NoSuchOperator", {"x"}, {"kept"});
  otherwise.output("kept");
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "reshape");
  EXPECT_EQ(output_shape(program), "[n]");
}

// then: x + w, else: x * x
Model two_branches() {
  Model model;
  model.input("flag", {}, onnx::TensorProto::BOOL);
  model.input("x", {"n"});
  model.input("unused", {"n"});
  model.input("v", {"n"});
  model.constant(tensor("w", {1}, std::vector<float>{2}));
  model.node("Relu", {"v"}, {"rv"});
  auto& node = model.node("If", {"flag"}, {"y"});
  Graph then = branch(node, "then_branch");
  then.node("Add", {"x", "w"}, {"a"});
  then.output("a");
  Graph otherwise = branch(node, "else_branch");
  otherwise.node("Mul", {"x", "rv"}, {"b"});
  otherwise.output("b");
  model.output("y");
  return model;
}

TEST(If, TakesWhatItsBranchesCaptureAsInputs) {
  ir::Program program = two_branches().imported();
  ASSERT_EQ(kinds(program), "relu if");
  const ir::Op& op = program.ops[1];
  ASSERT_EQ(op.inputs.size(), 3);
  EXPECT_EQ(program.values[static_cast<size_t>(op.inputs[1])].name, "x");
  EXPECT_EQ(program.values[static_cast<size_t>(op.inputs[2])].name, "rv");
  for (const ir::Program& body : op.bodies) EXPECT_EQ(body.inputs.size(), 2);
  EXPECT_EQ(kinds(op.bodies[0]), "add");
  EXPECT_EQ(kinds(op.bodies[1]), "mul");
}

TEST(If, ConstantsAreNotCaptured) {
  ir::Program program = two_branches().imported();
  const ir::Program& then = program.ops[1].bodies[0];
  EXPECT_TRUE(then.values[static_cast<size_t>(then.ops[0].inputs[1])].constant.has_value());
}

TEST(If, SqueezeIfOneTakesTheBranchThatChecksIt) {
  Model model;
  model.input("x", {"n", "s"});
  model.node("Shape", {"x"}, {"shape"});
  model.number("one", 1);
  model.node("Gather", {"shape", "one"}, {"last"});
  model.node("Equal", {"last", "one"}, {"is_one"});
  auto& node = model.node("If", {"is_one"}, {"y"});
  Graph then = branch(node, "then_branch");
  then.numbers("axes", {1});
  then.node("Squeeze", {"x", "axes"}, {"dropped"});
  then.output("dropped");
  Graph otherwise = branch(node, "else_branch");
  otherwise.node("Identity", {"x"}, {"kept"});
  otherwise.output("kept");
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(kinds(program), "reshape");
  EXPECT_EQ(output_shape(program), "[n]");
}

TEST(If, BranchesOfDifferentTypesAreRefused) {
  Model model;
  model.input("flag", {}, onnx::TensorProto::BOOL);
  model.input("x", {"2"});
  auto& node = model.node("If", {"flag"}, {"y"});
  Graph then = branch(node, "then_branch");
  then.node("Relu", {"x"}, {"a"});
  then.output("a");
  Graph otherwise = branch(node, "else_branch");
  otherwise.numbers("axes", {0});
  otherwise.node("Unsqueeze", {"x", "axes"}, {"b"});
  otherwise.output("b");
  model.output("y");
  EXPECT_NE(model.refusal().find("its branches have results of different types (f32[2] and f32[1, 2])"),
            std::string::npos)
      << model.refusal();
}

TEST(If, RefusedNodesOfABranchAreToldByName) {
  Model model = two_branches();
  auto& node = *model.proto().mutable_node(1);
  node.mutable_attribute(0)->mutable_g()->mutable_node(0)->set_op_type("Unheard");
  EXPECT_NE(model.refusal().find("- Unheard: this operator is not supported (1 node: 'Add_0')"), std::string::npos)
      << model.refusal();
}

}  // namespace
}  // namespace hone::import
