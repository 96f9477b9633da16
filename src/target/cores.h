// How many cores this process may keep busy at once.
#pragma once

#include <string_view>

namespace hone::target {

// Physical cores of the affinity mask, at most the processor time that the control group grants; at least 1.
int available_cores();

// Processors' worth of time in the text of cgroup v2's cpu.max ("200000 100000", "max 100000"), rounded up; 0 if unlimited
// or unreadable.
int quota_of_cpu_max(std::string_view text);

}  // namespace hone::target
