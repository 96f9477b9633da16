#include "import/refusals_internal.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/printable.h"

namespace hone::import {
namespace {
constexpr size_t kNamedNodes = 3;
constexpr size_t kReasons = 50;
constexpr size_t kMostBytes = 500;  // of a name or reason
}  // namespace

void Refusals::add(const std::string& op_type, const std::string& node, const std::string& reason, bool undecided) {
  auto [place, fresh] = places_.emplace(std::tuple(op_type, reason, undecided), entries_.size());
  if (fresh) entries_.push_back(Entry{op_type, reason, {}, 0, undecided});
  Entry& entry = entries_[place->second];
  if (entry.nodes.size() < kNamedNodes) entry.nodes.push_back(fmt::format("'{}'", printable(node, kMostBytes)));
  ++entry.count;
}

bool Refusals::all_undecided() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.undecided; });
}

Error Refusals::summary(int opset) const {
  std::string text = fmt::format("the model (opset {}) cannot be imported; {} reason{}:", opset, entries_.size(),
                                 entries_.size() == 1 ? "" : "s");
  for (size_t i = 0; i < std::min(entries_.size(), kReasons); ++i) {
    const Entry& e = entries_[i];
    bool more = e.count > static_cast<int>(e.nodes.size());
    text +=
        fmt::format("\n- {}: {} ({} node{}: {}{})", printable(e.op_type, kMostBytes), printable(e.reason, kMostBytes),
                    e.count, e.count == 1 ? "" : "s", fmt::join(e.nodes, ", "), more ? ", …" : "");
  }
  if (entries_.size() > kReasons) text += fmt::format("\n- and {} more", entries_.size() - kReasons);
  return Error{text};
}

}  // namespace hone::import
