#include "hone/profile.h"

#include <algorithm>

#include "cost/complete.h"
#include "cost/layout/channels_last.h"
#include "hone/print.h"
#include "hone/sentences.h"
#include "hone/small_kernel.h"
#include "measure/summary.h"

namespace hone::tools {
namespace {

using runtime::StepTime;

constexpr double kProfileSeconds = 1;
constexpr size_t kFewestRuns = 5, kMostRuns = 100;
constexpr double kNearRoofline = 0.7;

// Step by step the median of several runs. The inputs stay, so every run takes the same steps.
Result<std::vector<StepTime>> median_steps(Call& call) {
  HONE_PASS(call.run());
  HONE_TRY(std::vector<StepTime> steps, call.profile());
  std::vector<std::vector<double>> times(steps.size());
  double spent = 0;
  for (size_t run = 0; run < kMostRuns && (run < kFewestRuns || spent < kProfileSeconds); ++run) {
    HONE_TRY(std::vector<StepTime> again, call.profile());
    HONE_CHECK(again.size() == steps.size(), "a run took {} steps, another {}", again.size(), steps.size());
    for (size_t k = 0; k < again.size(); ++k) {
      times[k].push_back(again[k].seconds);
      spent += again[k].seconds;
    }
  }
  for (size_t k = 0; k < steps.size(); ++k) steps[k].seconds = measure::summarize(std::move(times[k])).median;
  return steps;
}

// Measured when first asked for; a function whose kernel cannot be timed counts as free.
class FunctionCycles {
 public:
  explicit FunctionCycles(const target::Target& target) : target_(target) {}

  double operator()(const std::string& function) {
    auto [found, added] = known_.emplace(function, 0);
    if (!added) return found->second;
    if (auto cycles = cycles_of_function(function, target_)) found->second = *cycles;
    return found->second;
  }

