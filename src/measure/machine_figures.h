// The Figures of this machine, measured on one core.
#pragma once

#include "target/figures.h"
#include "target/target.h"

namespace hone::measure {

// Takes a few seconds. All but task_cycles, which needs compiled code and stays as it is in `target`.
target::Figures measure_figures(const target::Target& target);

// Cycles of this core in a second, now.
double cycles_per_second();

}  // namespace hone::measure
