// Checks the inputs of a call and binds the model's symbols to their dimensions.
#include <algorithm>

#include "runtime/session.h"

namespace hone::runtime {

namespace {

constexpr int64_t unbound = -1;

std::string expected_text(const PortSpec& port) {
  return fmt::format("{}[{}]", port.dtype, fmt::join(port.shape_text, ", "));
}

std::string given_text(const InputTensor& input) {
  return fmt::format("{}[{}]", input.dtype, fmt::join(input.shape, ", "));
}

Error wrong_input(const PortSpec& port, const InputTensor& input, const std::string& why) {
  return error("input '{}' must be {}, got {}: {}", port.name, expected_text(port), given_text(input), why);
}

std::string values_text(const std::vector<std::string>& names, const std::vector<int64_t>& values) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", names[i], values[i]);
  return text;
}

}  // namespace

Status Session::bind(std::span<const InputTensor> inputs, std::vector<int64_t>& symbols) const {
  const std::vector<PortSpec>& ports = executable_.inputs;
  if (inputs.size() != ports.size())
    return error("model '{}' takes {} inputs, got {}", executable_.name, ports.size(), inputs.size());
  std::fill(symbols.begin(), symbols.end(), unbound);
  for (size_t i = 0; i < ports.size(); ++i) {
    const InputTensor& input = inputs[i];
    if (input.dtype != ports[i].dtype) return wrong_input(ports[i], input, "another element type");
    if (input.shape.size() != ports[i].shape.size())
      return wrong_input(ports[i], input,
                         fmt::format("rank {} instead of {}", input.shape.size(), ports[i].shape.size()));
    for (size_t d = 0; d < input.shape.size(); ++d) {
      if (input.shape[d] < 0) return wrong_input(ports[i], input, fmt::format("dimension {} is negative", d));
      if (ports[i].binds[d] < 0) continue;
      int64_t& symbol = symbols[static_cast<size_t>(ports[i].binds[d])];
      if (symbol == unbound) symbol = input.shape[d];
    }
  }
  return Done{};
}

Status Session::check_shapes(std::span<const InputTensor> inputs, const Shapes& expected) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::span<const int64_t> shape = inputs[i].shape;
    bool empty = false;
    for (size_t d = 0; d < shape.size(); ++d) {
      empty = empty || shape[d] == 0;
      if (shape[d] == expected[i][d]) continue;
      std::vector<int64_t> symbols(executable_.symbols.size());
      HONE_PASS(bind(inputs, symbols));
      std::string where = symbols.empty() ? "" : " for " + values_text(executable_.symbols, symbols);
      return wrong_input(executable_.inputs[i], inputs[i],
                         fmt::format("dimension {} must be {}{}", d, expected[i][d], where));
    }
    if (inputs[i].data == nullptr && !empty) return wrong_input(executable_.inputs[i], inputs[i], "no data");
  }
  return Done{};
}

}  // namespace hone::runtime
