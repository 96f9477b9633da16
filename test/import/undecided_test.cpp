// Inputs whose values decide what a model computes.
#include "import/model_builder.h"

namespace hone::import {
namespace {

Result<Imported> import_or_ask(const Model& model, const ImportOptions& options = {}) {
  std::string bytes = const_cast<Model&>(model).model().SerializeAsString();
  return import_or_ask(std::as_bytes(std::span(bytes.data(), bytes.size())), {}, options);
}

Undecided undecided(const Model& model) {
  auto imported = import_or_ask(model);
  EXPECT_TRUE(imported.ok()) << imported.problem().message;
  return std::get<Undecided>(*imported);
}

eval::Tensor integers(const std::vector<double>& values) {
  return eval::filled(ir::DType::I64, {static_cast<int64_t>(values.size())}, values);
}

Model reduction() {
  Model model;
  model.input("x", {"n", "3"});
  model.input("axes", {"1"}, onnx::TensorProto::INT64);
  model.node("ReduceSum", {"x", "axes"}, {"y"});
  set_shape(*model.proto().add_output(), "y", {"n", "1"}, onnx::TensorProto::FLOAT);
  return model;
}

TEST(Undecided, NamesTheInputs) {
  Undecided found = undecided(reduction());
  EXPECT_EQ(found.inputs, std::vector<std::string>{"axes"});
  ASSERT_EQ(found.face.inputs.size(), 2u);
  ASSERT_EQ(found.face.outputs.size(), 1u);
  EXPECT_EQ(found.face.values[static_cast<size_t>(found.face.outputs[0])].name, "y");
}

TEST(Undecided, AGivenValueDecides) {
  ImportOptions options;
  options.values["axes"] = integers({-1});
  ir::Program program = reduction().imported(options);
  ASSERT_EQ(program.outputs.size(), 1u);
  EXPECT_EQ(program.inputs.size(), 2u) << "it stays an input";
  const ir::Shape& shape = program.type(program.outputs[0]).shape;
  EXPECT_EQ(shape[0].text(), "n");
  EXPECT_TRUE(shape[1].is(1));
  EXPECT_TRUE(std::holds_alternative<Decided>(*import_or_ask(reduction(), options)));
}

Model squeeze() {
  Model model;
  model.input("x", {"n", "4"});
  model.input("z", {"?", "4"});
  model.node("Add", {"x", "z"}, {"sum"});
  model.node("Squeeze", {"sum"}, {"y"});
  set_shape(*model.proto().add_output(), "y", {"?"}, onnx::TensorProto::FLOAT);
  return model;
}

TEST(Undecided, NamesTheSizesThatMayBeOne) {
  Undecided found = undecided(squeeze());
  EXPECT_TRUE(found.inputs.empty());
  ASSERT_EQ(found.sizes.size(), 2u) << "n, and what was made equal to it";
  EXPECT_EQ(found.sizes[0].symbol, "n");
  EXPECT_EQ(found.sizes[0].input, "x");
  EXPECT_EQ(found.sizes[0].axis, 0u);
}

TEST(Undecided, ASizeThatIsOneOrIsNotDecides) {
  ImportOptions one, other;
  one.sizes["n"] = 1;
  one.sizes["z_d0"] = 1;
  other.not_one = {"n"};
  ir::Program program = squeeze().imported(one);
  EXPECT_EQ(program.type(program.outputs[0]).shape.size(), 1u);
  program = squeeze().imported(other);
  ASSERT_EQ(program.type(program.outputs[0]).shape.size(), 2u);
  EXPECT_EQ(program.type(program.outputs[0]).shape[0].text(), "n");
}

std::string broadcast_sizes(Model& model) {
  auto imported = import_or_ask(model);
  EXPECT_TRUE(imported.ok()) << imported.problem().message;
  std::string text;
  for (const OpenSize& size : std::get<Decided>(*imported).broadcast)
    text += fmt::format("{}={}.{} ", size.symbol, size.input, size.axis);
  return text;
}

TEST(Decided, NamesTheSizesThatBroadcast) {
  Model model;
  model.input("x", {"batch", "n", "4"});
  model.input("z", {"batch", "m", "k"});
  model.node("Add", {"x", "z"}, {"y"});
  model.output("y");
  EXPECT_EQ(broadcast_sizes(model), "k=z.2 m=z.1 n=x.1 ") << "not those that are equal anyway";
}

TEST(Decided, SizesThatMustBeEqualDoNotBroadcast) {
  Model model;
  model.input("x", {"n", "4"});
  model.input("z", {"m", "4"});
  set(model.node("Concat", {"x", "z"}, {"y"}), "axis", int64_t{1});
  model.output("y");
  EXPECT_EQ(broadcast_sizes(model), "");
}

TEST(Undecided, ValuesComputedFromInputsCount) {
  Model model;
  model.input("x", {"4", "6"});
  model.input("rows", {"1"}, onnx::TensorProto::INT64);
  model.numbers("rest", {-1});
  set(model.node("Concat", {"rows", "rest"}, {"target"}), "axis", int64_t{0});
  model.node("Reshape", {"x", "target"}, {"y"});
  set_shape(*model.proto().add_output(), "y", {"?", "?"}, onnx::TensorProto::FLOAT);
  EXPECT_EQ(undecided(model).inputs, std::vector<std::string>{"rows"});
  ImportOptions options;
  options.values["rows"] = integers({8});
  ir::Program program = model.imported(options);
  EXPECT_TRUE(program.type(program.outputs[0]).shape[1].is(3));
}

TEST(Undecided, DataDoNotDecide) {
  Model model;
  model.input("x", {"4096"});
  model.input("y", {"4", "6"});
  auto& cast = model.node("Cast", {"x"}, {"whole"});
  set(cast, "to", int64_t{onnx::TensorProto::INT64});
  model.node("Reshape", {"y", "whole"}, {"z"});
  model.output("z");
  auto found = import_or_ask(model);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.problem().message.find("depend on data"), std::string::npos) << found.problem().message;
}

TEST(Undecided, OtherReasonsWin) {
  Model model = reduction();
  model.node("NoSuchOperator", {"x"}, {"z"});
  auto found = import_or_ask(model);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.problem().message.find("NoSuchOperator: this operator is not supported"), std::string::npos);
}

TEST(Undecided, AValueMustFitItsInput) {
  ImportOptions options;
  options.values["axes"] = integers({0, 1});
  auto program = reduction().import({}, options);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.problem().message, "dimension 0 of input 'axes' is 1; the value given has 2");
  options.values["axes"] = eval::filled(ir::DType::F32, {1}, {0});
  EXPECT_EQ(reduction().import({}, options).problem().message,
            "input 'axes' is i64 of rank 1; the value given is f32 of rank 1");
}

}  // namespace
}  // namespace hone::import
