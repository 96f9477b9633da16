#include "base/knobs.h"

#include <charconv>
#include <cstdlib>

namespace hone {

namespace {

constexpr KnobInfo table[] = {
#define KNOB(name, variable, meaning) {Knob::name, variable, meaning},
#include "base/knobs.def"
#undef KNOB
};

const char* variable_of(Knob which) {
  return table[static_cast<size_t>(which)].variable;
}

}  // namespace

std::span<const KnobInfo> all_knobs() {
  return table;
}

std::optional<std::string> knob(Knob which) {
  const char* value = std::getenv(variable_of(which));
  if (value == nullptr || *value == 0) return std::nullopt;
  return std::string(value);
}

Result<std::optional<int>> positive_knob(Knob which) {
  std::optional<std::string> text = knob(which);
  if (!text) return std::optional<int>();
  int value = 0;
  const char* end = text->data() + text->size();
  auto parsed = std::from_chars(text->data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value <= 0)
    return error("{} is '{}', but must be a positive number", variable_of(which), *text);
  return std::optional<int>(value);
}

}  // namespace hone
