// What a model file can do wrong, and how the user is told.
#include <filesystem>
#include <fstream>

#include "base/rng.h"
#include "model_builder.h"

namespace hone::import {
namespace {

namespace fs = std::filesystem;

void expect_told(const std::string& refusal, const std::string& text) {
  EXPECT_NE(refusal.find(text), std::string::npos) << refusal;
}

Model add_model() {
  Model model;
  model.input("x", {"n", "2"});
  model.constant(tensor("w", {2}, std::vector<float>{1, 2}));
  model.node("Add", {"x", "w"}, {"y"});
  model.output("y");
  return model;
}

TEST(Refusal, ListsEveryReasonOnceWithItsNodes) {
  Model model;
  model.input("x", {"n"});
  for (std::string to : {"a", "b", "c", "d"}) model.node("Unheard", {"x"}, {to});
  model.node("Relu", {"a"}, {"e"});
  model.node("Other", {"x"}, {"f"});
  model.output("e");
  EXPECT_EQ(model.refusal(),
            "the model (opset 18) cannot be imported; 2 reasons:\n"
            "- Unheard: this operator is not supported (4 nodes: 'Unheard_0', 'Unheard_1', 'Unheard_2', …)\n"
            "- Other: this operator is not supported (1 node: 'Other_5')");
}

TEST(Refusal, SizesThatALaterNodeContradicts) {
  Model model;
  model.input("x", {"m"});
  model.constant(tensor("pairs", {2}, std::vector<int64_t>{-1, 2}));
  model.constant(tensor("w", {5, 3}, std::vector<float>(15, 1)));
  model.node("Reshape", {"x", "pairs"}, {"y"});
  model.node("MatMul", {"x", "w"}, {"b"});
  model.output("y");
  model.output("b");
  expect_told(model.refusal(), "hold different numbers of elements");
}

TEST(Refusal, Opsets) {
  EXPECT_EQ(Model(28).refusal(), "the model is of opset 28; opsets 1 to 27 would work");
  Model model = add_model();
  model.model().clear_opset_import();
  EXPECT_EQ(model.refusal(), "the model names no opset of ONNX itself");
  model.proto().mutable_node(0)->set_domain("com.microsoft");
  expect_told(model.refusal(), "- com.microsoft.Add: this operator is not supported; operators of ONNX itself");
}

TEST(Refusal, OtherDomains) {
  Model model = add_model();
  model.proto().mutable_node(0)->set_domain("com.microsoft");
  expect_told(model.refusal(),
              "- com.microsoft.Add: this operator is not supported; operators of ONNX itself and functions of the "
              "model would work (1 node: 'Add_0')");
}

TEST(Refusal, UnsortedAndUndefinedNames) {
  Model model;
  model.input("x", {"n"});
  model.node("Relu", {"later"}, {"y"});
  model.node("Relu", {"x"}, {"later"});
  model.output("y");
  expect_told(model.refusal(),
              "- Relu: input 'later' is not defined before it; nodes must be sorted (1 node: 'Relu_0')");
}

TEST(Refusal, NamesDefinedTwice) {
  Model model = add_model();
  model.node("Relu", {"x"}, {"y"});
  expect_told(model.refusal(), "- Relu: 'y' is defined twice");
}

TEST(Refusal, OutputsThatNobodyMakes) {
  Model model = add_model();
  model.output("nothing");
  expect_told(model.refusal(), "'nothing' is produced by no node");
}

TEST(Refusal, MissingAndSuperfluousInputs) {
  Model few = add_model();
  few.proto().mutable_node(0)->mutable_input()->RemoveLast();
  expect_told(few.refusal(), "- Add: input number 1 is missing");
  Model many = add_model();
  many.proto().mutable_node(0)->add_input("x");
  expect_told(many.refusal(), "- Add: it has 3 inputs, the operator takes at most 2");
}

TEST(Refusal, DataThatDoesNotFitItsShape) {
  Model model = add_model();
  model.proto().mutable_initializer(0)->mutable_raw_data()->pop_back();
  expect_told(model.refusal(), "- initializer: has 7 bytes of data, its type f32 and shape need 8 (1 node: 'w')");
  Model negative = add_model();
  negative.proto().mutable_initializer(0)->set_dims(0, -2);
  expect_told(negative.refusal(), "has the negative dimension -2");
  Model huge = add_model();
  huge.proto().mutable_initializer(0)->set_dims(0, INT64_MAX);
  huge.proto().mutable_initializer(0)->add_dims(INT64_MAX);
  expect_told(huge.refusal(), "has more elements than memory can hold");
}

TEST(Refusal, ElementTypes) {
  Model model;
  model.input("x", {"n"}, onnx::TensorProto::STRING);
  EXPECT_EQ(
      model.refusal(),
      "input 'x' has the element type STRING; floats of 4 to 64 bits, integers of 2 to 64 bits and bool would work");
}

TEST(Refusal, InputsWithoutRank) {
  Model model = add_model();
  model.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  EXPECT_EQ(model.refusal(), "input 'x' has no shape; its rank must be known");
}

TEST(Refusal, WrongAttributes) {
  Model kind = add_model();
  set(kind.node("Softmax", {"y"}, {"z"}), "axis", std::string("last"));
  expect_told(kind.refusal(), "- Softmax: attribute 'axis' is not of kind INT");
  Model range = add_model();
  set(range.node("Softmax", {"y"}, {"z"}), "axis", int64_t{5});
  expect_told(range.refusal(), "- Softmax: axis 5 is outside a tensor of rank 2");
  Model large = add_model();
  set(large.node("Softmax", {"y"}, {"z"}), "axis", INT64_MAX);
  expect_told(large.refusal(), "which is out of bounds");
  // The largest number means "to the end" to Slice alone.
  Model list = add_model();
  set(list.node("Transpose", {"y"}, {"z"}), "perm", std::vector<int64_t>{0, INT64_MAX});
  expect_told(list.refusal(), "attribute 'perm' has the number 9223372036854775807, which is out of bounds");
}

TEST(Refusal, ShapesThatDoNotFit) {
  Model model = add_model();
  model.constant(tensor("v", {3}, std::vector<float>{1, 2, 3}));
  model.node("Mul", {"y", "v"}, {"z"});
  expect_told(model.refusal(), "- Mul: sizes 2 and 3 must be equal (1 node: 'Mul_1')");
}

// The zero point would make an image of it.
TEST(Refusal, AWindowOverAVector) {
  Model model;
  model.input("x", {"4"}, onnx::TensorProto::UINT8);
  model.input("w", {"2", "1", "3"}, onnx::TensorProto::UINT8);
  model.input("zero", {"1", "1", "1"}, onnx::TensorProto::UINT8);
  model.node("ConvInteger", {"x", "w", "zero"}, {"y"});
  expect_told(model.refusal(), "its input of rank 1 has no channels; rank 3 or more would work");
}

TEST(Refusal, DeepNesting) {
  Model model;
  model.input("flag", {}, onnx::TensorProto::BOOL);
  model.input("x", {"n"});
  onnx::GraphProto* graph = &model.proto();
  // Deeper than import allows, less deep than protobuf itself refuses.
  for (int depth = 0; depth < 30; ++depth) {
    Graph here(*graph);
    auto& node = here.node("If", {"flag"}, {"y" + std::to_string(depth)});
    here.output("y" + std::to_string(depth));
    Graph otherwise = branch(node, "else_branch");
    otherwise.node("Relu", {"x"}, {"e" + std::to_string(depth)});
    otherwise.output("e" + std::to_string(depth));
    graph = &branch(node, "then_branch").proto();
  }
  Graph(*graph).node("Relu", {"x"}, {"innermost"});
  Graph(*graph).output("innermost");
  std::string refusal = model.refusal();
  EXPECT_TRUE(refusal == "imported" || refusal.find("not an ONNX model") != std::string::npos) << refusal;
}

TEST(Refusal, BytesCutOffAnywhere) {
  std::string bytes = add_model().model().SerializeAsString();
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(import_model(std::as_bytes(std::span(bytes.data(), length))).ok()) << length;
}

TEST(Refusal, FilesThatAreNot) {
  auto absent = import_model(fs::path("no/such/model.onnx"));
  ASSERT_FALSE(absent.ok());
  expect_told(absent.problem().message, "'no/such/model.onnx' cannot be opened");
}

class External : public testing::Test {
 protected:
  External() : folder_(fs::temp_directory_path() / fmt::format("hone_external_{}", ::getpid())) {
    fs::create_directories(folder_ / "model");
    float data[] = {7, 1, 2};
    for (const char* name : {"model/inside.bin", "outside.bin"})
      std::ofstream(folder_ / name, std::ios::binary).write(reinterpret_cast<const char*>(data), sizeof data);
    fs::create_symlink(folder_ / "outside.bin", folder_ / "model" / "link.bin");
  }
  ~External() override { fs::remove_all(folder_); }