 private:
  target::Target target_;
  std::map<std::string, double> known_;
};

double rate(int64_t work, double seconds) {
  return seconds > 0 ? static_cast<double>(work) / seconds * 1e-9 : 0;
}

}  // namespace

KnownFacts facts_of(const pipeline::PlannedModel& model) {
  KnownFacts facts;
  cost::visit_calls(model.graph.calls, [&](const ir::Call& call) {
    if (call.kind != ir::Call::Kind::Kernel) return;
    auto number = static_cast<size_t>(call.kernel);
    const ir::Kernel& kernel = model.graph.kernels[number];
    const ir::KernelPlan& plan = model.plan.kernels[number];
    const cost::Use use = cost::use_of(model.graph, call, model.plan.edge_layouts);
    cost::Facts found = cost::facts_of(kernel, plan, use);
    found.expected = cost::price(kernel, use, model.target, plan);
    facts.emplace(std::pair(kernel.name, call.label), std::move(found));
  });
  return facts;
}

Result<Profile> profile_call(Call& call, const ProfileSetting& setting) {
  Profile profile;
  HONE_TRY(std::vector<StepTime> steps, median_steps(call));
  profile.limits = measure::measure_limits(setting.target, setting.threads);
  profile.run_seconds = setting.run_seconds;
  const measure::MemoryLevel& level = profile.limits.level_for(setting.working_set);
  profile.memory_level = level.name;
  const Circumstances around{profile.limits, level, setting.target, FunctionCycles(setting.target)};
  for (const StepTime& step : steps) profile.seconds += step.seconds;
  for (StepTime& step : steps) {
    ProfileRow row;
    row.share = profile.seconds > 0 ? step.seconds / profile.seconds : 0;
    row.gflops = rate(step.flops, step.seconds);
    row.gbytes = rate(step.bytes, step.seconds);
    double least =
        profile.limits.least_seconds(static_cast<double>(step.flops), static_cast<double>(step.bytes), level);
    row.of_roofline = step.seconds > 0 ? least / step.seconds : 0;
    if (row.of_roofline < kNearRoofline) {
      auto known = setting.facts.find({step.function, step.label});
      row.why = why_slow(step, known == setting.facts.end() ? nullptr : &known->second, around);
    }
    row.step = std::move(step);
    profile.rows.push_back(std::move(row));
  }
  return profile;
}

std::string sum_text(double kernel_seconds, double run_seconds) {
  double rest = run_seconds - kernel_seconds;
  if (rest < 0)
    return fmt::format("a run takes {}: without clocks between the steps they take {} less\n",
                       seconds_text(run_seconds), seconds_text(-rest));
  return fmt::format("a run takes {}: the rest, {}, is checking inputs, waking threads and going from step to step\n",
                     seconds_text(run_seconds), seconds_text(rest));
}

std::string reasons_text(const Profile& profile) {
  struct Kernels {
    size_t calls = 0;
    double seconds = 0, least = 0;
  };
  std::map<std::pair<std::string, std::string>, Kernels> alike;
  for (const ProfileRow& row : profile.rows) {
    if (row.why.empty()) continue;
    Kernels& kernels = alike[{row.step.function, row.why}];
    ++kernels.calls;
    kernels.seconds += row.step.seconds;
    kernels.least += row.of_roofline * row.step.seconds;
  }
  if (alike.empty()) return "";
  std::vector<std::pair<std::pair<std::string, std::string>, Kernels>> sorted(alike.begin(), alike.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  Table table({{"kernel", Align::Left, 36},
               {"calls", Align::Right},
               {"ms", Align::Right},
               {"of roofline", Align::Right},
               {"why", Align::Left, 200}});
  for (const auto& [named, kernels] : sorted)
    table.add({named.first, std::to_string(kernels.calls), fmt::format("{:.4f}", kernels.seconds * 1e3),
               fmt::format("{:.0f} %", kernels.seconds > 0 ? 100 * kernels.least / kernels.seconds : 0), named.second});
  return fmt::format("\nbelow {:.0f} % of the roofline:\n{}", kNearRoofline * 100, table.text());
}

std::string profile_text(const Profile& profile, size_t most_rows) {
  std::vector<const ProfileRow*> rows;
  for (const ProfileRow& row : profile.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ProfileRow* a, const ProfileRow* b) { return a->step.seconds > b->step.seconds; });
  Table table({{"kernel", Align::Left, 36},
               {"label", Align::Left, 40},
               {"ms", Align::Right},
               {"share", Align::Right},
               {"GFLOP/s", Align::Right},
               {"GB/s", Align::Right},
               {"of roofline", Align::Right}});
  for (size_t k = 0; k < std::min(rows.size(), most_rows); ++k) {
    const ProfileRow& row = *rows[k];
    table.add({row.step.function, row.step.label, fmt::format("{:.4f}", row.step.seconds * 1e3),
               fmt::format("{:.1f} %", row.share * 100), fmt::format("{:.1f}", row.gflops),
               fmt::format("{:.1f}", row.gbytes), fmt::format("{:.0f} %", row.of_roofline * 100)});
  }
  std::string text = table.text();
  if (rows.size() > most_rows) text += fmt::format("and {} more kernels\n", rows.size() - most_rows);
  const measure::MemoryLevel& level = *std::find_if(profile.limits.levels.begin(), profile.limits.levels.end(),
                                                    [&](const auto& one) { return one.name == profile.memory_level; });
  return text +
         fmt::format("{} kernel calls take {}; roofline: {:.1f} GFLOP/s, {:.1f} GB/s from {}\n", rows.size(),
                     seconds_text(profile.seconds), profile.limits.peak_gflops, level.read_gbytes, level.name) +
         sum_text(profile.seconds, profile.run_seconds) + reasons_text(profile);
}

nlohmann::ordered_json profile_json(const Profile& profile) {
  auto rows = nlohmann::ordered_json::array();
  for (const ProfileRow& row : profile.rows)
    rows.push_back({{"kernel", row.step.function},
                    {"label", row.step.label},
                    {"seconds", row.step.seconds},
                    {"share", row.share},
                    {"flops", row.step.flops},
                    {"bytes", row.step.bytes},
                    {"gflops", row.gflops},
                    {"gbytes", row.gbytes},
                    {"of_roofline", row.of_roofline},
                    {"why", row.why}});
  return rows;
}

nlohmann::ordered_json trace_json(const Profile& profile, const std::string& model) {
  auto events = nlohmann::ordered_json::array();
  events.push_back(
      {{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"tid", 1}, {"args", {{"name", "hone " + model}}}});
  double begin = 0;  // in microseconds, as all times here
  for (const ProfileRow& row : profile.rows) {
    double length = row.step.seconds * 1e6;
    events.push_back({{"name", row.step.label.empty() ? row.step.function : row.step.label},
                      {"cat", "kernel"},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", 1},
                      {"ts", begin},
                      {"dur", length},
                      {"args",
                       {{"kernel", row.step.function},
                        {"GFLOP/s", row.gflops},
                        {"GB/s", row.gbytes},
                        {"of roofline", row.of_roofline}}}});
    begin += length;
  }
  return {{"displayTimeUnit", "ns"}, {"traceEvents", events}};
}

}  // namespace hone::tools
