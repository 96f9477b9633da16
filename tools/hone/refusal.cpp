#include "hone/refusal.h"

#include <algorithm>

#include "import/import.h"

namespace hone::tools {
namespace {

// What import tells of one operator: a line "- Op: reason (2 nodes: 'a', 'b')", without the nodes.
std::vector<std::string> reasons_in(const std::string& message) {
  constexpr std::string_view kMark = "\n- ";
  std::vector<std::string> reasons;
  for (size_t at = message.find(kMark); at != std::string::npos; at = message.find(kMark, at + 1)) {
    size_t begin = at + kMark.size(), end = std::min(message.find('\n', begin), message.size());
    std::string line = message.substr(begin, end - begin);
    reasons.push_back(line.substr(0, line.rfind(" (")));
  }
  return reasons;
}

std::vector<std::string> reasons_for(const std::filesystem::path& model) {
  auto program = import::import_model(model);
  return program ? std::vector<std::string>() : reasons_in(program.problem().message);
}

}  // namespace

std::optional<Refusal> Refusal::of(const std::filesystem::path& model) {
  std::vector<std::string> reasons = reasons_for(model);
  if (reasons.empty()) return std::nullopt;
  return Refusal(reasons.front());
}

bool Refusal::holds_for(const std::filesystem::path& model) const {
  std::vector<std::string> reasons = reasons_for(model);
  return std::find(reasons.begin(), reasons.end(), reason_) != reasons.end();
}

Result<Layer> Refusal::first_layer(const std::filesystem::path& model, const std::filesystem::path& folder) const {
  HONE_TRY(std::vector<Layer> layers, layers_of(model));
  std::filesystem::path cut = folder / "layers.onnx";
  size_t taken = 0, refused = layers.size();
  while (taken < refused) {
    size_t middle = (taken + refused) / 2;
    std::vector<std::string> tensors;
    for (size_t k = 0; k <= middle; ++k) tensors.push_back(layers[k].tensor);
    HONE_PASS(write_with_outputs(model, tensors, cut));
    bool holds = holds_for(cut);
    (holds ? refused : taken) = holds ? middle : middle + 1;
  }
  if (refused == layers.size()) return error("no layer of the model is refused by itself: {}", reason_);
  return layers[refused];
}

}  // namespace hone::tools
