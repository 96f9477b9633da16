#include "measure/machine_figures.h"

#include <algorithm>
#include <array>

#include "measure/limit_kernels.h"
#include "measure/machine_limits.h"
#include "measure/rounds.h"
#include "runtime/aligned_bytes.h"

namespace hone::measure {
namespace {

constexpr int64_t kTurns = 1000;
constexpr int kPasses = 3;

// In a second, at best.
struct Speeds {
  double cycles = 0, flops = 0, chained = 0, loads = 0;  // chained: multiply-adds that wait for each other
  double l2 = 0, l3 = 0, memory = 0;                     // bytes
  double strips = 0, strips_alone = 0;                   // of a tensor that half of L2 holds
};

void take(double& best, double speed) {
  best = std::max(best, speed);
}

// `work(turns)` returns how much it did: that much in a second, at best.
template <typename Work>
double rate_of(const Work& work) {
  int64_t turns = kTurns * repeats_for([&] { work(kTurns); });
  double done = 0;
  double seconds = fastest_round(1, [&](int) { done = work(turns); });
  return done / seconds;
}

double gbytes_of(const MachineLimits& limits, const std::string& level) {
  for (const MemoryLevel& one : limits.levels)
    if (one.name == level) return one.read_gbytes;
  return 0;
}

void measure_strips(const target::Target& target, Speeds& best) {
  const int64_t rows = target.l2_bytes / 2 / static_cast<int64_t>(kRowBytes);
  Result<runtime::AlignedBytes> tensor = runtime::AlignedBytes::make(static_cast<size_t>(rows) * kRowBytes);
  if (target.isa != target::Isa::Avx512 || rows == 0 || !tensor.ok()) return;
  std::fill_n(tensor->data(), tensor->size(), std::byte{0});
  auto rate = [&](bool alone) {
    return rate_of([&](int64_t turns) {
      for (int64_t turn = 0; turn < turns; turn += kTurns) run_strips(tensor->data(), rows, alone);
      return static_cast<double>(turns);
    });
  };
  take(best.strips, rate(false));
  take(best.strips_alone, rate(true));
}

}  // namespace

double cycles_per_second() {
  return rate_of(run_additions);
}

target::Figures measure_figures(const target::Target& target) {
  const target::Isa isa = target.isa;
  alignas(64) std::array<std::byte, kBlockBytes> block{};
  Speeds best;
  for (int pass = 0; pass < kPasses; ++pass) {
    const MachineLimits limits = measure_limits(target, 1);
    take(best.cycles, cycles_per_second());
    take(best.flops, limits.peak_gflops * 1e9);
    take(best.chained, rate_of([&](int64_t turns) { return run_multiply_add_chain(isa, turns); }));
    take(best.loads, rate_of([&](int64_t turns) { return run_loads(isa, block.data(), turns); }));
    take(best.l2, gbytes_of(limits, "L2") * 1e9);
    // A machine without L3 has nothing between L2 and memory.
    take(best.l3, gbytes_of(limits, target.l3_bytes > 0 ? "L3" : "DRAM") * 1e9);
    take(best.memory, gbytes_of(limits, "DRAM") * 1e9);
    measure_strips(target, best);
  }
  const double lanes = static_cast<double>(target.vector_bits) / 32;
  target::Figures figures = target.figures;
  figures.multiply_adds_per_cycle = best.flops / (2 * lanes) / best.cycles;
  figures.multiply_add_latency = best.cycles / best.chained;
  figures.loads_per_cycle = best.loads / best.cycles;
  figures.l2_bytes_per_cycle = best.l2 / best.cycles;
  figures.l3_bytes_per_cycle = best.l3 / best.cycles;
  figures.memory_bytes_per_cycle = best.memory / best.cycles;
  if (best.strips > 0) figures.alone_speedup = best.strips_alone / best.strips;
  return target::sane(figures);
}

}  // namespace hone::measure
