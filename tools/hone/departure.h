// Where a model departs from onnxruntime: on given inputs, the tensors of a cut of the model by both, compared.
#pragma once

#include "hone/compare.h"
#include "hone/edit.h"
#include "hone/model.h"

namespace hone::tools {

class Departure {
 public:
  using Values = std::map<std::string, eval::Tensor>;  // of inputs, by name; a cut may read only some

  Departure(ModelOptions model, Values inputs, Tolerance tolerance)
      : model_(std::move(model)), inputs_(std::move(inputs)), tolerance_(tolerance) {}

  struct Verdict {
    std::string tensor;
    bool departs = false;
    std::string detail;  // how far, or why it cannot be compared
  };

  // Each output of a model file.
  Result<std::vector<Verdict>> outputs_of(const std::filesystem::path& model) const;
  Result<bool> departs(const std::filesystem::path& model) const;  // some output of it

  // Values of all outputs by onnxruntime.
  Result<std::vector<eval::Tensor>> reference_of(const std::filesystem::path& model) const;

  // The first layer that departs when the model computes up to it and no further, which fuses as the whole model does.
  // Nothing if none does. Layers are assumed to depart from some one on.
  Result<std::optional<size_t>> first_layer(const std::vector<Layer>& layers,
                                            const std::filesystem::path& folder) const;
  const Values& inputs() const { return inputs_; }

 private:
  ModelOptions model_;
  Values inputs_;
  Tolerance tolerance_;
};

}  // namespace hone::tools
