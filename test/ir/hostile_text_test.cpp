// Texts that nobody would write: each is read or refused, and what is read reads back from its own print.
#include <gtest/gtest.h>

#include "ir/text/constants.h"
#include "ir/text/scalar_text.h"

namespace hone::ir {
namespace {

TEST(HostileText, TheLeastIntegerReadsBack) {
  constexpr const char* kProgram = R"(program p() -> (y) {
  const x: i64[1] = {0x8000000000000000}
  y: i64[1] = identity(x) {a = 0x8000000000000000, b = [1, 0x8000000000000000, -1]}
}
)";
  Result<Program> program = parse_program(kProgram);
  ASSERT_TRUE(program.ok()) << program.problem().message;
  EXPECT_EQ(text_of(*program), kProgram);
  EXPECT_EQ(program->ops[0].integer("a", 0), INT64_MIN);
  for (const char* source : {"0x8000000000000000:i64", "-0x8000000000000000:i64"}) {
    Result<Scalar> scalar = text::parse_scalar(source, {}, {});
    ASSERT_TRUE(scalar.ok()) << scalar.problem().message;
    EXPECT_EQ(text::body_text(*scalar, {}, std::nullopt), "0x8000000000000000:i64");
  }
}

// A line of a program that reads x: f32[3, 4], and what it is refused for.
void expect_refused(const std::string& type, const std::string& line, const std::string& why) {
  Result<Program> program =
      parse_program(fmt::format("program p(x: f32[3, 4]) -> (y) {{\n  y: {} = {} as \"n\"\n}}\n", type, line));
  ASSERT_TRUE(program.ok()) << program.problem().message;
  Status status = validate(*program);
  ASSERT_FALSE(status.ok()) << line;
  EXPECT_NE(status.problem().message.find(why), std::string::npos) << status.problem().message;
}

TEST(HostileText, AttributesOfAnotherFormAreRefused) {
  expect_refused("f32[3, 4]", "rms_normalization(x, x) {axis = 0.5}", "attribute axis must be an integer");
  expect_refused("f32[3, 4]", "softmax(x) {axis = \"last\"}", "attribute axis must be an integer");
  expect_refused("f32[3, 4]", "layer_normalization(x, x) {epsilon = \"small\"}", "attribute epsilon must be a number");
  expect_refused("f32[3, 4]", "gelu(x) {approximate = 1}", "attribute approximate must be a text");
  expect_refused("f32[4, 3]", "transpose(x) {perm = 1}", "attribute perm must be a list of integers");
  expect_refused("f32[3, 4]", "cumsum(x) {reverse = [1]}", "attribute reverse must be an integer");
  expect_refused("i64[3]", "range() {start = 0.5, dtype = \"i64\"}", "attribute start must be an integer");
}

TEST(HostileText, CastsOnOneAnotherHaveABound) {
  std::string source = "let a = 1:f32";
  for (int i = 0; i < 5000; ++i) source += ", a = cast:f32(a)";
  Result<Scalar> scalar = text::parse_scalar(source + " in a", {}, {});
  ASSERT_FALSE(scalar.ok());
  EXPECT_NE(scalar.problem().message.find("more than 1000 operations on one another"), std::string::npos);
}

}  // namespace
}  // namespace hone::ir
