// The verbs of the command, one file each. add_<verb> declares a verb and its options; parsing the command line sets
// `chosen` to what the user asked for.
//
// A verb returns the exit code: kSuccess, or kFailure where the answer itself is "no" (verify). Its errors are the
// user's to mend; main prints them and ends with kFailure.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/result.h"

namespace hone::tools {

inline constexpr int kSuccess = 0, kFailure = 1, kUsage = 2, kInternal = 70;

using Verb = std::function<Result<int>()>;

void add_run(CLI::App& app, Verb& chosen);
void add_bench(CLI::App& app, Verb& chosen);
void add_compile(CLI::App& app, Verb& chosen);
void add_inspect(CLI::App& app, Verb& chosen);
void add_verify(CLI::App& app, Verb& chosen);
void add_reduce(CLI::App& app, Verb& chosen);
void add_doctor(CLI::App& app, Verb& chosen);
void add_choice(CLI::App& app, Verb& chosen);
void add_knobs(CLI::App& app, Verb& chosen);

}  // namespace hone::tools
