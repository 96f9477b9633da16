#include "model_builder.h"

namespace hone::import {
namespace {

TEST(Sequences, AreListsOfTensors) {
  Model model;
  model.input("a", {"2"});
  model.input("b", {"3"});
  model.input("c", {"4"});
  model.number("one", 1);
  model.number("last", -1);
  model.node("SequenceConstruct", {"a", "b"}, {"s"});
  model.node("SequenceInsert", {"s", "c", "one"}, {"t"});  // a c b
  model.node("SequenceErase", {"t", "last"}, {"u"});       // a c
  set(model.node("ConcatFromSequence", {"u"}, {"y"}), "axis", int64_t{0});
  model.node("SequenceAt", {"t", "last"}, {"z"});
  model.node("SequenceLength", {"t"}, {"n"});
  for (const char* name : {"y", "z", "n"}) model.output(name);
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program, 0), "[6]");
  EXPECT_EQ(output_shape(program, 1), "[3]");
  EXPECT_EQ(output_shape(program, 2), "[]");
}

TEST(Sequences, SplitAndStackAgain) {
  Model model;
  model.input("x", {"4", "n"});
  auto& split = model.node("SplitToSequence", {"x"}, {"s"});
  set(split, "keepdims", int64_t{0});
  auto& stack = model.node("ConcatFromSequence", {"s"}, {"y"});
  set(stack, "axis", int64_t{1});
  set(stack, "new_axis", int64_t{1});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[n, 4]");
}

TEST(Sequences, MapTakesEachElement) {
  Model model;
  model.input("x", {"4", "n"});
  model.input("w", {"n"});
  model.node("SplitToSequence", {"x"}, {"s"});
  auto& map = model.node("SequenceMap", {"s", "w"}, {"t"});
  Graph body = branch(map, "body");
  body.proto().add_input()->set_name("e");
  body.proto().add_input()->set_name("v");
  body.node("Mul", {"e", "v"}, {"m"});
  body.output("m");
  set(model.node("ConcatFromSequence", {"t"}, {"y"}), "axis", int64_t{0});
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program), "[4, n]");
  EXPECT_EQ(kinds(program), "slice slice slice slice mul mul mul mul concat");
}

TEST(Sequences, AreCarriedByUnrolledLoops) {
  Model model;
  model.input("x", {"n"});
  model.number("rounds", 3);
  model.node("SequenceEmpty", {}, {"none"});
  auto& loop = model.node("Loop", {"rounds", "", "none"}, {"s"});
  Graph body = branch(loop, "body");
  for (const char* name : {"i", "go", "in"}) body.proto().add_input()->set_name(name);
  body.node("SequenceInsert", {"in", "x"}, {"out"});
  body.output("go");
  body.output("out");
  set(model.node("ConcatFromSequence", {"s"}, {"y"}), "axis", int64_t{0});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[3*n]");
}

TEST(Sequences, WhatCannotBeIsTold) {
  Model model;
  model.input("x", {"n"});
  model.node("SequenceConstruct", {"x"}, {"s"});
  model.node("Relu", {"s"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("- Relu: input number 0 is a sequence, not a tensor"), std::string::npos)
      << model.refusal();
  Model output;
  output.input("x", {"n"});
  output.node("SequenceConstruct", {"x"}, {"s"});
  output.output("s");
  EXPECT_NE(output.refusal().find("output 's' is a sequence; tensors would work"), std::string::npos)
      << output.refusal();
  Model data;
  data.input("x", {"n"});
  data.input("at", {}, onnx::TensorProto::INT64);
  data.node("SequenceConstruct", {"x", "x"}, {"s"});
  data.node("SequenceAt", {"s", "at"}, {"y"});
  data.output("y");
  EXPECT_NE(data.refusal().find("its positions ('at') depend on data"), std::string::npos) << data.refusal();
  Model far;
  far.input("x", {"n"});
  far.number("two", 2);
  far.node("SequenceConstruct", {"x", "x"}, {"s"});
  far.node("SequenceAt", {"s", "two"}, {"y"});
  far.output("y");
  EXPECT_NE(far.refusal().find("its position is outside a sequence of 2 elements"), std::string::npos) << far.refusal();
}

TEST(Optionals, AreWhatTheyHold) {
  Model model;
  model.input("x", {"n"});
  model.node("Optional", {"x"}, {"o"});
  model.node("OptionalHasElement", {"o"}, {"has"});
  auto& choice = model.node("If", {"has"}, {"y"});
  Graph then = branch(choice, "then_branch");
  then.node("OptionalGetElement", {"o"}, {"held"});
  then.output("held");
  Graph otherwise = branch(choice, "else_branch");
  otherwise.node("NoSuchOperator", {"x"}, {"other"});
  otherwise.output("other");
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[n]");
}

}  // namespace
}  // namespace hone::import
