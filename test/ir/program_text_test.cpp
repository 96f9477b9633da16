#include <gtest/gtest.h>

#include <cstring>

#include "base/rng.h"
#include "ir/text/constants.h"

namespace hone::ir {
namespace {

constexpr const char* kProgram = R"(program net(x: f32["batch size", 3], "input.1": bool[]) -> (y, b) {
  const w: f32[3, 2] = {1, 0.1, -0, inf, -inf, 0x7fc00000}
  const s: i64[2] known [6, -1] = {6, -1}
  const h: f16[1] = {0x3c00}
  const f: bool[2] = {true, false}
  const e: u64[0] = {}
  h1: f32["batch size", 2] = matmul(x, w) as "MatMul \"0\""
  y: f32["batch size", 2] = softmax(h1) {axis = 1}
  _, c: f32[2] = lstm(x, w, w, _, h) {direction = "forward", hidden_size = 2}
  b: f32[2] = if("input.1", c) program then(a: f32[2]) -> (a) {
  } program else(a: f32[2]) -> (r) {
    r: f32[2] = relu(a)
  }
}
)";

TEST(ProgramText, ReadsAsItPrints) {
  Result<Program> program = parse_program(kProgram);
  ASSERT_TRUE(program.ok()) << program.problem().message;
  EXPECT_EQ(text_of(*program), kProgram);
  EXPECT_EQ(program->ops.size(), 4u);
  EXPECT_EQ(program->ops[2].inputs[3], kAbsent);
  EXPECT_EQ(program->ops[2].outputs[0], kAbsent);
  EXPECT_EQ(program->ops[3].bodies.size(), 2u);
}

TEST(ProgramText, NamelessAndEqualNamesBecomeDistinct) {
  Program program;
  program.name = "p";
  for (const char* name : {"a", "", "a"}) program.add_value({name, {DType::F32, {}}, std::nullopt, std::nullopt});
  program.inputs = {0, 1};
  Op op;
  op.kind = OpKind::Add;
  op.inputs = {0, 1};
  op.outputs = {2};
  program.ops.push_back(op);
  program.outputs = {2};
  Result<Program> again = parse_program(text_of(program));
  ASSERT_TRUE(again.ok()) << again.problem().message;
  EXPECT_EQ(text_of(*again), text_of(program));
  EXPECT_EQ(again->ops[0].inputs, (std::vector<ValueId>{0, 1}));
}

TEST(ProgramText, ConstantsKeepTheirBits) {
  for (DType type : {DType::F32, DType::F64, DType::F16, DType::BF16, DType::I8, DType::I16, DType::I32, DType::I64,
                     DType::U8, DType::U16, DType::U32, DType::U64, DType::Bool}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Rng rng(seed);
      size_t bytes = size_of(type) * 16;
      std::vector<std::byte> data(bytes);
      for (std::byte& byte : data) byte = static_cast<std::byte>(rng.below(type == DType::Bool ? 2 : 256));
      TensorType tensor{type, {4, 4}};
      std::string written = text::constant_text(tensor, {data.data(), bytes, nullptr});
      Result<text::Lexer> lexer = text::Lexer::open(written);
      ASSERT_TRUE(lexer.ok()) << lexer.problem().message;
      Result<ConstantData> again = text::parse_constant(*lexer, tensor, nullptr);
      ASSERT_TRUE(again.ok()) << again.problem().message << written;
      EXPECT_EQ(std::memcmp(again->data, data.data(), bytes), 0) << name_of(type) << " " << written;
    }
  }
}

void expect_problem(const std::string& source, const std::string& message) {
  Result<Program> program = parse_program(source);
  ASSERT_FALSE(program.ok()) << source;
  EXPECT_NE(program.problem().message.find(message), std::string::npos) << program.problem().message;
}

TEST(ProgramText, ProblemsNamePlaceAndCure) {
  expect_problem("program p() {}", "1:13: found '{', expected '->'");
  expect_problem("program p() -> (y) {}", "1:17: value 'y' is not defined before");
  expect_problem("program p(x: f32[2]) -> (x) { y: f32[2] = frob(x) }",
                 "found 'frob', expected an operator of ops.def");
  expect_problem("program p(x: f32[2]) -> (x) { y: f32[2] = relu(y) }", "value 'y' is not defined before");
  expect_problem("program p(x: f32[2]) -> (x) { x: f32[2] = relu(x) }", "value 'x' is defined twice");
  expect_problem("program p(x: f32[2]) -> (x) { y = relu(x) }", "found '=', expected ':'");
  expect_problem("program p(x: f32[2]) -> (x) { y: f32[2] = relu(x) {alpha} }", "found '}', expected '='");
  expect_problem("program p(x: f32[2]) -> (x) { y: f32[2] = relu(x) {a = b} }", "found 'b', expected a value");
  expect_problem("program p(x: f32[2]) -> (x) { y: f32[2] = relu(x) {a = 1, a = 2} }", "attribute 'a' is given twice");
  std::string deep = "program p() -> () {";
  for (int i = 0; i < 3000; ++i) deep += " y: f32[] = if() program q() -> () {";
  expect_problem(deep, "levels of nesting");
}

}  // namespace
}  // namespace hone::ir
