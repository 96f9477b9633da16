// Every operation of Loop IR at every instruction set: it compiles, and the object stands alone.
#include <gtest/gtest.h>

#include "codegen/llvm/codegen.h"

namespace hone::codegen {
namespace {

using ir::loop::Function;

Function floats(const std::string& type, int lanes) {
  const std::string text =
      fmt::format(R"(function floats(sizes n; buffers x: {0}, y: {0}, flag: bool, h: f16, i: i32) {{
  for k in 0 .. $n by {1} {{
    m = tail_mask($n - k, {1})
    a = x[k; {1} where m]
    b = y[k; {1}]
    c = fma(a, b, floor(a) + ceil(b) * trunc(a) - round_even(b))
    d = max(sqrt(abs(c)), neg(a)) / min(a, b)
    e = rem(d, b) + gather(x, ramp({1}), a < b) + scale(c, floor(d))
    y[k] = select(d <= e, d, e) where m
    flag[k] = (a == b | a != c) & not(d < e) ^ m where m
    h[k] = f16(a) where m
    i[k] = i32(b)
    x[k] = {0}(i32(h[k; {1}])) + {0}(bf16(a)) + {0}(flag[k; {1} where m])
    x[k] = reduce_add(a) + reduce_mul(b) + reduce_max(c) + reduce_min(d) + extract(e, 0)
    prefetch x[k + 64]
  }}
}}
)",
                  type, lanes);
  auto parsed = ir::loop::parse_function(text);
  EXPECT_TRUE(parsed.ok()) << parsed.problem().message;
  return std::move(parsed).value();
}

std::vector<std::string> undefined_symbols(const std::string& assembly) {
  std::vector<std::string> names;
  for (size_t at = assembly.find("@PLT"); at != std::string::npos; at = assembly.find("@PLT", at + 1)) {
    const size_t begin = assembly.find_last_of(" \t", at) + 1;
    names.push_back(assembly.substr(begin, at - begin));
  }
  return names;
}

TEST(EveryOperation, CompilesForEveryInstructionSet) {
  for (const char* isa : {"avx512", "avx2", "x86-64"})
    for (const char* type : {"f32", "f64"})
      for (const int lanes : {1, 3, 8, 16}) {
        auto compiled = compile_to_object({floats(type, lanes)}, {.isa = isa, .keep_assembly = true});
        ASSERT_TRUE(compiled.ok()) << compiled.problem().message;
        EXPECT_TRUE(undefined_symbols(compiled->assembly).empty())
            << isa << " calls " << undefined_symbols(compiled->assembly)[0];
      }
}

TEST(EveryOperation, NamesAnUnknownInstructionSet) {
  const auto compiled = compile_to_object({}, {.isa = "sse9"});
  ASSERT_FALSE(compiled.ok());
  EXPECT_NE(compiled.problem().message.find("'sse9'; known are avx512, avx2 and x86-64"), std::string::npos);
}

TEST(EveryOperation, MaxWithAConstantIsOneInstruction) {
  auto relu = ir::loop::parse_function(R"(function relu(sizes n; buffers x: f32) {
  for k in 0 .. $n by 8 {
    x[k] = max(x[k; 8], 0.0:f32x8)
  }
}
)");
  ASSERT_TRUE(relu.ok());
  auto compiled = compile_to_object({*relu}, {.isa = "avx2", .keep_assembly = true});
  ASSERT_TRUE(compiled.ok());
  EXPECT_NE(compiled->assembly.find("vmaxps"), std::string::npos);
  EXPECT_EQ(compiled->assembly.find("vblendv"), std::string::npos);
  EXPECT_EQ(compiled->assembly.find("vcmp"), std::string::npos);
}

}  // namespace
}  // namespace hone::codegen
