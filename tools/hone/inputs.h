// The inputs of a model: files, single values, or seeded random numbers of the wanted shapes.
#pragma once

#include <CLI/CLI.hpp>
#include <map>

#include "eval/tensor.h"
#include "runtime/executable.h"

namespace hone::tools {

struct InputOptions {
  std::vector<std::string> values;  // name=file.npy, or name=number for all elements
  std::vector<std::string> shapes;  // name:1x3x224x224, name:scalar; without a name for a model of one input
  uint64_t seed = 1;
};

void add_input_options(CLI::App& verb, InputOptions& options);

using ShapeMap = std::map<std::string, std::vector<int64_t>>;  // by input

// Shapes as the user wrote them; an unnamed one goes to the only input.
Result<ShapeMap> parse_shapes(const std::vector<std::string>& texts, const runtime::Executable& executable);

struct Inputs {
  std::vector<eval::Tensor> tensors;  // in the model's order
  std::vector<std::string> notes;     // what was assumed
};

// Dimensions that nobody gave are 1. Random floats lie in [-1, 1), random integers are 0 or 1, so that they may be
// indices and masks as well as numbers.
Result<Inputs> make_inputs(const runtime::Executable& executable, const InputOptions& options);

}  // namespace hone::tools
