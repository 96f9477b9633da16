// The environment variables of Hone, declared in knobs.def. A variable that is unset or empty counts as absent.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace hone {

enum class Knob {
#define KNOB(name, variable, meaning) name,
#include "base/knobs.def"
#undef KNOB
};

struct KnobInfo {
  Knob knob;
  const char* variable;
  const char* meaning;
};

std::span<const KnobInfo> all_knobs();  // in the order of knobs.def, for help pages
std::optional<std::string> knob(Knob which);
// The knob as a positive number; an error that names the variable if it holds something else.
Result<std::optional<int>> positive_knob(Knob which);

}  // namespace hone
