// Why a kernel is slower than the roofline: sentences made of facts about its plan, each with the time that it would explain.
#pragma once

#include <functional>

#include "cost/facts.h"
#include "measure/machine_limits.h"
#include "runtime/runner.h"

namespace hone::tools {

struct Circumstances {
  const measure::MachineLimits& limits;
  const measure::MemoryLevel& level;  // whose bandwidth the roofline has
  target::Target target;
  std::function<double(const std::string&)> function_cycles;  // of a vector
};

// At most two causes, the one that explains most first. `facts` is null where no plan is known.
std::string why_slow(const runtime::StepTime& step, const cost::Facts* facts, const Circumstances& around);

}  // namespace hone::tools
