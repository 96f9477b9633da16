// What a fuzz target asserts: a claim that does not hold ends the process, which libFuzzer reports with the input.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "base/result.h"

namespace hone::fuzz {

inline void holds(bool claim, const std::string& what) {
  if (claim) return;
  std::fprintf(stderr, "does not hold: %s\n", what.c_str());
  std::abort();
}

inline void holds(const Status& status, const std::string& where) {
  holds(status.ok(), status.ok() ? where : where + ": " + status.problem().message);
}

}  // namespace hone::fuzz
