// The same model on the same inputs by onnxruntime, in a Python process of its own.
#pragma once

#include "eval/tensor.h"

namespace hone::tools {

struct Reference {
  std::string name;  // "onnxruntime 1.31.1"
  std::vector<eval::Tensor> outputs;
};

Result<Reference> run_onnxruntime(const std::string& model, const std::vector<eval::Tensor>& inputs);

// Its version, or why it cannot be had.
Result<std::string> onnxruntime_version();

}  // namespace hone::tools
