// Measures what the cost model takes from figures.def.
#pragma once

#include "pipeline/cache/calibration.h"

namespace hone::tools {

// The figures of the machine as `target` describes it; takes a few seconds.
Result<target::Figures> calibrate(const target::Target& target);

// The figures in use, and where they come from.
std::string figures_text(const pipeline::Calibration& calibration);

}  // namespace hone::tools
