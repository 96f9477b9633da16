// A model that Hone refuses: for which reason, and which part of it is refused for that too.
#pragma once

#include <optional>

#include "hone/edit.h"

namespace hone::tools {

class Refusal {
 public:
  // Nothing if the model is imported, or refused for no operator of it.
  static std::optional<Refusal> of(const std::filesystem::path& model);

  const std::string& reason() const { return reason_; }  // "Slice: a slice with step 0"
  bool holds_for(const std::filesystem::path& model) const;

  // The first layer that cannot be had for this reason.
  Result<Layer> first_layer(const std::filesystem::path& model, const std::filesystem::path& folder) const;

 private:
  explicit Refusal(std::string reason) : reason_(std::move(reason)) {}

  std::string reason_;
};

}  // namespace hone::tools