  Model at(const std::string& location, const std::string& offset) const {
    Model model = add_model();
    auto& weight = *model.proto().mutable_initializer(0);
    weight.clear_raw_data();
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    auto add = [&](const std::string& key, const std::string& value) {
      auto* entry = weight.add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    add("location", location);
    add("offset", offset);
    return model;
  }
  std::string told(const std::string& location, const std::string& offset) const {
    return at(location, offset).refusal(folder_ / "model");
  }
  fs::path folder_;
};

TEST_F(External, DataIsMapped) {
  auto program = at("inside.bin", "4").import(folder_ / "model");
  ASSERT_TRUE(program.ok()) << program.problem().message;
  const ir::Value& weight = program->values[static_cast<size_t>(program->ops[0].inputs[1])];
  float values[2];
  std::memcpy(values, weight.constant->data, sizeof values);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 2);
}

TEST_F(External, DataOutsideTheFolderIsNotRead) {
  expect_told(told("../outside.bin", "0"), "must be a relative path inside the model's folder");
  expect_told(told((folder_ / "outside.bin").string(), "0"), "must be a relative path inside the model's folder");
  expect_told(told("link.bin", "0"), "leads outside the model's folder");
  expect_told(told("absent.bin", "0"), "external data 'absent.bin' cannot be opened");
  expect_told(at("inside.bin", "0").refusal(), "needs the model's folder");
}

TEST_F(External, DataBeyondTheFileIsRefused) {
  expect_told(told("inside.bin", "8"), "has 12 bytes, bytes 8 to 16 are needed");
  expect_told(told("inside.bin", "18446744073709551615"), "has 12 bytes");
  expect_told(told("inside.bin", "-4"), "external data has offset '-4', which is not a non-negative number");
}

// Whatever bytes come, there is an answer.
TEST(Refusal, DamagedModelsNeverCrash) {
  Model model = add_model();
  model.numbers("to", {-1, 2});
  model.node("Reshape", {"y", "to"}, {"r"});
  model.node("Shape", {"r"}, {"shape"});
  model.numbers("axes", {0});
  model.node("Slice", {"shape", "axes", "to"}, {"part"});
  model.node("ConstantOfShape", {"part"}, {"z"});
  model.output("z");
  std::string bytes = model.model().SerializeAsString();
  Rng rng(1);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    for (int64_t k = rng.between(1, 4); k > 0; --k)
      damaged[static_cast<size_t>(rng.below(static_cast<int64_t>(damaged.size())))] = static_cast<char>(rng.below(256));
    EXPECT_NO_THROW((void)import_model(std::as_bytes(std::span(damaged.data(), damaged.size())))) << "round " << round;
  }
}

}  // namespace
}  // namespace hone::import
