#include "hone/sentences.h"

#include <algorithm>
#include <cmath>

#include "hone/print.h"

namespace hone::tools {
namespace {

// Seconds to begin a step and, with several threads, to meet the others at its end.
constexpr double kStartAlone = 0.1e-6, kStartTogether = 0.5e-6;
constexpr double kLaneCycles = 1.5;   // of a lane that is loaded on its own
constexpr double kShuffleCycles = 1;  // of a shuffle of two vectors
// A cause is told if it takes that part of the roofline's time more.
constexpr double kWorthTelling = 0.08;
constexpr size_t kMostCauses = 2;

struct Cause {
  double seconds = 0;  // beyond those of the roofline
  std::string text;
};

class Causes {
 public:
  Causes(const runtime::StepTime& step, const cost::Facts& facts, const Circumstances& around)
      : step_(step), facts_(facts), around_(around) {
    const measure::MachineLimits& limits = around.limits;
    computing_ = static_cast<double>(step.flops) / limits.peak_gflops * 1e-9;
    moving_ = static_cast<double>(step.bytes) / around.level.read_gbytes * 1e-9;
    least_ = std::max(computing_, moving_);
    double flops_of_a_cycle = 2 * around.target.figures.multiply_adds_per_cycle * isa_lanes();
    cycles_ = limits.peak_gflops * 1e9 / flops_of_a_cycle;  // in a second, of all threads
  }

  std::vector<Cause> all() {
    tell_of_start();
    tell_of_vectors();
    tell_of_functions();
    tell_of_waiting();
    tell_of_tasks();
    tell_of_memory();
    tell_of_expected();
    std::erase_if(causes_, [&](const Cause& cause) { return cause.seconds <= kWorthTelling * least_; });
    std::stable_sort(causes_.begin(), causes_.end(),
                     [](const Cause& a, const Cause& b) { return a.seconds > b.seconds; });
    return causes_;
  }

 private:
  double isa_lanes() const { return static_cast<double>(around_.target.vector_bits) / 32; }

  void add(double seconds, std::string text) { causes_.push_back({seconds, std::move(text)}); }

  void tell_of_start() {
    bool alone = around_.limits.threads == 1;
    double start = alone ? kStartAlone : kStartTogether;
    add(start, fmt::format("too short: {} of work beside about {} to start{}", seconds_text(least_),
                           seconds_text(start), alone ? "" : " and meet the other threads"));
  }

  void tell_of_vectors() {
    if (facts_.lanes == 1)
      add(computing_ * (isa_lanes() - 1), "scalar code: vectors would lie along no axis");
    else if (facts_.vector_room > facts_.vector_points)
      add(computing_ * (static_cast<double>(facts_.vector_room) / static_cast<double>(facts_.vector_points) - 1),
          fmt::format("part vectors: {} of {} lanes used", facts_.vector_points, facts_.vector_room));
    if (facts_.strided_loads > 0)
      add(facts_.points * static_cast<double>(facts_.strided_loads) * kLaneCycles / cycles_,
          fmt::format("strided loads: {} of {} loads of a point gathered lane by lane", facts_.strided_loads,
                      facts_.loads));
    if (facts_.turned_loads > 0)
      add(facts_.points / facts_.lanes * static_cast<double>(facts_.turned_loads) * std::log2(facts_.lanes) *
              kShuffleCycles / cycles_,
          fmt::format("turned in registers: {} of {} loads of a point, {:.0f} shuffles for a vector",
                      facts_.turned_loads, facts_.loads, std::log2(facts_.lanes)));
    if (!facts_.contraction && facts_.lanes > 1)
      add(computing_, "single operations: the peak counts each multiply-add as two");
  }

  void tell_of_functions() {
    double cycles = 0, most = 0;
    std::string text;
    for (const auto& [function, times] : facts_.functions) {
      double each = around_.function_cycles(function), all = times / facts_.lanes * each;
      cycles += all;
      if (all <= most) continue;
      most = all;
      text = fmt::format("{}-bound: {:.0f} of them, about {:.0f} cycles for {}", function, times, each,
                         facts_.lanes == 1 ? "one" : std::to_string(facts_.lanes));
    }
    add(cycles / cycles_, text);
  }

