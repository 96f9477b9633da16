// What loads and stores touch, lane by lane.
#include <gtest/gtest.h>

#include "codegen/llvm/codegen.h"
#include "target/target.h"

namespace hone::codegen {
namespace {

using Kernel = void (*)(void* const* buffers, const int64_t* sizes, int64_t begin, int64_t end, void* scratch);

// Runs a function of two buffers x and y, gives y afterwards.
std::vector<float> run(const std::string& body, const char* isa, std::vector<float> x, std::vector<float> y) {
  auto function = ir::loop::parse_function(fmt::format("function f(sizes; buffers x: f32, y: f32) {{\n{}\n}}\n", body));
  EXPECT_TRUE(function.ok()) << function.problem().message;
  auto compiled = compile_to_object({*function}, {.isa = isa});
  EXPECT_TRUE(compiled.ok()) << compiled.problem().message;
  auto module = JitModule::load({compiled->object});
  EXPECT_TRUE(module.ok()) << module.problem().message;
  void* buffers[] = {x.data(), y.data()};
  reinterpret_cast<Kernel>((*module)->find("f"))(buffers, nullptr, 0, 1, nullptr);
  return y;
}

std::vector<const char*> instruction_sets() {
  if (target::host_target().isa >= target::Isa::Avx2) return {"x86-64", "avx2"};
  return {"x86-64"};
}

TEST(Access, AStoreOfSomeLanesLeavesTheOthers) {
  for (const char* isa : instruction_sets())
    for (int lanes : {4, 8, 16})
      for (int alive = 0; alive <= lanes; ++alive) {
        std::vector<float> x, want(static_cast<size_t>(lanes), -1);
        for (int i = 0; i < lanes; ++i) x.push_back(static_cast<float>(i) + 0.5F);
        const std::vector<float> before = want;
        for (int i = 0; i < alive; ++i) want[static_cast<size_t>(i)] = x[static_cast<size_t>(i)];
        const std::string body = fmt::format("m = tail_mask({0}, {1})\n y[0] = x[0; {1}] where m", alive, lanes);
        EXPECT_EQ(run(body, isa, x, before), want) << isa << ", " << alive << " of " << lanes;
      }
}

TEST(Access, AStoreOfKnownLanesIsPlain) {
  auto function = ir::loop::parse_function(R"(function f(sizes; buffers x: f32, y: f32) {
  y[0] = x[0; 8] where tail_mask(7, 8)
}
)");
  ASSERT_TRUE(function.ok()) << function.problem().message;
  auto compiled = compile_to_object({*function}, {.isa = "avx2", .keep_assembly = true});
  ASSERT_TRUE(compiled.ok()) << compiled.problem().message;
  EXPECT_EQ(compiled->assembly.find("vmaskmov"), std::string::npos) << compiled->assembly;
}

TEST(Access, WhatIsStreamedGoesPastTheCachesWhereItsAddressAllows) {
  auto function = ir::loop::parse_function(R"(function f(sizes; buffers x: f32, y: f32) {
  stream y[0] = x[0; 16]
}
)");
  ASSERT_TRUE(function.ok()) << function.problem().message;
  auto compiled = compile_to_object({*function}, {.isa = "avx512", .keep_assembly = true});
  ASSERT_TRUE(compiled.ok()) << compiled.problem().message;
  EXPECT_NE(compiled->assembly.find("vmovntps"), std::string::npos) << compiled->assembly;
  EXPECT_NE(compiled->assembly.find("sfence"), std::string::npos) << compiled->assembly;
  std::vector<float> x;
  for (int i = 0; i < 64; ++i) x.push_back(static_cast<float>(i));
  for (const char* isa : instruction_sets())
    for (int first = 0; first < 16; ++first) {
      std::vector<float> want(64, -1);
      std::copy_n(x.begin(), 8, want.begin() + first);
      const std::string body = fmt::format("stream y[{}] = x[0; 8]", first);
      EXPECT_EQ(run(body, isa, x, std::vector<float>(64, -1)), want) << isa << ", from " << first;
    }
}

// The vectors that are loaded or stored alone have one mask in common, which stays.
void expect_one_mask(const std::string& statements) {
  auto function = ir::loop::parse_function("function f(sizes; buffers x: f32, y: f32) {\n" + statements + "}\n");
  ASSERT_TRUE(function.ok()) << function.problem().message;
  auto compiled = compile_to_object({*function}, {.isa = "avx512", .keep_assembly = true});
  ASSERT_TRUE(compiled.ok()) << compiled.problem().message;
  EXPECT_NE(compiled->assembly.find("{%k1}"), std::string::npos) << compiled->assembly;
  EXPECT_EQ(compiled->assembly.find("%k2"), std::string::npos) << "one mask for both\n" << compiled->assembly;
}

TEST(Access, WhatIsLoadedOrStoredAloneHasAMaskThatStays) {
  expect_one_mask("  y[0] = x[0; 16 alone] + x[16; 16 alone]\n");
  expect_one_mask("  alone y[0] = x[0; 16]\n  alone y[16] = x[16; 16]\n");
  std::vector<float> x;
  for (int i = 0; i < 64; ++i) x.push_back(static_cast<float>(i));
  for (const char* isa : instruction_sets())
    for (int lanes : {1, 2, 4, 8, 16, 32}) {
      std::vector<float> want(64, -1);
      std::copy_n(x.begin() + 3, lanes, want.begin() + 5);
      for (const char* body : {"y[5] = x[3; {} alone]", "alone y[5] = x[3; {}]"})
        EXPECT_EQ(run(fmt::format(fmt::runtime(body), lanes), isa, x, std::vector<float>(64, -1)), want)
            << isa << ", " << lanes << " lanes: " << body;
    }
}

TEST(Access, AShuffleTakesLanesOfBoth) {
  std::vector<float> x, want;
  for (int i = 0; i < 16; ++i) x.push_back(static_cast<float>(i));
  for (int i = 0; i < 8; ++i) want.push_back(static_cast<float>(2 * i));
  const std::string body = "y[0] = shuffle(x[0; 8], x[7; 8], 0, 2, 4, 6, 9, 11, 13, 15)";
  for (const char* isa : instruction_sets()) EXPECT_EQ(run(body, isa, x, std::vector<float>(8)), want) << isa;
}

}  // namespace
}  // namespace hone::codegen
