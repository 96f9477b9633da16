// Where the time of a model goes: each kernel's time, its share, and how near it comes to the machine's limits.
#pragma once

#include <nlohmann/json.hpp>

#include "cost/facts.h"
#include "hone/call.h"
#include "measure/machine_limits.h"
#include "pipeline/compile.h"

namespace hone::tools {

struct ProfileRow {
  runtime::StepTime step;  // the median of several runs
  double share = 0;        // of all steps
  double gflops = 0, gbytes = 0;
  double of_roofline = 0;  // 1: no faster on this machine
  std::string why;         // where that is far below 1: what keeps it from there
};

struct Profile {
  std::vector<ProfileRow> rows;  // in the order of the run
  double seconds = 0;            // the sum of all rows
  double run_seconds = 0;        // of a run without clocks between the steps
  std::string memory_level;      // whose bandwidth the roofline has
  measure::MachineLimits limits;
};

// What is known of the kernels of each step, by function and label.
using KnownFacts = std::map<std::pair<std::string, std::string>, cost::Facts>;
KnownFacts facts_of(const pipeline::PlannedModel& model);

// What is profiled, and on what.
struct ProfileSetting {
  target::Target target;
  int threads = 1;
  int64_t working_set = 0;  // bytes that the model touches: they say from which level of memory its kernels are fed
  double run_seconds = 0;
  KnownFacts facts;
};

// Runs the model until the medians are steady, then measures the machine.
Result<Profile> profile_call(Call& call, const ProfileSetting& setting);

std::string profile_text(const Profile& profile, size_t most_rows);
// Every kernel far below the roofline with the reason, those alike together.
std::string reasons_text(const Profile& profile);
// How the kernels' times add up to that of a run.
std::string sum_text(double kernel_seconds, double run_seconds);
nlohmann::ordered_json profile_json(const Profile& profile);
// One run in the trace format of Chrome; ui.perfetto.dev opens it.
nlohmann::ordered_json trace_json(const Profile& profile, const std::string& model);

}  // namespace hone::tools
