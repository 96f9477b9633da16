// Models cut to a part of themselves, by a Python process that has onnx: what verify and reduce look for faults with.
#pragma once

#include <filesystem>

#include "eval/tensor.h"

namespace hone::tools {

// A tensor that a node of the model's own graph computes, in the order of the nodes.
struct Layer {
  std::string tensor, op_type, node;
};

Result<std::vector<Layer>> layers_of(const std::filesystem::path& model);

// The model with these tensors for its outputs, without the nodes that they do not need.
Status write_with_outputs(const std::filesystem::path& model, const std::vector<std::string>& tensors,
                          const std::filesystem::path& to);

// Tensors that the nodes from `first` on take from those before it.
Result<std::vector<std::string>> frontier(const std::filesystem::path& model, size_t first);

// The model from node `first` on: what it takes from earlier nodes becomes its inputs, of the types of these values.
// Inputs of the model that are still read come before them, in their order.
Status write_from_node(const std::filesystem::path& model, size_t first, const std::vector<std::string>& names,
                       const std::vector<eval::Tensor>& values, const std::filesystem::path& to);
// The same with the types that onnx infers; an error if it cannot.
Status write_from_node(const std::filesystem::path& model, size_t first, const std::filesystem::path& to);

Result<size_t> node_count(const std::filesystem::path& model);
// Names of the inputs, in order.
Result<std::vector<std::string>> inputs_of(const std::filesystem::path& model);

}  // namespace hone::tools