  void tell_of_waiting() {
    const target::Figures& figures = around_.target.figures;
    auto enough = static_cast<int64_t>(figures.multiply_add_latency * figures.multiply_adds_per_cycle);
    if (facts_.chains > 0 && facts_.chains < enough)
      add(computing_ * (static_cast<double>(enough) / static_cast<double>(facts_.chains) - 1),
          fmt::format("latency: {} sum{} at a time where {} would hide how long one takes", facts_.chains,
                      facts_.chains == 1 ? "" : "s", enough));
    double loading = facts_.loads_of_a_sum * figures.multiply_adds_per_cycle / figures.loads_per_cycle;
    add(computing_ * (loading - 1), fmt::format("loads: {:.1f} vectors for each multiply-add", facts_.loads_of_a_sum));
    if (facts_.recurrent_steps > 1)
      add(step_.seconds - least_,
          fmt::format("a recurrence: {} steps that wait for each other", facts_.recurrent_steps));
  }

  void tell_of_tasks() {
    int64_t threads = around_.limits.threads, rounds = (facts_.tasks + threads - 1) / threads;
    double longer = static_cast<double>(rounds * threads) / static_cast<double>(facts_.tasks) - 1;
    std::string tasks = facts_.tasks == 1 ? "one task" : fmt::format("{} tasks", facts_.tasks);
    add(least_ * longer, facts_.tasks < threads ? fmt::format("{} for {} threads", tasks, threads)
                                                : fmt::format("{} do not share out among {} threads", tasks, threads));
  }

  void tell_of_memory() {
    const measure::MemoryLevel& level = around_.level;
    add(std::min(computing_, moving_), fmt::format("computing and moving {} from {} do not overlap: {} and {}",
                                                   bytes_text(static_cast<double>(step_.bytes)), level.name,
                                                   seconds_text(computing_), seconds_text(moving_)));
    if (level.copy_gbytes > 0)
      add(static_cast<double>(step_.bytes) / level.copy_gbytes * 1e-9 - moving_,
          fmt::format("writes: {} copies {:.0f} GB/s where it reads {:.0f}", level.name, level.copy_gbytes,
                      level.read_gbytes));
  }

  // What no other sentence tells: the model counts what each cache level delivers and what register tiles take to start and end.
  void tell_of_expected() {
    if (!facts_.expected) return;
    const cost::Considered& expected = *facts_.expected;
    const double cycles_of_a_core = cycles_ / static_cast<double>(around_.limits.threads);
    const double waiting = (expected.l2 + expected.l3 + expected.memory) / cycles_of_a_core;
    const double products = expected.products / cycles_of_a_core, others = expected.others / cycles_of_a_core;
    if (const double moved = waiting - std::min(computing_, moving_); moved > 0)
      add(moved,
          fmt::format("operands that come again: the cost model expects {} of waiting for L2, {} for L3, {} for memory",
                      seconds_text(expected.l2 / cycles_of_a_core), seconds_text(expected.l3 / cycles_of_a_core),
                      seconds_text(expected.memory / cycles_of_a_core)));
    add(products - computing_, fmt::format("register tiles: starts, ends and tails make {} of products {}",
                                           seconds_text(computing_), seconds_text(products)));
    add(others, fmt::format("beside the products: the cost model expects {} for other work and for tasks",
                            seconds_text(others)));
  }

  const runtime::StepTime& step_;
  const cost::Facts& facts_;
  const Circumstances& around_;
  double computing_ = 0, moving_ = 0, least_ = 0;
  double cycles_ = 1;
  std::vector<Cause> causes_;
};

}  // namespace

std::string why_slow(const runtime::StepTime& step, const cost::Facts* facts, const Circumstances& around) {
  if (facts == nullptr) return "no plan is known: a library function, or a model that was not compiled here";
  std::vector<Cause> found = Causes(step, *facts, around).all();
  found.resize(std::min(found.size(), kMostCauses));
  std::vector<std::string> texts;
  for (const Cause& cause : found) texts.push_back(cause.text);
  if (!texts.empty()) return fmt::format("{}", fmt::join(texts, "; "));
  return "no cause is known";
}

}  // namespace hone::tools
