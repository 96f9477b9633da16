#include "measure/machine_limits.h"

#include <gtest/gtest.h>

#include <cstring>

#include "measure/limit_kernels.h"
#include "measure/machine_figures.h"

namespace hone::measure {
namespace {

std::vector<target::Isa> usable() {
  std::vector<target::Isa> found;
  for (target::Isa isa : {target::Isa::X86_64, target::Isa::Avx2, target::Isa::Avx512})
    if (isa <= target::host_target().isa) found.push_back(isa);
  return found;
}

TEST(LimitKernels, CopyWhatTheySay) {
  for (target::Isa isa : usable()) {
    std::vector<std::byte> from(3 * kBlockBytes), to(5 * kBlockBytes, std::byte{0});
    for (size_t k = 0; k < from.size(); ++k) from[k] = static_cast<std::byte>(k * 7 + 1);
    run_copies(isa, from.data(), to.data() + kBlockBytes, from.size());
    EXPECT_EQ(std::memcmp(from.data(), to.data() + kBlockBytes, from.size()), 0) << target::name_of(isa);
    EXPECT_EQ(to[kBlockBytes - 1], std::byte{0});
    EXPECT_EQ(to[4 * kBlockBytes], std::byte{0});
    run_reads(isa, from.data(), from.size());
  }
}

TEST(LimitKernels, CountTheirOperations) {
  for (target::Isa isa : usable()) {
    double per_turn = isa == target::Isa::X86_64 ? 48 : isa == target::Isa::Avx2 ? 192 : 384;
    EXPECT_EQ(run_multiply_adds(isa, 10), 10 * per_turn);
  }
}

TEST(LimitKernels, CountTheirSteps) {
  alignas(64) std::byte block[kBlockBytes] = {};
  EXPECT_EQ(run_additions(10), 160);
  for (target::Isa isa : usable()) {
    EXPECT_EQ(run_multiply_add_chain(isa, 10), 120);
    EXPECT_EQ(run_loads(isa, block, 10), 10 * (isa == target::Isa::X86_64 ? 16 : isa == target::Isa::Avx2 ? 8 : 4));
  }
}

// Whatever the noise: within bounds, and none that was not measured.
TEST(MachineFigures, AreSane) {
  target::Target target = target::host_target();
  target.figures.task_cycles = 123;
  target::Figures figures = measure_figures(target);
  EXPECT_EQ(figures, target::sane(figures));
  EXPECT_EQ(figures.task_cycles, 120);
}

TEST(MachineLimits, AreOrderedAsAMachineIs) {
  target::Target target = target::host_target();
  MachineLimits limits = measure_limits(target, 1);
  EXPECT_GT(limits.peak_gflops, 1);
  ASSERT_GE(limits.levels.size(), 3u);
  EXPECT_EQ(limits.levels.front().name, "L1");
  EXPECT_EQ(limits.levels.back().name, "DRAM");
  for (const MemoryLevel& level : limits.levels) {
    EXPECT_GT(level.read_gbytes, 0.1) << level.name;
    EXPECT_GT(level.copy_gbytes, 0.1) << level.name;
  }
  EXPECT_GT(limits.levels.front().read_gbytes, limits.levels.back().read_gbytes);
}

TEST(MachineLimits, RooflineIsTheSlowerOfItsTwoSides) {
  MachineLimits limits;
  limits.peak_gflops = 100;
  limits.levels = {{"L1", 1 << 15, 400, 400}, {"DRAM", INT64_MAX, 10, 10}};
  EXPECT_EQ(limits.level_for(1000).name, "L1");
  EXPECT_EQ(limits.level_for(1 << 20).name, "DRAM");
  const MemoryLevel& dram = limits.levels.back();
  EXPECT_DOUBLE_EQ(limits.least_seconds(2e9, 1e9, dram), 0.1);  // waits for memory
  EXPECT_DOUBLE_EQ(limits.least_seconds(1e12, 1e9, dram), 10);  // computes all the time
  EXPECT_DOUBLE_EQ(limits.least_seconds(1e9, 0, dram), 0.01);
  EXPECT_DOUBLE_EQ(limits.least_seconds(0, 1e9, dram), 0.1);
}

}  // namespace
}  // namespace hone::measure
