// Forms of operators that only opsets 1 to 6 have.
#include "run_model.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;
using Numbers = std::vector<double>;

TEST(OldOpsets, BroadcastFromAnAxisOn) {
  Model model(6);
  model.input("a", {"2", "2", "1"});
  model.input("b", {"2"});
  auto& node = model.node("Add", {"a", "b"}, {"y"});
  set(node, "broadcast", int64_t{1});
  set(node, "axis", int64_t{0});
  model.output("y");
  EXPECT_EQ(values(model, {floats({2, 2, 1}, {1, 2, 3, 4}), floats({2}, {10, 20})}), (Numbers{11, 12, 23, 24}));
  Model wide(6);
  wide.input("a", {"2"});
  wide.input("b", {"2", "2"});
  set(wide.node("Mul", {"a", "b"}, {"y"}), "axis", int64_t{0});
  wide.output("y");
  expect_told(wide.refusal(), "Mul: its second operand of rank 2 does not fit at axis 0 of rank 1");
}

TEST(OldOpsets, SizesAlignFromAnAxisOnToo) {
  Model model(6);
  model.input("x", {"3"});
  model.constant(tensor("a", {2, 2}, Ints{1, 2, 3, 4}));
  model.numbers("b", {10, 20});
  auto& node = model.node("Add", {"a", "b"}, {"sum"});
  set(node, "broadcast", int64_t{1});
  set(node, "axis", int64_t{0});
  model.output("sum");
  EXPECT_EQ(values(model, {floats({3}, {0, 0, 0})}), (Numbers{11, 12, 23, 24}));
}

TEST(OldOpsets, SlopesPerChannel) {
  Model model(6);
  model.input("x", {"1", "2", "2"});
  model.input("slope", {"2"});
  model.node("PRelu", {"x", "slope"}, {"y"});
  model.output("y");
  EXPECT_EQ(values(model, {floats({1, 2, 2}, {-1, 1, -1, 1}), floats({2}, {2, 3})}), (Numbers{-2, 1, -3, 1}));
}

TEST(OldOpsets, AttributesThatBecameInputs) {
  Model model(1);
  model.input("x", {"2", "3"});
  set(model.node("Reshape", {"x"}, {"r"}), "shape", Ints{0, -1, 1});
  auto& pad = model.node("Pad", {"r"}, {"p"});
  set(pad, "paddings", Ints{0, 1, 0, 0, 0, 0});
  set(model.node("Concat", {"p", "p"}, {"c"}), "axis", int64_t{2});
  model.node("Concat", {"c", "c"}, {"d"});  // the axis is 1 by default
  set(model.node("Cast", {"d"}, {"y"}), "to", std::string("INT32"));
  model.output("y");
  ir::Program program = model.imported();
  EXPECT_EQ(output_shape(program), "[2, 8, 2]");
  EXPECT_EQ(program.type(program.outputs[0]).dtype, ir::DType::I32);
}

TEST(OldOpsets, TileAlongOneAxis) {
  Model model(1);
  model.input("x", {"2", "1"});
  model.number("tiles", 3);
  model.number("axis", 1);
  model.node("Tile", {"x", "tiles", "axis"}, {"y"});
  model.output("y");
  EXPECT_EQ(values(model, {floats({2, 1}, {1, 2})}), (Numbers{1, 1, 1, 2, 2, 2}));
}

TEST(OldOpsets, UpsampleByTwoNumbers) {
  Model model(1);
  model.input("x", {"1", "1", "1", "2"});
  auto& node = model.node("Upsample", {"x"}, {"y"});
  set(node, "height_scale", 2.0F);
  set(node, "width_scale", 1.0F);
  model.output("y");
  EXPECT_EQ(values(model, {floats({1, 1, 1, 2}, {1, 2})}), (Numbers{1, 2, 1, 2}));
}

TEST(OldOpsets, TrainingIsRefused) {
  Model model(6);
  model.input("x", {"n"});
  model.node("Dropout", {"x"}, {"y"});
  model.output("y");
  expect_told(model.refusal(),
              "Dropout: without is_test it trains, which is not supported; inference would work (1 node: 'Dropout_0')");
  set(*model.proto().mutable_node(0), "is_test", int64_t{1});
  EXPECT_EQ(kinds(model.imported()), "identity");
}

TEST(OldOpsets, TheMaskOfDropoutIsOfTheTypeOfItsInput) {
  for (auto [opset, type] : {std::pair{9, ir::DType::F32}, {10, ir::DType::Bool}}) {
    Model model(opset);
    model.input("x", {"2"});
    model.node("Dropout", {"x"}, {"y", "mask"});
    model.output("mask");
    ir::Program program = model.imported();
    EXPECT_EQ(program.type(program.outputs[0]).dtype, type);
  }
}

TEST(OldOpsets, FilesWithoutAListAreOfTheFirst) {
  Model model(1);
  model.input("x", {"2"});
  set(model.node("Reshape", {"x"}, {"y"}), "shape", Ints{2, 1});
  model.output("y");
  model.model().clear_opset_import();
  model.model().set_ir_version(2);
  EXPECT_EQ(output_shape(model.imported()), "[2, 1]");
}

}  // namespace
}  // namespace hone::import
