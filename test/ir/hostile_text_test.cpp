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

TEST(HostileText, CastsOnOneAnotherHaveABound) {
  std::string source = "let a = 1:f32";
  for (int i = 0; i < 5000; ++i) source += ", a = cast:f32(a)";
  Result<Scalar> scalar = text::parse_scalar(source + " in a", {}, {});
  ASSERT_FALSE(scalar.ok());
  EXPECT_NE(scalar.problem().message.find("more than 1000 operations on one another"), std::string::npos);
}

}  // namespace
}  // namespace hone::ir
