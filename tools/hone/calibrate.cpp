#include "hone/calibrate.h"

#include <algorithm>
#include <limits>

#include "hone/print.h"
#include "hone/small_kernel.h"
#include "measure/machine_figures.h"

namespace hone::tools {
namespace {

// As many tasks as a kernel of some size has for a core or two, each of some hundred cycles.
constexpr int64_t kTasks = 16, kRows = 6, kDepth = 64;
constexpr int kPasses = 10;

// A product of few columns, one register tile to a task, or all of them in one.
std::string product_text(int64_t rows_of_a_task, int lanes) {
  return fmt::format(R"(graph product {{
    kernel product(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {{
      axis m < M, n < N, k < K
      grid m step T_m {{
        group (m, n) over (k) {{ s = sum a[m, k] * b[k, n] then y[m, n] = s }}
      }}
    }}
    input a: f32[{0}, {1}]
    const b: f32[{1}, {2}]
    output y: f32[{0}, {2}]
    call product(a, b, y) with M = {0}, K = {1}, N = {2}
  }}
plan product {{
    set T_m = {3}
    pin M = {0}, K = {1}, N = {2}
    group 0: vector n by {2}, tile m:{4} n:1, order (n, m, k)
  }}
)",
                     kTasks * kRows, kDepth, lanes, rows_of_a_task, kRows);
}

Result<Call> prepare_product(int64_t rows_of_a_task, int threads, const target::Target& target) {
  return prepare_kernel(product_text(rows_of_a_task, target.vector_bits / 32), threads, target);
}

// What all cores together take longer for a product in tasks than one takes for it in one piece.
Result<double> seconds_lost_by_tasks(const target::Target& target) {
  HONE_TRY(Call in_tasks, prepare_product(kRows, target.cores, target));
  HONE_TRY(Call in_one, prepare_product(kRows * kTasks, 1, target));
  double apart = std::numeric_limits<double>::infinity(), together = apart;
  for (int pass = 0; pass < kPasses; ++pass) {
    HONE_TRY(double longer, seconds_of(in_tasks));
    HONE_TRY(double shorter, seconds_of(in_one));
    apart = std::min(apart, longer);
    together = std::min(together, shorter);
  }
  return apart * target.cores - together;
}

}  // namespace

Result<target::Figures> calibrate(const target::Target& target) {
  HONE_TRY(double lost, seconds_lost_by_tasks(target));
  target::Figures figures = measure::measure_figures(target);
  figures.task_cycles = lost / static_cast<double>(kTasks) * measure::cycles_per_second();
  return target::sane(figures);
}

std::string figures_text(const pipeline::Calibration& calibration) {
  Table table({{"figure"}, {"value", Align::Right}, {"meaning", Align::Left, 100}});
  for (const target::FigureInfo& figure : target::all_figures())
    table.add({figure.name, fmt::format("{}", calibration.figures.*figure.value), figure.meaning});
  std::string origin = calibration.file.empty()
                           ? "built-in; `hone doctor --calibrate` measures them"
                           : fmt::format("measured by `hone doctor --calibrate`, from {}", calibration.file.string());
  return fmt::format("figures of the cost model, {}:\n{}", origin, table.text());
}

}  // namespace hone::tools
