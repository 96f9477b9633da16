// Measures the five example kernels of examples/step0 against the machine's peak in the same run and prints their figures.
#include <algorithm>
#include <cstdio>

#include "measure/machine_limits.h"
#include "step0/example.h"

namespace {

using namespace hone;

using step0::Example;
using step0::prepare;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The first call after the other examples finds its operands in far caches or in memory; a batch of calls behind it finds
// them where a call of the same kernel leaves them.
struct Seconds {
  double cold = 0, warm = 0;
};

constexpr double kBatchSeconds = 0.010;

Seconds seconds_of(Example& example) {
  Seconds seconds{.cold = example.run_seconds()};
  int calls = 1 + static_cast<int>(kBatchSeconds / seconds.cold);
  for (int call = 0; call < calls; ++call) seconds.warm += example.run_seconds() / calls;
  return seconds;
}

// Interleaved rounds; the medians of each example's times.
std::vector<Seconds> measure(const std::vector<Example*>& examples, int rounds) {
  std::vector<std::vector<double>> cold(examples.size()), warm(examples.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t e = 0; e < examples.size(); ++e) {
      Seconds seconds = seconds_of(*examples[e]);
      cold[e].push_back(seconds.cold);
      warm[e].push_back(seconds.warm);
    }
  std::vector<Seconds> medians;
  for (size_t e = 0; e < examples.size(); ++e) medians.push_back({median(cold[e]), median(warm[e])});
  return medians;
}

// Multiply-adds of a 3×3 window with padding 1 that fall on the image, per channel pair.
double real_taps(double height, double width) {
  return (3 * height - 2) * (3 * width - 2);
}

void print_end(const Example& example) {
  std::printf("  llvm %4.0f ms  stack accesses in inner loops %d\n", example.llvm_seconds * 1e3,
              example.stack_accesses);
}

void print(const char* label, const Example& example, Seconds seconds, double flops, double peak, double bar) {
  double warm = flops / seconds.warm * 1e-9, cold = flops / seconds.cold * 1e-9;
  std::printf("%-42s %9.1f us %6.1f GFLOP/s %5.1f %% of peak, cold %5.1f %% (bar %.0f %%)", label, seconds.warm * 1e6,
              warm, 100 * warm / peak, 100 * cold / peak, bar);
  print_end(example);
}

// The best that fusing can bring warm is a fused kernel at the peak: `most` is the unfused time over that one.
void print_fused(const char* label, const Example& fused, Seconds with, Seconds without, double flops, double peak) {
  double most = without.warm / (flops / peak * 1e-9);
  std::printf("%-42s %9.1f us, unfused %.1f us: %.2f x of at most %.2f x, cold %.2f x (bar 1.30)", label,
              with.warm * 1e6, without.warm * 1e6, without.warm / with.warm, most, without.cold / with.cold);
  print_end(fused);
}

void print(const char* label, const Example& example, Seconds seconds) {
  std::printf("%-42s %9.1f us, cold %.1f us", label, seconds.warm * 1e6, seconds.cold * 1e6);
  print_end(example);
}

Status run(const std::string& folder, int threads) {
  HONE_TRY(target::Target target, target::default_target());
  using Sizes = std::map<std::string, int64_t>;
  Sizes even_sizes = {{"H", 56}, {"W", 56}, {"C", 64}, {"O", 64}},
        odd_sizes = {{"H", 57}, {"W", 55}, {"C", 46}, {"O", 50}};
  HONE_TRY(Example conv, prepare(folder, "conv", even_sizes, threads));
  HONE_TRY(Example odd, prepare(folder, "conv", odd_sizes, threads));
  Sizes mobile = {{"H", 112}, {"W", 112}, {"C", 16}, {"E", 96}, {"O", 24}};
  HONE_TRY(Example fused, prepare(folder, "mbconv", mobile, threads));
  HONE_TRY(Example unfused, prepare(folder, "mbconv_unfused", mobile, threads));
  Sizes heads = {{"H", 8}, {"S", 1024}, {"D", 64}};
  HONE_TRY(Example attention, prepare(folder, "attention", heads, threads));
  HONE_TRY(Example split, prepare(folder, "attention_split", heads, threads));
  Sizes steps = {{"T", 32}, {"N", 1}, {"I", 64}, {"H", 64}}, positions = {{"P", 1000}};
  HONE_TRY(Example lstm, prepare(folder, "lstm", steps, threads));
  HONE_TRY(Example concat, prepare(folder, "concat_softmax", positions, threads));
  std::vector<Example*> all = {&conv, &odd, &fused, &unfused, &attention, &split, &lstm, &concat};
  measure(all, 3);
  double before = measure::measure_limits(target, threads).peak_gflops;
  std::vector<Seconds> t = measure(all, 31);
  double peak = std::max(before, measure::measure_limits(target, threads).peak_gflops);
  std::printf("threads %d, %s, FMA peak %.1f GFLOP/s in this run\n", threads, target::name_of(target.isa), peak);
  print("(a) conv 3x3 56x56 64->64 + add + relu", conv, t[0], 2 * real_taps(56, 56) * 64 * 64, peak, 90);
  print("(a) conv 3x3 57x55 46->50 + add + relu", odd, t[1], 2 * real_taps(57, 55) * 46 * 50, peak, 90);
  double mobile_flops = 2 * (112.0 * 112 * 16 * 96 + 56.0 * 56 * 9 * 96 + 56.0 * 56 * 96 * 24);
  print_fused("(b) 1x1 -> depthwise s2 -> 1x1, ring", fused, t[2], t[3], mobile_flops, peak);
  double products = 8.0 * 4 * 64 * (1024.0 * 1025 / 2);
  print("(c) causal attention 8 x 1024 x 64", attention, t[4], products, peak, 75);
  print("(c) the same, split over keys, combined", split, t[5], products, peak, 75);
  print("(d) LSTM 32 steps of 64 inside an If", lstm, t[6]);
  print("(e) concat 46 + 50, transpose, softmax", concat, t[7]);
  return Done{};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: step0 FOLDER_OF_EXAMPLES [THREADS]\n");
    return 2;
  }
  auto done = run(argv[1], argc > 2 ? std::stoi(argv[2]) : 1);
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.problem().message.c_str());
  return done.ok() ? 0 : 1;
}
