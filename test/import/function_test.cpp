#include "model_builder.h"

namespace hone::import {
namespace {

onnx::FunctionProto& add_function(Model& model, const std::string& name, const std::vector<std::string>& inputs,
                                  const std::string& output) {
  onnx::FunctionProto& function = *model.model().add_functions();
  function.set_name(name);
  function.set_domain("local");
  for (const std::string& input : inputs) function.add_input(input);
  function.add_output(output);
  function.add_opset_import()->set_version(12);
  return function;
}

onnx::NodeProto& add_node(onnx::FunctionProto& function, const std::string& type,
                          const std::vector<std::string>& inputs, const std::string& output) {
  onnx::NodeProto& node = *function.add_node();
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

onnx::NodeProto& call(Model& model, const std::string& name, const std::vector<std::string>& inputs,
                      const std::string& output) {
  onnx::NodeProto& node = model.node(name, inputs, {output});
  node.set_domain("local");
  return node;
}

TEST(Functions, AreReadInPlaceOfTheirCalls) {
  Model model(18);
  onnx::FunctionProto& function = add_function(model, "Sum", {"a", "b"}, "out");
  function.add_attribute("axes");
  function.add_attribute("keep");
  auto& reduce = add_node(function, "ReduceSum", {"a"}, "s");  // axes are an attribute in the function's opset
  for (const char* name : {"axes", "keep"}) {
    auto& attribute = *reduce.add_attribute();
    attribute.set_name(name == std::string("keep") ? "keepdims" : name);
    attribute.set_ref_attr_name(name);
    attribute.set_type(name == std::string("keep") ? onnx::AttributeProto::INT : onnx::AttributeProto::INTS);
  }
  add_node(function, "Clip", {"s", "b"}, "out");
  model.input("x", {"n", "3"});
  auto& node = call(model, "Sum", {"x"}, "y");
  set(node, "axes", std::vector<int64_t>{1});
  set(node, "keep", int64_t{0});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program), "[n]");
  EXPECT_EQ(program.ops[0].kind, ir::OpKind::ReduceSum);
}

TEST(Functions, SeeOnlyTheirInputs) {
  Model model;
  add_node(add_function(model, "F", {"a"}, "out"), "Add", {"a", "x"}, "out");
  model.input("x", {"n"});
  call(model, "F", {"x"}, "y");
  model.output("y");
  EXPECT_NE(model.refusal().find("input 'x' is not defined before it"), std::string::npos) << model.refusal();
}

TEST(Functions, ThatCallThemselvesAreRefused) {
  Model model;
  auto& node = add_node(add_function(model, "F", {"a"}, "out"), "F", {"a"}, "out");
  node.set_domain("local");
  model.input("x", {"n"});
  call(model, "F", {"x"}, "y");
  model.output("y");
  EXPECT_NE(model.refusal().find("- local.F: the function calls itself"), std::string::npos) << model.refusal();
}

TEST(Contributed, OperatorsOfOptimisedModels) {
  Model model;
  model.input("x", {"n", "4"});
  model.input("skip", {"n", "4"});
  model.input("gamma", {"4"});
  auto add = [&](const std::string& type, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs) -> onnx::NodeProto& {
    auto& node = model.node(type, inputs, outputs);
    node.set_domain("com.microsoft");
    return node;
  };
  add("SkipLayerNormalization", {"x", "skip", "gamma"}, {"a", "", "", "sum"});
  add("FastGelu", {"a", "gamma"}, {"b"});
  set(add("FusedMatMul", {"b", "sum"}, {"c"}), "transB", int64_t{1});
  add("QuickGelu", {"c"}, {"y"});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program), "[n, n]");
  EXPECT_EQ(kinds(program), "add layer_normalization add gelu transpose matmul mul sigmoid mul");
}

}  // namespace
}  // namespace hone::import
