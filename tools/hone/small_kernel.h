// Kernels written here and timed on the spot, to learn what the machine makes of them.
#pragma once

#include "hone/call.h"
#include "target/target.h"

namespace hone::tools {

// A graph in text form, compiled for `threads`; inputs are drawn.
Result<Call> prepare_kernel(const std::string& text, int threads, const target::Target& target);

// Of a run, the least of several rounds.
Result<double> seconds_of(Call& call);

// About how many cycles a vector of that function takes: exp, tanh, ... as `name_of` gives them, or exp2. Compiles a kernel.
Result<double> cycles_of_function(const std::string& function, const target::Target& target);

}  // namespace hone::tools
