#include "codegen/gemm.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "codegen/llvm/codegen.h"
#include "codegen/llvm/inspect_assembly.h"

namespace hone::codegen {
namespace {

Compiled compile(const ir::loop::Function& function, const std::string& isa) {
  auto compiled = compile_to_object({function}, {.isa = isa, .keep_assembly = true, .name = "test"});
  EXPECT_TRUE(compiled.ok()) << (compiled.ok() ? "" : compiled.problem().message);
  return std::move(compiled).value();
}

AssemblyLoop hottest(const std::vector<AssemblyLoop>& loops) {
  AssemblyLoop best;
  for (const AssemblyLoop& loop : loops)
    if (loop.fmas > best.fmas) best = loop;
  return best;
}

std::string joined(const AssemblyLoop& loop) {
  std::string s;
  for (const std::string& line : loop.lines) s += line + "\n";
  return s;
}

std::vector<float> random_floats(size_t count, Rng& rng) {
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(rng.unit() - 0.5);
  return values;
}

void check_against_plain_loops(hone_kernel_fn kernel, int rows, int columns, int64_t k) {
  const int64_t lda = k + 3, ldc = columns + 5;
  Rng rng(7);
  std::vector<float> a = random_floats(static_cast<size_t>(rows * lda), rng);
  std::vector<float> b = random_floats(static_cast<size_t>(k * columns), rng);
  std::vector<float> c(static_cast<size_t>(rows * ldc), -1);
  void* buffers[] = {a.data(), b.data(), c.data()};
  const int64_t sizes[] = {k, lda, ldc};
  kernel(buffers, sizes, 0, 1, nullptr);
  for (int i = 0; i < rows; ++i)
    for (int64_t j = 0; j < ldc; ++j) {
      double expected = j < columns ? 0 : -1;
      for (int64_t x = 0; x < k && j < columns; ++x)
        expected += static_cast<double>(a[static_cast<size_t>(i * lda + x)]) * b[static_cast<size_t>(x * columns + j)];
      ASSERT_NEAR(c[static_cast<size_t>(i * ldc + j)], expected, 1e-4) << "row " << i << " column " << j;
    }
}

void check_inner_loop(const Compiled& compiled, int fmas) {
  const AssemblyLoop loop = hottest(innermost_loops(compiled.assembly));
  EXPECT_EQ(loop.fmas, fmas) << compiled.assembly;
  EXPECT_EQ(loop.stack_accesses, 0) << joined(loop);
  EXPECT_EQ(loop.stores, 0) << joined(loop);
  // FMAs, one broadcast per row, the loads of b, and at most nine for addresses and counting.
  EXPECT_LE(loop.instructions, fmas + 8 + 3 + 9) << joined(loop);
}

TEST(Gemm, Avx2KeepsTwelveAccumulatorsInRegisters) {
  const Compiled compiled = compile(test::gemm_kernel("gemm_6x16", 6, 16, 8), "avx2");
  check_inner_loop(compiled, 12);
  auto module = JitModule::load({compiled.object});
  ASSERT_TRUE(module.ok()) << module.problem().message;
  for (const int64_t k : {0, 1, 2, 37, 256}) check_against_plain_loops(module.value()->find("gemm_6x16"), 6, 16, k);
}

TEST(Gemm, Avx512KeepsTwentyFourAccumulatorsInRegisters) {
  const Compiled compiled = compile(test::gemm_kernel("gemm_8x48", 8, 48, 16), "avx512");
  check_inner_loop(compiled, 24);
  EXPECT_NE(compiled.assembly.find("%zmm"), std::string::npos);
}

TEST(Gemm, BaselineRunsWithoutFma) {
  const Compiled compiled = compile(test::gemm_kernel("gemm_4x8", 4, 8, 4), "x86-64");
  EXPECT_EQ(compiled.assembly.find("vfmadd"), std::string::npos);
  EXPECT_EQ(compiled.assembly.find("call"), std::string::npos) << "fma must not become a call into libm";
  auto module = JitModule::load({compiled.object});
  ASSERT_TRUE(module.ok()) << module.problem().message;
  check_against_plain_loops(module.value()->find("gemm_4x8"), 4, 8, 19);
}

}  // namespace
}  // namespace hone::codegen
