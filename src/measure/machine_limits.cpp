#include "measure/machine_limits.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>

#include "measure/limit_kernels.h"
#include "measure/rounds.h"
#include "runtime/aligned_bytes.h"

namespace hone::measure {
namespace {

constexpr int64_t kLeastDram = 256ll << 20, kMostDram = 1ll << 30;

double peak_gflops(target::Isa isa, int threads) {
  constexpr int64_t kTurns = 1000;
  int64_t turns = kTurns * repeats_for([&] { run_multiply_adds(isa, kTurns); });
  std::vector<double> done(static_cast<size_t>(threads));
  double seconds =
      fastest_round(threads, [&](int thread) { done[static_cast<size_t>(thread)] = run_multiply_adds(isa, turns); });
  double flops = 0;
  for (double one : done) flops += one;
  return flops / seconds * 1e-9;
}

size_t whole_blocks(int64_t bytes) {
  return std::max<size_t>(1, static_cast<size_t>(bytes) / kBlockBytes) * kBlockBytes;
}

struct Streams {
  std::vector<runtime::AlignedBytes> data;  // one per thread; a copy goes from its first half to its second
};

// Written by the thread that will read it, so that the pages lie near that thread.
Streams make_streams(int threads, size_t bytes) {
  Streams streams;
  streams.data.resize(static_cast<size_t>(threads));
  std::vector<std::thread> makers;
  for (int thread = 0; thread < threads; ++thread)
    makers.emplace_back([&, thread] {
      auto made = runtime::AlignedBytes::make(bytes);
      if (!made) return;
      std::memset(made->data(), 1, bytes);
      streams.data[static_cast<size_t>(thread)] = std::move(made).value();
    });
  for (std::thread& maker : makers) maker.join();
  return streams;
}

void measure_level(target::Isa isa, int threads, int64_t working_set, MemoryLevel& level) {
  size_t half = whole_blocks(working_set / threads / 2), all = 2 * half;
  Streams streams = make_streams(threads, all);
  for (const runtime::AlignedBytes& data : streams.data)
    if (data.data() == nullptr) return;  // no memory to measure: the figures stay 0
  auto data = [&](int thread) { return streams.data[static_cast<size_t>(thread)].data(); };
  auto rate = [&](const std::function<void(int)>& work) {
    int64_t repeats = repeats_for([&] { work(0); });
    double seconds = fastest_round(threads, [&](int thread) {
      for (int64_t k = 0; k < repeats; ++k) work(thread);
    });
    return static_cast<double>(repeats) * static_cast<double>(all) * threads / seconds * 1e-9;
  };
  level.read_gbytes = rate([&](int thread) { run_reads(isa, data(thread), all); });
  level.copy_gbytes = rate([&](int thread) { run_copies(isa, data(thread), data(thread) + half, half); });
}

}  // namespace

const MemoryLevel& MachineLimits::level_for(int64_t bytes) const {
  auto found =
      std::find_if(levels.begin(), levels.end(), [&](const MemoryLevel& level) { return bytes <= level.holds; });
  return found != levels.end() ? *found : levels.back();
}

double MachineLimits::least_seconds(double flops, double bytes, const MemoryLevel& level) const {
  auto seconds = [](double work, double rate) { return work > 0 && rate > 0 ? work / rate * 1e-9 : 0; };
  return std::max(seconds(flops, peak_gflops), seconds(bytes, level.read_gbytes));
}

MachineLimits measure_limits(const target::Target& target, int threads) {
  MachineLimits limits;
  limits.threads = threads;
  limits.peak_gflops = peak_gflops(target.isa, threads);
  limits.levels = {{"L1", target.l1_bytes * threads}, {"L2", target.l2_bytes * threads}};
  if (target.l3_bytes > 0) limits.levels.push_back({"L3", std::max(target.l3_bytes, target.l2_bytes * threads)});
  // Halfway between two levels: too much for the one, and surely held by the other.
  int64_t before = 0;
  for (MemoryLevel& level : limits.levels) {
    measure_level(target.isa, threads, (level.holds + before) / 2, level);
    before = level.holds;
  }
  MemoryLevel dram{"DRAM", std::numeric_limits<int64_t>::max()};
  measure_level(target.isa, threads, std::clamp(4 * before, kLeastDram, kMostDram), dram);
  limits.levels.push_back(dram);
  return limits;
}

}  // namespace hone::measure
