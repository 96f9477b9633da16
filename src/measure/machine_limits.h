// What this machine can do at best, measured: multiply-adds from registers, bytes from each level of memory. Each figure
// is the best of several rounds, since interference can only make a limit look lower.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "target/target.h"

namespace hone::measure {

struct MemoryLevel {
  std::string name;        // "L1", "L2", "L3", "DRAM"
  int64_t holds = 0;       // bytes that this many threads can keep in it; DRAM: unlimited
  double read_gbytes = 0;  // 10^9 bytes read per second, all threads together
  double copy_gbytes = 0;  // 10^9 bytes read and written per second
};

struct MachineLimits {
  int threads = 1;
  double peak_gflops = 0;           // f32, a multiply-add counted as two
  std::vector<MemoryLevel> levels;  // from L1 to DRAM

  // The innermost level that holds a working set.
  const MemoryLevel& level_for(int64_t bytes) const;
  // The roofline as a time: no computation with so many operations, on so many bytes of that level, ends sooner.
  double least_seconds(double flops, double bytes, const MemoryLevel& level) const;
};

// Takes about a second. `target` says which instructions are used and how large the caches are.
MachineLimits measure_limits(const target::Target& target, int threads);

}  // namespace hone::measure
