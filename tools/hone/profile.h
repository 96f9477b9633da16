// Where the time of a model goes: each kernel's time, its share, and how near it comes to the machine's limits.
#pragma once

#include <nlohmann/json.hpp>

#include "hone/call.h"
#include "measure/machine_limits.h"

namespace hone::tools {

struct ProfileRow {
  runtime::StepTime step;  // the median of several runs
  double share = 0;        // of all steps
  double gflops = 0, gbytes = 0;
  double of_roofline = 0;  // 1: no faster on this machine
};

struct Profile {
  std::vector<ProfileRow> rows;  // in the order of the run
  double seconds = 0;            // the sum of all rows
  std::string memory_level;      // whose bandwidth the roofline has
  measure::MachineLimits limits;
};

// Runs the model until the medians are steady, then measures the machine. `working_set` is what the model touches, in
// bytes: it says from which level of memory its kernels are fed.
Result<Profile> profile_call(Call& call, const target::Target& target, int threads, int64_t working_set);

std::string profile_text(const Profile& profile, size_t most_rows);
nlohmann::ordered_json profile_json(const Profile& profile);
// One run in the trace format of Chrome; ui.perfetto.dev opens it.
nlohmann::ordered_json trace_json(const Profile& profile, const std::string& model);

}  // namespace hone::tools
