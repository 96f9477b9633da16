#include "ir/program/program.h"

#include <gtest/gtest.h>

#include "ir/program/meaning.h"

namespace hone::ir {
namespace {

// A program of one op on inputs of the given types.
Program program_of(OpKind kind, std::vector<TensorType> inputs, std::map<std::string, Attribute> attributes = {}) {
  Program program;
  program.name = "test";
  for (size_t k = 0; k < inputs.size(); ++k)
    program.inputs.push_back(program.add_value({fmt::format("x{}", k), inputs[k], {}, {}}));
  program.outputs = {program.add_value({"y", {}, {}, {}})};
  program.ops = {{kind, "op", program.inputs, program.outputs, std::move(attributes), {}}};
  return program;
}

Result<Shape> shape_of(const Program& program) {
  HONE_TRY(std::vector<TensorType> types, infer_types(program, program.ops[0]));
  return types[0].shape;
}

std::vector<std::string> texts(const Result<Shape>& shape) {
  EXPECT_TRUE(shape.ok()) << shape.problem().message;
  std::vector<std::string> result;
  for (const Index& size : *shape) result.push_back(size.text());
  return result;
}

using Texts = std::vector<std::string>;
using Ints = std::vector<int64_t>;
const Index N = Index::symbol("N"), H = Index::symbol("H");

TensorType f32(Shape shape) {
  return {DType::F32, std::move(shape)};
}

TEST(InferTypes, SizesStaySymbols) {
  EXPECT_EQ(texts(shape_of(program_of(OpKind::MatMul, {f32({N, 8, H}), f32({H, 3})}))), (Texts{"N", "8", "3"}));
  EXPECT_EQ(texts(shape_of(program_of(OpKind::Add, {f32({N, 1, H}), f32({4, 1})}))), (Texts{"N", "4", "H"}));
  EXPECT_EQ(
      texts(shape_of(program_of(OpKind::ReduceSum, {f32({N, H})}, {{"axes", Ints{0}}, {"keepdims", int64_t{0}}}))),
      (Texts{"H"}));
  EXPECT_EQ(
      texts(shape_of(program_of(OpKind::Concat, {f32({N, 2}), f32({H, 2}), f32({3, 2})}, {{"axis", int64_t{0}}}))),
      (Texts{"H + N + 3", "2"}));
  EXPECT_EQ(texts(shape_of(program_of(OpKind::Pad, {f32({N})}, {{"pads", Ints{1, 2}}}))), (Texts{"N + 3"}));
}

TEST(InferTypes, ConvolutionsOfSymbolicImages) {
  auto conv = [](Ints strides, Ints pads) {
    return program_of(OpKind::Conv, {f32({N, 3, H, H}), f32({8, 3, 3, 3})}, {{"strides", strides}, {"pads", pads}});
  };
  EXPECT_EQ(texts(shape_of(conv({1, 1}, {1, 1, 1, 1}))), (Texts{"N", "8", "H", "H"}));
  EXPECT_EQ(texts(shape_of(conv({1, 1}, {0, 0, 0, 0}))), (Texts{"N", "8", "H - 2", "H - 2"}));
  auto strided = shape_of(conv({2, 2}, {1, 1, 1, 1}));
  ASSERT_TRUE(strided.ok());
  for (int64_t size : {1, 2, 7, 224})
    EXPECT_EQ((*strided)[2].evaluate([&](const std::string&) { return size; }), (size + 2 - 3) / 2 + 1);
}

TEST(InferTypes, RefusalsNameTheNodeAndTheSizes) {
  auto message = [](const Program& program) {
    auto types = infer_types(program, program.ops[0]);
    EXPECT_FALSE(types.ok());
    return types.ok() ? "" : types.problem().message;
  };
  EXPECT_EQ(message(program_of(OpKind::MatMul, {f32({2, 3}), f32({4, 5})})),
            "matmul node 'op': the sizes to contract differ: 3 and 4");
  EXPECT_EQ(message(program_of(OpKind::Add, {f32({2})})), "add node 'op': has 1 inputs, takes 2 to 2");
  EXPECT_EQ(message(program_of(OpKind::Exp, {{DType::I64, {2}}})), "exp node 'op': is not defined on i64 tensors");
  EXPECT_EQ(message(program_of(OpKind::Cast, {f32({2})}, {{"to", std::string("f8")}})),
            "cast node 'op': cannot cast to 'f8'");
  EXPECT_EQ(message(program_of(OpKind::Softmax, {f32({2})}, {{"axis", int64_t{1}}})),
            "softmax node 'op': axis 1 is outside a tensor of rank 1");
}

TEST(Validate, AcceptsWhatInferenceGives) {
  Program program = program_of(OpKind::Relu, {f32({N, 3})});
  program.values.back().type = f32({N, 3});
  EXPECT_TRUE(validate(program).ok());
}

TEST(Validate, FindsWhatIsWrong) {
  auto message = [](const Program& program) {
    auto status = validate(program);
    EXPECT_FALSE(status.ok());
    return status.ok() ? "" : status.problem().message;
  };
  Program good = program_of(OpKind::Relu, {f32({N, 3})});
  good.values.back().type = f32({N, 3});

  Program wrong_type = good;
  wrong_type.values.back().type = f32({3, N});
  EXPECT_EQ(message(wrong_type), "relu node 'op': result 'y' is written as f32[3, N], is f32[N, 3]");

  Program too_early = good;
  too_early.inputs.clear();
  EXPECT_EQ(message(too_early), "relu node 'op': reads 'x0' before it is computed");

  Program twice = good;
  twice.ops.push_back(twice.ops[0]);
  EXPECT_NE(message(twice).find("defines value 'y' again"), std::string::npos);

  Program nothing = good;
  nothing.ops.clear();
  EXPECT_NE(message(nothing).find("'y' is never computed"), std::string::npos);

  Program short_constant = good;
  short_constant.add_value({"c", f32({4}), ConstantData{nullptr, 8, nullptr}, {}});
  EXPECT_EQ(message(short_constant), "constant 'c' holds 8 bytes, its type takes 16");
}

TEST(Program, AttributesHaveDefaults) {
  Op op;
  op.attributes = {{"alpha", 0.5}, {"axis", int64_t{2}}, {"mode", std::string("edge")}, {"pads", Ints{1, 2}}};
  EXPECT_EQ(op.number("alpha", 1), 0.5);
  EXPECT_EQ(op.number("axis", 1), 2);
  EXPECT_EQ(op.number("beta", 1), 1);
  EXPECT_EQ(op.integer("axis", 0), 2);
  EXPECT_EQ(op.text("mode", ""), "edge");
  EXPECT_EQ(op.integers("pads"), (Ints{1, 2}));
  EXPECT_EQ(op.integers("strides", {1}), (Ints{1}));
  EXPECT_THROW(op.integer("mode", 0), InternalError);
}

TEST(Program, OperatorsHaveUniqueNames) {
  for (const char* name : {"add", "conv", "lstm", "resize"}) EXPECT_STREQ(name_of(*op_named(name)), name);
  EXPECT_FALSE(op_named("no_such_operator"));
}

}  // namespace
}  // namespace hone::ir
